"""Repairs of the wrong mechanisms of the fixtures: how many are proved, how long that takes, and whether they hold.

    python -m benchmarks.repairs [--folder statdp ...] [--again SECONDS] [--only NAME ...]
    python -m benchmarks.repairs --spare

Prints the table of docs/repairs.md: of each mechanism that an audit refutes the best repair, how it is known, the
standard deviation before and after, and the seconds of the search. With `--again`, each repair is written into a copy
of its file, and audited for so many seconds with another seed; one that is refuted then is printed, and makes the exit
code 1. With `--spare`, twenty mechanisms with more noise than they claim are checked: whether each is told, and whether
the edit that is proved leaves the noise of the textbook, to 1 %.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from dplint.check.checking import check_text
from dplint.check.loading import Target, audit_settings, load_file
from dplint.check.repairing import carry_out, search
from dplint.config import Settings
from dplint.jobs import AuditJob
from dplint.outcomes import Finding, Known, Repair, Violation
from dplint.source.edits import apply_edits
from dplint.workers.pool import Pool, run_jobs

FIXTURES = Path(__file__).parent.parent / "fixtures"
FOLDERS = ("statdp", "checkdp", "dpsniper", "hidden")
SEED = 4_711
_FACTOR = re.compile(r"by ([\d. /]+)$")


def main() -> int:
    """Print the table; 1 if a repair was refuted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", nargs="*", default=FOLDERS, help="of the fixtures")
    parser.add_argument("--only", nargs="*", help="names of mechanisms")
    parser.add_argument("--seconds", type=float, default=60.0, help="of one search at most, on the clock")
    parser.add_argument("--again", type=float, default=0.0, help="seconds of another audit of each repair")
    parser.add_argument("--spare", action="store_true", help="mechanisms with too much noise instead")
    options = parser.parse_args()
    if options.spare:
        return spare()
    pool, seconds, proved, wrong, offered = Pool(), list[float](), 0, 0, 0
    try:
        for folder in options.folder:
            for path in sorted((FIXTURES / folder).glob("*.py")):
                for target, outcome, findings in refuted(path, pool, options.only):
                    began = time.monotonic()
                    text, settings = path.read_text(), Settings()
                    looking = search(
                        target.mechanism, target.program, text, outcome, settings, findings, seconds=options.seconds
                    )
                    found = carry_out(looking, path, settings, 2, None, pool)
                    seconds.append(time.monotonic() - began)
                    proved += bool(found) and found[0].known is Known.PROVED
                    offered += len(found)
                    print_row(folder, target, found, seconds[-1])
                    if options.again:
                        wrong += judged_again(path, target, text, found, pool, options.again)
    finally:
        pool.close()
    print(f"\n{proved} of {len(seconds)} have a repair that is proved; median {statistics.median(seconds):.1f} s")
    if options.again:
        print(f"{offered} repairs were audited again, for {options.again:g} s with another seed: {wrong} refuted")
    return int(bool(wrong))


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
        events = list(check_text(text.encode(), path, Settings(cache=False, profile="commit", budget=8.0)))
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


def refuted(path: Path, pool: Pool, only: list[str] | None) -> list[tuple[Target, Violation, list[Finding]]]:
    """The mechanisms of a file that an audit refutes, each with what the rules say of it."""
    settings, items = Settings(cache=False), list(load_with_rules(path))
    findings = [one for one in items if isinstance(one, Finding)]
    targets = [one for one in items if isinstance(one, Target) and (not only or one.mechanism.qualname in only)]
    found = []
    for target in targets:
        outcome = audited(target, settings, None, 3.0, pool)
        if isinstance(outcome, Violation):
            about = [one for one in findings if one.function == target.mechanism.qualname]
            found.append((target, outcome, about))
    return found


def load_with_rules(path: Path) -> list[object]:
    """The mechanisms of a file and all its findings."""
    from dplint.check.loading import load_targets  # noqa: PLC0415

    return list(load_targets([path], Settings()))


def audited(target: Target, settings: Settings, text: str | None, seconds: float, pool: Pool) -> object:
    """The outcome of an audit of so many seconds."""
    chosen = replace(audit_settings(settings, target.mechanism), budget=seconds, time_limit=2 * seconds + 60)
    job = AuditJob(
        mechanism=target.mechanism,
        program=target.program,
        settings=chosen,
        source_text=text,
        lowered=target.lowered,
    )
    return [one.body.result for one in run_jobs([job], 1, None, pool) if hasattr(one.body, "result")][-1]


def judged_again(path: Path, target: Target, text: str, repairs: tuple[Repair, ...], pool: Pool, seconds: float) -> int:
    """How many of these an audit with another seed refutes."""
    wrong = 0
    for repair in repairs:
        changed = apply_edits(text, repair.edits)
        copy = path.with_name(f"_repaired_{path.name}")
        copy.write_text(changed)
        try:
            items = list(load_file(copy, Settings()))
        finally:
            copy.unlink()
        name = target.mechanism.qualname
        again = next(one for one in items if isinstance(one, Target) and one.mechanism.qualname == name)
        again = replace(again, mechanism=replace(again.mechanism, path=str(path), module=target.mechanism.module))
        outcome = audited(again, Settings(seed=SEED, cache=False), changed, seconds, pool)
        if isinstance(outcome, Violation):
            wrong += 1
            print(f"  REFUTED: {repair.title} ({repair.known.value})\n{repair.diff}", flush=True)
    return wrong


def print_row(folder: str, target: Target, repairs: tuple[Repair, ...], seconds: float) -> None:
    """One mechanism."""
    name = f"{folder}/{target.mechanism.qualname}"
    if not repairs:
        print(f"| {name} | none | | | | {seconds:.1f} |", flush=True)
        return
    best = repairs[0]
    before, after = ("" if one is None else f"{one:.3g}" for one in (best.error_before, best.error_after))
    print(f"| {name} | {best.title} | {best.known.value} | {before} | {after} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
