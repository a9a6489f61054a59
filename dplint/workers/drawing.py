"""Blocks of runs that one worker draws for the audit of another: what is asked for, what waits, what has come."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from dplint.workers.messages import Draw, Drawn, End, SpareWorkers


@dataclass(slots=True)
class Request:
    """Blocks that others were asked for."""

    number: int
    answer: bytes | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    def wait(self, seconds: float) -> bool:
        """Whether the answer came within so many seconds."""
        return self._ended.wait(seconds)

    def end(self, answer: bytes | None) -> None:
        """Take the answer."""
        self.answer = answer
        self._ended.set()


class Heard:
    """What a worker has been told beside its jobs. Thread safe."""

    def __init__(self) -> None:
        self.ending = False
        self.spare = SpareWorkers(0, 0.0)
        self._numbers = itertools.count()
        self._open: dict[int, Request] = {}

    def take(self, order: End | SpareWorkers | Drawn) -> None:
        """Take note of an order."""
        match order:
            case End():
                self.ending = True
            case SpareWorkers():
                self.spare = order
            case Drawn(number, blocks):
                request = self._open.pop(number, None)
                # One that was given up is not there any more: its blocks have been drawn elsewhere.
                if request is not None:
                    request.end(blocks)

    def request(self) -> Request:
        """Another request; its number was never used before."""
        made = Request(next(self._numbers))
        self._open[made.number] = made
        return made


@dataclass(frozen=True, slots=True)
class WaitingDraw:
    """Blocks that wait for somebody to draw them. answer: takes what was drawn."""

    job: int
    draw: Draw
    answer: Callable[[Drawn], None]


class WaitingDraws:
    """Those of all jobs of a check, and how many there are to draw them. Thread safe."""

    def __init__(self) -> None:
        self.spare = 0
        self._waiting: list[WaitingDraw] = []
        self._changed = threading.Condition()
        self._closed = False

    def put(self, wanted: WaitingDraw) -> None:
        """Add one; those of the same job that belong to an older series are answered with nothing."""
        with self._changed:
            old = [one for one in self._waiting if one.job == wanted.job and one.draw.series != wanted.draw.series]
            self._waiting = [*(one for one in self._waiting if one not in old), wanted]
            self._changed.notify()
        for one in old:
            one.answer(Drawn(one.draw.number, None))

    def take(self) -> WaitingDraw | None:
        """The next one, once there is one; None when all is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            return None if self._closed else self._waiting.pop(0)

    @contextmanager
    def spare_worker(self) -> Iterator[None]:
        """Inside, there is one more to draw."""
        with self._changed:
            self.spare += 1
        try:
            yield
        finally:
            with self._changed:
                self.spare -= 1

    def close(self) -> None:
        """Nothing is drawn any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
