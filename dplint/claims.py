"""Claims and the mechanisms that bear them: plain frozen data, known to every layer."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias, TypeGuard

Literal: TypeAlias = "bool | int | float | str | list[Literal] | tuple[Literal, ...] | dict[str, Literal] | None"
"""What a claim may hold and what data and arguments are made of."""
OBSERVABLE = ("stdout", "stderr", "logging", "files", "arguments")
"""What a claim may name in `observe` besides what the function returns; `dplint.runner.observing` looks at each.

And attributes of the object of a method, as in "self.mean".
"""
MOST_OWN_PAIRS = 50
"""Of the pairs that a claim's own neighbour function yields, so many are looked at."""
DEFAULT_RELATION = "linf"
"""The neighbour relation of a claim that names none."""

EPSILON_NAME = re.compile(r"^(?!\w*_inv)(?:eps(?:ilon)?(?:_?\w*)|\w+_eps(?:ilon)?|ε|privacy_budget)$", re.IGNORECASE)
SENSITIVITY_NAME = re.compile(r"sens(?!itives?(?:_|$))|^gs$|^ls$|^[dD]elta_?[fuq12]|^Δ", re.IGNORECASE)
DELTA_NAME = re.compile(r"^(?:delta|target_delta|\w+_delta|δ)$", re.IGNORECASE)
"""Names that parameters for these have."""
_NAMED = re.compile(r"(?:[^\W\d]\w*(?:\.[^\W\d]\w*)*)?:[^\W\d]\w*(?:\.[^\W\d]\w*)*(?:\(.*\))?", re.DOTALL)


def is_by_name(value: object) -> bool:
    """Whether a value of an argument is a text such as "module:name" or "module:name(1, key=2)"."""
    return isinstance(value, str) and _NAMED.fullmatch(value) is not None


def is_made(value: object) -> bool:
    """Whether a value is such a text with a call."""
    return is_by_name(value) and str(value).endswith(")")


def spelled(value: object) -> str:
    """What such a text means, as code says it; what is called with the module that it is of."""
    module, _, name = str(value).partition(":")
    return f"{module}.{name}" if module and is_made(value) else name


class Numerics(StrEnum):
    """Which numbers a claim is about: real ones, or those that the machine has as well."""

    REAL = "real"
    MACHINE = "machine"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of source text: lines and columns count from 1, columns in code points, the end is exclusive.

    file: of a place in another module of the project, its path as reports show it; empty for the file that the text is
    about, which for all that belongs to a mechanism is the mechanism's own. calls: of a place in a function that a
    program has read into its caller, the ranges and files of the calls that lead there, outermost first.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    file: str = ""
    calls: tuple[tuple[int, int, int, int, str], ...] = ()

    def within(self, file: str) -> str:
        """The file that the place is in, where `file` is the one that the text is about."""
        return self.file or file

    @property
    def place(self) -> tuple[int, int, int, int, str]:
        """The range and the file alone."""
        return self.line, self.column, self.end_line, self.end_column, self.file

    @property
    def words(self) -> str:
        """The place for people: "line 12", "line 12 of shop/noise.py"."""
        return f"line {self.line}" + (f" of {self.file}" if self.file else "")


@dataclass(frozen=True, slots=True)
class Interval:
    """The values from low to high, both included; integers only if both bounds are written as integers."""

    low: float
    high: float
    integer: bool


@dataclass(frozen=True, slots=True)
class Categories:
    """A finite list of values, in the order the user wrote."""

    values: tuple[bool | int | float | str | None, ...]


@dataclass(frozen=True, slots=True)
class NumbersOrMissing:
    """The numbers of an interval, and what stands for a missing one: None, NaN, or both."""

    numbers: Interval
    none: bool
    nan: bool

    @property
    def missing(self) -> tuple[float | None, ...]:
        """The values that are no numbers."""
        return (*((None,) if self.none else ()), *((math.nan,) if self.nan else ()))


Column: TypeAlias = Interval | Categories | NumbersOrMissing


@dataclass(frozen=True, slots=True)
class Columns:
    """A record with named columns, each with a domain of its own."""

    columns: tuple[tuple[str, Column], ...]


Domain: TypeAlias = Column | Columns


@dataclass(frozen=True, slots=True)
class Fixed:
    """An argument that the claim fixes to one value."""

    value: Literal


ArgumentSpec: TypeAlias = Fixed | Categories | Interval
"""What a claim's `args` says of one parameter: one value, a list of candidates, or an interval."""


class Metric(StrEnum):
    """How the distance of two outputs of a function without noise is measured; `audit.distances` does it."""

    ABSOLUTE = "absolute"
    L1 = "l1"
    L2 = "l2"
    LINF = "linf"
    SYMMETRIC = "symmetric"
    CHANGES = "changes"
    INSERT_DELETE = "insert-delete"


@dataclass(frozen=True, slots=True)
class Stability:
    """That inputs `d_in` neighbouring steps apart have outputs at most `d_out` apart in the metric, with no noise.

    d_out: a number, or an expression over the parameters; None where no promise is made and the sensitivity is asked
    for. open_metric: then the metric is the one that fits the outputs. centred: it is about a mechanism with every draw
    at its centre. finite: then pairs at no finite distance are passed over, as where one side raises. McSherry, 2009.
    """

    d_in: float
    d_out: float | str | None
    metric: Metric
    open_metric: bool = False
    centred: bool = False
    finite: bool = False


@dataclass(frozen=True, slots=True)
class Training:
    """That a claim is about so many steps, of which the function makes one: each on a Poisson sample at this rate."""

    sample_rate: float
    steps: int


@dataclass(frozen=True, slots=True)
class Promise:
    """What is promised by another definition than epsilon and delta. kind: its name in `dplint.definitions`.

    amounts: numbers, or expressions over the parameters; of `renyi` orders and bounds in turn, or one bound alone,
    which is of all orders and may be an expression over `alpha`, too; of `curve` the function that is to be asked, as
    "module:function", and once it was, what it says.
    """

    kind: str
    amounts: tuple[float | str, ...]

    @property
    def of_all_orders(self) -> bool:
        """Whether the one amount is a bound for each order."""
        return self.kind == "renyi" and len(self.amounts) == 1

    @property
    def function(self) -> str | None:
        """The function of the project that says what is promised, where it was not asked yet."""
        first = self.amounts[0]
        return first if self.kind == "curve" and isinstance(first, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What an annotation promises. See `dplint.dp` for the meaning of the fields.

    `epsilon` and `delta` are numbers or expressions over the parameters. `relation` is the name of a neighbour
    relation, which `dplint.relations` knows. `pairs` is set when that is "custom": "module:function", or ":function"
    for a function of the mechanism's own module. `make` is written like that, too: the function or class that makes the
    object of a method, or that returns a function which no name leads to. observe: what is released besides the value
    returned, of OBSERVABLE and in that order, then attributes. numerics: which numbers it is about, None for what the
    settings say. user: the column that says whose a record is, where neighbours differ in all records of one user.
    apart: the parameters that take a column of the records apart, each with the column. made: what `args` says of the
    parameters of the class that makes the object. stable: the promise of a claim about a function
    without noise; epsilon and delta are zero then, and say nothing. promise: in another currency; epsilon and delta are
    then one point that follows from it, and a proof of that point is none of the claim. training: of a claim about all
    steps of a training, of which the function makes one.
    """

    epsilon: float | str
    delta: float | str = 0.0
    relation: str = DEFAULT_RELATION
    pairs: str | None = None
    sensitivity: float = 1.0
    data: str | None = None
    domain: Domain | None = None
    size: tuple[int, ...] | None = None
    args: tuple[tuple[str, ArgumentSpec], ...] = ()
    rng: str | None = None
    make: str | None = field(default=None, repr=False)
    observe: tuple[str, ...] = field(default=(), repr=False)
    numerics: Numerics | None = field(default=None, repr=False)
    user: str | None = field(default=None, repr=False)
    apart: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    made: tuple[tuple[str, Literal], ...] = field(default=(), repr=False)
    stable: Stability | None = field(default=None, repr=False)
    promise: Promise | None = field(default=None, repr=False)
    training: Training | None = field(default=None, repr=False)

    @property
    def named(self) -> tuple[str, ...]:
        """The parameters that `args` gives what a name in a module means, or gives if it is called: "module:name"."""
        texts = {
            name: (spec.value,) if isinstance(spec, Fixed) else spec.values
            for name, spec in self.args
            if not isinstance(spec, Interval)
        }
        return tuple(name for name, values in texts.items() if values and all(map(is_by_name, values)))

    @property
    def has_plain_data(self) -> bool:
        """Whether all columns but one are taken apart, and that one is called as the data: it gets plain values."""
        names = [name for name, _ in self.domain.columns] if isinstance(self.domain, Columns) else []
        return self.data in names and len(names) == len(self.apart) + 1

    @property
    def neighbors(self) -> str:
        """The relation as the user would write it."""
        return self.pairs or self.relation


@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighbouring values of the data parameter.

    pattern: the name of the pattern that made it, for instance "one above". size: length of d1, 1 for a scalar; the
    same in both orders. handle: for pairs from the user's own callable, the numbers of both objects in the runner,
    where they stay; d1 and d2 are then what can be shown of them. Equal objects have the same number. plain: whether
    d1 and d2 are the real objects all the same.
    """

    d1: Literal
    d2: Literal
    pattern: str
    size: int
    handle: tuple[int, int] | None = None
    plain: bool = True

    @property
    def turned(self) -> Pair:
        """The pair in the other order."""
        handle = None if self.handle is None else (self.handle[1], self.handle[0])
        return replace(self, d1=self.d2, d2=self.d1, handle=handle)


class ParameterKind(StrEnum):
    """How a parameter takes its argument."""

    POSITIONAL_ONLY = "positional-only"
    NORMAL = "normal"
    KEYWORD_ONLY = "keyword-only"
    VAR_POSITIONAL = "*args"
    VAR_KEYWORD = "**kwargs"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a mechanism; `annotation` and `default` are source text, None where absent.

    default_value: what the default is where it takes the module to read it, as for `delta=DELTA`.
    """

    name: str
    kind: ParameterKind = ParameterKind.NORMAL
    annotation: str | None = None
    default: str | None = None
    default_value: Fixed | None = None


@dataclass(frozen=True, slots=True)
class Preparation:
    """A method that prepares an object.

    needs: what it takes without a default. given: what of it somebody says. seeds: whether it may seed the noise.
    data: what of it is called as the data of the mechanism, and gets that.
    """

    method: str
    needs: tuple[str, ...] = ()
    given: tuple[tuple[str, Literal], ...] = ()
    seeds: bool = False
    data: str | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """What it takes of which nobody says what that is."""
        return tuple(name for name in self.needs if name not in dict(self.given))


@dataclass(frozen=True, slots=True)
class Receiver:
    """What is made for every run before a mechanism can be called: the object of a method, or the function itself.

    factory: "module:function" or ":function", called for it. method: whether the mechanism is then called as a method
    of it; otherwise it is what the factory returns. takes: the parameter of the factory that takes the data, None if
    none does. attribute: the attribute of the object that takes the data, None if none does. needs: the parameters of a
    class without a default, where nobody says what else makes the object. given: what parameters of it get, as the
    claim states or calls in the project have it. rng: the parameter of a class that takes the generator, or a seed.
    preparations: the methods that prepare the object, called in this order.
    """

    factory: str
    method: bool
    takes: Parameter | None = None
    attribute: str | None = None
    needs: tuple[str, ...] = ()
    given: tuple[tuple[str, Literal], ...] = ()
    rng: Parameter | None = None
    preparations: tuple[Preparation, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The parameters of the class of which nobody says what they get."""
        return tuple(name for name in self.needs if name not in dict(self.given))

    @property
    def unprepared(self) -> tuple[str, ...]:
        """The methods that prepare the object of which nobody says what they get, each as a call."""
        return tuple(f"{one.method}({', '.join(one.missing)})" for one in self.preparations if one.missing)

    @property
    def call(self) -> str:
        """The call that makes the object."""
        generator = () if self.rng is None else (f"{self.rng.name}=rng",)
        return f"{self.factory.rpartition(':')[2]}({', '.join((*_spelled(self.given), *generator))})"

    @property
    def words(self) -> str:
        """How the object is made, with what prepares it."""
        told = ((one.method, [*([one.data] if one.data else []), *_spelled(one.given)]) for one in self.preparations)
        return ", then ".join((self.call, *(f"{method}({', '.join(given)})" for method, given in told)))


def _spelled(given: tuple[tuple[str, Literal], ...]) -> list[str]:
    return [f"{name}={spelled(value) if is_made(value) else repr(value)}" for name, value in given]


@dataclass(frozen=True, slots=True)
class Passed:
    """What callers in the project pass as the data, as far as their text tells.

    annotations: that stand for the forms, what most pass first. whole: whether all numbers among it are whole ones.
    """

    annotations: tuple[str, ...] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """A function that bears a claim, as found in the source.

    file: as it is shown to the user, relative to the working directory.
    path: absolute path of the file.
    import_root: the folder that goes first on `sys.path`, as pytest's default import mode chooses it.
    project_root: the nearest folder upwards with a pyproject.toml, setup.cfg, setup.py or .git; else import_root.
    module: dotted module name, relative to import_root.
    qualname: as Python's `__qualname__`, for instance `Counter.release` or `outer.<locals>.inner`.
    span: the range of the function's name. claim_span: the range of the decorator or comment.
    data: name of the data parameter; `self.rows` for an attribute and `make.rows` for a parameter of what makes the
    receiver. receiver: None for what can be called as it is. rng: name of the generator parameter, None if it has none.
    digest: hex digest of the function's source and claim; moves in the file do not change it.
    untestable: why this mechanism cannot be run, None if it can. form: the annotation that stands for the form in which
    the data is handed over, where another one than the likeliest was settled on: see `inputs.candidates`. passed: by
    callers in the project, where an audit was to ask them; no part of what the mechanism is. called: what they pass for
    other parameters, what most pass first.
    """

    file: str
    path: str
    import_root: str
    project_root: str
    module: str
    qualname: str
    span: Span
    claim_span: Span
    claim: Claim
    parameters: tuple[Parameter, ...]
    data: str | None
    rng: str | None
    digest: str
    untestable: str | None = None
    receiver: Receiver | None = None
    form: str | None = None
    source_lines: tuple[str, ...] = field(default=(), repr=False)
    passed: Passed = field(default=Passed(), repr=False, compare=False)
    called: tuple[tuple[str, tuple[Literal, ...]], ...] = field(default=(), repr=False, compare=False)

    @property
    def name(self) -> str:
        """The place to show and to type: `file::qualname`."""
        return f"{self.file}::{self.qualname}"

    @property
    def roles(self) -> frozenset[str | None]:
        """The parameters that an audit fills by themselves: the data, also columns of it, and the generator."""
        return frozenset((self.data, self.rng, *(name for name, _ in self.claim.apart)))

    @property
    def named(self) -> tuple[str, ...]:
        """The parameters that get what a name means by the claim, or what a call makes by what callers pass."""
        passed = (name for name, values in self.called if values and all(map(is_made, values)))
        return (*self.claim.named, *passed)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, None if there is none."""
        if name == self.data and self.receiver is not None and self.receiver.takes is not None:
            return self.receiver.takes
        return next((p for p in self.parameters if p.name == name), None)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether the value is a number; a bool is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
