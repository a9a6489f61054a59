"""Where a mechanism's randomness comes from, as its source shows, and how a test gives it a fixed seed."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from dplint.claims import Mechanism
from dplint.runner.generators import PYTHON_RANDOM, RANDOM_STATE, kind_of
from dplint.runner.generators import SEED as SEED_KIND

SEED = 0
_MAKERS = {"default_rng", "Generator", "RandomState", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"}
_NUMPY = re.compile(r"\b(?:np|numpy)\.random\.(\w+)\(")
_PYTHON = re.compile(r"(?<![\w.])random\.(\w+)\(")
_UNSEEDED = (
    "# The function's randomness has no seed that could be set here: so different",
    "# runs of this test give different counts.",
)


@dataclass(frozen=True, slots=True)
class Randomness:
    """Lines that begin a test, and what they import. passed: the generator to pass in, or a seed of each run's own."""

    lines: tuple[str, ...]
    standard: frozenset[str] = field(default=frozenset())
    needs_numpy: bool = False
    passed: str = "rng"


def randomness_of(mechanism: Mechanism) -> Randomness:
    """How to seed a mechanism: by its own parameter, else by what its body draws from."""
    body = "\n".join(mechanism.source_lines)
    if mechanism.rng is not None:
        parameter = mechanism.parameter(mechanism.rng)
        kind = kind_of(mechanism.rng, parameter.annotation if parameter else None, body)
        if kind == PYTHON_RANDOM:
            return Randomness((f"rng = random.Random({SEED})",), frozenset({"random"}))
        if kind == SEED_KIND:
            return Randomness(
                (f"seeds = random.Random({SEED})",), frozenset({"random"}), passed="seeds.getrandbits(31)"
            )
        made = "RandomState" if kind == RANDOM_STATE else "default_rng"
        return Randomness((f"rng = np.random.{made}({SEED})",), needs_numpy=True)
    by_numpy = set(_NUMPY.findall(body))
    lines: list[str] = []
    if by_numpy - _MAKERS:
        lines.append(f"np.random.seed({SEED})")
    by_python = any(callable(getattr(random, name, None)) and name[0].islower() for name in _PYTHON.findall(body))
    if by_python:
        lines.append(f"random.seed({SEED})")
    if not lines or by_numpy & _MAKERS:
        lines += _UNSEEDED
    return Randomness(tuple(lines), frozenset({"random"} if by_python else ()), bool(by_numpy - _MAKERS))
