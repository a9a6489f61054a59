"""What a worker sends while it works on a job, and what it is told meanwhile.

Blocks of runs that one worker draws for the audit of another: what is asked for, what waits, what has come.

Bundles: an audit with all that it takes of the project, to be done on another machine.

Nothing in a bundle says where the project lies on the machine that has made it. Whoever does the job unpacks it into a
folder of its own, and the mechanism lies there then.
"""

from __future__ import annotations

import itertools
import pickle
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from dplint.jobs import AuditJob, AuditState
from dplint.outcomes import Answer, BySource, Distributions, Outcome, Standing


@dataclass(frozen=True, slots=True)
class Tick:
    """How far a job is: the phase in words, runs done, runs planned, and what speaks against the claim so far."""

    phase: str
    done: int
    total: int
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """The last message of a job. state: what a later pass of the same audit can go on from."""

    result: Outcome | Answer | Distributions | BySource
    state: AuditState | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message and the number of the job that it belongs to."""

    job: int
    body: Tick | Done


@dataclass(frozen=True, slots=True)
class SpareWorkers:
    """To a worker: so many others may draw blocks of runs for its job. worth: seconds of drawing worth a request."""

    count: int
    worth: float


@dataclass(frozen=True, slots=True)
class Draw:
    """From a worker: blocks of runs that others may draw. Older series that were not begun are not wanted any more."""

    number: int
    series: int
    asked: bytes


@dataclass(frozen=True, slots=True)
class Drawn:
    """To a worker, and from who has drawn: the blocks that were asked for under a number, None if nobody could."""

    number: int
    blocks: bytes | None


@dataclass(frozen=True, slots=True)
class DrawOrder:
    """To a worker: draw blocks for the audit of another one. job: pickled, the same bytes for all blocks of a job."""

    job: bytes
    draw: Draw


@dataclass(frozen=True, slots=True)
class End:
    """To a worker: end the job in hand with what is known, and begin no other."""


@dataclass(slots=True)
class Request:
    """Blocks that others were asked for."""

    number: int
    answer: bytes | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    def wait(self, seconds: float) -> bool:
        """Whether the answer came within so many seconds."""
        return self._ended.wait(seconds)

    def end(self, answer: bytes | None) -> None:
        """Take the answer."""
        self.answer = answer
        self._ended.set()


class Heard:
    """What a worker has been told beside its jobs. Thread safe."""

    def __init__(self) -> None:
        self.ending = False
        self.spare = SpareWorkers(0, 0.0)
        self._numbers = itertools.count()
        self._open: dict[int, Request] = {}

    def take(self, order: End | SpareWorkers | Drawn) -> None:
        """Take note of an order."""
        match order:
            case End():
                self.ending = True
            case SpareWorkers():
                self.spare = order
            case Drawn(number, blocks):
                request = self._open.pop(number, None)
                # One that was given up is not there any more: its blocks have been drawn elsewhere.
                if request is not None:
                    request.end(blocks)

    def request(self) -> Request:
        """Another request; its number was never used before."""
        made = Request(next(self._numbers))
        self._open[made.number] = made
        return made


@dataclass(frozen=True, slots=True)
class WaitingDraw:
    """Blocks that wait for somebody to draw them. answer: takes what was drawn."""

    job: int
    draw: Draw
    answer: Callable[[Drawn], None]


class WaitingDraws:
    """Those of all jobs of a check, and how many there are to draw them. Thread safe."""

    def __init__(self) -> None:
        self.spare = 0
        self._waiting: list[WaitingDraw] = []
        self._changed = threading.Condition()
        self._closed = False

    def put(self, wanted: WaitingDraw) -> None:
        """Add one; those of the same job that belong to an older series are answered with nothing."""
        with self._changed:
            old = [one for one in self._waiting if one.job == wanted.job and one.draw.series != wanted.draw.series]
            self._waiting = [*(one for one in self._waiting if one not in old), wanted]
            self._changed.notify()
        for one in old:
            one.answer(Drawn(one.draw.number, None))

    def take(self) -> WaitingDraw | None:
        """The next one, once there is one; None when all is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            return None if self._closed else self._waiting.pop(0)

    @contextmanager
    def spare_worker(self) -> Iterator[None]:
        """Inside, there is one more to draw."""
        with self._changed:
            self.spare += 1
        try:
            yield
        finally:
            with self._changed:
                self.spare -= 1

    def close(self) -> None:
        """Nothing is drawn any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class BundleError(Exception):
    """A mechanism cannot be sent elsewhere; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """job: with paths relative to the folder of the bundle, and no interpreter. files: by such paths as well."""

    job: AuditJob
    files: tuple[tuple[str, bytes], ...]

    def packed(self) -> bytes:
        """The bundle as bytes, for the same version of dplint alone."""
        return zlib.compress(pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL))


class Sent(NamedTuple):
    """A job for other machines, or its answer where it cannot be sent. folder: of the bundle, on this machine."""

    bundle: Bundle | None
    folder: str
    answer: Done | None = None


def unpacked(packed: bytes) -> Bundle:
    """The bundle of these bytes, which come from the same version of dplint."""
    bundle = pickle.loads(zlib.decompress(packed))
    assert isinstance(bundle, Bundle)
    return bundle


def placed(bundle: Bundle, folder: Path, interpreter: str) -> AuditJob:
    """Write the files of the bundle into the folder; the job as it is done there, by this interpreter.

    Raises:
        BundleError: a path leads out of the folder.
        OSError: a file cannot be written.
    """
    for name, content in bundle.files:
        path = _inside(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    job = bundle.job
    root, project = (_inside(folder, name) for name in (job.mechanism.import_root, job.mechanism.project_root))
    root.mkdir(parents=True, exist_ok=True)
    project.mkdir(parents=True, exist_ok=True)
    path = _inside(folder, job.mechanism.path)
    mechanism = replace(job.mechanism, path=str(path), import_root=str(root), project_root=str(project))
    return replace(job, mechanism=mechanism, settings=replace(job.settings, interpreter=interpreter))


def _inside(folder: Path, name: str) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise BundleError(f"{name!r} leads out of the folder of its bundle")
    return folder / path
