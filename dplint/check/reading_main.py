"""A process that reads files with LibCST, for a check that is busy with others or for a language server.

LibCST takes its time and, on odd input, ends its process.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from dplint.check.loading import LoadedFile, LowerAgain, Pending, Target, load_now, lowered_again
from dplint.config import Settings
from dplint.runner.fence import SHARE, close_in
from dplint.workers.frames import read_frame, write_frame

if TYPE_CHECKING:
    from dplint.check.buffers import BufferReader

START = "import sys; sys.path.append(sys.argv[1]); from dplint.check.reading_main import main; main(int(sys.argv[2]))"
"""What begins it, with the folder of the package and MiB of memory as arguments."""


class Request(Protocol):
    """What the process is asked: to be pickled."""

    def answer(self, reader: BufferReader) -> object:
        """The answer, worked out there. reader: knows what was read before."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """In place of an answer: why there is none, in words for the user; and a traceback, if dplint itself failed."""

    reason: str
    detail: str = ""


TOO_LARGE = Unanswered("reading it takes more memory than its share of what the machine has free")
"""Nobody may read that without a limit."""


@dataclass(frozen=True, slots=True)
class Read:
    """Read a file; the answer is a LoadedFile. lowering: whether its mechanisms will be wanted with their programs."""

    path: Path
    settings: Settings
    lowering: bool

    def answer(self, _reader: BufferReader) -> LoadedFile:
        """The trees of a file stay where it is read."""
        loaded = load_now(self.path, self.settings)

        def lower(one: Pending) -> Lowered | LowerAgain:
            again = LowerAgain(self.path, loaded.file, self.settings, one.mechanism)
            return Lowered(one.lower()) if self.lowering else again

        return replace(loaded, pending=tuple(replace(one, lower=lower(one)) for one in loaded.pending))


@dataclass(frozen=True, slots=True)
class Lower:
    """Lower mechanisms of one file; the answer is a list of what `LowerAgain` gives."""

    ones: tuple[LowerAgain, ...]

    def answer(self, _reader: BufferReader) -> list[Target | None]:
        """The mechanisms with their programs."""
        return lowered_again(self.ones)


@dataclass(frozen=True, slots=True)
class Lowered:
    """A mechanism that was lowered where its file was read."""

    target: Target | None

    def __call__(self) -> Target | None:
        """The mechanism with its program."""
        return self.target


def main(share_mib: int) -> None:
    """Answer requests, one after another, until the front end is gone. share_mib: the memory for that."""
    SHARE.take(share_mib)
    close_in()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.setrecursionlimit(4000)
    todo: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, todo), daemon=True).start()
    from dplint.check.buffers import BufferReader  # noqa: PLC0415 - front ends import this file, and start fast

    reader = BufferReader()
    while True:
        answer = _answer(reader, todo.get())
        write_frame(answers, answer)
        # By what is kept of earlier files: the next has a new process. What is remembered of texts is kept for a use.
        if SHARE.half_used and (answer == TOO_LARGE or not reader.remembers):
            os._exit(0)


def _listen(requests: BinaryIO, todo: queue.SimpleQueue[Request]) -> None:
    """Take requests also while one is in hand, so that the end of the front end is noticed at once."""
    try:
        while True:
            todo.put(read_frame(requests))  # type: ignore[arg-type]
    except (EOFError, OSError):
        os._exit(0)


def _answer(reader: BufferReader, request: Request) -> object:
    try:
        return request.answer(reader)
    except MemoryError:
        return TOO_LARGE
    except Exception as error:
        return Unanswered(f"dplint itself failed ({type(error).__name__}: {error})", traceback.format_exc())
