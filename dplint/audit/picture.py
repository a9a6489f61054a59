"""The outputs of a mechanism on D1 and D2 of a witness, for a picture.

The runs that a verdict rests on are counted and let go: an audit makes millions. So a picture has runs of its own, from
streams of its own, and nothing is concluded from them. Where the program can be computed, its
probabilities and densities are drawn along.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.exact.shares import computed_shares
from dplint.audit.procedure import Facts, Needs
from dplint.audit.progress import OutOfTime
from dplint.audit.session import AuditSession
from dplint.claims import Literal
from dplint.events.charts import chart
from dplint.events.printed import NotAnEvent, PrintedEvent
from dplint.jobs import PictureJob
from dplint.outcomes import Distributions, Failed, FailureKind
from dplint.runner.client import DataValue

_STREAM = (1 << 20,)
"""The name of its random streams; the passes of an audit count up from zero."""


@dataclass(frozen=True)
class Picture:
    """Runs the mechanism on both sides of the witness and counts the outputs. needs: LANES or RUNS."""

    needs: Needs
    name: ClassVar[str] = "picture"
    phase: ClassVar[str] = "drawing"

    def decide(self, session: AuditSession, job: PictureJob, facts: Facts) -> Distributions | Failed:  # noqa: ARG002
        """The picture."""
        try:
            event = PrintedEvent(job.witness.event)
        except NotAnEvent as error:
            return Failed(kind=FailureKind.INTERNAL, reason=str(error))
        data = _data(job, session)
        if data is None:
            reason = "the pair of the counterexample is not among those that the claim's own function yields now"
            return Failed(kind=FailureKind.INPUT, reason=reason)
        outputs = _sampled(job, session, data)
        if not outputs[0]:
            return Failed(kind=FailureKind.DEADLINE, reason="the function is too slow for a picture of its outputs")
        drawn = chart(outputs[0], outputs[1], event, notes=tuple(session.coverage.notes))
        return replace(drawn, computed=computed_shares(session, job, drawn))


def _data(job: PictureJob, session: AuditSession) -> list[DataValue] | None:
    """D1 and D2 as the runner takes them; objects of the user's own function, None if it does not yield them now."""
    found = job.witness
    if job.mechanism.claim.pairs is None:
        return [DataValue(value=value, form=session.form, handle=None) for value in (found.d1, found.d2)]
    wanted = repr((found.d1, found.d2))
    for pair in session.find_pairs():
        if repr((pair.d1, pair.d2)) == wanted:
            return [session.data_value(pair, side) for side in (1, 2)]
    return None


def _sampled(job: PictureJob, session: AuditSession, data: list[DataValue]) -> tuple[list[object], list[object]]:
    arguments: dict[str, Literal] = {argument.name: argument.value for argument in job.witness.arguments}
    found: tuple[list[object], list[object]] = ([], [])
    session.planned = 2 * job.runs
    try:
        for chunk in session.sample(data, arguments, job.runs, _STREAM, "drawing"):
            for side, batch in enumerate(chunk.batches):
                found[side].extend(batch.likenesses())
            if session.seconds > job.seconds:
                break
    except OutOfTime:
        pass  # what there is can be shown
    return found
