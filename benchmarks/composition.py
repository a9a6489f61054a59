"""What `dplint budget` makes of ten programs, against the accountants of dp-accounting.

    python -m benchmarks.composition --reference PYTHON

PYTHON: an interpreter that has dp-accounting 0.6. It needs an environment of its own, as its attrs is older than the
one of dplint's language server. Of each program it is printed which epsilon its parts keep at a delta, by both, and how
long that takes. It ends with exit code 1 if dplint is below by more than errors of floats, or above by more than 1e-6.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.machine import described_machine
from dplint.check.budget_shares import budgets
from dplint.config import Settings
from dplint.config.selection import SettingsByFile
from dplint.contracts.composing import Dominated, composed_delta_of
from dplint.contracts.tree import Budget, Node, Repeat, Series, Spend

DELTA = 1e-5
_CLOSE, _BELOW = 1e-6, 1e-9
HEAD = """from dplint import dp


@dp(mu="mu", neighbors="add-remove", domain=(0.0, 1.0))
def normal(rng, rows, mu):
    return sum(rows) + rng.normal(0.0, 1 / mu)


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0))
def laplace(rng, rows, epsilon):
    return sum(rows) + rng.laplace(0.0, 1 / epsilon)


@dp(epsilon="epsilon", delta="delta", neighbors="add-remove", domain=(0.0, 1.0))
def rough(rng, rows, epsilon, delta):
    return sum(rows) + rng.laplace(0.0, 1 / epsilon)


@dp(rho="rho", neighbors="add-remove", domain=(0.0, 1.0))
def concentrated(rng, rows, rho):
    return sum(rows) + rng.normal(0.0, (1 / (2 * rho)) ** 0.5)


@dp(epsilon=0.001, delta=1e-5, neighbors="add-remove", domain=(0.0, 1.0))
def whole(rng, rows):
"""
PROGRAMS = {
    "one normal number": "    return normal(rng, rows, 1.0)\n",
    "four in a list": f"    return [{', '.join(['normal(rng, rows, 0.5)'] * 4)}]\n",
    "a hundred in a loop": "    return [normal(rng, rows, 0.1) for _ in range(100)]\n",
    "a hundred of pure epsilon": "    return [laplace(rng, rows, 0.1) for _ in range(100)]\n",
    "two of pure epsilon": "    a = [laplace(rng, rows, 0.1) for _ in range(10)]\n"
    "    return a, [laplace(rng, rows, 0.3) for _ in range(3)]\n",
    "twenty with deltas": "    return [rough(rng, rows, 0.1, 1e-7) for _ in range(20)]\n",
    "normal and pure": "    return normal(rng, rows, 0.8), [laplace(rng, rows, 0.2) for _ in range(5)]\n",
    "training": "    out = []\n    for _ in range(1000):\n"
    "        batch = [row for row in rows if rng.random() < 0.01]\n"
    "        out.append(normal(rng, batch, 1.0))\n    return out\n",
    "training and a count": "    out = []\n    for _ in range(200):\n"
    "        batch = [row for row in rows if rng.random() < 0.05]\n"
    "        out.append(normal(rng, batch, 0.8))\n    return out, laplace(rng, rows, 0.2)\n",
    "in rho": "    a = [concentrated(rng, rows, 0.01) for _ in range(10)]\n"
    "    return a, [laplace(rng, rows, 0.1) for _ in range(5)]\n",
}
REFERENCE = """
import functools, json, sys, time
import numpy as np
import dp_accounting
from dp_accounting import rdp
from dp_accounting.pld import common, privacy_loss_distribution as laws

def law(part):
    if part["mu"]:
        return laws.from_gaussian_mechanism(1 / part["mu"], sampling_prob=part["rate"])
    return laws.from_privacy_parameters(common.DifferentialPrivacyParameters(part["epsilon"], part["delta"]))

def epsilon_of(parts, delta):
    if any(part["rho"] for part in parts):
        accountant = rdp.RdpAccountant(1 + np.geomspace(0.1, 1e3, 400_001))
        for part in parts:
            rho = part["rho"] or max(part["mu"], part["epsilon"]) ** 2 / 2
            accountant.compose(dp_accounting.ZCDpEvent(rho), part["times"])
        return accountant.get_epsilon(delta)
    composed = [law(part).self_compose(part["times"]) for part in parts]
    return functools.reduce(lambda one, other: one.compose(other), composed).get_epsilon_for_delta(delta)

rows = []
for parts in json.load(sys.stdin):
    begun = time.perf_counter()
    rows.append([epsilon_of(parts, DELTA), time.perf_counter() - begun])
print(json.dumps(rows))
"""


def parts_of(node: Node, times: int = 1) -> Iterator[Dominated]:
    """What each call of a program keeps, and how often it is made."""
    match node:
        case Spend(kept=Dominated() as kept):
            yield replace(kept, times=times)
        case Series(items=items):
            for one in items:
                yield from parts_of(one, times)
        case Repeat(times=turns, body=body) if turns is not None and turns.value is not None:
            yield from parts_of(body, times * int(turns.value))
        case _:
            raise ValueError(f"not known in numbers: {node}")


def budget_of(text: str, folder: Path) -> Budget:
    """What dplint reads of a program, from its source."""
    file = folder / "program.py"
    file.write_text(HEAD + text)
    budgets_of = [one for one in budgets([file], SettingsByFile(Settings(), (), Settings())) if isinstance(one, Budget)]
    return next(one for one in budgets_of if one.mechanism.qualname == "whole")


def epsilon_of(parts: list[Dominated]) -> float:
    """The epsilon at which they keep `DELTA` together, from above."""
    low, high = 0.0, 16.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        found = composed_delta_of(parts, middle)
        if found is None:
            raise ValueError(f"nothing is known of {parts}")
        low, high = (middle, high) if found > DELTA else (low, middle)
    return high


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reference", required=True, help="an interpreter that has dp-accounting")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        parts = {name: list(parts_of(budget_of(text, Path(folder)).tree)) for name, text in PROGRAMS.items()}
    asked = json.dumps([[asdict(part) for part in one] for one in parts.values()])
    script = REFERENCE.replace("DELTA", repr(DELTA))
    answer = subprocess.run([given.reference, "-c", script], input=asked, capture_output=True, text=True, check=True)
    sys.stdout.write(f"{described_machine()}\n\n| program | dplint | dp-accounting | difference | seconds | theirs |\n")
    sys.stdout.write("|---|---|---|---|---|---|\n")
    bad = 0
    for (name, one), (theirs, seconds) in zip(parts.items(), json.loads(answer.stdout), strict=True):
        ours = epsilon_of(one)
        begun = time.perf_counter()
        composed_delta_of(one, ours + 1e-9)  # at ours it is remembered
        own = time.perf_counter() - begun
        bad += not -_BELOW <= ours - theirs <= _CLOSE
        sys.stdout.write(f"| {name} | {ours:.8f} | {theirs:.8f} | {ours - theirs:.1e} | {own:.2f} | {seconds:.2f} |\n")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
