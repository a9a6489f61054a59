"""Pairs that a branch of the program tells apart, or that both go a way which few data go.

Data and arguments are variables, and the symbolic interpretation says when each comparison is reached and which way it
goes. Where that hangs on them alone, and on no draw, z3 is asked for neighbours of which one goes one way and the other
the other way, and for neighbours far apart that go the same way. What it finds is tried like any other pair.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import z3

from dplint.claims import Literal, Mechanism, Pair, Span, is_number
from dplint.inputs.data_variables import DataVariables, data_variables, neighbouring
from dplint.program.nodes import Constant, Program
from dplint.program.walk import walk
from dplint.readings.symbolic import Condition, Mask, Trace, Variable, from_python, negate, rational, trace
from dplint.relations import DataKind, Neighbourhood, relation_of

_FUEL = 64
_MOST_CONDITIONS = 40
_MOST_QUESTIONS = 120
_MOST_UNKNOWN = 4
_RLIMIT = 400_000
"""Of z3's own steps for a question, so that it is the same on every machine: a tenth of a second."""
_NEAR, _GRID = 10.0, 1024
_HALVES = 40
_VECTORS = (Neighbourhood.LARGEST_MOVE, Neighbourhood.ONE_DIRECTION)


@dataclass(frozen=True, slots=True)
class BranchInput:
    """A pair, and values for those arguments that were looked for."""

    pair: Pair
    arguments: Mapping[str, Literal]


class _Uses:
    """Which variables a formula has, by their ids. What formulas have in common is looked at once.

    Formulas have to be kept by somebody else for as long, so that their ids stay theirs.
    """

    def __init__(self) -> None:
        self._known: dict[int, frozenset[int]] = {}

    def of(self, mask: Mask) -> frozenset[int]:
        """Those of a formula; none of a bool."""
        if isinstance(mask, bool):
            return frozenset()
        todo: list[Any] = [mask]
        while todo:
            one = todo[-1]
            if one.get_id() in self._known:
                todo.pop()
                continue
            children = one.children()
            waiting = [child for child in children if child.get_id() not in self._known]
            if waiting:
                todo += waiting
                continue
            found = frozenset[int]().union(*(self._known[child.get_id()] for child in children))
            if z3.is_const(one) and one.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                found = frozenset({one.get_id()})
            self._known[one.get_id()] = found
            todo.pop()
        return self._known[mask.get_id()]


@dataclass(frozen=True, slots=True)
class _Place:
    """One comparison as both sides of a pair come to it; first: None where only the longer side does."""

    span: Span
    first: Condition | None
    second: Condition

    def reached(self, ways: tuple[bool, bool]) -> list[Mask]:
        """When both sides come to it, and go these ways."""
        both = [(one, way) for one, way in zip((self.first, self.second), ways, strict=True) if one is not None]
        return [mask for one, way in both for mask in (one.path, _goes(one.condition, way))]

    def used(self, uses: _Uses) -> frozenset[int]:
        """The variables that it hangs on, on the first side."""
        return frozenset() if self.first is None else uses.of(self.first.condition) | uses.of(self.first.path)


@dataclass
class BranchSearch:
    """Of one program, with data of one length.

    known: values of all its parameters but the data. free: those that are looked for. form: of the data. end: nothing
    more is asked as soon as `time.process_time` is there.
    """

    program: Program
    mechanism: Mechanism
    known: Mapping[str, Any]
    free: Sequence[Variable]
    form: str
    size: int
    end: float = math.inf
    _questions: int = 0
    _unknown: int = 0
    _traces: list[Trace] = field(default_factory=list)
    _solver: z3.Solver = field(default_factory=z3.Solver)
    _uses: _Uses = field(default_factory=_Uses)

    def found(self) -> Iterator[BranchInput]:
        """Pairs, those first that a branch tells apart. Raises UnsupportedConstruct."""
        definition = relation_of(self.mechanism.claim).definition
        sides = self._sides()
        if sides is None or definition is None or self.program.data is None:
            return
        near = neighbouring(definition, *sides, self.mechanism.claim.sensitivity)
        if near is None:
            return
        self._traces = [self._trace(side) for side in sides]
        places = list(islice(self._places(sides), _MOST_CONDITIONS))
        if not places:
            return
        self._solver.set("rlimit", _RLIMIT)
        self._solver.set("random_seed", 0)
        self._solver.add(near, *self._traces[0].constraints, *self._traces[1].constraints)
        for side in sides:
            self._solver.add(*side.domain())
        for variable in self.free:
            self._solver.add(*variable.domain())
        for place in places:
            yield from self._told_apart(place, sides)
        if len(places) > 1:
            yield from self._most_apart(places, sides)
        for place in places:
            yield from self._alike(place, sides, definition)

    def _sides(self) -> tuple[DataVariables, DataVariables] | None:
        more = relation_of(self.mechanism.claim).definition is Neighbourhood.ONE_MORE
        far = self._far()
        first = data_variables(self.mechanism, self.form, self.size, "one", far)
        second = data_variables(self.mechanism, self.form, self.size + more, "two", far)
        return None if first is None or second is None else (first, second)

    def _far(self) -> float:
        """Beyond the numbers that the program knows: answers without a domain are looked for up to there."""
        numbers = [float(n.value) for n in walk(self.program) if isinstance(n, Constant) and is_number(n.value)]
        return 100 * max([1.0, self.mechanism.claim.sensitivity, *(abs(n) for n in numbers if abs(n) < 1e9)])

    def _trace(self, side: DataVariables) -> Trace:
        arguments = {name: from_python(value) for name, value in self.known.items()}
        arguments |= {variable.name: variable.value for variable in self.free}
        arguments[str(self.program.data)] = side.value
        return trace(self.program, arguments, free_noise=True, fuel=_FUEL)

    def _places(self, sides: Sequence[DataVariables]) -> Iterator[_Place]:
        """Branches first, then comparisons as such; each that hangs on the data and on no draw."""
        first = {(c.span, c.occurrence, c.inner): c for c in self._traces[0].conditions}
        branches = {c.span for c in self._traces[1].conditions if not c.inner}
        hangs = _on_data((*sides,), self.free, self._uses)
        for inner in (False, True):
            for two in self._traces[1].conditions:
                one = first.get((two.span, two.occurrence, two.inner))
                if two.inner is not inner or (inner and two.span in branches):
                    continue
                if hangs(*(c.condition for c in (one, two) if c is not None)):
                    yield _Place(two.span, one, two)

    def _told_apart(self, place: _Place, sides: Sequence[DataVariables]) -> Iterator[BranchInput]:
        """The first side goes one way and the second the other; other entries move as far as they may."""
        longer = len(sides[0].entries) != len(sides[1].entries)
        for way in (True, False) if longer or place.first is None else (True,):
            reached, before = place.reached((way, not way)), self._unknown
            used = place.used(self._uses)
            rest = [i for i, e in enumerate(sides[0].entries) if not _occurs(e.variables, used)]
            found = [self._ask([*reached, one], sides, place) for one in self._moves(sides, rest)]
            if not any(found):
                found = [self._ask(reached, sides, place)]
            yield from (one for one in found if one is not None)
            if not any(found) and self._unknown > before:
                yield from self._bisected(place, sides)

    def _bisected(self, place: _Place, sides: Sequence[DataVariables]) -> Iterator[BranchInput]:
        """Where two sides at once are too much for z3: data on either way, and halfway between them again and again.

        For answers; each entry of the one that is just beyond, and then all of them, move as far as they may.
        """
        if relation_of(self.mechanism.claim).data is not DataKind.VECTOR or place.first is None:
            return
        low, high = (self._one_side(place.first, way, sides[0]) for way in (True, False))
        if low is None or high is None:
            return
        for _ in range(_HALVES):
            middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
            low, high = (middle, high) if self._takes(place.first, middle, sides[0]) else (low, middle)
        moves = [[float(i == j) for i in range(len(high))] for j in range(len(high))]
        moves.append([1.0] * len(high))
        for move in moves:
            for step in (self.mechanism.claim.sensitivity, -self.mechanism.claim.sensitivity):
                beyond = [b + step * by for b, by in zip(high, move, strict=True)]
                for d1, d2 in ((low, beyond), ([a - step * by for a, by in zip(low, move, strict=True)], high)):
                    if self._takes(place.first, d1, sides[0]) and not self._takes(place.first, d2, sides[0]):
                        yield BranchInput(Pair([*d1], [*d2], _why(place), self.size), {})

    def _one_side(self, condition: Condition, way: bool, side: DataVariables) -> list[float] | None:
        """Answers that go one way; None if z3 knows none."""
        solver = z3.Solver()
        solver.set("rlimit", 4 * _RLIMIT)
        solver.add(*side.domain(), _all([condition.path, _goes(condition.condition, way)]))
        if self.free or solver.check() != z3.sat:
            return None
        found = side.read(solver.model())
        return [float(one) for one in found if isinstance(one, int | float)] if isinstance(found, list) else None

    def _takes(self, condition: Condition, data: Sequence[float], side: DataVariables) -> bool:
        """Whether data comes to the branch and goes in."""
        terms = [(e.variables[0].term, e.variables[0].literal(one)) for e, one in zip(side.entries, data, strict=True)]
        asked = _all([condition.path, condition.condition])
        return bool(z3.is_true(z3.simplify(z3.substitute(asked, *terms))))

    def _most_apart(self, places: Sequence[_Place], sides: Sequence[DataVariables]) -> Iterator[BranchInput]:
        """As many comparisons as possible hold on one side, and of these as many as possible not on the other: what
        is counted adds up.
        """
        for way in (True, False) if len(sides[0].entries) != len(sides[1].entries) else (True,):
            optimizer = z3.Optimize()
            optimizer.set("rlimit", _RLIMIT)
            optimizer.add(*self._solver.assertions())
            for place in places:
                held = place.first if way else place.second
                if place.first is not None and held is not None:
                    optimizer.add_soft(_all([held.path, held.condition]), 1)
                    optimizer.add_soft(_all(place.reached((way, not way))), 2)
            try:
                if optimizer.check() == z3.sat:
                    yield self._read(optimizer.model(), sides, places[0])
            except z3.Z3Exception:
                return

    def _alike(self, place: _Place, sides: Sequence[DataVariables], definition: Neighbourhood) -> Iterator[BranchInput]:
        """Both sides go the same way, one entry or all of them apart."""
        if place.first is None:
            return
        count = len(sides[0].entries)
        apart = [moves for i in range(count) for moves in self._moves(sides, [i])[:1]]
        if definition in _VECTORS and count > 1:
            apart = [*self._moves(sides, range(count))[:1], *apart]
        for way in (True, False):
            for moves in [z3.BoolVal(True)] if definition is Neighbourhood.ONE_MORE else apart:
                found = self._ask([*place.reached((way, way)), moves], sides, place)
                if found is not None:
                    yield found

    def _moves(self, sides: Sequence[DataVariables], places: Sequence[int]) -> list[z3.BoolRef]:
        """Ways in which these entries differ as much as they may: answers by the sensitivity, a record at all."""
        pairs = [(sides[0].entries[i], sides[1].entries[i]) for i in places]
        if relation_of(self.mechanism.claim).data is not DataKind.VECTOR:
            return [z3.Not(a.same(b)) for a, b in pairs] if len(pairs) == 1 else []
        if not pairs or (len(pairs) > 1 and relation_of(self.mechanism.claim).definition not in _VECTORS):
            return []
        step = rational(self.mechanism.claim.sensitivity)
        moves = [b.variables[0].term - a.variables[0].term for a, b in pairs]
        return [z3.And(*(move == sign for move in moves)) for sign in (step, -step)]

    def _ask(self, question: Sequence[Mask], sides: Sequence[DataVariables], place: _Place) -> BranchInput | None:
        """Values that satisfy it, small ones if there are any; None if there are none, or z3 does not know."""
        if any(one is False for one in question):
            return None
        if self._questions >= _MOST_QUESTIONS or self._unknown >= _MOST_UNKNOWN or time.process_time() > self.end:
            return None
        self._questions += 1
        asked = [one for one in question if one is not True]
        reals = [one.term for side in sides for e in side.entries for one in e.variables if z3.is_real(one.term)]
        near = [z3.And(one >= -_NEAR, one <= _NEAR) for one in reals]
        self._solver.push()
        try:
            self._solver.add(*asked)
            model = self._model(near) or self._model([])
            if model is None:
                return None
            found = self._read(model, sides, place)
            values = _values(found, sides, self.free)
            if not reals or _may_be(z3.And(*asked), values):
                return found
            # A number that no float is: the next multiple of a power of two is as good.
            steps = [z3.Int(f"step!{number}") for number in range(len(reals))]
            finer = self._model([one * _GRID == step for one, step in zip(reals, steps, strict=True)])
            return found if finer is None else self._read(finer, sides, place)
        finally:
            self._solver.pop()

    def _model(self, more: Sequence[z3.BoolRef]) -> z3.ModelRef | None:
        self._solver.push()
        try:
            self._solver.add(*more)
            answer = self._solver.check()
            self._unknown += answer == z3.unknown
            return self._solver.model() if answer == z3.sat else None
        except z3.Z3Exception:
            self._unknown += 1
            return None
        finally:
            self._solver.pop()

    def _read(self, model: z3.ModelRef, sides: Sequence[DataVariables], place: _Place) -> BranchInput:
        d1, d2 = (side.read(model) for side in sides)
        return BranchInput(
            Pair(d1, d2, _why(place), self.size), {variable.name: variable.read(model) for variable in self.free}
        )


def on_data_alone(conditions: Sequence[Condition], side: DataVariables) -> list[Condition]:
    """Those that hang on the data and on nothing else that is open."""
    hangs = _on_data((side,), (), _Uses())
    return [one for one in conditions if hangs(one.condition)]


def _on_data(sides: Sequence[DataVariables], free: Sequence[Variable], uses: _Uses) -> Callable[..., bool]:
    names = {one.term.get_id() for side in sides for entry in side.entries for one in entry.variables}
    allowed = names | {variable.term.get_id() for variable in free}

    def hangs(*masks: Mask) -> bool:
        used = frozenset[int]().union(*map(uses.of, masks))
        return bool(used & names) and used <= allowed

    return hangs


def _why(place: _Place) -> str:
    return f"the branch at {place.span.words}"


def _values(
    found: BranchInput, sides: Sequence[DataVariables], free: Sequence[Variable]
) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """Each variable with its value, a float where floats are."""
    pairs = [(variable, found.arguments[variable.name]) for variable in free]
    for side, data in zip(sides, (found.pair.d1, found.pair.d2), strict=True):
        listed = data if isinstance(data, list) else [data]
        for entry, value in zip(side.entries, listed, strict=True):
            values = list(value.values()) if isinstance(value, dict) else [value]
            pairs += zip(entry.variables, values, strict=True)
    return [(variable.term, variable.literal(value)) for variable, value in pairs]


def _may_be(mask: z3.BoolRef, values: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> bool:
    """Whether a formula may be true for these values: draws are left open."""
    return not z3.is_false(z3.simplify(z3.substitute(mask, *values)))


def _all(masks: Sequence[Mask]) -> z3.BoolRef:
    return z3.And(*(z3.BoolVal(one) if isinstance(one, bool) else one for one in masks))


def _goes(condition: Mask, way: bool) -> Mask:
    return condition if way else negate(condition)


def _occurs(variables: Sequence[Variable], used: frozenset[int]) -> bool:
    return any(variable.term.get_id() in used for variable in variables)
