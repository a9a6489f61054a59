"""Which paths the first run has, depth first by replaying; and how the second run follows one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import z3

from dplint.proofs.alignment import Decisions
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.values import Mask, NotProved, fail_if

T = TypeVar("T")
_MOST_PATHS = 5_000


class Decider(Protocol):
    """Says how a run decides."""

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """Which of the options holds, exactly one of which does."""

    def argument(self, condition: z3.BoolRef) -> Mask:
        """The truth of a condition on arguments alone; the condition itself where it stays open."""

    def assume(self, *facts: z3.BoolRef) -> None:
        """Facts that define what a name stands for, or that hold with probability one."""

    def certain(self, condition: z3.BoolRef) -> bool:
        """Whether the condition holds in every run on this path; False if unknown."""


class Paths(Known):
    """The first run on its first path that z3 does not exclude; the others are begun later.

    taken: how the path begins. left: beginnings of other paths, to which it adds. asked: what was asked before on the
    same way has the same answer.
    """

    def __init__(
        self,
        world: Sequence[z3.BoolRef],
        taken: Decisions = (),
        left: list[Decisions] | None = None,
        asked: dict[tuple[Decisions, int], tuple[z3.BoolRef, bool]] | None = None,
    ) -> None:
        super().__init__(world)
        self._prefix = taken
        self._taken: Decisions = ()
        self._left = [] if left is None else left
        self._asked = {} if asked is None else asked
        self._arguments: dict[int, bool] = {}
        self.made: list[int] = []
        self.regime: list[z3.BoolRef] = []

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """The first option that is possible."""
        self.made.append(self._choose(options))
        return self.made[-1]

    def argument(self, condition: z3.BoolRef) -> Mask:
        """Arguments are the same in both runs: each way is a case of its own."""
        key = condition.get_id()
        if key not in self._arguments:
            options = [condition, z3.Not(condition)]
            chosen = self._choose(options)
            self._arguments[key] = chosen == 0
            self.regime.append(options[chosen])
        return self._arguments[key]

    def certain(self, condition: z3.BoolRef) -> bool:
        """By z3, from what is assumed and decided so far."""
        key = (self._taken, condition.get_id())
        if key not in self._asked:
            self._asked[key] = (condition, super().certain(condition))
        return self._asked[key][1]

    def _choose(self, options: Sequence[z3.BoolRef]) -> int:
        if len(self._taken) < len(self._prefix):
            chosen = self._prefix[len(self._taken)]
        else:
            # Where nothing is possible no run takes this path, and anything may be said of it.
            chosen, *others = [k for k, option in enumerate(options) if not self.excludes(option)] or [0]
            self._left += [(*self._taken, other) for other in reversed(others)]
        self._taken = (*self._taken, chosen)
        self.assume(options[chosen])
        return chosen


class Followed(Known):
    """The second run on the path of the first: the same decisions, which a proof then has to show to be its own.

    It knows of data and arguments alone. left: the decisions that it has not asked for. facts: what it assumes, for
    the question whether this run follows.
    """

    def __init__(self, decisions: Sequence[int], regime: Sequence[z3.BoolRef], world: Sequence[z3.BoolRef]) -> None:
        super().__init__([*world, *regime])
        self.left = list(decisions)
        self._regime = regime
        self.facts: list[z3.BoolRef] = []

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """As the first run has decided."""
        if not self.left or self.left[0] >= len(options):
            raise NotProved("the run on D2 looks at noise more often than the run on D1, or has fewer ways to go")
        return self.left.pop(0)

    def argument(self, condition: z3.BoolRef) -> Mask:
        """As the first run; open where that has not asked, and nothing follows from what is known."""
        for way in (condition, z3.Not(condition)):
            if any(z3.eq(way, known) for known in self._regime) or self.certain(way):
                return way is condition
        return condition

    def assume(self, *facts: z3.BoolRef) -> None:
        """Kept, too."""
        self.facts += facts
        super().assume(*facts)


@dataclass(slots=True)
class Path(Generic[T]):
    """A path of the run on D1, and the run on D2 that decides alike. facts: what the latter assumes."""

    decisions: Decisions
    regime: list[z3.BoolRef]
    first: T
    second: T
    facts: list[z3.BoolRef]


def paths_of_both(
    first_world: Sequence[z3.BoolRef], world: Sequence[z3.BoolRef], run: Callable[[int, Decider], T]
) -> Iterator[Path[T]]:
    """Every path. first_world: what is known of the run on D1. run: makes run 1 or 2, deciding so."""
    left: list[Decisions] = [()]
    asked: dict[tuple[Decisions, int], tuple[z3.BoolRef, bool]] = {}
    for _ in range(_MOST_PATHS):
        explorer = Paths(first_world, left.pop(), left, asked)
        first = run(1, explorer)
        follower = Followed(explorer.made, explorer.regime, world)
        second = run(2, follower)
        fail_if(follower.left, "the run on D2 looks at noise less often than the run on D1")
        yield Path(tuple(explorer.made), list(explorer.regime), first, second, follower.facts)
        if not left:
            return
    raise NotProved(f"there are more than {_MOST_PATHS:,} paths")
