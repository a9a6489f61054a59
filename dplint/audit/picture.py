"""The outputs of a mechanism on D1 and D2 of a counterexample, for a picture.

The runs that a verdict rests on are counted and let go: an audit makes millions. So a picture has runs of its own, from
streams of its own, and nothing is concluded from them.
"""

from __future__ import annotations

from dplint.audit.job import PictureJob
from dplint.audit.lane_runs import NotOnLanes, in_words
from dplint.audit.preparation import find_pairs, plain_note
from dplint.audit.session import OutOfTime, Progress, Session
from dplint.claims import Literal, Relation
from dplint.events.charts import chart
from dplint.events.printed import NoEvent, PrintedEvent
from dplint.outcomes import Distributions, Failed, FailureKind, Untestable
from dplint.program.refusals import Unsupported
from dplint.runner.client import DataValue, RunnerError

_STREAM = (1 << 20,)
"""The name of its random streams; the passes of an audit count up from zero."""


def picture(job: PictureJob, progress: Progress) -> Distributions | Untestable | Failed:
    """Run the mechanism on both sides of the counterexample and count the outputs."""
    if job.mechanism.untestable:
        return Untestable(reason=job.mechanism.untestable)
    try:
        event = PrintedEvent(job.counterexample.event)
    except NoEvent as error:
        return Failed(kind=FailureKind.INTERNAL, reason=str(error))
    with Session(job.mechanism, job.settings, job.source_text, progress) as session:
        try:
            session.load()
            if job.as_array:
                session.form = "array"
            data = _data(job, session)
            outputs, note = _outputs(job, session, data)
        except RunnerError as error:
            return Failed(kind=error.kind, reason=error.reason, detail=error.detail)
        except _PairIsGone:
            reason = "the pair of the counterexample is not among those that the claim's own function yields now"
            return Failed(kind=FailureKind.INPUT, reason=reason)
    if not outputs[0]:
        return Failed(kind=FailureKind.DEADLINE, reason="the function is too slow for a picture of its outputs")
    return chart(outputs[0], outputs[1], event, notes=(note,) if note else ())


class _PairIsGone(Exception):
    """The claim's own function does not yield the pair any more."""


def _data(job: PictureJob, session: Session) -> list[DataValue]:
    """D1 and D2 as the runner takes them: objects of the user's own function are asked for anew."""
    found = job.counterexample
    if job.mechanism.claim.relation is not Relation.CUSTOM:
        return [DataValue(value=value, form=session.form, handle=None) for value in (found.d1, found.d2)]
    wanted = repr((found.d1, found.d2))
    for pair in find_pairs(session):
        for sides in ((1, 2), (2, 1)):
            values = (pair.d1, pair.d2) if sides == (1, 2) else (pair.d2, pair.d1)
            if repr(values) == wanted:
                return [session.data_value(pair, side) for side in sides]
    raise _PairIsGone


def _outputs(
    job: PictureJob, session: Session, data: list[DataValue]
) -> tuple[tuple[list[object], list[object]], str | None]:
    """Outputs on both sides, on lanes where that is possible; and why it was not."""
    if isinstance(job.program, Unsupported):
        return _sampled(job, session, data), plain_note(in_words(job.program))
    session.use_lanes(job.program)
    try:
        return _sampled(job, session, data), None
    except NotOnLanes as reason:
        session.lanes = None
        session.seconds_per_run = 0.0
        return _sampled(job, session, data), plain_note(str(reason))


def _sampled(job: PictureJob, session: Session, data: list[DataValue]) -> tuple[list[object], list[object]]:
    arguments: dict[str, Literal] = {argument.name: argument.value for argument in job.counterexample.arguments}
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
