"""Programs do what the Python function does, on the same draws: one run at a time, and several under masks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from lane_oracle import ManyRuns
from program_strategy import programs
from program_tools import Recorder, Replay, call, error_name, lowered, plain, real_function

from dplint.claims import Span
from dplint.program import Program, evaluate
from dplint.program.nodes import For
from dplint.program.walk import walk
from dplint.readings.concrete import Branch, ConcreteReading, run

Q = [1.0, 0.0, 2.0, 1.0, 3.0]
SAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "svt": (
        """
        def svt(rng, queries, epsilon, N, T):
            out = []
            threshold = T + rng.laplace(scale=2 / epsilon)
            count = 0
            for q in queries:
                if q + rng.laplace(scale=4 * N / epsilon) >= threshold:
                    out.append(True)
                    count += 1
                    if count >= N:
                        break
                else:
                    out.append(False)
            return out
        """,
        {"queries": Q, "epsilon": 1.0, "N": 2, "T": 1.0},
    ),
    "numeric svt": (
        """
        def svt(rng, queries, epsilon, T):
            out = []
            noisy_t = T + rng.laplace(scale=2 / epsilon)
            for i, q in enumerate(queries):
                value = q + rng.laplace(scale=2 / epsilon)
                out.append(value if value >= noisy_t else i)
            else:
                out.append("end")
            return tuple(out)
        """,
        {"queries": Q, "epsilon": 0.5, "T": 1.0},
    ),
    "noisy max": (
        """
        def noisy_max(rng, queries, epsilon):
            best, where = -math.inf, None
            for i, q in enumerate(queries):
                noisy = q + rng.exponential(2 / epsilon)
                if noisy > best:
                    best, where = noisy, i
            return where, best
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "vector noisy max": (
        """
        def noisy_max(rng, queries, epsilon):
            noisy = np.asarray(queries) + rng.laplace(scale=2 / epsilon, size=len(queries))
            return int(np.argmax(noisy)), noisy[noisy > 1].sum(), noisy[1:3]
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "histogram": (
        """
        def histogram(rng, records, epsilon):
            counts = [0] * 4
            for record in records:
                counts[record] += 1
            return [max(0, round(c + rng.laplace(scale=1 / epsilon))) for c in counts if c >= 0]
        """,
        {"records": [0, 1, 1, 3, 3, 3], "epsilon": 1.0},
    ),
    "partial sums": (
        """
        def sums(rng, queries, epsilon):
            total, out = 0.0, []
            for q in queries:
                total += q + rng.normal(0, 1 / epsilon)
                out += [total]
            out[-1] = out[0]
            return out, sorted(out, reverse=True), sum(out), out.index(out[2])
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "helper": (
        """
        LIMIT = 2.5

        def noisy(rng, value, scale=1.0):
            if value > LIMIT:
                return value
            for _ in range(3):
                value = value + rng.laplace(scale=scale)
                if value > 1:
                    return value
            return None

        def uses(rng, queries, epsilon):
            return [noisy(rng, q, scale=1 / epsilon) for q in queries]
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "short circuits": (
        """
        def anyone(rng, queries, epsilon):
            some = any(q + rng.laplace(scale=1 / epsilon) > 2 for q in queries)
            every = all(rng.random() < 0.8 and q >= 0 for q in queries)
            last = rng.random() if some or rng.random() < 0.5 else rng.integers(3)
            return some, every, last, 0 < last < 1, not some and queries
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "rejection": (
        """
        def rejection(rng, queries, epsilon):
            tries = 0
            while True:
                tries += 1
                x = rng.normal()
                if abs(x) > 1.5 and tries < 4:
                    continue
                if x > 0:
                    break
                if tries == 5:
                    raise ValueError(f"no luck after {tries}")
            return x, tries
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "errors": (
        """
        def errors(rng, queries, epsilon):
            i = int(rng.integers(0, 9))
            if i == 8:
                value = 1
            return queries[i] / (i - 2) + value
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "nested loops": (
        """
        def nested(rng, queries, epsilon):
            seen = []
            for a in range(4):
                for b in (1, 2, 3):
                    r = rng.integers(6)
                    if r == 0:
                        break
                    if r == 1:
                        continue
                    if r == 2 and a > 2:
                        return seen
                    seen.append((a, b))
                else:
                    seen.append(-a)
                    continue
                seen.append("broken")
            return seen
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
    "dicts and strings": (
        """
        def words(rng, queries, epsilon):
            table = {"low": 0, "high": 0}
            for q in queries:
                table["high" if q + rng.laplace() > 1 else "low"] += 1
            kind = "even" if table["low"] % 2 == 0 else "odd"
            assert kind != "even" or table["high"] > 0, "nothing high"
            return table, kind.upper(), f"{kind}: {table['low']}", kind in ("odd", "even")
        """,
        {"queries": Q, "epsilon": 1.0},
    ),
}


def run_both(source: str, arguments: dict[str, Any], folder: Path, seeds: range) -> None:
    program = lowered(source, folder)
    assert isinstance(program, Program), program
    function = real_function(source)
    expected, replays = [], []
    for seed in seeds:
        recorder = Recorder(seed)
        expected.append(call(function, recorder, arguments))
        replays.append(recorder.given)

    singles = [run(program, arguments, Replay(given)) for given in replays]

    assert [shown(r) for r in singles] == [(kind, plain(value)) for kind, value in expected]

    oracle = ManyRuns([ConcreteReading(Replay(given), 1000) for given in replays])
    evaluate(program, oracle, {name: (arguments[name],) * len(seeds) for name in program.parameters})

    assert [shown(r.result) for r in oracle.runs] == [(kind, plain(value)) for kind, value in expected]
    # Whether a loop has another item is only asked where some run disagrees, so those branches are left out.
    loops = {node.iterable.span for node in walk(program) if isinstance(node, For)}
    assert [decided(r.result.branches, loops) for r in oracle.runs] == [decided(r.branches, loops) for r in singles]


def decided(branches: list[Branch], loops: set[Span]) -> list[Branch]:
    return [branch for branch in branches if branch.span not in loops]


def shown(result: Any) -> Any:
    if result.exception is not None:
        return ("raised", plain(error_name(result.exception[0])))
    return ("output", plain(result.output))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_program_gives_what_the_function_gives_on_the_same_draws(name: str, tmp_path: Path) -> None:
    source, arguments = SAMPLES[name]

    run_both(source, arguments, tmp_path, range(60))


def test_samples_take_both_ways_out(tmp_path: Path) -> None:
    """The samples above test something: their outputs vary with the draws, and some raise."""
    for name in ("svt", "rejection", "nested loops"):
        source, arguments = SAMPLES[name]
        function = real_function(source)
        outcomes = {repr(call(function, Recorder(seed), arguments)) for seed in range(60)}

        assert len(outcomes) > 2, name


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(source=programs())
def test_random_programs_give_what_the_function_gives(source: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    run_both(source, {"queries": [1, 0, 2], "epsilon": 2}, tmp_path_factory.mktemp("p"), range(12))
