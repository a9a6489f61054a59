"""What was drawn in one run whose output shows an event: for people who look at a verdict that is known."""

from __future__ import annotations

from dplint.audit.session import AuditSession, Stream, Values
from dplint.events.printed import NotAnEvent, PrintedEvent
from dplint.outcomes import ExampleDraw
from dplint.runner.batch import DataValue
from dplint.runner.client import RunnerError


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
