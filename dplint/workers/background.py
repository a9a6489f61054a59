"""Jobs in the background of an editor: the most urgent first, and each can be dropped at any time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from typing import Any

from dplint.jobs import IMPORTING, Job
from dplint.workers.fork_server import ForkServer
from dplint.workers.messages import Done, Tick
from dplint.workers.process import (
    Connected,
    ForkServerGone,
    WorkerGone,
    budget_mib,
    carry_through,
    done_without_worker,
    share_mib,
)
from dplint.workers.runner_hosts import RunnerHosts

_LOG = logging.getLogger(__name__)
_IDLE_SECONDS, _MOST_HOSTS = 60.0, 4
"""What was imported takes memory: so long it is kept for a next audit, and of so many modules."""
_QUICK, _PATIENCE = 0.2, 1.0
"""Seconds of waiting for an import: after these no other job of its module begins, and another one may begin beside."""


class Background:
    """Audits that go on behind an editor: at most `jobs` at a time, the most urgent first, each one killable.

    listener: called with a key and a Tick or, once, the Done of its job, in a thread of this object. Never again once
    `drop(key)`, or `put(key)` with another job, has returned. So these wait for a call that is under way: the listener
    should pass on what it hears and return, and must not wait for anybody who may be calling them.
    urgency: a sort key for keys, smallest first, asked whenever a job can begin; first come, first served without.

    Each job has a worker of its own: nothing that a job leaves behind can reach another one, and forking one costs
    less than a hundredth of a second. A module is imported once for all of its jobs, until `renew_imports`; while one
    is being imported, no other job of it begins, and one that waits for that keeps no other module's waiting.
    """

    def __init__(
        self,
        jobs: int,
        listener: Callable[[Hashable, Tick | Done], None],
        *,
        fork_server: ForkServer | None = None,
        urgency: Callable[[Hashable], Any] | None = None,
    ) -> None:
        self._jobs = jobs
        self._listener = listener
        self._urgency = urgency
        self._hosts = RunnerHosts(idle=_IDLE_SECONDS, most=_MOST_HOSTS) if fork_server is None else None
        self.fork_server = fork_server or ForkServer(hosts=self._hosts.address if self._hosts is not None else None)
        self._budget = budget_mib()
        self._divide()
        self._changed = threading.Condition()
        self._waiting: dict[Hashable, Job] = {}
        self._running: dict[Hashable, _Run] = {}
        self._paused = self._closed = False
        self._crew: set[threading.Thread] = set()
        self._hire()

    def put(self, key: Hashable, job: Job) -> None:
        """Queue a job. It takes the place of one with the same key: in the queue, or by ending it if it runs."""
        with self._changed:
            if self._closed:
                return
            self._waiting[key] = job
            run = self._running.pop(key, None)
            self._changed.notify_all()
        if run is not None:
            run.stop()

    def drop(self, key: Hashable) -> None:
        """Forget a job. If it runs, its worker is killed at once."""
        with self._changed:
            self._waiting.pop(key, None)
            run = self._running.pop(key, None)
        if run is not None:
            run.stop()

    def ask_to_end(self, key: Hashable) -> None:
        """Have a job that runs end with what is known so far, which its Done tells; drop one that waits."""
        with self._changed:
            self._waiting.pop(key, None)
            run = self._running.get(key)
        if run is not None:
            run.ask_to_end()

    def pause(self) -> None:
        """Begin nothing until `resume`, and ask what runs to end with what is known so far.

        Stopping the processes instead would not stop the clocks: a deadline of user code, or the budget of a pass,
        would be over when they go on. A pass that was ended leaves a state in its Done, for a later one to go on from.
        """
        with self._changed:
            self._paused = True
            runs = list(self._running.values())
        for run in runs:
            run.ask_to_end()

    def resume(self) -> None:
        """Begin jobs again."""
        with self._changed:
            self._paused = False
            self._changed.notify_all()

    def renew_imports(self) -> None:
        """Files may have changed: jobs that begin from now on import their modules anew."""
        if self._hosts is not None:
            self._hosts.renew()

    @property
    def jobs(self) -> int:
        """How many audits may go on at a time. Where there are more at the moment, none is stopped."""
        return self._jobs

    @jobs.setter
    def jobs(self, jobs: int) -> None:
        with self._changed:
            self._jobs = jobs
            self._divide()
            self._hire()
            self._changed.notify_all()

    @property
    def running(self) -> tuple[Hashable, ...]:
        """The keys of the jobs in hand."""
        with self._changed:
            return tuple(key for key, run in self._running.items() if not run.finished)

    @property
    def waiting(self) -> tuple[Hashable, ...]:
        """The keys of the jobs that have not begun, in the order in which they came."""
        with self._changed:
            return tuple(self._waiting)

    def close(self) -> None:
        """Drop everything, and leave neither process nor thread."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            runs = list(self._running.values())
            self._running.clear()
            crew = list(self._crew)
            self._changed.notify_all()
        for run in runs:
            run.stop()
        for thread in crew:
            thread.join()
        if self._hosts is not None:
            self.fork_server.close()
            self._hosts.close()

    def _divide(self) -> None:
        """Divide the memory among all jobs at a time, one that somebody has asked for beside them among these."""
        if self._hosts is not None:
            self._hosts.share_mib = self.fork_server.share_mib = share_mib(self._jobs + 1, self._budget)

    def _hire(self) -> None:
        while len(self._crew) < self._wanted and not self._closed:
            thread = threading.Thread(target=self._drive, name="dplint audits", daemon=True)
            self._crew.add(thread)
            thread.start()

    def _drive(self) -> None:
        """The life of a thread: one job after the other, each with a worker of its own."""
        while (run := self._next()) is not None:
            done = run.carry_out(self.fork_server)
            # It can still be dropped, up to the moment when its last message is told.
            run.finished = True
            run.tell(done)
            with self._changed:
                if self._running.get(run.key) is run:
                    del self._running[run.key]
                self._changed.notify_all()

    @property
    def _wanted(self) -> int:
        """How many threads there should be: one more for each that has been waiting for an import."""
        return self._jobs + sum(run.waited > _PATIENCE for run in self._running.values())

    def _ready(self) -> tuple[Hashable, ...]:
        """The keys of jobs that may begin: nobody has been waiting for their modules."""
        importing = {run.path for run in self._running.values() if run.waited > _QUICK}
        return tuple(key for key, job in self._waiting.items() if job.mechanism.path not in importing)

    def _look_again(self) -> None:
        """A job has told whether it waits for the import of its module."""
        with self._changed:
            self._hire()
            self._changed.notify_all()

    def _next(self) -> _Run | None:
        """The most urgent job, as soon as one may begin; None if this thread is not needed any more."""
        while True:
            with self._changed:
                while not self._ready() or self._paused:
                    if self._dismissed():
                        return None
                    self._changed.wait()
                if self._dismissed():
                    return None
                keys = self._ready()
            # Not under the lock, since it is not ours.
            ranked = self._ranked(keys)
            with self._changed:
                ready = self._ready()
                key = next((key for key in ranked if key in ready), None)
                if key is not None and not (self._paused or self._closed):
                    run = _Run(key, self._waiting.pop(key), self._listener, self._look_again)
                    self._running[key] = run
                    return run

    def _dismissed(self) -> bool:
        if self._closed or len(self._crew) > self._wanted:
            self._crew.discard(threading.current_thread())
            return True
        return False

    def _ranked(self, keys: tuple[Hashable, ...]) -> list[Hashable]:
        if self._urgency is None:
            return list(keys)
        try:
            return sorted(keys, key=self._urgency)
        except Exception:
            _LOG.exception("the urgency of an audit could not be told")
            return list(keys)


class _Run:
    """A job in hand. It may be stopped at any time, also before it has a worker, and says nothing from then on.

    path: the file of its module. imports: called when it says that it waits for the import of that, and when it does
    not any more.
    """

    def __init__(
        self,
        key: Hashable,
        job: Job,
        listener: Callable[[Hashable, Tick | Done], None],
        imports: Callable[[], None],
    ) -> None:
        self.key = key
        self.path = job.mechanism.path
        self._importing_since: float | None = None
        self._job = job
        self._listener = listener
        self._imports = imports
        self._telling = threading.RLock()
        self._state = threading.Lock()
        self._worker: Connected | None = None
        self._submitted = self._ending = self._stopped = False
        self.finished = False

    def carry_out(self, fork_server: ForkServer) -> Done:
        """Everything up to the last message, which is still to be told."""
        try:
            try:
                return self._with_worker_of(fork_server)
            except ForkServerGone:
                # No fault of this job's, as far as one can tell after one time.
                return self._with_worker_of(fork_server)
        except BaseException as error:  # a thread that died silently would leave its job without an answer
            return done_without_worker(error, self._job)

    def _with_worker_of(self, fork_server: ForkServer) -> Done:
        worker = fork_server.worker()
        try:
            with self._state:
                self._worker, self._submitted = worker, False
                stopped = self._stopped
            if stopped:
                raise WorkerGone("the audit was dropped", "")
            return carry_through(worker, self._job, self._hear, self._after_submission)
        finally:
            worker.kill()

    def _hear(self, tick: Tick) -> None:
        importing, known = tick.phase == IMPORTING, self._importing_since
        if importing or known is not None:
            self._importing_since = (known or time.monotonic()) if importing else None
            self._imports()
        self.tell(tick)

    @property
    def waited(self) -> float:
        """Seconds for which it has been waiting for the import of its module."""
        since = self._importing_since
        return 0.0 if since is None else time.monotonic() - since

    def tell(self, body: Tick | Done) -> None:
        """Call the listener, unless the job is not wanted any more."""
        with self._telling:
            if not self._stopped:
                try:
                    self._listener(self.key, body)
                except Exception:
                    _LOG.exception("what an audit told was not taken")

    def ask_to_end(self) -> None:
        """Ask the worker to end; one that does not have the job yet is asked when it has."""
        with self._state:
            self._ending = True
            worker = self._worker if self._submitted else None
        if worker is not None:
            worker.ask_to_end()

    def stop(self) -> None:
        """Kill the worker; the listener is not called any more once this has returned."""
        with self._state:
            self._stopped = True
            worker = self._worker
        if worker is not None:
            worker.kill()
        with self._telling:
            # A call that was under way has returned.
            pass

    def _after_submission(self) -> None:
        with self._state:
            self._submitted = True
            ending = self._ending
        if ending and self._worker is not None:
            self._worker.ask_to_end()
