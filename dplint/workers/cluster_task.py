"""What a process of a cluster does for one audit: unpack its bundle, have a worker process do it, tell how far it is.

Nothing of the user's is imported in the process of the cluster. The worker is a process of its own, as on one machine,
and the user's function runs in the runner below it; both end when the process of the cluster does, however it ends.
"""

from __future__ import annotations

import atexit
import pickle
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from dplint.outcomes import Failed, Standing
from dplint.workers.bundles import BundleError, placed, unpacked
from dplint.workers.conversation import carry_through, done_without_worker
from dplint.workers.fork_server import ForkServer
from dplint.workers.messages import Done, Draw, Drawn, SpareWorkers, Tick
from dplint.workers.process import WorkerGone, WorkerLike

_HERE = "<folder of the bundle>"
"""Stands for the scratch folder in what is told."""
PlainTick = tuple[str, int, int, tuple[float, float, str, float, float] | None]
"""A Tick of types that every process of a cluster can read."""
_ending: set[str] = set()
"""The checks that were asked to end."""
_busy: dict[str, WorkerLike] = {}
"""The workers of the jobs in hand, by the keys of their tasks."""
_offers: dict[str, list[str]] = {}
"""Where others may draw for them."""
_WORTH = 1.0
"""Seconds of drawing that are worth a request to another machine."""
_founding = threading.Lock()


def work(
    packed: bytes,
    check: str,
    key: str,
    every: float,
    tell: Callable[[PlainTick], None],
    wanted: Callable[[], bool],
    ask: Callable[[Draw, list[str], Callable[[Drawn], None]], None],
    folder: str,
) -> bytes:
    """Do the job of a bundle; its Done, pickled.

    key: by which `offer` finds it. tell: called every so many seconds as long as the job is in hand. wanted: whether
    anybody waits for it; once nobody does, its worker is killed. ask: has blocks drawn by the processes at these
    addresses. folder: where to put the scratch folder.
    """
    scratch = Path(tempfile.mkdtemp(prefix="dplint-bundle-", dir=folder))
    try:
        job = placed(unpacked(packed), scratch, sys.executable)
        worker = fork_server().worker()
        watch = _Watch(worker, check, every, tell, wanted)

        def draw(wanted_blocks: Draw) -> None:
            ask(wanted_blocks, _offers.get(key, []), worker.submit)

        _busy[key] = worker
        try:
            done = carry_through(worker, job, watch.heard, watch.submitted, draw)
        except WorkerGone as gone:
            done = done_without_worker(gone, job)
        finally:
            _busy.pop(key, None)
            _offers.pop(key, None)
            watch.close()
            worker.kill()
    except (BundleError, OSError, WorkerGone) as error:
        done = done_without_worker(error, unpacked(packed).job)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return pickle.dumps(_without_scratch(done, str(scratch)), protocol=pickle.HIGHEST_PROTOCOL)


def ask_to_end(check: str) -> None:
    """Have the jobs of this check that are in hand here end with what is known so far."""
    _ending.add(check)


def offer(key: str, addresses: list[str], spare: int) -> None:
    """Tell the worker of a job in hand here that so many others may draw for it, in the processes at the addresses."""
    worker = _busy.get(key)
    if worker is not None:
        _offers[key] = addresses
        worker.submit(SpareWorkers(spare, _WORTH))


def read_done(pickled: bytes, folder: str) -> Done:
    """What `work` has sent. folder: that of the project, where the bundle was made."""
    done = pickle.loads(pickled)
    assert isinstance(done, Done)
    return _told(done, _HERE, folder)


def read_tick(plain: PlainTick) -> Tick:
    """The Tick that `work` has told."""
    phase, done, total, standing = plain
    return Tick(phase, done, total, None if standing is None else Standing(*standing))


class _Watch:
    """The thread that tells how far a job is, and hands on what the worker must hear."""

    def __init__(
        self,
        worker: WorkerLike,
        check: str,
        every: float,
        tell: Callable[[PlainTick], None],
        wanted: Callable[[], bool],
    ) -> None:
        self._worker, self._check, self._every, self._tell, self._wanted = worker, check, every, tell, wanted
        self._over, self._submitted = threading.Event(), threading.Event()
        self._tick = Tick("starting", 0, 0)
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    def heard(self, tick: Tick) -> None:
        self._tick = tick

    def submitted(self) -> None:
        self._submitted.set()

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _loop(self) -> None:
        asked = False
        while True:
            tick = self._tick
            standing = tick.standing
            self._tell(
                (
                    tick.phase,
                    tick.done,
                    tick.total,
                    None
                    if standing is None
                    else (standing.epsilon, standing.lower, standing.event, standing.log_e_value, standing.share),
                )
            )
            if not self._wanted():
                self._worker.kill()
                return
            if self._check in _ending and self._submitted.is_set() and not asked:
                asked = True
                self._worker.ask_to_end()
            if self._over.wait(self._every):
                return


def fork_server() -> ForkServer:
    """The fork server of this process, the same for all of its threads."""
    with _founding:
        return _founded()


@cache
def _founded() -> ForkServer:
    server = ForkServer(niceness=0)
    atexit.register(server.close)
    return server


def _without_scratch(done: Done, scratch: str) -> Done:
    return _told(done, scratch, _HERE)


def _told(done: Done, what: str, instead: str) -> Done:
    """The same with one folder for another in what a failure says."""
    failed = done.result
    if not isinstance(failed, Failed):
        return done
    texts = {name: getattr(failed, name).replace(what, instead) for name in ("reason", "detail", "cure")}
    return replace(done, result=replace(failed, **texts))
