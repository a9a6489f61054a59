"""Runs with recorded draws: every draw of the function is answered from recorded draws. Runs in the user's interpreter.

Nothing may draw past the recorded draws: what is no draw of a program ends its run with a complaint, and what cannot be
replaced (the entropy of the operating system, generators kept out of sight) is watched.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import pickle
import random
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional

import numpy as np

from ..distributions import GENERATOR, LEGACY, PYTHON, SCIPY, SIZE, DrawSignature, of, program_draws, reorder
from .calls import Loop
from .draw_events import Steps
from .flatten import Raised
from .generator_patches import (
    ALIASES,
    GeneratorPatches,
    HandedSeeds,
    SeededLibrary,
    Swap,
    is_real,
    is_seed,
    package_functions,
    random_state,
    rvs_swaps,
    with_seed,
)
from .generators import KEY, SEED
from .library_releases import LibraryReleases
from .recorded_draws import DrawMethod, RecordedDraws, ReplayEnded
from .streams import SEEDS, EntropySource, UnseededGenerators

_COPIES = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__")
_BITS = ("bit_generator", "_bit_generator")
_LIBRARIES: Dict[Any, Callable[..., Any]] = {np.random: random_state, random: random.Random}
_FAMILIES: Dict[Any, str] = {np.random: LEGACY, random: PYTHON}
"""Those that have a generator of their own, and what makes one like it of a seed."""


class Replay(GeneratorPatches):
    """Generators that answer from recorded draws, and the replacement of everything that draws by them."""

    def __init__(
        self,
        entropy_source: EntropySource,
        unseeded: UnseededGenerators,
        draws: Optional[RecordedDraws] = None,
        reorder: Callable[[Any, Any], None] = reorder,
    ) -> None:
        """draws: what answers. reorder: puts items in an order in place."""
        self.recorded_draws = RecordedDraws() if draws is None else draws
        self._reorder = reorder
        self._entropy_source = entropy_source
        self._unseeded = unseeded
        # Of these real generators' numbers only the types are looked at, and those of the stand-ins are never used.
        self._unused = np.random.SFC64(0)
        self._bits_of_all = bits = np.random.SFC64(0)
        self._python = random.Random(0)
        self._real = np.random.RandomState(bits)
        self._in_example = False
        self.methods: Dict[str, DrawMethod] = {}
        super().__init__(
            self._stand_in_of(np.random.Generator(bits), GENERATOR, self._unused),
            self._stand_in_of(np.random.RandomState(bits), LEGACY, self._unused),
            self._stand_in_of(self._python, PYTHON),
        )
        self.seeds = HandedSeeds(self._seed_of_run, self.recorded_draws.same, self.recorded_draws.refuse)
        self._make_rng, refuse = np.random.default_rng, self._refusal("seed with no seed")
        self._libraries = {module: SeededLibrary(make, refuse) for module, make in _LIBRARIES.items()}
        self._no_bits = _NoBits(self.recorded_draws)
        self._releases = LibraryReleases(self.recorded_draws, self._passing)
        self._numpy_state, self._python_state = np.random.get_state, random.getstate
        self._left_at: List[bytes] = []

    def of_kind(self, kind: str) -> Any:
        """A seed is handed to each run; see `HandedSeeds`. No program draws by keys."""
        if kind == KEY:
            return lambda: self.recorded_draws.refuse("a key of JAX")
        return self.seeds.hand if kind == SEED else super().of_kind(kind)

    def _seed_of_run(self) -> int:
        """A draw, or, for a program that leaves it out, one seed as well as another."""
        return self.random.randrange(SEEDS) if self.recorded_draws.has_seed(SEEDS) else 0

    def default_rng(self, seed: Any = None) -> Any:
        """The stand-in, also for a generator given as the seed; a real generator where there is a seed."""
        if seed is None or seed is self.generator or self.seeds.makes(GENERATOR, seed):
            return self.generator
        if not (is_seed(seed) or is_real(seed)):
            self.recorded_draws.refuse("default_rng with a seed")
        return self._make_rng(seed)

    def stand_in(self, value: Any) -> Any:
        """Bit generators are replaced too."""
        return self._no_bits if isinstance(value, np.random.BitGenerator) else super().stand_in(value)

    def library_swaps(self) -> List[Swap]:
        """Those of every stand-in; bit generators need a seed, and of `scipy.stats` there is what a program draws."""
        swaps = [self._library_swap(*swap) for swap in super().library_swaps()]
        for name, value in vars(np.random).items():
            if isinstance(value, type) and issubclass(value, np.random.BitGenerator):
                swaps.append((np.random, name, self._bits(name, value)))
        swaps += rvs_swaps(self._rvs)
        swaps += [(owner, name, self._of_package(owner, name, one)) for owner, name, one in package_functions()]
        return swaps + self.of_the_system() + self._releases.swaps()

    @contextlib.contextmanager
    def applied(self, modules: Iterable[Any]) -> Iterator[None]:
        """Replace everything, close the door to the operating system, and watch the generators that stay."""
        source = self._entropy_source.source
        self._entropy_source.source = _Closed(self.recorded_draws, source)
        try:
            with super().applied(modules):
                yield
        finally:
            self._entropy_source.source = source

    @contextlib.contextmanager
    def of(self, steps: Steps, tolerance: float, others: bool = False) -> Iterator[RecordedDraws]:
        """Inside, one replay of recorded draws; to be entered while the replay is applied. See `RecordedDraws.load`."""
        self.recorded_draws.load(steps, tolerance, others)
        self._left_at = self._states()
        yield self.recorded_draws
        if self._states() != self._left_at:
            self.recorded_draws.complain_of_all(
                "a generator that the replay does not reach has drawn in some of the runs"
            )

    def begin_run(self) -> None:
        """No library has got a seed yet."""
        for library in self._libraries.values():
            library.generator = None
        self.seeds.begin_run()

    def reseed(self, sequence: np.random.SeedSequence) -> None:
        """Real draws, which are made where a draw is no recorded one, follow this stream."""
        self._bits_of_all.state = np.random.SFC64(sequence).state
        self._python.seed(int(sequence.generate_state(1, np.uint64)[0]))

    def loop(self, loop: Loop) -> Loop:
        """The loop with the recorded draws of each run; the output of a run that cannot go on is that it raised."""

        def replayed(count: int, sink: Callable[[Any], None]) -> None:
            def finish(output: Any) -> None:
                recorded_draws.next_run()
                self.begin_run()
                sink(output)

            recorded_draws = self.recorded_draws
            end = recorded_draws.run + count
            while recorded_draws.run < end:
                try:
                    loop(end - recorded_draws.run, finish)
                except ReplayEnded as error:
                    finish(Raised(error))

        return replayed

    def _library_swap(self, owner: Any, name: str, new: Any) -> Swap:
        """What a library draws by itself is drawn from a real generator once it has a seed."""
        library = self._libraries.get(owner)
        if library is None or isinstance(new, type) or name == "default_rng":
            return owner, name, new
        if name != "seed":
            return owner, name, library.function(ALIASES.get(name, name), new)

        def seed(*given: Any, **named: Any) -> None:
            if self.seeds.makes(_FAMILIES[owner], *given, **named):
                library.generator = None
            else:
                library.seed(*given, **named)

        return owner, name, seed

    def _bits(self, name: str, kind: Any) -> Callable[..., Any]:
        def make(*seeds: Any, **named: Any) -> Any:
            return kind(*seeds, **named) if with_seed(*seeds, **named) else self.recorded_draws.refuse(name)

        return make

    def _of_package(self, owner: Any, name: str, signature: DrawSignature) -> Callable[..., Any]:
        """A function of a package that draws, which is called all the same, for errors and the type to give."""
        real = getattr(owner, name)

        def really(*args: Any, **named: Any) -> Any:
            with self._passing():
                return real(*args, **named)

        drawing = self._known(signature.method, really, signature, python=False)
        return lambda *args, **named: self.recorded_draws.draw(drawing, args, named)

    def _rvs(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """`rvs` of `scipy.stats`, which multiplies and adds what is no parameter of the law.

        Of whole noise it cuts off what is behind the point.
        """
        draws, ours = program_draws(SCIPY), (self.generator, self.random_state)
        methods: Dict[str, DrawMethod] = {}

        def rvs(law: Any, *args: Any, **named: Any) -> Any:
            if self._in_example:
                return real(law, *args, **named)
            signature = draws.get(getattr(law, "name", ""))
            if signature is None:
                return self.recorded_draws.refuse("rvs of scipy.stats")
            given = dict(zip(signature.names, args))  # noqa: B905  (no `strict` in Python 3.9)
            given.update(named)
            state = given.pop("random_state", None)
            state = self._libraries[np.random].generator if state is None else state
            if is_real(state) or is_seed(state):
                named.pop("random_state", None)
                return self._really(real, law, _state_of(state), *args, **named)
            if state is not None and not any(state is one for one in ours):
                return self.recorded_draws.refuse("rvs of scipy.stats with a random_state of its own")
            own = own_signature(signature)
            place = {name: given.pop(name) for name in ("loc", "scale") if name in given and name not in own.names}
            if signature.method not in methods:
                drawing = functools.partial(self._example, real, law)
                methods[signature.method] = DrawMethod(f"{signature.method}.rvs", drawing, own, python=False)
            drawn = self.recorded_draws.draw(methods[signature.method], (), given)
            moved = drawn * np.asarray(place.get("scale", 1)) + np.asarray(place.get("loc", 0))
            if "scale" in signature.names:
                return moved
            return moved.astype(np.int64) if moved.shape else int(moved)

        return rvs

    def _example(self, real: Callable[..., Any], law: Any, **named: Any) -> Any:
        return self._really(real, law, self._real, **named)

    def _really(self, real: Callable[..., Any], law: Any, generator: Any, *args: Any, **named: Any) -> Any:
        """A real draw of `scipy.stats`, which would not take a real generator while `numpy.random` is replaced."""
        state, law._random_state, self._in_example = law._random_state, generator, True
        try:
            return real(law, *args, **named)
        finally:
            law._random_state, self._in_example = state, False

    def _states(self) -> List[bytes]:
        states = [self._unused.state, self._numpy_state(legacy=False), self._python_state(), *self._unseeded.states()]
        return [pickle.dumps(state) for state in states]

    @contextlib.contextmanager
    def _passing(self) -> Iterator[None]:
        """Inside, a library that is called for an example really draws, maybe from generators that are watched."""
        is_left = self._states() == self._left_at
        try:
            with self.recorded_draws.passing():
                yield
        finally:
            if is_left:
                self._left_at = self._states()

    def _stand_in_of(self, real: Any, family: str, *args: Any) -> Any:
        """An instance, made with `args`, of a subclass of the real generator's class.

        To call the subclass gives this one instance again.
        """
        base: Any = type(real)
        draws = program_draws(family)
        methods: Dict[str, Any] = {
            name: self._method(real, name, draws.get(name))
            for name in dir(base)
            if name[0] != "_" and callable(getattr(base, name))
        }
        methods.update({name: self._refusal(f"{base.__name__}.{name}") for name in _COPIES})
        methods.update(
            {name: property(self._refusal(f"{base.__name__}.{name}")) for name in _BITS if hasattr(base, name)}
        )

        def make(_: Any, *seeds: Any, **named: Any) -> Any:
            if self.seeds.makes(family, *seeds, **named):
                return made
            if with_seed(*seeds, **named):
                return (random_state if family == LEGACY else base)(*seeds, **named)
            if any(seed is not None for seed in (*seeds, *named.values())):
                self.recorded_draws.refuse(f"{base.__name__} with a seed")
            return made

        kind: Any = type(f"Replayed{base.__name__}", (base,), methods)
        made = base.__new__(kind)
        if args:  # Python's has no need of it, and it would call `seed`
            base.__init__(made, *args)
        kind.__new__, kind.__init__ = make, _leave_as_it_is
        return made

    def _method(self, real: Any, name: str, signature: Optional[DrawSignature]) -> Callable[..., Any]:
        label = f"{type(real).__name__}.{name}"
        drawing = self._known(label, getattr(real, name), signature, python=isinstance(real, random.Random))
        draw = self.recorded_draws.draw
        if signature is not None and signature.listed:
            return self._listed(label, getattr(real, name), signature)
        if signature is not None and signature.in_place:
            return self._in_place(label, real, signature)
        if name == "randrange":
            return self._stepwise(drawing)

        def method(_: Any, *args: Any, **named: Any) -> Any:
            return draw(drawing, args, named)

        return method

    def _known(self, label: str, real: Any, signature: Optional[DrawSignature], *, python: bool) -> DrawMethod:
        self.methods[label] = DrawMethod(label, real, signature, python)
        return self.methods[label]

    def _listed(self, label: str, real: Callable[..., Any], signature: DrawSignature) -> Callable[..., Any]:
        """`choices` of `random`: of a list of one, the item is the draw."""
        first = _without(signature, "k")
        one = self._known(label, lambda *args, **named: real(*args, **named)[0], first, python=True)

        def method(_: Any, *args: Any, **named: Any) -> Any:
            if named.pop("k", 1) != 1:
                return self.recorded_draws.refuse(f"{label} of more than one")
            return [self.recorded_draws.draw(one, args, named)]

        return method

    def _stepwise(self, drawing: DrawMethod) -> Callable[..., Any]:
        """`randrange`: with a step the draw is the place in the range."""

        def method(_: Any, *args: Any, **named: Any) -> Any:
            if len(args) != 3 or named or args[2] == 1:
                return self.recorded_draws.draw(drawing, args, named)
            numbers = range(*args)
            if not numbers:
                return drawing.real(*args)
            return numbers.start + numbers.step * self.recorded_draws.draw(drawing, (len(numbers),), {})

        return method

    def _in_place(self, label: str, real: Any, signature: DrawSignature) -> Callable[..., Any]:
        """`shuffle`: the draw is the order, that of so many items."""
        order = self._known(label, lambda x: signature.call(real, {"x": x}, None), signature, python=False)

        def method(_: Any, x: Any, *others: Any, **named: Any) -> None:
            if others or named:
                self.recorded_draws.refuse(f"{label} of more than the items")
            self._reorder(x, self.recorded_draws.draw(order, (len(x),), {}))

        return method

    def _refusal(self, what: str) -> Callable[..., Any]:
        def refuse(*_: Any, **__: Any) -> Any:
            return self.recorded_draws.refuse(what)

        return refuse


class _Closed:
    """The door to the operating system during a replay."""

    def __init__(self, recorded_draws: RecordedDraws, source: Any) -> None:
        self._recorded_draws, self._source = recorded_draws, source

    def bytes(self, count: int) -> Any:
        if self._recorded_draws.passes:
            return self._source.bytes(count)
        return self._recorded_draws.refuse("the operating system for random bytes")


class _NoBits:
    """In place of a bit generator that the user's module keeps."""

    def __init__(self, recorded_draws: RecordedDraws) -> None:
        self._recorded_draws = recorded_draws

    def __getattr__(self, name: str) -> Any:
        return self._recorded_draws.refuse(f"a bit generator's {name}")


def _without(signature: DrawSignature, name: str) -> DrawSignature:
    return dataclasses.replace(signature, arguments=tuple(one for one in signature.arguments if one.name != name))


def own_signature(signature: DrawSignature) -> DrawSignature:
    """Without the loc and the scale that are no parameters of the law."""
    names = {*of(signature.distribution).names, SIZE, None}
    return dataclasses.replace(signature, arguments=tuple(one for one in signature.arguments if one.parameter in names))


def _state_of(state: Any) -> Any:
    """The generator that SciPy makes of a `random_state`."""
    return state if is_real(state) else random_state(state)


def _leave_as_it_is(*_: Any, **__: Any) -> None:
    """In place of a constructor, which would draw a seed."""
