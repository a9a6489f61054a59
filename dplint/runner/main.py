"""The runner's main loop. Runs in the user's interpreter."""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import gc
import json
import os
import site
import sys
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, List, Optional, Sequence, Tuple

from . import fence
from .failures import IMPORT, Failure
from .fence_files import readable_places
from .frames import read_frame, write_frame
from .heartbeat import Heartbeat

if TYPE_CHECKING:
    from .session import RunnerSession

_FIRST_PRIVATE_FD = 100


def main(settings_text: str) -> None:
    """Answer requests until the worker closes the pipe; then end at once, whatever user code has left running."""
    settings: Dict[str, Any] = json.loads(settings_text)
    requests, replies, captured = _private_descriptors()
    allow = frozenset(settings["allow"])
    standing, places = _closed_in(allow, settings)
    watch: Optional[fence.ParentWatch] = fence.ParentWatch(settings["by_signal"])
    fence.step_back()
    try:
        import numpy  # noqa: PLC0415

        numpy.random.SeedSequence  # noqa: B018
    except Exception as error:
        write_frame(replies, {"failure": _without_numpy(error)})
        os._exit(1)
    if settings["control"] is not None:
        # Before user code, which may have modules of the same names as those that it needs.
        from . import forking  # noqa: PLC0415
    # Only now: these need NumPy, and its absence has been answered above.
    from .effect_guard import EffectGuard  # noqa: PLC0415
    from .session import RunnerSession  # noqa: PLC0415
    from .streams import EntropySource  # noqa: PLC0415

    entropy_source = EntropySource()
    entropy_source.install()
    effect_guard = EffectGuard(allow, settings["scratch"], places)
    limit = _CpuLimit()
    heartbeat = Heartbeat(settings["heartbeat"], limit.renew)
    session = RunnerSession(settings["decorator"], effect_guard, entropy_source, heartbeat)
    effect_guard.install()
    hello = {"fence": standing}
    written = [settings["scratch"]]
    write_frame(replies, hello)
    while _serve(session, limit, requests, replies) == "fork":
        if watch is not None:
            watch.stop()
            watch = None  # what was forked ends with its host
        # Whoever is forked need not look again at what the imports made, nor have memory of its own for it.
        gc.collect()
        gc.freeze()
        forks = forking.can_fork()
        write_frame(replies, {"forks": forks})
        if forks:
            effect_guard.on = False
            own = forking.serve_forks(settings["control"], (requests, replies, captured), settings["idle"])
            forking.use_scratch(own["scratch"])
            places = [] if effect_guard.reading_is_limited else _places(allow, own)
            effect_guard.move(own["scratch"], places)
            # What the import has made, such as caches of libraries, goes on being used.
            _put_up(allow, own, [*written, own["folder"]], places)
            hello["fence"] = fence.standing(allow, forks=own["control"] is not None)
            written.append(own["scratch"])
            settings["control"] = own["control"]
            session.heartbeat = Heartbeat(own["heartbeat"], limit.renew)
            effect_guard.on = True
            write_frame(replies, hello)
    os._exit(0)


def _places(allow: FrozenSet[str], settings: Dict[str, Any]) -> Optional[List[str]]:
    """Where may be read; None for everywhere, of a process that is to import nothing."""
    return None if settings["reads"] is None else readable_places(allow, settings["reads"])


def _closed_in(allow: FrozenSet[str], settings: Dict[str, Any]) -> Tuple[Tuple[str, ...], Optional[List[str]]]:
    """The fence and the limits, before any thread is started, and before what an environment runs at each start.

    The parts that stand, and where may be read.
    """
    folders = [settings["folder"]]
    _put_up(allow, settings, folders, ())
    _limit_memory(settings)
    site.main()
    places = _places(allow, settings)
    fence.limit_reading(allow, folders, places)
    return fence.standing(allow, forks=settings["control"] is not None), places


def _put_up(
    allow: FrozenSet[str], settings: Dict[str, Any], folders: List[str], places: Optional[Sequence[str]]
) -> None:
    """The fence for what this process is to be; a host that is to import a module forks only when it is let."""
    control = settings["control"]
    fence.put_up(allow, folders, places, forks=control is not None, gate=control if settings["gate"] else None)


def _limit_memory(settings: Dict[str, Any]) -> None:
    fence.limit_memory(settings["memory_mib"])
    if settings["share_mib"] is not None:
        fence.limit_data(settings["share_mib"], fence.data_held(), for_good=True)


def _serve(session: RunnerSession, limit: _CpuLimit, requests: int, replies: int) -> str:
    """Answer requests until the worker closes the pipe, or asks for what no session can do, which is returned."""
    owner = os.getpid()
    while True:
        frame = read_frame(requests)
        if frame is None:
            return ""
        request, body = frame
        limit.begin(request["deadline"])
        if request["do"] == "fork":
            return "fork"
        header, buffers = session.answer(request, body)
        if os.getpid() != owner:
            # A child that user code forked and let run on must not speak for the runner.
            os._exit(0)
        _flush_output()
        write_frame(replies, header, buffers)


class _CpuLimit:
    """The limit of the processor time for the request in hand, renewed as long as its runs end."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def begin(self, seconds: float) -> None:
        """A request that may go on for so many seconds without a sign of life."""
        self._seconds = seconds
        self.renew()

    def renew(self) -> None:
        """Count from now on."""
        fence.limit_cpu(self._seconds)


def _without_numpy(error: Exception) -> Dict[str, Any]:
    """That this interpreter cannot run mechanisms, whatever they are, and what to do about it."""
    missing = isinstance(error, ModuleNotFoundError) and error.name == "numpy"
    cause = "has no NumPy" if missing else f"has a NumPy that does not work ({type(error).__name__}: {error})"
    action = "Install it there" if missing else "Install a newer one there"
    reason = f"the interpreter {sys.executable} {cause}, and mechanisms cannot be run without it"
    named = "or name the interpreter of the project with --interpreter, or as `interpreter` in [tool.dplint]."
    cure = f"{action} ({sys.executable} -m pip install numpy), {named}"
    return Failure(IMPORT, reason, cure=cure, scope="interpreter").document


def _private_descriptors() -> "tuple[int, int, int]":
    """Move the protocol away from where user code writes: 0 reads nothing, 1 and 2 go to the captured pipe."""
    requests = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE_FD)
    replies = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE_FD)
    captured = fcntl.fcntl(2, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE_FD)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    faulthandler.enable(file=captured, all_threads=False)
    return requests, replies, captured


def _flush_output() -> None:
    """Send on what user code has printed; a stream that it closed or replaced is its own affair."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
