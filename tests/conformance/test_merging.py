"""What hooks are promised: active runs that agree in what is live, and draw alike from there on, go on alike."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from dplint.program.evaluator import evaluate
from dplint.program.interpretation import LiveVariables
from dplint.program.nodes import Draw, For, Program, Statement, While
from dplint.readings.concrete import ConcreteInterpretation
from dplint.sites import DrawSite
from dplint_conformance.cases import REFUSED_BY_ALL, all_cases
from dplint_conformance.harness import Case, Outcome, plain, plain_outcomes, program_of, quiet
from dplint_conformance.recording import Replay
from tests.conformance.adapters import FUEL, outcome_of_run
from tests.conformance.many_runs import Many, ManyRuns

RUNS = 24
CASES = [case for case in all_cases() if case.name not in REFUSED_BY_ALL]


class Merging:
    """Several runs, in which one that cannot be told from an earlier one gets the earlier one's draws from then on.

    What iterators still have for a run cannot be seen, so runs that have ever entered loops over different items stay
    apart. `leaders`: for each run the one that it follows, perhaps itself.
    """

    def __init__(self, replays: list[Replay]) -> None:
        self.leaders = list(range(len(replays)))
        self.runs = [ConcreteInterpretation(self._draws_of(run, replay), FUEL) for run, replay in enumerate(replays)]
        self._entered: list[list[Any]] = [[] for _ in replays]
        self._drawn: dict[tuple[int, DrawSite], Any] = {}

    def _draws_of(self, run: int, replay: Replay) -> Callable[..., Any]:
        def draw(node: Draw, parameters: Any, size: Any, site: DrawSite) -> Any:
            leader = self.leaders[run]
            if leader == run:  # it comes first
                try:
                    self._drawn[run, site] = replay(node, parameters, size, site)
                except ValueError as refused:
                    self._drawn[run, site] = refused
            if isinstance(self._drawn[leader, site], ValueError):
                raise self._drawn[leader, site]
            return copy.deepcopy(self._drawn[leader, site])

        return draw

    def entering_loop(
        self, node: For | While, iterable: Many | None, active: Many, live: LiveVariables[Many, Many]
    ) -> None:
        for run, here in enumerate(active):
            if here:
                self._entered[run].append((node.span, None if iterable is None else shown(iterable[run])))

    def after_statement(self, statement: Statement, active: Many, live: LiveVariables[Many, Many]) -> None:
        first: dict[str, int] = {}
        bindings = live.bindings()
        for run, here in enumerate(active):
            if here and self.leaders[run] == run:
                holds = [(key, b.assigned[run] and shown(b.value[run])) for key, b in bindings.items()]
                leader = first.setdefault(repr((holds, self._entered[run])), run)
                self.leaders = [leader if other == run else other for other in self.leaders]


def shown(value: Any) -> str:
    """With its type: 1 / x raises for a 0.0 of Python, and not for one of NumPy."""
    return repr(value)


def merged(case: Case) -> tuple[list[int], list[Outcome]]:
    program = program_of(case)
    assert isinstance(program, Program)
    merging = Merging(plain_outcomes(case, range(RUNS))[1])
    with quiet():
        given = {name: (case.arguments[name],) * RUNS for name in program.parameters}
        evaluate(program, ManyRuns(merging.runs), given, hooks=merging)
    return merging.leaders, [outcome_of_run(run.result) for run in merging.runs]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_runs_that_cannot_be_told_apart_go_on_alike(case: Case) -> None:
    leaders, found = merged(case)

    assert [plain(outcome) for outcome in found] == [plain(found[leader]) for leader in leaders]


def test_many_runs_are_merged() -> None:
    followers = [sum(leader != run for run, leader in enumerate(merged(case)[0])) for case in CASES[::10]]

    assert sum(count > 0 for count in followers) > len(followers) / 3
