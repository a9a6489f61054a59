"""Training one mechanism with canaries in its data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from dplint.check.inspecting import carried_out
from dplint.check.loading import audit_settings, wanted_target
from dplint.config import Settings
from dplint.jobs import CanaryChoice, TrainJob
from dplint.outcomes import CheckError, Finding, Plan, Progress, Result, TrainingBound
from dplint.workers.pool import Stop


def train(
    target: str, settings: Settings, choice: CanaryChoice, *, deadline: float, stop: Stop | None = None
) -> Iterator[Plan | Progress | TrainingBound | CheckError | Finding | Result]:
    """Train "FILE::FUNCTION" once, with canaries. deadline: seconds of a release; all of it may take any time.

    stop: at its request it ends with the bound so far. Ends with a TrainingBound; with a Result that says why there is
    none; or with errors and findings if there is no such mechanism.
    """
    wanted, complaints = wanted_target(target, settings)
    if wanted is None:
        yield from complaints
        return
    prepared = replace(audit_settings(settings, wanted.mechanism), time_limit=math.inf, deadline=deadline)
    job = TrainJob(mechanism=wanted.mechanism, program=wanted.program, settings=prepared, choice=choice)
    yield from carried_out(job, TrainingBound, stop)
