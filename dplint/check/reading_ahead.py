"""Files that other processes read and lower while this one goes on: parsing takes a fifth of a millisecond a line.

The pool of a check, begun while files are still read: it takes as long to load as small projects take to read.
"""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from functools import cache, partial
from pathlib import Path
from typing import Any

from dplint.check.continuing import cache_root
from dplint.check.loading import LoadedFile, LowerAgain, Target, load_now, lowered_again, unread
from dplint.check.reading_main import START, TOO_LARGE, Lower, Read, Unanswered
from dplint.config import Settings, shown
from dplint.contents import content
from dplint.outcomes import CheckError
from dplint.program.refusals import Unsupported
from dplint.source.read import MARK
from dplint.store import NAME
from dplint.workers.frames import read_frame, write_frame
from dplint.workers.pool import Pool
from dplint.workers.process import HOME, share_mib

_WORTH = 1.0
"""Seconds of processor time of reading in this process after which others are started: they take half of that to load
what they need. Where the machine is busy, more processes would not make it faster.
"""
_AHEAD = 3
"""Requests for each process that are made before the first of them is wanted."""
_ATTEMPTS = 2
"""How often a request is made whose process ends."""
_DIED = "reading it ended the process that did"

Lowering = Callable[[], Target | None]


class Readers(AbstractContextManager["Readers"]):
    """Reads files, in other processes as soon as that pays. A context manager: no process survives it.

    processes: how many at most. lowering: whether all mechanisms will be wanted with their programs, so that they are
    lowered where their files are read. expect: is told of each file before it is read.
    """

    def __init__(
        self, processes: int, *, lowering: bool, expect: Callable[[Path, Settings], None] | None = None
    ) -> None:
        self._most, self._lowering, self._expect = processes, lowering, expect
        self._spent = 0.0
        self._requests: queue.SimpleQueue[tuple[object, Future[Any]] | None] = queue.SimpleQueue()
        self._processes: list[_Process] = []

    def __exit__(self, *_error: object) -> None:
        for process in self._processes:
            process.close()
        for _ in self._processes:
            self._requests.put(None)

    @property
    def ahead(self) -> int:
        """How many files may be begun before the first of them is wanted."""
        return _AHEAD * len(self._processes)

    def begin(self, path: Path, settings: Settings) -> Callable[[], LoadedFile]:
        """Begin to read a file that is no notebook; what is called for the outcome when that is wanted."""
        here = partial(self._timed, partial(load_now, path, settings))
        if self._expect is not None:
            self._expect(path, settings)
        if not self._started():
            return here
        file = shown(path)

        def dead(why: str) -> LoadedFile:
            return LoadedFile(file, "", settings, errors=(CheckError(file, None, why),))

        return self._asked(Read(path, settings, self._lowering), here, dead)

    def lower(self, ones: Sequence[Lowering]) -> list[Lowering]:
        """Begin to lower mechanisms of one file; for each, what is called for its program when that is wanted."""
        again = tuple(one for one in ones if isinstance(one, LowerAgain))
        if not again:
            return list(ones)
        here = cache(partial(self._timed, partial(lowered_again, again)))
        reason = partial(Unsupported, "what cannot be read")

        def dead(_: str) -> list[Target | None]:
            return [unread(one.mechanism, reason(one.mechanism.span)) for one in again]

        found = cache(self._asked(Lower(again), here, dead)) if self._started() else here
        numbers = {id(one): number for number, one in enumerate(again)}
        return [partial(_item, found, numbers[id(one)]) if isinstance(one, LowerAgain) else one for one in ones]

    def _timed(self, work: Callable[[], Any]) -> Any:
        before = time.thread_time()
        try:
            return work()
        finally:
            self._spent += time.thread_time() - before

    def _started(self) -> bool:
        if not self._processes and self._spent > _WORTH:
            share = share_mib(self._most)
            self._processes = [_Process(self._requests, share) for _ in range(self._most)]
        return bool(self._processes)

    def _asked(self, request: object, here: Callable[[], Any], dead: Callable[[str], Any]) -> Callable[[], Any]:
        future: Future[Any] = Future()
        self._requests.put((request, future))

        def outcome() -> Any:
            answer = future.result()
            if answer is None or answer == TOO_LARGE:
                return dead(_DIED if answer is None else TOO_LARGE.reason)
            # Whoever has asked does it, and sees how it fails.
            return here() if isinstance(answer, Unanswered) else answer

        return outcome


def _item(found: Callable[[], list[Target | None]], number: int) -> Target | None:
    return found()[number]


class _Process:
    """A process that answers requests, and a thread that hands them over."""

    def __init__(self, requests: queue.SimpleQueue[tuple[object, Future[Any]] | None], share: int) -> None:
        self._requests, self._share = requests, share
        self._lock = threading.Lock()
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._loop, daemon=True).start()

    def _loop(self) -> None:
        while (item := self._requests.get()) is not None:
            request, future = item
            try:
                answers = (self._answer(request) for _ in range(_ATTEMPTS))
                answer = next((one for one in answers if one is not None), None)
            except BaseException as error:  # no process can be started: whoever waits reads by itself
                answer = Unanswered(str(error))
            future.set_result(answer)

    def _answer(self, request: object) -> object:
        """The answer; None if the process has ended over it."""
        process = self._ready()
        if process is None or process.stdin is None or process.stdout is None:
            return None
        try:
            write_frame(process.stdin, request)  # type: ignore[arg-type]
            return read_frame(process.stdout)  # type: ignore[arg-type]
        except (OSError, EOFError, ValueError):
            process.kill()
            process.wait()
            return None

    def _ready(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._closed:
                return None
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", START, HOME, str(self._share)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,  # a Ctrl-C is for the front end
                )
            return self._process

    def close(self) -> None:
        """End the process at once."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
                self._process.wait()


class PoolAhead(AbstractContextManager["PoolAhead"]):
    """A pool that begins when it is wanted, or before, once it is likely to be. A context manager, which ends it."""

    def __init__(self) -> None:
        self._pool: Pool | None = None

    def begin(self) -> Pool:
        """The pool; it loads from now on at the latest."""
        if self._pool is None:
            self._pool = Pool()
        return self._pool

    def expect(self, path: Path, settings: Settings) -> None:
        """A file will be read: the pool begins if it may hold a claim, of which no earlier check can know anything."""
        if self._pool is None and not settings.static_only and _is_new(path, settings) and may_claim(path):
            self.begin()

    def __exit__(self, *_error: object) -> None:
        if self._pool is not None:
            self._pool.close()


def _is_new(path: Path, settings: Settings) -> bool:
    return not settings.cache or not (cache_root(path) / NAME).is_dir()


def may_claim(path: Path) -> bool:
    """Whether a file has the word without which there is no claim."""
    try:
        return MARK.encode() in content(path)
    except OSError:
        return False
