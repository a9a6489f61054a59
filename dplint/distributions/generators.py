"""What makes a generator of random numbers, by canonical names: one list for programs and rules."""

from __future__ import annotations

from collections.abc import Mapping

from .signatures import GENERATOR, LEGACY, PYTHON

SYSTEM_GENERATORS: frozenset[str] = frozenset(["random.SystemRandom", "secrets.SystemRandom"])
"""Those whose numbers nobody can predict, and that have no seed."""
MAKERS: Mapping[str, str] = {
    "numpy.random.default_rng": GENERATOR,
    "numpy.random.Generator": GENERATOR,
    "numpy.random.RandomState": LEGACY,
    "random.Random": PYTHON,
    **dict.fromkeys(sorted(SYSTEM_GENERATORS), PYTHON),
}
"""Calls that make a generator, and its family."""
BIT_GENERATORS: frozenset[str] = frozenset(
    "numpy.random." + name for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")
)
"""What `numpy.random.Generator` and `RandomState` may be made of."""
