"""Repairs of the wrong mechanisms of the fixtures: how many are proved, how long that takes, and whether they hold.

    python -m benchmarks.repairs [--folder statdp ...] [--again SECONDS] [--only NAME ...] [--right]
    python -m benchmarks.repairs --spare

Prints a row for each mechanism that an audit refutes: the best repair, how it is known, its noise in multiples of the
textbook's, and the seconds of the search, on the clock and of processors. Then the numbers of docs/repairs.md.

With `--again`, each repair that was told is judged again: by an audit of so many seconds with another seed, and by the
exact reading alone, which has seconds to climb in, too. What either refutes is printed, and makes the exit code
1. With `--right` it is the right mechanisms, as far as they are told to have noise to spare. With `--spare`, twenty
mechanisms with more noise than they claim are checked: whether each is told, and whether the edit that is proved leaves
the noise of the textbook, to 1 %.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import re
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

from benchmarks import proofs
from benchmarks.machine import described_machine
from benchmarks.proofs import is_right
from benchmarks.timing import seconds_of_processes
from dplint.check.buffers import BufferReader
from dplint.check.checking import check_text
from dplint.check.loading import Target, audit_settings, load_targets
from dplint.check.repaired import carry_out
from dplint.check.repairing import search, wants_repairs
from dplint.config import Settings
from dplint.jobs import AuditJob, Job, SourceJob
from dplint.outcomes import BySource, Finding, Known, Outcome, Proved, Repair, Violation
from dplint.program.refusals import Unsupported
from dplint.source.callers import Callers
from dplint.source.edits import apply_edits
from dplint.workers.pool import Pool, run_jobs

FIXTURES = Path(__file__).parent.parent / "fixtures"
FOLDERS = ("statdp", "checkdp", "dpsniper", "hidden", "repairs")
ALL = (*proofs.FOLDERS, *proofs.OTHERS, "repairs")
"""Folders with mechanisms that are said to be right."""
SEED = 4_711
RIGHT = "_right"
"""How the right twin of a mechanism is called, where it has one."""
TEXTBOOK = {
    "histogram_eps": "1 / epsilon",
    "noisy_max_v1b": "2 / epsilon",
    "noisy_max_v2b": "2 / epsilon",
    "isvt1": "2 / epsilon, 4 / epsilon",
    "isvt2": "2 / epsilon, 4 / epsilon",
    "isvt3": "4 / epsilon, 8 * N / (3 * epsilon)",
    "isvt4": "2 / epsilon, 4 * N / epsilon",
    "bad_noisy_max": "2 / epsilon",
    "bad_gap_svt": "2 / epsilon, 4 * N / epsilon",
    "bad_adaptive_svt": "2 / epsilon, 8 * N / epsilon, 4 * N / epsilon",
    "bad_svt1": "2 / epsilon, 4 / epsilon",
    "bad_svt2": "2 / epsilon, 4 / epsilon",
    "bad_svt3": "4 / epsilon, 8 * N / (3 * epsilon)",
    "bad_partial_sum": "1 / epsilon",
    "bad_smart_sum": "1 / epsilon, 1 / epsilon",
    "prefix_sum": "10 / epsilon",
}
"""The least scales that are known for the form of a mechanism that has no twin, by Dwork and Roth (2014), Lyu et al.
(VLDB 2017), Wang et al. (PLDI 2019, CCS 2020) and Ding et al. (2019); of iSVT3 what its first noise leaves."""
AT = {"epsilon": 0.7, "N": 2, "T": 1, "M": 3, "dimensions": 3, "features": 5, "parents": 4, "upper": 3.0, "bound": 3.0}
"""Arguments at which scales are compared."""
_CLIMB = 2.0
"""Seconds of the exact reading at most."""
_NOISE = frozenset({"laplace", "exponential"})
_FACTOR = re.compile(r"by ([\d. /]+)$")


@dataclass(frozen=True)
class Row:
    """What the search has found for a mechanism. noise: of the best repair, in multiples of the textbook's least."""

    folder: str
    path: Path
    target: Target
    repairs: tuple[Repair, ...]
    seconds: float
    processor: float
    noise: float

    @property
    def proved(self) -> bool:
        """Whether a repair is proved."""
        return bool(self.repairs) and self.repairs[0].known is Known.PROVED

    def __str__(self) -> str:
        name, times = f"{self.folder}/{self.target.mechanism.qualname}", f"{self.seconds:.1f} | {self.processor:.1f}"
        if not self.repairs:
            return f"| {name} | none | | | {times} |"
        best = self.repairs[0]
        return f"| {name} | {best.title} | {best.known.value} | {self.noise:.3g} | {times} |"


def main() -> int:
    """Print the table; 1 if a repair was refuted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", nargs="*", help="of the fixtures")
    parser.add_argument("--only", nargs="*", help="names of mechanisms")
    parser.add_argument("--seconds", type=float, default=60.0, help="of one search at most, on the clock")
    parser.add_argument("--again", type=float, default=0.0, help="seconds of other judgements of each repair")
    parser.add_argument("--right", action="store_true", help="right mechanisms with too much noise instead")
    parser.add_argument("--spare", action="store_true", help="mechanisms with too much noise instead")
    options = parser.parse_args()
    print(described_machine(), end="\n\n", flush=True)
    if options.spare:
        return spare()
    pool, rows, again = Pool(), list[Row](), Again(options.again)
    print("| mechanism | repair | known | noise | s | processor s |\n|---|---|---|---|---|---|")
    try:
        for folder in options.folder or (ALL if options.right else FOLDERS):
            for path in sorted((FIXTURES / folder).rglob("*.py")):
                for target, outcome, findings in to_mend(folder, path, pool, options.only, right=options.right):
                    rows.append(mended(folder, path, target, outcome, findings, options.seconds, pool))
                    print(rows[-1], flush=True)
                    if options.again:
                        again.judge(rows[-1], pool)
        if rows:
            summed_up(rows)
        print(again if options.again else "", flush=True)
        return int(bool(again.wrong))
    finally:
        pool.close()


def mended(
    folder: str, path: Path, target: Target, outcome: Outcome, findings: list[Finding], seconds: float, pool: Pool
) -> Row:
    """Look for repairs of a mechanism."""
    text, settings = path.read_text(), Settings()
    began, before = time.monotonic(), seconds_of_processes()
    looking = search(target.mechanism, target.program, text, outcome, settings, findings, seconds=seconds)
    found = carry_out(looking, path, settings, 2, None, pool)
    passed, used = time.monotonic() - began, seconds_of_processes() - before
    noise = noise_of(text, found[0], target.mechanism.qualname) if found else math.nan
    return Row(folder, path, target, found, passed, used, noise)


def summed_up(rows: list[Row]) -> None:
    """Print the numbers of the page."""
    wrong, proved = Counter(one.folder for one in rows), Counter(one.folder for one in rows if one.proved)
    for folder, number in wrong.items():
        print(f"\n{folder}: {proved[folder]} of {number}", end="")
    print(f"\n\n{sum(one.proved for one in rows)} of {len(rows)} have a repair that is proved")
    for name, numbers in (("clock", [one.seconds for one in rows]), ("processors", [one.processor for one in rows])):
        parts = statistics.quantiles(numbers, n=10) if len(numbers) > 1 else numbers * 9
        print(f"median {statistics.median(numbers):.1f} s, nine of ten below {parts[-1]:.1f} s ({name})")
    known = [one for one in rows if one.proved and not math.isnan(one.noise)]
    more = [one.target.mechanism.qualname for one in known if one.noise > 1.01]
    less = [one.target.mechanism.qualname for one in known if one.noise < 0.99]
    print(f"{len(known) - len(more)} of {len(known)} have no more than the textbook's noise, to 1 %")
    print(f"more: {', '.join(more) or 'none'}; less: {', '.join(less) or 'none'}", flush=True)


def noise_of(text: str, repair: Repair, name: str) -> float:
    """The noise of a repaired function in multiples of the least that is known, scale by scale, from the smallest.

    Where one draws at fewer places, its largest scale counts for the others. NaN where nothing is known, or its draws
    are in helpers.
    """
    own = scales_in(apply_edits(text, repair.edits), name)
    least = scales_in(text, f"{name}{RIGHT}")
    if name in TEXTBOOK:
        least = [value_of(ast.parse(one, mode="eval").body) for one in TEXTBOOK[name].split(", ")]
    if not own or not least:
        return math.nan
    pairs = zip_longest(sorted(own), sorted(least))
    return max((a or max(own)) / (b or max(least)) for a, b in pairs)


def scales_in(text: str, name: str) -> list[float]:
    """The scales of the draws in a function of a text, those that are names by what is assigned to them."""
    found = (one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef) and one.name == name)
    function = next(found, None)
    nodes = [] if function is None else list(ast.walk(function))
    given = {
        one.targets[0].id: one.value
        for one in nodes
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    }
    scales = [
        given.get(keyword.value.id, keyword.value) if isinstance(keyword.value, ast.Name) else keyword.value
        for one in nodes
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in _NOISE
        for keyword in one.keywords
        if keyword.arg == "scale"
    ]
    return [value_of(one) for one in scales]


def value_of(node: ast.expr) -> float:
    """The value of a scale at `AT`; NaN where it hangs on something else."""
    try:
        given = {"__builtins__": {}, "max": max, "min": min, "abs": abs, "len": lambda _: 5, **AT}
        return float(eval(compile(ast.Expression(node), "scale", "eval"), given))
    except Exception:
        return math.nan


LAPLACE = "    return value + rng.laplace(scale={scale})"
PLACE = "    noisy = [one + rng.laplace(scale={scale}) for one in value]\n    return noisy.index(max(noisy))"
EACH = "    return [one + rng.laplace(scale={scale}) for one in value]"
PLANTED = [
    *(("l1", "value: float, epsilon", '"epsilon"', LAPLACE, f"{k} / epsilon", k) for k in (1.1, 1.25, 1.5, 3, 16)),
    *(("l1", "value: float", "1.0", LAPLACE, f"{k}", k) for k in (1.1, 1.3, 2.0, 5.0, 12.0)),
    *(("linf", "value, epsilon", '"epsilon"', PLACE, f"{2 * k} / epsilon", k) for k in (1.2, 1.5, 2, 4)),
    *(("l1", "value, epsilon", '"epsilon"', EACH, f"{k} / epsilon", k) for k in (1.1, 2.5, 8)),
    *(("l1", "value: float, epsilon", '"2 * epsilon"', LAPLACE, f"{k} / epsilon", 2 * k) for k in (1, 3)),
    ("l1", "value: float, epsilon, k", '"epsilon * (1 + 1 / k)"', LAPLACE, "3 * k / ((k + 1) * epsilon)", 3),
]
"""Relation, parameters, claim, body, scale, and how many times that is the least scale (Dwork and Roth, 2014)."""


def spare() -> int:
    """Check twenty mechanisms with planted factors; 1 if one is not told, or its edit is not that of the textbook."""
    functions = [
        f'@dp(epsilon={claim}, neighbors="{relation}")\ndef f{i}(rng, {parameters}):\n{body.format(scale=scale)}\n'
        for i, (relation, parameters, claim, body, scale, _) in enumerate(PLANTED)
    ]
    text = "from dplint import dp\n\n\n" + "\n\n".join(functions)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "planted.py"
        path.write_text(text)
        events = list(
            check_text(text.encode(), path, Settings(cache=False, profile="commit", budget=8.0, repairs=True))
        )
    told = {one.function: one for one in events if isinstance(one, Finding) and one.code == "DP912"}
    right = 0
    for i, (*_, scale, times) in enumerate(PLANTED):
        finding = told.get(f"f{i}")
        factor = _FACTOR.search(finding.fix.title) if finding is not None and finding.fix is not None else None
        by = float(Fraction(factor[1].replace(" ", ""))) if factor is not None else None
        right += by is not None and abs(by * times - 1) <= 0.01
        print(f"| {scale} | {times:g} | {'told' if finding else 'not told'} | {by or 0:.4g} |", flush=True)
    print(f"\n{len(told)} of {len(PLANTED)} are told; {right} edits are right to 1 %")
    return int(right < len(PLANTED))


def to_mend(
    folder: str, path: Path, pool: Pool, only: list[str] | None, *, right: bool
) -> list[tuple[Target, Outcome, list[Finding]]]:
    """The mechanisms of a file that an audit refutes, each with what rules say of it.

    right: those that are right, in their place, and have noise to spare.
    """
    settings, items, callers = Settings(cache=False), list(load_targets([path], Settings())), Callers()
    findings = [one for one in items if isinstance(one, Finding)]
    targets = [replace(one, mechanism=callers.asked(one.mechanism)) for one in items if isinstance(one, Target)]
    names = {one.mechanism.qualname for one in targets}
    said = {f"{name}{RIGHT}" for name in names} | _said_to_be_right(path.with_name("truth.json"))
    others = {name for name in names if is_right(folder, path, name.rpartition(".")[2])} | names & said
    chosen = set(only or (others if right else names - said))
    wanted = [one for one in targets if one.mechanism.qualname in chosen]
    found = []
    for target in wanted:
        job = audit_of(target, settings, None, 3.0)
        (outcome,) = answers([job], 1, pool)
        if isinstance(outcome, Violation | Proved) and wants_repairs(outcome, settings):
            about = [one for one in findings if one.function == target.mechanism.qualname]
            found.append((target, outcome, about))
    return found


def _said_to_be_right(truth: Path) -> set[str]:
    """The functions that the truth of a folder, if it has one, calls right."""
    known = json.loads(truth.read_text()).get("mechanisms", []) if truth.exists() else []
    return {one["function"] for one in known if one.get("right")}


def audit_of(target: Target, settings: Settings, text: str | None, seconds: float) -> AuditJob:
    """An audit of so many seconds."""
    chosen = replace(audit_settings(settings, target.mechanism), budget=seconds, time_limit=2 * seconds + 60)
    return AuditJob(
        mechanism=target.mechanism, program=target.program, settings=chosen, source_text=text, lowered=target.lowered
    )


def answers(jobs: list[Job], workers: int, pool: Pool) -> list[object]:
    """What comes of jobs, in their order."""
    found: dict[int, object] = {}
    for one in run_jobs(jobs, workers, None, pool):
        if hasattr(one.body, "result"):
            found[one.job] = one.body.result
    return [found[number] for number in range(len(jobs))]


@dataclass
class Again:
    """How many repairs were judged again, how many the exact reading has computed, and how many were refuted."""

    seconds: float
    told: int = 0
    computed: int = 0
    wrong: int = 0

    def judge(self, row: Row, pool: Pool) -> None:
        """Judge what was told of a mechanism by an audit with another seed, and by the exact reading alone."""
        jobs: list[Job] = []
        for repair in row.repairs:
            changed = apply_edits(row.path.read_text(), repair.edits)
            own = row.target.mechanism
            again = BufferReader().target(row.path, changed, Settings(), own.qualname, own)
            assert again is not None
            audit = audit_of(again, Settings(seed=SEED, cache=False), changed, self.seconds)
            exact = replace(audit.settings, exact_seconds=min(_CLIMB, self.seconds), proof_seconds=0.0)
            jobs.append(audit)
            if not isinstance(again.program, Unsupported):
                jobs.append(SourceJob(mechanism=own, program=again.program, settings=exact, source_text=changed))
        wrong = set[str]()
        for job, answer in zip(jobs, answers(jobs, 2, pool), strict=True):
            self.computed += isinstance(answer, BySource) and not answer.refused
            if isinstance(answer, Violation) or (isinstance(answer, BySource) and answer.against is not None):
                wrong.add(job.source_text or "")
                print(f"REFUTED: {job.mechanism.qualname} by {type(job).__name__}\n{answer}", flush=True)
        self.told += len(row.repairs)
        self.wrong += len(wrong)

    def __str__(self) -> str:
        return (
            f"{self.told} repairs were judged again, with another seed and for {self.seconds:g} s: {self.wrong} "
            f"refuted; the exact reading computes {self.computed} of them"
        )


if __name__ == "__main__":
    raise SystemExit(main())
