"""The reading of a program that a proof rests on, as runs with known data, arguments and noise.

A proof is about terms that the checker makes of a program. Here numbers are put in for their variables, so that what it
takes the function to do can be held against what a call of the function does on the same draws.

Neighbours of the checker, which are variables, and what these are for two values that are known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import z3

from dplint.claims import Columns, Domain, Interval, Literal, Mechanism
from dplint.inputs.forms import data_form
from dplint.outcomes import OtherText, Scope
from dplint.program.evaluator import evaluate
from dplint.program.interpretation import DrawCallback, Run
from dplint.program.liveness import Liveness, liveness_of
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.proofs.alignment import ANY, Shape
from dplint.proofs.checker import laws
from dplint.proofs.checker.bags import LENGTH
from dplint.proofs.checker.data_forms import in_known_form
from dplint.proofs.checker.drawn import Drawn
from dplint.proofs.checker.exponentials import Exponentials
from dplint.proofs.checker.growing import with_counters
from dplint.proofs.checker.inputs import ORDERS, RANGE, VECTORS, Given, Inputs, cases, neighbours
from dplint.proofs.checker.missing import KNOWN, VALUE, with_known_values
from dplint.proofs.checker.observed import with_all_that_is_observed
from dplint.proofs.checker.outcomes import spelled_out
from dplint.proofs.checker.releases import with_releases
from dplint.proofs.checker.seeds import as_without_seed
from dplint.proofs.checker.values import (
    NOWHERE,
    AnyText,
    Choice,
    Entries,
    Items,
    Leaves,
    Mask,
    NotProved,
    Table,
    Value,
    exact,
)
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
from dplint.relations import Neighbourhood, relation_of


def shape_of(mechanism: Mechanism, scope: Scope, d1: Literal, d2: Literal, *, any_length: bool) -> Shape | None:
    """The shape of two neighbours; None if no shape of the checker is theirs. any_length: one of `ANY` size."""
    definition = relation_of(mechanism.claim).definition
    if definition is None:
        for number, pair in enumerate(scope.pairs or ()):
            for order, sides in zip(ORDERS, (pair, pair[::-1]), strict=True):
                if repr(sides) == repr((d1, d2)):
                    return Shape(len(d1) if isinstance(d1, list | tuple | dict) else 1, f"{order} {number}")
        return None
    if definition is Neighbourhood.ANY_TWO or data_form(mechanism) == "scalar":
        return Shape(1, _direction(mechanism, d1, d2))
    if not isinstance(d1, list) or not isinstance(d2, list):
        return None
    if definition in VECTORS:
        return None if any_length else Shape(len(d1), _direction(mechanism, d1, d2))
    edit = _edit(d1, d2)
    if edit is None or not any_length:
        return None if edit is None else Shape(len(d1), edit)
    return Shape(ANY, f"{edit.partition(' ')[0]} any") if min(len(d1), len(d2)) >= 1 else None


def _direction(mechanism: Mechanism, d1: Literal, d2: Literal) -> str:
    if relation_of(mechanism.claim).definition is not Neighbourhood.ONE_DIRECTION:
        return ""
    rows = zip(*((one,) if not isinstance(one, list | tuple) else one for one in (d1, d2)), strict=True)
    return "up" if all(a <= b for a, b in rows) else "down"


def _edit(d1: Sequence[Literal], d2: Sequence[Literal]) -> str | None:
    """How one list of records becomes the other: "add 2", "remove 0", "replace 1"; None for anything else."""
    first, second = [list(map(repr, side)) for side in (d1, d2)]
    same = next((k for k, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(d1), len(d2)))
    if len(first) == len(second):
        same = min(same, len(first) - 1)
        return f"replace {same}" if same >= 0 and first[same + 1 :] == second[same + 1 :] else None
    if len(second) == len(first) + 1:
        return f"add {same}" if first[same:] == second[same + 1 :] else None
    return f"remove {same}" if len(first) == len(second) + 1 and first[same + 1 :] == second[same:] else None


def given_case(mechanism: Mechanism, scope: Scope, arguments: Mapping[str, Literal]) -> Given | None:
    """The case of the scope that these arguments belong to; None if there is none."""
    for given in cases(mechanism, scope, with_delta=True, promises=("rho", "mu", RANGE)):
        if all(_fits(value, arguments[name], given.values[name]) for name, value in given.case):
            return given
    return None


def _fits(value: Any, argument: Literal, term: Value) -> bool:
    if isinstance(value, OtherText):
        return isinstance(argument, str) and isinstance(term, AnyText) and argument not in term.others
    return repr(value) == repr(argument) or (type(value) is type(argument) and value == argument)


class KnownInputs:
    """Two neighbours of one shape, as the checker has them, and the numbers of their variables and of arguments.

    Raises NoNumber where the data does not fit the shape.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        shape: Shape,
        given: Given,
        sides: tuple[Literal, Literal],
        arguments: Mapping[str, Literal],
    ) -> None:
        # What is claimed is of no interest here, and may be an expression that only some proofs read.
        plain = replace(mechanism, claim=replace(mechanism.claim, epsilon=1.0))
        self.inputs: Inputs = neighbours(plain, shape, given)
        self.arguments = arguments
        self.values: dict[str, Number] = {}
        for name, argument in arguments.items():
            if name in given.values:
                assign(self.values, given.values[name], argument)
        data, domain = str(mechanism.data), mechanism.claim.domain
        for value, side in zip((self.inputs.first[data], self.inputs.second[data]), sides, strict=True):
            records = [_of_domain(domain, one) for one in side] if isinstance(side, list) else _of_domain(domain, side)
            if shape.size == ANY:
                assert isinstance(records, list)
                self._for_each(value, records)
                self.values[LENGTH.decl().name()] = len(records)
            else:
                assign(self.values, value, records)

    def _for_each(self, value: Value, records: Sequence[Any]) -> None:
        """The generic record of data of any length stands for each of these."""
        if isinstance(value, Table):
            columns = dict(value.columns)
            source = next(iter(columns.values())).source
            generic: Value = Entries.of(columns, [bag.item for bag in columns.values()])
        else:
            source, generic = value.source, value.item
        each: list[dict[str, Number]] = []
        for record in records:
            each.append({})
            assign(each[-1], generic, record)
        source.known = KnownRecords(self.values, each)


def assign(values: dict[str, Number], value: Value, literal: Any) -> None:  # noqa: C901 - a list of kinds
    """Add the numbers of the variables in a value of the checker, for which it is a literal. Raises NoNumber."""
    match value:
        case Table(columns=columns):
            for name, column in columns:
                assign(values, column, [row[name] for row in literal])
        case Items(items=items):
            if not isinstance(literal, list | tuple) or len(literal) != len(items):
                raise NoNumber("data of another length than its shape")
            for item, part in zip(items, literal, strict=True):
                assign(values, item, part)
        case Entries(keys=keys, values=entries):
            for key, item in zip(keys, entries, strict=True):
                assign(values, item, literal[key])
        case Choice(values=listed, index=index):
            values[index.decl().name()] = [repr(one) for one in listed].index(repr(literal))
        case z3.ExprRef():
            number = exact(literal)
            if not isinstance(number, bool | int | Fraction):
                raise NoNumber(f"{literal!r} is no finite number")
            if z3.is_add(value):  # a number of D1, and by how much it moves
                before, move = (part.decl().name() for part in value.children())
                values[move] = number - values[before]
            else:
                values[value.decl().name()] = bool(number) if z3.is_bool(value) else number


def _of_domain(domain: Domain | None, record: Any) -> Any:
    """A record as a domain has it in which nothing is missing: see `checker.missing`."""
    names = [name for name, _ in domain.columns] if isinstance(domain, Columns) else []
    asked = [name.removesuffix(KNOWN) for name in names if name.endswith(KNOWN)]
    if not isinstance(domain, Columns) or not asked:
        return record
    found = dict(record) if isinstance(record, dict) else {VALUE: record}
    for name in asked:
        value = found[name]
        found[f"{name}{KNOWN}"] = value is not None and value == value  # noqa: PLR0124 - NaN is not itself
        column = dict(domain.columns)[name]
        if not found[f"{name}{KNOWN}"] and isinstance(column, Interval):
            found[name] = column.low
    return found


class KnownRecords:
    """All records of one side. values: of arguments. each: the numbers of the generic record, for each of them."""

    def __init__(self, values: Mapping[str, Number], each: Sequence[Mapping[str, Number]]) -> None:
        self._of = [NumbersOfTerms(values, one) for one in each]

    def added(self, one: z3.ArithRef) -> z3.ArithRef:
        """The sum of a term over all records."""
        return numeral(one, sum(numbers.of(one) for numbers in self._of))

    def extreme(self, one: z3.ArithRef, larger: bool) -> z3.ArithRef:
        """The largest or the smallest of a term over all records."""
        return numeral(one, (max if larger else min)(numbers.of(one) for numbers in self._of))

    def made(self, item: Value, guard: Mask) -> list[Any]:
        """What is made of each record for which the guard holds, in their order."""
        return [numbers.python(item) for numbers in self._of if numbers.of(guard)]

    def added_by_groups(self, one: z3.ArithRef, key: Value, guard: Mask, count: z3.ArithRef) -> z3.ArithRef:
        """The sum of a term over the groups of the records for which the guard holds. count: how many one has."""
        total: Number = 0
        for numbers, size in self._groups(key, guard):
            total += numbers.of(z3.substitute(one, (count, z3.IntVal(size))))
        return numeral(one, total)

    def _groups(self, key: Value, guard: Mask) -> list[tuple[NumbersOfTerms, int]]:
        """Of each group one record, and how many there are."""
        groups: dict[object, list[NumbersOfTerms]] = {}
        for numbers in self._of:
            if numbers.of(guard):
                groups.setdefault(numbers.python(key), []).append(numbers)
        return [(those[0], len(those)) for those in groups.values()]


def numeral(like: z3.ArithRef, number: Number) -> z3.ArithRef:
    """A number as a term of the same sort."""
    return z3.IntVal(int(number)) if like.is_int() else z3.RealVal(str(Fraction(number)))


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
    """One draw of a run. noise: without its location. base, scale: as of `Drawn`, but the latter never squared. single:
    for no data of any length.
    """

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
        claim = self._mechanism.claim
        kinds: tuple[type[NumberWalk], ...] = (NormalWalk if claim.delta or claim.promise else NoiseWalk,)
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
    scale = numbers.of(drawn.scale)
    scale = Fraction(math.sqrt(scale)) if drawn.distribution == laws.SQUARED else scale
    return KnownDraw(drawn.key, numbers.of(drawn.number), base, scale, drawn.source is None)


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
