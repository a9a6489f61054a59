"""Runs without noise: every draw returns its centre. Runs in the user's interpreter.

The centre is the location for symmetric distributions, zero for exponential noise and its relatives (nothing is
added), the middle of a uniform interval, and the first choice. Rejection samplers may never accept such a draw;
after `MOST_DRAWS` of them the run ends with `NoNoiseFreeOutput`.
"""

from __future__ import annotations

# ruff: noqa: ARG001, ARG002, ARG005  (signatures are those of NumPy and random)
import contextlib
import math
import random
import secrets
import sys
from typing import Any, Callable, Dict, Iterable, Iterator, List

import numpy as np

from .everywhere import StandIns, Swap

MOST_DRAWS = 100_000


class NoNoiseFreeOutput(Exception):
    """The mechanism does not come to an end if every draw returns its centre."""


def _middle(low: Any, high: Any, inclusive: bool) -> Any:
    if high is None:
        low, high = 0, low
    return (np.asarray(low) + np.asarray(high) - (0 if inclusive else 1)) // 2


_Centre = Callable[..., Any]
# Numeric draws of NumPy: what they return in the centre, as a function of their parameters; `size` is taken off before.
_NUMPY: Dict[str, _Centre] = {
    "laplace": lambda loc=0.0, scale=1.0: loc,
    "normal": lambda loc=0.0, scale=1.0: loc,
    "gumbel": lambda loc=0.0, scale=1.0: loc,
    "logistic": lambda loc=0.0, scale=1.0: loc,
    "lognormal": lambda mean=0.0, sigma=1.0: np.exp(mean),
    "vonmises": lambda mu, kappa: mu,
    "wald": lambda mean, scale: mean,
    "uniform": lambda low=0.0, high=1.0: (np.asarray(low) + np.asarray(high)) / 2,
    "triangular": lambda left, mode, right: mode,
    "random": lambda **_: 0.5,
    "random_sample": lambda: 0.5,
    "standard_normal": lambda **_: 0.0,
    "standard_cauchy": lambda: 0.0,
    "standard_t": lambda df: 0.0,
    "standard_exponential": lambda **_: 0.0,
    "standard_gamma": lambda shape, **_: 0.0,
    "exponential": lambda scale=1.0: 0.0,
    "gamma": lambda shape, scale=1.0: 0.0,
    "rayleigh": lambda scale=1.0: 0.0,
    "weibull": lambda a: 0.0,
    "pareto": lambda a: 0.0,
    "chisquare": lambda df: 0.0,
    "noncentral_chisquare": lambda df, nonc: nonc,
    "f": lambda dfnum, dfden: 1.0,
    "noncentral_f": lambda dfnum, dfden, nonc: 1.0,
    "tomaxint": lambda: np.iinfo(np.int_).max // 2,
    "power": lambda a: 0.5,
    "beta": lambda a, b: np.asarray(a) / (np.asarray(a) + np.asarray(b)),
    "integers": lambda low, high=None, dtype=None, endpoint=False: _middle(low, high, endpoint),
    "randint": lambda low, high=None, dtype=None: _middle(low, high, False),
    "random_integers": lambda low, high=None: _middle(
        low if high is not None else 1, high if high is not None else low, True
    ),
    "geometric": lambda p: 1,
    "zipf": lambda a: 1,
    "logseries": lambda p: 1,
    "poisson": lambda lam=1.0: np.rint(lam).astype(int),
    "binomial": lambda n, p: np.rint(np.multiply(n, p)).astype(int),
    "negative_binomial": lambda n, p: np.rint(np.multiply(n, (1 - np.asarray(p)) / p)).astype(int),
    "hypergeometric": lambda ngood, nbad, nsample: np.rint(np.multiply(nsample, ngood) / np.add(ngood, nbad)).astype(
        int
    ),
}
# How many positional parameters come before `size`, where that is not the number of parameters.
_BEFORE_SIZE = {
    "random": 0,
    "random_sample": 0,
    "standard_normal": 0,
    "standard_exponential": 0,
    "standard_gamma": 1,
    "integers": 2,
    "randint": 2,
}
_PYTHON: Dict[str, _Centre] = {
    "random": lambda: 0.5,
    "uniform": lambda a, b: (a + b) / 2,
    "gauss": lambda mu=0.0, sigma=1.0: mu,
    "normalvariate": lambda mu=0.0, sigma=1.0: mu,
    "lognormvariate": lambda mu=0.0, sigma=1.0: math.exp(mu),
    "vonmisesvariate": lambda mu, kappa: mu,
    "expovariate": lambda lambd=1.0: 0.0,
    "gammavariate": lambda alpha, beta: 0.0,
    "weibullvariate": lambda alpha, beta: 0.0,
    "paretovariate": lambda alpha: 1.0,
    "betavariate": lambda alpha, beta: alpha / (alpha + beta),
    "triangular": lambda low=0.0, high=1.0, mode=None: (low + high) / 2 if mode is None else mode,
    "binomialvariate": lambda n=1, p=0.5: round(n * p),
    "randint": lambda a, b: (a + b) // 2,
    "randrange": lambda start, stop=None, step=1: _middle_of(
        range(start) if stop is None else range(start, stop, step)
    ),
    "getrandbits": lambda k: ((1 << k) - 1) // 2,
    "randbytes": bytes,
    "choice": lambda seq: seq[0],
    "choices": lambda population, weights=None, cum_weights=None, k=1: [population[0]] * k,
    "sample": lambda population, k, counts=None: list(population)[:k],
    "shuffle": lambda x: None,
}


def _middle_of(values: range) -> int:
    return values[(len(values) - 1) // 2]


class _Count:
    """Counts draws, to stop what would draw for ever."""

    def __init__(self) -> None:
        self.left = MOST_DRAWS

    def draw(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise NoNoiseFreeOutput(f"no end after {MOST_DRAWS} draws that all return their centre")


_count = _Count()


def _spread(centre: Any, size: Any) -> Any:
    if size is None:
        return centre.item() if isinstance(centre, (np.ndarray, np.generic)) and np.ndim(centre) == 0 else centre
    # NumPy returns an array for every size that is given, () included.
    return np.array(np.broadcast_to(np.asarray(centre), size if isinstance(size, tuple) else np.empty(size).shape))


def _numpy_method(name: str, centre: _Centre) -> Callable[..., Any]:
    before = _BEFORE_SIZE.get(name, centre.__code__.co_argcount)

    def method(self: Any, *args: Any, size: Any = None, out: Any = None, **named: Any) -> Any:
        _count.draw()
        if len(args) > before:
            size, args = args[before], args[:before]
        value = centre(*[np.asarray(a) if isinstance(a, (list, tuple)) else a for a in args], **named)
        # A parameter that is an array spreads over the result, as in NumPy, even where the centre does not use it.
        arrays = [np.shape(a) for a in (*args, *named.values()) if isinstance(a, (list, tuple, np.ndarray))]
        if size is None and arrays and name not in ("integers", "randint"):
            value = np.array(np.broadcast_to(value, np.broadcast(*[np.empty(shape) for shape in arrays]).shape))
        value = _spread(value, size if out is None else out.shape)
        if out is not None:
            out[...] = value
            return out
        return value

    return method


def _python_method(centre: _Centre) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **named: Any) -> Any:
        _count.draw()
        return centre(*args, **named)

    return method


class _NumPyChoices:
    """Draws that pick or arrange; the same for both kinds of NumPy generators."""

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        _count.draw()
        items = np.arange(a) if isinstance(a, (int, np.integer)) else np.asarray(a)
        if size is None:
            return items[0]
        if replace:
            return np.full(size, items[0])
        return items[: int(np.prod(size))].reshape(size)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        _count.draw()

    def permutation(self, x: Any, axis: int = 0) -> Any:
        _count.draw()
        return np.arange(x) if isinstance(x, (int, np.integer)) else np.array(x)

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        _count.draw()
        return np.array(x)

    def multivariate_normal(self, mean: Any, cov: Any, size: Any = None, *_: Any, **__: Any) -> Any:
        _count.draw()
        return self._rows(mean, size)

    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        _count.draw()
        return self._rows(np.asarray(alpha) / np.sum(alpha), size)

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        _count.draw()
        return self._rows(np.rint(n * np.asarray(pvals)).astype(int), size)

    def multivariate_hypergeometric(self, colors: Any, nsample: Any, size: Any = None, method: Any = None) -> Any:
        _count.draw()
        return self._rows(np.rint(nsample * np.asarray(colors) / np.sum(colors)).astype(int), size)

    def bytes(self, length: int) -> bytes:
        _count.draw()
        return b"\0" * length

    def rand(self, *shape: int) -> Any:
        _count.draw()
        return _spread(0.5, shape or None)

    def randn(self, *shape: int) -> Any:
        _count.draw()
        return _spread(0.0, shape or None)

    def _rows(self, row: Any, size: Any) -> Any:
        row = np.array(row)
        if size is None:
            return row
        return np.array(np.broadcast_to(row, np.empty(size).shape + row.shape))


_numpy_methods = {name: _numpy_method(name, centre) for name, centre in _NUMPY.items()}
_numpy_methods.update(
    {name: getattr(_NumPyChoices, name) for name in vars(_NumPyChoices) if name[0] != "_" or name == "_rows"}
)
_python_methods = {name: _python_method(centre) for name, centre in _PYTHON.items()}
SilentGenerator: Any = type("SilentGenerator", (np.random.Generator,), _numpy_methods)
SilentRandomState: Any = type(
    "SilentRandomState", (np.random.RandomState,), dict(_numpy_methods, seed=lambda self, *_: None)
)
SilentRandom: Any = type("SilentRandom", (random.Random,), dict(_python_methods, seed=lambda self, *_, **__: None))


class Silence(StandIns):
    """Silent generators, and the replacement of everything that draws by them."""

    def __init__(self) -> None:
        super().__init__(SilentGenerator(np.random.SFC64(0)), SilentRandomState(0), SilentRandom())

    @contextlib.contextmanager
    def everywhere(self, modules: Iterable[Any]) -> Iterator[None]:
        """Silence `numpy.random`, `random`, `secrets`, `scipy.stats`, and what the user's modules hold of them."""
        _count.left = MOST_DRAWS
        with super().everywhere(modules):
            yield

    def library_swaps(self) -> List[Swap]:
        """Those of every stand-in, and `secrets` and `scipy.stats`."""
        swaps = super().library_swaps()
        swaps += [
            (secrets, "SystemRandom", SilentRandom),
            (secrets, "randbelow", lambda n: (n - 1) // 2),
            (secrets, "randbits", self.random.getrandbits),
            (secrets, "choice", self.random.choice),
        ]
        scipy = sys.modules.get("scipy.stats._distn_infrastructure")
        if scipy is not None:
            swaps += [
                (owner, "rvs", _median) for owner in (scipy.rv_generic, scipy.rv_discrete) if "rvs" in vars(owner)
            ]
        return swaps


def _median(self: Any, *args: Any, random_state: Any = None, discrete: Any = None, **named: Any) -> Any:
    _count.draw()
    shapes, loc, scale, size = self._parse_args_rvs(*args, **named)
    scaled = {"loc": loc} if hasattr(self, "pmf") else {"loc": loc, "scale": scale}
    return _spread(self.median(*shapes, **scaled), None if size in ((), None) else size)
