"""The reader process: reads texts with LibCST, which takes its time and, on odd input, ends its process."""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

from dplint.check.buffers import BufferReader, BufferReading
from dplint.check.reading import Target
from dplint.config import Settings
from dplint.workers.frames import read_frame, write_frame


@dataclass(frozen=True, slots=True)
class Read:
    """Read a whole text."""

    path: Path
    text: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Lower:
    """Read one mechanism of a text with its program."""

    path: Path
    text: str
    settings: Settings
    qualname: str


@dataclass(frozen=True, slots=True)
class Forget:
    """The file was closed."""

    path: Path


Request: TypeAlias = Read | Lower | Forget
Answer: TypeAlias = BufferReading | Target | None


@dataclass(frozen=True, slots=True)
class ReaderFailed:
    """A request that could not be answered, and why."""

    reason: str
    detail: str = ""


def main() -> None:
    """Answer requests, one after another, until the front end is gone."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.setrecursionlimit(4000)
    todo: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, todo), daemon=True).start()
    reader = BufferReader()
    while True:
        write_frame(answers, _answer(reader, todo.get()))


def _listen(requests: BinaryIO, todo: queue.SimpleQueue[Request]) -> None:
    """Take requests also while one is in hand, so that the end of the front end is noticed at once."""
    try:
        while True:
            todo.put(read_frame(requests))  # type: ignore[arg-type]
    except EOFError:
        os._exit(0)


def _answer(reader: BufferReader, request: Request) -> Answer | ReaderFailed:
    try:
        match request:
            case Read(path=path, text=text, settings=settings):
                return reader.read(path, text, settings)
            case Lower(path=path, text=text, settings=settings, qualname=qualname):
                return reader.target(path, text, settings, qualname)
            case Forget(path=path):
                reader.forget(path)
                return None
    except Exception as error:
        return ReaderFailed(f"dplint itself failed ({type(error).__name__}: {error})", traceback.format_exc())
