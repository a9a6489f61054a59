"""Classes of records in other modules, what is none, and proofs about what is returned in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.program.nodes import Program
from tests.program.test_lowering_modules import target_of
from tests.proofs.proof_tools import searched

TYPES = """
import dataclasses
from collections import namedtuple
from typing import ClassVar, NamedTuple

@dataclasses.dataclass(frozen=True, slots=True)
class Release:
    total: float
    count: float = 0.0

class Pair(NamedTuple):
    total: float
    count: float

class Derived(Pair):
    pass

Made = namedtuple("Made", ["total", "count"])
Text = namedtuple("Text", "total count")
Defaulted = namedtuple("Defaulted", ["total", "count"], defaults=[0.0])
Renamed = namedtuple("Renamed", ["total", "class"], rename=True)
Twice = namedtuple("Twice", "total total")

@dataclasses.dataclass(kw_only=True)
class Named:
    total: float

@dataclasses.dataclass
class Shared:
    kept: ClassVar[int] = 1
    total: float = 0.0

@dataclasses.dataclass
class Child(Release):
    more: float = 0.0

@dataclasses.dataclass
class Hooked:
    total: float
    def __setattr__(self, name, value):
        object.__setattr__(self, name, 0.0)
"""
NOISY = "sum(values) + rng.laplace(0, 1 / epsilon)"


CALLS = (
    f"Release({NOISY})",
    f"Pair({NOISY}, 1.0)",
    f"Pair(count=2.0, total={NOISY})",
    f"Made({NOISY}, 1.0)",
    f"Text(count=1.0, total={NOISY})",
)


@pytest.mark.parametrize("call", CALLS)
def test_a_record_of_another_module_is_read(tmp_path: Path, call: str):
    target = target_of(tmp_path, "from .types import Made, Pair, Release, Text", call, types=TYPES)
    assert isinstance(target.program, Program), target.program


@pytest.mark.parametrize("name", ["Derived", "Named", "Shared", "Child", "Hooked", "Defaulted", "Renamed", "Twice"])
def test_a_class_whose_constructor_may_be_more_is_not_read(tmp_path: Path, name: str):
    target = target_of(tmp_path, f"from .types import {name}", f"{name}(total={NOISY})", types=TYPES)
    assert not isinstance(target.program, Program)


def test_a_class_that_another_module_replaces_is_not_read(tmp_path: Path):
    replacing = "import shop.types\n\nshop.types.Release = tuple\n"
    head = "from .types import Release\nimport shop.other"
    target = target_of(tmp_path, head, f"Release({NOISY})", types=TYPES, other=replacing)
    assert not isinstance(target.program, Program)


HEAD = """from dataclasses import dataclass


@dataclass
class Release:
    total: float
    count: float


@dataclass
class Other:
    total: float
    count: float


@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values, epsilon):
"""
BOTH = "    return Release(sum(values) + rng.laplace(0, 2 / epsilon), len(values) + rng.laplace(0, 2 / epsilon))\n"
CLASS_TELLS = """    total = sum(values)
    if total > 3:
        return Other(0.0, 0.0)
    return Release(0.0, 0.0)
"""


def test_records_are_proved_field_by_field(tmp_path: Path):
    assert searched(tmp_path, HEAD + BOTH).proof is not None


@pytest.mark.parametrize(
    "body", [BOTH.replace("2 /", "0.9 /", 1), BOTH.replace("rng.laplace(0, 2 / epsilon)", "0", 1), CLASS_TELLS]
)
def test_records_with_too_little_noise_are_not(tmp_path: Path, body: str):
    assert searched(tmp_path, HEAD + body).proof is None
