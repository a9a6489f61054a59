"""Real pipelines: after how many runs and seconds wrong ones are refuted, with models of the noise and without.

    python benchmarks/pipelines.py [--five] [--only text] [--seed 1] [--budget 20]

Each mechanism of `fixtures/pipelines`, or of `five_pipelines.py`, is audited alone, one after the other, in this
process, by calls and without proofs or exact losses. Prints a Markdown table, and exit code 1 if a right one is
accused.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.audit.models.procedure import Modelling  # noqa: E402
from dplint.audit.procedures import audit, audit_procedures  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import Violation  # noqa: E402
from dplint.program.refusals import Unsupported  # noqa: E402

FOLDER = ROOT / "fixtures" / "pipelines"
FIVE = ROOT / "benchmarks" / "five_pipelines.py"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--five", action="store_true", help="five errors, from large to small, instead of the fixtures")
    parser.add_argument("--only", default="", help="a part of the mechanism's name")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=20.0, help="seconds for one audit")
    options = parser.parse_args()
    settings = load_settings(FOLDER, {"cache": False, "budget": options.budget, "seed": options.seed})
    print(f"{described_machine()}; budget {options.budget:g} s, seed {options.seed}\n")
    print("| mechanism | without: runs | s | with models: runs | s |")
    print("|---|---|---|---|---|")
    accused = 0
    files = [FIVE] if options.five else sorted(FOLDER.glob("*.py"))
    for item in load_targets(files, settings):
        if not isinstance(item, Target) or options.only not in item.mechanism.qualname:
            continue
        given = replace(audit_settings(settings, item.mechanism), exact_seconds=0.0, proof_seconds=0.0)
        job = AuditJob(
            mechanism=item.mechanism, program=Unsupported("a benchmark", item.mechanism.span), settings=given
        )
        cells = [f"`{item.mechanism.qualname}`"]
        for with_models in (False, True):
            procedures = [
                one for one in audit_procedures(given.method) if with_models or not isinstance(one, Modelling)
            ]
            before = time.monotonic()
            outcome = audit(job, lambda *_: None, procedures).outcome
            seconds = time.monotonic() - before
            found = isinstance(outcome, Violation)
            accused += found and not item.mechanism.qualname.endswith("_leaks")
            runs = f"{outcome.effort.runs:,}"
            cells += [runs, f"{seconds:.1f}"] if found else [f"not in {runs}", f"{seconds:.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)
    return 1 if accused else 0


if __name__ == "__main__":
    sys.exit(main())
