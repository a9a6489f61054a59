"""A front end keeps to itself what is in it: its environment, its memory and its open files.

On Linux `/proc` shows them to every process of the same user, and code that is checked is one. What a front end starts
is as any process is: a new program begins dumpable. Root, and who may trace all processes, sees them as before.
"""

from dplint.runner.system import keep_private

__all__ = ["keep_private"]
