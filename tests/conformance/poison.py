"""Takes away what liveness says nobody will read: who reads it after all raises what Python does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dplint.claims import Span
from dplint.program.evaluator import evaluate
from dplint.program.interpretation import Interpretation, LiveVariables
from dplint.program.liveness import Liveness
from dplint.program.nodes import For, Program, Statement, While
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.concrete import ConcreteInterpretation
from dplint_conformance.harness import Outcome
from dplint_conformance.recording import Replay
from tests.conformance.adapters import FUEL, outcome_of_run
from tests.conformance.many_runs import ManyRuns


class Poison:
    """Hooks that let the active runs keep nothing but live variables, in any interpretation."""

    def __init__(self, interpretation: Interpretation[Any, Any]) -> None:
        self._interpretation = interpretation
        self.taken: set[str] = set()

    def after_statement(self, statement: Statement, active: Any, live: LiveVariables[Any, Any]) -> None:
        self._take(active, live, statement.span)

    def entering_loop(self, node: For | While, iterable: Any, active: Any, live: LiveVariables[Any, Any]) -> None:
        self._take(active, live, node.span)

    def _take(self, active: Any, live: LiveVariables[Any, Any], span: Span) -> None:
        interpretation = self._interpretation
        assert not interpretation.never(active)
        nothing = interpretation.constant(None)
        for frame, names in live.scopes:
            for name in set(frame.variables) - names:
                binding = frame.variables[name]
                binding.value = interpretation.select(active, nothing, binding.value, span)
                binding.assigned = interpretation.both(binding.assigned, interpretation.negate(active))
                self.taken.add(name)


def poisoned(
    program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay], liveness: Liveness
) -> list[Outcome] | Unsupported:
    """Single runs, whose dead variables are taken away."""
    found = []
    for replay in replays:
        one = ConcreteInterpretation(replay, FUEL)
        given = {name: arguments[name] for name in program.parameters}
        try:
            evaluate(program, one, given, hooks=Poison(one), liveness=liveness)
        except UnsupportedConstruct as refused:
            return refused.unsupported
        found.append(outcome_of_run(one.result))
    return found


def poisoned_together(
    program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay], liveness: Liveness
) -> list[Outcome] | Unsupported:
    """The same side by side: what is dead in some runs others may read, on the other side of a branch."""
    many = ManyRuns([ConcreteInterpretation(replay, FUEL) for replay in replays])
    given = {name: (arguments[name],) * len(replays) for name in program.parameters}
    try:
        evaluate(program, many, given, hooks=Poison(many), liveness=liveness)
    except UnsupportedConstruct as refused:
        return refused.unsupported
    return [outcome_of_run(one.result) for one in many.runs]


Poisoned = Callable[[Program, Mapping[str, Any], Sequence[Replay], Liveness], "list[Outcome] | Unsupported"]
