"""Laws of SciPy under a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dplint.distributions import DrawSignature
from dplint.program.nodes import Expression


@dataclass(frozen=True, slots=True)
class FrozenLaw:
    """A law of SciPy with its parameters. given: constants, and variables that hold the others."""

    signature: DrawSignature
    given: Mapping[str, Expression]
