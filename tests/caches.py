"""Files of a cache as a test wants them: signed with the user's key, whatever is in them."""

from dplint.store import CacheFolder


def body(path):
    """What was written, behind the line of the signature."""
    return path.read_bytes().partition(b"\n")[2]


def put(path, content):
    """Write a file of a cache as dplint would, so that only what is in it can be wrong."""
    CacheFolder(path.parent.parent).write(path.name, content)
