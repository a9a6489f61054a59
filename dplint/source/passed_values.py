"""What an expression gives a function, as far as its text tells: the form, and whether its numbers are whole ones.

Followed are literals, the usual ways to make lists, arrays, Series and tables, names that are assigned such things,
annotated parameters, and values of pytest's `parametrize` and fixtures. By `ast` alone; nothing is run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from dplint.claims import DELTA_NAME, EPSILON_NAME, Literal
from dplint.runner.literals import encode

Binding: TypeAlias = ast.expr | str | None
"""What a name is given: an expression, what an annotation says, or something that is not followed."""

SCALAR, LIST, TUPLE, ARRAY = "float", "", "tuple", "numpy.ndarray"
_SERIES, _FRAME, _DICT, _NUMBERED = "pandas.Series", "pandas.DataFrame", "dict[str, float]", "dict[int, float]"
_DEEPEST = 12
_LONGEST = 2_000
_BUILTINS = {"list": LIST, "sorted": LIST, "range": LIST, "tuple": TUPLE, "set": "set", "frozenset": "frozenset"}
_SCALARS = {"int": True, "len": True, "float": False, "sum": None, "round": None, "abs": None, "min": None, "max": None}
_LIBRARIES = {
    **dict.fromkeys(("pandas.Series", "pandas.to_numeric"), _SERIES),
    **dict.fromkeys(("pandas.DataFrame", "pandas.read_csv", "pandas.read_parquet", "pandas.concat"), _FRAME),
    **dict.fromkeys(("polars.DataFrame", "polars.read_csv", "polars.read_parquet"), "polars.DataFrame"),
    "polars.Series": "polars.Series",
}
_ALIKE = frozenset("array asarray ascontiguousarray asanyarray atleast_1d sort repeat tile clip".split())  # noqa: SIM905
_BROKEN = frozenset("zeros ones empty linspace logspace geomspace".split())  # noqa: SIM905
_WHOLE_DRAWS = frozenset({"integers", "randint", "poisson", "binomial", "geometric", "bincount"})
_BROKEN_DRAWS = frozenset("normal uniform random rand randn standard_normal exponential laplace beta gamma".split())  # noqa: SIM905
_SIZES = frozenset({"rand", "randn", "random", "standard_normal", "bincount"})
"""Draws whose first argument is the shape."""
_SIZE_AT = {"poisson": 1, "geometric": 1, "exponential": 1}
"""Where a draw takes its size, if not after two parameters."""
_METHODS: Mapping[str, str | None] = {
    **dict.fromkeys(("to_numpy", "flatten", "ravel", "reshape"), ARRAY),
    **dict.fromkeys(("tolist", "to_list"), LIST),
    **dict.fromkeys(("sum", "mean", "max", "min", "item"), SCALAR),
    **dict.fromkeys(("copy", "astype", "head", "dropna", "fillna"), None),
}
"""What methods of arrays and tables return; None for the same as they are called on."""


_MAKERS = {
    "numpy": frozenset("array asarray zeros ones full arange linspace eye diag".split()),  # noqa: SIM905
    "pandas": frozenset({"DataFrame", "Series"}),
    "polars": frozenset({"DataFrame", "Series"}),
    "fractions": frozenset({"Fraction"}),
    "datetime": frozenset({"date", "datetime", "timedelta"}),
}
"""Functions of libraries that only make something of what they are given."""
_OF_TESTS = re.compile(r"(?:^|\.)(?:tests?|test_\w*|\w*_tests?|conftest)(?:\.|$)")


@dataclass(frozen=True, slots=True)
class Value:
    """annotation: that stands for the form, with nothing of its numbers. whole: None where that is not known."""

    annotation: str
    whole: bool | None = None


@dataclass
class Scope:
    """What names are given in a module or function. outer: the scope around it. imports: full names, by local ones.

    known: values of names, as far as somebody has asked; None while that is looked for.
    """

    imports: Mapping[str, str]
    outer: Scope | None = None
    names: dict[str, list[tuple[Binding, Scope]]] = field(default_factory=dict)
    known: dict[str, Value | None] = field(default_factory=dict)

    def bind(self, name: str, given: Binding, scope: Scope | None = None) -> None:
        """Another value of a name, to be understood in a scope."""
        self.names.setdefault(name, []).append((given, scope or self))

    def bindings(self, name: str) -> list[tuple[Binding, Scope]]:
        """All that the name may be."""
        home = self.home(name)
        return [] if home is None else home.names[name]

    def home(self, name: str) -> Scope | None:
        """The scope whose name it is."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope

    def path(self, node: ast.expr) -> str | None:
        """The full name of what a chain of attributes leads to, from an import on."""
        match node:
            case ast.Name(id=name):
                return None if self.bindings(name) else self.imports.get(name)
            case ast.Attribute(value=whole, attr=name):
                before = self.path(whole)
                return None if before is None else f"{before}.{name}"
            case _:
                return None


def value_of(node: ast.expr, scope: Scope, depth: int = 0) -> Value | None:
    """What an expression gives, None where its text does not tell."""
    if depth > _DEEPEST:
        return None

    def inner(one: ast.expr) -> Value | None:
        return value_of(one, scope, depth + 1)

    match node:
        case ast.Name(id=name):
            return _named(name, scope, depth)
        case ast.Attribute(value=whole, attr="values"):
            known = inner(whole)
            return None if known is None else replace(known, annotation=ARRAY)
        case ast.Subscript(value=whole, slice=index):
            return _item(whole, index, scope, depth)
        case ast.Call():
            return _called(node, scope, inner)
        case ast.ListComp() | ast.SetComp() | ast.DictComp():
            within = inside(node, scope)
            return _comprehended(node, lambda one: value_of(one, within, depth + 1))
    return _written(node, inner)


def literal_of(node: ast.expr, scope: Scope, depth: int = 0) -> tuple[Literal] | None:
    """The plain value that an expression is, of its own or by a name that is assigned once; None for others.

    What a call of a class makes, or of a library an array or a table, is a text that stands for it, as in `args` of a
    claim: "module:name(...)".
    """
    if isinstance(node, ast.Name):
        bindings = scope.bindings(node.id)
        given, where = bindings[0] if len(bindings) == 1 else (None, scope)
        return literal_of(given, where, depth + 1) if isinstance(given, ast.expr) and depth < _DEEPEST else None
    if isinstance(node, ast.Call):
        text = _made(node, scope, depth)
        return (text,) if text is not None and len(text) <= _LONGEST else None
    try:
        value: Literal = ast.literal_eval(node)
        text = repr(encode(value))
    except (TypeError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return (value,) if len(text) <= _LONGEST else None


def _made(node: ast.Call, scope: Scope, depth: int) -> str | None:
    """The text for what a call makes; None where it may do more, or where a budget is among what it is given."""
    module, _, name = (scope.path(node.func) or "").rpartition(".")
    known = module in _MAKERS and name in _MAKERS[module]
    if not module or depth > _DEEPEST or not (known or name[:1].isupper()) or _OF_TESTS.search(module):
        return None
    if not known and (node.args or any(_of_budget(one.arg or "") for one in node.keywords)):
        return None  # whatever a call gives, the claim may be about another epsilon
    given = [literal_of(one, scope, depth + 1) for one in node.args]
    named = [(one.arg, literal_of(one.value, scope, depth + 1)) for one in node.keywords]
    if None in given or any(key is None or value is None for key, value in named):
        return None
    words = [repr(one[0]) for one in given if one] + [f"{key}={value[0]!r}" for key, value in named if value]
    return f"{module}:{name}({', '.join(words)})"


def _of_budget(name: str) -> bool:
    return EPSILON_NAME.search(name) is not None or DELTA_NAME.search(name) is not None


def _written(node: ast.expr, inner: Callable[[ast.expr], Value | None]) -> Value | None:
    """What a literal or arithmetic gives. inner: of what is in it."""
    match node:
        case ast.Constant(value=str()):
            return Value("str")
        case ast.Constant(value=number):
            plain = isinstance(number, int | float) and not isinstance(number, bool)
            return Value(SCALAR, isinstance(number, int)) if plain else None
        case ast.UnaryOp(operand=only) | ast.NamedExpr(value=only):
            return inner(only)
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return _displayed(node, inner)
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(inner(left), op, inner(right))
    return None


def _named(name: str, scope: Scope, depth: int) -> Value | None:
    """What a name is; where it is made from itself, as in `df = df.dropna()`, that is what the others make it."""
    home = scope.home(name)
    if home is None or name in home.known:
        return None if home is None else home.known[name]
    home.known[name] = None
    bindings = home.names[name]
    again = [one for one in bindings if isinstance(one[0], ast.expr) and _mentions(one[0], name)]
    first = [one for one in bindings if one not in again]
    before = Scope(home.imports, home, {name: first})
    values = [_bound(*one, depth) for one in first] + [_bound(given, before, depth) for given, _ in again]
    home.known[name] = _alike(values)
    return home.known[name]


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _bound(given: Binding, scope: Scope, depth: int) -> Value | None:
    if isinstance(given, str):
        return said_by(given, scope)
    return None if given is None else value_of(given, scope, depth + 1)


def said_by(annotation: str, scope: Scope) -> Value | None:
    """What the annotation of a caller's own parameter says."""
    outer, _, inner = annotation.strip("\"'").partition("[")
    root, dot, rest = outer.partition(".")
    name = f"{scope.imports.get(root, root)}{dot}{rest}"
    whole = {"int]": True, "float]": False}.get(inner.rpartition(" ")[2])
    if name in ("int", "float"):
        return Value(SCALAR, name == "int")
    if name in ("dict", "Dict", "typing.Dict"):
        return Value(_NUMBERED if inner.startswith("int,") else _DICT, whole)
    if name in _LIBRARIES:
        return Value(_LIBRARIES[name])
    word = name.rpartition(".")[2].lower()
    forms = {**_BUILTINS, "ndarray": ARRAY, "ndarray[": ARRAY}
    return Value(forms[word], whole) if word in forms and word not in ("sorted", "range") else None


def inside(node: ast.expr, scope: Scope) -> Scope:
    """The scope of a comprehension: its variables are entries of what they go through."""
    made = Scope(scope.imports, scope)
    for clause in getattr(node, "generators", ()):
        bind_target(made, clause.target, entry_of(clause.iter), scope)
    return made


def entry_of(node: ast.expr) -> ast.expr:
    """An expression for any entry of what an expression gives."""
    return ast.Subscript(node, ast.Constant(0), ast.Load())


def bind_target(scope: Scope, target: ast.expr, given: Binding, where: Scope | None = None) -> None:
    """Names that are given something; of what is taken apart nothing is known."""
    if isinstance(target, ast.Name):
        scope.bind(target.id, given, where)
    elif isinstance(target, ast.Tuple | ast.List | ast.Starred):
        for one in ast.walk(target):
            if isinstance(one, ast.Name):
                scope.bind(one.id, None)


def _alike(values: Sequence[Value | None]) -> Value | None:
    """What several are, if they are all of one form."""
    forms = {None if one is None else one.annotation for one in values}
    only = forms.pop() if len(forms) == 1 else None
    return None if only is None else Value(only, _numbers(values))


def _numbers(values: Iterator[Value | None] | Sequence[Value | None]) -> bool | None:
    wholes = {None if one is None else one.whole for one in values}
    return False if False in wholes else True if wholes == {True} else None


def _displayed(node: ast.List | ast.Tuple | ast.Set | ast.Dict, inner: Callable[[ast.expr], Value | None]) -> Value:
    if isinstance(node, ast.Dict):
        return Value(_keyed(node.keys[0] if node.keys else None), _numbers(map(inner, node.values)))
    values = [inner(one) for one in node.elts]
    if isinstance(node, ast.List):
        return _listed(values)
    return Value(TUPLE if isinstance(node, ast.Tuple) else "set", _numbers(values))


def _comprehended(node: ast.ListComp | ast.SetComp | ast.DictComp, inner: Callable[[ast.expr], Value | None]) -> Value:
    """inner: of what stands in it."""
    if isinstance(node, ast.DictComp):
        return Value(_keyed(node.key), _numbers([inner(node.value)]))
    return _listed([inner(node.elt)]) if isinstance(node, ast.ListComp) else Value("set", _numbers([inner(node.elt)]))


def _listed(values: Sequence[Value | None]) -> Value:
    """A list of these: rows are told apart, of numbers only whether they are whole."""
    rows = {one.annotation for one in values if one is not None and one.annotation != SCALAR}
    form = {TUPLE: "list[tuple]", LIST: "list[list]"}.get(rows.pop(), LIST) if len(rows) == 1 else LIST
    return Value(form, _numbers(values))


def _keyed(key: ast.expr | None) -> str:
    return _NUMBERED if isinstance(key, ast.Constant) and isinstance(key.value, int) else _DICT


def _computed(left: Value | None, op: ast.operator, right: Value | None) -> Value | None:
    """What arithmetic gives: numbers give numbers, arrays and tables with numbers what they are, lists are repeated."""
    if left is None or right is None:
        known = left or right
        return None if known is None or known.annotation == SCALAR else replace(known, whole=None)
    main, other = (right, left) if left.annotation == SCALAR else (left, right)
    if main.annotation in (LIST, TUPLE):
        return main
    whole = False if isinstance(op, ast.Div) else _numbers([main, other])
    return Value(main.annotation, whole)


def _item(whole: ast.expr, index: ast.expr, scope: Scope, depth: int) -> Value | None:
    match whole:
        case ast.List(elts=items) | ast.Tuple(elts=items) if items and not isinstance(index, ast.Slice):
            return _alike([value_of(_unwrapped(one), scope, depth + 1) for one in items])
    known = value_of(whole, scope, depth + 1)
    if known is None or isinstance(index, ast.Slice | ast.Compare):
        return known
    by_name = isinstance(index, ast.Constant) and isinstance(index.value, str)
    if known.annotation.endswith("DataFrame"):
        series = known.annotation.replace("DataFrame", "Series")
        return Value(series) if by_name else known if isinstance(index, ast.List) else None
    rows = {"list[tuple]": TUPLE, "list[list]": LIST}
    plain = isinstance(index, ast.Constant | ast.Name | ast.UnaryOp)
    return Value(rows.get(known.annotation, SCALAR), known.whole) if plain else None


def _unwrapped(node: ast.expr) -> ast.expr:
    """The value of `pytest.param(value, id=...)`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="param"), args=[only]):
            return only
        case _:
            return node


def _called(node: ast.Call, scope: Scope, inner: Callable[[ast.expr], Value | None]) -> Value | None:
    path, first = scope.path(node.func), inner(node.args[0]) if node.args else None
    match node.func:
        case ast.Name(id=name) if path is None and not scope.bindings(name):
            return _builtin(name, node, first, inner)
        case ast.Attribute(value=whole, attr=name) if path is None:
            known = inner(whole)
            if known is not None and name in _METHODS:
                form = _METHODS[name]
                whole_too = known.whole if name != "astype" else _dtype(node.args[0]) if node.args else None
                return Value(known.annotation if form is None else form, None if name == "mean" else whole_too)
            return _drawn(name, node)
    if path in _LIBRARIES:
        return Value(_LIBRARIES[path], None if first is None else first.whole)
    library, _, name = (path or "").rpartition(".")
    if library == "numpy.random":
        return _drawn(name, node)
    return _numpy(name, node, first, inner) if library == "numpy" else None


def _builtin(name: str, node: ast.Call, first: Value | None, inner: Callable[[ast.expr], Value | None]) -> Value | None:
    if name == "range":
        return Value(LIST, whole=True)
    if name == "dict":
        return first if first is not None and first.annotation in (_DICT, _NUMBERED) else Value(_DICT)
    if name in _SCALARS:
        several = [inner(one) for one in node.args]
        return Value(SCALAR, _numbers(several) if _SCALARS[name] is None else _SCALARS[name])
    return Value(_BUILTINS[name], None if first is None else first.whole) if name in _BUILTINS else None


def _dtype(node: ast.expr) -> bool | None:
    text = ast.unparse(node)
    return True if "int" in text else False if "float" in text else None


def _numpy(name: str, node: ast.Call, first: Value | None, inner: Callable[[ast.expr], Value | None]) -> Value | None:
    dtype = next((_dtype(one.value) for one in node.keywords if one.arg == "dtype"), None)
    if name in _ALIKE:
        return Value(ARRAY, dtype if dtype is not None or first is None else first.whole)
    if name in _BROKEN:
        return Value(ARRAY, dtype is True)
    if name == "arange":
        return Value(ARRAY, dtype if dtype is not None else _numbers([inner(one) for one in node.args]))
    if name == "full":
        filled = [inner(one) for one in node.args[1:2]]
        return Value(ARRAY, dtype if dtype is not None else _numbers(filled))
    if name == "bincount":
        return _drawn(name, node)
    return Value(SCALAR, _dtype(node.func)) if name.startswith(("float", "int")) else None


def _drawn(name: str, node: ast.Call) -> Value | None:
    """What a generator of NumPy draws: an array where a size is asked for."""
    if name not in _WHOLE_DRAWS | _BROKEN_DRAWS:
        return None
    sized = any(one.arg == "size" for one in node.keywords) or len(node.args) > _SIZE_AT.get(name, 2)
    sized = sized or (name in _SIZES and bool(node.args))
    return Value(ARRAY if sized else SCALAR, name in _WHOLE_DRAWS)
