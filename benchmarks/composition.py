"""What `dplint budget` makes of ten programs and five trainings, against the accountants of dp-accounting.

    python -m benchmarks.composition --reference PYTHON

PYTHON: an interpreter that has dp-accounting 0.6. It needs an environment of its own, as its attrs is older than the
one of dplint's language server. Of each program it is printed which epsilon its parts keep at a delta, by both, and how
long that takes. Of each training with an engine of Opacus it is printed what is told of it, rounded up to thousandths,
and what its authors published. It ends with exit code 1 if dplint is below by more than errors of floats, or above by
more than 1e-6, and where it is rounded by more than a thousandth.
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
_CLOSE, _BELOW, _THOUSANDTH = 1e-6, 1e-9, 1e-3
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
ENGINE = """import torch
from opacus import PrivacyEngine
from torch.utils.data import DataLoader

from dplint import dp


@dp(epsilon=0.001, delta=1e-5, neighbors="add-remove", data="dataset", domain=(0.0, 1.0), size=60000)
def whole(dataset, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model, optimizer=optimizer, data_loader=DataLoader(dataset, batch_size=BATCH), noise_multiplier=NOISE,
        max_grad_norm=1.0,
    )
    for _ in range(EPOCHS):
        for batch in loader:
            model(batch).backward()
            optimizer.step()
    return model
"""
ENGINES = {
    ("1.3", "240", "15"): "1.19, examples of Opacus",
    ("1.1", "240", "60"): "3.01, examples of Opacus",
    ("0.7", "240", "45"): "7.10, examples of Opacus",
    ("1.3", "256", "20"): "1.34, Bu et al. 2020",
    ("0.7", "256", "70"): "8.68, Bu et al. 2020",
}
"""Noise multiplier, batch size and epochs for 60,000 records, and the epsilon that was published, by RDP."""
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
            yield replace(kept, times=times * kept.times)
        case Series(items=items):
            for one in items:
                yield from parts_of(one, times)
        case Repeat(times=turns, body=body) if turns is not None and turns.value is not None:
            yield from parts_of(body, times * int(turns.value))
        case _:
            raise ValueError(f"not known in numbers: {node}")


def budget_of(text: str, folder: Path, head: str = HEAD) -> Budget:
    """What dplint reads of a program, from its source."""
    file = folder / "program.py"
    file.write_text(head + text)
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


def told_of(engine: tuple[str, str, str], folder: Path) -> Spend:
    """What dplint tells of a training with an engine."""
    noise, batch, epochs = engine
    text = ENGINE.replace("BATCH", batch).replace("NOISE", noise).replace("EPOCHS", epochs)
    found = budget_of(text, folder, "").tree
    assert isinstance(found, Spend), found
    return found


def asked(reference: str, programs: list[list[Dominated]]) -> list[tuple[float, float]]:
    """The epsilon of each program by dp-accounting, and the seconds that it takes."""
    sent = json.dumps([[asdict(part) for part in one] for one in programs])
    script = REFERENCE.replace("DELTA", repr(DELTA))
    answer = subprocess.run([reference, "-c", script], input=sent, capture_output=True, text=True, check=True)
    return [(epsilon, seconds) for epsilon, seconds in json.loads(answer.stdout)]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reference", required=True, help="an interpreter that has dp-accounting")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        parts = {name: list(parts_of(budget_of(text, Path(folder)).tree)) for name, text in PROGRAMS.items()}
        engines = {one: told_of(one, Path(folder)) for one in ENGINES}
    sys.stdout.write(f"{described_machine()}\n\n| program | dplint | dp-accounting | difference | seconds | theirs |\n")
    sys.stdout.write("|---|---|---|---|---|---|\n")
    bad = 0
    for (name, one), (theirs, seconds) in zip(parts.items(), asked(given.reference, list(parts.values())), strict=True):
        ours = epsilon_of(one)
        begun = time.perf_counter()
        composed_delta_of(one, ours + 1e-9)  # at ours it is remembered
        own = time.perf_counter() - begun
        bad += not -_BELOW <= ours - theirs <= _CLOSE
        sys.stdout.write(f"| {name} | {ours:.8f} | {theirs:.8f} | {ours - theirs:.1e} | {own:.2f} | {seconds:.2f} |\n")
    sys.stdout.write("\n| noise | batch | epochs | dplint | dp-accounting | published |\n|---|---|---|---|---|---|\n")
    answers = asked(given.reference, [list(parts_of(one)) for one in engines.values()])
    for (engine, spent), (theirs, _) in zip(engines.items(), answers, strict=True):
        ours = float(spent.epsilon.value or 0)
        bad += not -_BELOW <= ours - theirs <= _THOUSANDTH + _CLOSE
        sys.stdout.write(f"| {' | '.join(engine)} | {ours:.3f} | {theirs:.5f} | {ENGINES[engine]} |\n")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
