"""Exact losses of the mechanisms of the fixtures on StatDP's patterns, with the CPU time of each.

    python -m benchmarks.exact --epsilon 0.1 --sizes 5,10 statdp dpsniper

For each mechanism and size: the largest loss over all patterns and both orders, the pattern, the mass of what is
impossible where it is infinite, the CPU seconds of the slowest pair (both orders) and of all pairs, after loading.
"truth" is the formula of the table of truth, at this size, where there is one; patterns reach less than that where it
is a supremum.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.outcomes import Impossible
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import Limits, losses_of_pair

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
FAMILIES = ("statdp", "dpsniper", "dpfinder", "checkdp")
LIMITS = Limits(steps=100_000)
DPEST = {
    ("dpsniper", "prefix_sum"): "124 s, false infinity",
    ("dpsniper", "truncated_geometric"): "23.9 s",
    ("dpsniper", "numerical_svt"): "58 s, false infinity",
    ("statdp", "svt"): "276 s",
    ("statdp", "isvt4"): "47 s, false infinity",
    ("statdp", "isvt2"): "279 s",
}
"""Published times of dpest for all patterns of ten answers, where it has the mechanism."""


def patterns(size: int, relation: str) -> Iterator[tuple[str, list[float], list[float]]]:
    """StatDP's patterns; the other order is computed with each."""
    half, one = size // 2, [1.0] * size
    yield "one above", one, [2.0, *one[1:]]
    yield "one below", one, [0.0, *one[1:]]
    if relation == "linf":
        yield "one above rest below", one, [2.0, *[0.0] * (size - 1)]
        yield "one below rest above", one, [0.0, *[2.0] * (size - 1)]
        yield "half half", one, [2.0] * half + [0.0] * (size - half)
        yield "all above", one, [2.0] * size
        yield "all below", one, [0.0] * size
        yield "x shape", [1.0] * half + [0.0] * (size - half), [0.0] * half + [1.0] * (size - half)


def pairs_of(row: dict[str, Any], size: int) -> list[tuple[str, Any, Any]]:
    """The pairs of a mechanism."""
    name, relation = row["function"], row["relation"]
    if name in ("laplace_mechanism", "laplace_parallel"):
        return [("0, 1", 0.0, 1.0)]
    if name in ("rappor", "one_time_rappor"):
        return [("0, 1", 0, 1), ("6, 7", 6, 7)]
    if name == "truncated_geometric":
        return [(f"{k}, {k + 1}", k, k + 1) for k in range(5)]
    if relation == "add-remove":
        return [("add", [1.0] * (size - 1), [1.0] * size)]
    if relation in ("all_larger", "all_smaller"):
        half = size // 2
        return [
            ("all", [0.0] * size, [1.0] * size),
            ("half", [1.0] * size, [1.0] * half + [2.0] * (size - half)),
        ]
    return list(patterns(size, relation))


def truth(row: dict[str, Any], given: dict[str, Any], size: int) -> str:
    """The epsilon of the table of truth."""
    try:
        names = {"log": math.log, "ceil": math.ceil, "inf": math.inf, **given, "n": size}
        return f"{eval(row['true_epsilon']['formula'], names):.6f}"
    except (KeyError, NameError, TypeError, ZeroDivisionError):
        return "-"


def measured(program: Program, row: dict[str, Any], given: dict[str, Any], size: int) -> str:
    """One row of the table, from the loss on."""
    best, slowest, total = (-math.inf, math.inf, "", ""), 0.0, 0.0
    for label, d1, d2 in pairs_of(row, size):
        before = time.process_time()
        try:
            one, other = ({**given, str(program.data): data} for data in (d1, d2))
            found = losses_of_pair(program, one, other, limits=LIMITS, prune=True)
        except UnsupportedConstruct as refused:
            return f"refused: {refused}"
        spent = time.process_time() - before
        slowest, total = max(slowest, spent), total + spent
        for side in (found.forwards, found.backwards):
            worst = side[0]
            if worst.loss.low > best[0]:
                mass = f", mass {worst.infinite.mass.middle:.3g}" if isinstance(worst.infinite, Impossible) else ""
                best = (worst.loss.low, max(row.loss.high for row in side), label, mass)
    low, high, label, mass = best
    loss = "infinite" if low == math.inf else f"{low:.6f}" + ("" if high - low < 1e-8 else " or more")
    return f"{loss}{mass} | {label} | {slowest:.3f} | {total:.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epsilon", type=float, default=0.1)
    parser.add_argument("--sizes", default="5,10")
    parser.add_argument("families", nargs="*", default=FAMILIES)
    options = parser.parse_args()
    print("| mechanism | n | truth | loss | at | slowest pair, s | all pairs, s | dpest |")
    print("|---|---|---|---|---|---|---|---|")
    for family in options.families:
        for row in json.loads((FIXTURES / family / "truth.json").read_text())["mechanisms"]:
            targets = [one for one in load_file(FIXTURES / family / row["file"], Settings()) if isinstance(one, Target)]
            (program,) = [one.program for one in targets if one.mechanism.qualname == row["function"]]
            assert isinstance(program, Program)
            threshold = 0.5 if row["function"] == "svt" else 1.0
            given = {"T": threshold, "N": 1, **(row.get("arguments") or {}), "epsilon": options.epsilon}
            if row["function"] == "truncated_geometric":
                given["n"] = 5
            given = {name: value for name, value in given.items() if name in program.parameters}
            for size in map(int, options.sizes.split(",")):
                published = DPEST.get((family, row["function"]), "") if size == 10 else ""
                rest = measured(program, row, given, size)
                name = f"{family} {row['function']}"
                print(f"| {name} | {size} | {truth(row, given, size)} | {rest} | {published} |", flush=True)


if __name__ == "__main__":
    main()
