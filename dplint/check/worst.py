"""Searching for the input of one mechanism that loses most."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from dplint.check.loading import audit_settings, wanted_target
from dplint.config import Settings
from dplint.jobs import WorstJob
from dplint.outcomes import (
    BySource,
    CheckError,
    Curve,
    Distributions,
    ExactTable,
    Finding,
    Plan,
    Progress,
    Result,
    WorstInput,
)
from dplint.workers.messages import Tick
from dplint.workers.pool import run_jobs


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
    job = WorstJob(mechanism=wanted.mechanism, program=wanted.program, settings=prepared, seconds=seconds)
    yield Plan((wanted.mechanism,))
    with closing(run_jobs([job], 1)) as messages:
        for message in messages:
            if isinstance(message.body, Tick):
                yield Progress(wanted.mechanism, message.body.phase, message.body.done, message.body.total)
            elif isinstance(message.body.result, WorstInput):
                yield message.body.result
            else:
                assert not isinstance(message.body.result, Distributions | Curve | ExactTable | BySource)
                yield Result(wanted.mechanism, message.body.result)
