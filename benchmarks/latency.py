"""How soon the anytime audit has a verdict on the wrong mechanisms of the StatDP paper, at claim 0.7.

    python benchmarks/latency.py [--seeds 10] [--seed 0] [--only isvt4] [--profile editor] [--bets] [--cprofile isvt3]

Seconds of audit time, without those in which the runner started and imported the user's module, in a process that has
done an audit before. Refuted: until the evidence was there, computed or won; CPU: the same in seconds of this process,
which a busy machine changes less, and which are all of it where nothing was run. Verdict: until the outcome was there,
with its simplest counterexample and the confirmation by calls of the function itself. Then the whole folder by `dplint
check`, all three values of the claim, without a cache, start of the process included. Prints Markdown; goals as in the
issue.
"""

from __future__ import annotations

import argparse
import cProfile
import math
import pstats
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.audit.exact.evidence import CONFIRMING  # noqa: E402
from dplint.audit.procedure import Procedure  # noqa: E402
from dplint.audit.procedures import audit, audit_procedures  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import IMPORTING, AuditJob, AuditSettings  # noqa: E402
from dplint.outcomes import Outcome, Standing, Violation  # noqa: E402
from dplint.readings.exact.computing import kept  # noqa: E402

FOLDER = ROOT / "fixtures" / "statdp"
WRONG = ("histogram_eps", "isvt1", "isvt2", "isvt3", "isvt4", "noisy_max_v1b", "noisy_max_v2b")
EPSILON = 0.7
AUDIT_BUDGET = 10.0
"""Seconds that single audits may take: more than the goal, so that what takes longer has a time too."""
MEDIAN_GOAL, EACH_GOAL, FOLDER_GOAL = 0.1, 1.0, 5.0


@dataclass
class Watch:
    """A progress that takes the time of what it is told."""

    began: float = field(default_factory=time.perf_counter)
    loading: float = 0.0
    refuted: float = float("nan")
    cpu: float = float("nan")
    _cpu_before: float = field(default_factory=time.process_time)
    phases: list[tuple[str, float]] = field(default_factory=list)

    def __call__(self, phase: str, *given: int | Standing | None) -> None:
        """Take note of it."""
        standing = given[-1]
        now = time.perf_counter()
        if self.phases and self.phases[-1][0] == IMPORTING:
            self.loading += now - self.phases[-1][1]
        refuted = phase == CONFIRMING or (isinstance(standing, Standing) and standing.share >= 1)
        if refuted and math.isnan(self.refuted):
            self.refuted = self.spent(now)
            self.cpu = time.process_time() - self._cpu_before
        self.phases.append((phase, now))

    def spent(self, now: float) -> float:
        """Seconds of audit time until then."""
        return now - self.began - self.loading


@dataclass(frozen=True)
class Timed:
    """One audit, in seconds since it began; NaN for what did not come."""

    refuted: float
    cpu: float
    verdict: float
    outcome: Outcome


def timed(target: Target, settings: AuditSettings) -> Timed:
    """One audit of a mechanism."""
    kept.forget()  # an audit of the same mechanism with another seed would find the laws of its inputs there
    watch = Watch()
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings)
    outcome = audit(job, watch, procedures(settings)).outcome
    found = isinstance(outcome, Violation)
    return Timed(watch.refuted, watch.cpu, watch.spent(time.perf_counter()) if found else float("nan"), outcome)


def procedures(settings: AuditSettings) -> Sequence[Procedure[AuditJob, Outcome]]:
    """Those of the settings, without the search for a proof."""
    return audit_procedures(exact=settings.exact_seconds > 0)


def each(targets: dict[str, Target], settings: dict[str, AuditSettings], seeds: range) -> bool:
    """A row for each mechanism; whether the goals are met."""
    print(
        "| mechanism | refuted: median s | worst | CPU s, median | mean | worst | verdict: median s | worst | runs "
        "| found |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    times: list[float] = []
    for name, own in settings.items():
        found = [timed(targets[name], replace(own, seed=seed)) for seed in seeds]
        refuted, cpu, verdict = (
            np.array([getattr(one, field) for one in found]) for field in ("refuted", "cpu", "verdict")
        )
        runs = np.median([one.outcome.effort.runs for one in found if isinstance(one.outcome, Violation)] or [0])
        hits = sum(isinstance(one.outcome, Violation) for one in found)
        print(
            f"| `{name}` | {np.nanmedian(refuted):.3f} | {np.nanmax(refuted):.3f} | {np.median(cpu):.3f} "
            f"| {np.mean(cpu):.3f} | {np.max(cpu):.3f} | {np.nanmedian(verdict):.3f} "
            f"| {np.nanmax(verdict):.3f} | {runs:,.0f} | {hits} of {len(seeds)} |",
            flush=True,
        )
        times += refuted.tolist()
    median, worst = float(np.median(times)), float(np.max(times))
    met = median < MEDIAN_GOAL and worst < EACH_GOAL
    print(f"\nUntil refuted, all: median {median:.3f} s (goal {MEDIAN_GOAL}), worst {worst:.3f} s (goal {EACH_GOAL}).")
    return met


def folder(profile: str) -> bool:
    """The wall time of a check of the whole folder; whether the goal is met."""
    command = ["-m", "dplint", "check", "fixtures/statdp", "--method", "anytime", "--no-cache", "--profile", profile]
    before = time.perf_counter()
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - before
    print(f"`dplint {' '.join(command[2:])}`: {seconds:.2f} s (goal {FOLDER_GOAL}), exit code {done.returncode}.")
    return seconds < FOLDER_GOAL and done.returncode == 1


def profiled(target: Target, settings: AuditSettings) -> None:
    """What the time of one audit is made of: phases with the seconds until the next one began, then functions."""
    watch, job = Watch(), AuditJob(mechanism=target.mechanism, program=target.program, settings=settings)
    audit(job, watch, procedures(settings))
    spent: dict[str, float] = {}
    for (phase, at), (_, until) in zip(watch.phases, [*watch.phases[1:], ("", time.perf_counter())], strict=True):
        spent[phase] = spent.get(phase, 0.0) + until - at
    for phase, seconds in spent.items():
        print(f"{seconds:8.3f} s  {phase}")
    with cProfile.Profile() as profile:
        audit(job, Watch(), procedures(settings))
    pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def main() -> int:
    """Print both parts; exit code 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--only", nargs="+", choices=WRONG, default=WRONG, metavar="MECHANISM")
    parser.add_argument("--profile", default="editor", help="of the check of the whole folder")
    parser.add_argument("--cprofile", metavar="MECHANISM", choices=WRONG, help="profile one audit instead")
    parser.add_argument("--bets", action="store_true", help="compute no losses, to compare")
    options = parser.parse_args()
    loaded = load_settings(FOLDER, {"profile": options.profile, "exact": not options.bets})
    targets = {t.mechanism.qualname: t for t in load_targets([FOLDER], loaded) if isinstance(t, Target)}
    settings = {
        name: replace(
            audit_settings(loaded, targets[name].mechanism), epsilons=(EPSILON,), method="anytime", budget=AUDIT_BUDGET
        )
        for name in options.only
    }
    # Imports and first calls are not part of an audit's time.
    first = options.cprofile or options.only[0]
    timed(targets[first], settings[first])
    if options.cprofile:
        profiled(targets[options.cprofile], settings[options.cprofile])
        return 0
    print(f"{described_machine()}; claim {EPSILON}, {options.seeds} seeds\n")
    met = each(targets, settings, range(options.seed, options.seed + options.seeds))
    return 0 if folder(options.profile) and met else 1


if __name__ == "__main__":
    sys.exit(main())
