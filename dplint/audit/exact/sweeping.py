"""The exact counterpart of a line of a sweep: the loss of the worst pair, and its delta at every tested epsilon."""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Sequence

from dplint.audit.choices import Choice
from dplint.audit.exact.compared import compare_exact
from dplint.audit.exact.pairs import LIMITS, ComputedPair, NotComputed, compute_pair, computed_pairs
from dplint.audit.exact.table import delta_at
from dplint.audit.run_blocks import in_words
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.jobs import SweepJob
from dplint.outcomes import ExactCurve, ExactDelta
from dplint.program.refusals import Unsupported

_PHASE = "computing probabilities"
_PAIRS = 60
"""Small ones first: a number and not a time, so that the same sweep gives the same curve."""
_SAME = 1e-9
"""Losses that differ by less are the same: the last digits are those of rounded scales."""
_TIES = 8
_SECONDS = 10.0
"""Of CPU time, for pairs and deltas together: on machines that are slow indeed."""


def exact_curve(
    job: SweepJob, session: AuditSession, setting: Setting, pairs: Sequence[Pair], choice: Choice
) -> ExactCurve | str:
    """The curve of the pair that loses most with these arguments, or why there is none.

    Raises Cancelled and OutOfTime. Of pairs beyond the first ones nothing is said.
    """
    if job.settings.exact_seconds == 0:
        return "not computed exactly: the settings turn that off"
    if isinstance(job.program, Unsupported):
        return f"not computed exactly: {in_words(job.program)}"
    session.announce(_PHASE)
    end = time.process_time() + _SECONDS
    try:
        computed = computed_pairs(session, job.program, pairs, choice, setting.delta, end)
        found = list(itertools.islice(computed, _PAIRS))
        if not found:
            return "not computed exactly: it takes too long, or every run raises an exception"
        compare_exact(session, job.program, found)
        worst = _worst(session, found)
    except NotComputed as error:
        return str(error)
    return ExactCurve(
        d1=worst.pair.d1,
        d2=worst.pair.d2,
        arguments=worst.arguments,
        loss=worst.loss,
        deltas=tuple(_deltas(session, worst, job.epsilons, end)),
        pairs=len(found),
        certified_by=worst.certified_by,
    )


def _worst(session: AuditSession, found: Sequence[ComputedPair]) -> ComputedPair:
    """The pair that loses most, of several that lose as much one with the largest delta below; its laws are there."""
    most = max(one.loss.low for one in found)
    alike = [one for one in found if one.loss.low >= most - _SAME][:_TIES]
    half = most / 2 if 0 < most < math.inf else 1.0
    anew = functools.partial(_anew, session)
    best = alike[0] if len(alike) == 1 else max(alike, key=lambda one: delta_at(anew(one), half).delta.low)
    return anew(best)


def _anew(session: AuditSession, one: ComputedPair) -> ComputedPair:
    """Computed once more: the laws of a pair are there until the next one is computed."""
    return compute_pair(session, one.program, one.pair, one.choice, LIMITS, prune=False)


def _deltas(session: AuditSession, computed: ComputedPair, epsilons: Sequence[float], end: float) -> list[ExactDelta]:
    found: list[ExactDelta] = []
    for epsilon in sorted(epsilons):
        session.check_cancelled()
        if time.process_time() > end:
            break
        found.append(delta_at(computed, epsilon))
    return found
