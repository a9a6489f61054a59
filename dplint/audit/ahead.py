"""Blocks of runs that others draw ahead, taken in their order by the one who bets.

What a block holds follows from its request alone: data, arguments, number of runs, seed. So it is the same whoever
draws it, and one that does not come is drawn here, from the same seed. None is counted that was not taken in its turn.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from dplint.jobs import AuditSettings
from dplint.runner.batch import Batch, SampleRequest

Batches = tuple[Batch, ...]
_BLOCK_RUNS = 20_000
"""Runs of a block, over all data values: a fraction of a second for a usual mechanism."""
_FIXED_RUNS, _FIXED_BLOCKS = 2_000, 50
"""Where the number of runs is given, a block is a fiftieth of it, or so many runs if that is more."""
_FIRST = 4
"""Runs for each data value in the first block, which tells how fast the mechanism is."""
_DEADLINE_SHARE = 0.2
"""Share of the deadline that a block should take at most, by the speed seen so far."""
_AHEAD = 2
"""Requests for each of those who draw that are asked of them before others have come."""
_PATIENCE, _PATIENT_SHARE = 3.0, 4.0
"""Seconds that an answer may be late, and how often the time that it should take."""
_LOOK_SECONDS = 0.2
_MOST_REFUSED = 3
"""Once so many answers in turn were none, nothing is asked any more until others offer themselves."""
_MOST_BLOCKS = 16
"""Blocks of one request at most, however quick they are: all of them come at once."""


def block_runs(sides: int, seconds: float, settings: AuditSettings) -> int:
    """Runs for each of so many data values in the next block of calls. seconds: for one run, 0 if that is not known.

    The same for every mechanism of usual speed, so that the same seed gives the same runs; smaller, in steps of four,
    only where the deadline would come near. Where the number of runs is given, nothing hangs on the clock.
    """
    if seconds == 0:
        return _FIRST
    if settings.max_runs is not None:
        return max(1, min(_BLOCK_RUNS, max(_FIXED_RUNS, settings.max_runs // _FIXED_BLOCKS)) // sides)
    count = max(1, _BLOCK_RUNS // sides)
    while count > 1 and count * sides * seconds > _DEADLINE_SHARE * settings.deadline:
        count = max(1, count // 4)
    return count


class Ticket(Protocol):
    """A request that others have got."""

    def wait(self, seconds: float) -> bool:
        """Whether its answer came within so many seconds."""

    @property
    def answer(self) -> bytes | None:
        """What is read here; None if nobody could draw them, or the answer is not there."""


@runtime_checkable
class Others(Protocol):
    """A progress that also knows who else may draw for this audit."""

    @property
    def spare(self) -> int:
        """How many may, at the moment."""

    @property
    def worth(self) -> float:
        """Seconds of drawing that are worth a request."""

    def ask(self, asked: bytes, series: int) -> Ticket:
        """Have these blocks drawn. Of requests that were not begun, those of an earlier series are dropped."""


class Request(Protocol):
    """What a block follows from."""

    @property
    def runs(self) -> int:
        """Of each data value."""

    @property
    def datas(self) -> Sequence[object]:
        """The data values."""


Asked = TypeVar("Asked", bound=Request)
Given = TypeVar("Given")


@dataclass(slots=True)
class _Group(Generic[Asked, Given]):
    """Blocks in their order. ticket: who else draws them, None for nobody."""

    requests: list[Asked]
    ticket: Ticket | None = None
    drawn: list[Given] | None = None


class BlocksInOrder(Generic[Asked, Given]):
    """Draws what is planned, with others where that pays.

    draw: draws a block here, in its turn; early: before its turn, None for the same. fits: whether something may be the
    answer to a request. seconds: what a block should take, 0 if that is not known yet. waiting: called several times a
    second while others are waited for.
    """

    def __init__(
        self,
        draw: Callable[[Asked], Given],
        fits: Callable[[Asked, object], bool],
        seconds: Callable[[Asked], float],
        waiting: Callable[[], None],
        others: Others | None,
        *,
        early: Callable[[Asked], Given] | None = None,
    ) -> None:
        self._draw, self._fits, self._seconds, self._waiting, self._others = draw, fits, seconds, waiting, others
        self._early = draw if early is None else early
        self._series, self._refused, self._seen_spare = 0, 0, 0
        self._answered = False
        self._given_up: list[Ticket] = []
        self.drawn_elsewhere = 0
        """Runs that others have made, of those that were taken."""

    def rely_on_others(self) -> None:
        """Those who may draw have answered to something else: they are there, and are waited for."""
        if self._others is not None and not self._answered:
            self._seen_spare, self._refused, self._answered = self._others.spare, 0, True

    def blocks(self, planned: Iterator[Asked]) -> Iterator[tuple[int, Given]]:
        """The blocks of these requests, which are planned as they are needed, in order, with their numbers of runs."""
        self._series += 1
        ahead: deque[_Group[Asked, Given]] = deque()
        while True:
            self._look_ahead(planned, ahead)
            group = ahead.popleft() if ahead else self._planned(planned, 1)
            if group is None:
                return
            if group.ticket is not None:
                group.drawn = self._taken(group.ticket, group, planned, ahead)
            for number, request in enumerate(group.requests):
                yield request.runs, group.drawn[number] if group.drawn is not None else self._draw(request)

    def _room(self) -> int:
        """How many requests others may have. Who owes an answer that was given up gets none."""
        spare = 0 if self._others is None else self._others.spare
        if spare != self._seen_spare:
            self._seen_spare, self._refused, self._answered = spare, 0, False
            self._given_up.clear()
        owed = [ticket for ticket in self._given_up if not ticket.wait(0)]
        self._answered = self._answered or len(owed) < len(self._given_up)
        self._given_up = owed
        return _AHEAD * spare - len(owed) if self._refused < _MOST_REFUSED else 0

    def _look_ahead(self, planned: Iterator[Asked], ahead: deque[_Group[Asked, Given]]) -> None:
        """Ask for what comes after the block that is the next one to be drawn here."""
        room = self._room()
        if self._others is None:
            return
        asked = sum(one.ticket is not None for one in ahead)
        while asked < room:
            first = ahead[0] if ahead else self._own(planned, ahead)
            if first is None:
                return
            seconds = self._seconds(first.requests[0])
            if seconds <= 0:
                return
            most = max(1, min(_MOST_BLOCKS, round(self._others.worth / seconds)))
            group = self._planned(planned, most)
            if group is None:
                return
            if seconds * len(group.requests) >= self._others.worth / 2:
                group.ticket = self._others.ask(pickle.dumps(group.requests), self._series)
            ahead.append(group)
            asked += 1

    def _own(self, planned: Iterator[Asked], ahead: deque[_Group[Asked, Given]]) -> _Group[Asked, Given] | None:
        """The next block, to be drawn here."""
        own = self._planned(planned, 1)
        if own is not None:
            ahead.append(own)
        return own

    @staticmethod
    def _planned(planned: Iterator[Asked], most: int) -> _Group[Asked, Given] | None:
        requests = [one for _, one in zip(range(most), planned, strict=False)]
        return _Group(requests) if requests else None

    def _taken(
        self, ticket: Ticket, group: _Group[Asked, Given], planned: Iterator[Asked], ahead: deque[_Group[Asked, Given]]
    ) -> list[Given] | None:
        """What others have drawn; None if it has to be drawn here. Meanwhile, a later block is drawn.

        Before the first answer nobody is waited for: a worker that starts takes a second, and may never come.
        """
        if self._answered and not ticket.wait(0):
            own = self._planned(planned, 1)
            if own is not None:
                ahead.append(own)
                own.drawn = [self._early(own.requests[0])]
        patience = _PATIENCE + _PATIENT_SHARE * sum(map(self._seconds, group.requests)) if self._answered else 0.0
        until = time.monotonic() + patience
        while not ticket.wait(min(_LOOK_SECONDS, patience)):
            self._waiting()
            if time.monotonic() >= until:
                self._given_up.append(ticket)
                return None
        self._answered = True
        drawn = None if ticket.answer is None else self._read(ticket.answer, group.requests)
        self._refused = 0 if drawn is not None else self._refused + 1
        if drawn is not None:
            self.drawn_elsewhere += sum(request.runs * len(request.datas) for request in group.requests)
        return drawn

    def _read(self, answer: bytes, requests: Sequence[Asked]) -> list[Given] | None:
        """The blocks of an answer; None if it is not one to these requests."""
        found = pickle.loads(answer)
        fits = isinstance(found, list) and len(found) == len(requests) and all(map(self._fits, requests, found))
        return found if fits else None


def draw_blocks(asked: bytes, draw: Callable[[Sequence[Any]], Iterable[object]]) -> bytes:
    """Draw what was asked of others; what they take. draw: gives the blocks of requests of one kind in their order."""
    return pickle.dumps(list(draw(pickle.loads(asked))), protocol=pickle.HIGHEST_PROTOCOL)


def is_drawn(request: SampleRequest, answer: object) -> bool:
    """Whether these may be the outputs of a request."""
    return isinstance(answer, tuple) and [one.runs for one in answer] == [request.runs] * len(request.datas)
