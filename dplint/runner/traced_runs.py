"""Many runs of the user's function at once (`dplint.tracing`), some of which are made again by the function itself.

Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ..tracing.array_calls import FreshArray
from ..tracing.lanes import NotTraced, tracer
from ..tracing.loading import RewrittenModules
from .calls import Loop
from .data_forms import DataForms
from .encode import Columns, Mode
from .failures import Failure
from .flatten import Raised
from .generators import SEED
from .heartbeat import Heartbeat
from .lane_draws import KeptLanes, LaneDraws, reorder
from .lane_outputs import leaves_of, take_path
from .literals import decode
from .loading import Loader
from .reaching import Reached, reach
from .replay import Replay
from .streams import EntropySource, UnseededGenerators

_LEAST_SHARE, _FREE_PATHS = 1 / 16, 256
"""Paths may be so many for each run, and as many more as are free."""
_REPLAYED_PATHS = 16
"""Of so many paths one more lane is replayed, so that rare ones are seen, too."""
TOLERANCE = 1e-9
"""By which floats may differ, relative to the larger one or to 1: NumPy rounds sums and exponentials in other ways."""
_BY_HAND = ("TypeError", "AttributeError")
"""What functions that do not know of lanes raise when they are given a value by lane."""


Answer = Tuple[Dict[str, Any], List[Any]]
MakeLoop = Callable[[Any, Dict[str, Any], Any, Optional[Reached]], Loop]
"""Of data, arguments, a generator and what is called makes the loop of its runs."""


class TracedRuns:
    """One mechanism, and its module once more for many runs at once. The constructor raises NotTraced."""

    def __init__(
        self, loader: Loader, module: Any, mechanism: Dict[str, Any], rng_kind: str, make_loop: MakeLoop
    ) -> None:
        self._loader, self._rng_kind, self._make_loop = loader, rng_kind, make_loop
        own = {id(one) for one in loader.own_modules()}
        self._modules = RewrittenModules(lambda one: id(one) in own)
        self._draws = LaneDraws()
        self._patches: Any = None
        tracer.forget()
        try:
            made = self._modules.load(module)
            self._reached = reach(made, mechanism["qualname"], mechanism["receiver"])
        except (Exception, NotTraced) as error:
            raise NotTraced(f"its module cannot be loaded once more ({type(error).__name__}: {error})") from None
        self._forms = DataForms()
        takes = self._reached.takes
        code = self._reached.factory if takes else self._reached.code
        self._forms.load(code, takes or mechanism["data"], mechanism["labels"])

    def replace_draws(self, entropy: EntropySource, unseeded: UnseededGenerators) -> None:
        """Make the generators that draw in all lanes; called once."""
        self._patches = Replay(entropy, unseeded, self._draws, reorder)

    def answer(self, request: Dict[str, Any], forms: DataForms, replay: Replay, heartbeat: Heartbeat) -> Answer:
        """Runs for each data value; `request["replayed"]` of each, and some more, are made again by the function.

        forms: the data as the function itself takes it. Raises NotTraced where the function cannot be followed, or
        gives anything else on the same draws.
        """
        if any(data.get("handle") is not None for data in request["datas"]):
            raise NotTraced("its data are objects of the user's own")
        arguments = {name: decode(value) for name, value in request["arguments"].items()}
        entropy, spawn_key = request["seed"]
        header: Dict[str, Any] = {"batches": []}
        buffers: List[Any] = []
        made = []
        with self._patches.applied(self._modules.loaded()):
            for number, data in enumerate(self._forms.build(request["datas"], [])):
                heartbeat.at(number)
                sequence = np.random.SeedSequence(entropy, spawn_key=(*spawn_key, number))
                self._draws.source = np.random.Generator(np.random.SFC64(sequence))
                self._patches.reseed(sequence.spawn(1)[0])
                fresh = FreshArray(data) if type(data) is np.ndarray else data
                loop = self._make_loop(fresh, arguments, self._rng_of(self._patches), self._reached)
                kept = KeptLanes()
                batch, parts = self._sampled(loop, request["runs"], kept, request["replayed"], heartbeat)
                made.append((batch, parts, kept))
                header["batches"].append(batch)
                buffers += parts
        with replay.applied(self._loader.own_modules()):
            for data, (batch, parts, kept) in zip(forms.build(request["datas"], []), made):
                if kept.lanes:
                    loop = self._make_loop(data, arguments, self._rng_of(replay), None)
                    _compare((batch, parts), kept, replay, loop)
        return header, buffers

    def _rng_of(self, replay: Replay) -> Any:
        """The generator to pass in; for a seed a function that gives one."""
        return replay.seeds.hand if self._rng_kind == SEED else replay.of_kind(self._rng_kind)

    def _sampled(self, loop: Loop, runs: int, kept: KeptLanes, count: int, heartbeat: Heartbeat) -> Answer:
        columns = Columns(Mode())
        columns.runs = runs

        def path() -> None:
            heartbeat.part(1)
            self._patches.begin_run()
            loop(1, self._sink(columns, kept, count))
            heartbeat.ended(1)

        def allowed(paths: int, _: int) -> bool:
            return paths <= _FREE_PATHS + runs * _LEAST_SHARE

        try:
            tracer.run(path, runs, allowed)
        except (Failure, NotTraced):
            raise
        except Exception as error:
            raise NotTraced(f"dplint could not follow it ({type(error).__name__}: {error})") from None
        return columns.finish()

    @staticmethod
    def _sink(columns: Columns, kept: KeptLanes, count: int) -> Callable[[Any], None]:
        def sink(output: Any) -> None:
            if isinstance(output, Raised) and output.name in _BY_HAND and tracer.began > 1:
                raise tracer.singly()
            if tracer.branches:
                raise NotTraced("a branch was left in a way that is not understood")
            take_path(columns, output)
            places = np.flatnonzero(tracer.lanes < count).tolist()
            if not places and tracer.paths <= _REPLAYED_PATHS:
                places = [0]
            kept.keep(places)

        return sink


def _compare(mine: Answer, kept: KeptLanes, replay: Replay, loop: Loop) -> None:
    """Run the function with the draws of the lanes that were kept. Raises NotTraced where it differs."""
    replay.recorded_draws.load(kept.steps, TOLERANCE)
    again = Columns(Mode())
    replay.loop(loop)(len(kept.lanes), again.take)
    complaints = replay.recorded_draws.complaints
    wrong = complaints[0] if complaints else first_difference(*mine, kept, again)
    if wrong is not None:
        raise NotTraced(f"the check of its lanes failed: {wrong}")


def first_difference(header: Dict[str, Any], buffers: List[Any], kept: KeptLanes, again: Columns) -> Optional[str]:
    """Where the outputs of the lanes that were kept differ from those of the function; None if they do not."""
    mine = leaves_of(header, buffers, kept.lanes)
    theirs = leaves_of(*again.finish(), list(range(len(kept.lanes))))
    for number, lane in enumerate(kept.lanes):
        one, other = mine.get(lane), theirs.get(number)
        if one is None or other is None or one[0] != other[0] or one[1] != other[1] or not _alike(one[2], other[2]):
            return f"on the same draws the function gives {_shown(other)} and lanes {_shown(one)}"
    return None


def _alike(mine: List[Any], theirs: List[Any]) -> bool:
    for one, other in zip(mine, theirs):
        if one == other or (one != one and other != other):  # noqa: PLR0124
            continue
        if isinstance(one, str) or isinstance(other, str):
            return False
        if not abs(one - other) <= TOLERANCE * max(1.0, abs(one), abs(other)):
            return False
    return True


def _shown(output: Any) -> str:
    text = repr(output[2] if output is not None else None)
    return text if len(text) <= 80 else text[:79] + "…"
