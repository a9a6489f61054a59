"""Too much noise, of a mechanism that is proved to spend clearly less than it claims; and too little.

Too little is what noise is added to that neighbours move further than all of the claim pays for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dplint.check.editor_model import MechanismView
from dplint.claims import Mechanism, Span
from dplint.config import Settings
from dplint.outcomes import Finding, Known, NotRefuted, Outcome, Proved, Repair, Severity

SPARE, SHORT = "DP912", "DP914"
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
    return Finding(mechanism.file, mechanism.span, mechanism.qualname, SPARE, Severity.INFO, message, fix)


def _number(epsilon: float | str) -> str:
    return epsilon if isinstance(epsilon, str) else f"{epsilon:.4g}"


def short_noise(
    view: MechanismView, outcome: Outcome | None, moved: Iterable[tuple[Span, NotRefuted]]
) -> Iterator[Finding]:
    """A finding for each draw with too little noise by a pair that was found; none beside a proof of the claim.

    moved: how far neighbours move what draws are added to, by the places of the draws.
    """
    if isinstance(outcome, Proved) or view.mechanism.claim.stable is not None:
        return
    by_place = dict(moved)
    mechanism = view.mechanism
    for share in view.shares:
        added, paid = by_place.get(share.span), share.pays_for(mechanism.claim)
        if added is not None and added.furthest is not None and added.beyond(paid):
            message = (
                f"neighbours move what this noise is added to by {added.furthest.distance:.6g}, and at this scale all "
                f"of epsilon pays for {paid:.6g}"
            )
            yield Finding(mechanism.file, share.span, mechanism.qualname, SHORT, Severity.WARNING, message)
