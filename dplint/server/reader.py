"""The reader process, seen from the server: requests that can be awaited, and a new process when one dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import dplint
from dplint.check.reading_main import START, Unanswered
from dplint.server.reader_messages import Answer, Request
from dplint.workers.process import share_of_a_processor

_LENGTH = struct.Struct("<Q")
_MOST_SECONDS = 30.0
"""A text that takes longer than this is given up."""


class Reader:
    """Reads texts in a process of its own, one request at a time, in the order in which they are made."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._closed = False

    async def start(self) -> None:
        """Start the process before it is needed."""
        async with self._turn:
            await self._ready()

    async def ask(self, request: Request) -> Answer:
        """The answer to a request.

        Raises:
            ReaderError: the request could not be answered; the reader is ready for the next one.
        """
        payload = pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)
        # Whoever waits may be cancelled; the exchange may not, or the next answer would be this one's.
        answer = await asyncio.shield(asyncio.ensure_future(self._in_turn(payload)))
        if isinstance(answer, Unanswered):
            if answer.detail:
                self._log(answer.detail)
            raise ReaderError(answer.reason)
        return answer

    async def _in_turn(self, payload: bytes) -> Answer | Unanswered:
        async with self._turn:
            try:
                try:
                    return await self._exchange(await self._ready(), payload)
                except _ReaderDied:
                    # That need not be the fault of the text: it is tried once more.
                    return await self._exchange(await self._ready(), payload)
            except ReaderError as error:
                return Unanswered(str(error))

    async def _ready(self) -> asyncio.subprocess.Process:
        if self._closed:
            raise ReaderError("the server is shutting down")
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-c", START, str(Path(dplint.__file__).parent.parent)),
                str(share_of_a_processor()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
                env={**os.environ, "PYTHONFAULTHANDLER": "1"},
            )
        return self._process

    async def _exchange(self, process: asyncio.subprocess.Process, payload: bytes) -> Answer | Unanswered:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(_LENGTH.pack(len(payload)) + payload)
            async with asyncio.timeout(_MOST_SECONDS):
                await process.stdin.drain()
                (length,) = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))
                answer: Answer | Unanswered = pickle.loads(await process.stdout.readexactly(length))
        except TimeoutError:
            await self._end(process)
            return Unanswered(f"reading it took more than {_MOST_SECONDS:g} s and was given up")
        except (OSError, asyncio.IncompleteReadError):
            await self._end(process)
            raise _ReaderDied(f"the process that reads it ended with code {process.returncode}") from None
        return answer

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    def close(self) -> None:
        """End the process at once."""
        self._closed = True
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()


class ReaderError(Exception):
    """A text that could not be read, and why."""


class _ReaderDied(ReaderError):
    """The process ended before it had answered."""
