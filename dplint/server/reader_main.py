"""The reader process: reads texts with LibCST, which takes its time and, on odd input, ends its process."""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from typing import BinaryIO

from dplint.check.buffers import BufferReader
from dplint.check.engine_notes import engine_notes
from dplint.check.suggesting import new_claim
from dplint.runner.fence import SHARE, close_in
from dplint.server.reader_messages import Answer, Engines, Forget, Lower, Read, ReaderFailed, Request, Suggest
from dplint.source.files import hold
from dplint.workers.frames import read_frame, write_frame

TOO_LARGE = ReaderFailed("reading it takes more memory than its share of what the machine has free", "")


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
    reader = BufferReader()
    while True:
        answer = _answer(reader, todo.get())
        write_frame(answers, answer)
        if answer == TOO_LARGE and SHARE.half_used:  # by what is kept of earlier texts: the next has a new process
            os._exit(0)


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
                hold(path, text.removeprefix("\ufeff"))
                return reader.read(path, text, settings)
            case Lower(path=path, text=text, settings=settings, qualname=qualname, before=before):
                return reader.target(path, text, settings, qualname, before)
            case Suggest(path=path, text=text, settings=settings, line=line):
                return new_claim(path, text, line, settings)
            case Engines(path=path, text=text, settings=settings):
                return engine_notes(path, text, settings)
            case Forget(path=path):
                hold(path, None)
                reader.forget(path)
                return None
    except MemoryError:
        return TOO_LARGE
    except Exception as error:
        return ReaderFailed(f"dplint itself failed ({type(error).__name__}: {error})", traceback.format_exc())
