"""StatDP's eleven and DP-Sniper's twenty mechanisms: losses from random starts beside those of patterns and formulas.

    python benchmarks/random_starts.py [--seconds 5] [--seed 1] [--only text]

StatDP's at epsilon = 0.7 with five answers and N = 1; DP-Sniper's at 0.1 with the inputs' lengths and the arguments
that its numbers are for. From random starts there are no patterns and no branches: climbs, in the box [-10, 10] where
the claim has none. Seconds are CPU time; a search ends at 99.9 % of the formula. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.exact import FIXTURES, truth  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine  # noqa: E402
from benchmarks.published_twenty import TWENTY  # noqa: E402
from dplint.audit.exact.pairs import ComputedPair, NotComputed, TooLong  # noqa: E402
from dplint.audit.exact.worst import Objective, WorstSearch  # noqa: E402
from dplint.audit.inputs import find_choices  # noqa: E402
from dplint.audit.session import AuditSession  # noqa: E402
from dplint.audit.settings import claim_settings  # noqa: E402
from dplint.check.loading import Target, load_file  # noqa: E402
from dplint.claims import Fixed, Literal  # noqa: E402
from dplint.config import Settings  # noqa: E402
from dplint.jobs import AuditSettings, WorstJob  # noqa: E402
from dplint.program.nodes import Program  # noqa: E402

_SIZE = 5
_ENOUGH = 0.999
_PATTERN_SECONDS = 20.0


def main() -> int:
    """Print the table; exit code 1 if a right mechanism seems to lose more than it claims."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of the mechanism's name")
    options = parser.parse_args()
    print(f"{described_machine()}; {options.seconds:g} s\n")
    print("| mechanism | formula | patterns | random starts | share | inputs | s |")
    print("|---|---|---|---|---|---|---|")
    beyond = 0
    for name, target, epsilon, true in itertools.chain(_statdp(), _twenty()):
        if options.only in name:
            beyond += _printed(name, target, epsilon, true, options)
    return int(beyond > 0)


def _statdp() -> Iterator[tuple[str, Target, float, float]]:
    for row in json.loads((FIXTURES / "statdp" / "truth.json").read_text())["mechanisms"]:
        target = _target(FIXTURES / "statdp" / row["file"], row["function"])
        arguments = {"T": 1.0, "N": 1}
        true = truth(row, {**arguments, "epsilon": 0.7}, _SIZE)
        yield f"statdp {row['function']}", _with(target, arguments, _SIZE), 0.7, math.nan if true is None else true


def _twenty() -> Iterator[tuple[str, Target, float, float]]:
    for name, row in TWENTY.items():
        folder, function = row.fixture.split("/")
        rows = json.loads((FIXTURES / folder / "truth.json").read_text())["mechanisms"]
        (file,) = [one["file"] for one in rows if one["function"] == function]
        target = _target(FIXTURES / folder / file, function)
        yield f"dpsniper {name}", _with(target, row.arguments, row.size), 0.1, row.true


def _target(path: Path, function: str) -> Target:
    targets = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    (found,) = [one for one in targets if one.mechanism.qualname == function]
    return found


def _with(target: Target, arguments: Mapping[str, Literal], size: int | None) -> Target:
    """With fixed arguments, as far as it has them, and data of that length where it has one."""
    claim = target.mechanism.claim
    names = {one.name for one in target.mechanism.parameters}
    fixed = {name: Fixed(value) for name, value in arguments.items() if name in names}
    args = tuple({**dict(claim.args), **fixed}.items())
    sizes = (size,) if size and size > 1 else claim.size
    return replace(target, mechanism=replace(target.mechanism, claim=replace(claim, args=args, size=sizes)))


def _printed(name: str, target: Target, epsilon: float, true: float, options: argparse.Namespace) -> bool:
    """One row; whether the search went beyond the formula."""
    settings = AuditSettings(method="anytime", epsilons=(epsilon,), seed=options.seed)
    assert isinstance(target.program, Program)
    mechanism = target.mechanism
    job = WorstJob(mechanism=mechanism, program=target.program, settings=settings, seconds=options.seconds)
    with AuditSession(job, claim_settings(mechanism, (epsilon,)), lambda *_: None) as session:
        setting = session.claimed[0]
        pairs = setting.fitting(session.find_pairs())
        (choice, *_) = find_choices(job, session, pairs, setting, quick=True)
        end = time.process_time() + _PATTERN_SECONDS
        objective, patterns = Objective(session, target.program, setting, end=end), None
        for pair in pairs:
            try:
                patterns = _larger(patterns, objective(pair, choice))
            except NotComputed:
                continue
            except TooLong:
                break
        begun = time.process_time()
        search = WorstSearch(session, target.program, choice, setting, options.seconds, patterns=False)
        search.run(_ENOUGH * true if true < math.inf else math.inf)
        seconds = time.process_time() - begun
        found = search.snapped() if search.computed else None
    share = "" if found is None else "100.0%" if found.loss.low == true else f"{found.loss.low / true:.1%}"
    print(
        f"| {name} | {true:.4f} | {_shown(patterns)} | {_shown(found)} | {share} | {len(search.computed):,} "
        f"| {seconds:.2f} |",
        flush=True,
    )
    return found is not None and found.loss.low > true + 1e-6


def _larger(one: ComputedPair | None, other: ComputedPair) -> ComputedPair:
    return other if one is None or other.loss.low > one.loss.low else one


def _shown(one: ComputedPair | None) -> str:
    if one is None:
        return "refused"
    return "infinite" if one.loss.low == math.inf else f"{one.loss.low:.4f}"


if __name__ == "__main__":
    sys.exit(main())
