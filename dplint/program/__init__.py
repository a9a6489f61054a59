"""Programs: a mechanism lowered to a small tree, the one evaluator that walks it, and the seam to its readings.

The evaluator is imported where programs are walked: front ends only hand them on, and have to start at once.
"""

from dplint.program.nodes import Draw, Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct, unsupported

__all__ = ["Draw", "Program", "Unsupported", "UnsupportedConstruct", "unsupported"]
