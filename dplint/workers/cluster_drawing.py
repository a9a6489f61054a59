"""Blocks of runs that a process of a cluster draws for an audit that another one has."""

from __future__ import annotations

import pickle
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from dplint.workers.bundles import BundleError, placed, unpacked
from dplint.workers.cluster_task import fork_server
from dplint.workers.conversation import drawn_by
from dplint.workers.messages import Draw, Drawn, DrawOrder
from dplint.workers.process import WorkerGone

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
