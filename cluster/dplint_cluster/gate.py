"""The way into the processes of a cluster, which may have another dplint, none, or another Python.

A function of a module of ours could not be loaded there, and one that is sent as code ends the process of another
Python. So what is sent is the text of one function; it looks at the dplint that is there before it calls anything else.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import dplint
from dplint_cluster import digest as digest_here

_CALL = "exec(text, space := {}) or space['called'](*given)"
"""What `eval` makes of it, which every Python has."""


def called(version: str, digest: str, name: str, arguments: tuple[Any, ...]) -> tuple[str, str, Any]:
    """Why the process cannot be asked, its address, and what the function of `process` returns.

    The text of this function is run by itself: it imports what it needs.
    """
    from importlib import import_module  # noqa: PLC0415

    from distributed import get_worker  # noqa: PLC0415

    try:
        where = str(get_worker().address)
    except ValueError:  # asked beside its tasks
        where = ""
    try:
        import dplint  # noqa: PLC0415

        if dplint.__version__ != version:
            return f"it has dplint {dplint.__version__}, and this is {version}", where, None
        from dplint_cluster import digest as digest_there  # noqa: PLC0415

        if digest_there() != digest:
            return f"it has other code that also calls itself dplint {version}", where, None
        process = import_module("dplint_cluster.process")
    except Exception as error:
        return f"dplint cannot be imported there ({error})", where, None
    try:
        return "", where, getattr(process, name)(*arguments)
    except process.UnfitError as unfit:
        return str(unfit), where, None


def call(name: str, *arguments: object) -> tuple[str, dict[str, object]]:
    """What `eval` is to be given in a process of a cluster to call this function of `process` there."""
    return _CALL, {"text": _text(), "given": (dplint.__version__, digest_here(), name, arguments)}


@cache
def _text() -> str:
    return "from __future__ import annotations\n" + inspect.getsource(called)
