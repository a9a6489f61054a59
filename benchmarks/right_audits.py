"""Processor seconds of whole audits of the right mechanisms of the fixtures, of two checkouts by turns.

    python -m benchmarks.right_audits CHECKOUT [--folders statdp checkdp ...] [--every 1] [--turns 2]

Of both checkouts the audits are those that `dplint check` makes at its defaults, exact losses and proofs included, of
the fixtures of this one. Each folder is audited in a process of its own, in turns: here, there, there, here. What is
told is the least of the turns, of this process and its runners, for what both prove. What is proved there alone is
named.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_OF_ONE = "--of"


def main() -> int:
    """Print the table."""
    if sys.argv[1:2] == [_OF_ONE]:
        return _audit(sys.argv[2], sys.argv[3:])
    from benchmarks.machine import described_machine  # noqa: PLC0415 - not of the other checkout

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="the other one")
    parser.add_argument("--folders", nargs="*", help="of the fixtures")
    parser.add_argument("--every", type=int, default=1, help="only each so many-th of a folder")
    parser.add_argument("--turns", type=int, default=2)
    options = parser.parse_args()
    print(described_machine(), "\n\n| folder | audits | there, s | here, s | ratio | mean of ratios | most |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    whole: dict[str, list[float]] = {}
    unlike: list[str] = []
    for folder, names in _right(options.folders).items():
        there, here = _by_turns(options.checkout, folder, names[:: options.every], options.turns)
        proved = {name for name in here if "Proved" == here[name][0] == there[name][0]}
        unlike += [f"{name} ({here[name][0]})" for name in here if there[name][0] == "Proved" and name not in proved]
        told = {name: [there[name][1], here[name][1]] for name in proved}
        whole |= told
        print(_row(folder, told), flush=True)
    print(_row("**all**", whole))
    print("\nProved there alone:", "; ".join(unlike) or "none")
    return 0


def _right(folders: list[str] | None) -> dict[str, list[str]]:
    """The right mechanisms of each folder of fixtures."""
    from benchmarks.proofs import FOLDERS, OTHERS, is_right  # noqa: PLC0415
    from dplint.check.loading import Target, load_targets  # noqa: PLC0415
    from dplint.config import load_settings  # noqa: PLC0415

    found: dict[str, list[str]] = {}
    for folder in folders or (*FOLDERS, *OTHERS):
        path = ROOT / "fixtures" / folder
        for target in load_targets([path], load_settings(path, {"cache": False})):
            if isinstance(target, Target):
                name = target.mechanism.qualname
                if is_right(folder, Path(target.mechanism.path), name.rpartition(".")[2]):
                    found.setdefault(folder, []).append(_key(target.mechanism))
    return found


def _key(mechanism) -> str:
    return f"{Path(mechanism.path).relative_to(ROOT / 'fixtures')}::{mechanism.qualname}"


def _by_turns(other: Path, folder: str, names: list[str], turns: int) -> tuple[dict[str, list], dict[str, list]]:
    """Of each mechanism the kind of its outcome and the least seconds, in the other checkout and in this one."""
    least: list[dict[str, list]] = [{}, {}]
    for turn in range(turns):
        for which in (0, 1) if turn % 2 else (1, 0):
            root = (other, ROOT)[which]
            command = [sys.executable, __file__, _OF_ONE, folder, *names]
            told = subprocess.run(
                command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, stdout=subprocess.PIPE, check=True
            )
            for name, (kind, seconds) in json.loads(told.stdout).items():
                before = least[which].get(name, [kind, math.inf])
                least[which][name] = [kind, min(seconds, before[1])]
    return least[0], least[1]


def _audit(folder: str, names: list[str]) -> int:
    """Audit those of one folder by the dplint of this process, and print what came out as JSON."""
    from dplint.audit.procedures import audit, audit_procedures  # noqa: PLC0415
    from dplint.check.loading import Target, audit_settings, load_targets  # noqa: PLC0415
    from dplint.config import load_settings  # noqa: PLC0415
    from dplint.jobs import AuditJob  # noqa: PLC0415

    path = ROOT / "fixtures" / folder
    settings = load_settings(path, {"cache": False})
    procedures = audit_procedures(exact=True, proofs=True)
    told: dict[str, tuple[str, float]] = {}
    targets = [
        one for one in load_targets([path], settings) if isinstance(one, Target) and _key(one.mechanism) in names
    ]
    for target in [*targets[:1], *targets]:  # the first is audited once more: it loads what all need
        chosen = replace(audit_settings(settings, target.mechanism), interpreter=sys.executable)
        job = AuditJob(mechanism=target.mechanism, program=target.program, settings=chosen, lowered=target.lowered)
        begun = _processor_seconds()
        outcome = audit(job, lambda *_: None, procedures).outcome
        told[_key(target.mechanism)] = type(outcome).__name__, _processor_seconds() - begun
    print(json.dumps(told))
    return 0


def _processor_seconds() -> float:
    runners = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + runners.ru_utime + runners.ru_stime


def _row(name: str, told: dict[str, list[float]]) -> str:
    if not told:
        return f"| {name} | 0 | | | | | |"
    there, here = (sum(both[which] for both in told.values()) for which in (0, 1))
    ratios = [after / before for before, after in told.values()]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return f"| {name} | {len(told)} | {there:.1f} | {here:.1f} | {here / there:.2f} | {mean:.2f} | {max(ratios):.2f} |"


if __name__ == "__main__":
    sys.exit(main())
