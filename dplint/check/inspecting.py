"""What is asked about one mechanism: its losses, its sensitivity, its worst input, a sweep.

Sweeping one mechanism over a range of tested epsilons.

One job about one mechanism, and what is told of it on the way.

How far neighbouring data move what one function returns, from below: the furthest pair that a search finds.

What a function loses that claims nothing: the smallest claim that is proved, found by trying claims.

Computing the losses of one mechanism exactly, on one pair or on those of its claim.

Searching for the input of one mechanism that loses most.

Training one mechanism with canaries in its data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias, TypeVar

from dplint import outcomes as out
from dplint.amounts import multiple, readable
from dplint.check.assigned import LINE_SECONDS, moved_lines
from dplint.check.checking import check_chosen, check_text
from dplint.check.choosing import Choice
from dplint.check.loading import Target, audit_settings, load_file, wanted_target
from dplint.claims import EPSILON_NAME, Literal, Metric, Span, Stability
from dplint.config import ClaimTable, Settings, SettingsByFile
from dplint.contents import given_for
from dplint.jobs import AuditJob, CanaryChoice, ExactJob, SweepJob, TrainJob, WorstJob
from dplint.source.arguments import as_table
from dplint.source.files import import_place
from dplint.source.notebooks import text_of
from dplint.workers.messages import Tick
from dplint.workers.pool import Stop, run_jobs


def sweep(
    target: str, epsilons: Sequence[float], settings: Settings, *, at: Sequence[float] | None, level: float
) -> Iterator[out.Plan | out.Progress | out.Curve | out.CheckError | out.Finding | out.Result]:
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
    yield out.Plan((wanted.mechanism,))
    curves: dict[int, out.Curve] = {}
    ticks = dict.fromkeys(range(len(jobs)), Tick("waiting", 0, 0))
    with closing(run_jobs(jobs, settings.jobs)) as messages:
        for message in messages:
            if isinstance(message.body, Tick):
                ticks[message.job] = message.body
                done, total = sum(t.done for t in ticks.values()), sum(t.total for t in ticks.values())
                yield out.Progress(wanted.mechanism, message.body.phase, done, total)
            elif isinstance(message.body.result, out.Curve):
                curves[message.job] = message.body.result
            else:
                assert isinstance(message.body.result, out.Untestable | out.Failed)
                yield out.Result(wanted.mechanism, message.body.result)
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
    asked = audit_settings(settings, target.mechanism)
    return [
        target.job(SweepJob, asked, epsilons=tuple(epsilons), at=(value,), level=level, source_text=source_text)
        for value in (at if at is not None else _values(target, settings))
    ]


def _values(target: Target, settings: Settings) -> Sequence[float]:
    """The values of a claim to look at: of one without parameters, there is but one."""
    claim = target.mechanism.claim
    fixed = not isinstance(claim.epsilon, str) and not isinstance(claim.delta, str)
    return settings.epsilons[:1] if fixed else settings.epsilons


def joined(curves: Sequence[out.Curve]) -> out.Curve:
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


Asked: TypeAlias = ExactJob | WorstJob | AuditJob | TrainJob
A = TypeVar("A", out.ExactTable, out.WorstInput, out.NotRefuted, out.TrainingBound)


def carried_out(
    job: Asked, kind: type[A], stop: Stop | None = None
) -> Iterator[out.Plan | out.Progress | A | out.Result]:
    """The progress of a job, then its answer of this kind, or a Result that says why there is none.

    stop: at its request the job ends with what is known.
    """
    path = Path(job.mechanism.path)
    if (raw := given_for(path)) is not None:
        job = replace(job, source_text=text_of(path, raw))
    yield out.Plan((job.mechanism,))
    with closing(run_jobs([job], 1, stop)) as messages:
        for message in messages:
            if isinstance(message.body, Tick):
                tick = message.body
                yield out.Progress(job.mechanism, tick.phase, tick.done, tick.total, tick.standing)
            elif isinstance(message.body.result, kind):
                yield message.body.result
            else:
                assert isinstance(message.body.result, out.Untestable | out.Underpowered | out.Failed)
                yield out.Result(job.mechanism, message.body.result)


def _asked_about(
    target: str, settings: Settings, kind: type[A], job: Callable[[Target], Asked], stop: Stop | None = None
) -> Iterator[out.Plan | out.Progress | A | out.CheckError | out.Finding | out.Result]:
    """The answer to a job about "FILE::FUNCTION"; errors and findings if there is no such mechanism."""
    wanted, complaints = wanted_target(target, settings)
    if wanted is None:
        yield from complaints
    else:
        yield from carried_out(job(wanted), kind, stop)


def sensitivity(
    target: str, settings: Settings, said: Mapping[str, Literal], *, seconds: float, lines: bool = False
) -> Iterator[out.Plan | out.Progress | out.Sensitivity | out.CheckError | out.Finding | out.Result]:
    """The furthest pair of "FILE::FUNCTION" that is found in so many seconds.

    said: of the arguments of `stable` those that are given, without d_out. A function that bears a claim has its own
    neighbours and domain; of a mechanism every draw is at its centre. lines: its lines are asked about, too, each for
    so long as an editor has for it. Ends with a Sensitivity; with a Result that says why there is none; or with errors
    and findings.
    """
    file, _, function = target.rpartition("::")
    bearing = any(
        isinstance(one, Target) and one.mechanism.qualname == function for one in load_file(Path(file), settings)
    )
    if bearing and not said.keys() <= {"metric"}:
        yield out.CheckError(
            file, None, f"{function} bears a claim, which says neighbours and domain: name the metric alone"
        )
        return
    asked = settings if bearing else claiming(settings, Path(file), function, {"d_out": 0, **said})
    wanted, complaints = wanted_target(target, asked)
    if wanted is None:
        findings = [one for one in complaints if isinstance(one, out.Finding)]
        yield from findings or complaints
        return
    claim, metric = wanted.mechanism.claim, said.get("metric")
    known = claim.stable or Stability(1.0, None, Metric.ABSOLUTE)
    open_metric = metric is None and not (bearing and claim.stable)
    stable = replace(known, d_out=None, open_metric=open_metric, centred=claim.stable is None)
    stable = replace(stable, metric=Metric(metric)) if isinstance(metric, str) else stable
    mechanism = replace(wanted.mechanism, claim=replace(claim, stable=stable))
    prepared = replace(audit_settings(settings, mechanism), budget=seconds, max_runs=None)
    for event in carried_out(AuditJob(mechanism=mechanism, program=wanted.program, settings=prepared), out.NotRefuted):
        if isinstance(event, out.NotRefuted):
            yield out.Sensitivity(mechanism, event, tuple(_lines(wanted, asked)) if lines else ())
        else:
            yield event


def _lines(wanted: Target, settings: Settings) -> Iterator[out.LineSensitivity]:
    """How far neighbours move its lines, in their order, and how far the noise lets what it is added to be moved."""
    # What knows the nodes of programs must not cost editors their start.
    from dplint.check.budget_shares import budget_shares  # noqa: PLC0415
    from dplint.program.nodes import Program  # noqa: PLC0415

    program, claim = wanted.program, wanted.mechanism.claim
    shares = budget_shares(program, wanted.mechanism) if isinstance(program, Program) and claim.stable is None else ()
    pays = {one.span: one.pays_for(claim) for one in shares}
    moved = sorted(moved_lines(wanted, settings, seconds=LINE_SECONDS), key=lambda one: one.assigned.span)
    for one in moved:
        yield out.LineSensitivity(one.assigned.name, one.assigned.span, one.found, pays.get(one.assigned.span))


def claiming(settings: Settings, path: Path, function: str, values: Mapping[str, object]) -> Settings:
    """The settings with one claim about the function, and no other. values: its arguments, as a decorator has them."""
    key = f"{import_place(path.absolute()).module}:{function}"
    table = ClaimTable(key, {name: as_table(one) for name, one in values.items()}, "command line", Span(1, 1, 1, 1))
    return replace(settings, mechanisms={key: table})


_ROUNDS, _SECONDS = 4, 5.0
_SIMPLE, _BEYOND = 12, 1.01
"""A loss that is no simple fraction is seldom the largest: the next claim is more, and a proof says what less will do.
"""


def least_claim(
    path: Path, function: str, parameters: Sequence[str], values: Mapping[str, object], settings: Settings
) -> Iterator[out.CheckEvent]:
    """The events of a check of a function under the smallest claim that is found.

    It is a multiple of the parameter that is called epsilon, if there is one, else a number. values: the rest of the
    claim, as a decorator has it. A claim that is refuted is followed by a larger one, until none is; a
    proof says by its share what less it proves. Of the rules nothing is told: they speak of claims that somebody made.
    """
    epsilon: float | str = next((name for name in parameters if EPSILON_NAME.match(name)), 1.0)
    share, told = Fraction(1), list[out.CheckEvent]()
    for _ in range(_ROUNDS):
        own = claiming(settings, path, function, {**values, "epsilon": multiple(epsilon, share)})
        own = replace(own, repairs=False, cache=False, budget=min(settings.budget, _SECONDS))
        told = list(_check_function(path, function, SettingsByFile.fixed(own)))
        outcome = next((one.outcome for one in told if isinstance(one, out.Result)), None)
        spend = out.spend_of(outcome) if isinstance(outcome, out.Violation) else None
        if spend is None or not 0 < spend.low < math.inf:
            break
        near = readable(spend.low)
        share *= near if near.denominator <= _SIMPLE else Fraction(math.ceil(10 * spend.low * _BEYOND), 10)
    yield from (one for one in told if not isinstance(one, out.Finding) or one.code.startswith("DP0"))


def _check_function(path: Path, function: str, settings: SettingsByFile) -> Iterator[out.CheckEvent]:
    given, wanted = given_for(path), [Choice(path, function)]
    if given is not None:
        return check_text(given, path, settings, choices=wanted)
    return check_chosen([path], wanted, settings)


def exact(
    target: str,
    settings: Settings,
    *,
    pair: tuple[Literal, Literal] | None = None,
    arguments: Sequence[tuple[str, Literal]] = (),
) -> Iterator[out.Plan | out.Progress | out.ExactTable | out.CheckError | out.Finding | out.Result]:
    """The losses of "FILE::FUNCTION" on a pair; None for the worst pair of its claim.

    arguments: values for some of its parameters, by name. Ends with an ExactTable; with a Result if nothing can be
    computed exactly, which says why; or with errors and findings if there is no such mechanism.
    """
    d1, d2 = (None, None) if pair is None else pair
    given, compare = tuple(arguments), not settings.static_only

    def job(wanted: Target) -> ExactJob:
        asked = audit_settings(settings, wanted.mechanism)
        return wanted.job(ExactJob, asked, d1=d1, d2=d2, arguments=given, compare=compare)

    return _asked_about(target, settings, out.ExactTable, job)


def worst(
    target: str, settings: Settings, *, seconds: float, epsilon: float | None = None
) -> Iterator[out.Plan | out.Progress | out.WorstInput | out.CheckError | out.Finding | out.Result]:
    """The worst input of "FILE::FUNCTION" that is found in so many seconds, at a value of the claim.

    epsilon: None for the first of the settings. Ends with a WorstInput; with a Result if nothing can be computed, which
    says why; or with errors and findings if there is no such mechanism.
    """

    def job(wanted: Target) -> WorstJob:
        prepared = audit_settings(settings, wanted.mechanism)
        prepared = prepared if epsilon is None else replace(prepared, epsilons=(epsilon,))
        return wanted.job(WorstJob, prepared, seconds=seconds, compare=not settings.static_only)

    return _asked_about(target, settings, out.WorstInput, job)


def train(
    target: str, settings: Settings, choice: CanaryChoice, *, deadline: float, stop: Stop | None = None
) -> Iterator[out.Plan | out.Progress | out.TrainingBound | out.CheckError | out.Finding | out.Result]:
    """Train "FILE::FUNCTION" once, with canaries. deadline: seconds of a release; all of it may take any time.

    stop: at its request it ends with the bound so far. Ends with a TrainingBound; with a Result that says why there is
    none; or with errors and findings if there is no such mechanism.
    """

    def job(wanted: Target) -> TrainJob:
        prepared = replace(audit_settings(settings, wanted.mechanism), time_limit=math.inf, deadline=deadline)
        return wanted.job(TrainJob, prepared, choice=choice)

    return _asked_about(target, settings, out.TrainingBound, job, stop)
