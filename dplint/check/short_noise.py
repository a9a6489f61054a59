"""Too little noise: what it is added to is moved further by neighbours than all of the claim pays for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dplint.check.editor_model import MechanismView
from dplint.claims import Span
from dplint.outcomes import Finding, NotRefuted, Outcome, Proved, Severity

CODE = "DP914"


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
            yield Finding(mechanism.file, share.span, mechanism.qualname, CODE, Severity.WARNING, message)
