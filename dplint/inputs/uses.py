"""What a function does with its data, read from its source: evidence for the form in which it takes it.

By `ast` alone, as the reports ask too. What is read here decides on inputs that are tried, and on no verdict.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from dplint.syntax import parse_text

SCALAR, LIST, ARRAY, SERIES, DICT, TENSOR = "scalar", "list", "array", "series", "dict", "tensor"
"""What the evidence speaks of."""
_OF_ARRAYS = "shape ndim dtype astype tolist size flatten ravel reshape cumsum sum mean std var max min argmax T dot"
_ATTRIBUTES = {
    **dict.fromkeys(_OF_ARRAYS.split(), ARRAY),
    **dict.fromkeys(("append", "extend", "sort", "insert", "index"), LIST),
    **dict.fromkeys(["clamp", "cpu", "detach", "dim", "numel", "norm", "unsqueeze", "view"], TENSOR),
    **dict.fromkeys(("values", "to_numpy", "value_counts", "to_list", "iloc", "fillna", "dropna"), SERIES),
}
_CHECKED = {
    **dict.fromkeys(("int", "float", "Number", "Real", "Integral", "integer", "floating", "generic"), SCALAR),
    **dict.fromkeys(("list", "tuple", "Sequence"), LIST),
    "ndarray": ARRAY,
    "Series": SERIES,
    "dict": DICT,
    "Tensor": TENSOR,
}
_TO_TENSORS = ("tensor", "as_tensor", "from_numpy", "is_tensor", "Tensor", "FloatTensor")
_OF_SCALARS = ("float", "int", "round", "abs", "isscalar", "isnan", "isinf", "isfinite")
_OF_CONTAINERS = ("len", "enumerate", "sorted", "sum", "zip", "list", "tuple")
_WHOLE_CHECKS = ("int", "Integral", "integer")
_DISCRETE = re.compile(r"\b(geometric|poisson|binomial|skellam|dlaplace|discrete_\w+|bincount)\b", re.IGNORECASE)
_COUNTS = re.compile(r"(^|_)(counts?|histograms?|tally|tallies)$")
_IN_WORDS = (
    (r"tensor", TENSOR),
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
        name = last_name(function)
        about = self._is_data(first) or self._is_entry(first)
        if name == "range" and any(self._is_data(one) or self._is_entry(one) for one in node.args):
            self._uses.whole = True
        if name == "isinstance" and rest and about:
            checked = [last_name(one) for one in ast.walk(rest[0]) if isinstance(one, ast.Name | ast.Attribute)]
            self._uses.whole |= any(one in _WHOLE_CHECKS for one in checked) and "float" not in checked
            if self._is_data(first):
                self._checks += [_CHECKED[one] for one in checked if one in _CHECKED]
        if _DISCRETE.search(name):
            self._uses.whole = True
        if self._is_data(first):
            library = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
            of_torch = library.partition(".")[0] == "torch" and name not in _TO_TENSORS
            self._attributes += [TENSOR] if of_torch else []
            in_math = library == "math"
            self._weak += [SCALAR] if name in _OF_SCALARS or in_math else []
            self._uses.contained |= name in _OF_CONTAINERS


def last_name(node: ast.AST) -> str:
    """The name that an expression is, or the last one of a chain of attributes; empty for everything else."""
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
