"""Searching for the input of one mechanism that loses most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dplint.check.loading import audit_settings, wanted_target
from dplint.check.single import carried_out
from dplint.config import Settings
from dplint.jobs import WorstJob
from dplint.outcomes import CheckError, Finding, Plan, Progress, Result, WorstInput


def worst(
    target: str, settings: Settings, *, seconds: float, epsilon: float | None = None
) -> Iterator[Plan | Progress | WorstInput | CheckError | Finding | Result]:
    """The worst input of "FILE::FUNCTION" that is found in so many seconds, at a value of the claim.

    epsilon: None for the first of the settings. Ends with a WorstInput; with a Result if nothing can be computed, which
    says why; or with errors and findings if there is no such mechanism.
    """
    wanted, complaints = wanted_target(target, settings)
    if wanted is None:
        yield from complaints
        return
    prepared = audit_settings(settings, wanted.mechanism)
    if epsilon is not None:
        prepared = replace(prepared, epsilons=(epsilon,))
    job = WorstJob(
        mechanism=wanted.mechanism,
        program=wanted.program,
        settings=prepared,
        seconds=seconds,
        compare=not settings.static_only,
    )
    yield from carried_out(job, WorstInput)
