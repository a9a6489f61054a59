"""What records the operations of the user's function on many runs (`dplint.tracing`). In the user's interpreter."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..tracing.inputs import by_lane
from ..tracing.lanes import NotTraced, tracer
from ..tracing.loading import RewrittenModules
from .calls import Loop
from .data_forms import DataForms
from .failures import MEMORY, Failure
from .heartbeat import Heartbeat
from .lane_data import DataInputs, LaneData
from .lane_draws import LaneDraws, reorder
from .literals import decode
from .loading import Loader
from .reaching import Reached, reach
from .recorded_paths import RecordedPaths, made_of
from .replay import Replay
from .streams import EntropySource, UnseededGenerators

_MOST_RECORDED = 400
"""Paths of one request."""

Answer = Tuple[Dict[str, Any], List[Any]]
MakeLoop = Callable[[Any, Dict[str, Any], Any, Optional[Reached]], Loop]
"""Of data, arguments, a generator and what is called makes the loop of its runs."""


class Recorder:
    """One mechanism, and its module once more for many runs at once. The constructor raises NotTraced."""

    def __init__(
        self,
        loader: Loader,
        module: Any,
        mechanism: Dict[str, Any],
        rng_kind: str,
        make_loop: MakeLoop,
        *,
        modules: Optional[RewrittenModules] = None,
        own_generator: bool,
    ) -> None:
        """modules: those of the project as they were rewritten before."""
        if mechanism["observe"]:
            raise NotTraced("what it prints, writes or changes is observed, run by run")
        if mechanism["named"]:
            raise NotTraced(f"the claim gives {', '.join(mechanism['named'])} by name")
        if own_generator:
            raise NotTraced("each run gets a generator of a class of its own")
        self._rng_kind, self._make_loop = rng_kind, make_loop
        self._modules = modules or rewritten_modules(loader)
        self._draws = LaneDraws()
        self._patches: Any = None
        tracer.forget()
        tracer.modules += self._modules.loaded()
        try:
            made = self._modules.load(module)
            self._reached = reach(made, mechanism["qualname"], mechanism["receiver"])
        except (Exception, NotTraced) as error:
            raise NotTraced(f"its module cannot be loaded once more ({type(error).__name__}: {error})") from None
        self._forms = DataForms()
        takes = self._reached.takes
        code = self._reached.factory if takes else self._reached.code
        self._forms.load(code, takes or mechanism["data"], mechanism["apart"], mechanism["plain"])

    def replace_draws(self, entropy: EntropySource, unseeded: UnseededGenerators) -> None:
        """Make the generators that draw in all lanes; called once."""
        self._patches = Replay(entropy, unseeded, self._draws, reorder)

    def record(self, request: Dict[str, Any], heartbeat: Heartbeat) -> Answer:
        """The paths of `request["runs"]` runs as operations, see `recorded_paths`.

        request["made"]: draws that all of them have made. request["of_runs"]: the number of the data value of each run,
        where the operations are to be about all data of one shape; None for those of one value. request["by_lane"]: the
        arguments that they are to be about any value of. Raises NotTraced.
        """
        if any(data.get("handle") is not None for data in request["datas"]):
            raise NotTraced("its data are objects of the user's own")
        arguments = {name: decode(value) for name, value in request["arguments"].items()}
        arguments = by_lane(arguments, request.get("by_lane", ()))
        values, of_runs = self._forms.build(request["datas"], []), request["of_runs"]
        entropy, spawn_key = request["seed"]
        sequence = np.random.SeedSequence(entropy, spawn_key=tuple(spawn_key))
        paths, runs = RecordedPaths(), request["runs"]
        with self._patches.applied(self._modules.loaded()):
            self._draws.source = np.random.Generator(np.random.SFC64(sequence))
            self._patches.reseed(sequence.spawn(1)[0])
            data = LaneData(values[0]) if of_runs is None else DataInputs(values, of_runs)
            loop = self._make_loop(data, arguments, self._patches.of_kind(self._rng_kind), self._reached)

            def path() -> None:
                heartbeat.part(1)
                paths.recording.begin()
                self._patches.begin_run()
                loop(1, paths.take)
                heartbeat.ended(1)

            with paths:
                _walk(path, runs, made_of(request["made"]))
        return paths.answer(), []


def rewritten_modules(loader: Loader) -> RewrittenModules:
    """None yet, of those that the loader has imported of the project."""
    return RewrittenModules(lambda one: any(one is own for own in loader.own_modules()))


def rewritten_ahead(loader: Loader, module: Any) -> Optional[RewrittenModules]:
    """Those of a module, for all who are forked from this process; None where they cannot be loaded once more."""
    modules = rewritten_modules(loader)
    try:
        modules.load(module)
    except (Exception, NotTraced):
        return None
    return modules


class RecorderInHand:
    """The recorder of the mechanism in hand, made when it is first asked for.

    check: raises Failure where user code had effects.
    """

    def __init__(self, make: Callable[[], Recorder], check: Callable[[], None]) -> None:
        self._make, self._check = make, check
        self._recorder: Optional[Recorder] = None

    def forget(self) -> None:
        """Another mechanism follows."""
        self._recorder = None

    def record(self, request: Dict[str, Any], heartbeat: Heartbeat) -> Answer:
        """See `Recorder`; what the function cannot be followed in is answered by the reason. Raises Failure."""
        try:
            self._recorder = self._recorder or self._make()
            answer = self._recorder.record(request, heartbeat)
        except Failure:
            raise
        except (NotTraced, Exception) as reason:  # a library that user code has patched, too
            return {"not_traced": str(reason) or type(reason).__name__}, []
        self._check()
        return answer


def _walk(path: Callable[[], None], lanes: int, made: Sequence[Any]) -> None:
    """Walk all paths. Raises NotTraced, and Failure for what is the function's own."""
    too_large = "so many runs at once need too much memory"
    try:
        tracer.run(path, lanes, lambda count: count <= _MOST_RECORDED, made)
    except NotTraced:
        raise
    except Failure as failure:
        if failure.document["kind"] != MEMORY:
            raise
        raise NotTraced(too_large) from None
    except MemoryError:
        raise NotTraced(too_large) from None
    except Exception as error:
        raise NotTraced(f"dplint could not follow it ({type(error).__name__}: {error})") from None
