"""How far neighbouring data move what one function returns, from below: the furthest pair that a search finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from dplint.check.loading import Target, audit_settings, load_file, wanted_target
from dplint.check.single import carried_out
from dplint.claims import Literal, Metric, Span, Stability
from dplint.config import ClaimTable, Settings
from dplint.jobs import AuditJob
from dplint.outcomes import CheckError, Finding, NotRefuted, Plan, Progress, Result, Sensitivity
from dplint.source.arguments import as_table
from dplint.source.places import import_place


def sensitivity(
    target: str, settings: Settings, said: Mapping[str, Literal], *, seconds: float
) -> Iterator[Plan | Progress | Sensitivity | CheckError | Finding | Result]:
    """The furthest pair of "FILE::FUNCTION" that is found in so many seconds.

    said: of the arguments of `stable` those that are given, without d_out. A function that bears a claim has its own
    neighbours and domain; of a mechanism every draw is at its centre. Ends with a Sensitivity; with a Result that says
    why there is none; or with errors and findings.
    """
    file, _, function = target.rpartition("::")
    bearing = any(
        isinstance(one, Target) and one.mechanism.qualname == function for one in load_file(Path(file), settings)
    )
    if bearing and not said.keys() <= {"metric"}:
        yield CheckError(
            file, None, f"{function} bears a claim, which says neighbours and domain: name the metric alone"
        )
        return
    asked = settings if bearing else _claiming(settings, Path(file), function, said)
    wanted, complaints = wanted_target(target, asked)
    if wanted is None:
        findings = [one for one in complaints if isinstance(one, Finding)]
        yield from findings or complaints
        return
    claim, metric = wanted.mechanism.claim, said.get("metric")
    known = claim.stable or Stability(1.0, None, Metric.ABSOLUTE)
    open_metric = metric is None and not (bearing and claim.stable)
    stable = replace(known, d_out=None, open_metric=open_metric, centred=claim.stable is None)
    stable = replace(stable, metric=Metric(metric)) if isinstance(metric, str) else stable
    mechanism = replace(wanted.mechanism, claim=replace(claim, stable=stable))
    prepared = replace(audit_settings(settings, mechanism), budget=seconds, max_runs=None)
    for event in carried_out(AuditJob(mechanism=mechanism, program=wanted.program, settings=prepared), NotRefuted):
        yield Sensitivity(mechanism, event) if isinstance(event, NotRefuted) else event


def _claiming(settings: Settings, path: Path, function: str, said: Mapping[str, Literal]) -> Settings:
    """The settings with a claim of stability about the function, whose d_out nobody asks for."""
    key = f"{import_place(path.absolute()).module}:{function}"
    values = {"d_out": 0, **{name: as_table(value) for name, value in said.items()}}
    table = ClaimTable(key, values, "command line", Span(1, 1, 1, 1))
    return replace(settings, mechanisms={**settings.mechanisms, key: table})
