"""The harness notices what an interpretation may get wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from dplint.program.nodes import Draw, Program
from dplint.readings.concrete import run
from dplint.sites import DrawSite
from dplint_conformance import Case, Outcome, Replay, check, plain, program_of
from tests.conformance.adapters import concrete

SOURCE = """
import random


def made(rng, x):
    first = rng.laplace(scale=x)
    if first > 0:
        raise ValueError
    return [first, rng.integers(4), random.expovariate(2), rng.normal(size=2)]
"""
CASE = Case("made", SOURCE, {"x": 2.0})


def interpretation(change: Callable[[Draw, dict[str, Any]], Any]) -> Callable:
    """A concrete interpretation that changes the parameters of its draws."""

    def read(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome]:
        def one(replay: Replay) -> Outcome:
            def draw(node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
                changed = dict(parameters)
                return replay(node, changed, change(node, changed) or size, site)

            found = run(program, arguments, draw)
            return ("output", found.output) if found.exception is None else ("raised", found.exception[0])

        return [one(replay) for replay in replays]

    return read


def test_a_right_interpretation_is_right() -> None:
    assert check(CASE, concrete, range(20)) is None
    assert check(CASE, interpretation(lambda node, parameters: None), range(20)) is None


@pytest.mark.parametrize("name", ["loc", "scale", "high"])
def test_a_wrong_parameter_is_noticed(name: str) -> None:
    def change(node: Draw, parameters: dict[str, Any]) -> None:
        if name in parameters:
            parameters[name] += 1

    with pytest.raises(AssertionError, match=r"where .* gave"):
        check(CASE, interpretation(change), range(20))


def test_a_wrong_size_is_noticed() -> None:
    with pytest.raises(AssertionError, match="size=3"):
        check(CASE, interpretation(lambda node, parameters: 3 if node.distribution == "normal" else None), range(20))


def other(number: Callable[[Any], Any]) -> Callable:
    """A concrete interpretation whose outputs are changed."""

    def read(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome]:
        found = concrete(program, arguments, replays)
        assert isinstance(found, list)
        return [(kind, number(value) if kind == "output" else value) for kind, value in found]

    return read


@pytest.mark.parametrize(
    "change",
    [
        tuple,
        lambda items: [int(items[0]), *items[1:]],
        lambda items: [math.nextafter(items[0], 0), *items[1:]],
        lambda items: [*items[:3], items[3].tolist()],
        lambda items: [*items[:3], items[3].reshape(1, 2)],
        lambda items: [items[0], float(items[1]), *items[2:]],
    ],
)
def test_another_kind_or_number_is_noticed(change: Callable[[Any], Any]) -> None:
    with pytest.raises(AssertionError, match="runs differ"):
        check(CASE, other(change), range(20))


def test_another_exception_is_noticed() -> None:
    def read(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome]:
        found = concrete(program, arguments, replays)
        assert isinstance(found, list)
        return [(kind, "KeyError" if kind == "raised" else value) for kind, value in found]

    with pytest.raises(AssertionError, match="ValueError"):
        check(CASE, read, range(20))


@pytest.mark.parametrize("text", ["rng.random(), rng.random()", ""])
def test_draws_too_many_and_too_few_are_noticed(text: str) -> None:
    """The program that is read draws otherwise than the function."""
    case = Case("made", "def made(rng, x):\n    rng.random()\n    return 1", {"x": 1})
    changed = Case("made", f"def made(rng, x):\n    y = {text or None}\n    return 1", {"x": 1})

    def read(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome]:
        found = concrete(program_of(changed), arguments, replays)  # type: ignore[arg-type]
        assert isinstance(found, list)
        return found

    with pytest.raises(AssertionError, match="draws fewer" if not text else "one draw more"):
        check(case, read, range(3))


def test_zeros_differ_by_sign_and_nan_is_itself() -> None:
    assert plain(0.0) != plain(-0.0)
    assert plain(math.nan) == plain(np.float64("nan")) == plain(-math.nan)
    assert plain(True) != plain(1) != plain(1.0)
    assert plain(np.int64(3)) == plain(3)
    assert plain(np.array([1, 2])) != plain(np.array([1.0, 2.0])) != plain([1.0, 2.0])
