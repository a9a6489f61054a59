"""The worker process: reads jobs, audits, writes messages. Numerics and z3 are first imported here."""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import queue
import sys
import threading
import time
import traceback
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from dplint.jobs import Audited, AuditJob, Job, SourceJob
from dplint.outcomes import Failed, FailureKind, Standing
from dplint.runner import fence
from dplint.runner.fence import SHARE, close_in
from dplint.runner.system import address_space
from dplint.workers.frames import read_frame, write_frame
from dplint.workers.messages import Done, Draw, Drawn, DrawOrder, End, Heard, Request, SpareWorkers, Tick

if TYPE_CHECKING:
    from dplint.audit.drawing import Drawer

_TICK_SECONDS = 0.1
_SOURCE_SECONDS, _SOURCE_MEMORY = 10, 1 << 30
"""For a job about the source alone, which has a worker of its own: CPU time, and bytes beyond what is loaded."""


_MARGIN = 1.15
"""Of the time limit, which an audit looks at where it can: the system keeps it where an audit is busy in C."""
FIRST_MODULES = ("dplint.audit.procedures", "dplint.audit.betting.procedure", "dplint.inputs.arguments")
"""What each audit needs."""


def main(share_mib: int, *, warm: bool = False) -> None:
    """Serve jobs until the front end closes the pipe or dies. warm: load what they need before the first one."""
    orders, messages = _private_streams()
    _leave_with_parent()
    for module in FIRST_MODULES if warm else ():
        importlib.import_module(module)
    serve(orders, messages, share_mib)


def serve(orders: BinaryIO, messages: BinaryIO, share_mib: int) -> NoReturn:
    """Carry out one job after the other. The process ends as soon as nobody is left to give orders.

    share_mib: the memory that jobs may take, beyond what is loaded now.
    """
    _limit_memory(share_mib)
    jobs: queue.SimpleQueue[Job | DrawOrder] = queue.SimpleQueue()
    heard = Heard()
    threading.Thread(target=_listen, args=(orders, jobs, heard), daemon=True).start()
    drawing: _DrawingFor | None = None
    while True:
        job = jobs.get()
        if isinstance(job, DrawOrder):
            SHARE.allow(share_mib)
            drawing = _drawing_for(job.job, drawing)
            write_frame(messages, drawing.drawn(job.draw))
        else:
            SHARE.allow(job.settings.memory_mib)
            fence.limit_work(_seconds_of(job))
            done = _carry_out(job, messages, heard)
            fence.limit_work(0)  # who draws for others has their time
            write_frame(messages, done)


def _seconds_of(job: Job) -> float:
    """Processor time that a job may take at most; 0 if it has a time of its own, and looks at it."""
    match job:
        case SourceJob():
            return _SOURCE_SECONDS
        case AuditJob():
            return _MARGIN * job.settings.time_limit
    return 0.0


def _limit_memory(share_mib: int) -> None:
    """Take the share; z3 ends a search for lack of memory before the system would refuse it some anywhere."""
    SHARE.take(share_mib)
    z3 = sys.modules.get("z3")
    if z3 is not None:  # else nobody has had the time to load it, and the share alone holds
        z3.set_param("memory_max_size", max(1, share_mib * 3 // 4))


def _listen(orders: BinaryIO, jobs: queue.SimpleQueue[Job | DrawOrder], heard: Heard) -> None:
    """Take orders also while a job is in hand: jobs, the request to end, and what others have drawn.

    When they cease, the front end is gone or wants no more: nobody waits for the job in hand, and its runner ends with
    this process.
    """
    try:
        while True:
            order = read_frame(orders)
            if isinstance(order, End | SpareWorkers | Drawn):
                heard.take(order)
            else:
                assert isinstance(order, DrawOrder | Job)
                jobs.put(order)
    except (EOFError, OSError):
        os._exit(0)
    except BaseException:  # a thread that died silently would leave the front end waiting
        traceback.print_exc()
        os._exit(1)


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Move the pipes to descriptors of our own, so that nothing else can write into the stream of messages."""
    jobs, messages = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return jobs, messages


def _leave_with_parent() -> None:
    """End soon after the front end is gone, also where another process has inherited its end of the pipe."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _DrawingFor:
    """Draws for one job of another worker, whose mechanism is loaded once."""

    def __init__(self, job: bytes) -> None:
        self.job = job
        self._drawer: Drawer | None = None

    def drawn(self, draw: Draw) -> Drawn:
        """The blocks; none where anything went wrong, which who asked will see when it draws them itself."""
        from dplint.audit.drawing import Drawer  # noqa: PLC0415 - NumPy and SciPy load with the first job

        try:
            if self._drawer is None:
                self._drawer = Drawer(pickle.loads(self.job))
            return Drawn(draw.number, self._drawer.draw(draw.asked))
        except Exception:
            self.close()
            return Drawn(draw.number, None)

    def close(self) -> None:
        """End what it runs."""
        if self._drawer is not None:
            self._drawer.close()
            self._drawer = None


def _drawing_for(job: bytes, before: _DrawingFor | None) -> _DrawingFor:
    """Who draws for this job: as before, or anew."""
    if before is not None and before.job == job:
        return before
    if before is not None:
        before.close()
    return _DrawingFor(job)


class _ProgressReporter:
    """The progress of one job: tells the front end, not too often, and knows whether it asked for an end.

    The standing last heard of goes with every message, so that none is lost to the messages that are left out.
    """

    def __init__(self, messages: BinaryIO, heard: Heard) -> None:
        self._messages = messages
        self._heard = heard
        self._last = 0.0
        self._standing: Standing | None = None

    @property
    def cancelled(self) -> bool:
        return self._heard.ending

    @property
    def spare(self) -> int:
        """How many others may draw blocks."""
        return self._heard.spare.count

    @property
    def worth(self) -> float:
        """Seconds of drawing that are worth a request."""
        return self._heard.spare.worth

    def ask(self, asked: bytes, series: int) -> Request:
        """Have blocks drawn by others."""
        request = self._heard.request()
        write_frame(self._messages, Draw(request.number, series, asked))
        return request

    def __call__(self, phase: str, done: int, total: int, standing: Standing | None = None) -> None:
        self._standing = standing or self._standing
        now = time.monotonic()
        if now - self._last >= _TICK_SECONDS:
            self._last = now
            write_frame(self._messages, Tick(phase, done, total, self._standing))


def _limit_for_source() -> None:
    """Bound the memory of the rest of this process: arithmetic of a source that nobody has trusted may be of any size.

    Does nothing where the system has no such limits.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on every system

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + _SOURCE_MEMORY, most))


def _carry_out(job: Job, messages: BinaryIO, heard: Heard) -> Done:
    if isinstance(job, SourceJob):
        _limit_for_source()
        close_in()
    try:
        from dplint.audit.procedures import carry_out  # noqa: PLC0415 - NumPy, SciPy and z3 load with the first job

        answer = carry_out(job, _ProgressReporter(messages, heard))
        return Done(answer.outcome, answer.state) if isinstance(answer, Audited) else Done(answer)
    except Exception as error:
        return Done(
            Failed(
                kind=FailureKind.INTERNAL,
                reason=f"dplint itself failed ({type(error).__name__}: {error}); please report this",
                detail=traceback.format_exc(),
            )
        )
