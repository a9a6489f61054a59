"""Too little noise: what it is added to is moved further by neighbours than all of the claim pays for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dplint.check.editor_model import BudgetShare, MechanismView
from dplint.claims import Metric, Span
from dplint.outcomes import Finding, NotRefuted, Outcome, Proved, Severity

CODE = "DP914"
_MEETS = 1e-9


def too_far(share: BudgetShare, view: MechanismView, added: NotRefuted) -> tuple[float, float] | None:
    """How far a pair moves what a draw is added to, and how far all of epsilon pays for; None if that is far enough."""
    paid, pair = share.pays_for(view.mechanism.claim), added.furthest
    if paid is None or pair is None or added.stability.metric is not Metric.ABSOLUTE:
        return None
    return (pair.distance, paid) if pair.distance > paid * (1 + _MEETS) else None


def short_noise(
    view: MechanismView, outcome: Outcome | None, moved: Iterable[tuple[Span, NotRefuted]]
) -> Iterator[Finding]:
    """A finding for each draw with too little noise by a pair that was found; none beside a proof of the claim.

    moved: how far neighbours move what draws are added to, by the places of the draws.
    """
    if isinstance(outcome, Proved) or view.mechanism.claim.stable is not None:
        return
    by_place = dict(moved)
    for share in view.shares:
        far = too_far(share, view, by_place[share.span]) if share.span in by_place else None
        if far is not None:
            message = (
                f"neighbours move what this noise is added to by {far[0]:.6g}, and at this scale all of epsilon pays "
                f"for {far[1]:.6g}"
            )
            mechanism = view.mechanism
            yield Finding(mechanism.file, share.span, mechanism.qualname, CODE, Severity.WARNING, message)
