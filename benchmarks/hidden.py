"""Faults that few inputs show: the loss that the patterns of pairs reach alone, and what the search finds, in seconds.

    python benchmarks/hidden.py [--only text]

The mechanisms of `fixtures/hidden` with their right twins, each by its source alone: nothing is run. Seconds are CPU
time of the whole search. A twin may not lose more than it claims. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.audit.exact.pairs import computed_pairs  # noqa: E402
from dplint.audit.exact.refuting import Refuting  # noqa: E402
from dplint.audit.inputs import find_choices  # noqa: E402
from dplint.audit.session import AuditSession  # noqa: E402
from dplint.audit.settings import claim_settings  # noqa: E402
from dplint.check.loading import Target, load_file  # noqa: E402
from dplint.config import Settings  # noqa: E402
from dplint.jobs import AuditSettings, SourceJob  # noqa: E402
from dplint.outcomes import exceeds  # noqa: E402
from dplint.program.nodes import Program  # noqa: E402

FOLDER = ROOT / "fixtures" / "hidden"
SETTINGS = AuditSettings(method="anytime", exact_seconds=5.0, epsilons=(1.0,), seed=1)


def main() -> int:
    """Print the table; exit code 1 if a twin was accused, or fewer than 29 of 30 were found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="a part of the mechanism's name")
    only = parser.parse_args().only
    truth = {name: row for name, row in json.loads((FOLDER / "truth.json").read_text()).items() if only in name}
    print(f"{described_machine()}\n")
    print("| mechanism | true loss | patterns alone | search | s | right twin | s |")
    print("|---|---|---|---|---|---|---|")
    by_patterns = found = accused = 0
    for name, row in truth.items():
        targets = {
            one.mechanism.qualname: one
            for one in load_file(FOLDER / f"{row['file']}.py", Settings())
            if isinstance(one, Target)
        }
        alone, loss, seconds = searched(targets[name])
        _, twin, took = searched(targets[f"{name}_right"])
        by_patterns, found, accused = (
            by_patterns + exceeds(alone, 1),
            found + exceeds(loss, 1),
            accused + exceeds(twin, 1),
        )
        print(
            f"| `{name}` | {row['wrong']} | {alone:.4g} | {loss:.4g} | {seconds:.2f} | {twin:.4g} | {took:.2f} |",
            flush=True,
        )
    print(f"\nof {len(truth)}: found by patterns alone {by_patterns}, by the search {found}; twins accused {accused}")
    return int(accused > 0 or found < math.ceil(len(truth) * 29 / 30) - 1)


def searched(target: Target) -> tuple[float, float, float]:
    """The largest loss on the patterns, that of the search, and the CPU seconds of the search."""
    assert isinstance(target.program, Program)
    job = SourceJob(mechanism=target.mechanism, program=target.program, settings=SETTINGS)
    settings = claim_settings(target.mechanism, SETTINGS.epsilons)
    with AuditSession(job, settings, lambda *_: None) as session:
        pairs = settings[0].fitting(session.find_pairs())
        (choice, *_) = find_choices(job, session, pairs, settings[0], quick=True)
        patterns = list(computed_pairs(session, target.program, pairs, choice, 0.0, math.inf))
    begun = time.process_time()
    with AuditSession(job, settings, lambda *_: None) as session:
        computed = [one for _, found in Refuting(session, job, target.program).whole() for one in found.computed]
    seconds = time.process_time() - begun
    return max(one.loss.low for one in patterns), max(one.loss.low for one in computed), seconds


if __name__ == "__main__":
    sys.exit(main())
