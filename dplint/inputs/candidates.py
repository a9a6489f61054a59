"""The forms in which a function may take its data, likeliest first, each as the annotation that stands for it.

What is written comes first: an annotation, all members of a Union. Where that leaves the form open, evidence orders
guesses: attributes and methods that are used, checks of types, the docstring, the default; arrays where a function of
NumPy computes with the data as it is. Last of the evidence is
what callers in the project pass. Numbers are whole ones first where they are given to `range`, checked to be integers,
or get discrete noise; of what is called counts, and where callers pass whole numbers alone, broken numbers are tried
too, and accuse nobody alone. What no evidence speaks for comes last: it is tried where no run takes what comes before.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import TypeVar

from dplint.claims import Columns, Interval, Mechanism, Passed
from dplint.inputs.annotations import named_forms, parts, says_numbers, written_annotation
from dplint.relations import DataKind, relation_of
from dplint.syntax import parse_text

SCALAR, LIST, ARRAY, SERIES, DICT = "scalar", "list", "array", "series", "dict"
"""What the evidence speaks of."""
_OF_ARRAYS = "shape ndim dtype astype tolist size flatten ravel reshape cumsum sum mean std var max min argmax T dot"
_ATTRIBUTES = {
    **dict.fromkeys(_OF_ARRAYS.split(), ARRAY),
    **dict.fromkeys(("append", "extend", "sort", "insert", "index"), LIST),
    **dict.fromkeys(("values", "to_numpy", "value_counts", "to_list", "iloc", "fillna", "dropna"), SERIES),
}
_CHECKED = {
    **dict.fromkeys(("int", "float", "Number", "Real", "Integral", "integer", "floating", "generic"), SCALAR),
    **dict.fromkeys(("list", "tuple", "Sequence"), LIST),
    "ndarray": ARRAY,
    "Series": SERIES,
    "dict": DICT,
}
_OF_SCALARS = ("float", "int", "round", "abs", "isscalar", "isnan", "isinf", "isfinite")
_OF_CONTAINERS = ("len", "enumerate", "sorted", "sum", "zip", "list", "tuple")
_WHOLE_CHECKS = ("int", "Integral", "integer")
_DISCRETE = re.compile(r"\b(geometric|poisson|binomial|skellam|dlaplace|discrete_\w+|bincount)\b", re.IGNORECASE)
_COUNTS = re.compile(r"(^|_)(counts?|histograms?|tally|tallies)$")
_IN_WORDS = (
    (r"series", SERIES),
    (r"array", ARRAY),
    (r"list|sequence|iterable|tuple|vector", LIST),
    (r"dict|mapping", DICT),
    (r"float|number|scalar|int\b|integer", SCALAR),
)
"""Words of a docstring for the type of a parameter, the more particular first."""


@dataclass(eq=False)
class Uses:
    """What is known of the data. forms: those that something speaks for, the strongest evidence first.

    whole: whether its numbers are taken for whole ones. counts: whether it is called counts. contained: whether it is
    taken for a container. computed: whether it is an operand of arithmetic or of a comparison as it is. numpy, pandas:
    whether the function names them.
    """

    forms: list[str] = field(default_factory=list)
    whole: bool = False
    counts: bool = False
    contained: bool = False
    computed: bool = False
    numpy: bool = False
    pandas: bool = False


@lru_cache(maxsize=1 << 8)
def uses_of(lines: tuple[str, ...], data: str, default: str | None) -> Uses:
    """The uses of a parameter, or of an attribute as `self.rows`, in a function of these lines."""
    text = "\n".join(lines)
    found = Uses(numpy=re.search(r"\b(np|numpy)\.", text) is not None)
    found.pandas = re.search(r"\b(pd|pandas)\.", text) is not None
    found.counts = _COUNTS.search(data) is not None
    try:
        tree = parse_text(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    _Reader(data, found).read(tree)
    for form in (*_of_docstring(tree, data, found), *_of_default(default)):
        if form not in found.forms:
            found.forms.append(form)
    return found


class _Reader:
    def __init__(self, data: str, uses: Uses) -> None:
        self._data, self._uses = data, uses
        self._entries: set[str] = set()
        self._attributes: list[str] = []
        self._checks: list[str] = []
        self._weak: list[str] = []

    def read(self, tree: ast.AST) -> None:
        nodes = list(ast.walk(tree))
        for node in nodes:
            self._bind_entries(node)
        for node in nodes:
            self._look(node)
        if not self._uses.contained:
            self._checks += self._weak
        self._uses.forms += dict.fromkeys((*self._attributes, *self._checks))

    def _is_data(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == self._data

    def _is_entry(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript):
            return self._is_data(node.value)
        return isinstance(node, ast.Name) and node.id in self._entries

    def _bind_entries(self, node: ast.AST) -> None:
        """Loop variables over the data are its entries."""
        if not isinstance(node, ast.For | ast.comprehension):
            return
        match node.iter, node.target:
            case (source, ast.Name(id=name)) if self._is_data(source):
                self._entries.add(name)
            case (ast.Call(func=ast.Name(id="enumerate"), args=[source, *_]), ast.Tuple(elts=[_, ast.Name(id=name)])):
                if self._is_data(source):
                    self._entries.add(name)
            case (ast.Call(func=ast.Name(id="zip"), args=sources), ast.Tuple(elts=targets)):
                pairs = zip(sources, targets, strict=False)
                self._entries |= {t.id for s, t in pairs if self._is_data(s) and isinstance(t, ast.Name)}

    def _look(self, node: ast.AST) -> None:
        match node:
            case ast.Attribute(value=receiver, attr=attribute) if self._is_data(receiver):
                self._attributes += [_ATTRIBUTES[attribute]] if attribute in _ATTRIBUTES else []
            case ast.Call(func=ast.Attribute(value=receiver, attr="items" | "keys" | "values")):
                # It is met before the attribute that it calls, which alone would be one of a Series.
                self._attributes += [DICT] if self._is_data(receiver) else []
            case ast.Call(args=[first, *rest]):
                self._called(node, first, rest)
            case ast.For(iter=source) | ast.comprehension(iter=source) | ast.Subscript(value=source):
                self._uses.contained |= self._is_data(source)
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                self._weak += [SCALAR for one in ast.walk(test) if self._compares_data(one)]
            case ast.BinOp(left=left, right=right):
                self._uses.computed |= self._is_data(left) or self._is_data(right)
        if self._compares_data(node):
            self._uses.computed = True

    def _compares_data(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Compare)
            and isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
            and any(map(self._is_data, (node.left, *node.comparators)))
        )

    def _called(self, node: ast.Call, first: ast.expr, rest: list[ast.expr]) -> None:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        about = self._is_data(first) or self._is_entry(first)
        if name == "range" and any(self._is_data(one) or self._is_entry(one) for one in node.args):
            self._uses.whole = True
        if name == "isinstance" and rest and about:
            checked = [_last(one) for one in ast.walk(rest[0]) if isinstance(one, ast.Name | ast.Attribute)]
            self._uses.whole |= any(one in _WHOLE_CHECKS for one in checked) and "float" not in checked
            if self._is_data(first):
                self._checks += [_CHECKED[one] for one in checked if one in _CHECKED]
        if _DISCRETE.search(name):
            self._uses.whole = True
        if self._is_data(first):
            in_math = isinstance(function, ast.Attribute) and ast.unparse(function.value) == "math"
            self._weak += [SCALAR] if name in _OF_SCALARS or in_math else []
            self._uses.contained |= name in _OF_CONTAINERS


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _of_docstring(tree: ast.Module, data: str, uses: Uses) -> Iterator[str]:
    """The forms that the docstring names for a parameter, in the styles of NumPy, Google and Sphinx."""
    function = next((one for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    text = (ast.get_docstring(function) or "") if function is not None else ""
    name = re.escape(data)
    for pattern in (
        rf"^\s*{name}\s*\(([^)\n]*)\)\s*:",
        rf"^\s*:type {name}:(.*)$",
        rf"^\s*:param (\w+) {name}:",
        rf"^\s*{name}\s*:(.*)$",
    ):
        found = re.search(pattern, text, re.MULTILINE)
        if found is not None:
            said = found[1].lower()
            forms = [form for words, form in _IN_WORDS if re.search(words, said)]
            uses.whole |= re.search(r"\bints?\b|integers?|whole", said) is not None
            uses.counts |= re.search(r"\bcounts?\b", said) is not None
            yield from forms[:1] if LIST in forms or ARRAY in forms else forms
            return


def _of_default(default: str | None) -> Iterator[str]:
    text = (default or "").strip()
    if text[:1] in ("[", "("):
        yield LIST
    elif re.fullmatch(r"-?[\d.]+(e-?\d+)?", text):
        yield SCALAR


Known = TypeVar("Known")
_GUESSES = {SCALAR: "float", LIST: "", ARRAY: "numpy.ndarray", SERIES: "pandas.Series", DICT: "dict[str, float]"}
_FRAME, _ROWS = "pandas.DataFrame", ("list[tuple]", "list[list]")
_OF_COLUMNS = ("", "numpy.ndarray", _FRAME, "polars.DataFrame", *_ROWS)
_WHOLE = {
    "float": "int",
    "": "list[int]",
    "list": "list[int]",
    "List": "list[int]",
    "Sequence": "list[int]",
    "Iterable": "list[int]",
    "tuple": "tuple[int, ...]",
    "ndarray": "numpy.typing.NDArray[numpy.int64]",
    "NDArray": "numpy.typing.NDArray[numpy.int64]",
    "pandas.Series": "pandas.Series[int]",
    "polars.Series": "polars.Series[int]",
    "dict[str, float]": "dict[str, int]",
    "dict[int, float]": "dict[int, int]",
    "set": "set[int]",
}
"""Annotations that do not say what the numbers are, by their names, and the same of whole ones."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """annotations: each once. declared: so many of them are what the function's own annotation says.

    likely: so many are that, or guesses that are as plausible as what is tried first. open_numbers: whether nothing
    says which numbers the data may hold, so that not each is an input. each: those that are all inputs of the function,
    by its annotation or as callers pass them. certain: those in which a violation is no work of a guess.
    """

    annotations: tuple[str, ...]
    declared: int
    likely: int
    open_numbers: bool
    each: tuple[str, ...] = ()
    certain: frozenset[str] = frozenset()


def of_the_same(function: Callable[[Mechanism], Known]) -> Callable[[Mechanism], Known]:
    """The function, with its answer for the last mechanism remembered: thousands of pairs ask for the same."""
    last: tuple[Mechanism, Known] | None = None

    @wraps(function)
    def remembering(mechanism: Mechanism) -> Known:
        nonlocal last
        known = last
        if known is None or known[0] is not mechanism:
            known = last = mechanism, function(mechanism)
        return known[1]

    return remembering


@of_the_same
def candidate_forms(mechanism: Mechanism) -> Candidates:
    """The forms of the data of a mechanism, likeliest first; never none."""
    parameter = mechanism.parameter(mechanism.data) if mechanism.data else None
    written = written_annotation(mechanism)
    claim, kind = mechanism.claim, relation_of(mechanism.claim).data
    if mechanism.data is None or claim.pairs is not None or kind not in (DataKind.VECTOR, DataKind.RECORDS):
        return Candidates((written,), 1, 1, open_numbers=False)
    return _candidates(
        written,
        uses_of(mechanism.source_lines, mechanism.data, parameter.default if parameter else None),
        vector=kind is DataKind.VECTOR,
        sized=claim.size is not None,
        columns=isinstance(claim.domain, Columns),
        bounded=isinstance(claim.domain, Interval),
        whole_moves=float(claim.sensitivity).is_integer(),
        passed=mechanism.passed,
    )


@lru_cache(maxsize=1 << 8)
def _candidates(
    written: str,
    uses: Uses,
    *,
    vector: bool,
    sized: bool,
    columns: bool,
    bounded: bool,
    whole_moves: bool,
    passed: Passed,
) -> Candidates:
    declared = named_forms(written)
    by_callers = [one for one in passed.annotations if _fits(one, vector=vector, columns=columns)]
    guessed, last = _guesses(uses, by_callers, vector=vector, contained=uses.contained or sized, columns=columns)
    if declared:
        guessed, last = [], [*guessed, *last] if parts(declared[0])[0] not in ("float", "int", "bool") else []
    each = declared or by_callers
    open_numbers = vector and not bounded and not all(says_numbers(one) for one in declared or [""])
    doubtful = open_numbers and whole_moves and passed.whole and not uses.whole
    if open_numbers and whole_moves:
        if uses.whole:
            declared, guessed = ([*_whole(few), *few] for few in (declared, guessed))
        elif passed.whole:
            declared, guessed = ([*few, *_whole(few)] for few in (declared, guessed))
        elif uses.counts:
            guessed = [*guessed, *_whole(guessed)]
        last = [*last, *_whole([*declared, *guessed, *last])]
    annotations = tuple(dict.fromkeys((*declared, *guessed, *last)))
    # Where callers pass whole numbers alone, what only broken ones show is as doubtful as a guess.
    certain = [
        one
        for one in (*declared, *by_callers, *_whole(by_callers))
        if not doubtful or (one not in _WHOLE and _says_whole(one))
    ]
    likely = len(declared) or len(set(guessed))
    return Candidates(annotations, len(declared), likely, open_numbers, tuple(each), frozenset(certain))


def _fits(annotation: str, *, vector: bool, columns: bool) -> bool:
    """Whether data of a claim can be given in this form."""
    if columns:
        return annotation in _OF_COLUMNS
    sets = parts(annotation)[0] in ("set", "frozenset")
    return not (annotation in _ROWS or annotation.endswith("DataFrame") or (sets if vector else annotation == "float"))


def _guesses(
    uses: Uses, passed: list[str], *, vector: bool, contained: bool, columns: bool
) -> tuple[list[str], list[str]]:
    """What something speaks for, or nothing against; and what is left. passed: by callers."""
    if columns:
        likely = [_GUESSES[ARRAY], ""] if ARRAY in uses.forms else ["", _GUESSES[ARRAY]]
        rest = [*([_FRAME] if uses.pandas else []), *_ROWS]
        return (
            ([*likely[:1], *passed] if ARRAY in uses.forms else passed, [*likely, *rest]) if passed else (likely, rest)
        )
    strong = [one for one in uses.forms if one != SCALAR or vector]
    in_numpy = uses.numpy and uses.computed and not contained
    likely = [ARRAY, LIST] if in_numpy else [LIST, ARRAY]
    if vector and not contained:
        likely.append(SCALAR)
    known = [*(_GUESSES[one] for one in strong), *passed]
    rest = [LIST, ARRAY, *([SCALAR] if vector else []), *([SERIES] if uses.pandas else [])]
    return list(dict.fromkeys(known or [_GUESSES[one] for one in likely])), [_GUESSES[one] for one in rest]


def _whole(annotations: list[str]) -> list[str]:
    open_ones = (one for one in annotations if one in _WHOLE or not _says_whole(one))
    found = [_WHOLE.get(one) or _WHOLE.get(parts(one)[0]) for one in open_ones]
    return [one for one in found if one is not None]


def _says_whole(annotation: str) -> bool:
    return annotation != "float" and says_numbers(annotation)
