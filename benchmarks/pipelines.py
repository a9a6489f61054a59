"""Real pipelines: which wrong ones are refuted, after how many runs and seconds, and that no right one is accused.

    python benchmarks/pipelines.py [--five] [--only text] [--right] [--seed 1] [--budget 10] [--python PYTHON]
        [--compare] [--seeds 20] [--checked]

Each mechanism of `fixtures/pipelines`, or with `--five` of `five_pipelines.py`, is audited alone, one after the other,
in this process, by calls and without proofs or exact losses; with `--compare` also without models of the noise, with
`--checked` as `dplint check` audits it, by its program, exact losses and proofs where that is possible. With
`--seeds`, for the night, every one is audited with so many seeds. Prints a Markdown table, and exit code 1 if a right
one is accused. A mechanism whose library the interpreter cannot import is skipped, and said so.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.audit.models.procedure import Modelling  # noqa: E402
from dplint.audit.procedures import audit, audit_procedures  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.claims import Mechanism  # noqa: E402
from dplint.config import Settings, load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import Failed, FailureKind, Outcome, Violation  # noqa: E402
from dplint.program.refusals import Unsupported  # noqa: E402

FOLDER = ROOT / "fixtures" / "pipelines"
LEAKS = "_leaks"
FIVE = ROOT / "benchmarks" / "five_pipelines.py"


@dataclass(frozen=True)
class Row:
    """One audit of one mechanism."""

    name: str
    seed: int
    outcome: Outcome
    seconds: float

    @property
    def found(self) -> bool:
        """Whether the claim was refuted."""
        return isinstance(self.outcome, Violation)

    @property
    def wrong(self) -> bool:
        """Whether the claim is broken."""
        return self.name.endswith(LEAKS)

    @property
    def skipped(self) -> bool:
        """Whether its module cannot be imported: a library is missing."""
        return isinstance(self.outcome, Failed) and self.outcome.kind is FailureKind.IMPORT

    @property
    def reason(self) -> str:
        """Why it failed; empty if it did not."""
        return self.outcome.reason if isinstance(self.outcome, Failed) else ""

    def cells(self) -> str:
        """Runs and seconds for the table."""
        runs = f"{self.outcome.effort.runs:,}"
        return f"{runs if self.found else f'not in {runs}'} | {self.seconds:.1f}"


def checked(target: Target, settings: Settings) -> Row:
    """One audit of one mechanism as `dplint check` makes it."""
    given = audit_settings(settings, target.mechanism)
    before = time.monotonic()
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=given)
    procedures = audit_procedures(exact=given.exact_seconds > 0, proofs=given.proof_seconds > 0)
    outcome = audit(job, lambda *_: None, procedures).outcome
    return Row(target.mechanism.qualname, settings.seed or 0, outcome, time.monotonic() - before)


def audited(mechanism: Mechanism, settings: Settings, *, with_models: bool = True) -> Row:
    """One audit of one mechanism by calls."""
    given = replace(audit_settings(settings, mechanism), exact_seconds=0.0, proof_seconds=0.0)
    program = Unsupported("a benchmark", mechanism.span)
    procedures = [one for one in audit_procedures(given.method) if with_models or not isinstance(one, Modelling)]
    before = time.monotonic()
    outcome = audit(AuditJob(mechanism=mechanism, program=program, settings=given), lambda *_: None, procedures).outcome
    return Row(mechanism.qualname, settings.seed or 0, outcome, time.monotonic() - before)


def targets(files: Sequence[Path], settings: Settings, only: str) -> Iterator[Target]:
    """Those of the files whose name has this part."""
    for item in load_targets(files, settings):
        if isinstance(item, Target) and only in item.mechanism.qualname:
            yield item


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--five", action="store_true", help="five errors, from large to small, instead of the fixtures")
    parser.add_argument("--only", default="", help="a part of the mechanism's name")
    parser.add_argument("--right", action="store_true", help="only those that keep their claim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="audits of each mechanism, from the seed on")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for one audit")
    parser.add_argument("--python", help="the interpreter that runs the mechanisms")
    parser.add_argument("--checked", action="store_true", help="as `dplint check` does it, and not by calls alone")
    parser.add_argument("--compare", action="store_true", help="also without models of the noise")
    options = parser.parse_args()
    given = {"cache": False, "budget": options.budget, "seed": options.seed, "interpreter": options.python}
    settings = load_settings(FOLDER, given)
    print(f"{described_machine()}; budget {options.budget:g} s, seeds from {options.seed}\n")
    print("| mechanism | runs | s |" + (" without models: runs | s |" if options.compare else ""))
    print("|---|---|---|" + ("---|---|" if options.compare else ""))
    rows: list[Row] = []
    files = [FIVE] if options.five else sorted(FOLDER.glob("*.py"))
    for target in targets(files, settings, options.only):
        mechanism = target.mechanism
        if options.right and mechanism.qualname.endswith(LEAKS):
            continue
        for seed in range(options.seed, options.seed + options.seeds):
            seeded = replace(settings, seed=seed)
            row = checked(target, seeded) if options.checked else audited(mechanism, seeded)
            rows.append(row)
            if row.skipped:
                print(f"| `{row.name}` | skipped: {row.reason} | |", flush=True)
                break
            plain = [audited(mechanism, settings, with_models=False)] if options.compare else []
            print(f"| `{row.name}` | {' | '.join(one.cells() for one in (row, *plain))} |", flush=True)
    return summary(rows)


def summary(rows: list[Row]) -> int:
    """Print how many were found and accused; the exit code."""
    done = [row for row in rows if not row.skipped]
    wrong, right = ([row for row in done if row.wrong is which] for which in (True, False))
    accused = [row for row in right if row.found]
    missed = {row.name for row in wrong if not row.found}
    failed = {row.name for row in done if isinstance(row.outcome, Failed)}
    skipped = {row.name for row in rows if row.skipped}
    print(f"\nwrong: {sum(row.found for row in wrong)} of {len(wrong)} audits refuted; not: {_listed(missed)}")
    print(f"right: {len(accused)} of {len(right)} audits accused: {_listed({row.name for row in accused})}")
    print(f"failed: {_listed(failed)}; skipped: {_listed(skipped)}")
    return 1 if accused else 0


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"


if __name__ == "__main__":
    sys.exit(main())
