"""Sweeping one mechanism over a range of tested epsilons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from dplint.check.loading import Target, audit_settings, wanted_target
from dplint.config import Settings
from dplint.jobs import SweepJob
from dplint.outcomes import CheckError, Curve, Failed, Finding, Plan, Progress, Result, Untestable
from dplint.workers.messages import Tick
from dplint.workers.pool import run_jobs


def sweep(
    target: str, epsilons: Sequence[float], settings: Settings, *, at: Sequence[float] | None, level: float
) -> Iterator[Plan | Progress | Curve | CheckError | Finding | Result]:
    """Test "FILE::FUNCTION", run at each value of `at`, against every one of `epsilons`.

    at: values for the parameters that the claim depends on; None takes `settings.epsilons`. level: a point is rejected
    if its p-value is below this. Ends with a Curve; with a Result if the mechanism is untestable or fails; or with
    errors and findings if there is no such mechanism.
    """
    wanted, complaints = wanted_target(target, settings)
    if wanted is None:
        yield from complaints
        return
    jobs = sweep_jobs(wanted, epsilons, settings, at=at, level=level)
    yield Plan((wanted.mechanism,))
    curves: dict[int, Curve] = {}
    ticks = dict.fromkeys(range(len(jobs)), Tick("waiting", 0, 0))
    with closing(run_jobs(jobs, settings.jobs)) as messages:
        for message in messages:
            if isinstance(message.body, Tick):
                ticks[message.job] = message.body
                done, total = sum(t.done for t in ticks.values()), sum(t.total for t in ticks.values())
                yield Progress(wanted.mechanism, message.body.phase, done, total)
            elif isinstance(message.body.result, Curve):
                curves[message.job] = message.body.result
            else:
                assert isinstance(message.body.result, Untestable | Failed)
                yield Result(wanted.mechanism, message.body.result)
                return
    yield joined([curves[number] for number in sorted(curves)])


def sweep_jobs(
    target: Target,
    epsilons: Sequence[float],
    settings: Settings,
    *,
    at: Sequence[float] | None,
    level: float,
    source_text: str | None = None,
) -> list[SweepJob]:
    """The jobs of a sweep, one for each value of `at`; `joined` makes one curve of what they give.

    source_text: of an unsaved buffer, None for the file as it is on disk.
    """
    return [
        SweepJob(
            mechanism=target.mechanism,
            program=target.program,
            settings=audit_settings(settings, target.mechanism),
            epsilons=tuple(epsilons),
            at=(value,),
            level=level,
            source_text=source_text,
        )
        for value in (at if at is not None else _values(target, settings))
    ]


def _values(target: Target, settings: Settings) -> Sequence[float]:
    """The values of a claim to look at: of one without parameters, there is but one."""
    claim = target.mechanism.claim
    fixed = not isinstance(claim.epsilon, str) and not isinstance(claim.delta, str)
    return settings.epsilons[:1] if fixed else settings.epsilons


def joined(curves: Sequence[Curve]) -> Curve:
    """The lines of several curves of one mechanism, without those that repeat a value of the claim."""
    lines = {(line.claimed, line.parameters): line for curve in curves for line in curve.lines}
    efforts = [curve.effort for curve in curves]
    notes = dict.fromkeys(note for effort in efforts for note in effort.notes)
    effort = replace(
        efforts[0],
        runs=sum(effort.runs for effort in efforts),
        seconds=max(effort.seconds for effort in efforts),
        notes=tuple(notes),
    )
    return replace(curves[0], lines=tuple(lines.values()), effort=effort)
