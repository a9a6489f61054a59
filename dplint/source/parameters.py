"""The parameters of a function, and which of them take the data and the generator.

epsilon and delta of a claim: numbers, or expressions over the parameters of the function that bears it.

What a claim says of columns of its domain: whose a record is, and which column the function gets apart.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from dplint.claims import (
    ArgumentSpec,
    Categories,
    Columns,
    Domain,
    Fixed,
    Literal,
    Parameter,
    ParameterKind,
    Promise,
    Span,
    is_number,
)
from dplint.config import hint, nearest
from dplint.definitions import ORDER
from dplint.expressions import ExpressionError, evaluate_expression, expression_parameters, length_parameters
from dplint.relations import DataKind, Relation
from dplint.runner.generators import KEY_NAMES, SEED_NAMES
from dplint.source.arguments import Item, Problems, respelling
from dplint.source.domains import is_finite
from dplint.source.static_values import Names, NotStaticError, dotted_name, read_value
from dplint.syntax import parse_expression

GENERATOR = "numpy.random.Generator"
_GENERATOR_NAMES = ("rng", "prng", "random_state", "generator")
_VARIADIC = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def read_parameters(
    tree: cst.Module, node: cst.FunctionDef | cst.Lambda, names: Names, *, bound: bool
) -> tuple[Parameter, ...]:
    """The parameters that a caller gives, in their order.

    names: what names mean in the module, for defaults. bound: the first one is `self` or `cls` and is left out.
    """
    params = node.params
    groups: list[tuple[ParameterKind, Sequence[cst.Param]]] = [
        (ParameterKind.POSITIONAL_ONLY, params.posonly_params),
        (ParameterKind.NORMAL, params.params),
        (ParameterKind.VAR_POSITIONAL, [params.star_arg] if isinstance(params.star_arg, cst.Param) else []),
        (ParameterKind.KEYWORD_ONLY, params.kwonly_params),
        (ParameterKind.VAR_KEYWORD, [params.star_kwarg] if params.star_kwarg is not None else []),
    ]
    found = tuple(_parameter(tree, param, kind, names) for kind, group in groups for param in group)
    drop_first = bound and found and found[0].kind in (ParameterKind.POSITIONAL_ONLY, ParameterKind.NORMAL)
    return found[1:] if drop_first else found


FUNCTION = re.compile(r"(?:[^\W\d]\w*(?:\.[^\W\d]\w*)*)?:[^\W\d]\w*(?:\.[^\W\d]\w*)*")
"""A function as a claim names it: "module:function", or ":function" of its own module."""


def is_variadic(parameter: Parameter) -> bool:
    """Whether the parameter is `*args` or `**kwargs`."""
    return parameter.kind in _VARIADIC


def default_generator(parameters: Sequence[Parameter], names: Names, settled: Collection[str] = ()) -> str | None:
    """The parameter that is named or annotated as a generator, or that takes a seed; None if there is none.

    settled: parameters that the claim gives values, of which none is a seed.
    """
    ordinary = [one for one in parameters if not is_variadic(one)]
    return next((one.name for one in ordinary if _is_generator(one, names, settled)), None)


def default_data(parameters: Sequence[Parameter], generator: str | None) -> str | None:
    """The first parameter that is not the generator; `*args` if nothing else is left."""
    others = [parameter for parameter in parameters if parameter.name != generator]
    ordinary = [parameter.name for parameter in others if not is_variadic(parameter)]
    variadic = [parameter.name for parameter in others if parameter.kind is ParameterKind.VAR_POSITIONAL]
    return next(iter((*ordinary, *variadic)), None)


def _parameter(tree: cst.Module, param: cst.Param, kind: ParameterKind, names: Names) -> Parameter:
    annotation = None if param.annotation is None else tree.code_for_node(param.annotation.annotation)
    if param.default is None:
        return Parameter(param.name.value, kind, annotation)
    default = tree.code_for_node(param.default)
    return Parameter(param.name.value, kind, annotation, default, _value(default, names))


def _value(default: str, names: Names) -> Fixed | None:
    """The default where the module tells it."""
    try:
        return Fixed(read_value(parse_expression(default.strip()), names))
    except (NotStaticError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_generator(parameter: Parameter, names: Names, settled: Collection[str]) -> bool:
    annotated = {names.full_name(name) for name in _annotated_names(parameter.annotation)}
    if any(name.startswith("torch.") for name in annotated):
        return False  # nobody makes one here: its default is what it gets
    if parameter.name in SEED_NAMES or (parameter.name in _GENERATOR_NAMES and "int" in annotated):
        # A seed, of which every run needs its own; `seed=None` stays None.
        return parameter.default is None and parameter.name not in settled
    if parameter.name in _GENERATOR_NAMES:
        return True
    if parameter.name in KEY_NAMES and any(name.partition(".")[0] == "jax" for name in names.aliases.values()):
        return parameter.default is None
    return GENERATOR in annotated or ("Generator" in annotated and "Generator" not in names.bound)


def _annotated_names(annotation: str | None) -> Iterator[str]:
    """The dotted names in an annotation, also in a string and inside `Optional[...]` or `... | None`."""
    if annotation is None:
        return
    try:
        tree = parse_expression(annotation)
        pending = [tree]
        while pending:
            node = pending.pop()
            dotted = dotted_name(node)
            if dotted is not None:
                yield dotted
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                pending.append(parse_expression(node.value))
            else:
                pending.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


_MOST_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Bearer:
    """The function that a claim is about. name: its qualname. span: of its name.

    is_method: it is a method that needs an object. needs_receiver: that, or a function that no name leads to.
    factory_parameter: the parameter of what `make` names that takes the data, None if none does. schema: the domain of
    records that a class gives, by the annotation of the data. sample: the domain of a file with a sample. counts:
    whether nothing but the length of a parameter is used. constructor: the parameters of the class that makes its
    object, which `args` may name as well.
    """

    name: str
    span: Span
    parameters: tuple[Parameter, ...]
    names: Names
    is_method: bool = False
    needs_receiver: bool = False
    factory_parameter: Callable[[str], Parameter | None] = lambda _: None
    schema: Callable[[str | None], Domain | None] = lambda _: None
    sample: Callable[[str], Domain] | None = None
    counts: Callable[[str], bool] = lambda _: False
    constructor: Collection[str] = ()

    def takes_data(self, make: str | None) -> Parameter | None:
        """The parameter of the factory that takes the data."""
        return None if make is None else self.factory_parameter(make)

    def annotation_of(self, name: str | None) -> str | None:
        """The annotation of a parameter of the function."""
        return next((entry.annotation for entry in self.parameters if entry.name == name), None)

    def names_of(self, *, variadic: bool = False) -> tuple[str, ...]:
        """The names of its parameters, without `*args` and `**kwargs` unless asked for."""
        return tuple(item.name for item in self.parameters if variadic or not is_variadic(item))

    def unknown(self, field: str, name: str) -> str:
        """A message that `field` of the claim names a parameter that there is not."""
        known = hint(name, self.names_of(), noun="its parameters" if self.parameters else "parameters")
        if name in self.constructor:
            known = "The object is made with what the claim says: write a number here."
        return f"{field} names {name!r}, which is no parameter of {self.name}. {known}"

    def meant(self, name: str, not_in: Collection[str | None] = ()) -> str | None:
        """The parameter that a misspelt name stands for; None if none is near, or if that one will not do."""
        near = nearest(name, self.names_of())
        return None if near in not_in else near


@dataclass(frozen=True, slots=True)
class Bounds:
    """Reads epsilon and delta, which may be expressions over the parameters."""

    bearer: Bearer
    relation: Relation | None
    data: str | None
    rng: str | None
    specs: Mapping[str, ArgumentSpec]
    problems: Problems

    def epsilon(self, item: Item) -> float | str | None:
        """epsilon; None if it is wrong."""
        return self._bound(item, "epsilon", "DP003")

    def delta(self, item: Item) -> float | str:
        """delta; 0 if it is wrong."""
        value = self._bound(item, "delta", "DP004")
        return 0.0 if value is None else value

    def distance(self, item: Item) -> float | str | None:
        """d_out; None if it is wrong."""
        return self._bound(item, "d_out", "DP023")

    def promise(self, items: Mapping[str, Item]) -> Promise | None:
        """What is promised in place of epsilon; None if nothing is, or if it is wrong."""
        if "curve" in items:
            return self._curve(items["curve"])
        if "renyi" in items:
            amounts = self._orders(items["renyi"])
            return None if amounts is None else Promise("renyi", amounts)
        for field in ("rho", "mu"):
            if field in items:
                amount = self._bound(items[field], field, "DP003")
                rest = (self.delta(items["delta"]),) if field == "rho" and "delta" in items else ()
                return None if amount is None else Promise(field, (amount, *rest))
        return None

    def _curve(self, item: Item) -> Promise | None:
        if isinstance(item.value, str) and FUNCTION.fullmatch(item.value):
            return Promise("curve", (item.value,))
        message = f'curve={item.value!r} is no function. Write the name of one of the module, or "module:function".'
        self.problems.add("DP003", item.span, message)
        return None

    def _orders(self, item: Item) -> tuple[float | str, ...] | None:
        """Orders and bounds in turn, or one bound for all orders; None if it is wrong."""
        value = item.value
        if isinstance(value, str):
            found = self._bound(item, "renyi", "DP003")
            return None if found is None else (found,)
        pairs = list(value) if isinstance(value, list | tuple) else []
        if len(pairs) == 2 and is_number(pairs[0]):
            pairs = [pairs]
        amounts: list[float | str] = []
        for pair in pairs:
            order, bound = pair if isinstance(pair, list | tuple) and len(pair) == 2 else (None, None)
            if not is_number(order) or not is_finite(order) or order <= 1:
                break
            known = self._bound(replace(item, value=bound, quoted=None), "renyi", "DP003")
            if known is None:
                return None
            amounts += [float(order), known]
        if not amounts or len(amounts) != 2 * len(pairs):
            message = f"renyi must be (alpha, bound) with alpha > 1, a list of those, or a text, not {value!r}."
            self.problems.add("DP003", item.span, message)
            return None
        return tuple(amounts)

    def _bound(self, item: Item, field: str, code: str) -> float | str | None:
        value = item.value
        if isinstance(value, str):
            return self._expression(value, item, field, code)
        if not is_number(value) or not is_finite(value):
            self.problems.add(code, item.span, f"{field} must be {_wanted(field)}, not {value!r}.")
            return None
        return float(value) if self._in_range(float(value), item.span, field, code, "") else None

    def _in_range(self, value: float, span: Span, field: str, code: str, where: str) -> bool:
        right = value > 0 if field in _POSITIVE else value >= 0 if field == "d_out" else 0 <= value < 1
        if not right:
            self.problems.add(code, span, f"{field} must be {_wanted(field)}, not {value:g}{where}.")
        return right

    def _expression(self, text: str, item: Item, field: str, code: str) -> float | str | None:
        span = item.span
        try:
            used = expression_parameters(text)
            lengths = length_parameters(text)
        except ExpressionError as error:
            self.problems.add("DP008", span, f"{field} is no expression of a claim: {error}.")
            return None
        for name in sorted(used):
            if not self._may_use(name, name in lengths, item, field):
                return None
        if not used:
            return self._value(text, {}, span, field, code)
        for values in self._fixed_values(sorted(used)):
            if self._value(text, values, span, field, code) is None:
                return None
        return text

    def _may_use(self, name: str, only_length: bool, item: Item, field: str) -> bool:
        span = item.span
        if field == "renyi" and name == ORDER and isinstance(item.value, str):
            if name in self.bearer.names_of():
                message = f"{name} in renyi is the order, and a parameter of {self.bearer.name}. Rename the parameter."
                self.problems.add("DP008", span, message)
            return name not in self.bearer.names_of()
        if name not in self.bearer.names_of():
            places = item.quoted.names(name) if item.quoted is not None else ()
            fix = respelling(name, self.bearer.meant(name, not_in=(self.data, self.rng)), *places)
            self.problems.add("DP007", span, self.bearer.unknown(field, name), fix)
        elif name == self.rng:
            self.problems.add("DP008", span, f"{field} uses the generator {name!r}. A promise cannot be random.")
        elif name == self.data and not (only_length and self.relation is not None and self.relation.same_size):
            relation = self.relation.name if self.relation is not None else "this relation"
            message = f"{field} depends on the data {name!r}, which a promise must not" + (
                f" (with {relation!r} neighbours may differ in length)."
                if only_length
                else "; only len(...) of it may be used."
            )
            self.problems.add("DP008", span, message)
        else:
            return True
        return False

    def _fixed_values(self, used: Sequence[str]) -> list[dict[str, Literal]]:
        """The combinations of values that args gives to all of `used`; none if it leaves one of them open."""
        choices: list[Sequence[Literal]] = []
        for name in used:
            match self.specs.get(name):
                case Fixed(value=value):
                    choices.append([value])
                case Categories(values=values):
                    choices.append(values)
                case _:
                    return []
        combinations = itertools.islice(itertools.product(*choices), _MOST_CANDIDATES)
        return [dict(zip(used, combination, strict=True)) for combination in combinations]

    def _value(self, text: str, values: Mapping[str, Literal], span: Span, field: str, code: str) -> float | None:
        where = "".join(f" with {name} = {value!r}" for name, value in values.items())
        try:
            value = evaluate_expression(text, values)
        except ExpressionError as error:
            self.problems.add("DP008", span, f"{field} has no value{where}: {error}.")
            return None
        return value if self._in_range(value, span, field, code, where) else None


_POSITIVE = ("epsilon", "rho", "mu", "renyi")


def _wanted(field: str) -> str:
    words = {**dict.fromkeys(_POSITIVE, "positive and finite"), "d_out": "at least 0 and finite"}
    return words.get(field, "at least 0 and less than 1")


def owner_column(item: Item | None, relation: Relation | None, domain: Domain | None, problems: Problems) -> str | None:
    """The column that `user` names."""
    if item is None or item.value is None:
        return None
    if relation is not None and relation.data is not DataKind.RECORDS:
        message = f"user is for records that are added, removed or replaced, and {relation.name!r} has none. Remove it."
        problems.add("DP005", item.span, message)
        return None
    names = [name for name, _ in domain.columns] if isinstance(domain, Columns) else []
    if isinstance(item.value, str) and item.value in names:
        return item.value
    near = nearest(item.value, names) if isinstance(item.value, str) else None
    fix = None
    if isinstance(item.value, str) and item.quoted is not None:
        fix = respelling(item.value, near, item.quoted.whole())
    columns = f"its columns: {', '.join(names)}" if names else 'give it columns, as in domain={"user": (1, 9), ...}'
    problems.add("DP010", item.span, f"user={item.value!r} is no column of the domain; {columns}.", fix)
    return None


def columns_apart(
    data: Item | None,
    labels: Item | None,
    taken: Sequence[str | None],
    domain: Domain | None,
    bearer: Bearer,
    problems: Problems,
) -> tuple[tuple[str, str], ...]:
    """The parameters that take a column apart, with the column: those that `data` names after the first, and `labels`.

    taken: the parameters of the data and the generator, in this order.
    """
    columns = [name for name, _ in domain.columns] if isinstance(domain, Columns) else []
    apart: list[tuple[str, str]] = []
    several = data.value[1:] if data is not None and isinstance(data.value, list | tuple) else ()
    span = bearer.span if data is None else data.span
    for name in several:
        if not isinstance(name, str) or name not in bearer.names_of():
            problems.add("DP007", span, bearer.unknown("data", str(name)))
        elif name in (*taken, *dict(apart)):
            problems.add("DP007", span, f"data names {name!r}, which has another part already. Name it once.")
        elif name not in columns:
            message = f"several data parameters take columns of one record: give domain a column {name!r}"
            problems.add("DP010", span, f'{message}, as in domain={{"{name}": (0.0, 1.0), ...}}.')
        else:
            apart.append((name, name))
    label = _labels(labels, {*taken, *dict(apart)}, domain, bearer, problems)
    if label is not None:
        apart.append((label, label if label in columns else columns[-1]))
    if apart and not set(columns) - {column for _, column in apart}:
        problems.add("DP010", span, f"no column of the domain is left for {taken[0]!r}: give it one.")
    return tuple(apart)


def _labels(
    item: Item | None, taken: Collection[str | None], domain: Domain | None, bearer: Bearer, problems: Problems
) -> str | None:
    """The parameter that `labels` names."""
    if item is None or item.value is None:
        return None
    if not isinstance(item.value, str) or item.value not in bearer.names_of():
        problems.add("DP007", item.span, bearer.unknown("labels", str(item.value)))
    elif item.value in taken:
        message = f"labels names {item.value!r}, which is the data or the generator. Name the parameter of the labels."
        problems.add("DP007", item.span, message)
    elif not isinstance(domain, Columns) or len(domain.columns) < 2:
        message = "labels are the last column of the domain, which needs two columns at least."
        problems.add("DP010", item.span, message)
    else:
        return item.value
    return None
