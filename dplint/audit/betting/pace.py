"""How many times the runs of the schedule a round makes: looking at runs should take no longer than making them.

What is done once for each input and value of the claim (events, proposals, checks of the translation) takes the same
time for a thousand runs as for a million. Where lanes are fast, a round of the schedule would hardly use them.
"""

from __future__ import annotations

from dplint.audit.lane_runs import LaneRuns

_FROM = 2
"""The first round that is made larger: what is blatant shows before."""
_SHARE = 0.5
"""Share of the budget that a round may make up for."""


def pace(lanes: LaneRuns, runs: int, number: int, seconds: float, budget: float) -> float:
    """By what to multiply the runs of a round, so that runs will have taken half of the time; at least 1.

    runs: by the schedule, of all data values that are screened in it. seconds: of the pass so far. budget: of this
    value of the claim.
    """
    if number < _FROM or not lanes.seconds:
        return 1.0
    behind = min(seconds - 2 * lanes.seconds, _SHARE * budget)
    return max(1.0, 1.0 + behind / (runs * lanes.seconds_per_run))
