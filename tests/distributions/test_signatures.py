"""Draw signatures against the real functions: their names, the order of their arguments, their defaults."""

from __future__ import annotations

import copy
import importlib
import inspect
import random
import secrets
import sys

import numpy as np
import pytest
from scipy import stats

from dplint.distributions import (
    GENERATOR,
    LEGACY,
    PYTHON,
    Argument,
    DrawSignature,
    OtherArgumentError,
    distributions,
    draw_signatures,
    of,
    program_draws,
    reorder,
)
from dplint.distributions.signatures import OS, SCIPY, SECRETS, SIZE, TORCH, TORCH_CLASS

REAL = {GENERATOR: np.random.Generator, LEGACY: np.random.RandomState, PYTHON: random.Random}
LATER = {"binomialvariate": (3, 12)}
"""Methods of `random` that older Pythons do not have."""


def of_family(*families: str) -> list[DrawSignature]:
    return [draw for family in families for draw in draw_signatures(family).values()]


def each(*families: str):
    return pytest.mark.parametrize("draw", of_family(*families), ids=lambda draw: f"{draw.family}.{draw.method}")


def real_parameters(draw: DrawSignature) -> list[inspect.Parameter]:
    if draw.method in LATER and sys.version_info < LATER[draw.method]:
        pytest.skip("not in this Python")
    function = getattr(REAL[draw.family], draw.method)
    return list(inspect.signature(function).parameters.values())[1:]


@each(GENERATOR, LEGACY, PYTHON)
def test_arguments_have_the_names_order_and_defaults_of_the_real_method(draw: DrawSignature) -> None:
    real = real_parameters(draw)
    if draw.dimensions:
        assert [one.kind for one in real] == [inspect.Parameter.VAR_POSITIONAL]
        return

    assert draw.names == tuple(one.name for one in real)[: len(draw.names)]
    if draw.in_programs:
        assert len(draw.names) == len(real)
    for argument, one in zip(draw.arguments, real, strict=False):
        if one.default is inspect.Parameter.empty:
            # Python 3.11 gave gauss its defaults, 3.12 expovariate.
            assert argument.default is ... or draw.method == "expovariate"
        else:
            assert argument.is_default(one.default) or argument.default == one.default


def test_every_method_that_draws_is_known() -> None:
    """Also those that no program contains: runs without noise have to answer them."""
    no_draw = {"spawn", "seed", "get_state", "set_state", "getstate", "setstate"}
    for family, kind in REAL.items():
        public = {name for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))}
        assert public - no_draw <= set(draw_signatures(family))
        assert {name for name in draw_signatures(family) if name not in LATER} <= public


@each(GENERATOR, LEGACY)
def test_a_size_is_taken_where_the_signature_has_one(draw: DrawSignature) -> None:
    if draw.in_programs and not draw.dimensions:
        assert (SIZE in draw.names) == (draw.distribution != "permutation")


@each(SCIPY)
def test_scipy_has_the_distribution_with_these_shapes(draw: DrawSignature) -> None:
    (full,) = draw.full_names
    law = getattr(stats, draw.method)

    assert full == f"scipy.stats.{draw.method}.rvs"
    shapes = [name.strip() for name in (getattr(law, "shapes", None) or "").split(",") if name.strip()]
    if shapes or isinstance(law, stats.rv_continuous | stats.rv_discrete):
        place = ["loc"] if isinstance(law, stats.rv_discrete) else ["loc", "scale"]
        assert list(draw.names) == [*shapes, *place, "size", "random_state"]
        assert draw.argument("size") == Argument("size", SIZE, None)
    else:
        assert set(inspect.signature(law.rvs).parameters) >= {"size", "random_state"}


@each(SECRETS)
def test_functions_of_secrets(draw: DrawSignature) -> None:
    assert callable(getattr(secrets, draw.method))


def test_full_names() -> None:
    names = {draw.full_names for one in distributions().values() for draw in one.draws}

    assert ("numpy.random.laplace",) in names
    assert ("random.gauss",) in names
    assert ("secrets.randbelow",) in names
    assert ("os.urandom",) in names
    assert ("torch.randn",) in names
    assert ("torch.distributions.Laplace", "torch.distributions.laplace.Laplace") in names
    assert ("torch.distributions.LogNormal", "torch.distributions.log_normal.LogNormal") in names
    assert ("torch.distributions.StudentT", "torch.distributions.studentT.StudentT") in names
    assert all(not draw.full_names for draw in of_family(GENERATOR))
    for draw in of_family(LEGACY, PYTHON, SECRETS, OS):
        if draw.method not in LATER and draw.method != "tomaxint":
            module, _, name = draw.full_names[0].rpartition(".")
            assert callable(getattr(importlib.import_module(module), name))


def test_torch_has_the_functions_and_classes() -> None:
    """Names are those of the documentation of PyTorch 2; with it installed they are checked."""
    pytest.importorskip("torch")
    for draw in of_family(TORCH, TORCH_CLASS):
        for full in draw.full_names:
            module, _, name = full.rpartition(".")
            found = getattr(importlib.import_module(module), name)
            if draw.family == TORCH_CLASS:
                assert list(inspect.signature(found).parameters)[: len(draw.names)] == list(draw.names)


VALUES = {
    "loc": 0.5, "scale": 2.0, "low": 1, "high": 6, "p": 0.3, "n": 5, "lam": 2.5, "a": 2.5, "b": 3.0, "df": 3.0,
    "shape": 2.0, "mean": 0.2, "sigma": 0.7, "x": 3, "pvals": [0.5, 0.5], "mu": 0.5, "kappa": 2.0, "left": -1.0,
    "mode": 0.0, "right": 2.0, "dfnum": 2.0, "dfden": 5.0, "nonc": 1.0, "ngood": 4, "nbad": 5, "nsample": 3,
}  # fmt: skip
ITEMS = ["a", "b", "c"]


@pytest.mark.filterwarnings("ignore:This function is deprecated")
@pytest.mark.parametrize(
    "draw",
    [d for f in REAL for d in program_draws(f).values() if not d.in_place],
    ids=lambda draw: f"{draw.family}.{draw.method}",
)
def test_reading_a_call_and_calling_what_was_read_are_inverse(draw: DrawSignature) -> None:
    """The same seed gives the same draw, by the user's call and by the canonical parameters that were read off it."""
    seeded = {GENERATOR: np.random.default_rng, LEGACY: np.random.RandomState, PYTHON: random.Random}[draw.family]
    values = {"a": ITEMS, "p": [1.0, 4.0, 2.0]} if draw.listed else VALUES
    values = {"a": ITEMS} if draw.distribution == "choice" and not draw.listed else values
    given = {one.name: values[one.parameter] for one in draw.parameters if one.parameter in values}
    given |= {one.name: 2 for one in draw.arguments if one.parameter == SIZE and one.default is ...}

    parameters, size = draw.read((), given)
    assert size == (1 if draw.listed else given.get("k"))
    assert set(parameters) == set(of(draw.distribution).names)
    direct = getattr(seeded(7), draw.method)(**given)
    direct = direct[0] if draw.listed else direct
    chosen = of(draw.distribution).signature(draw.family, parameters)
    assert chosen is not None
    again = chosen.call(seeded(7), parameters, None if draw.listed else size)
    assert type(again) is type(direct)
    if draw.method != "normalvariate":  # gauss has the same law and other bits
        assert again == pytest.approx(direct, rel=1e-15) if not isinstance(direct, str | list) else again == direct


def read(family: str, method: str, *args, **named):
    return draw_signatures(family)[method].read(args, named)


def test_calls_as_they_are_read() -> None:
    assert read(GENERATOR, "laplace", 1.5) == ({"loc": 1.5, "scale": 1.0}, None)
    assert read(GENERATOR, "laplace", scale=2, size=3) == ({"loc": 0.0, "scale": 2}, 3)
    assert read(GENERATOR, "standard_normal", 4) == ({"loc": 0.0, "scale": 1.0}, 4)
    assert read(GENERATOR, "integers", 5) == ({"low": 0, "high": 5, "endpoint": False}, None)
    assert read(GENERATOR, "integers", 2, 5, (3,), endpoint=True) == ({"low": 2, "high": 5, "endpoint": True}, (3,))
    assert read(LEGACY, "random_integers", 5) == ({"low": 1, "high": 5, "endpoint": True}, None)
    assert read(LEGACY, "rand", 2, 3) == ({}, (2, 3))
    assert read(LEGACY, "randn") == ({"loc": 0.0, "scale": 1.0}, None)
    assert read(PYTHON, "expovariate", 4) == ({"scale": 0.25}, None)
    assert read(PYTHON, "uniform", b=3, a=1) == ({"low": 1, "high": 3}, None)
    assert read(PYTHON, "randrange", 9) == ({"low": 0, "high": 9, "endpoint": False}, None)
    assert read(PYTHON, "lognormvariate", mu=0, sigma=2) == ({"mean": 0, "sigma": 2}, None)
    assert read(PYTHON, "choice", "ab") == ({"a": "ab", "replace": True, "p": None}, None)
    assert read(GENERATOR, "standard_cauchy") == ({"loc": 0.0, "scale": 1.0}, None)
    assert read(PYTHON, "paretovariate", 3.0) == ({"a": 3.0, "loc": 1.0}, None)


@pytest.mark.parametrize(
    ("family", "method", "named", "name"),
    [
        (GENERATOR, "integers", {"low": 5, "dtype": np.int32}, "dtype"),
        (GENERATOR, "standard_normal", {"out": np.zeros(3)}, "out"),
        (GENERATOR, "standard_exponential", {"method": "inv"}, "method"),
        (GENERATOR, "choice", {"a": 3, "shuffle": False}, "shuffle"),
        (GENERATOR, "permutation", {"x": 3, "axis": 1}, "axis"),
        (PYTHON, "randrange", {"start": 0, "stop": 9, "step": 2}, "step"),
    ],
)
def test_arguments_that_no_program_has(family, method, named, name) -> None:
    with pytest.raises(OtherArgumentError) as refused:
        draw_signatures(family)[method].read((), named)

    assert str(refused.value) == name


@pytest.mark.parametrize(
    ("method", "named"),
    [
        ("integers", {"low": 5, "dtype": np.int64}),
        ("integers", {"low": 5, "dtype": "int64"}),
        ("standard_normal", {"dtype": np.float64, "out": None}),
        ("permutation", {"x": 3, "axis": 0}),
        ("choice", {"a": 3, "shuffle": True}),
    ],
)
def test_arguments_at_their_defaults_say_nothing(method, named) -> None:
    plain = {name: value for name, value in named.items() if name in ("low", "x", "a")}

    assert read(GENERATOR, method, **named) == read(GENERATOR, method, **plain)


def test_the_method_to_draw_with() -> None:
    def method(name, family, **parameters):
        found = of(name).signature(family, parameters)
        return None if found is None else found.method

    assert method("normal", GENERATOR, loc=1.0, scale=2.0) == "normal"
    assert method("normal", PYTHON, loc=1.0, scale=2.0) == "gauss"
    assert method("exponential", PYTHON, scale=2.0) == "expovariate"
    assert method("integers", LEGACY, low=0, high=3, endpoint=False) == "randint"
    assert method("integers", LEGACY, low=0, high=3, endpoint=True) == "random_integers"
    assert method("cauchy", GENERATOR, loc=0.0, scale=1.0) == "standard_cauchy"
    assert method("cauchy", GENERATOR, loc=0.0, scale=2.0) is None
    assert method("gumbel", PYTHON, loc=0.0, scale=1.0) is None
    assert method("discrete_laplace", GENERATOR, a=1.0) is None
    assert method("discrete_laplace", SCIPY, a=1.0) == "dlaplace"


@pytest.mark.parametrize("items", [[1.5, "a", None, 2], [], [7], np.arange(5), np.array([0.5, 2.5, 1.5])])
@pytest.mark.parametrize(
    ("family", "make"), [(GENERATOR, np.random.default_rng), (LEGACY, np.random.RandomState), (PYTHON, random.Random)]
)
def test_a_shuffle_puts_items_in_the_order_that_is_drawn(family, make, items) -> None:
    """The real method of a generator with the same seed does the same to the items themselves."""
    for seed in range(20):
        mine, theirs = copy.copy(items), copy.copy(items)
        make(seed).shuffle(theirs)
        order = draw_signatures(family)["shuffle"].call(make(seed), {"x": len(items)}, None)

        assert reorder(mine, order) is None
        assert type(mine) is type(theirs)
        assert list(mine) == list(theirs)
        assert sorted(order) == list(range(len(items)))


@pytest.mark.parametrize("size", [None, 3, (2, 3), ()])
def test_dimensions_are_a_size(size) -> None:
    draw = draw_signatures(LEGACY)["randn"]

    made = draw.call(np.random.RandomState(1), {"loc": 0.0, "scale": 1.0}, size)
    assert np.shape(made) == (() if size is None else np.empty(size).shape)


def test_a_rate_of_zero_noise_needs_no_division() -> None:
    draw = of("exponential").signature(PYTHON, {"scale": 0.0})

    assert draw.call(random.Random(1), {"scale": 0.0}, None) == 0.0
