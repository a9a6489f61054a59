"""A pool of workers: jobs go in, messages come out as they arrive."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Sequence

from dplint.jobs import Job
from dplint.outcomes import Failed, FailureKind
from dplint.workers.conversation import carry_through, done_without_worker
from dplint.workers.messages import Done, Message
from dplint.workers.process import Worker, WorkerGone
from dplint.workers.stopping import Stop

NOT_BEGUN = Failed(kind=FailureKind.CANCELLED, reason="the check was ended before this audit began")


def run_jobs(jobs: Sequence[Job], workers: int, stop: Stop | None = None) -> Generator[Message, None, None]:
    """Run the jobs on at most `workers` processes; yield every message, the last of each job being a Done.

    A worker that dies or falls silent makes its job Failed and is replaced; the other jobs go on. Closing the
    generator kills all workers. stop: at its request no job is begun any more, and those in hand are asked to end
    with what is known so far; each of the jobs still has its Done.
    """
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(jobs)):
        todo.put(number)
    messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
    if stop is not None:
        stop.tell(lambda: messages.put(None))
    crew = [_Driver(jobs, todo, messages) for _ in range(min(workers, len(jobs)))]
    left = len(jobs)
    try:
        while left:
            message = messages.get()
            if message is None:
                _wind_up(todo, messages, crew)
                continue
            left -= isinstance(message.body, Done)
            yield message
    finally:
        for driver in crew:
            driver.stop()


def _wind_up(
    todo: queue.SimpleQueue[int], messages: queue.SimpleQueue[Message | None], crew: Sequence[_Driver]
) -> None:
    """Answer for the jobs that were not begun, and ask for an end of the others."""
    try:
        while True:
            messages.put(Message(todo.get_nowait(), Done(NOT_BEGUN)))
    except queue.Empty:
        for driver in crew:
            driver.ask_to_end()


class _Driver:
    """A thread that feeds one worker, replacing it when it dies."""

    def __init__(
        self, jobs: Sequence[Job], todo: queue.SimpleQueue[int], messages: queue.SimpleQueue[Message | None]
    ) -> None:
        self._jobs, self._todo, self._messages = jobs, todo, messages
        self._stopping = threading.Event()
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    def _loop(self) -> None:
        while not self._stopping.is_set():
            try:
                number = self._todo.get_nowait()
            except queue.Empty:
                return
            self._messages.put(Message(number, self._run(number)))

    def _run(self, number: int) -> Done:
        try:
            worker = self._ready_worker()

            def submitted() -> None:
                if self._ending.is_set():
                    worker.ask_to_end()

            return carry_through(
                worker, self._jobs[number], lambda tick: self._messages.put(Message(number, tick)), submitted
            )
        except WorkerGone as gone:
            with self._lock:
                if self._worker is not None:
                    self._worker.kill()
                self._worker = None
            return done_without_worker(gone)
        except Exception as error:  # a thread that died silently would leave its job without an answer
            return done_without_worker(error)

    def _ready_worker(self) -> Worker:
        with self._lock:
            if self._stopping.is_set():
                raise WorkerGone("stopped", "")
            if self._worker is None:
                self._worker = Worker()
            return self._worker

    def ask_to_end(self) -> None:
        # A worker that is not there yet is asked after it was given its job.
        self._ending.set()
        with self._lock:
            if self._worker is not None:
                self._worker.ask_to_end()

    def stop(self) -> None:
        self._stopping.set()
        with self._lock:
            if self._worker is not None:
                self._worker.kill()
