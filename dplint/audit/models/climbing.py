"""The climb by models: from the pair that they put furthest apart to pairs near it that are further apart.

It is what the climb on exact losses is where only calls can run. A model costs some ten runs a data value, so a step
tries a few pairs at once, and it ends when steps no longer pay. What is found is a suggestion as all others.
"""

from __future__ import annotations

import math
import random
from typing import Protocol

from dplint.audit.choices import Choice, is_claimed
from dplint.audit.inputs import Inputs, gather_inputs
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.inputs.moves import moves_among

_WHY = "reached by a climb on models of the noise"
_STEP = 4
"""Pairs of one step."""
_PATIENCE = 60
"""Steps that come to nothing."""
_TRIED = 25
"""Changes that are tried for a pair that the claim speaks of and that is new."""
_MORE = 1e-6
_BACK = 0.5
"""How often a step that came to nothing is gone back on."""
_ANYWHERE = 0.25
"""How often a pair is one at random, and not one near the last."""


class Scan(Protocol):
    """Models of data values, and which pairs of these have been compared."""

    @property
    def over(self) -> bool:
        """Whether models have taken what they may take."""
        ...

    def look_at(self, inputs: Inputs) -> None:
        """Learn the data values of some pairs, and compare these."""
        ...

    def furthest(self) -> tuple[float, Pair] | None:
        """The pair furthest apart, and how far that is."""
        ...


def climb(scan: Scan, session: AuditSession, choice: Choice, setting: Setting) -> None:
    """Look at pairs near the one furthest apart, as long as that pays and there is time."""
    changes = _Changes(session, choice, setting)
    failures, best = 0, scan.furthest()
    origin = None if best is None else best[1]
    while best is not None and origin is not None and best[0] < math.inf and failures < _PATIENCE and not scan.over:
        found = changes.of(origin)
        if found:
            scan.look_at(gather_inputs(session, found))
        before, best = best[0], scan.furthest()
        paid = best is not None and best[0] > before + _MORE
        failures = 0 if paid else failures + 1
        # A gate may take several changes that come to nothing alone, so that half of the steps go on from others.
        stays = paid or not found or changes.chance.random() < _BACK
        origin = best[1] if best is not None and stays else changes.chance.choice(found)


class _Changes:
    """New pairs that the claim speaks of, the same ones for the same seed."""

    def __init__(self, session: AuditSession, choice: Choice, setting: Setting) -> None:
        self.chance = random.Random(session.seed)
        self._session, self._choice, self._setting = session, choice, setting
        values = [*session.constants(), *choice.values.values()]
        self._moves = moves_among(values, session.mechanism, _WHY)
        self._known: set[str] = set()

    def of(self, origin: Pair) -> list[Pair]:
        """Some pairs near another one, and some from anywhere."""
        found: list[Pair] = []
        for _ in range(_TRIED * _STEP):
            if self.chance.random() < _ANYWHERE:
                pair = self._moves.at_random(self.chance, scalar=self._session.form == "scalar")
            else:
                pair = self._moves.moved(origin, self.chance)
            key = repr((pair.d1, pair.d2))
            if key not in self._known and is_claimed(self._session, pair, self._choice, self._setting):
                self._known.add(key)
                found.append(pair)
                if len(found) == _STEP:
                    break
        return found
