"""Rounds that look for other inputs once no bet grows any more: by a climb, if an earlier procedure knows how."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.claim_test import ClaimTest
from dplint.audit.betting.rounds import Rounds
from dplint.audit.betting.suggested import add_suggested, usable
from dplint.audit.procedure import Facts
from dplint.audit.session import AuditSession
from dplint.jobs import AuditJob

_SHARE, _SHORT, _LONG, _NIGHT = 0.1, 2.0, 10.0, 300.0
"""Of the budget; the most seconds for all values of the claim together, and those with a budget for a night."""
_FAR = 0.2
"""Share of what refutes a claim, as an exponent, below which bets do not seem to grow."""
_LEAST = 0.3
"""Seconds of a search below which it is not worth its beginning."""


class ClimbingRounds(Rounds):
    """See the module. A climb is asked for once for each value of the claim."""

    def __init__(self, job: AuditJob, session: AuditSession, carried_over: CarriedOver, facts: Facts) -> None:
        super().__init__(job, session, carried_over, facts.suggestions)
        self._search = facts.search
        self._climbed: set[int] = set()

    def _turn(self, claim_test: ClaimTest, number: int) -> Iterator[ClaimTest]:
        """As others do; if bets are far from refuting the claim by its end, what a climb comes to is tried, too."""
        yield from super()._turn(claim_test, number)
        share = claim_test.portfolio.log_e_value / -math.log(claim_test.portfolio.level)
        if number > 0 and claim_test.number not in self._climbed and share < _FAR:
            self._climbed.add(claim_test.number)
            yield from self._try_climbed(claim_test)

    def _try_climbed(self, claim_test: ClaimTest) -> Iterator[ClaimTest]:
        budget = self.job.settings.budget
        seconds = min(_SHARE * budget, _LONG if budget >= _NIGHT else _SHORT) / len(self.session.claimed)
        if self._search is None or seconds < _LEAST:
            return
        self.session.announce(f"climbing to inputs that lose more{claim_test.words}")
        found = usable(self.session, self._search(claim_test.setting, seconds))
        before = len(claim_test.groups)
        add_suggested(self, claim_test, found)
        yield from self._try_groups(claim_test, claim_test.groups[before:])
