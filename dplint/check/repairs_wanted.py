"""Whether repairs of a mechanism are looked for, and how long."""

from __future__ import annotations

from dplint.check.noise_amounts import has_spare_noise
from dplint.claims import Numerics
from dplint.config import Settings
from dplint.outcomes import Outcome, Violation

_LEAST, LONGEST = 8.0, 30.0
"""Seconds of a search, by the budget of an audit."""
TOGETHER = 20.0
"""Seconds of one check after which no further search begins, where nobody has asked for repairs."""
_QUICK = 10.0
"""Where audits have fewer seconds, as in a hook, a check does not wait for repairs."""


def seconds_for_repairs(settings: Settings) -> float:
    """How long a check looks for repairs of one mechanism; 0 for not at all.

    So where nothing may hang on the clock, where no proof is wanted, and where a quick answer is, unless they are asked
    for.
    """
    if not _may_be_repaired(settings) or (settings.repairs is None and settings.budget < _QUICK):
        return 0.0
    return min(LONGEST, max(_LEAST, settings.budget / 2))


def _may_be_repaired(settings: Settings) -> bool:
    wanted = settings.repairs is not False and settings.proofs
    return wanted and settings.runs is None and settings.method == "anytime"


def wants_repairs(outcome: Outcome, settings: Settings) -> bool:
    """Whether something is to be mended: a violation, in real numbers and not against a proof, or noise to spare."""
    if not _may_be_repaired(settings):
        return False
    if isinstance(outcome, Violation):
        return outcome.numerics is Numerics.REAL and outcome.against is None
    return has_spare_noise(outcome, settings)
