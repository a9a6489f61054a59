"""A process that reads files for a check which is busy with others."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from dplint.check.loading import LoadedFile, LowerAgain, Target, load_now, lowered_again
from dplint.config import Settings
from dplint.runner.fence import SHARE, close_in
from dplint.workers.frames import read_frame, write_frame


@dataclass(frozen=True, slots=True)
class Read:
    """Read a file; the answer is a LoadedFile. lowering: whether its mechanisms will be wanted with their programs."""

    path: Path
    settings: Settings
    lowering: bool


@dataclass(frozen=True, slots=True)
class Lower:
    """Lower mechanisms of one file; the answer is a list of what `LowerAgain` gives."""

    ones: tuple[LowerAgain, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """The answer to a request that has failed: whoever has made it does it, and sees how it fails."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """A mechanism that was lowered where its file was read."""

    target: Target | None

    def __call__(self) -> Target | None:
        """The mechanism with its program."""
        return self.target


@dataclass(frozen=True, slots=True)
class TooLarge:
    """The answer to a request that took more memory than there is: nobody may make it without a limit."""


def main(share_mib: int) -> None:
    """Answer requests, one after another, until the front end is gone. share_mib: the memory for that."""
    SHARE.take(share_mib)
    close_in()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    while True:
        try:
            request = read_frame(requests)
            answer = _answer(request)
            write_frame(answers, answer)
        except (EOFError, OSError):
            return
        if SHARE.half_used:  # by what is kept of earlier files: who asks next starts another process
            return


def _answer(request: object) -> LoadedFile | list[Target | None] | TooLarge | Again:
    try:
        match request:
            case Read():
                return _read(request)
            case Lower(ones=ones):
                return lowered_again(ones)
    except MemoryError:
        return TooLarge()
    except Exception:  # whatever it is, it is told where it can be seen
        return Again()
    raise AssertionError(request)


def _read(request: Read) -> LoadedFile:
    """The trees of a file stay here."""
    path, settings = request.path, request.settings
    loaded = load_now(path, settings)
    pending = (
        replace(
            one,
            lower=Lowered(one.lower()) if request.lowering else LowerAgain(path, loaded.file, settings, one.mechanism),
        )
        for one in loaded.pending
    )
    return replace(loaded, pending=tuple(pending))
