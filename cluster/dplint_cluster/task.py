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
from dplint.workers.fork_server import ForkServer
from dplint.workers.messages import BundleError, Done, Draw, Drawn, DrawOrder, SpareWorkers, Tick, placed, unpacked
from dplint.workers.process import Connected, ForkServerGone, WorkerGone, carry_through, done_without_worker

_HERE = "<folder of the bundle>"
"""Stands for the scratch folder in what is told."""
PlainTick = tuple[str, int, int, tuple[float, float, str, float, float] | None]
"""A Tick of types that every process of a cluster can read."""
_ending: set[str] = set()
"""The checks that were asked to end."""
_busy: dict[str, Connected] = {}
"""The workers of the jobs in hand, by the keys of their tasks."""
_offers: dict[str, list[str]] = {}
"""Where others may draw for them."""
_WORTH = 1.0
"""Seconds of drawing that are worth a request to another machine."""
_LEAST_ROOM = 1 << 20
"""Bytes that there has to be room for on the disk."""
_PROBE_SECONDS = 120.0
_founding = threading.Lock()
_fit = threading.Event()


class UnfitError(Exception):
    """No audit can be done by this process; the message says why, for people."""


def require_fit(folder: str, *, again: bool = False) -> None:
    """Raise UnfitError if there can be no worker process here, or no scratch folder. again: also if there once was.

    One that fails is always free, and would soon have had all jobs of a check.
    """
    if _fit.is_set() and not again:
        return
    _fit.clear()
    try:
        with tempfile.TemporaryDirectory(prefix="dplint-bundle-", dir=folder) as scratch:
            (Path(scratch) / "room").write_bytes(bytes(_LEAST_ROOM))
        worker = fork_server().worker()
        try:
            worker.submit(DrawOrder(b"", Draw(0, 0, b"")))  # of no job: it loads what drawing takes, and says no
            worker.receive(_PROBE_SECONDS)
        finally:
            worker.kill()
    except WorkerGone as gone:
        last = (gone.detail.strip() or gone.reason).splitlines()[-1]
        raise UnfitError(f"no worker process can be had there ({last})") from gone
    except OSError as error:
        raise UnfitError(f"nothing can be unpacked there ({error})") from error
    _fit.set()


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
    """Do the job of a bundle; its Done, pickled. Raises UnfitError if it is not the job's fault that nobody can.

    key: by which `offer` finds it. tell: called every so many seconds as long as the job is in hand. wanted: whether
    anybody waits for it; once nobody does, its worker is killed. ask: has blocks drawn by the processes at these
    addresses. folder: where to put the scratch folder.
    """
    bundle = unpacked(packed)

    def once() -> Done:
        scratch = tempfile.mkdtemp(prefix="dplint-bundle-", dir=folder)
        try:
            job = placed(bundle, Path(scratch), sys.executable)
            worker = fork_server().worker()
            watch = _Watch(worker, check, every, tell, wanted)
            _busy[key] = worker
            try:
                done = carry_through(
                    worker,
                    job,
                    watch.heard,
                    watch.submitted,
                    lambda blocks: ask(blocks, _offers.get(key, []), worker.submit),
                )
            finally:
                _busy.pop(key, None)
                _offers.pop(key, None)
                watch.close()
                worker.kill()
            return _told(done, scratch, _HERE)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    try:
        try:
            done = once()
        except ForkServerGone:  # no fault of this job's, as far as one can tell after one time
            done = once()
    except (BundleError, OSError, WorkerGone) as error:
        if isinstance(error, OSError | ForkServerGone):
            require_fit(folder, again=True)
        done = done_without_worker(error, bundle.job)
    return pickle.dumps(done, protocol=pickle.HIGHEST_PROTOCOL)


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
        worker: Connected,
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


def _told(done: Done, what: str, instead: str) -> Done:
    """The same with one folder for another in what a failure says."""
    failed = done.result
    if not isinstance(failed, Failed):
        return done
    texts = {name: getattr(failed, name).replace(what, instead) for name in ("reason", "detail", "cure")}
    return replace(done, result=replace(failed, **texts))
