"""How data is handed to a mechanism: needs the standard library alone, as the reports want to know it too."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from dplint.claims import Columns, Mechanism
from dplint.relations import DataKind, relation_of
from dplint.syntax import parse_expression

if TYPE_CHECKING:
    from dplint.runner.batch import Form

AS_ARRAY = "the data is passed as a NumPy array"
"""Begins the note of an audit whose mechanism could not take the list that its annotation, or none, stands for."""
PLAIN_FORMS: frozenset[Form] = frozenset({"list", "array", "tuple", "scalar"})
"""Those of numbers and texts alone."""
PROGRAM_FORMS: frozenset[Form] = PLAIN_FORMS | {"list of lists", "list of tuples"}
"""Those that an interpretation of a program knows; the others are objects that only the user's interpreter has."""
TABLES: frozenset[Form] = frozenset({"frame", "polars frame", "series", "polars series"})
_SCALARS = ("int", "float", "bool", "str", "complex")
_LISTS = ("list", "Sequence", "MutableSequence", "Iterable", "Collection", "Iterator", "ArrayLike", "Any", "object")
_TUPLES = ("tuple", "Tuple", "NamedTuple")
_FORMS: Mapping[str, Form] = {
    **dict.fromkeys(("ndarray", "NDArray"), "array"),
    **dict.fromkeys(_TUPLES, "tuple"),
    **dict.fromkeys(("set", "Set", "AbstractSet", "MutableSet"), "set"),
    **dict.fromkeys(("frozenset", "FrozenSet"), "frozenset"),
    **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"), "dict"),
    "DataFrame": "frame",
    "Series": "series",
    **dict.fromkeys((*_LISTS, "List"), "list"),
}
_WORDS: Mapping[Form, str] = {
    "array": "a NumPy array",
    "matrix": "a two-dimensional NumPy array, a record in each row",
    "frame": "a DataFrame of pandas, a record in each row",
    "polars frame": "a DataFrame of polars, a record in each row",
    "series": "a Series of pandas",
    "polars series": "a Series of polars",
    "dict": "a dict with keys 'a', 'b', ...",
    "numbered dict": "a dict with keys 0, 1, ...",
}


def data_form(mechanism: Mechanism) -> Form:
    """How the data is handed to the function, by the annotation: see `Form`."""
    annotation = data_annotation(mechanism)
    relation = relation_of(mechanism.claim)
    columns = isinstance(mechanism.claim.domain, Columns)
    outer, module, inner = _parts(annotation)
    if relation.data is DataKind.VALUE:
        return "object" if columns and _is_class(outer) else "scalar"
    if annotation in _SCALARS:
        return "scalar"
    form = _FORMS.get(outer) or _by_word(annotation)
    if module == "pl" or module.rpartition(".")[2] == "polars":
        return "polars series" if form == "series" else "polars frame" if form == "frame" else form
    if form == "dict" and inner[:1] == ("int",):
        return "numbered dict"
    return _of_records(form, inner) if columns and relation.data is DataKind.RECORDS else form


def array_form(mechanism: Mechanism) -> Form:
    """The array that takes the place of a list which the function cannot take: of records a row for each."""
    records = isinstance(mechanism.claim.domain, Columns) and relation_of(mechanism.claim).data is DataKind.RECORDS
    return "matrix" if records else "array"


def form_words(form: Form) -> str:
    """The form in words, with its article."""
    return _WORDS.get(form, f"a {form}")


def data_annotation(mechanism: Mechanism) -> str:
    """The annotation of the data parameter as source text without quotes, empty if there is none."""
    parameter = mechanism.parameter(mechanism.data) if mechanism.data else None
    return (parameter.annotation or "").strip("\"'") if parameter else ""


def entries_are_integers(annotation: str) -> bool:
    """Whether the elements of a container are annotated as ints."""
    _, _, inner = _parts(annotation)
    return any(one in ("int", "np.int64", "numpy.int64") for one in inner[-1:] if one != "...") or (
        inner[-1:] == ("...",) and inner[:1] == ("int",)
    )


def _of_records(form: Form, inner: tuple[str, ...]) -> Form:
    """The form of records with columns: a row may be a dict, a tuple, a list, or an object of a class."""
    element = inner[0] if inner else ""
    name = element.partition("[")[0].rpartition(".")[2]
    if form == "array":
        return "matrix"
    if form in ("list", "tuple") and _is_class(name):
        return "list of objects" if form == "list" else "tuple of objects"
    if form == "list" and name in _TUPLES:
        return "list of tuples"
    if form == "list" and name in ("list", "List", "Sequence"):
        return "list of lists"
    return form


def _is_class(name: str) -> bool:
    """Whether an annotation that begins so names a class of the user's own, as far as its name tells."""
    known = (*_SCALARS, *_FORMS, "TypedDict", "")
    return name.isidentifier() and name not in known and name[:1].isupper()


@lru_cache(maxsize=1 << 8)
def _parts(annotation: str) -> tuple[str, str, tuple[str, ...]]:
    """The name of the container, what stands before its dot, and the annotations of what is in it.

    Asked for with every pair of data, so the same text is parsed once.
    """
    try:
        node = parse_expression(annotation.strip() or "None")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "", "", ()
    node = _without_none(node)
    inner: tuple[str, ...] = ()
    if isinstance(node, ast.Subscript):
        inside = node.slice
        inner = tuple(ast.unparse(one) for one in (inside.elts if isinstance(inside, ast.Tuple) else [inside]))
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr, ast.unparse(node.value), inner
    return (node.id if isinstance(node, ast.Name) else ""), "", inner


def _without_none(node: ast.expr) -> ast.expr:
    """What is left of `X | None`, `Optional[X]` and `Annotated[X, ...]`."""
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _without_none(left)
        case ast.Subscript(value=ast.Name(id="Optional" | "Annotated") | ast.Attribute(attr="Optional" | "Annotated")):
            inside = node.slice
            return _without_none(inside.elts[0] if isinstance(inside, ast.Tuple) and inside.elts else inside)
        case ast.Constant(value=str() as text):
            try:
                return _without_none(parse_expression(text))
            except (SyntaxError, ValueError):
                return node
        case _:
            return node


def _by_word(annotation: str) -> Form:
    """For annotations that are made in other ways, such as a name of the user's that tells: a word in it, or a list."""
    text = annotation.lower()
    if "dataframe" in text:
        return "frame"
    if "ndarray" in text:
        return "array"
    return "tuple" if "tuple" in text else "list"
