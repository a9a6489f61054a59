"""Checks a claim by the exact probabilities of all outcomes, on all pairs of neighbours of a finite domain.

It needs no certificate. Of records of which each is worked on by itself, these are all data of one record, see
`dplint.proofs.checker.by_record`; and `dplint.proofs.checker.coins` for what a program may do with its coins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, zip_longest
from typing import Any, TypeAlias

from dplint.claims import Categories, Interval, Mechanism, Span
from dplint.inputs.forms import data_form
from dplint.outcomes import Scope, Sizes
from dplint.program import nodes as ir
from dplint.program.evaluator import evaluate
from dplint.program.liveness import liveness_of
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import mentions
from dplint.proofs.alignment import Case
from dplint.proofs.checker.by_record import for_one_record
from dplint.proofs.checker.coins import CoinWalk, EndOfPart, Frozen, Saved
from dplint.proofs.checker.costs import ONE, Ratio
from dplint.proofs.checker.exponentials import Exponentials
from dplint.proofs.checker.inputs import VECTORS, Given, cases, whole_data
from dplint.proofs.checker.values import Leaves, NotProved, exact, fail_if
from dplint.relations import Neighbourhood, relation_of

_MOST_VALUES = 300
_MOST_PATHS = 3_000
_ZERO = ONE.times(0)
Table: TypeAlias = Mapping[Frozen, Ratio]
"""The probability of everything that one part of a run may give out."""


class Likelier(NotProved):
    """An outcome that is more than e^epsilon times likelier on the first of two neighbours, with some arguments."""

    def __init__(self, reason: str, first: Any, second: Any, case: Case) -> None:
        super().__init__(reason)
        self.first, self.second, self.case = first, second, case


class Runs:
    """The runs with the arguments of one case, cut into parts at the turns of a loop, or whole."""

    def __init__(
        self, program: ir.Program, mechanism: Mechanism, given: Given, loop: Span | None, pause: Callable[[], None]
    ) -> None:
        self.known = Exponentials(given.world)
        self._program = program
        self._arguments, self._data = given.values, str(mechanism.data)
        self._loop = loop
        self._pause = pause
        self._liveness = liveness_of(program)
        self._leaves = Leaves()

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
            fail_if(len({one.key for one, _ in reached}) > 1, "a run remembers more of its coins than it has given out")
            prefix = reached[0][1] if saved is None else prefix
            saved = reached[0][0]

    def _part(
        self, data: Any, prefix: tuple[int, ...], saved: Saved | None
    ) -> tuple[Table, list[tuple[Saved, tuple[int, ...]]]]:
        """All ways from the head of a turn to that of the next one. prefix: the decisions on the way to the loop."""
        table: dict[Frozen, Ratio] = {}
        reached: list[tuple[Saved, tuple[int, ...]]] = []
        left = [prefix]
        for _ in range(_MOST_PATHS):
            self._pause()
            one = CoinWalk(self.known, self._leaves, left.pop(), left, self._loop, saved)
            hooks, one.shows = None if self._loop is None else one, self._program.observed
            with suppress(EndOfPart):
                arguments = {**self._arguments, self._data: exact(data)}
                evaluate(self._program, one, arguments, hooks=hooks, liveness=self._liveness)
            one.finish()
            table[one.given] = table.get(one.given, _ZERO) + one.chance
            if one.at is not None:
                reached.append((one.at, tuple(one.made)))
            if not left:
                return table, reached
        raise NotProved(f"there are more than {_MOST_PATHS:,} paths")


def check_outcomes(
    program: ir.Program,
    mechanism: Mechanism,
    scope: Scope,
    loops: Sequence[Span | None] = (None,),
    pause: Callable[[], None] = lambda: None,
) -> None:
    """Raises NotProved unless no outcome is more than e^epsilon times likelier on a value than on its neighbour.

    Of data of records the scope is of every length. loops: those of the function's own block at which runs may be cut
    into parts, one of which has to do for each case.
    """
    program = spelled_out(program)
    single = for_one_record(program, mechanism)
    if (scope.sizes is None) != (single is None) or scope.sizes not in (None, Sizes(0, None)):
        raise NotProved("the scope names lengths of data that has none")
    values = [one for pair in scope.pairs or () for one in pair] or data_values(mechanism, single=single is not None)
    program = single or program
    for given in cases(mechanism, scope):
        for number, loop in enumerate(loops, 1):
            try:
                _check(Runs(program, mechanism, given, loop, pause), mechanism, given, values)
                break
            except (NotProved, UnsupportedConstruct) as error:
                if number == len(loops) or isinstance(error, Likelier):
                    raise


def _check(runs: Runs, mechanism: Mechanism, given: Given, values: Sequence[Any]) -> None:
    claim = runs.known.of_claim(mechanism.claim.epsilon, given.values, str(mechanism.data))
    tables: dict[int, list[Table]] = {}
    large: dict[int, set[tuple[str, Fraction]]] = {}
    for one, two in _neighbours(mechanism, given, values):
        for place in {one, two} - tables.keys():
            runs.known.large = large[place] = set()
            tables[place] = runs.parts(values[place])
        # Of exponentials of arguments alone, both runs have the same, and so they raise alike.
        if large[one] != large[two]:
            raise NotProved("an exponential that may be too large for a float, which one run alone has")
        loss = ONE
        for first, second in zip_longest(tables[one], tables[two]):
            bound = None if first is None or second is None else _likelier(first, second, runs.known)
            if bound is None:
                reason = "an outcome is possible for one neighbour alone, or how much likelier it is has no known bound"
                raise Likelier(reason, values[one], values[two], given.case)
            loss = loss * bound
        if not runs.known.ratio_at_most(loss, claim):
            raise Likelier("an outcome is more than e^epsilon times likelier", values[one], values[two], given.case)


def _likelier(first: Table, second: Table, known: Exponentials) -> Ratio | None:
    """How much likelier anything is in the first table at most; None if that is not known, or without bound."""
    candidates: list[Ratio] = [ONE]
    for outcome, chance in first.items():
        other = second.get(outcome)
        if other is None or other.value.is_zero:
            if not chance.value.is_zero:
                return None
            continue
        candidates.append(chance * other.inverse())
    constants = [one.value.value for one in candidates]
    if all(one is not None for one in constants):
        return ONE.times(max(one for one in constants if one is not None))
    for bound in candidates:
        shares = ((chance, bound * second.get(outcome, _ZERO)) for outcome, chance in first.items())
        if all(known.ratio_at_most(chance, most) for chance, most in shares):
            return bound
    return None


def data_values(mechanism: Mechanism, *, single: bool = False) -> list[Any]:
    """All values that the data may have. Raises NotProved if there are many, or they are not known.

    single: all data of a single record.
    """
    domain, definition = mechanism.claim.domain, relation_of(mechanism.claim).definition
    form, anything = data_form(mechanism), single or definition is Neighbourhood.ANY_TWO
    if not single and (form != "scalar" or not (anything or definition in VECTORS)):
        raise NotProved("exact probabilities are known for one value, and for records that are worked on one by one")
    if isinstance(domain, Interval) and whole_data(mechanism) and domain.high - domain.low < _MOST_VALUES:
        values: list[Any] = list(range(int(domain.low), int(domain.high) + 1))
    elif isinstance(domain, Categories) and len(domain.values) < _MOST_VALUES and anything:
        values = list(domain.values)
    else:
        raise NotProved("exact probabilities are known for data of a finite domain")
    return [(one,) if form == "tuple" else [one] for one in values] if single else values


def _neighbours(mechanism: Mechanism, given: Given, values: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """The places of all neighbours, in both orders."""
    if given.pairs:
        yield from (order for k in range(0, len(values), 2) for order in ((k, k + 1), (k + 1, k)))
        return
    distance = Fraction(repr(float(mechanism.claim.sensitivity)))
    anything = relation_of(mechanism.claim).definition in (Neighbourhood.ANY_TWO, Neighbourhood.ONE_REPLACED)
    for one, two in permutations(range(len(values)), 2):
        if anything or abs(values[one] - values[two]) <= distance:
            yield one, two


def spelled_out(program: ir.Program) -> ir.Program:
    """The same program, with a list that it returns or assigns made by a loop, which can be cut into turns.

    The names that a comprehension binds are its own, so that it does what the loop does. Not what exact losses unfold,
    which is far more: all of this has to be trusted.
    """
    return replace(program, body=tuple(one for node in program.body for one in _statements(node)))


def _statements(node: ir.Statement) -> Iterator[ir.Statement]:
    match node:
        case ir.Return(value=ir.Comprehension("list", element, (clause,)) as made):
            filled = ir.Name("<made>", made.span)
        case ir.Assign(targets=(ir.Name() as filled,), value=ir.Comprehension("list", element, (clause,)) as made):
            if mentions(made, filled.id):
                yield node
                return
        case _:
            yield node
            return
    body: ir.Statement = ir.Update(filled, "append", (element,), made.span)
    for condition in reversed(clause.conditions):
        body = ir.If(condition, (body,), (), made.span)
    yield ir.Assign((filled,), ir.ListDisplay((), made.span), made.span)
    yield ir.For(clause.target, clause.iterable, (body,), (), made.span)
    if isinstance(node, ir.Return):
        yield replace(node, value=filled)
