"""Exact losses of the mechanisms of the fixtures on StatDP's patterns, with the CPU time of each.

    python -m benchmarks.exact --epsilon 0.1 --sizes 5,10 statdp dpsniper

For each mechanism and size: the largest loss over all patterns and both orders, the pattern, the mass of what is
impossible where it is infinite, the CPU seconds of the slowest pair (both orders) and of all pairs, after loading.
"truth" is the formula of the table of truth, at this size, where there is one; patterns reach less than that where it
is a supremum. `more`: the mechanisms of `benchmarks/exact_mechanisms.py`, long inputs, and fixtures of other families.
`--repeat 5` takes the least time of five for each pair. `--figures` prints the slowest pair beside the figures that
this had to meet, those of the prototype that the method was tried with, and times published for dpest. "alone"
forgets all before each pair, as the prototype does; "in turn" computes the pairs one after the other, as an audit does,
after all was forgotten once; "cold" is that pair as the first one in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.outcomes import Impossible
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import Limits, PairLosses, losses_of_pair
from dplint.readings.exact.computing import kept

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
FAMILIES = ("statdp", "dpsniper", "dpfinder", "checkdp", "more")
LIMITS = Limits(steps=100_000)
TOO_MANY_WAYS = {"rappor", "one_time_rappor", "svt34_parallel"}
"""Outputs of twenty bits, and of two sparse vectors: they have more paths than are followed."""
DPEST = {
    ("dpsniper", "prefix_sum"): "124 s, false infinity",
    ("dpsniper", "truncated_geometric"): "23.9 s",
    ("dpsniper", "numerical_svt"): "58 s, false infinity",
    ("statdp", "svt"): "276 s",
    ("statdp", "isvt4"): "47 s, false infinity",
    ("statdp", "isvt2"): "279 s",
}
"""Published times of dpest for all patterns of ten answers, where it has the mechanism."""


FIGURES = {
    ("statdp", "noisy_max_v1a"): (6, 0.04),
    ("dpfinder", "report_noisy_max"): (97, 0.42),
    ("statdp", "svt"): (17, 0.10),
    ("statdp", "isvt1"): (4, 0.03),
    ("statdp", "isvt2"): (720, 4.7),
    ("statdp", "isvt3"): (12, 0.08),
    ("statdp", "isvt4"): (300, 1.9),
    ("dpsniper", "prefix_sum"): (5, 0.04),
    ("checkdp", "smart_sum"): (6, 0.01),
    ("dpsniper", "numerical_svt"): (103, 0.46),
    ("checkdp", "gap_svt"): (100, 0.74),
    ("dpsniper", "truncated_geometric"): (4, 0.02),
}
"""Of the prototype of the method, ten answers, epsilon 0.1: CPU milliseconds of the slowest pair, both orders, and CPU
seconds of all pairs, on the machine that it was made on."""
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class More:
    """A row of the further mechanisms: one pair, and what it loses by a closed form, None where there is none."""

    file: Path
    name: str
    size: int
    d1: Any
    d2: Any
    loss: float | None


def more(epsilon: float) -> Iterator[More]:
    """The further mechanisms."""
    own, flat = HERE / "exact_mechanisms.py", [1.0] * 10
    up = [2.0] * 5 + [0.0] * 5
    bits = [1, 0] * 25
    yield More(own, "geometric", 10, [1] * 10, [2, 0] * 5, 10 * epsilon)
    yield More(own, "geometric_clipped", 1, [3], [4], epsilon)
    yield More(own, "geometric_noisy_max", 10, [1] * 10, [2] * 5 + [0] * 5, None)
    yield More(own, "geometric_svt", 10, [1] * 10, [2] * 5 + [0] * 5, None)
    yield More(own, "cauchy", 1, [1.0], [2.0], 2 * math.asinh(epsilon / 2))
    yield More(own, "gaussian", 1, [1.0], [2.0], math.inf)
    yield More(own, "running_max", 50, [1.0] * 50, [2.0] * 50, 50 * epsilon / 2)
    yield More(own, "randomised_count", 50, bits, [0, *bits[1:]], None)
    yield More(FIXTURES / "statdp/sparse_vector.py", "svt", 200, [1.0] * 200, [2.0] * 100 + [0.0] * 100, None)
    yield More(FIXTURES / "statdp/noisy_max.py", "noisy_max_v2b", 10, flat, up, math.inf)
    low, high = [0.0, 0.0], [1.0, 1.0]
    outputs = FIXTURES / "outputs"
    for name, file, loss in (
        ("dict_both_leaks", "structures.py", 2.0),
        ("dict_both", "structures.py", 1.0),
        ("dict_key_leaks", "structures.py", 2.0),
        ("dict_key", "structures.py", 1.0),
        ("nested_dict_both", "structures.py", 1.0),
        ("nested_dict_shared", "structures.py", 1.0),
        ("records_both", "structures.py", 1.0),
        ("records_length_leaks", "structures.py", 2.0),
        ("nested_tuple_both_leaks", "structures.py", 2.0),
        ("tuple_shared", "structures.py", 1.0),
        ("text_length_leaks", "texts.py", 2.0),
        ("raises_type_leaks", "texts.py", 2.0),
        ("raises_kinds", "texts.py", 1.0),
        ("all_equal", "sequences.py", 1.0),
    ):
        yield More(outputs / file, name, 2, low, high, loss)
    inputs = FIXTURES / "inputs"
    yield More(inputs / "arguments.py", "counted_leaks", 2, low, high, 2 * epsilon)
    yield More(inputs / "arguments.py", "grid", 2, [3], [3, 5], epsilon)
    yield More(inputs / "sizes.py", "two_records_leaks", 2, [10.0], [10.0, 20.0], math.inf)
    yield More(inputs / "values.py", "wide_gap", 2, [3.0, 5.0], [4.0, 6.0], epsilon)
    census = FIXTURES / "realistic/src/census"
    yield More(census / "selection.py", "best_site", 3, [3.0, 1.0, 2.0], [2.0, 2.0, 1.0], None)
    yield More(census / "means.py", "mean_within_range", 3, [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], epsilon)
    yield More(census / "survey.py", "ever_fined", 1, True, False, epsilon)


def print_more(epsilon: float) -> None:
    """Their rows of the table."""
    for row in more(epsilon):
        targets = [one for one in load_file(row.file, Settings()) if isinstance(one, Target)]
        (program,) = [one.program for one in targets if one.mechanism.qualname == row.name]
        assert isinstance(program, Program)
        known = {"epsilon": epsilon, "T": 0.5, "N": 1}
        given = {name: value for name, value in known.items() if name in program.parameters}
        rest = measured(program, [("-", row.d1, row.d2)], given)
        truth = "-" if row.loss is None else f"{row.loss:.6f}"
        family = "more" if row.file.parent == HERE else row.file.relative_to(FIXTURES).parts[0]
        print(f"| {family} {row.name} | {row.size} | {truth} | {rest} |  |", flush=True)


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
    if name == "truncated_geometric":
        return [(f"{k}, {k + 1}", k, k + 1) for k in range(5)]
    if relation == "add-remove":
        return [("add", [1.0] * (size - 1), [1.0] * size)]
    if relation == "linf-monotone":
        half = size // 2
        return [
            ("all", [0.0] * size, [1.0] * size),
            ("half", [1.0] * size, [1.0] * half + [2.0] * (size - half)),
        ]
    return list(patterns(size, relation))


def truth(row: dict[str, Any], given: dict[str, Any], size: int) -> float | None:
    """The epsilon of the table of truth; None where it has no formula of these arguments."""
    try:
        names = {"log": math.log, "ceil": math.ceil, "inf": math.inf, **given, "n": size}
        return float(eval(row["true_epsilon"]["formula"], names))
    except (KeyError, NameError, TypeError, ZeroDivisionError):
        return None


def timed(program: Program, d1: Any, d2: Any, given: dict[str, Any], repeat: int) -> tuple[PairLosses, float]:
    """The losses of a pair, and the least CPU time of so many times."""
    one, other = ({**given, str(program.data): data} for data in (d1, d2))
    seconds = math.inf
    for number in range(repeat):
        if number:
            kept.forget()
        before = time.process_time()
        found = losses_of_pair(program, one, other, limits=LIMITS, prune=True)
        seconds = min(seconds, time.process_time() - before)
    return found, seconds


def measured(program: Program, pairs: Sequence[tuple[str, Any, Any]], given: dict[str, Any], repeat: int = 1) -> str:
    """One row of the table, from the loss on."""
    best, slowest, total = (-math.inf, math.inf, "", ""), 0.0, 0.0
    for label, d1, d2 in pairs:
        try:
            found, spent = timed(program, d1, d2, given, repeat)
        except UnsupportedConstruct as refused:
            return f"refused: {refused}"
        slowest, total = max(slowest, spent), total + spent
        for side in (found.forwards, found.backwards):
            worst = side[0]
            if worst.loss.low > best[0]:
                mass = f", mass {worst.infinite.mass.middle:.3g}" if isinstance(worst.infinite, Impossible) else ""
                best = (worst.loss.low, max(row.loss.high for row in side), label, mass)
    low, high, label, mass = best
    loss = "infinite" if low == math.inf else f"{low:.6f}" + ("" if high - low < 1e-8 else " or more")
    return f"{loss}{mass} | {label} | {slowest:.3f} | {total:.2f}"


def rows_of(family: str, epsilon: float) -> Iterator[tuple[dict[str, Any], Program, dict[str, Any]]]:
    """The mechanisms of a family: their row of the table of truth, program and arguments."""
    loaded = cache(lambda file: list(load_file(FIXTURES / family / file, Settings())))
    for row in json.loads((FIXTURES / family / "truth.json").read_text())["mechanisms"]:
        if row["function"] in TOO_MANY_WAYS:
            continue
        targets = [one for one in loaded(row["file"]) if isinstance(one, Target)]
        (program,) = [one.program for one in targets if one.mechanism.qualname == row["function"]]
        assert isinstance(program, Program)
        threshold = 0.5 if row["function"] == "svt" else 1.0
        given = {"T": threshold, "N": 1, **(row.get("arguments") or {}), "epsilon": epsilon}
        if row["function"] == "truncated_geometric":
            given["n"] = 5
        yield row, program, {name: value for name, value in given.items() if name in program.parameters}


def print_figures(repeat: int) -> None:
    """The slowest pair of ten answers, in CPU milliseconds, beside what it had to meet; and all pairs, beside dpest."""
    print("| mechanism | to meet, ms | alone, ms | in turn, ms | cold, ms | all pairs in turn, s | dpest |")
    print("|---|---|---|---|---|---|---|")
    for family, name in FIGURES:
        (found,) = [one for one in rows_of(family, 0.1) if one[0]["function"] == name]
        alone, turn = (seconds_of(*found, repeat, forgetting=forgetting) for forgetting in (True, False))
        slowest = max(range(len(alone)), key=alone.__getitem__)
        cold = min(cold_seconds(family, name, slowest) for _ in range(repeat))
        times = [f"{1000 * one:.2f}" for one in (max(alone), max(turn), cold)]
        print(
            f"| {family} {name} | {FIGURES[family, name][0]} | {' | '.join(times)} | {sum(turn):.3f} "
            f"| {DPEST.get((family, name), '')} |",
            flush=True,
        )


def seconds_of(
    row: dict[str, Any], program: Program, given: dict[str, Any], repeat: int, *, forgetting: bool
) -> list[float]:
    """The least CPU time of each pair in so many rounds; forgetting: before each pair, and not only before a round."""
    pairs = pairs_of(row, 10)
    best = [math.inf] * len(pairs)
    for _ in range(repeat):
        kept.forget()
        for index, (_, d1, d2) in enumerate(pairs):
            if forgetting:
                kept.forget()
            best[index] = min(best[index], timed(program, d1, d2, given, 1)[1])
    return best


def cold_seconds(family: str, name: str, pair: int) -> float:
    """The CPU time of a pair in a new process, where nothing was computed before."""
    command = [sys.executable, "-m", "benchmarks.exact", "--cold", f"{family}:{name}:{pair}"]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True)
    return float(done.stdout)


def print_cold(which: str) -> None:
    """What `cold_seconds` reads."""
    family, name, pair = which.split(":")
    ((row, program, given),) = [one for one in rows_of(family, 0.1) if one[0]["function"] == name]
    _, d1, d2 = pairs_of(row, 10)[int(pair)]
    print(timed(program, d1, d2, given, 1)[1])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epsilon", type=float, default=0.1)
    parser.add_argument("--sizes", default="5,10")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("families", nargs="*", default=FAMILIES)
    parser.add_argument("--cold", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cold:
        print_cold(options.cold)
        return
    if options.figures:
        print_figures(options.repeat)
        return
    print("| mechanism | n | truth | loss | at | slowest pair, s | all pairs, s | dpest |")
    print("|---|---|---|---|---|---|---|---|")
    for family in options.families:
        if family == "more":
            print_more(options.epsilon)
            continue
        for row, program, given in rows_of(family, options.epsilon):
            for size in map(int, options.sizes.split(",")):
                published = DPEST.get((family, row["function"]), "") if size == 10 else ""
                rest = measured(program, pairs_of(row, size), given, options.repeat)
                name = f"{family} {row['function']}"
                known = truth(row, given, size)
                formula = "-" if known is None else f"{known:.6f}"
                print(f"| {name} | {size} | {formula} | {rest} | {published} |", flush=True)


if __name__ == "__main__":
    main()
