"""The search for arguments with the solver: comparisons that differ, then branches not yet taken.

Algorithm 4 of Ding et al., "Detecting Violations of Differential Privacy" (CCS 2018), with MaxSMT in place of its
heuristics, and a second step that the paper does not have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplint.claims import Literal, Pair, Span
from dplint.inputs.arguments_runs import branches_taken
from dplint.inputs.pairs import in_one_order
from dplint.program.nodes import Program
from dplint.readings.symbolic import (
    SIMPLE,
    UNKNOWN,
    Answer,
    Mask,
    Status,
    Trace,
    Value,
    Variable,
    both,
    either,
    from_python,
    holds,
    negate,
    solve,
    trace,
)

_PATIENCE = 6
"""After how many pairs in a row without a new solution the search over pairs ends."""
_MOST_BRANCHES = 12
_MOST_QUESTIONS = 60
"""How often the solver is asked for one mechanism."""
_MOST_UNKNOWN = 2
"""After how many questions that are too much for the solver it is asked no more."""
_RUNS_SEEN = 12
_RUNS_SOUGHT = 60
_SEED = 20180101


@dataclass(slots=True)
class Solution:
    """Values for the free parameters and where they come from.

    differ, reached: of the pair on which most comparisons differ, how many do, of how many that both sides evaluate.
    found: how many pairs led to these values.
    """

    values: dict[str, Literal]
    reason: str = ""
    pattern: str | None = None
    differ: int = 0
    reached: int = 0
    found: int = 1

    @property
    def why(self) -> str:
        """The reason in words."""
        return self.reason or f"{self.differ} of {self.reached} comparisons differ"

    @property
    def rank(self) -> tuple[float, int, int, int]:
        """Less is better: the share of comparisons that differ, how many pairs agree, how simple the values are."""
        simple = sum(SIMPLE.index(v) if v in SIMPLE else len(SIMPLE) for v in self.values.values())
        return (-self.differ / max(self.reached, 1), -self.found, simple, -self.differ)


@dataclass(slots=True)
class Search:
    """One mechanism: its program, the parameters to choose, the values of all others, the form of its data."""

    program: Program
    variables: tuple[Variable, ...]
    known: Mapping[str, Literal]
    opaque: frozenset[str]
    form: str = "list"
    _traces: dict[tuple[str, bool, str], Trace] = field(default_factory=dict)
    _questions: int = 0
    _unknown: int = 0

    def data(self, value: Literal) -> Any:
        """The data as the function gets it."""
        return np.asarray(value) if self.form == "array" else tuple(value) if self.form == "tuple" else value  # type: ignore[arg-type]

    def differing(self, pairs: Sequence[Pair], pinned: Mapping[str, Literal]) -> list[Solution]:
        """Solutions that make as many comparisons as possible differ between the two sides of a pair, best first.

        pinned: values that were settled before. Raises UnsupportedConstruct.
        """
        solutions: dict[str, Solution] = {}
        idle = 0
        for pair in in_one_order(sorted(pairs, key=lambda pair: -pair.size)):
            found = self._differing(pair, pinned)
            if found is None:
                continue
            old = solutions.setdefault(repr(found.values), found)
            if old is not found:
                old.found += 1
                if (found.differ, found.reached) > (old.differ, old.reached):
                    old.differ, old.reached, old.pattern = found.differ, found.reached, found.pattern
            idle = idle + 1 if old is not found else 0
            if idle >= _PATIENCE:
                break
        return sorted(solutions.values(), key=lambda solution: solution.rank)

    def _differing(self, pair: Pair, pinned: Mapping[str, Literal]) -> Solution | None:
        variables = [variable for variable in self.variables if variable.name not in pinned]
        wishes = list(self._comparisons(pair, pinned))
        if not wishes:
            return None
        answer = self._ask(variables, (), [[both(reached, differs) for reached, differs in wishes]])
        if answer.status is not Status.SAT:
            return None
        reached = differ = 0
        for path, differs in wishes:
            if holds(path, variables, answer.values):
                reached += 1
                differ += holds(differs, variables, answer.values) is True
        if not differ:
            return None
        return Solution({**pinned, **answer.values}, "", pair.pattern, differ, reached)

    def _comparisons(self, pair: Pair, pinned: Mapping[str, Literal]) -> list[tuple[Mask, Mask]]:
        """For each condition that both sides evaluate and that may differ: when both reach it, when it differs."""
        first = self._trace(pair.d1, pinned, free_noise=False)
        second = self._trace(pair.d2, pinned, free_noise=False)
        other = {(c.span, c.occurrence, c.inner): c for c in second.conditions}
        branches = {c.span for c in first.conditions if not c.inner}
        wishes: list[tuple[Mask, Mask]] = []
        for one in first.conditions:
            two = other.get((one.span, one.occurrence, one.inner))
            if two is not None and not (one.inner and one.span in branches):
                differs = unequal(one.condition, two.condition)
                reached = both(one.path, two.path)
                if differs is not False and reached is not False:
                    wishes.append((reached, differs))
        return wishes

    def _trace(self, data: Literal, pinned: Mapping[str, Literal], *, free_noise: bool) -> Trace:
        key = (repr(data), free_noise, repr(sorted(pinned)))
        if key not in self._traces:
            arguments: dict[str, Value] = {name: from_python(value) for name, value in self.known.items()}
            arguments |= dict.fromkeys(self.opaque, UNKNOWN)
            for variable in self.variables:
                given = variable.name in pinned
                arguments[variable.name] = from_python(pinned[variable.name]) if given else variable.value
            arguments[str(self.program.data)] = from_python(self.data(data))
            self._traces[key] = trace(self.program, arguments, free_noise=free_noise)
        return self._traces[key]

    def untaken(
        self, solutions: Sequence[Solution], pairs: Sequence[Pair], pinned: Mapping[str, Literal]
    ) -> list[Solution]:
        """Solutions that take a branch which no input so far takes, verified by running the program.

        A branch may need noise of its own, so draws are free within the bulk of their distribution. Raises
        UnsupportedConstruct.
        """
        data = _some_data(pairs)
        of_data = [(value, self._branches(value)) for value in data]
        # Once all that can be taken is, further runs would tell nothing.
        sought = {place for _, branches in of_data for place, mask in branches.items() if mask is not False}
        taken: set[tuple[Span, bool]] = set()
        for solution in solutions:
            taken |= self._taken(solution.values, data, _RUNS_SEEN, sought - taken)
        found: list[Solution] = []
        hopeless: set[tuple[Span, bool]] = set()
        for value, branches in of_data:
            for place, mask in branches.items():
                if place in taken or place in hopeless or len(found) >= _MOST_BRANCHES:
                    continue
                candidate = self._taking(place, mask, value, [pinned, solutions[0].values])
                if candidate is None:
                    continue
                now = self._taken(candidate.values, data, _RUNS_SOUGHT, sought - taken)
                taken |= now
                if place in now or self.opaque:
                    found.append(candidate)
                else:
                    hopeless.add(place)
        return found

    def _ask(self, variables: Sequence[Variable], hard: Sequence[Mask], soft: Sequence[Sequence[Mask]]) -> Answer:
        """The solver's answer, UNKNOWN once it has worked enough; counted in questions, so that it is no race."""
        if self._questions >= _MOST_QUESTIONS or self._unknown >= _MOST_UNKNOWN:
            return Answer(Status.UNKNOWN, {})
        self._questions += 1
        answer = solve(variables, hard, soft)
        self._unknown += answer.status is Status.UNKNOWN
        return answer

    def _branches(self, value: Literal) -> dict[tuple[Span, bool], Mask]:
        """When each branch is taken, for free arguments and noise."""
        branches: dict[tuple[Span, bool], Mask] = {}
        for condition in self._trace(value, {}, free_noise=True).conditions:
            if condition.inner:
                continue
            for outcome in (True, False):
                truth = condition.condition if outcome else negate(condition.condition)
                mask = both(condition.path, truth)
                place = (condition.span, outcome)
                branches[place] = either(branches.get(place, False), mask)
        return branches

    def _taking(
        self, place: tuple[Span, bool], mask: Mask, value: Literal, wishes: Sequence[Mapping[str, Literal]]
    ) -> Solution | None:
        """A solution that takes the branch, as close to the wished values as can be."""
        if mask is False:
            return None
        constraints = self._trace(value, {}, free_noise=True).constraints
        soft = [[v.term == v.literal(wish[v.name]) for v in self.variables if v.name in wish] for wish in wishes]
        answer = self._ask(self.variables, (mask, *constraints), soft)
        if answer.status is not Status.SAT:
            return None
        span, outcome = place
        why = f"takes the branch at {span.words}" if outcome else f"passes over the branch at {span.words}"
        return Solution(dict(answer.values), why)

    def _taken(
        self, values: Mapping[str, Literal], data: list[Literal], runs: int, sought: Set[tuple[Span, bool]]
    ) -> frozenset[tuple[Span, bool]]:
        if self.opaque:
            return frozenset()
        given = {**self.known, **values}
        return branches_taken(self.program, given, [self.data(d) for d in data], runs, _SEED, sought)


def unequal(left: Mask, right: Mask) -> Mask:
    """When two conditions differ."""
    if isinstance(left, bool) and isinstance(right, bool):
        return left != right
    if isinstance(left, bool):
        return negate(right) if left else right
    if isinstance(right, bool):
        return negate(left) if right else left
    return False if left.eq(right) else left != right


def _some_data(pairs: Sequence[Pair]) -> list[Literal]:
    """A few different data of the smallest size: what a branch needs of the data is rarely subtle."""
    smallest = min(pair.size for pair in pairs)
    found: dict[str, Literal] = {}
    for pair in pairs:
        if pair.size == smallest:
            found.setdefault(repr(pair.d1), pair.d1)
            found.setdefault(repr(pair.d2), pair.d2)
    return list(found.values())[:4]
