"""Runs a second of the fixtures of the field: the plain function, lanes, arrays by hand, and the draws alone.

    python benchmarks/lanes.py [--repeat 5] [--only statdp/svt]

All contenders of a mechanism take turns in one process, and the best of their turns counts. The limit is the time that
drawing takes: exactly the random numbers that the lanes used, by the fastest way that dplint knows, and nothing else.
Arrays by hand draw whole matrices with `Generator.laplace`; what only those draws take is the last column. Prints a
Markdown table, and below it whether lowering and the check of the translation stay within 0.1 s a mechanism.
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
from dplint.audit.run_blocks import LaneRuns, NotOnLanes  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_file  # noqa: E402
from dplint.config import Settings, load_settings  # noqa: E402
from dplint.distributions import Distribution, Outcomes, of  # noqa: E402
from dplint.program.nodes import Program  # noqa: E402
from dplint.readings.lanes import BLOCK, KeptDraws, SampledDraws, block_for, read_lanes  # noqa: E402
from dplint.readings.lanes.merging import plain  # noqa: E402
from dplint.runner.client import DataValue, Runner  # noqa: E402

RUNS = 2 * BLOCK
PLAIN_RUNS = 2_000
HAND_CHUNKS = 16
"""Arrays by hand are measured in chunks of 16,384 runs, which suit the cache."""
CHECKED = 1_000


@dataclass(frozen=True)
class Row:
    """Seconds for one run."""

    name: str
    plain: float
    lanes: float
    by_hand: float
    limit: float
    hand_draws: float
    draws: float


def targets(settings: Settings) -> Iterator[tuple[str, Twin, Target, float]]:
    """The fixtures that have a twin, and the seconds that reading their file took, by function."""
    for path in sorted({twin.source.partition("::")[0] for twin in TWINS.values()}):
        started = time.process_time()
        found = [item for item in load_file(ROOT / path, settings) if isinstance(item, Target)]
        seconds = (time.process_time() - started) / max(len(found), 1)
        by_name = {target.mechanism.qualname: target for target in found}
        for name, twin in TWINS.items():
            file, _, function = twin.source.partition("::")
            if file == path:
                yield name, twin, by_name[function], seconds


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


def drawing(made: KeptDraws, runs: int) -> tuple[Callable[[np.random.Generator], None], float]:
    """What draws the same random numbers again, and how many there are in a run; NaN for draws made one by one."""
    calls: list[tuple[Distribution, dict[str, Any], tuple[int, ...]]] = []
    for draw in made.made:
        space = draw.lanes.space
        count = space.size if draw.lanes.bits is None else int(np.count_nonzero(draw.lanes.bits))
        given = {name: plain(value) for name, value in draw.parameters.items()}
        shape = getattr(draw.value, "shape", ())
        data = {name: one[0] if np.ndim(one[0]) == 0 else one[0][:count] for name, one in given.items() if one}
        calls.append((of(draw.node.distribution), data, (*shape, count)))

    def draw_all(generator: np.random.Generator) -> None:
        for distribution, parameters, shape in calls:
            if distribution.outcomes in (Outcomes.REAL, Outcomes.INTEGER):
                distribution.sample(generator, parameters, shape)

    return draw_all, sum(math.prod(shape) for _, _, shape in calls) / runs


def contenders_of(twin: Twin, target: Target) -> tuple[list[tuple[Callable[[], object], int]], float]:
    """What is timed, with the runs that one call makes, in the order of the fields of Row; and the draws of a run."""
    assert isinstance(target.program, Program)
    assert target.mechanism.data is not None
    program, function = target.program, plain_function(twin)
    arguments = {target.mechanism.data: twin.data, **twin.arguments}
    rng = np.random.Generator(np.random.SFC64(1))
    sampled, generator = SampledDraws(np.random.SeedSequence(1)), np.random.Generator(np.random.SFC64(2))
    kept = KeptDraws(SampledDraws(np.random.SeedSequence(3)))
    read_lanes(program, arguments, BLOCK, kept)
    limit, draws = drawing(kept, BLOCK)
    block = block_for(draws)
    hand_draws = twin.draws(RUNS // HAND_CHUNKS)
    positional = [arguments.get(parameter.name, rng) for parameter in target.mechanism.parameters]

    def lanes() -> None:
        for _ in range(RUNS // block):
            read_lanes(program, arguments, block, sampled, block=block).batch()

    return [
        (repeated(lambda: function(*positional), PLAIN_RUNS), PLAIN_RUNS),
        (lanes, RUNS),
        (repeated(lambda: twin(rng, RUNS // HAND_CHUNKS), HAND_CHUNKS), RUNS),
        (lambda: limit(generator), BLOCK),
        (repeated(lambda: hand_draws(rng), HAND_CHUNKS), RUNS),
    ], draws


def repeated(call: Callable[[], object], times: int) -> Callable[[], None]:
    """The call, made so many times."""

    def calls() -> None:
        for _ in range(times):
            call()

    return calls


def measure(name: str, twin: Twin, target: Target, repeat: int) -> Row:
    """Best of `repeat` turns for each contender."""
    contenders, draws = contenders_of(twin, target)
    best = [math.inf] * len(contenders)
    for _ in range(repeat):
        for index, (contender, runs) in enumerate(contenders):
            started = time.process_time()
            contender()
            best[index] = min(best[index], (time.process_time() - started) / runs)
    plain_seconds, lane_seconds, hand_seconds, limit_seconds, hand_draw_seconds = best
    return Row(name, plain_seconds, lane_seconds, hand_seconds, limit_seconds, hand_draw_seconds, draws)


def pair(twin: Twin) -> tuple[DataValue, DataValue]:
    """The twin's data, and the same with one added everywhere."""
    if isinstance(twin.data, list):
        return DataValue(list(twin.data), "list"), DataValue([x + 1 for x in twin.data], "list")
    return DataValue(twin.data, "scalar"), DataValue(twin.data + 1, "scalar")


def checks(settings: Settings, found: list[tuple[str, Twin, Target, float]]) -> None:
    """Lower and check every mechanism: which pass, and how long it takes."""
    total, slowest, failures = [], ("", 0.0), []
    for name, twin, target, reading in found:
        if not isinstance(target.program, Program):
            failures.append(f"{name}: {target.program}")
            continue
        options = audit_settings(settings, target.mechanism)
        with Runner(options.interpreter, deadline=options.deadline, memory_mib=options.memory_mib) as runner:
            runner.load(target.mechanism)
            lanes = LaneRuns(target.program, target.mechanism, runner)
            started = time.perf_counter()
            try:
                for side, data in enumerate(pair(twin)):
                    seed = np.random.SeedSequence((7, side))
                    lanes.check(data, dict(twin.arguments), CHECKED, seed)
            except NotOnLanes as reason:
                failures.append(f"{name}: {reason}")
            seconds = reading + time.perf_counter() - started
        total.append(seconds)
        slowest = max(slowest, (name, seconds), key=lambda item: item[1])
    print(f"\n{len(found) - len(failures)} of {len(found)} lower and pass the check of {CHECKED} + {CHECKED} lanes.")
    print(*failures, sep="\n")
    print(f"Lowering and check: mean {np.mean(total):.3f} s, slowest {slowest[1]:.3f} s ({slowest[0]}).")


def line(row: Row) -> str:
    """One line of the table."""
    times = [f"{seconds * 1e9:,.0f}" for seconds in (row.plain, row.lanes, row.by_hand, row.limit)]
    ratios = [f"{row.plain / row.lanes:.0f}", f"{row.by_hand / row.lanes:.2f}", f"{row.limit / row.lanes:.2f}"]
    return f"| {' | '.join([row.name, f'{row.draws:.2f}', *times, *ratios, f'{row.hand_draws * 1e9:,.0f}'])} |"


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with_memory_of_a_worker()
    settings = load_settings(ROOT, {})
    found = [item for item in targets(settings) if item[0].startswith(options.only)]
    print(described_machine())
    heads = ["mechanism", "draws a run", "plain ns", "lanes ns", "by hand ns", "limit ns", "lanes over plain"]
    heads += ["lanes over by hand", "share of the limit", "draws of by hand ns"]
    print(f"\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    rows = []
    for name, twin, target, _ in found:
        if isinstance(target.program, Program):
            row = measure(name, twin, target, options.repeat)
            rows.append(row)
            print(line(row), flush=True)
    for label, ratios in (
        ("lanes over plain", [row.plain / row.lanes for row in rows]),
        ("lanes over by hand", [row.by_hand / row.lanes for row in rows]),
        ("share of the limit", [row.limit / row.lanes for row in rows]),
        ("by hand: share of its own draws", [row.hand_draws / row.by_hand for row in rows]),
    ):
        print(f"\nGeometric mean, {label}: {math.exp(np.mean(np.log(ratios))):.2f} (least {min(ratios):.2f})")
    checks(settings, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
