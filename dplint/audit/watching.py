"""Which lines the witness of a violation does not take, by a few watched calls: they are no cause of it.

What was drawn in one run whose output shows an event: for people who look at a verdict that is known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dplint.audit.progress import OutOfTime
from dplint.audit.session import AuditSession, Stream, Values
from dplint.claims import Literal
from dplint.events.printed import NotAnEvent, PrintedEvent
from dplint.outcomes import Bounds, Counterexample, ExampleDraw, Measure, SkippedLine, WatchedRuns
from dplint.runner import time_had
from dplint.runner.batch import Batch, DataValue
from dplint.runner.client import Look, RunnerError

_FIRST, _LEAST, _MOST = 3, 20, 400
"""Runs on either side: to learn how long one takes, and then."""
_EXPECTED = 10
"""How often a run on D1 should have the event."""
_SECONDS = 0.3


def watched(
    session: AuditSession,
    data: Sequence[DataValue],
    arguments: Mapping[str, Literal],
    found: Counterexample,
    stream: tuple[int, ...],
) -> WatchedRuns | None:
    """What runs on D1 and D2 show of the cause. None where they fail: the verdict does not hang on them.

    A line counts as skipped only if the event was among the runs on D1, unless it is a point of a density.
    """
    try:
        before = time_had.now()
        looks = [session.look(data, arguments, _FIRST, (*stream, 0), passed_over=True)]
        runs = _more_runs(session, found, (time_had.now() - before) / (_FIRST * len(data)))
        if runs:
            looks.append(session.look(data, arguments, runs, (*stream, 1), passed_over=True))
    except (RunnerError, OutOfTime):
        return None
    first, second = ([output for look in looks for output in _outputs(look[side])] for side in (0, 1))
    skipped = skipped_lines(session, looks) if _is_seen(found, first) else ()
    raised = [[isinstance(_returned(output), Exception) for output in outputs] for outputs in (first, second)]
    return WatchedRuns(skipped=skipped, crash=any(all(one) and not any(other) for one, other in (raised, raised[::-1])))


def _more_runs(session: AuditSession, found: Counterexample, seconds: float) -> int:
    """After the first: so many that the event should be seen, and where time counts no more than there is for it."""
    share = found.evidence.p1
    rare = share.low if isinstance(share, Bounds) else share
    wanted = min(_MOST, max(_LEAST, math.ceil(_EXPECTED / rare) if rare > 0 else _LEAST))
    if session.settings.max_runs is not None:
        return wanted
    return min(wanted, int(_SECONDS / max(2 * seconds, 1e-9)))


def _outputs(look: Look) -> list[object]:
    batch: Batch = look.batch
    return batch.likenesses()


def _returned(output: object) -> object:
    """What is returned or raised, of a run that shows more than that, too."""
    return getattr(output, "returned", output)


def _is_seen(found: Counterexample, outputs: Sequence[object]) -> bool:
    """Whether the event is among the outputs on D1: else its path may be another one."""
    if getattr(found.evidence, "measure", None) is Measure.DENSITY:
        return True
    try:
        return any(map(PrintedEvent(found.witness.event).holds, outputs))
    except NotAnEvent:
        return False


def skipped_lines(session: AuditSession, looks: Sequence[Sequence[Look]]) -> tuple[SkippedLine, ...]:
    """The lines that none of these calls took, of one or more requests with `passed_over`."""
    here = session.mechanism.span.line
    lines = set(looks[0][0].passed_over).intersection(*(look[0].passed_over for look in looks))
    return tuple(SkippedLine(line - here, text) for line, text in sorted(lines) if text)


def example_in_event(
    session: AuditSession, value: DataValue, arguments: Values, event: str, stream: Stream
) -> tuple[ExampleDraw, ...]:
    """The draws in their order; empty without lanes, or if no such run was found. Also when the time is over.

    event: as it is printed. Raises NotOnLanes if what the lanes show is not what the function does.
    """
    if session.lanes is None:
        return ()
    try:
        return session.lanes.example(value, arguments, PrintedEvent(event).holds, session.seed_for(stream))
    except (NotAnEvent, RunnerError):
        # An event that is too long to be read, or a function that does not end: the verdict does not hang on it.
        return ()
