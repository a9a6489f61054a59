"""Mechanisms of OpenDP and diffprivlib that are made for machine numbers, and diffprivlib's Laplace noise of floats."""

from __future__ import annotations

import sys
import types

import opendp.prelude as opendp

from dplint import dp

# diffprivlib's models want a scikit-learn of their own; its mechanisms do not.
sys.modules.setdefault("diffprivlib.models", types.ModuleType("diffprivlib.models"))
from diffprivlib import mechanisms  # noqa: E402

opendp.enable_features("contrib")
_REAL = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
_WHOLE = opendp.atom_domain(T=int), opendp.absolute_distance(T=int)
_LAPLACE = opendp.m.make_laplace(*_REAL, scale=1.0)
_INTEGERS = opendp.m.make_laplace(*_WHOLE, scale=1.0)
_GAUSSIAN = opendp.m.make_gaussian(*_REAL, scale=4.85)
_SNAPPING = mechanisms.Snapping(epsilon=1.0, sensitivity=1.0, lower=-100.0, upper=100.0)
_FLOATS = mechanisms.Laplace(epsilon=1.0, sensitivity=1.0)


@dp(epsilon=1.0, domain=(-100.0, 100.0), numerics="machine")
def opendp_laplace(x: float):
    """Discrete Laplace noise on a grid of floats."""
    return _LAPLACE(x)


@dp(epsilon=1.0, domain=(-100, 100), numerics="machine")
def opendp_integers(x: int):
    """Discrete Laplace noise."""
    return _INTEGERS(x)


@dp(epsilon=1.0, delta=1e-5, domain=(-100.0, 100.0), numerics="machine")
def opendp_gaussian(x: float):
    """Discrete Gaussian noise on a grid of floats."""
    return _GAUSSIAN(x)


@dp(epsilon=1.0, domain=(-100.0, 100.0), numerics="machine")
def diffprivlib_snapping(x: float):
    """Snapping, as Mironov proposed it."""
    return _SNAPPING.randomise(x)


@dp(epsilon=1.0, domain=(-100.0, 100.0), numerics="machine")
def diffprivlib_laplace_leaks(x: float):
    """Laplace noise from four uniform variables (Holohan and Braghin 2021), added to a float."""
    return _FLOATS.randomise(x)
