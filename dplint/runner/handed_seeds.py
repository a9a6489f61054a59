"""The seed that a run is handed, for a generator of the function's own. Runs in the user's interpreter."""

from __future__ import annotations

from typing import Any, Callable, Set


class HandedSeeds:
    """The seed itself is a draw, and a generator that is made of it draws as one without a seed.

    Sound for one generator of each family: a second one with the same seed would give the same numbers again.
    draw: gives a seed. same: whether two values are equal in all runs. refuse: called for a second generator.
    """

    def __init__(self, draw: Callable[[], Any], same: Callable[[Any, Any], bool], refuse: Callable[[str], Any]) -> None:
        self._draw, self._same, self._refuse = draw, same, refuse
        self._seed: Any = None
        self._families: Set[str] = set()

    def begin_run(self) -> None:
        """No seed has been handed yet."""
        self._seed = None
        self._families.clear()

    def hand(self) -> Any:
        """The seed of the run."""
        self._seed = self._draw()
        return self._seed

    def makes(self, family: str, *given: Any, **named: Any) -> bool:
        """Whether a generator of a family with these arguments is one with the seed that was handed."""
        values = (*given, *named.values())
        if self._seed is None or len(values) != 1 or not self._same(values[0], self._seed):
            return False
        if family in self._families:
            self._refuse("a second generator with the same seed")
        self._families.add(family)
        return True
