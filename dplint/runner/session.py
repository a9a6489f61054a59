"""The requests that a runner answers. Runs in the user's interpreter."""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import contextlib
import gc
import inspect
from functools import partial
from itertools import islice
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .calls import RECEIVED, Loop, Reached, compile_loop, numbers_of, reach
from .canaries import Releases, Trainings, releases
from .constants import Watched, constants_of
from .data_forms import DataForms, first_of_equals, shown_as, text_of
from .draw_events import Reader, steps_of
from .effect_guard import EffectGuard
from .encode import PROBES, Columns, Mode, finished
from .failures import INPUT, INTERNAL, Failure, failure_of, summary, user_traceback
from .flatten import MOST_LEAVES
from .fresh_values import Recipe, arguments_of, find, of_claim
from .generator_patches import GeneratorPatches, made, own_class
from .generators import KEY, SEED, kind_of
from .heartbeat import Heartbeat
from .literals import encode
from .loading import Loader
from .noise_free import NoiseFreePatches, noting
from .observing import FILES, Observer
from .recorder import LaneArgument, LaneData, Recorder, RecorderInHand, rewritten_ahead, taken_apart
from .replay import Replay
from .streams import EntropySource, Stream, UnseededGenerators
from .tracing import DrawTape, TracedPatches
from .watch import DrawLog, Lines, PassedOver, WatchedPatches, is_own

Answer = Tuple[Dict[str, Any], List[Any]]
_DOING = {"import": "the import", "load": "the import", "pairs": "the neighbour function", "curve": "the curve"}
_BULK, _SPAWN_UNSEEDED = 4096, 1 << 30


class RunnerSession:
    """One mechanism, loaded, and what is kept of it between requests."""

    def __init__(
        self, decorator: str, effect_guard: EffectGuard, entropy_source: EntropySource, heartbeat: Heartbeat
    ) -> None:
        self.heartbeat = heartbeat
        self._effect_guard = effect_guard
        self._entropy_source = entropy_source
        self._loader = Loader(decorator, effect_guard.forgiven)
        self._unseeded = UnseededGenerators(entropy_source)
        self._noise_free: Optional[NoiseFreePatches] = None
        self._replaying: Optional[Replay] = None
        self._forms = DataForms()
        self._objects: List[Any] = []
        self._mechanism: Dict[str, Any] = {}
        self._module: Any = None
        self._reached: Optional[Reached] = None
        self._observer: Optional[Observer] = None
        self._rng: Any = None
        self._rng_kind = ""
        self._rng_class: Optional[type] = None
        self._mode = Mode()
        self._recorder = RecorderInHand(self._made_recorder, effect_guard.check)
        self._rewritten: Dict[Any, Any] = {}
        self._watched = Watched()
        self._trainings = Trainings()

    def answer(self, request: Dict[str, Any], body: bytes = b"") -> Answer:
        """The answer to one request; whatever goes wrong is an answer too."""
        self._effect_guard.reset()
        request["body"] = body
        handler = {
            "import": self._import,
            "load": self._load,
            "pairs": self._make_pairs,
            "curve": self._curve,
            "sample": self._sample,
            "look": self._look,
            "trace": self._trace,
            "constants": self._constants,
            "replay": self._replay,
            "record": self._record,
            "train": self._train,
        }.get(request["do"])
        doing = _DOING.get(request["do"], "a run")
        try:
            if handler is None:
                raise Failure(INTERNAL, f"unknown request {request['do']!r}")
            answer = handler(request)
            self._effect_guard.check()
            return answer
        except BaseException as error:
            failure = self._watched.blamed(failure_of(error, doing), error)
            try:
                self._effect_guard.check()
            except Failure as effect:
                failure = effect
            return {"failure": failure.document}, []
        finally:
            self.heartbeat.at(None)

    def _import(self, request: Dict[str, Any]) -> Answer:
        mechanism = request["mechanism"]
        with self._unseeded, self._effect_guard.while_importing():
            self._module = self._loader.module(
                mechanism["module"],
                mechanism["path"],
                mechanism["import_root"],
                mechanism["project_root"],
                request["text"],
            )
        self._watched.look()
        self._effect_guard.check()
        if request["do"] == "import":  # those that are forked from here find it rewritten, too
            with self._unseeded, self._effect_guard.while_importing():
                self._rewritten = {self._module: rewritten_ahead(self._loader, self._module)}
            self._effect_guard.reset()
        return {}, []

    def _load(self, request: Dict[str, Any]) -> Answer:
        self._import(request)
        mechanism = request["mechanism"]
        self.heartbeat.forget_speed()
        try:
            self._reached = reach(self._module, mechanism["qualname"], mechanism["receiver"])
        except Failure as failure:
            raise self._loader.explained(failure, self._module, mechanism["qualname"]) from None
        self._mechanism = mechanism
        takes = self._reached.takes
        code = self._reached.factory if takes else self._reached.code
        self._forms.load(code, takes or mechanism["data"], mechanism["apart"], mechanism["plain"])
        rng = self._rng = mechanism["rng"] or self._reached.rng
        self._rng_kind = kind_of(rng, mechanism["rng_annotation"], mechanism["body"])
        taking = self._reached.code if self._reached.rng is None else self._reached.factory
        self._rng_class = own_class(taking, rng, self._loader.own_modules())
        self._observer = Observer(mechanism["observe"]) if mechanism["observe"] else None
        self._effect_guard.files_observed = FILES in mechanism["observe"]
        self._mode, self._noise_free = Mode(), None
        self._recorder.forget()
        self._objects = []
        # Collections during the runs need not look at what the imports made.
        gc.collect()
        gc.freeze()
        return {"left_out": self._loader.left_out()}, []

    def _make_pairs(self, request: Dict[str, Any]) -> Answer:
        stream = self._stream(request, 0)
        stream.enter(self._entropy_source)
        function = self._own_function(request["reference"], "neighbors")
        try:
            wants_rng = [
                name
                for name in inspect.signature(function).parameters
                if name in ("rng", "prng", "random_state", "generator")
            ]
        except (TypeError, ValueError):
            wants_rng = []
        try:
            made = list(islice(iter(function(**dict.fromkeys(wants_rng, stream.rng))), request["limit"]))
        except MemoryError:
            raise
        except Exception as error:
            raise Failure(INPUT, f"the neighbour function failed: {summary(error)}", user_traceback(error)) from None
        shown = []
        for number, pair in enumerate(made):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise Failure(
                    INPUT, f"the neighbour function must yield pairs (d1, d2); item {number} is {text_of(pair)}"
                )
            shown.append([shown_as(pair[0]), shown_as(pair[1]), len(pair[0]) if hasattr(pair[0], "__len__") else 1])
        self._objects = [one for pair in made for one in pair]
        numbers = first_of_equals(self._objects)
        for number, row in enumerate(shown):
            row.append(numbers[2 * number : 2 * number + 2])
        return {"pairs": shown}, []

    def _curve(self, request: Dict[str, Any]) -> Answer:
        """What the claim's own curve says for each of some epsilons, as text where it is no number."""
        self._stream(request, 0).enter(self._entropy_source)
        return {"deltas": numbers_of(self._own_function(request["reference"], "curve"), request["epsilons"])}, []

    def _own_function(self, reference: str, field: str) -> Any:
        return of_claim(self._module, reference, field, self._reached.code if self._reached else None)

    def _record(self, request: Dict[str, Any]) -> Answer:
        return self._recorder.record(request, self.heartbeat)

    def _made_recorder(self) -> Recorder:
        own = self._rng_class is not None
        with self._unseeded, self._effect_guard.while_importing():
            made = (self._loader, self._module, self._mechanism, self._rng_kind, self._loop)
            recorder = Recorder(*made, modules=self._rewritten.get(self._module), own_generator=own)
        recorder.replace_draws(self._entropy_source, self._unseeded)
        return recorder

    def _sample(self, request: Dict[str, Any]) -> Answer:
        columns = [Columns(self._mode) for _ in request["datas"]]
        streams, loops = self._prepare(request)
        if request["noise_free"]:
            with self._noise_free_patches().applied(self._loader.own_modules()):
                self._alternate(request, streams, loops, columns)
        else:
            self._alternate(request, streams, loops, columns)
        batches, buffers = finished(columns)
        return {"batches": batches}, buffers

    def _look(self, request: Dict[str, Any]) -> Answer:
        """Watched runs: the outputs, what is drawn, and if they are asked for the steps from line to line, or the lines
        that none of them takes.
        """
        datas, arguments = self._inputs(request)
        sequence = self._reseeded(request)
        self._stream(request, 0).enter(self._entropy_source)
        own = self._own()
        log, lines = DrawLog(own), Lines(own)
        passed_over = PassedOver(self._mechanism["path"])
        header: Dict[str, Any] = {"batches": [], "draws": [], "lines": [], "passed_over": []}
        buffers: List[Any] = []
        noise_free = request["noise_free"]
        patches: Any = self._noise_free_patches() if noise_free else WatchedPatches(sequence, log.note)
        loops = [self._loop(data, arguments, self._passed(request, patches)) for data in datas]
        with patches.applied(self._loader.own_modules()), noting(log.note if noise_free else None):
            for number, loop in enumerate(loops):
                self.heartbeat.at(number)
                self.heartbeat.part(request["runs"])
                column = Columns(Mode())
                log.places = {}
                if noise_free:
                    patches.begin()
                with contextlib.ExitStack() as watching:
                    taken = watching.enter_context(lines) if request["lines"] else set()
                    if request["passed_over"]:
                        watching.enter_context(passed_over)
                    loop(request["runs"], column.take)
                self.heartbeat.ended(request["runs"])
                batch, parts = column.finish()
                header["batches"].append(batch)
                header["draws"].append(log.described())
                header["lines"].append(sorted(taken))
                buffers += parts
        header["passed_over"] = passed_over.lines(self._module) if request["passed_over"] else []
        return header, buffers

    def _trace(self, request: Dict[str, Any]) -> Answer:
        """Runs with what they draw: the outputs, and the standardized draws of each run."""
        datas, arguments = self._inputs(request)
        sequence = self._reseeded(request)
        self._stream(request, 0).enter(self._entropy_source)
        noise = np.random.Generator(np.random.SFC64(sequence.spawn(1)[0]))
        tape = DrawTape(noise, self._own(), request["most"])
        patches = TracedPatches(sequence, tape)
        loops = [self._loop(data, arguments, self._passed(request, patches)) for data in datas]
        most = max(MOST_LEAVES, request["most"])
        columns = [Columns(Mode(), most=most) for _ in loops]
        draws: List[List[Any]] = [[] for _ in loops]
        if request["given"] is not None:
            tape.give(*request["given"])

        def run(number: int, count: int) -> None:
            def take(output: Any) -> None:
                tape.placing = False
                draws[number].append(tape.taken())
                columns[number].take(output)

            self.heartbeat.part(count)
            tape.begin()
            # One run is enough to know where the draws are made.
            tape.placing = not draws[number]
            loops[number](count, take)
            self.heartbeat.ended(count)

        with patches.applied(self._loader.own_modules()):
            self._in_turns(request, run)
        batches, buffers = finished(columns)
        return {"batches": batches, "draws": draws}, buffers

    def _constants(self, request: Dict[str, Any]) -> Answer:  # noqa: ARG002 - it asks for nothing else
        if self._reached is None:
            raise Failure(INTERNAL, "nothing is loaded yet")
        found = constants_of(self._reached.code, self._own())
        return {"constants": [encode(value) for value in found]}, []

    def _replay(self, request: Dict[str, Any]) -> Answer:
        replay, reader = self._replay_patches(), Reader(request["body"])
        columns: List[Columns] = []
        seen: List[Dict[str, Any]] = []
        generator = replay.of_kind(self._rng_kind)
        inputs = map(self._inputs, request["replays"])
        loops = [replay.loop(self._loop(data, arguments, generator)) for (data,), arguments in inputs]
        with replay.applied(self._loader.own_modules()):
            for number, (asked, loop) in enumerate(zip(request["replays"], loops)):
                self.heartbeat.at(number)
                steps = steps_of(asked["events"], reader, asked["runs"])
                lines = Lines(self._own())
                columns.append(Columns(self._mode))
                recorded = replay.of(steps, asked["tolerance"], asked["others"])
                with recorded as recorded_draws, lines if asked["lines"] else contextlib.nullcontext():
                    self._run_block(loop, asked["runs"], columns[-1])
                seen.append({**recorded_draws.described(), "lines": sorted(lines.reached)})
        batches, buffers = finished(columns)
        return {"batches": batches, "seen": seen}, buffers

    def _train(self, request: Dict[str, Any]) -> Answer:
        """See `canaries`. A training that goes on is where its own random state has come to."""
        (data, arguments), learns = self._inputs(request), request["step"] == "learn"
        patches = self._noise_free_patches()
        if request["step"] != "go on":
            self._reseeded(request)

        def run_of(records: Any) -> Releases:
            stream = self._stream(request, 0)
            patches.begin()
            rng = patches.of_kind(self._rng_kind) if learns and self._rng_class is None else stream.rng
            loop = self._loop(records, arguments, rng, drained=False)
            return releases(loop, lambda: stream.enter(self._entropy_source), stream.leave)

        trainings = self._trainings
        trainings.run_of, trainings.find, trainings.heartbeat = run_of, partial(find, self._module), self.heartbeat
        silent = patches.applied(self._loader.own_modules(), everybody=request.get("everybody"))
        with silent if learns else contextlib.nullcontext():
            return trainings.answer(request, data), []

    def _replay_patches(self) -> Replay:
        if self._replaying is None:
            self._replaying = Replay(self._entropy_source, self._unseeded)
        return self._replaying

    def _prepare(self, request: Dict[str, Any]) -> Tuple[List[Stream], List[Loop]]:
        datas, arguments = self._inputs(request)
        self._reseeded(request)
        streams = [self._stream(request, number) for number in range(len(datas))]
        is_ours = request["noise_free"] and self._rng_class is None
        noise_free_generator = self._noise_free_patches().of_kind(self._rng_kind) if is_ours else None
        loops = [
            self._loop(data, arguments, noise_free_generator or stream.rng) for data, stream in zip(datas, streams)
        ]
        return streams, loops

    def _inputs(self, request: Dict[str, Any]) -> Tuple[List[Any], Dict[str, Any]]:
        """The data values and the arguments of a request."""
        if self._reached is None:
            raise Failure(INTERNAL, "nothing is loaded yet")
        arguments = arguments_of(request["arguments"], self._mechanism["named"], self._module)
        return self._forms.build(request["datas"], self._objects), arguments

    def _loop(
        self, data: Any, arguments: Dict[str, Any], rng: Any, reached: Optional[Reached] = None, drained: bool = True
    ) -> Loop:
        mechanism, reached = self._mechanism, reached or self._reached
        assert reached is not None
        given = dict(arguments)
        if mechanism["data"] is not None:
            if mechanism["apart"]:
                data, others = taken_apart(data, [name for name, _ in mechanism["apart"]])
                given.update(others)
            place = RECEIVED if reached.data_in_receiver else mechanism["data"]
            given[place] = data
        shared: List[str] = []
        made = [name for name, value in given.items() if isinstance(value, (LaneData, LaneArgument, Recipe))]
        if mechanism["rng"] is not None:
            (made if self._rng_kind in (SEED, KEY) else shared).append(mechanism["rng"])
            given[mechanism["rng"]] = rng
        source = None if reached.rng is None else rng if self._rng_kind in (SEED, KEY) else lambda: rng
        observer, parameters = self._observer, mechanism["parameters"]
        return compile_loop(reached, given, parameters, shared, made, observer, source, drained=drained)

    def _alternate(
        self, request: Dict[str, Any], streams: Sequence[Stream], loops: Sequence[Loop], columns: Sequence[Columns]
    ) -> None:

        def run(number: int, count: int) -> None:
            streams[number].enter(self._entropy_source)
            self._run_block(loops[number], count, columns[number])
            streams[number].leave()

        self._in_turns(request, run)

    def _in_turns(self, request: Dict[str, Any], run: Callable[[int, int], None]) -> None:
        """Run the data values in turns, a block each, in reversed order on every other round."""
        order = list(range(len(request["datas"])))
        left = request["runs"]
        while left > 0:
            count = min(request["block"], left)
            left -= count
            for number in order:
                self.heartbeat.at(number)
                run(number, count)
            order.reverse()
            self._effect_guard.check()

    def _run_block(self, loop: Loop, count: int, columns: Columns) -> None:
        while count > 0:
            part = self.heartbeat.part(min(count, PROBES if self._mode.careful else _BULK))
            if self._mode.careful:
                loop(part, columns.take)
            else:
                outputs: List[Any] = []
                loop(part, outputs.append)
                columns.take_block(outputs)
            self.heartbeat.ended(part)
            count -= part

    def _reseeded(self, request: Dict[str, Any]) -> np.random.SeedSequence:
        """A seed of the request, by which generators that were made without one go on."""
        entropy, spawn_key = request["seed"]
        sequence = np.random.SeedSequence(entropy, spawn_key=(*spawn_key, _SPAWN_UNSEEDED))
        self._unseeded.reseed(sequence)
        return sequence

    def _own(self) -> Callable[[str], bool]:
        return is_own(self._loader.roots, self._loader.is_foreign)

    def _stream(self, request: Dict[str, Any], number: int) -> Stream:
        entropy, spawn_key = request["seed"]
        return Stream(entropy, (*spawn_key, number), self._rng_kind, self._own_generator)

    def _own_generator(self, sequence: np.random.SeedSequence) -> Any:
        """A generator of the class of the user's that the parameter takes; None where it takes those of a library."""
        if self._rng_class is None:
            return None
        # What its constructor takes from the operating system, where it has no seed.
        self._entropy_source.source = np.random.Generator(np.random.SFC64(sequence.spawn(1)[0]))
        return made(self._rng_class, self._rng, sequence)

    def _passed(self, request: Dict[str, Any], patches: GeneratorPatches) -> Any:
        """The generator to pass in while patches are applied."""
        if self._rng_class is None:
            return patches.of_kind(self._rng_kind)
        return self._stream(request, 0).rng

    def _noise_free_patches(self) -> NoiseFreePatches:
        self._noise_free = self._noise_free or NoiseFreePatches()
        return self._noise_free
