"""How the methods that draw spell their distributions: a call's canonical reading. Runs in the user's interpreter.

Each reader has the parameters of the real method, and answers with what `dplint.program.vocabulary` calls canonical:
rates are scales, `integers(n)` runs from 0 to n. A method that is not here is no draw of a program.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

import numpy as np

Asked = Tuple[str, Dict[str, Any], Any]
"""Distribution, parameters, and size as it was given."""
Reader = Callable[..., Asked]


class NoDraw(Exception):
    """The call is none that a program can contain; the text says what of it."""


def _located(name: str) -> Reader:
    return lambda loc=0.0, scale=1.0, size=None: (name, {"loc": loc, "scale": scale}, size)


def _integers(low: Any, high: Any, endpoint: Any, size: Any = None) -> Asked:
    low, high = (0, low) if high is None else (low, high)
    return "integers", {"low": low, "high": high, "endpoint": endpoint}, size


def _choice(a: Any, size: Any, replace: Any, p: Any) -> Asked:
    return "choice", {"a": a, "replace": replace, "p": p}, size


def _only(defaults: Dict[str, Any], **given: Any) -> None:
    """Arguments that a program never has must be as if they were not there."""
    for name, value in given.items():
        if value is not defaults[name]:
            raise NoDraw(f"the argument {name}")


_STANDARD = {"dtype": np.float64, "out": None, "method": "zig"}


def _standard(name: str, parameters: Dict[str, Any]) -> Reader:
    """A method of `Generator` with the arguments of its own kind."""

    def read(size: Any = None, dtype: Any = np.float64, out: Any = None) -> Asked:
        _only(_STANDARD, dtype=dtype, out=out)
        return name, dict(parameters), size

    return read


def _standard_exponential(size: Any = None, dtype: Any = np.float64, method: Any = "zig", out: Any = None) -> Asked:
    _only(_STANDARD, dtype=dtype, method=method, out=out)
    return "exponential", {"scale": 1.0}, size


def _standard_gamma(shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Asked:
    _only(_STANDARD, dtype=dtype, out=out)
    return "gamma", {"shape": shape, "scale": 1.0}, size


def _generator_integers(
    low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: Any = False
) -> Asked:
    _only({"dtype": np.int64}, dtype=dtype)
    return _integers(low, high, endpoint, size)


def _generator_choice(
    a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: Any = 0, shuffle: Any = True
) -> Asked:
    _only({"axis": 0, "shuffle": True}, axis=axis, shuffle=shuffle)
    return _choice(a, size, replace, p)


def _generator_permutation(x: Any, axis: Any = 0) -> Asked:
    _only({"axis": 0}, axis=axis)
    return "permutation", {"x": x}, None


def _randint(low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Asked:
    _only({"dtype": int}, dtype=dtype)
    return _integers(low, high, False, size)


def _random_integers(low: Any, high: Any = None, size: Any = None) -> Asked:
    # The one that begins at 1.
    low, high = (1, low) if high is None else (low, high)
    return _integers(low, high, True, size)


def _randrange(start: Any, stop: Any = None, step: Any = 1) -> Asked:
    _only({"step": 1}, step=step)
    return _integers(start, stop, False)


_NORMAL = {"loc": 0.0, "scale": 1.0}
_COMMON: Dict[str, Reader] = {
    **{name: _located(name) for name in ("laplace", "normal", "gumbel", "logistic")},
    "exponential": lambda scale=1.0, size=None: ("exponential", {"scale": scale}, size),
    "uniform": lambda low=0.0, high=1.0, size=None: ("uniform", {"low": low, "high": high}, size),
    "geometric": lambda p, size=None: ("geometric", {"p": p}, size),
    "binomial": lambda n, p, size=None: ("binomial", {"n": n, "p": p}, size),
    "poisson": lambda lam=1.0, size=None: ("poisson", {"lam": lam}, size),
    "beta": lambda a, b, size=None: ("beta", {"a": a, "b": b}, size),
    "chisquare": lambda df, size=None: ("chisquare", {"df": df}, size),
    "gamma": lambda shape, scale=1.0, size=None: ("gamma", {"shape": shape, "scale": scale}, size),
    "lognormal": lambda mean=0.0, sigma=1.0, size=None: ("lognormal", {"mean": mean, "sigma": sigma}, size),
    "multinomial": lambda n, pvals, size=None: ("multinomial", {"n": n, "pvals": pvals}, size),
    "negative_binomial": lambda n, p, size=None: ("negative_binomial", {"n": n, "p": p}, size),
    "standard_cauchy": lambda size=None: ("standard_cauchy", {}, size),
    "standard_t": lambda df, size=None: ("standard_t", {"df": df}, size),
}
GENERATOR: Dict[str, Reader] = {
    **_COMMON,
    "standard_normal": _standard("normal", _NORMAL),
    "standard_exponential": _standard_exponential,
    "standard_gamma": _standard_gamma,
    "random": _standard("random", {}),
    "permutation": _generator_permutation,
    "integers": _generator_integers,
    "choice": _generator_choice,
}
LEGACY: Dict[str, Reader] = {
    **_COMMON,
    "standard_normal": lambda size=None: ("normal", dict(_NORMAL), size),
    "standard_exponential": lambda size=None: ("exponential", {"scale": 1.0}, size),
    "standard_gamma": lambda shape, size=None: ("gamma", {"shape": shape, "scale": 1.0}, size),
    "random": lambda size=None: ("random", {}, size),
    "random_sample": lambda size=None: ("random", {}, size),
    "rand": lambda *dims: ("random", {}, dims or None),
    "randn": lambda *dims: ("normal", dict(_NORMAL), dims or None),
    "permutation": lambda x: ("permutation", {"x": x}, None),
    "randint": _randint,
    "random_integers": _random_integers,
    "choice": lambda a, size=None, replace=True, p=None: _choice(a, size, replace, p),
}
PYTHON: Dict[str, Reader] = {
    "random": lambda: ("random", {}, None),
    "uniform": lambda a, b: ("uniform", {"low": a, "high": b}, None),
    "expovariate": lambda lambd=1.0: ("exponential", {"scale": 1.0 / lambd}, None),
    "gauss": lambda mu=0.0, sigma=1.0: ("normal", {"loc": mu, "scale": sigma}, None),
    "betavariate": lambda alpha, beta: ("beta", {"a": alpha, "b": beta}, None),
    "gammavariate": lambda alpha, beta: ("gamma", {"shape": alpha, "scale": beta}, None),
    "lognormvariate": lambda mu, sigma: ("lognormal", {"mean": mu, "sigma": sigma}, None),
    "normalvariate": lambda mu=0.0, sigma=1.0: ("normal", {"loc": mu, "scale": sigma}, None),
    "randint": lambda a, b: _integers(a, b, True),
    "randrange": _randrange,
    "choice": lambda seq: _choice(seq, None, True, None),
}
