"""Checks a claim by the exact probabilities of all outcomes, on all pairs of neighbours of a finite domain.

It needs no certificate. See `dplint.proofs.checker.coins` for what a program may do with its coins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations, zip_longest
from typing import Any, TypeAlias

from dplint.claims import Categories, Interval, Mechanism, Span
from dplint.inputs.forms import data_form
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.liveness import Liveness, liveness_of
from dplint.program.nodes import (
    Assign,
    CallFunction,
    Comprehension,
    Draw,
    For,
    If,
    ListDisplay,
    Name,
    Program,
    Return,
    Statement,
    Update,
)
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import mentions, walk
from dplint.proofs.alignment import Case
from dplint.proofs.checker.coins import CoinWalk, EndOfPart, Frozen, NoDecision, Saved
from dplint.proofs.checker.costs import ONE, Ratio
from dplint.proofs.checker.exponentials import Exponentials
from dplint.proofs.checker.inputs import VECTORS, Given, cases, whole_data
from dplint.proofs.checker.values import Leaves, NotProved, Value, exact
from dplint.relations import Neighbourhood, relation_of

_MOST_VALUES = 300
_MOST_PATHS = 3_000
Table: TypeAlias = Mapping[Frozen, Ratio]
"""The probability of everything that one part of a run may give out."""


class Likelier(NotProved):
    """An outcome that is more than e^epsilon times likelier on the first of two neighbours, with some arguments."""

    def __init__(self, reason: str, first: Any, second: Any, case: Case) -> None:
        super().__init__(reason)
        self.first, self.second, self.case = first, second, case


@dataclass(slots=True)
class _Runs:
    """The runs with the arguments of one case."""

    program: Program
    data: str
    given: Given
    known: Exponentials
    leaves: Leaves
    loop: Span | None
    liveness: Liveness
    pause: Callable[[], None]

    def parts(self, data: Any) -> list[Table]:
        """For each part of a run its table; what a part gives out does not hang on what those before it gave."""
        tables: list[Table] = []
        saved: Saved | None = None
        prefix: tuple[int, ...] = ()
        while True:
            table, reached = self._part(data, prefix, saved)
            tables.append(table)
            if not reached:
                return tables
            if len({one.key for one, _ in reached}) > 1:
                raise NotProved("a run remembers more of its coins than it has given out")
            first = saved is None
            saved, decisions = reached[0]
            prefix = decisions if first else prefix

    def _part(
        self, data: Any, prefix: tuple[int, ...], saved: Saved | None
    ) -> tuple[Table, list[tuple[Saved, tuple[int, ...]]]]:
        """All ways from the head of a turn to that of the next one. prefix: the decisions on the way to the loop."""
        table: dict[Frozen, Ratio] = {}
        reached: list[tuple[Saved, tuple[int, ...]]] = []
        open_paths: list[tuple[int, ...]] = [prefix]
        count = 0
        while open_paths:
            self.pause()
            decisions = open_paths.pop()
            one = CoinWalk(self.known, self.leaves, decisions, self.loop, saved)
            arguments: dict[str, Value] = {**self.given.values, self.data: exact(data)}
            try:
                with suppress(EndOfPart):
                    hooks = None if self.loop is None else one
                    evaluate(self.program, one, arguments, hooks=hooks, liveness=self.liveness)
            except NoDecision as asked:
                open_paths += [(*decisions, way) for way in range(asked.ways)]
                continue
            one.finish()
            count += 1
            if count > _MOST_PATHS:
                raise NotProved(f"there are more than {_MOST_PATHS:,} paths")
            table[one.given] = table[one.given] + one.chance if one.given in table else one.chance
            if one.at is not None:
                reached.append((one.at, decisions))
        return table, reached


def check_outcomes(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless no outcome is more than e^epsilon times likelier on a value than on its neighbour."""
    values = [one for pair in scope.pairs or () for one in pair] or data_values(mechanism)
    if scope.sizes is not None:
        raise NotProved("the scope names lengths of data that has none")
    program = _spelled_out(program)
    for given in cases(mechanism, scope):
        reason: NotProved | UnsupportedConstruct | None = None
        for loop in (*_loops(program), None):
            try:
                _check(program, mechanism, given, values, loop, pause)
            except Likelier:
                raise
            except (NotProved, UnsupportedConstruct) as error:
                # Cut at another loop, or at none, the same may be shown after all.
                reason = reason if reason is not None and loop is None else error
            else:
                reason = None
                break
        if reason is not None:
            raise reason


def _check(
    program: Program,
    mechanism: Mechanism,
    given: Given,
    values: Sequence[Any],
    loop: Span | None,
    pause: Callable[[], None],
) -> None:
    known = Exponentials(given.world)
    claim = known.of_claim(mechanism.claim.epsilon, given.values, str(mechanism.data))
    runs = _Runs(program, str(mechanism.data), given, known, Leaves(), loop, liveness_of(program), pause)
    tables: dict[int, list[Table]] = {}
    for one, two in _neighbours(mechanism, given, values):
        for place in (one, two):
            pause()
            if place not in tables:
                tables[place] = runs.parts(values[place])
        loss = ONE
        for first, second in zip_longest(tables[one], tables[two]):
            bound = None if first is None or second is None else _likelier(first, second, known)
            if bound is None:
                reason = "an outcome is possible for one neighbour alone, or how much likelier it is has no known bound"
                raise Likelier(reason, values[one], values[two], given.case)
            loss = loss * bound
        if not known.ratio_at_most(loss, claim):
            raise Likelier("an outcome is more than e^epsilon times likelier", values[one], values[two], given.case)


def _likelier(first: Table, second: Table, known: Exponentials) -> Ratio | None:
    """How much likelier anything is in the first table at most; None if that is not known, or without bound."""
    zero = ONE.times(0)
    candidates: list[Ratio] = [ONE]
    for outcome, chance in first.items():
        other = second.get(outcome)
        if other is None or not other.top:
            if chance.top:
                return None
            continue
        candidates.append(chance * other.inverse())
    constants = [one.constant for one in candidates]
    if all(one is not None for one in constants):
        return ONE.times(max(one for one in constants if one is not None))
    for bound in candidates:
        shares = ((chance, bound * second.get(outcome, zero)) for outcome, chance in first.items())
        if all(known.ratio_at_most(chance, most) for chance, most in shares):
            return bound
    return None


def data_values(mechanism: Mechanism) -> list[Any]:
    """All values that the data may have. Raises NotProved if there are many, or they are not known."""
    claim, domain = mechanism.claim, mechanism.claim.domain
    definition = relation_of(claim).definition
    if data_form(mechanism) != "scalar" or (definition is not Neighbourhood.ANY_TWO and definition not in VECTORS):
        raise NotProved("exact probabilities are known for data that is one value")
    if isinstance(domain, Interval) and whole_data(mechanism) and domain.high - domain.low < _MOST_VALUES:
        return list(range(int(domain.low), int(domain.high) + 1))
    if isinstance(domain, Categories) and len(domain.values) < _MOST_VALUES and definition is Neighbourhood.ANY_TWO:
        return list(domain.values)
    raise NotProved("exact probabilities are known for data of a finite domain")


def _neighbours(mechanism: Mechanism, given: Given, values: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """The places of all neighbours, in both orders."""
    if given.pairs:
        yield from (order for k in range(0, len(values), 2) for order in ((k, k + 1), (k + 1, k)))
        return
    distance = Fraction(repr(float(mechanism.claim.sensitivity)))
    anything = relation_of(mechanism.claim).definition is Neighbourhood.ANY_TWO
    for one, two in permutations(range(len(values)), 2):
        if anything or abs(values[one] - values[two]) <= distance:
            yield one, two


def _spelled_out(program: Program) -> Program:
    """The same program, with a list that it returns or assigns made by a loop, which can be cut into turns.

    The names that a comprehension binds are its own, so that it does what the loop does. Not what exact losses unfold,
    which is far more: all of this has to be trusted.
    """
    return replace(program, body=tuple(one for node in program.body for one in _statements(node)))


def _statements(node: Statement) -> Iterator[Statement]:
    match node:
        case Return(value=Comprehension("list", element, (clause,)) as made):
            filled = Name("<made>", made.span)
        case Assign(targets=(Name() as filled,), value=Comprehension("list", element, (clause,)) as made):
            if mentions(made, filled.id):
                yield node
                return
        case _:
            yield node
            return
    body: Statement = Update(filled, "append", (element,), made.span)
    for condition in reversed(clause.conditions):
        body = If(condition, (body,), (), made.span)
    yield Assign((filled,), ListDisplay((), made.span), made.span)
    yield For(clause.target, clause.iterable, (body,), (), made.span)
    if isinstance(node, Return):
        yield replace(node, value=filled)


def _loops(program: Program) -> Iterator[Span]:
    """Loops of the function's own block in which noise is drawn."""
    for node in program.body:
        if isinstance(node, For) and any(isinstance(one, Draw | CallFunction) for one in walk(node)):
            yield node.span
