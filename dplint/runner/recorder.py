"""What records the operations of the user's function on many runs (`dplint.tracing`). In the user's interpreter.

Paths that lanes have taken are sent once, with what their outputs are made of.

The data of many runs at once: one value for all lanes, or several values of one shape, each for some lanes.

Runs in the user's interpreter.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..tracing.array_calls import wide
from ..tracing.inputs import LaneArgument, by_lane, data_by_lane, inputs_of, use
from ..tracing.lanes import PerLane, tracer
from ..tracing.loading import RewrittenModules
from ..tracing.paths import ARRAY, NotTraced
from ..tracing.recording import Json, NotRecorded, Recording, Values, current, restored, shape_of
from .calls import Loop, Reached, reach
from .data_forms import DataForms
from .failures import MEMORY, Failure
from .flatten import LEAF, MOST_LEAVES, TEXTUAL, Flattener, Raised, Strings
from .fresh_values import arguments_of
from .heartbeat import Heartbeat
from .lane_draws import LaneDraws, reorder
from .loading import Loader
from .replay import Replay
from .streams import EntropySource, UnseededGenerators

__all__ = ["DataInputs", "LaneArgument", "LaneData", "taken_apart"]


class LaneData:
    """A data value that is the same in all lanes; a call gives a fresh one for the path in hand."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __call__(self) -> Any:
        """The data of one path."""
        value = deepcopy(self._value)
        by_lane = tracer.arrays_by_lane and type(value) is np.ndarray
        return wide(value) if by_lane else value


class DataInputs(LaneData):
    """Data values of one shape whose parts are values by lane. of_lanes: the number of the value of each lane.

    Raises NotTraced where they are made of anything else.
    """

    def __init__(self, values: List[Any], of_lanes: List[int]) -> None:
        super().__init__(values[0])
        inputs = [one for one in map(inputs_of, values) if one is not None]
        if len(inputs) < len(values) or len({one.shape for one in inputs}) > 1:
            raise NotTraced("its data are no numbers and texts of one shape")
        use([one.parts for one in inputs], np.array(of_lanes, np.intp))

    def __call__(self) -> Any:
        """The data of one path."""
        return data_by_lane(self._value)


class _Part(LaneData):
    """What lies under some keys in data of many runs."""

    def __init__(self, whole: LaneData, *keys: Any) -> None:
        super().__init__(whole)
        self._keys = keys

    def __call__(self) -> Any:
        """The part in the data of one path."""
        part = self._value()
        for key in self._keys:
            part = part[key]
        return part


def taken_apart(data: Any, names: Sequence[str]) -> Tuple[Any, Dict[str, Any]]:
    """The data, and what the parameters of these names get that take columns of it apart."""
    if isinstance(data, LaneData):
        return _Part(data, 0), {name: _Part(data, 1, name) for name in names}
    whole, others = data
    return whole, others


# ruff: noqa: B905  (zip has no `strict` in Python 3.9)


_BY_HAND = ("TypeError", "AttributeError")
"""What functions that do not know of lanes raise when they are given a value by lane."""
_COLUMN, _MORE = -1, -2
"""In place of the kind of a leaf: it is by lane; it belongs to the array before it."""


class RecordedFlattener(Flattener):
    """Flattens an output that may differ by lane: leaves by lane are told by the numbers of their values."""

    def __init__(self, recording: Recording) -> None:
        self._strings = Strings()
        super().__init__(self._strings)
        self._recording = recording

    def told(self, output: Any) -> Json:
        """The signature and the leaves: a kind and a value, or a number of a value by lane. Raises NotRecorded."""
        signature = self._node(output, 0)
        texts, leaves = self._strings.all(), []
        for kind, value in zip(self.kinds, self.values):
            if kind == _COLUMN:
                leaves.append(value)
            elif kind != _MORE:
                leaves.append([kind, texts[int(value)] if kind in TEXTUAL else float(value).hex()])
        return [signature, leaves]

    def _node(self, value: Any, depth: int) -> Any:
        if not isinstance(value, PerLane):
            return super()._node(value, depth)
        number = self._recording.values.number(value)
        if number is None:
            raise NotRecorded("an output comes from where nothing is recorded")
        if value.form != ARRAY:
            self._column(number, 1)
            return LEAF
        shape = shape_of(value)[-1]
        count = 1
        for length in shape:
            count *= length
        if not shape:
            raise NotRecorded("an output is an array without dimensions")
        room = min(count, MOST_LEAVES - len(self.kinds))
        self._column(number, room)
        return ("s", "array", tuple(shape), room)

    def _column(self, number: int, count: int) -> None:
        self.kinds += [_COLUMN] * bool(count) + [_MORE] * (count - 1)
        self.values += [[number, count]] * count


class RecordedPaths:
    """The paths of one request. lost: why some are missing."""

    def __init__(self) -> None:
        self.recording = Recording()
        self.paths: List[Json] = []
        self.lost: List[str] = []

    def __enter__(self) -> "RecordedPaths":
        current[0] = self.recording
        return self

    def __exit__(self, *_: Any) -> None:
        current[0] = None

    def take(self, output: Any) -> None:
        """The output of the path in hand."""
        tracer.go_on()
        if isinstance(output, Raised) and output.name in _BY_HAND:
            raise tracer.singly()
        recording = self.recording
        try:
            told = RecordedFlattener(recording).told(_with_plain_keys(output))
        except NotRecorded as reason:
            recording.lost = recording.lost or str(reason)
        if recording.lost:
            self.lost.append(recording.lost)
        else:
            self.paths.append([recording.steps, told])

    def answer(self) -> Dict[str, Any]:
        """The header of the answer."""
        alone = ["some runs cannot be made together with others"] * bool(tracer.left_out)
        return {"paths": self.paths, "lost": [*sorted(set(self.lost)), *alone]}


def made_of(described: List[Json]) -> List[Any]:
    """Draws that lanes have made, as `Tracer.run` takes them."""
    values = Values()
    return [(*(None if part is None else restored(part, values) for part in draw), None) for draw in described]


def _with_plain_keys(output: Any) -> Any:
    """Keys and items of sets are the same in all lanes, and may be values by lane in spite of that."""
    if type(output) in (list, tuple):
        return type(output)(map(_with_plain_keys, output))
    if type(output) is dict:
        return {tracer.choose(key): _with_plain_keys(value) for key, value in output.items()}
    if isinstance(output, (set, frozenset)):
        return type(output)(map(tracer.choose, output))
    if isinstance(output, dict) and any(isinstance(key, PerLane) for key in output):
        return {tracer.choose(key): _with_plain_keys(value) for key, value in output.items()}
    return output


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
        if own_generator:
            raise NotTraced("each run gets a generator of a class of its own")
        self._rng_kind, self._make_loop, self._named = rng_kind, make_loop, mechanism["named"]
        self._modules = modules or rewritten_modules(loader)
        self._draws = LaneDraws()
        self._patches: Any = None
        tracer.forget()
        tracer.modules += self._modules.loaded()
        try:
            self._module = self._modules.load(module)
            self._reached = reach(self._module, mechanism["qualname"], mechanism["receiver"])
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
        arguments = arguments_of(request["arguments"], self._named, self._module)
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
