"""Runs a second of the fixtures of the field: the plain function, many runs at once, and arrays by hand.

    python benchmarks/lanes.py [--repeat 5] [--only statdp/svt]

All contenders of a mechanism take turns in one process, processor time, and the best of their turns counts. Arrays by
hand draw whole matrices with `Generator.laplace`. Many runs at once are replayed first. Prints a Markdown table, and
geometric means with the least.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.by_hand import TWINS, Twin  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine, with_memory_of_a_worker  # noqa: E402
from dplint.audit.residual_runs import ResidualRuns  # noqa: E402
from dplint.audit.run_blocks import NotOnLanes  # noqa: E402
from dplint.check.loading import Target, load_file  # noqa: E402
from dplint.config import Settings  # noqa: E402
from dplint.runner.client import DataValue, Runner  # noqa: E402

RUNS, PLAIN_RUNS, CHECKED = 1 << 18, 2_000, 1_000
HAND_CHUNKS = 16
"""Arrays by hand are measured in chunks of 16,384 runs, which suit the cache."""


@dataclass(frozen=True)
class Row:
    """Seconds for one run."""

    name: str
    plain: float
    lanes: float
    by_hand: float


def targets(only: str) -> Iterator[tuple[str, Twin, Target]]:
    """The fixtures that have a twin by hand."""
    for name, twin in TWINS.items():
        path, _, function = twin.source.partition("::")
        found = [item for item in load_file(ROOT / path, Settings()) if isinstance(item, Target)]
        if name.startswith(only):
            yield name, twin, next(one for one in found if one.mechanism.qualname == function)


def plain_function(twin: Twin) -> Callable[..., Any]:
    """The fixture itself."""
    path, _, name = twin.source.partition("::")
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = getattr(module, name)
    return function


def measure(name: str, twin: Twin, target: Target, runs: ResidualRuns, repeat: int) -> Row:
    """Best of `repeat` turns for each contender."""
    assert target.mechanism.data is not None
    function, data = plain_function(twin), DataValue(twin.data, "list" if isinstance(twin.data, list) else "scalar")
    arguments = {target.mechanism.data: twin.data, **twin.arguments}
    rng, made = np.random.Generator(np.random.SFC64(1)), [0]
    positional = [arguments.get(parameter.name, rng) for parameter in target.mechanism.parameters]
    runs.check([data], dict(twin.arguments), CHECKED, np.random.SeedSequence(7))

    def lanes() -> None:
        for _ in range(max(1, RUNS // runs.chunk)):
            made[0] += 1
            runs.sample(data, dict(twin.arguments), runs.chunk, np.random.SeedSequence(8, spawn_key=(made[0],)))

    def plain() -> None:
        for _ in range(PLAIN_RUNS):
            function(*positional)

    def by_hand() -> None:
        for _ in range(HAND_CHUNKS):
            twin(rng, RUNS // HAND_CHUNKS)

    contenders = ((plain, PLAIN_RUNS), (lanes, max(1, RUNS // runs.chunk) * runs.chunk), (by_hand, RUNS))
    best = [math.inf] * len(contenders)
    for _ in range(repeat):
        for index, (contender, count) in enumerate(contenders):
            started = time.process_time()
            contender()
            best[index] = min(best[index], (time.process_time() - started) / count)
    return Row(name, *best)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", default="", help="beginning of names")
    options = parser.parse_args()
    with_memory_of_a_worker()
    print(f"{described_machine()}\n")
    print("| mechanism | plain ns | lanes ns | by hand ns | lanes over plain | lanes over by hand |")
    print("|---|--:|--:|--:|--:|--:|")
    rows = []
    for name, twin, target in targets(options.only):
        with Runner(sys.executable, deadline=60, memory_mib=1024) as runner:
            runner.load(target.mechanism)
            try:
                row = measure(name, twin, target, ResidualRuns(runner, target.mechanism), options.repeat)
            except NotOnLanes as reason:
                print(f"| {name} | {reason} |", flush=True)
                continue
        rows.append(row)
        times = " | ".join(f"{seconds * 1e9:,.0f}" for seconds in (row.plain, row.lanes, row.by_hand))
        print(f"| {name} | {times} | {row.plain / row.lanes:.0f} | {row.by_hand / row.lanes:.2f} |", flush=True)
    for label, ratios in (
        ("lanes over plain", [row.plain / row.lanes for row in rows]),
        ("lanes over by hand", [row.by_hand / row.lanes for row in rows]),
    ):
        print(f"\nGeometric mean, {label}: {math.exp(np.mean(np.log(ratios))):.2f} (least {min(ratios):.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
