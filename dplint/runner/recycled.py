"""`RandomState(seed)` at the price of its seed: what it holds is used again. Runs in the user's interpreter.

NumPy fills a Mersenne Twister from fresh entropy, which takes a hundred times as long as a draw, before `RandomState`
fills it from the seed. A function that makes one in each run does little else. So a twister that nobody holds any more
is handed out once more, and seeded as it would have been: all of its state comes from that.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, List

import numpy as np

_MOST = 8
"""So many are kept: a run may have several at a time."""
_OURS = 3
"""References to one that only this module holds: the list, the variable, and the argument of `getrefcount`."""


class RecycledTwisters:
    """In place of the class that `RandomState` makes its bit generator of.

    number: the seed of one that is made without a seed, from the stream in hand. fresh: whether NumPy's own way is to
    be taken, as long as it is watched what it asks for.
    """

    def __init__(self, number: Callable[[], int], fresh: Callable[[], bool]) -> None:
        self._number, self._fresh = number, fresh
        self._kept: List[Any] = []

    def install(self) -> None:
        """Let `RandomState` use them. A NumPy that is built otherwise is left as it is."""
        module: Any = sys.modules.get("numpy.random.mtrand")
        if getattr(module, "_MT19937", None) is np.random.MT19937:
            module._MT19937 = _Twister("MT19937", (np.random.MT19937,), {"twisters": self})

    def one(self) -> Any:
        """A twister of which nothing is known."""
        if self._fresh():
            return np.random.MT19937()
        for twister in self._kept:
            if sys.getrefcount(twister) == _OURS:
                break
        else:
            # A seed of its own, so that what the stream gives does not depend on whether one was free.
            twister = np.random.MT19937(0)
            if len(self._kept) < _MOST:
                self._kept.append(twister)
        twister._legacy_seeding(self._number())
        return twister


class _Twister(type):
    """The class of that class: it makes a plain `MT19937`, and takes any for one of its own."""

    twisters: RecycledTwisters

    def __call__(cls, seed: Any = None) -> Any:
        return cls.twisters.one() if seed is None else np.random.MT19937(seed)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, np.random.MT19937)
