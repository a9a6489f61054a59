"""Every mechanism written by hand on arrays has the law of its plain function, and draws what it says it draws."""

import importlib.util
import json
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks.by_hand import TWINS
from benchmarks.by_hand.dpsniper import HASHES

ROOT = Path(__file__).resolve().parents[2]
RUNS = 20_000
MIXED = [0.0, 2.0, -1.0, 3.0, 1.0, 0.5, 2.5, -2.0, 1.5, 4.0]
FAR = [30.0, -10.0, 2.0, 20.0, 0.0, 6.0, -3.0, 1.0, 25.0, 2.0]
"""Reaches the first branch of the adaptive sparse vectors."""


def inputs(twin):
    """The registered input; for vectors another one too, with two hits allowed and unequal answers."""
    yield twin.data, dict(twin.arguments)
    if isinstance(twin.data, list):
        limits = {name: 2 for name in ("N", "c") if name in twin.arguments}
        other = (FAR if "adaptive" in twin.source else MIXED)[: len(twin.data)]
        yield other, {**twin.arguments, **limits}


CASES = [
    pytest.param(key, data, arguments, id=f"{key}-{i}")
    for key, twin in TWINS.items()
    for i, (data, arguments) in enumerate(inputs(twin))
]


def plain_function(source):
    path, _, name = source.partition("::")
    spec = importlib.util.spec_from_file_location(path.replace("/", "_").removesuffix(".py"), ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def as_rows(outputs, like):
    """Outputs of single runs in the form of the twin's array: padded, and False as -inf among numbers."""
    if like.ndim == 1:
        return np.array(outputs, dtype=float)[:, None]
    numbers = like.dtype == np.float64
    rows = np.full((len(outputs), like.shape[1]), np.nan)
    for row, output in zip(rows, outputs, strict=True):
        row[: len(output)] = [-np.inf if numbers and x is False else x for x in output]
    return rows


def as_floats(array):
    """The twin's array with NaN for what is not there."""
    array = array[:, None] if array.ndim == 1 else array
    return array if array.dtype == np.float64 else np.where(array == -1, np.nan, array)


def paired(plain, made):
    """The rows of both, the parts of a tuple side by side."""
    if isinstance(made, tuple):
        parts = [as_rows([output[i] for output in plain], part) for i, part in enumerate(made)]
        return np.hstack(parts), np.hstack([as_floats(part) for part in made])
    return as_rows(plain, made), as_floats(made)


def cuts(column):
    """Where to cut a column: at each of a few values, or at quantiles of its numbers."""
    values = np.unique(column[~np.isnan(column)])
    return values if len(values) <= 6 else np.quantile(column[np.isfinite(column)], [0.05, 0.5, 0.95])


def indicators(rows, pooled):
    """For each run which entries exist and which lie above their cuts, and all that jointly for neighbours."""
    each = [
        np.column_stack([~np.isnan(rows[:, j]), *(rows[:, j] > cut for cut in cuts(pooled[:, j]))])
        for j in range(rows.shape[1])
    ]
    both = [
        np.einsum("ri,rj->rij", a.astype(np.int8), b.astype(np.int8)).reshape(len(rows), -1) for a, b in pairwise(each)
    ]
    return np.hstack([*each, *both]).astype(float)


@pytest.mark.parametrize(("key", "data", "arguments"), CASES)
def test_a_twin_has_the_law_of_the_plain_function(key, data, arguments):
    """Shares of indicators on both sides, six standard errors; the seed is fixed."""
    twin = TWINS[key]
    seeds = np.random.SeedSequence([2021, zlib.crc32(key.encode())]).spawn(2)
    function, rng = plain_function(twin.source), np.random.default_rng(seeds[0])
    plain = [function(rng, data, **arguments) for _ in range(RUNS)]
    rows, made = paired(plain, twin.function(np.random.default_rng(seeds[1]), data, **arguments, runs=RUNS))
    assert rows.shape == made.shape
    pooled = np.vstack([rows, made])
    p, q = (indicators(side, pooled).mean(axis=0) for side in (rows, made))
    middle = (p + q) / 2
    bound = 6 * np.sqrt(np.maximum(middle * (1 - middle), 1 / RUNS) * 2 / RUNS)
    assert np.all(np.abs(p - q) <= bound), float(np.max(np.abs(p - q) - bound))


def test_the_indicators_tell_a_wrong_scale_and_a_wrong_stop():
    """The comparison above can fail: a fifth more noise, and an end one hit later, are far outside."""

    def distance(first, second):
        pooled = np.vstack([first, second])
        p, q = (indicators(side, pooled).mean(axis=0) for side in (first, second))
        return np.max(np.abs(p - q) / np.sqrt(np.maximum((p + q) / 2 * (1 - (p + q) / 2), 1 / RUNS) * 2 / RUNS))

    rng = np.random.default_rng(5)
    svt, histogram = TWINS["statdp/svt"], TWINS["statdp/histogram"]
    once, twice = (as_floats(svt.function(rng, MIXED, epsilon=0.7, T=1.0, N=limit, runs=RUNS)) for limit in (1, 2))
    narrow, wide = (histogram.function(rng, MIXED, epsilon=e, runs=RUNS) for e in (0.7, 0.7 / 1.2))
    assert distance(once, twice) > 12
    assert distance(narrow, wide) > 12


def test_there_is_a_twin_for_every_fixture_of_the_field():
    stated = {
        f"{folder}/{m['function']}": f"fixtures/{folder}/{m['file']}::{m['function']}"
        for folder in ("statdp", "dpsniper", "dpfinder", "checkdp")
        for m in json.loads((ROOT / "fixtures" / folder / "truth.json").read_text())["mechanisms"]
    }
    assert {key: twin.source for key, twin in TWINS.items()} == stated


@pytest.mark.parametrize("key", TWINS)
def test_drawing_alone_leaves_the_generator_where_the_twin_leaves_it(key):
    twin = TWINS[key]
    first, second = np.random.default_rng(3), np.random.default_rng(3)
    twin(first, 257)
    twin.draws(257)(second)
    assert first.random() == second.random() != np.random.default_rng(3).random()


def test_the_hashes_of_the_rappor_twins_are_those_of_the_fixture():
    spec = importlib.util.spec_from_file_location("rappor_fixture", ROOT / "fixtures" / "dpsniper" / "rappor.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert {v: module.POSITIONS[v - module.LOWEST] for v in HASHES} == HASHES
