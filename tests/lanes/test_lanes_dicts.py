"""Dicts whose keys the noise decides: what Python gives in each lane, without being asked lane by lane."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dplint.audit.lane_runs import LaneRuns
from dplint.runner.client import DataValue
from tests.lanes.lane_tools import outputs_of_arrays_alone

QUERIES = [1.0, 0.0, 2.0, 1.0]
NOISY = "    noisy = {i: q + rng.normal() for i, q in enumerate(queries)}\n"
KEPT = NOISY + "    kept = {i: v for i, v in noisy.items() if v > 0.5}\n"
MECHANISMS = {
    "assigned": NOISY
    + "    out = {}\n    for i in noisy:\n        if noisy[i] > 1:\n            out[i] = noisy[i]\n    return out",
    "comprehension": KEPT + "    return kept",
    "pairs": "    return dict([(f'q{i}', q) for i, q in enumerate(queries) if q + rng.normal() > 1])",
    "asked": KEPT
    + "    return len(kept), 2 in kept, kept.get(1), kept.get(0, 0.0), bool(kept), kept.get(int(noisy[0] > 0))",
    "deleted": NOISY
    + "    if noisy[1] < 0:\n        del noisy[1]\n    noisy.pop(2 if noisy[3] > 0 else 0, None)\n    return noisy",
    "views": KEPT + "    return list(kept), list(kept.items()), list(kept.values())",
    "sorted": KEPT
    + "    return sorted(kept), sorted(kept.values()), [k for k, _ in sorted(kept.items(), key=lambda one: -one[1])]",
    "largest": KEPT + "    kept[9] = 0.0\n    return max(kept, key=kept.get), min(kept.values()), sum(kept.values())",
    "looped": KEPT + "    total, twice = 0.0, {}\n    for key, value in kept.items():\n        total += value\n"
    "        twice[key] = 2 * value\n    return total, twice",
    "updated": KEPT + "    out = {0: 1.0}\n    out.update(kept)\n    out.setdefault(3, 0.0)\n    return out",
    "branches": "    x = rng.normal()\n    out = {'b': -x, 'a': 1}\n    if x > 0:\n        out = {'a': x}\n"
    "    return out, len(out)",
    "ranked": NOISY
    + "    top = sorted(noisy, key=lambda i: noisy[i], reverse=True)[:2]\n    chosen = {i for i in top}\n"
    "    return {i: noisy[i] for i in top}, [i in chosen for i in noisy], len(chosen)",
    "drawn": "    counts = {}\n    for q in queries:\n        key = int(rng.integers(3))\n"
    "        counts[key] = counts.get(key, 0) + q\n    return counts, list(counts.items()), bool(counts)",
    "in two orders": NOISY
    + "    out = {'b': noisy[0], 'a': 1.0}\n    if noisy[1] > 0:\n        out = {'a': noisy[1], 'b': 2.0}\n"
    "    out.update({'c': 0.0, 'a': noisy[2]})\n    out.setdefault('d', noisy[3])\n"
    "    return out, sum(out.values()), 'b' in out, out.get('a')",
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_lane_is_asked_by_itself(targets, monkeypatch: pytest.MonkeyPatch, name: str):
    program = targets(f"def m(rng, queries):\n{MECHANISMS[name]}\n")["m"].program

    assert len(outputs_of_arrays_alone(program, QUERIES, monkeypatch)) > 3


KEYS = ["'a'", "'b'", "'c'", "1", "2", "(1, 'a')", "(2, 'a')", "None"]
STATEMENTS = [
    "{d}[{k}] = {x}",
    "{d}[{k}] = {d}.get({k}, 0) + {x}",
    "{d}.pop({k}, None)",
    "del {d}[{k}]",
    "{d}.setdefault({k}, {x})",
    "{d}.update(dict([({k}, {x}), ({k2}, {x})]))",
    "{d} = {{key: value for key, value in {d}.items() if value > {x}}}",
    "{d} = dict(sorted({d}.items(), key=lambda one: one[1]))",
    "{d} = {{**{d}, {k}: {x}}}",
    "{d}.clear()",
    "{d}[[1, 2, 'b'][int(rng.integers(3))]] = {x}",
    "out.append(len({d}))",
    "out.append({k} in {d})",
    "out.append({d}.get({k}))",
    "out.append({d}.pop({k}, -1))",
    "out.append(list({d}))",
    "out.append(list({d}.items()))",
    "out.append(sum({d}.values()))",
    "out.append(max([value + 0 for value in {d}.values()]))",
    "out.append(max({d}.copy(), key={d}.get))",
    "out.append(sorted({d}.values(), reverse=True))",
    "out.append([value for key, value in {d}.items()])",
    "out.append({d}[{k}])",
    "out.append(bool({d}))",
]


def random_mechanism(seed: int) -> str:
    """Statements about two dicts, most of them under conditions of noise; what they raise is the output."""
    chosen = random.Random(seed)
    lines = ["def m(rng, queries):", "    d = {}", "    e = {'a': 0.5}", "    out = []"]
    for _ in range(chosen.randint(4, 9)):
        statement = chosen.choice(STATEMENTS).format(
            d=chosen.choice("ddde"),
            k=chosen.choice(KEYS),
            k2=chosen.choice(KEYS),
            x=chosen.choice(["1", "2.5", "rng.normal()", "round(rng.normal())", "0.0"]),
        )
        if chosen.random() < 0.7:
            lines.append(f"    if rng.normal() > {chosen.choice([-0.5, 0.0, 0.5])}:")
            statement = f"    {statement}"
        lines.append(f"    {statement}")
    lines.append("    return d, e, out")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("start", range(8))
def test_the_function_gives_the_same_whatever_is_done_with_dicts(targets, lanes_runner, start: int):
    for seed in range(start, 80, 8):
        (target,) = targets(random_mechanism(seed)).values()
        lanes_runner.load(target.mechanism)
        runs = LaneRuns(target.program, target.mechanism, lanes_runner)
        runs.check(DataValue(QUERIES), {}, 100, np.random.SeedSequence(seed))
