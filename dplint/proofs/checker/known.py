"""What is known, and what follows from it: the only place where z3 is asked."""

from __future__ import annotations

from collections.abc import Iterable

import z3

from dplint.proofs.alignment import Decisions
from dplint.proofs.checker.values import Mask, NotProved, boolean

_RLIMIT = 40_000_000
"""Steps of z3 for one question: a few seconds at most. A question that takes more counts as not answered."""
_MILLISECONDS = 10_000
"""For what z3 does without counting its steps, as with products of several variables."""


class Refuted(NotProved):
    """Certain data and arguments for which a path's moves do not do: the variables as they are in the model."""

    def __init__(self, reason: str, decisions: Decisions, model: z3.ModelRef) -> None:
        super().__init__(reason)
        self.decisions = decisions
        self.model = model


class Known:
    """Facts. decisions: of the path that they are of.

    A question is given up after a fixed number of steps, so that the answers hardly hang on the machine.
    """

    def __init__(self, facts: Iterable[z3.BoolRef], decisions: Decisions = ()) -> None:
        self.decisions = decisions
        self._solver = z3.Solver()
        self._solver.set(rlimit=_RLIMIT, timeout=_MILLISECONDS)
        self._solver.add(*facts)
        self._certain: dict[int, z3.BoolRef] = {}

    def assume(self, *facts: z3.BoolRef) -> None:
        """More facts: that define what a name stands for, that were decided, or that hold with probability one."""
        self._solver.add(*facts)

    def excludes(self, condition: z3.BoolRef) -> bool:
        """Whether no values fulfil the facts and the condition; False if that is unknown."""
        return bool(self._answer(condition)[0] == z3.unsat)

    def certain(self, condition: z3.BoolRef) -> bool:
        """Whether the condition follows, and so with more facts; False if that is unknown."""
        # The condition is kept, so that z3 gives its number to no other.
        if condition.get_id() not in self._certain and self.excludes(z3.Not(condition)):
            self._certain[condition.get_id()] = condition
        return condition.get_id() in self._certain

    def expect(self, fact: Mask, reason: str, *given: z3.BoolRef) -> None:
        """Raises NotProved unless the fact follows, Refuted where z3 knows values against it. given: more facts."""
        if fact is True:
            return
        answer, model = self._answer(z3.Not(boolean(fact)), *given)
        if model is not None:
            raise Refuted(reason, self.decisions, model)
        if answer != z3.unsat:
            raise NotProved(f"z3 does not know whether {reason}")

    def _answer(self, *facts: z3.BoolRef) -> tuple[z3.CheckSatResult, z3.ModelRef | None]:
        self._solver.push()
        self._solver.add(*facts)
        answer = self._solver.check()
        model = self._solver.model() if answer == z3.sat else None
        self._solver.pop()
        return answer, model
