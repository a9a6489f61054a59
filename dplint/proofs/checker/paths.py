"""Which paths the first run has, depth first by replaying; and how the second run follows one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import z3

from dplint.proofs.checker.values import Mask, NotProved

T = TypeVar("T")
_MOST_PATHS = 5_000
_RLIMIT = 40_000_000
"""Steps of z3 for one question: a few seconds at most. A question that takes more counts as not answered."""
_MILLISECONDS = 10_000
"""For what z3 does without counting its steps, as with products of several variables."""


def solver_for(assumptions: Sequence[z3.BoolRef]) -> z3.Solver:
    """A solver that gives up after a fixed number of steps, so that its answers hardly hang on the machine."""
    solver = z3.Solver()
    solver.set(rlimit=_RLIMIT, timeout=_MILLISECONDS)
    solver.add(*assumptions)
    return solver


def excludes(solver: z3.Solver, condition: z3.BoolRef) -> bool:
    """Whether what the solver knows excludes the condition; False if that is unknown."""
    solver.push()
    solver.add(condition)
    answer = solver.check()
    solver.pop()
    return bool(answer == z3.unsat)


class Decider(Protocol):
    """Says how a run decides."""

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """Which of the options holds, exactly one of which does."""

    def argument(self, condition: z3.BoolRef) -> Mask:
        """The truth of a condition on arguments alone; the condition itself where it stays open."""

    def assume(self, fact: z3.BoolRef) -> None:
        """A fact that defines what a name stands for, or that holds with probability one."""

    def certain(self, condition: z3.BoolRef) -> bool:
        """Whether the condition holds in every run on this path; False if unknown."""


class Paths:
    """All paths of the first run. After `walk` has ended, `decisions` and `regime` are those of its path."""

    def __init__(self, assumptions: Sequence[z3.BoolRef]) -> None:
        self._assumptions = assumptions
        self._known: dict[tuple[tuple[int, ...], int], tuple[z3.BoolRef, bool]] = {}
        self._left: list[tuple[int, ...]] = [()]
        self._begin()

    def _begin(self) -> None:
        self._solver = solver_for(self._assumptions)
        self._prefix = self._left.pop()
        self._taken: tuple[int, ...] = ()
        self._arguments: dict[int, bool] = {}
        self.decisions: list[int] = []
        self.regime: list[z3.BoolRef] = []

    def explore(self, walk: Callable[[Paths], T]) -> Iterator[T]:
        """What `walk` gives for each path that z3 does not exclude. Raises NotProved if there are too many."""
        for _ in range(_MOST_PATHS):
            yield walk(self)
            if not self._left:
                return
            self._begin()
        raise NotProved(f"there are more than {_MOST_PATHS:,} paths")

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """Take the first option that is possible; the others have their turn later."""
        self.decisions.append(self._choose(options))
        return self.decisions[-1]

    def argument(self, condition: z3.BoolRef) -> Mask:
        """Arguments are the same in both runs: each way is a case of its own."""
        key = condition.get_id()
        if key not in self._arguments:
            options = [condition, z3.Not(condition)]
            chosen = self._choose(options)
            self._arguments[key] = chosen == 0
            self.regime.append(options[chosen])
        return self._arguments[key]

    def assume(self, fact: z3.BoolRef) -> None:
        """Add it."""
        self._solver.add(fact)

    def certain(self, condition: z3.BoolRef) -> bool:
        """By z3, from what is assumed and decided so far; asked again on the same way, the same answer."""
        key = (self._taken, condition.get_id())
        if key not in self._known:
            self._known[key] = (condition, excludes(self._solver, z3.Not(condition)))
        return self._known[key][1]

    def _choose(self, options: Sequence[z3.BoolRef]) -> int:
        if len(self._taken) < len(self._prefix):
            chosen = self._prefix[len(self._taken)]
        else:
            possible = [k for k, option in enumerate(options) if not excludes(self._solver, option)]
            # Nothing is possible: no run takes this path, and anything may be said of it.
            chosen, *others = possible or [0]
            self._left += [(*self._taken, other) for other in reversed(others)]
        self._taken = (*self._taken, chosen)
        self._solver.add(options[chosen])
        return chosen


class Followed:
    """The second run on the path of the first: the same decisions, which a proof then has to show to be its own."""

    def __init__(self, decisions: Sequence[int], regime: Sequence[z3.BoolRef], world: Sequence[z3.BoolRef]) -> None:
        self._decisions = tuple(decisions)
        self._regime = tuple(regime)
        self._solver = solver_for([*world, *regime])
        self._position = 0
        self.facts: list[z3.BoolRef] = []

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """As the first run has decided."""
        if self._position == len(self._decisions):
            raise NotProved("the run on D2 looks at noise more often than the run on D1")
        chosen = self._decisions[self._position]
        self._position += 1
        if chosen >= len(options):
            raise NotProved("the run on D2 chooses among fewer numbers than the run on D1")
        return chosen

    def argument(self, condition: z3.BoolRef) -> Mask:
        """As the first run; open where that has not asked, and nothing follows from what is known."""
        if any(z3.eq(condition, known) for known in self._regime):
            return True
        if any(z3.eq(z3.Not(condition), known) for known in self._regime):
            return False
        if self.certain(condition):
            return True
        return False if self.certain(z3.Not(condition)) else condition

    def assume(self, fact: z3.BoolRef) -> None:
        """Kept for the question whether this run follows."""
        self.facts.append(fact)
        self._solver.add(fact)

    def certain(self, condition: z3.BoolRef) -> bool:
        """By z3, from what is known of data and arguments."""
        return excludes(self._solver, z3.Not(condition))

    def finished(self) -> bool:
        """Whether all decisions of the first run were asked for."""
        return self._position == len(self._decisions)


@dataclass(slots=True)
class Path(Generic[T]):
    """A path of the run on D1, and the run on D2 that decides alike."""

    decisions: tuple[int, ...]
    regime: list[z3.BoolRef]
    first: T
    second: T
    facts: list[z3.BoolRef]


def paths_of_both(
    first_world: Sequence[z3.BoolRef], world: Sequence[z3.BoolRef], run: Callable[[int, Decider], T]
) -> Iterator[Path[T]]:
    """Every path. first_world: what is known of the run on D1. run: makes run 1 or 2, deciding so."""

    def both_runs(explorer: Paths) -> Path[T]:
        first = run(1, explorer)
        decisions, regime = tuple(explorer.decisions), list(explorer.regime)
        follower = Followed(decisions, regime, world)
        second = run(2, follower)
        if not follower.finished():
            raise NotProved("the run on D2 looks at noise less often than the run on D1")
        return Path(decisions, regime, first, second, follower.facts)

    return Paths(first_world).explore(both_runs)
