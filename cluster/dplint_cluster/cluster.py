"""Audits on a cluster of Dask: who does them, what becomes of those that a machine did not end, each counted once.

Dask deals tasks to processes, and deals those of a process that died again. Here is what it does not know: that a
process has another dplint, or none; that one has fallen silent; that the scheduler is gone for good.
"""

from __future__ import annotations

import contextlib
import queue
import time
import uuid
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from distributed import Future

from dplint.outcomes import Failed, FailureKind
from dplint.workers.messages import Done, Message, Sent
from dplint.workers.pool import NOT_BEGUN, Stop
from dplint_cluster.connection import Connection, Seen
from dplint_cluster.task import read_done, read_tick

_LOOK_SECONDS = 1.0
_AHEAD = 4
"""Jobs for each thread of the cluster that are sent before others have ended."""
_MOST_ATTEMPTS = 5
_TELL_SECONDS, _MOST_NEWS = 0.5, 200
"""How often a job tells how far it is, and how much of that may come in a second from all of them."""


class Cluster(Connection):
    """A cluster that does the audits of a check."""

    def run(self, jobs: Iterator[Sent | None], stop: Stop | None = None) -> Generator[Message | None, None, None]:
        """As `run_jobs`, on the cluster. Jobs are numbered as they come, and begin while others are still to come.

        Few are on the cluster before others have ended. There is a None for each one among the jobs.
        """
        check = _Check(self, jobs, stop)
        try:
            yield from check.messages()
        finally:
            check.close()


@dataclass(slots=True)
class _InHand:
    """A job on the cluster. allowed: who may do it, None for any process. where: who has begun it, "" if nobody has."""

    packed: bytes
    folder: str
    attempts: int = 0
    key: str = ""
    future: Future[Any] | None = None
    allowed: list[str] | None = None
    where: str = ""
    reasons: list[str] = field(default_factory=list)


class _Check:
    """The jobs of one check on the cluster."""

    def __init__(self, cluster: Cluster, jobs: Iterator[Sent | None], stop: Stop | None) -> None:
        self._cluster, self._jobs = cluster, jobs
        self._name = f"dplint-{uuid.uuid4().hex}"
        self._news: queue.SimpleQueue[Callable[[], Message | None]] = queue.SimpleQueue()
        self._waiting: dict[int, _InHand] = {}
        self._open: dict[int, _InHand] = {}
        self._numbers: dict[str, int] = {}
        self._next = 0
        self._exhausted = False
        self._room, self._every = 1, _TELL_SECONDS
        self._next_look = 0.0
        self._fit_since = time.monotonic()
        self._lost_since: float | None = None
        self._heard: dict[str, tuple[float, float]] = {}
        self._offered: dict[str, tuple[list[str], int]] = {}
        self._end: Failed | None = None
        cluster.client.subscribe_topic(self._name, self._hear)
        if stop is not None:
            stop.tell(lambda: self._news.put(self._wind_up))

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._cluster.client.unsubscribe_topic(self._name)
        for one in self._open.values():
            if one.future is not None:
                with contextlib.suppress(Exception):
                    one.future.cancel(force=True)

    def messages(self) -> Generator[Message | None, None, None]:
        while not self._exhausted or self._waiting or self._open:
            if not self._exhausted:
                yield from self._take_next()
            while self._waiting and (self._end is not None or len(self._open) < self._room):
                number, one = next(iter(self._waiting.items()))
                del self._waiting[number]
                if self._end is not None:
                    yield Message(number, Done(self._end))
                else:
                    self._open[number] = one
                    self._submit(number)
            with contextlib.suppress(queue.Empty):
                seconds = _LOOK_SECONDS if self._exhausted and self._open else 0.0
                message = self._news.get(timeout=seconds)()
                if message is not None:
                    yield message
            if time.monotonic() >= self._next_look:
                yield from self._look()
                self._next_look = time.monotonic() + _LOOK_SECONDS

    def _take_next(self) -> Iterator[Message | None]:
        """Take the next job; its answer where that is known without anybody doing it."""
        try:
            sent = next(self._jobs)
        except StopIteration:
            self._exhausted = True
            return
        if sent is None:
            yield None
            return
        number, self._next = self._next, self._next + 1
        if sent.bundle is None:
            yield Message(number, sent.answer or Done(NOT_BEGUN))
        else:
            self._waiting[number] = _InHand(sent.bundle.packed(), sent.folder)

    def _submit(self, number: int) -> None:
        one = self._open[number]
        one.attempts += 1
        one.key = f"{self._name}-{number}-{one.attempts}"
        one.allowed = list(self._cluster.processes()) if self._cluster.unfit else None
        one.where = ""
        self._numbers[one.key] = number
        one.future = self._cluster.submit(one.packed, self._name, one.key, one.allowed, self._every)
        key = one.key
        one.future.add_done_callback(lambda _: self._news.put(partial(self._ended, key)))

    def _hear(self, event: tuple[float, Any]) -> None:
        """A sign of life, in the thread of Dask."""
        key, where, plain = event[1]
        self._news.put(partial(self._told, key, where, plain))

    def _told(self, key: str, where: str, plain: Any) -> Message | None:
        number = self._numbers.get(key)
        one = None if number is None else self._open.get(number)
        if number is None or one is None or one.key != key:
            return None
        one.where = where
        return Message(number, read_tick(tuple(plain)))

    def _ended(self, key: str) -> Message | None:
        """What becomes of a task that Dask says has ended: the job's Done, or another attempt."""
        number = self._numbers.get(key)
        one = None if number is None else self._open.get(number)
        if number is None or one is None or one.key != key or one.future is None:
            return None
        status = one.future.status
        if status == "finished":
            try:
                why, where, pickled = one.future.result(timeout=5)
            except TimeoutError:  # who had it is gone, or silent, and it is being done again
                return None
            if not why:
                return self._done(number, read_done(pickled, one.folder))
            self._cluster.unfit[where] = why
            return self._again(number, f"{where}: {why}")
        if status == "error":
            error = one.future.exception(timeout=5)
            return self._done(number, _failed(f"the workers of the cluster that it ran on died or failed: {error}"))
        return self._again(number, f"its task was {status}")

    def _again(self, number: int, reason: str) -> Message | None:
        if self._end is not None:
            return self._done(number, Done(self._end))
        one = self._open[number]
        one.reasons.append(reason)
        if one.attempts >= _MOST_ATTEMPTS + len(self._cluster.unfit):
            return self._done(number, _failed("the cluster could not do it: " + "; ".join(one.reasons)))
        if self._cluster.client.status == "running" and self._cluster.processes():
            self._submit(number)
        return None

    def _done(self, number: int, done: Done) -> Message:
        one = self._open.pop(number)
        if one.future is not None:
            with contextlib.suppress(Exception):
                one.future.release()
        return Message(number, done)

    def _look(self) -> Iterator[Message]:
        """See whether the scheduler is there, who is, and who is silent."""
        now, patience = time.monotonic(), self._cluster.patience
        if self._cluster.client.status != "running":
            self._lost_since = self._lost_since or now
            if now - self._lost_since > patience.lost or self._cluster.client.status == "closed":
                yield from self._give_up(f"the scheduler of {self._cluster.words} is gone")
            return
        if self._lost_since is not None:
            self._lost_since = None
            self._cluster.client.subscribe_topic(self._name, self._hear)
        if now - self._cluster.heard > patience.silence:
            yield from self._give_up(
                f"the scheduler of {self._cluster.words} has said nothing for {patience.silence:g} s"
            )
            return
        seen = self._cluster.seen
        there = {address: one.threads for address, one in seen.items() if address not in self._cluster.unfit}
        threads = sum(there.values())
        self._room, self._every = _AHEAD * threads or 1, max(_TELL_SECONDS, threads / _MOST_NEWS)
        if there:
            self._fit_since = now
        elif now - self._fit_since > patience.empty:
            yield from self._give_up(
                f"for {patience.empty:g} s no worker of {self._cluster.words} could audit"
                + "".join(f"; {note}" for note in self._cluster.notes)
            )
            return
        self._remove_silent(seen)
        self._offer(there)
        for number, one in list(self._open.items()):
            state = "lost" if one.future is None else one.future.status
            astray = one.allowed is not None and there and not set(one.allowed) & set(there)
            if astray or state in ("lost", "cancelled"):
                answer = self._again(number, "the workers that it was for are gone")
            else:
                answer = None if state == "pending" else self._ended(one.key)
            if answer is not None:
                yield answer

    def _offer(self, there: Mapping[str, int]) -> None:
        """Once no job waits any more: who has nothing to do may draw blocks for those that have.

        there: threads of the processes that are fit. Each process is offered to one job.
        """
        if (
            not self._exhausted
            or self._waiting
            or self._end is not None
            or not all(one.where for one in self._open.values())
        ):
            return
        busy = Counter(one.where for one in self._open.values())
        free = [address for address in sorted(there) for _ in range(there[address] - busy[address])]
        jobs = sorted((one.key, one.where) for one in self._open.values())
        offers = {key: (free[place :: len(jobs)], len(free[place :: len(jobs)])) for place, (key, _) in enumerate(jobs)}
        if not jobs or offers == self._offered:
            return
        self._offered = offers
        self._cluster.tell({where for _, where in jobs}, "offer", offers)

    def _remove_silent(self, seen: Mapping[str, Seen]) -> None:
        """Have those given up that the scheduler has heard nothing of. Clocks of machines are not compared."""
        now = time.monotonic()
        self._heard = {
            address: before
            if (before := self._heard.get(address)) is not None and before[0] == one.at
            else (one.at, now)
            for address, one in seen.items()
        }
        for address, (_, since) in self._heard.items():
            if now - since > self._cluster.patience.silence:
                self._cluster.remove(address)

    def _give_up(self, reason: str) -> Iterator[Message]:
        """Nothing more can come of the cluster."""
        self._end = Failed(
            kind=FailureKind.CANCELLED,
            reason=reason,
            cure="Run the same command again, with --resume: what was found out so far is in the cache.",
        )
        for number in list(self._open):
            yield self._done(number, Done(self._end))

    def _wind_up(self) -> None:
        """At the request of the user: nothing is begun any more, and what is in hand ends with what is known."""
        for number, one in list(self._open.items()):
            if not one.where:
                self._news.put(partial(self._not_begun, number))
        self._end = NOT_BEGUN
        busy = {one.where for one in self._open.values() if one.where}
        if busy:
            self._cluster.tell(busy, "ask_to_end", self._name)

    def _not_begun(self, number: int) -> Message | None:
        one = self._open.get(number)
        if one is None or one.where:
            return None
        if one.future is not None:
            one.future.cancel(force=True)
        return self._done(number, Done(NOT_BEGUN))


def _failed(reason: str) -> Done:
    return Done(
        Failed(kind=FailureKind.INTERNAL, reason=reason, cure="Look at the workers of the cluster and what they log.")
    )
