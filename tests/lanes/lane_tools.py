"""Random spaces and masks, each with the set of lanes that it stands for; lanes are numbered as in the root."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from dplint.program.nodes import Program
from dplint.readings.lanes import SampledDraws, objects_of, read_block
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Mask, Space
from dplint.runner.texts import TextNumbers

MANY_LANES = 3_000
MOST_LANES = 9
MOST_SPACES = 6


@dataclass
class World:
    """The lanes of one block and some spaces of them; the root comes first."""

    lanes: Lanes
    spaces: list[Space]
    members: dict[Space, list[int]]
    """The lanes of each space, in order, by following the parents' lists: no code of ours."""

    @property
    def size(self) -> int:
        return self.lanes.root.size

    def set_of(self, mask: Mask) -> set[int]:
        """The lanes of a mask, by its definition."""
        here = self.members[mask.space]
        inside = {lane for position, lane in enumerate(here) if mask.bits is None or mask.bits[position]}
        return inside | (set(range(self.size)) - set(here) if mask.outside else set())


@st.composite
def worlds(draw: Any, texts: TextNumbers | None = None) -> World:
    """A random tree of spaces, with the texts of earlier blocks if these are given."""
    size = draw(st.integers(1, MOST_LANES))
    lanes = Lanes(size, texts or TextNumbers())
    world = World(lanes, [lanes.root], {lanes.root: list(range(size))})
    for _ in range(draw(st.integers(0, MOST_SPACES - 1))):
        parent = draw(st.sampled_from(world.spaces))
        chosen = draw(bits_of(parent.size))
        rows = np.flatnonzero(chosen)
        space = parent.narrowed(rows)
        world.spaces.append(space)
        world.members[space] = [world.members[parent][row] for row in rows]
    return world


def bits_of(size: int) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.booleans(), min_size=size, max_size=size).map(lambda bits: np.array(bits, np.bool_))


@st.composite
def masks(draw: Any, world: World) -> Mask:
    """A mask as interpretations make them: all or some lanes of a space, with or without everything outside of it."""
    plain = draw(st.integers(0, 9))
    if plain < 2:
        return (world.lanes.nowhere(), world.lanes.everywhere())[plain]
    space = draw(st.sampled_from(world.spaces))
    bits = draw(st.none() | bits_of(space.size))
    return world.lanes.mask(space, bits, space is not world.lanes.root and draw(st.booleans()))


def exact(value: Any) -> Any:
    """A value in a form whose equality asks for the same types and, of floats, the same bits."""
    name = type(value).__name__
    if isinstance(value, np.ndarray):
        return (name, value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, list | tuple):
        return (name, [exact(item) for item in value])
    if isinstance(value, dict):
        return (name, [(exact(key), exact(item)) for key, item in value.items()])
    return (name, float(value).hex() if isinstance(value, float) else value)


def outputs_of_arrays_alone(program: Program, queries: list[float], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The outputs of many lanes, none of which may be asked by itself."""

    def refuse(*_: object) -> None:
        raise AssertionError("lanes are taken apart")

    draws = SampledDraws(np.random.SeedSequence(3))
    with monkeypatch.context() as patched:
        patched.setattr(LaneMerger, "explode", refuse)
        block = read_block(program, {"queries": queries}, MANY_LANES, draws, TextNumbers(), (3, 11))
    return {repr(output) for _, output in objects_of(block)}


class Handing:
    """In place of a generator: hands out given draws, whatever it is asked for. `left`: those not yet asked for."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.left = list(values)

    def __getattr__(self, method: str) -> Any:
        def draw(*_: Any, **__: Any) -> Any:
            value = self.left.pop(0)
            return np.array(value) if isinstance(value, list) else value

        return draw
