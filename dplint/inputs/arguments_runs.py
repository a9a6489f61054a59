"""Concrete runs of a program, to see what arguments really do: with noise at its centre, or drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from dplint.claims import Literal, Span
from dplint.program.nodes import Draw, Program
from dplint.program.vocabulary import SCALES
from dplint.readings.concrete import Run, run

_FUEL = 200
Sampler = Callable[[str, Mapping[str, Any]], Any]


def centre(distribution: str, parameters: Mapping[str, Any]) -> Any:
    """The centre of a distribution, as `dplint.readings.symbolic.noise` has it; of one that it has not, some value."""
    if distribution in ("laplace", "normal", "gumbel", "logistic"):
        return parameters["loc"]
    if distribution == "exponential":
        return 0.0
    if distribution in ("uniform", "random"):
        return (parameters.get("low", 0.0) + parameters.get("high", 1.0)) / 2
    if distribution == "integers":
        return (parameters["low"] + parameters["high"] - (parameters.get("endpoint") is not True)) // 2
    if distribution == "choice":
        options = _options(parameters["a"])
        return options[len(options) // 2]
    if distribution == "binomial":
        return int(parameters["n"] * parameters["p"])
    if distribution in _OTHERS:
        return _OTHERS[distribution](Random(0), **parameters)
    return int(parameters["lam"]) if distribution == "poisson" else 1


def sampler(random: Random) -> Sampler:
    """Draws from a distribution with Python's generator; good enough to see which branches are taken."""

    def sample(distribution: str, parameters: Mapping[str, Any]) -> Any:
        if distribution in ("laplace", "normal", "gumbel", "logistic"):
            return parameters["loc"] + parameters["scale"] * _standard(distribution, random)
        if distribution == "exponential":
            return random.expovariate(1.0) * parameters["scale"]
        if distribution in ("uniform", "random"):
            return random.uniform(parameters.get("low", 0.0), parameters.get("high", 1.0))
        if distribution == "integers":
            return random.randint(parameters["low"], parameters["high"] - (parameters.get("endpoint") is not True))
        if distribution == "choice":
            return random.choice(_options(parameters["a"]))
        if distribution == "binomial":
            return sum(random.random() < parameters["p"] for _ in range(parameters["n"]))
        if distribution == "geometric":
            return 1 + int(math.log(1 - random.random()) / math.log(1 - parameters["p"])) if parameters["p"] < 1 else 1
        if distribution in _OTHERS:
            return _OTHERS[distribution](random, **parameters)
        return round(random.gauss(parameters["lam"], math.sqrt(parameters["lam"])))

    return sample


def _multinomial(random: Random, n: int, pvals: Sequence[float]) -> Any:
    drawn = random.choices(range(len(pvals)), pvals, k=n)
    return np.array([drawn.count(index) for index in range(len(pvals))])


def _negative_binomial(random: Random, n: float, p: float) -> int:
    """Of its law, a gamma mixture of Poisson laws, the mixture alone: near enough."""
    return round(random.gammavariate(n, (1 - p) / p)) if p < 1 else 0


_OTHERS: Mapping[str, Callable[..., Any]] = {
    "beta": lambda random, a, b: random.betavariate(a, b),
    "chisquare": lambda random, df: random.gammavariate(df / 2, 2.0),
    "gamma": lambda random, shape, scale: random.gammavariate(shape, scale) if scale > 0 else 0.0,
    "lognormal": lambda random, mean, sigma: random.lognormvariate(mean, sigma),
    "multinomial": _multinomial,
    "negative_binomial": _negative_binomial,
    "standard_cauchy": lambda random: math.tan(math.pi * (random.random() - 0.5)),
    "standard_t": lambda random, df: random.gauss(0, 1) / math.sqrt(random.gammavariate(df / 2, 2.0) / df),
}
"""Distributions that the symbolic reading has no term for, by their canonical parameters."""


def _standard(distribution: str, random: Random) -> float:
    if distribution == "normal":
        return random.gauss(0.0, 1.0)
    uniform = min(max(random.random(), 1e-12), 1 - 1e-12)
    if distribution == "laplace":
        return random.expovariate(1.0) * random.choice((-1, 1))
    if distribution == "gumbel":
        return -math.log(-math.log(uniform))
    return math.log(uniform / (1 - uniform))


def _options(value: Any) -> Any:
    return range(value) if isinstance(value, int) else value


def run_with(program: Program, arguments: Mapping[str, Literal], sample: Sampler) -> tuple[Run, dict[Span, float]]:
    """One run, and the largest scale that each draw had. Raises UnsupportedConstruct."""
    scales: dict[Span, float] = {}

    def draw(node: Draw, parameters: Mapping[str, Any], size: Any) -> Any:
        scale = _scale(node.distribution, parameters)
        scales[node.span] = max(scale, scales.get(node.span, scale))
        if node.distribution == "permutation":
            return list(_options(parameters["x"]))
        if size is None:
            return sample(node.distribution, parameters)
        shape = size if isinstance(size, tuple) else (size,)
        count = math.prod(shape)
        values = np.array([sample(node.distribution, _element(parameters, index)) for index in range(count)])
        return values.reshape(shape + values.shape[1:])

    return run(program, arguments, draw, fuel=_FUEL), scales


def _element(parameters: Mapping[str, Any], index: int) -> dict[str, Any]:
    """The parameters of one element of a vector draw."""
    single = {}
    for name, value in parameters.items():
        vector = isinstance(value, np.ndarray | list) and name not in ("a", "p", "pvals", "x")
        single[name] = value[index] if vector else value
    return single


def _scale(distribution: str, parameters: Mapping[str, Any]) -> float:
    names = SCALES.get(distribution, ())
    if not names:
        return 1.0
    try:
        if distribution == "uniform":
            return float(parameters["high"] - parameters["low"])
        return float(np.min(parameters[names[0]]))
    except (TypeError, ValueError):
        return math.nan


def branches_taken(
    program: Program, arguments: Mapping[str, Literal], data: list[Any], runs: int, seed: int
) -> frozenset[tuple[Span, bool]]:
    """The branches, as place and outcome, that some of a number of runs take on any of the data."""
    taken: set[tuple[Span, bool]] = set()
    for value in data:
        sample = sampler(Random(seed))
        for _ in range(runs):
            result, _ = run_with(program, {**arguments, str(program.data): value}, sample)
            taken |= {(branch.span, branch.taken) for branch in result.branches}
    return frozenset(taken)
