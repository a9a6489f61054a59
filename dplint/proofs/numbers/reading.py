"""The reading of a program that a proof rests on, as runs with known data, arguments and noise.

A proof is about terms that the checker makes of a program. Here numbers are put in for their variables, so that what it
takes the function to do can be held against what a call of the function does on the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dplint.claims import Literal, Mechanism
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.liveness import Liveness, liveness_of
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.program.runs import DrawCallback, Run
from dplint.proofs.alignment import ANY, Shape
from dplint.proofs.checker.data_forms import in_known_form
from dplint.proofs.checker.drawn import Drawn
from dplint.proofs.checker.exponentials import Exponentials
from dplint.proofs.checker.growing import with_counters
from dplint.proofs.checker.inputs import Given
from dplint.proofs.checker.missing import with_known_values
from dplint.proofs.checker.observed import with_all_that_is_observed
from dplint.proofs.checker.outcomes import spelled_out
from dplint.proofs.checker.releases import with_releases
from dplint.proofs.checker.seeds import as_without_seed
from dplint.proofs.checker.values import NOWHERE, Leaves, NotProved, exact
from dplint.proofs.numbers.inputs import KnownInputs, assign, given_case, shape_of
from dplint.proofs.numbers.walks import (
    Asked,
    ByNumbers,
    NoiseWalk,
    NormalWalk,
    NumberWalk,
    PlainWalk,
    TossedWalk,
    WeightedWalk,
)
from dplint.proofs.proving import chooses, tosses_coins
from dplint.proofs.terms import NoNumber, Number, NumbersOfTerms

_MOST_REFUSED = 6
"""Runs after which a way is given up that has read none."""
_REFUSED = (NotProved, NoNumber, UnsupportedConstruct)
Sides = tuple[Literal, Literal]


@dataclass(slots=True)
class _Way:
    """One way to read: a program, by a kind of run, with data as it is or of any length.

    kind: None for coins. asked: of z3, by other runs. refused: how many runs in a row, from the first on.
    """

    program: Program
    liveness: Liveness
    kind: type[NumberWalk] | None
    whole: bool
    any_length: bool
    asked: dict[tuple[Shape, int], Asked] = field(default_factory=dict)
    refused: int = 0


@dataclass(frozen=True, slots=True)
class KnownDraw:
    """One draw of a run. noise: without its location. base, scale: as of `Drawn`. single: for no data of any length."""

    key: str
    noise: Number
    base: Number | None
    scale: Number
    single: bool


class CheckedReading:
    """What a proof takes a function to do.

    program, mechanism: as the search for proofs was given them. scope: of the proof. beginnings: the programs that were
    proved in place of the whole one. Rewritings that change draws are left out, for each is justified by itself: what
    is compared is the program that they begin with.
    """

    def __init__(
        self, program: Program, mechanism: Mechanism, scope: Scope, beginnings: Sequence[Program] = ()
    ) -> None:
        known = with_releases(with_all_that_is_observed(as_without_seed(program), mechanism))
        known, self._mechanism = with_known_values(*in_known_form(with_counters(known), mechanism))
        self._scope = scope
        self.drawn: tuple[KnownDraw, ...] = ()
        """The draws of the last run whose noise may be moved."""
        self._ways = [way for one in (known, *beginnings) for way in self._ways_of(one, whole=one is known)]

    def _ways_of(self, program: Program, *, whole: bool) -> list[_Way]:
        sizes, liveness = self._scope.sizes, liveness_of(program)
        lengths = (True, False) if sizes is not None and sizes.largest is None else (False,)
        kinds: tuple[type[NumberWalk], ...] = (NormalWalk if self._mechanism.claim.delta else NoiseWalk,)
        if self._mechanism.claim.stable is not None:
            kinds = (PlainWalk,)
        elif chooses(program):
            kinds = (WeightedWalk, *kinds)
        ways = [_Way(program, liveness, kind, whole, length) for length in lengths for kind in kinds]
        return [_Way(spelled_out(program), liveness, None, whole, False), *ways] if tosses_coins(program) else ways

    def run(
        self, sides: Sides, side: int, arguments: Mapping[str, Literal], draws: Callable[[], DrawCallback]
    ) -> tuple[Run, bool]:
        """The run on one of two neighbours, 1 or 2; and whether it is one of the function, not of a beginning of it.

        draws: called when a run begins, which may be more than once; what it gives is asked for each draw that the run
        makes, in their order. Raises UnsupportedConstruct where no proof would look at such data, or what comes out is
        not known. What draws raise is passed on.
        """
        reason: Exception | None = None
        for way in self._ways:
            if way.refused >= _MOST_REFUSED:
                continue
            try:
                run = self._tossed if way.kind is None else self._noisy
                ended, is_known = run(way, sides, side, arguments, draws())
            except _REFUSED as error:
                reason = error
                way.refused += way.refused >= 0
            else:
                way.refused = -1
                return ended, way.whole and is_known
        raise unsupported(str(reason), NOWHERE)

    def _given(self, arguments: Mapping[str, Literal]) -> Given:
        given = given_case(self._mechanism, self._scope, arguments)
        if given is None:
            raise NoNumber("arguments that the proof does not speak of")
        return given

    def _noisy(
        self, way: _Way, sides: Sides, side: int, arguments: Mapping[str, Literal], draw: DrawCallback
    ) -> tuple[Run, bool]:
        shape = shape_of(self._mechanism, self._scope, *sides, any_length=way.any_length)
        if shape is None:
            raise NoNumber("data that the proof does not speak of")
        known = KnownInputs(self._mechanism, shape, self._given(arguments), sides, arguments)
        numbers = NumbersOfTerms(known.values)
        decider = ByNumbers(known.inputs.world, numbers, way.asked.setdefault((shape, side), {}))
        assert way.kind is not None
        walk = way.kind(side, decider, Leaves(), way.program)
        walk.numbers, walk.callback, walk.shows = numbers, draw, way.program.observed
        inputs = known.inputs.first if side == 1 else known.inputs.second
        long = shape.size == ANY
        evaluate(way.program, walk, inputs, hooks=walk if long else None, liveness=way.liveness if long else None)
        ended = _ended(walk, numbers)
        try:
            self.drawn = tuple(_known(one, numbers) for one in walk.draws)
        except NoNumber:  # of a record that stands for all
            self.drawn = ()
        return ended

    def _tossed(
        self, way: _Way, sides: Sides, side: int, arguments: Mapping[str, Literal], draw: DrawCallback
    ) -> tuple[Run, bool]:
        given, values = self._given(arguments), dict[str, Number]()
        for name, argument in arguments.items():
            assign(values, given.values[name], argument)
        numbers = NumbersOfTerms(values)
        walk = TossedWalk(Exponentials(given.world), Leaves(), numbers, draw)
        walk.shows = way.program.observed
        evaluate(way.program, walk, {**given.values, str(self._mechanism.data): exact(sides[side - 1])})
        return _ended(walk, numbers)


def _known(drawn: Drawn, numbers: NumbersOfTerms) -> KnownDraw:
    base = None if drawn.base is None else numbers.of(drawn.base)
    return KnownDraw(drawn.key, numbers.of(drawn.number), base, numbers.of(drawn.scale), drawn.source is None)


def _ended(walk: NumberWalk | TossedWalk, numbers: NumbersOfTerms) -> tuple[Run, bool]:
    """The output for which the numbers hold, and whether it is known: of tables it may not be."""
    for output in walk.outputs:
        mask: Any = output.mask
        if numbers.of(mask):
            if output.kind != "value":
                return Run(exception=(output.kind, ())), True
            try:
                return Run(numbers.python(output.value)), True
            except NoNumber:
                return Run(), False
    raise NoNumber("no output holds")
