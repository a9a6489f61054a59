"""What the solver is worth: `fixtures/arguments` with z3, and with a handful of simple values in its place.

    python benchmarks/solver.py --profile commit

Prints a Markdown table: for every mechanism the truth and both verdicts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dplint.check import check_paths  # noqa: E402 - the checkout goes first on the path
from dplint.config import load_settings  # noqa: E402
from dplint.outcomes import Outcome, Result, Violation  # noqa: E402

FOLDER = ROOT / "fixtures" / "arguments"


def main() -> int:
    """Check the folder twice and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="commit")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    verdicts = {solver: outcomes(solver, options.profile, options.seed) for solver in ("z3", "simple")}
    print(f"profile `{options.profile}`, seed {options.seed}\n")
    print("| mechanism | truth | with z3 | arguments that show it | with simple values |")
    print("|---|---|---|---|---|")
    found = {"z3": 0, "simple": 0}
    wrong = 0
    for name, outcome in sorted(verdicts["z3"].items()):
        other = verdicts["simple"][name]
        truth = "wrong" if name.endswith("_leaks") else "right"
        wrong += truth == "wrong"
        found["z3"] += isinstance(outcome, Violation)
        found["simple"] += isinstance(other, Violation)
        print(f"| `{name}` | {truth} | {word(outcome)} | {shown(outcome)} | {word(other)} |")
    print(f"\nviolations found, of {wrong}: {found['z3']} with z3, {found['simple']} with simple values")
    return 0


def outcomes(solver: str, profile: str, seed: int) -> dict[str, Outcome]:
    """The outcome of every mechanism of the folder."""
    settings = load_settings(
        FOLDER, {"method": "statdp", "cache": False, "profile": profile, "seed": seed, "solver": solver}
    )
    events = check_paths([FOLDER], settings)
    return {event.mechanism.qualname: event.outcome for event in events if isinstance(event, Result)}


def word(outcome: Outcome) -> str:
    """The verdict in a word or two."""
    return "**violation**" if isinstance(outcome, Violation) else "nothing found"


def shown(outcome: Outcome) -> str:
    """The arguments of a counterexample other than the claim's."""
    if not isinstance(outcome, Violation):
        return ""
    return ", ".join(
        f"`{a.name} = {a.value!r}`" for a in outcome.counterexample.witness.arguments if a.name != "epsilon"
    )


if __name__ == "__main__":
    sys.exit(main())
