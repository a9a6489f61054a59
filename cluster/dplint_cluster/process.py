"""What a process of a cluster does when it is asked, by the way through `gate`."""

from __future__ import annotations

import pickle
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed import get_client, get_worker

from dplint.workers.installed import environment_digest, environment_of
from dplint.workers.messages import BundleError, Draw, Drawn, DrawOrder, placed, unpacked
from dplint.workers.process import WorkerGone, drawn_by
from dplint_cluster import task
from dplint_cluster.gate import call
from dplint_cluster.task import PlainTick, UnfitError, fork_server

_IDLE_SECONDS = 20.0
"""After which a worker ends that nobody has asked for blocks."""
_lock = threading.Lock()
_idle: list[_Drawing] = []
begun = 0
"""How often this process was asked to draw."""


def draw_elsewhere(packed: bytes, draw: Draw, folder: str) -> Drawn:
    """Draw blocks for the job of a bundle. The worker that does it is kept for the next ones of the same job.

    folder: where to put the scratch folder.
    """
    global begun  # noqa: PLW0603 - a count of this process
    begun += 1
    drawing = _taken(packed)
    try:
        drawing = drawing or _Drawing(packed, folder)
        found = drawn_by(drawing.worker, drawing.job, DrawOrder(drawing.pickled, draw))
    except (BundleError, OSError, WorkerGone):
        if drawing is not None:
            drawing.close()
        return Drawn(draw.number, None)
    with _lock:
        drawing.since = time.monotonic()
        _idle.append(drawing)
    timer = threading.Timer(_IDLE_SECONDS + 1, _end_idle)
    timer.daemon = True
    timer.start()
    return found


class _Drawing:
    """A worker that draws for the job of a bundle, in a scratch folder of its own."""

    def __init__(self, packed: bytes, folder: str) -> None:
        self.packed, self.since = packed, 0.0
        self._scratch = tempfile.mkdtemp(prefix="dplint-bundle-", dir=folder)
        try:
            self.job = placed(unpacked(packed), Path(self._scratch), sys.executable)
            self.pickled = pickle.dumps(self.job, protocol=pickle.HIGHEST_PROTOCOL)
            self.worker = fork_server().worker()
        except BaseException:
            shutil.rmtree(self._scratch, ignore_errors=True)
            raise

    def close(self) -> None:
        """End the worker, and leave nothing behind."""
        self.worker.kill()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _taken(packed: bytes) -> _Drawing | None:
    """One for this bundle that is free; those for others end, since one audit after the other is drawn for."""
    with _lock:
        mine = [one for one in _idle if one.packed == packed]
        others = [one for one in _idle if one.packed != packed]
        found = mine.pop() if mine else None
        _idle[:] = mine
    for one in others:
        one.close()
    return found


def _end_idle() -> None:
    with _lock:
        old = [one for one in _idle if time.monotonic() - one.since > _IDLE_SECONDS]
        _idle[:] = [one for one in _idle if one not in old]
    for one in old:
        one.close()


__all__ = ["UnfitError"]


def describe() -> str:
    """What is installed there."""
    return environment_of(sys.executable)


def audit(packed: bytes, environments: frozenset[str], check: str, key: str, every: float) -> bytes:
    """The Done of a bundle, pickled. It is a task. Raises UnfitError if no audit can be done by this process.

    environments: digests of what may be installed. check, key: names of the check and of the task. every: seconds
    between news.
    """
    _require_environment(environments)
    process = get_worker()

    def wanted() -> bool:
        state = process.state.tasks.get(key)
        return state is not None and state.state in ("executing", "long-running", "resumed")

    def tell(tick: PlainTick) -> None:
        process.log_event(check, (key, process.address, tick))

    def ask(wanted_blocks: Draw, addresses: list[str], answer: Callable[[Drawn], None]) -> None:
        number = wanted_blocks.number

        def ended(future: Any) -> None:
            why, _, blocks = future.result() if future.status == "finished" else ("it has not ended", "", None)
            answer(Drawn(number, None if why else blocks))
            future.release()

        if not addresses:
            answer(Drawn(number, None))
            return
        plain = number, wanted_blocks.series, wanted_blocks.asked
        future = get_client().submit(
            eval,
            *call("draw", packed, plain, environments),
            key=f"{key}-draw-{number}",
            workers=addresses,
            pure=False,
        )
        future.add_done_callback(ended)

    task.require_fit(process.local_directory)
    return task.work(packed, check, key, every, tell, wanted, ask, process.local_directory)


def draw(packed: bytes, plain: tuple[int, int, bytes], environments: frozenset[str]) -> bytes | None:
    """Blocks of runs for the job of a bundle, None where they cannot be drawn. It is a task. Raises UnfitError."""
    _require_environment(environments)
    return draw_elsewhere(packed, Draw(*plain), get_worker().local_directory).blocks


def offer(offers: dict[str, tuple[list[str], int]]) -> None:
    """Tell jobs in hand who may draw for them: to the keys of their tasks, the addresses and how many."""
    for key, (addresses, spare) in offers.items():
        task.offer(key, addresses, spare)


def ask_to_end(check: str) -> None:
    """Have the jobs of a check that are in hand end with what is known."""
    task.ask_to_end(check)


def _require_environment(environments: frozenset[str]) -> None:
    if environment_digest(describe()) not in environments:
        raise UnfitError("other packages are installed there than where the check began")
