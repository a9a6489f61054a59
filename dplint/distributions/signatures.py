"""How the families of generators write a draw: the methods and functions that draw, and their arguments in order.

What makes a generator of random numbers, by canonical names: one list for programs and rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .numerics import np
from .parameters import REQUIRED

GENERATOR, LEGACY, PYTHON = "generator", "legacy", "python"
"""Methods of `numpy.random.Generator`; of `RandomState` and `numpy.random`; of `random` and `random.Random`."""
SCIPY, TORCH, TORCH_CLASS = "scipy", "torch", "torch.distributions"
"""`rvs` of `scipy.stats`; functions of `torch`; classes of `torch.distributions` and their `sample` and `rsample`."""
JAX, TENSORFLOW = "jax", "tensorflow"
"""Functions of `jax.random`, which take a key first; of `tensorflow.random`, which take the shape first."""
SECRETS, OS = "secrets", "os"
"""Functions of `secrets` and of `os`."""
PACKAGES = "packages"
"""Functions of other packages that draw by a generator of their own, by their full names."""
SIZE = "size"
"""The canonical name of the argument that gives the shape of the draws."""


class OtherArgumentError(Exception):
    """An argument that a draw of a program never has: the text is its name."""


@dataclass(frozen=True)
class Argument:
    """One argument of a method that draws.

    name: as the method calls it. parameter: the canonical parameter that it gives, `SIZE` for the shape, None if a draw
    of a program has it at its default. default: `REQUIRED` if it has none; a type by its name. inverse: it is one over
    the parameter, as a rate is of a scale.

    Of SciPy and torch, which only rules read, an argument that is no canonical parameter has its own name as one.
    """

    name: str
    parameter: str | None
    default: Any = REQUIRED
    inverse: bool = False

    def is_default(self, value: Any) -> bool:
        """Whether a value is the default; a type may be given as itself or by its name."""
        if isinstance(self.default, str):
            return str(getattr(value, "__name__", value)) == self.default
        return value is self.default


@dataclass(frozen=True)
class DrawSignature:
    """A method that draws from a distribution.

    arguments: in the order of the method. fixed: canonical parameters that the method implies. dimensions: its
    positional arguments are the shape, as in `rand(2, 3)`. in_programs: whether a program may contain the draw; else
    only rules and runs without noise know it. first: of two bounds, the second of which may be left out, what the lower
    one is then. numpy_scalar: a draw without a size is a number of NumPy's, not of Python's. distinctive: nothing
    else that has a method of that name is met in practice. listed: it gives a list, in programs one of one item.
    in_place: it puts the items of a container in the order that is drawn, and gives nothing.
    distribution: the canonical name, which the registry fills in.
    """

    family: str
    method: str
    arguments: tuple[Argument, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()
    dimensions: bool = False
    in_programs: bool = True
    first: int | None = None
    numpy_scalar: bool = False
    distinctive: bool = False
    listed: bool = False
    in_place: bool = False
    distribution: str = ""
    names: tuple[str, ...] = field(init=False, repr=False)
    """Of the arguments, in order."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(argument.name for argument in self.arguments))

    @property
    def parameters(self) -> tuple[Argument, ...]:
        """The arguments that give parameters."""
        return tuple(one for one in self.arguments if one.parameter is not None and one.parameter != SIZE)

    @property
    def full_names(self) -> tuple[str, ...]:
        """What a source calls it by, such as "numpy.random.laplace"; none for a method of `numpy.random.Generator`."""
        if self.family == TORCH_CLASS:
            return (
                f"torch.distributions.{self.method}",
                f"torch.distributions.{_snake(self.method)}.{self.method}",
            )
        if self.family == TENSORFLOW:
            return tuple(f"tensorflow.{part}random.{self.method}" for part in ("", "compat.v1.", "compat.v2."))
        prefix = _PREFIXES.get(self.family)
        return () if prefix is None else (f"{prefix}{self.method}{'.rvs' if self.family == SCIPY else ''}",)

    def called(self, keywords: Sequence[str], names: Sequence[str] | None = None) -> list[str]:
        """The names of the arguments of a call, by their keywords, "" for one by position; "" for what has no name.

        names: of the arguments by position, where they are not those of the method.
        """
        if self.dimensions:
            return [keyword or SIZE for keyword in keywords]
        order = [*(self.names if names is None else names), *[""] * len(keywords)]
        return [keyword or name for keyword, name in zip(keywords, order)]

    def argument(self, name: str) -> Argument | None:
        """The argument of that name."""
        return next((argument for argument in self.arguments if argument.name == name), None)

    def expresses(self, parameters: Mapping[str, Any]) -> bool:
        """Whether some call of the method has these canonical parameters."""
        fixed = dict(self.fixed)
        given = {argument.parameter for argument in self.arguments}
        return all(fixed[name] == value if name in fixed else name in given for name, value in parameters.items())

    def read(
        self, args: tuple[Any, ...], named: Mapping[str, Any], *, any_others: bool = False
    ) -> tuple[dict[str, Any], Any]:
        """What a call asks for: all canonical parameters, defaults too, and the size as it was given.

        The call is one that the real method accepts. Raises OtherArgumentError for an argument that no program gives,
        unless `any_others` says that those may have any value.
        """
        if self.dimensions:
            return dict(self.fixed), args or None
        given = dict(zip(self.names, args))
        given.update(named)
        parameters: dict[str, Any] = {}
        size = None
        for argument in self.arguments:
            name = argument.parameter
            value = given.get(argument.name, argument.default)
            if name is None:
                if argument.name in given and not any_others and not argument.is_default(value):
                    raise OtherArgumentError(argument.name)
            elif name == SIZE:
                size = value
            else:
                parameters[name] = 1.0 / value if argument.inverse else value
        parameters.update(self.fixed)
        if self.first is not None and parameters["high"] is None:
            parameters["low"], parameters["high"] = self.first, parameters["low"]
        return parameters, size

    def call(self, generator: Any, parameters: Mapping[str, Any], size: Any) -> Any:
        """One draw of a real generator. A rate is drawn at 1 and scaled, which needs no division."""
        if self.in_place:
            return self._order(generator, parameters)
        if self.dimensions:
            return getattr(generator, self.method)(*(() if size is None else size if type(size) is tuple else (size,)))
        named: dict[str, Any] = {}
        factor: Any = None
        for argument in self.arguments:
            if argument.parameter == SIZE:
                if size is not None:
                    named[argument.name] = size
            elif argument.parameter is not None and argument.parameter in parameters:
                named[argument.name] = 1.0 if argument.inverse else parameters[argument.parameter]
                factor = parameters[argument.parameter] if argument.inverse else factor
        drawn = getattr(generator, self.method)(**named)
        if self.listed:
            return drawn[0]
        return drawn if factor is None else drawn * factor

    def _order(self, generator: Any, parameters: Mapping[str, Any]) -> Any:
        """The places that the items had, for a container of so many."""
        order = list(range(parameters["x"]))
        getattr(generator, self.method)(order)
        return np.array(order, np.int64)


_PREFIXES: Mapping[str, str] = {
    LEGACY: "numpy.random.",
    PYTHON: "random.",
    SCIPY: "scipy.stats.",
    TORCH: "torch.",
    JAX: "jax.random.",
    SECRETS: "secrets.",
    OS: "os.",
    PACKAGES: "",
}


_ONE_WORD = {"FisherSnedecor": "fishersnedecor", "StudentT": "studentT"}


def _snake(name: str) -> str:
    """The module of a class of torch: `LogNormal` is in `log_normal`."""
    if name in _ONE_WORD:
        return _ONE_WORD[name]
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


_SIZED = Argument(SIZE, SIZE, None)
_DTYPE = Argument("dtype", None, "float64")
_OUT = Argument("out", None, None)


def arguments(*given: Any) -> tuple[Argument, ...]:
    """Arguments, each as itself or as "name", "name=parameter", (name or "name=parameter", default), or "1/rate=scale".

    "lambd=1/scale" says that the argument is one over the parameter.
    """
    return tuple(one if isinstance(one, Argument) else _argument(one) for one in given)


def _argument(given: Any) -> Argument:
    text, default = (given, REQUIRED) if isinstance(given, str) else given
    name, _, parameter = text.partition("=")
    inverse = parameter.startswith("1/")
    return Argument(name, parameter[2:] if inverse else parameter or name, default, inverse)


def numpy(method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A method that both kinds of NumPy's generators have, with these arguments and a size."""
    return tuple(sized(family, method, *given, **options) for family in (GENERATOR, LEGACY))


def sized(family: str, method: str, *given: Any, **options: Any) -> DrawSignature:
    """A method with a size as its last argument."""
    return DrawSignature(family, method, (*arguments(*given), _SIZED), **options)


def standard(method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A method of standard draws, with the arguments of their own that `Generator` has for them."""
    own = (Argument("method", None, "zig"),) if method == "standard_exponential" else ()
    first = (*arguments(*given), _SIZED)
    return (
        DrawSignature(GENERATOR, method, (*first, _DTYPE, *own, _OUT), **options),
        DrawSignature(LEGACY, method, first, **options),
    )


def python(method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A method of `random.Random`: one number, no size."""
    return (DrawSignature(PYTHON, method, arguments(*given), **options),)


def scipy(
    method: str, *given: Any, discrete: bool = False, in_programs: bool = False, fixed: Any = ()
) -> tuple[DrawSignature, ...]:
    """A distribution of `scipy.stats`: its shapes, then loc, scale of a continuous one, size and the generator."""
    place = (("loc", 0.0),) if discrete else (("loc", 0.0), ("scale", 1.0))
    rest = (Argument(SIZE, SIZE, None), Argument("random_state", None, None))
    return (
        DrawSignature(
            SCIPY,
            method,
            (*arguments(*given, *place), *rest),
            fixed,
            in_programs=in_programs,
            numpy_scalar=not discrete,
        ),
    )


def torch(method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A function of torch."""
    return (DrawSignature(TORCH, method, arguments(*given), in_programs=False, **options),)


def torch_class(method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A class of `torch.distributions`, whose `sample` takes the shape."""
    return (DrawSignature(TORCH_CLASS, method, arguments(*given), in_programs=False, **options),)


def jax(method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A function of `jax.random`: a key, these arguments, the shape; the order is that of most of them."""
    key, shape = Argument("key", None), Argument("shape", SIZE, None)
    return (DrawSignature(JAX, method, (key, *arguments(*given), shape), in_programs=False, **options),)


def tensorflow(method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A function of `tensorflow.random`, and the one of that name that is given its seed as `stateless_`."""
    shape, seed = Argument("shape", SIZE), Argument("seed", None)
    own = arguments(*given)
    return (
        DrawSignature(TENSORFLOW, method, (shape, *own), in_programs=False, **options),
        DrawSignature(TENSORFLOW, f"stateless_{method}", (shape, seed, *own), in_programs=False, **options),
    )


def packages(full: str, *given: Any) -> tuple[DrawSignature, ...]:
    """A function of a package, by its full name: one number, no size."""
    return (DrawSignature(PACKAGES, full, arguments(*given)),)


def reorder(items: Any, order: Any) -> None:
    """Put the items of a list or an array in that order, in place."""
    before = items.copy() if hasattr(items, "ndim") else items  # rows would be those of what is written
    items[:] = [before[place] for place in order]


def outside(family: str, method: str, *given: Any, **options: Any) -> tuple[DrawSignature, ...]:
    """A method or function that no program contains."""
    return (DrawSignature(family, method, arguments(*given), in_programs=False, **options),)


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
