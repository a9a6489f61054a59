"""Samples of arguments and of neighbours within a scope.

Both runs along one path on one sample: what the shifts of its draws have to do there.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dplint.claims import Categories, Columns, Domain, Fixed, Interval, Mechanism
from dplint.inputs.forms import data_form
from dplint.outcomes import ArgumentScope, Scope
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program
from dplint.proofs.alignment import ANY, Case, Decisions, Shape
from dplint.proofs.checker.inputs import Given, claimed, gathered, pair_of, vectors
from dplint.proofs.checker.values import Value, exact, is_term, term
from dplint.proofs.proposer.forms import Duty, Form, Key, NoProposal
from dplint.proofs.proposer.walking import Drawn, NoDecision, Runs, SampleWalk, Walked, at_sample, numbers_of
from dplint.relations import DataKind, Neighbourhood, relation_of

_MOST_PATHS = 2_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Two neighbours and arguments. numbers: of their variables. epsilon: the claimed one. data: tells it apart."""

    first: Mapping[str, Any]
    second: Mapping[str, Any]
    numbers: Mapping[Key, Fraction]
    epsilon: Fraction
    data: object


@dataclass(slots=True)
class PairOfRuns:
    """What holds on one path. weights: the cost of a shift by 1, in shares of epsilon, for each draw."""

    decisions: Decisions
    conditions: list[Form]
    duties: list[Duty]
    draws: list[Drawn]
    offsets: list[Form]
    weights: list[Fraction]
    output: Any
    sample: Sample
    looked: bool = False


def pairs_of_runs(
    program: Program, sample: Sample, runs: Runs[SampleWalk], pause: Callable[[], None]
) -> Iterator[PairOfRuns]:
    """Every path of the run on D1 with the run on D2 that decides alike. runs: those on other samples. pause: is called
    before each path, of which there may be many; it raises where the time is over.
    """
    count, numbers = 0, numbers_of(sample.numbers, runs.parts)
    open_paths: list[Decisions] = [()]

    def walked(run: int, decisions: Decisions) -> Walked:
        return runs.of(
            (sample.data, run, decisions),
            numbers,
            lambda: SampleWalk(run, decisions, numbers, runs.leaves, program),
            lambda walk: evaluate(program, walk, sample.first if run == 1 else sample.second),
        ).walked()

    while open_paths:
        pause()
        decisions = open_paths.pop()
        try:
            first = walked(1, decisions)
        except NoDecision as asked:
            open_paths += [(*decisions, way) for way in reversed(range(asked.options))]
            continue
        count += 1
        if count > _MOST_PATHS:
            raise NoProposal(f"there are more than {_MOST_PATHS:,} paths")
        try:
            second = walked(2, decisions)
        except NoDecision:
            raise NoProposal("the run on D2 looks at noise more often") from None
        yield compared(decisions, first, second, sample)


def compared(decisions: Decisions, first: Walked, second: Walked, sample: Sample) -> PairOfRuns:
    """The duties of the shifts, where the run on D2 is to decide as that on D1, and to give the same."""
    duties: list[Duty] = []
    if len(first.conditions) != len(second.conditions) or len(first.watched) != len(second.watched):
        raise NoProposal("the runs do not look at noise equally often")
    for one, other in zip(first.conditions, second.conditions, strict=True):
        _duty(one, other, duties, equality=False)
    for one, other in zip(first.watched, second.watched, strict=True):
        equal(one, other, duties)
    equal(first.output, second.output, duties)
    offsets = []
    for number, drawn in enumerate(first.draws):
        known = number < len(second.draws) and drawn.base is not None and second.draws[number].base is not None
        offsets.append(second.draws[number].base.plus(drawn.base, -1) if known else Form({}))  # type: ignore[union-attr, arg-type]
    looked = first.looked or second.looked
    weights = [1 / (drawn.scale * sample.epsilon) for drawn in first.draws]
    return PairOfRuns(decisions, first.conditions, duties, first.draws, offsets, weights, first.output, sample, looked)


def equal(one: Any, other: Any, duties: list[Duty]) -> None:
    """Both runs have to give the same here."""
    if isinstance(one, Form) and isinstance(other, Form):
        _duty(one, other, duties, equality=True)
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            equal(a, b, duties)
    elif isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        equal(list(one.values()), list(other.values()), duties)
    elif type(one) is not type(other) or one != other:
        raise NoProposal("an output that differs between the runs, whatever the noise")


def _duty(one: Form, other: Form, duties: list[Duty], *, equality: bool) -> None:
    difference = other.plus(one, -1)
    if difference.noisy:
        raise NoProposal("noise that has another part in the run on D2")
    factors = tuple((key[1], factor) for key, factor in one.part("n").items())
    if factors or not equality or difference.factors:
        duties.append(Duty(factors, difference, equality))


_MOST_CHOICES = 12
_CORNERS = 32
_RECORD_SAMPLES = 3
_MANY = 3
"""Records that stand for any number; of a vector one number does, as a draw for each stands for all."""


def argument_samples(scope: Scope, case: Case = ()) -> list[dict[str, Any]]:
    """Some choices of arguments in a case, the simplest first."""
    known = dict(case)
    columns = [
        [(one.name, value) for value in ([known[one.name]] if one.name in known else _values(one))]
        for one in scope.arguments
    ]
    found = [dict(choice) for choice in itertools.product(*columns)]
    if len(found) > _MOST_CHOICES:
        found = found[:1] + random.Random(0).sample(found[1:], _MOST_CHOICES - 1)
    return found


def _values(one: ArgumentScope) -> list[Any]:
    values = one.values
    if isinstance(values, Fixed):
        return [values.value]
    if isinstance(values, Categories):
        return list(values.values)
    if not values.integer:
        if math.isinf(values.low) and math.isinf(values.high):
            return [Fraction(0)]
        if math.isinf(values.high):
            return [Fraction(repr(values.low)) + 1]
        if math.isinf(values.low):
            return [Fraction(repr(values.high))]
        return [(Fraction(repr(values.low)) + Fraction(repr(values.high))) / 2]
    first = 0 if math.isinf(values.low) else int(values.low)
    last = first + 2 if math.isinf(values.high) else int(values.high)
    return sorted({first, min(first + 1, last), min(first + 2, last), last if last < first + 6 else first})


def samples(
    mechanism: Mechanism,
    shape: Shape,
    given: Given,
    arguments: Mapping[str, Any],
    numbers: Mapping[Key, Fraction] | None = None,
    records: tuple[Sequence[Any], Sequence[Any]] | None = None,
) -> Iterator[Sample]:
    """Samples of neighbours of a shape. numbers, records: of a counterexample, these alone."""
    if shape.size == ANY:
        vector = relation_of(mechanism.claim).data is DataKind.VECTOR
        shape = Shape(1 if vector else _MANY, shape.edit.replace("any", "1"))
    definition = relation_of(mechanism.claim).definition
    found: Iterable[tuple[Value, Value, Mapping[Key, Fraction]]]
    if records is not None:
        found = [(*(_gathered(mechanism, one) for one in records), {})]
    elif definition is None:
        found = [(*map(exact, pair_of(shape, given.pairs)), {})]
    elif relation_of(mechanism.claim).data is DataKind.VECTOR:
        found = _vectors(mechanism, shape, numbers)
    elif definition is Neighbourhood.ANY_TWO:
        found = _values_of_domain(mechanism)
    else:
        found = _records(mechanism, shape)
    known, data = numbers_of_arguments(given, arguments), str(mechanism.data)
    for number, (one, two, moved) in enumerate(found):
        epsilon = epsilon_at(mechanism, given, known, len(getattr(one, "items", getattr(one, "keys", ()))))
        told = repr(records) if records is not None else None if moved else number
        yield Sample({**given.values, data: one}, {**given.values, data: two}, {**known, **moved}, epsilon, told)


def numbers_of_arguments(given: Given, arguments: Mapping[str, Any]) -> dict[Key, Fraction]:
    """The numbers of the arguments that are variables."""
    return {("a", name): value for name, value in arguments.items() if is_term(given.values[name])}


def epsilon_at(mechanism: Mechanism, given: Given, numbers: Mapping[Key, Fraction], length: int) -> Fraction:
    """The claimed epsilon of a sample."""
    claim = claimed(mechanism.claim.epsilon, given.values, str(mechanism.data), length)
    found = Fraction(at_sample(numbers_of(numbers), term(claim)))
    if found <= 0:
        raise NoProposal("a claimed epsilon that is not positive")
    return found


def _vectors(
    mechanism: Mechanism, shape: Shape, numbers: Mapping[Key, Fraction] | None
) -> Iterator[tuple[Value, Value, Mapping[Key, Fraction]]]:
    one, two = vectors(mechanism, shape, [])
    if numbers is not None:
        yield one, two, numbers
        return
    domain = mechanism.claim.domain
    base = Fraction(0)
    if isinstance(domain, Interval):
        base = (Fraction(repr(float(domain.low))) + Fraction(repr(float(domain.high)))) / 2
    for moves in corners(mechanism, shape.size, shape.edit):
        yield one, two, {**{("q", k): base for k in range(shape.size)}, **{("e", k): e for k, e in enumerate(moves)}}


def corners(mechanism: Mechanism, size: int, direction: str = "") -> list[tuple[Fraction, ...]]:
    """Moves at the corners of the relation, some of them where there are many."""
    most = Fraction(repr(float(mechanism.claim.sensitivity)))
    zero = Fraction(0)
    if direction:
        most = most if direction == "up" else -most
        found = list(itertools.product((most, zero), repeat=min(size, 5)))
        return [one + (one[-1],) * (size - len(one)) for one in found]
    if relation_of(mechanism.claim).definition is not Neighbourhood.LARGEST_MOVE:
        return [
            tuple(sign * most if k == place else zero for k in range(size)) for place in range(size) for sign in (1, -1)
        ]
    found = [tuple(sign * most for sign in signs) for signs in itertools.product((1, -1), repeat=min(size, 5))]
    found = [one + (one[-1],) * (size - len(one)) for one in found]
    mixed = [tuple(most if k == place else -most for k in range(size)) for place in range(size)]
    mixed += [tuple(-move for move in one) for one in mixed]
    chosen = [found[0], found[-1], *mixed, *found[1:-1]]
    return list(dict.fromkeys(chosen))[:_CORNERS]


def _values_of_domain(mechanism: Mechanism) -> Iterator[tuple[Value, Value, Mapping[Key, Fraction]]]:
    values = _corner_records(mechanism.claim.domain)
    for one, two in itertools.permutations(values, 2):
        yield exact(one), exact(two), {}


def _records(mechanism: Mechanism, shape: Shape) -> Iterator[tuple[Value, Value, Mapping[Key, Fraction]]]:
    values = _corner_records(mechanism.claim.domain)
    chance = random.Random(shape.size)
    action, _, place = shape.edit.partition(" ")
    at = int(place)
    for turn in range(_RECORD_SAMPLES):
        special = values[turn % len(values)]
        one = [chance.choice(values) for _ in range(shape.size)]
        if action == "remove":
            one[at] = special
        two = one[:at] + ([] if action == "remove" else [special]) + (one[at:] if action == "add" else one[at + 1 :])
        yield _gathered(mechanism, one), _gathered(mechanism, two), {}


def _gathered(mechanism: Mechanism, records: Sequence[Any]) -> Value:
    domain = mechanism.claim.domain
    assert domain is not None
    return gathered(domain, data_form(mechanism), list(map(exact, records)))


def _corner_records(domain: Domain | None) -> list[Any]:
    """Records at the ends of the domain, and some between."""
    if isinstance(domain, Categories):
        return list(domain.values)[:12]
    if isinstance(domain, Interval):
        low, high = Fraction(repr(domain.low)), Fraction(repr(domain.high))
        values = [low, high, (low + high) / 2, low + (high - low) / 3, low + 1, high - 1]
        found: list[Any] = [math.floor(one) if domain.integer else one for one in values if low <= one <= high]
        return list(dict.fromkeys(found))
    if isinstance(domain, Columns):
        columns = [[(name, value) for value in _corner_records(one)] for name, one in domain.columns]
        rows = [dict(row) for row in itertools.islice(itertools.product(*columns), 40)]
        return random.Random(0).sample(rows, min(len(rows), 12))
    raise NoProposal("records without a domain, or with values that may be missing")
