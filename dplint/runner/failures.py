"""What the runner answers instead of a result. Runs in the user's interpreter."""

from __future__ import annotations

import errno
import importlib
import os
import re
import sys
import traceback
from types import FrameType
from typing import Iterable, List, Optional

IMPORT, DEADLINE, CRASH, MEMORY, EFFECT, INPUT, INTERNAL = (
    "import",
    "deadline",
    "crash",
    "memory",
    "effect",
    "input",
    "internal",
)

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_IMPORTS = os.path.dirname(os.path.abspath(importlib.__file__))
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_NO_MEMORY = ("cannot allocate memory", "can't allocate memory", "failed to map segment", "bad_alloc", "out of memory")
_PACKAGES = (_STANDARD + "site-packages" + os.sep, _STANDARD + "dist-packages" + os.sep)


TOO_MUCH_MEMORY = (
    "needs more memory than the limit allows; `memory-mib` in [tool.dplint] sets it,"
    " as far as the machine has so much free"
)


class Failure(Exception):
    """A request that cannot be answered; `kind` is one of the names above, those of `dplint.outcomes.FailureKind`.

    cure: how to mend it. scope, line: as for `dplint.outcomes.Failed`.
    """

    def __init__(
        self,
        kind: str,
        reason: str,
        detail: str = "",
        cure: str = "",
        scope: str = "mechanism",
        line: Optional[int] = None,
    ) -> None:
        super().__init__(kind, reason, detail)
        self.document = {
            "kind": kind,
            "reason": reason,
            "detail": detail,
            "cure": cure,
            "scope": scope,
            "line": line,
        }


class Refusals:
    """What the fence of the kernel has refused, of which no hook has told: told by the exception that came of it.

    Such an exception is no output: elsewhere the function would have gone on. standing: whether there is a fence.
    unlisted: a folder in which an import was to look, and may not.
    """

    def __init__(self) -> None:
        self.standing = False
        self.unlisted = ""

    def of(self, error: BaseException) -> Optional[Failure]:
        """The failure that it is, None for any other exception."""
        if not self.standing:
            return None
        number = error.errno if isinstance(error, OSError) else None
        is_refused = number in (errno.EACCES, errno.EPERM) or (
            number is None and _TOLD_BY_LIBRARIES.search(summary(error)) is not None
        )
        reason = (
            f"tried what the system refuses in an audit, and had {summary(error)}: reading or writing of other files,"
            ' a network, or processes; `allow` in [tool.dplint] opens them, such as `allow = ["read:/path/of/data"]`'
        )
        return Failure(EFFECT, reason, user_traceback(error)) if is_refused else None


REFUSALS = Refusals()
"""Those of this process."""
_TOLD_BY_LIBRARIES = re.compile(r"\b(?:os error|errno)\W{1,4}(?:1|13)\b", re.IGNORECASE)


def summary(error: BaseException) -> str:
    """The exception in one line, as Python prints it last; never raises, whatever the user's `__str__` does."""
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def user_traceback(error: BaseException) -> str:
    """The traceback without the frames of the runner and of the import machinery."""
    try:
        frames = _users(traceback.extract_tb(error.__traceback__))
        lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)] if frames else []
        return "".join([*lines, *traceback.format_exception_only(type(error), error)])
    except Exception:
        return summary(error)


def user_stack() -> str:
    """Where user code is at this moment, without the frames of the runner and of the import machinery."""
    # Without reading source lines: that would be audited in turn.
    frames = traceback.StackSummary.extract(traceback.walk_stack(sys._getframe(1)), lookup_lines=False)
    return "".join(
        f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}\n' for frame in reversed(_users(frames))
    )


def caller_file() -> str:
    """The file of the innermost code that is of neither the runner nor the standard library; empty if there is none."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        standard = file.startswith(_STANDARD) and not file.startswith(_PACKAGES)
        if not (standard or file.startswith(("<", _OWN))):
            return file
        frame = frame.f_back
    return ""


def _users(frames: Iterable[traceback.FrameSummary]) -> List[traceback.FrameSummary]:
    return [
        frame
        for frame in frames
        if not frame.filename.startswith(("<", _OWN)) and os.path.dirname(frame.filename) != _IMPORTS
    ]


def import_error(error: BaseException) -> str:
    """What has failed in an import, in a sentence without its subject."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"the interpreter {sys.executable} has no module {error.name!r}"
    return summary(error)


def lacks_memory(error: BaseException) -> bool:
    """Whether an exception, of Python or of a library, says that there was not enough memory."""
    words = summary(error).lower()
    return isinstance(error, MemoryError) or any(one in words for one in _NO_MEMORY)


def failure_of(error: BaseException, doing: str) -> Failure:
    """What to answer when `error` has left user code, other than as an output of a run."""
    if isinstance(error, Failure):
        return error
    if lacks_memory(error):
        return Failure(MEMORY, f"{doing} {TOO_MUCH_MEMORY}", user_traceback(error))
    if isinstance(error, SystemExit):
        return Failure(CRASH, f"{doing} called sys.exit({_exit_code(error)})", user_traceback(error))
    if not isinstance(error, Exception):
        return Failure(CRASH, f"{doing} raised {summary(error)}", user_traceback(error))
    return Failure(
        INTERNAL,
        f"{doing} failed: {summary(error)}",
        "".join(traceback.format_exception(type(error), error, error.__traceback__)),
    )


def _exit_code(error: SystemExit) -> str:
    code: Optional[object] = error.code
    try:
        return "" if code is None else repr(code)
    except Exception:
        return "..."
