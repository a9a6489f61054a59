"""Computing the losses of one mechanism exactly, on one pair or on those of its claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dplint.check.loading import audit_settings, wanted_target
from dplint.check.single import carried_out
from dplint.claims import Literal
from dplint.config import Settings
from dplint.jobs import ExactJob
from dplint.outcomes import CheckError, ExactTable, Finding, Plan, Progress, Result


def exact(
    target: str,
    settings: Settings,
    *,
    pair: tuple[Literal, Literal] | None = None,
    arguments: Sequence[tuple[str, Literal]] = (),
) -> Iterator[Plan | Progress | ExactTable | CheckError | Finding | Result]:
    """The losses of "FILE::FUNCTION" on a pair; None for the worst pair of its claim.

    arguments: values for some of its parameters, by name. Ends with an ExactTable; with a Result if nothing can be
    computed exactly, which says why; or with errors and findings if there is no such mechanism.
    """
    wanted, complaints = wanted_target(target, settings)
    if wanted is None:
        yield from complaints
        return
    d1, d2 = (None, None) if pair is None else pair
    job = ExactJob(
        mechanism=wanted.mechanism,
        program=wanted.program,
        settings=audit_settings(settings, wanted.mechanism),
        d1=d1,
        d2=d2,
        arguments=tuple(arguments),
        compare=not settings.static_only,
    )
    yield from carried_out(job, ExactTable)
