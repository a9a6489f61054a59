"""Many runs of the user's function at once (`dplint.tracing`), some of which are made again by the function itself.

Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from ..tracing.inputs import by_lane
from ..tracing.lanes import NotTraced, tracer
from ..tracing.loading import RewrittenModules
from .alike import near
from .calls import Loop
from .data_forms import DataForms
from .encode import Columns, Mode
from .failures import MEMORY, Failure
from .flatten import Raised, Strings
from .heartbeat import Heartbeat
from .lane_data import DataInputs, LaneData
from .lane_draws import KeptLanes, LaneDraws, reorder
from .lane_outputs import BY_HAND, Part, leaves_of, parts_of
from .literals import decode
from .loading import Loader
from .reaching import Reached, reach
from .recorded_paths import RecordedPaths, made_of
from .replay import Replay
from .streams import EntropySource, UnseededGenerators

_FEW_PATHS, _FREE_PATHS, _FREE_SHARE, _SHARE = 48, 256, 2 / 5, 1 / 16
"""So many paths are always allowed; so many more, up to a share of the lanes; and a share of the lanes in any case."""
_MOST_LANES = 1 << 16
"""Data values share lanes up to so many."""
_REPLAYED_PATHS = 16
"""Of so many paths one more lane is replayed, so that rare ones are seen, too."""
_MOST_RECORDED = 400
"""Paths of one request."""
TOLERANCE = 1e-9
"""By which floats may differ, relative to the larger one or to 1: NumPy rounds sums and exponentials in other ways."""


Answer = Tuple[Dict[str, Any], List[Any]]
MakeLoop = Callable[[Any, Dict[str, Any], Any, Optional[Reached]], Loop]
"""Of data, arguments, a generator and what is called makes the loop of its runs."""


class TracedRuns:
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
        if own_generator:
            raise NotTraced("each run gets a generator of a class of its own")
        self._loader, self._rng_kind, self._make_loop = loader, rng_kind, make_loop
        self._modules = modules or rewritten_modules(loader)
        self._draws = LaneDraws()
        self._patches: Any = None
        self._with_labels = mechanism["labels"] is not None
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
        self._forms.load(code, takes or mechanism["data"], mechanism["labels"])

    def replace_draws(self, entropy: EntropySource, unseeded: UnseededGenerators) -> None:
        """Make the generators that draw in all lanes; called once."""
        self._patches = Replay(entropy, unseeded, self._draws, reorder)

    def answer(self, request: Dict[str, Any], forms: DataForms, replay: Replay, heartbeat: Heartbeat) -> Answer:
        """Runs for each data value; `request["replayed"]` of each, and some more, are made again by the function.

        forms: the data as the function itself takes it. Raises NotTraced where the function cannot be followed, or
        gives anything else on the same draws.
        """
        self._refuse_objects(request)
        arguments = {name: decode(value) for name, value in request["arguments"].items()}
        entropy, spawn_key = request["seed"]
        header: Dict[str, Any] = {"batches": []}
        buffers: List[Any] = []
        blocks: List[_Block] = []
        with self._patches.applied(self._modules.loaded()):
            for data, count in self._together(request):
                heartbeat.at(len(blocks))
                sequence = np.random.SeedSequence(entropy, spawn_key=(*spawn_key, len(blocks)))
                self._draws.source = np.random.Generator(np.random.SFC64(sequence))
                self._patches.reseed(sequence.spawn(1)[0])
                loop = self._make_loop(data, arguments, self._patches.of_kind(self._rng_kind), self._reached)
                blocks += self._sampled(loop, count, request["runs"], request["replayed"], heartbeat)
        with replay.applied(self._loader.own_modules()):
            for value, block in zip(forms.build(request["datas"], []), blocks):
                batch, parts = block.columns.finish()
                header["batches"].append(batch)
                buffers += parts
                if block.kept.lanes:
                    loop = self._make_loop(value, arguments, replay.of_kind(self._rng_kind), None)
                    _compare((batch, parts), block.kept, replay, loop)
        return header, buffers

    def record(self, request: Dict[str, Any], heartbeat: Heartbeat) -> Answer:
        """The paths of `request["runs"]` runs as operations, see `recorded_paths`.

        request["made"]: draws that all of them have made. request["of_runs"]: the number of the data value of each run,
        where the operations are to be about all data of one shape; None for those of one value. request["by_lane"]: the
        arguments that they are to be about any value of. Raises NotTraced.
        """
        self._refuse_objects(request)
        arguments = {name: decode(value) for name, value in request["arguments"].items()}
        arguments = by_lane(arguments, request.get("by_lane", ()))
        values, of_runs = self._forms.build(request["datas"], []), request["of_runs"]
        entropy, spawn_key = request["seed"]
        sequence = np.random.SeedSequence(entropy, spawn_key=tuple(spawn_key))
        paths, runs = RecordedPaths(), request["runs"]
        with self._patches.applied(self._modules.loaded()):
            self._draws.source = np.random.Generator(np.random.SFC64(sequence))
            self._patches.reseed(sequence.spawn(1)[0])
            data = LaneData(values[:1], runs) if of_runs is None else DataInputs(values, of_runs)
            loop = self._make_loop(data, arguments, self._patches.of_kind(self._rng_kind), self._reached)

            def path() -> None:
                heartbeat.part(1)
                paths.recording.begin()
                self._patches.begin_run()
                loop(1, paths.take)
                heartbeat.ended(1)

            with paths:
                _walk(path, runs, lambda count: count <= _MOST_RECORDED, made_of(request["made"]))
        return paths.answer(), []

    @staticmethod
    def _refuse_objects(request: Dict[str, Any]) -> None:
        if any(data.get("handle") is not None for data in request["datas"]):
            raise NotTraced("its data are objects of the user's own")

    def _together(self, request: Dict[str, Any]) -> Iterator[Tuple[Any, int]]:
        """The data values, as many as can share lanes at once, and how many these are."""
        values, runs = self._forms.build(request["datas"], []), request["runs"]
        if self._with_labels:
            yield from ((value, 1) for value in values)
            return
        most = max(1, _MOST_LANES // max(1, runs))
        while values:
            data = LaneData(values[:most], runs)
            if not data.is_possible:
                data = LaneData(values[:1], runs)
            yield data, data.count
            del values[: data.count]

    def _sampled(self, loop: Loop, count: int, runs: int, replayed: int, heartbeat: Heartbeat) -> List["_Block"]:
        """So many runs of each of `count` data values, which share lanes."""
        strings = Strings()
        blocks = [_Block(first, runs, replayed, strings) for first in range(0, count * runs, runs or 1)]

        def take(output: Any) -> None:
            if isinstance(output, Raised) and output.name in BY_HAND and tracer.began > 1:
                raise tracer.singly()
            parts = parts_of(output, strings)
            steps = [block.kept_of(tracer.lanes) for block in blocks]
            for block, kept in zip(blocks, steps):  # only now, as lanes may be split before
                block.take(parts, kept)

        def path() -> None:
            heartbeat.part(1)
            self._patches.begin_run()
            loop(1, take)
            heartbeat.ended(1)

        def allowed(paths: int) -> bool:
            lanes = count * runs
            return paths <= _FEW_PATHS + min(_FREE_PATHS, lanes * _FREE_SHARE) + lanes * _SHARE

        _walk(path, count * runs, allowed)
        return blocks


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


class ByTracing:
    """The rewritten function of the mechanism in hand, made when it is first asked for.

    check: raises Failure where user code had effects.
    """

    def __init__(self, make: Callable[[], TracedRuns], check: Callable[[], None]) -> None:
        self._make, self._check = make, check
        self._traced: Optional[TracedRuns] = None

    def forget(self) -> None:
        """Another mechanism follows."""
        self._traced = None

    def ask(self, request: Callable[[TracedRuns], Answer]) -> Answer:
        """The answer of the function; what it cannot be followed in is answered by the reason. Raises Failure."""
        try:
            self._traced = self._traced or self._make()
            answer = request(self._traced)
        except Failure:
            raise
        except (NotTraced, Exception) as reason:  # a library that user code has patched, too
            return {"not_traced": str(reason) or type(reason).__name__}, []
        self._check()
        return answer


def _walk(path: Callable[[], None], lanes: int, allowed: Callable[[int], bool], made: Sequence[Any] = ()) -> None:
    """Walk all paths. Raises NotTraced, and Failure for what is the function's own."""
    too_large = "so many runs at once need too much memory"
    try:
        tracer.run(path, lanes, allowed, made)
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


class _Block:
    """The runs of one data value: lanes from `first` on. replayed: so many of them, and some others, are replayed."""

    def __init__(self, first: int, runs: int, replayed: int, strings: Strings) -> None:
        self._first, self._end, self._replayed = first, first + runs, replayed
        self.columns = Columns(Mode(), strings)
        self.columns.runs = runs
        self.kept = KeptLanes()

    def kept_of(self, lanes: Any) -> KeptLanes:
        """Those of the lanes of the path in hand that are to be replayed."""
        own = np.flatnonzero((lanes >= self._first) & (lanes < self._end))
        places = own[lanes[own] < self._first + self._replayed].tolist()
        if not places and len(own) and tracer.paths <= _REPLAYED_PATHS:
            places = own[:1].tolist()
        kept = KeptLanes()
        kept.keep(places, self._first)
        return kept

    def take(self, parts: List[Part], kept: KeptLanes) -> None:
        """What of a path's outputs is of these runs."""
        self.kept.add(kept)
        for signature, lanes, kinds, values in parts:
            own = (lanes >= self._first) & (lanes < self._end)
            if own.any():
                self.columns.add(signature, lanes[own] - np.int32(self._first), kinds[own], values[own])


def _compare(mine: Answer, kept: KeptLanes, replay: Replay, loop: Loop) -> None:
    """Run the function with the draws of the lanes that were kept. Raises NotTraced where it differs."""
    again = Columns(Mode())
    with replay.of(kept.steps, TOLERANCE) as recorded_draws:
        replay.loop(loop)(len(kept.lanes), again.take)
    complaints = recorded_draws.complaints
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
        if not near(one, other, TOLERANCE):
            return False
    return True


def _shown(output: Any) -> str:
    text = repr(output[2] if output is not None else None)
    return text if len(text) <= 80 else text[:79] + "…"
