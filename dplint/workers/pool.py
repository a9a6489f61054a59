"""A pool of workers: jobs go in, messages come out as they arrive; jobs of one module begin behind its import.

The request to end a check early, with what is known so far.
"""

from __future__ import annotations

import pickle
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from importlib.util import find_spec
from typing import Any

from dplint.jobs import IMPORTING, AuditJob, Job
from dplint.outcomes import Failed, FailureKind
from dplint.runner.hosts import host_request
from dplint.workers.fork_server import workers_at_once
from dplint.workers.messages import Done, Draw, Drawn, DrawOrder, Message, SpareWorkers, Tick, WaitingDraw, WaitingDraws
from dplint.workers.process import (
    Connected,
    ForkServerGone,
    WorkerGone,
    budget_mib,
    carry_through,
    done_without_worker,
    drawn_by,
    share_mib,
)
from dplint.workers.runner_hosts import RunnerHosts


class Stop:
    """A request to end, made at most once. Listeners hear of it in the thread that makes it.

    `request` may be called by a signal handler: it takes no lock, and a listener must not wait for one either that
    the interrupted thread may hold.
    """

    def __init__(self) -> None:
        self._requested = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def requested(self) -> bool:
        """Whether the request was made."""
        return self._requested

    def request(self) -> None:
        """Make the request; a second one changes nothing."""
        if self._requested:
            return
        self._requested = True
        for listener in tuple(self._listeners):
            listener()

    def tell(self, listener: Callable[[], None]) -> None:
        """Call the listener when the request is made, at once if it was made before."""
        self._listeners.append(listener)
        if self._requested:
            listener()


class PendingJobs:
    """The jobs that were not begun, and what is known of those that were. Thread safe.

    paths: of each job, the module that it needs. crew: how many workers there are to be that do not wait for an import.
    """

    def __init__(self, paths: Sequence[str], crew: int) -> None:
        self._paths = paths
        self._lock = threading.Lock()
        self._todo = list(range(len(paths)))
        self._left = Counter(paths)
        self._imported: set[str] = set()
        self._running: set[int] = set()
        self._importing: dict[int, float] = {}
        self._size = self._wanted = crew

    def take(self) -> int | None:
        """The next job for a worker that is free; None if it is not needed any more."""
        with self._lock:
            if not self._todo or self._size - len(self._importing) > self._wanted:
                self._size -= 1
                return None
            trying = {self._paths[number] for number in self._running} - self._imported
            number = next((one for one in self._todo if self._paths[one] not in trying), self._todo[0])
            self._todo.remove(number)
            self._running.add(number)
            return number

    @property
    def begun(self) -> bool:
        """Whether all jobs have been taken."""
        with self._lock:
            return not self._todo

    def heard(self, number: int, *, importing: bool) -> None:
        """What a job says of itself: that it waits for the import of its module, or that it does something else."""
        with self._lock:
            if importing:
                self._importing.setdefault(number, time.monotonic())
            elif self._importing.pop(number, None) is not None:
                self._imported.add(self._paths[number])

    def done(self, number: int) -> str | None:
        """A job is done; its module, if it was the last one of it."""
        path = self._paths[number]
        with self._lock:
            self._running.discard(number)
            self._importing.pop(number, None)
            self._imported.add(path)
            self._left[path] -= 1
            return None if self._left[path] else path

    def take_on_another(self, patience: float) -> bool:
        """Whether to start one more worker: one has waited so long for an import, and there are jobs of other modules.

        To be followed by that, as this one is counted from now on.
        """
        with self._lock:
            blocked = {self._paths[number] for number in self._importing}
            waiting = sum(time.monotonic() - since > patience for since in self._importing.values())
            others = any(self._paths[number] not in blocked for number in self._todo)
            needed = others and self._size - waiting < self._wanted
            self._size += needed
            return needed

    def clear(self) -> list[int]:
        """The jobs that were not begun; from now on none is."""
        with self._lock:
            todo, self._todo = self._todo, []
            return todo


NOT_BEGUN = Failed(kind=FailureKind.CANCELLED, reason="the check was ended before this audit began")
_PATIENCE = 1.0
"""Seconds of waiting for an import after which another worker takes over the jobs of other modules."""
_HEAVY = ("numpy", "scipy", "z3", "flint", "threadpoolctl")
"""What workers import and front ends do not."""
_WORTH = 0.02
"""Seconds of drawing that are worth a request to another process of this machine."""


class Pool:
    """Where workers come from: a process that has loaded what audits import, and hosts of the users' modules.

    It begins to load at once, while the front end is still reading. Raises ModuleNotFoundError where only what reading
    takes is installed.
    """

    def __init__(self) -> None:
        for name in _HEAVY:
            if find_spec(name) is None:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        self._budget = budget_mib()
        self.hosts = RunnerHosts()
        self.workers = workers_at_once(self.hosts.address)

    def divide(self, jobs: int) -> None:
        """Divide the memory among the processes of so many jobs at a time, as far as they begin from now on."""
        self.hosts.share_mib = self.workers.share_mib = share_mib(jobs, self._budget)

    def close(self) -> None:
        """End it, and all workers that came from it."""
        self.workers.close()
        self.hosts.close()


def run_jobs(
    jobs: Sequence[Job], workers: int, stop: Stop | None = None, pool: Pool | None = None
) -> Generator[Message, None, None]:
    """Run the jobs on at most `workers` processes; yield every message, the last of each job being a Done.

    A module is imported once for all of its jobs. A worker that dies or falls silent makes its job Failed and is
    replaced; the other jobs go on. While one waits for an import that takes long, another process may be started, so
    that no module keeps the jobs of others waiting. Closing the generator kills all workers. stop: at its request no
    job is begun any more, and those in hand are asked to end with what is known so far; each of the jobs still has its
    Done.

    pool: where workers come from, if it has begun before; who began it closes it.

    Who has no job left to do draws blocks of runs for those that are still busy. That changes how fast they are, and
    not what they say.
    """
    if pool is None:
        with closing(Pool()) as own:
            yield from run_jobs(jobs, workers, stop, own)
        return
    crew = _Crew(jobs, workers, pool)
    if stop is not None:
        stop.tell(lambda: crew.messages.put(None))
    left = len(jobs)
    try:
        while left:
            message = crew.messages.get()
            if message is None:
                crew.wind_up()
                continue
            if isinstance(message.body, Done):
                left -= 1
            elif message.body.phase == IMPORTING:
                # It says so several times a second, as long as it waits.
                crew.relieve()
            yield message
    finally:
        crew.stop()


class _Crew:
    """The threads that feed the workers, and what they share."""

    def __init__(self, jobs: Sequence[Job], size: int, pool: Pool) -> None:
        self.jobs = jobs
        self.pool = pool
        self.pending = PendingJobs([job.mechanism.path for job in jobs], size)
        self.messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self.draws = WaitingDraws()
        self._drivers: list[_Driver] = []
        self._pickled: dict[int, bytes] = {}
        self._sharing = threading.Lock()
        pool.divide(size)
        pool.hosts.several = len({job.mechanism.path for job in jobs}) > 1
        for job in self._first(size):
            pool.hosts.expect(_request_of(job))
        for _ in range(size):
            self._drivers.append(_Driver(self))

    def _first(self, size: int) -> list[AuditJob]:
        """An audit of each module that is needed first: it is imported while workers load and read programs."""
        audits = [job for job in self.jobs if isinstance(job, AuditJob) and not job.mechanism.untestable]
        return list({job.mechanism.path: job for job in reversed(audits)}.values())[::-1][:size]

    def share(self) -> None:
        """Tell those that have a job how many others may draw for it."""
        with self._sharing:
            busy = [driver for driver in tuple(self._drivers) if driver.busy]
            for driver in busy:
                driver.offer(-(-self.draws.spare // len(busy)))

    def pickled(self, number: int) -> bytes:
        """A job, always as the same bytes."""
        if number not in self._pickled:
            self._pickled[number] = pickle.dumps(self.jobs[number], protocol=pickle.HIGHEST_PROTOCOL)
        return self._pickled[number]

    def relieve(self) -> None:
        """Start another worker if one waits for an import, and there is something else to do."""
        if self.pending.take_on_another(_PATIENCE):
            self.pool.divide(len(self._drivers) + 1)
            self._drivers.append(_Driver(self))

    def wind_up(self) -> None:
        """Answer for the jobs that were not begun, and ask for an end of the others."""
        for number in self.pending.clear():
            self.messages.put(Message(number, Done(NOT_BEGUN)))
        for driver in self._drivers:
            driver.ask_to_end()

    def stop(self) -> None:
        """Kill all workers."""
        for driver in self._drivers:
            driver.stop()
        self.draws.close()


def _request_of(job: AuditJob) -> dict[str, Any]:
    """What the session of the audit will ask for."""
    settings = job.settings
    return host_request(
        job.mechanism,
        job.source_text,
        interpreter=settings.interpreter,
        deadline=settings.deadline,
        memory_mib=settings.memory_mib,
        allow=settings.allow,
    )


class _Driver:
    """A thread that feeds one worker, replacing it when it dies."""

    def __init__(self, crew: _Crew) -> None:
        self._crew = crew
        self._stopping = threading.Event()
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._worker: Connected | None = None
        self._offered = -1
        self.busy = False
        threading.Thread(target=self._loop, daemon=True).start()

    def _loop(self) -> None:
        while not self._stopping.is_set():
            number = self._crew.pending.take()
            if number is None:
                self._help()
                self._dismiss()
                return
            done = self._run(number)
            path = self._crew.pending.done(number)
            if path is not None:
                self._crew.pool.hosts.forget(path)
            self._crew.messages.put(Message(number, done))

    def _run(self, number: int) -> Done:
        """Carry out a job. Whatever goes wrong is its answer: a thread that died would leave `run_jobs` waiting."""
        try:
            try:
                return self._carried_out(number)
            except ForkServerGone:
                # No fault of this job's, as far as one can tell after one time.
                self._dismiss()
                return self._carried_out(number)
        except BaseException as error:
            self._dismiss()
            return done_without_worker(error, self._crew.jobs[number])
        finally:
            self.busy = False
            self._crew.share()

    def _carried_out(self, number: int) -> Done:
        worker = self._ready_worker()

        def submitted() -> None:
            if self._ending.is_set():
                worker.ask_to_end()

        def tell(tick: Tick) -> None:
            self._crew.pending.heard(number, importing=tick.phase == IMPORTING)
            self._crew.messages.put(Message(number, tick))

        def draw(wanted: Draw) -> None:
            self._crew.draws.put(WaitingDraw(number, wanted, worker.submit))

        self.busy, self._offered = True, -1
        self._crew.share()
        return carry_through(worker, self._crew.jobs[number], tell, submitted, draw)

    def _help(self) -> None:
        """Draw for others until all is done, unless there are jobs and this one is too many."""
        if not self._crew.pending.begun:
            return
        with self._crew.draws.spare_worker():
            self._crew.share()
            while (waiting := self._crew.draws.take()) is not None and not self._stopping.is_set():
                waiting.answer(self._drawn(waiting))

    def _drawn(self, waiting: WaitingDraw) -> Drawn:
        job = self._crew.jobs[waiting.job]
        try:
            return drawn_by(self._ready_worker(), job, DrawOrder(self._crew.pickled(waiting.job), waiting.draw))
        except Exception:
            self._dismiss()
            return Drawn(waiting.draw.number, None)

    def offer(self, spare: int) -> None:
        """Tell the worker how many others may draw for its job, if that has changed."""
        with self._lock:
            if spare != self._offered and self._worker is not None:
                self._offered = spare
                self._worker.submit(SpareWorkers(spare, _WORTH))

    def _ready_worker(self) -> Connected:
        with self._lock:
            if self._stopping.is_set():
                raise WorkerGone("stopped", "")
            if self._worker is None:
                self._worker = self._crew.pool.workers.worker()
            return self._worker

    def _dismiss(self) -> None:
        with self._lock:
            if self._worker is not None:
                self._worker.kill()
            self._worker = None

    def ask_to_end(self) -> None:
        """Have the job in hand end with what is known so far."""
        # A worker that is not there yet is asked after it was given its job.
        self._ending.set()
        with self._lock:
            if self._worker is not None:
                self._worker.ask_to_end()

    def stop(self) -> None:
        """Kill the worker, and begin no other job."""
        self._stopping.set()
        self._dismiss()
