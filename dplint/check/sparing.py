"""Too much noise: a mechanism that is proved to spend clearly less than it claims."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.claims import Mechanism
from dplint.config import Settings
from dplint.outcomes import Finding, Known, Outcome, Proved, Repair, Severity

CODE = "DP912"
_NAMED = 1e-9


def has_spare_noise(outcome: Outcome, settings: Settings) -> bool:
    """Whether there is so much more noise than the claim asks for, always: by a proof, never by runs."""
    spare = isinstance(outcome, Proved) and outcome.scope.full
    return spare and isinstance(outcome, Proved) and outcome.share * (1 + settings.spare_noise) <= 1 + _NAMED


def spare_noise(
    mechanism: Mechanism, outcome: Outcome, repairs: Sequence[Repair], settings: Settings
) -> Finding | None:
    """What is spent and what is claimed; with the edit that spends all of it, if one is proved."""
    if not isinstance(outcome, Proved) or not has_spare_noise(outcome, settings):
        return None
    claimed, spent = mechanism.claim.epsilon, outcome.epsilon_upper
    repair = next((one for one in repairs if one.known is Known.PROVED), None)
    does = "" if repair is None else f": {repair.title[:1].lower()}{repair.title[1:]}, and the claim is proved still"
    message = f"this is more noise than it claims: it spends at most {_number(spent)} of {_number(claimed)}{does}"
    fix = None if repair is None else repair.fix
    return Finding(mechanism.file, mechanism.span, mechanism.qualname, CODE, Severity.INFO, message, fix)


def _number(epsilon: float | str) -> str:
    return epsilon if isinstance(epsilon, str) else f"{epsilon:.4g}"
