"""Texts of numbers on lanes are those that Python writes, also for numbers halfway between two texts."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from dplint.readings.lanes import CallbackDraws, formatting, objects_of, read_block
from dplint.readings.lanes.formatting import KNOWN
from dplint.readings.lanes.lane_values import Mixed, Numbers, Tag, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.spaces import Mask
from dplint.runner.texts import TextNumbers

LANES = 20_000


def texts_of(
    data: np.ndarray, spec: str | None, tag: Tag, bits: np.ndarray | None = None, texts: TextNumbers | None = None
) -> list[str] | None:
    """What `format` gives on lanes; None where it leaves all to Python. An inactive lane's text is not looked at."""
    lanes = Lanes(len(data), texts or TextNumbers())
    value = Numbers(lanes.root, data, tag, int(np.abs(data).max()) if tag is Tag.INT else 1)
    arguments = [value] if spec is None else [value, Uniform(spec)]
    active = Mask(lanes.root, bits)
    found = KNOWN["format"](lanes, arguments, {}, active)
    if found is None:
        return None
    value = lanes.settled(found, format, arguments, active)
    assert isinstance(value, Mixed)
    assert (value.tags == Tag.TEXT).all()
    known = lanes.texts.texts
    return [known[number] for number in value.payload.astype(int).tolist()]


@pytest.mark.parametrize("spec", [".0f", ".1f", ".3f", "+.2f", " .1f", "8.2f", "08.1f", ",.1f", "_.0f", "-.2f"])
@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_floats_are_written_as_python_writes_them(spec: str, scale: float):
    generator = np.random.default_rng(5)
    data = generator.laplace(scale=scale, size=LANES)
    data[:4] = 0.0, -0.0, 0.04, -0.04

    assert texts_of(data, spec, Tag.FLOAT) == [format(one, spec) for one in data.tolist()]


@pytest.mark.parametrize("scale", [20.0, 1e6, 1e10])
def test_texts_that_are_far_apart_or_all_different(scale: float):
    data = np.random.default_rng(5).laplace(scale=scale, size=LANES)
    data[:2] = 0.0, -0.0
    texts = TextNumbers()

    for part in (data[:50], data, data[50:100]):
        assert texts_of(part, ".4f", Tag.FLOAT, texts=texts) == [format(one, ".4f") for one in part.tolist()]


@pytest.mark.parametrize("odd", [0.125, 2.5, 2.675, -0.125, float("nan"), float("inf"), 2.0**51])
def test_python_is_asked_in_the_lanes_in_which_arrays_are_not_sure(targets, odd: float):
    program = targets("def m(rng, x):\n    return f'{x + rng.laplace():.2f}|'\n")["m"].program
    draws = np.random.default_rng(5).laplace(size=100)
    draws[::10] = odd

    block = read_block(
        program, {"x": 0.0}, 100, CallbackDraws(lambda lane, *_: draws[lane]), TextNumbers(), sys.version_info[:2]
    )

    assert [text for _, text in objects_of(block)] == [f"{one:.2f}|" for one in draws.tolist()]


@pytest.mark.parametrize("spec", [".1%", ".2e", ".3g", ".2", "*>8.1f", "", "z.1f", "é"])
def test_other_formats_are_left_to_python(spec: str):
    assert texts_of(np.linspace(-2, 2, 100), spec, Tag.FLOAT) is None


def test_numbers_next_to_halves():
    halves = (np.arange(-400, 400) + 0.5) / 10
    for data in (np.nextafter(halves, 99), np.nextafter(halves, -99), halves):
        found = texts_of(data, ".1f", Tag.FLOAT)
        assert found is None or found == [format(one, ".1f") for one in data.tolist()]


@pytest.mark.parametrize("spec", [None, ""])
@pytest.mark.parametrize("tag", [Tag.INT, Tag.NP_INT])
def test_integers(spec: str | None, tag: Tag):
    data = np.random.default_rng(5).integers(-50, 50, LANES)
    assert texts_of(data, spec, tag) == [str(one) for one in data.tolist()]


def test_lanes_that_do_not_count():
    data = np.linspace(-3, 3, 1000)
    data[::2] = np.nan
    bits = np.isfinite(data)
    found = texts_of(data, ".1f", Tag.FLOAT, bits)
    assert found is not None
    assert [text for text, counts in zip(found, bits, strict=True) if counts] == [f"{one:.1f}" for one in data[1::2]]


@pytest.mark.parametrize("most", [1, 50, 1 << 20])
def test_what_was_written_before_changes_nothing(monkeypatch: pytest.MonkeyPatch, most: int):
    """Blocks of one audit share the numbers of texts: ranges grow both ways, lie apart, and come again."""
    monkeypatch.setattr(formatting, "_MOST_KNOWN", most)
    generator, texts = np.random.default_rng(8), TextNumbers()

    for centre, scale in ((0, 1), (3, 2), (-5, 1), (0, 9), (2_000_000, 1), (-3, 1), (0, 0.1), (2_000_000, 2), (2, 10)):
        data = centre + scale * generator.uniform(-1, 1, 600)
        for spec in (".1f", "+.1f", ".2f"):
            assert texts_of(data, spec, Tag.FLOAT, None, texts) == [format(one, spec) for one in data.tolist()]
        whole = np.rint(data).astype(np.int64)
        assert texts_of(whole, None, Tag.INT, None, texts) == [str(one) for one in whole.tolist()]


def test_texts_around_others_are_told_apart(targets):
    program = targets(
        "def m(rng, x):\n    t = f'{rng.laplace():.1f}'\n    return f'a{t}b', f'a{t}', f'{t}b', f'a{t}{t}b'\n"
    )
    draws = np.random.default_rng(5).laplace(size=400)
    texts = TextNumbers()

    for lanes in (draws[:100], draws[100:]):
        source = CallbackDraws(lambda lane, *_, lanes=lanes: lanes[lane])
        block = read_block(program["m"].program, {"x": 0.0}, len(lanes), source, texts, sys.version_info[:2])

        written = [f"{one:.1f}" for one in lanes.tolist()]
        assert [found for _, found in objects_of(block)] == [(f"a{t}b", f"a{t}", f"{t}b", f"a{t}{t}b") for t in written]
