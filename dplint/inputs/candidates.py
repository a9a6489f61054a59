"""The forms in which a function may take its data, likeliest first, each as the annotation that stands for it.

What is written comes first: an annotation, all members of a Union. Where that leaves the form open, evidence orders
guesses: attributes and methods that are used, checks of types, the docstring, the default; arrays where a function of
NumPy computes with the data as it is. Last of the evidence is
what callers in the project pass. Numbers are whole ones first where they are given to `range`, checked to be integers,
or get discrete noise; of what is called counts, and where callers pass whole numbers alone, broken numbers are tried
too, and accuse nobody alone. What no evidence speaks for comes last: it is tried where no run takes what comes before.

Annotations as source text: what names a container, what is in it, and the members of a Union.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from typing import TypeVar

from dplint.claims import Columns, Interval, Mechanism, Passed
from dplint.inputs.uses import ARRAY, DICT, LIST, SCALAR, SERIES, TENSOR, Uses, last_name, uses_of
from dplint.relations import DataKind, relation_of
from dplint.syntax import parse_expression

_OPEN = ("Any", "object", "ArrayLike", "")
"""Annotations that leave the form open."""
_WRAPPERS = ("Optional", "Annotated")


def written_annotation(mechanism: Mechanism) -> str:
    """The annotation of the data parameter as source text without quotes, empty if there is none."""
    parameter = mechanism.parameter(mechanism.data) if mechanism.data else None
    return (parameter.annotation or "").strip("\"'") if parameter else ""


@lru_cache(maxsize=1 << 8)
def parts(annotation: str) -> tuple[str, str, tuple[str, ...]]:
    """The name of the container, what stands before its dot, and the annotations of what is in it.

    Asked for with every pair of data, so the same text is parsed once.
    """
    node = _parsed(annotation)
    if node is None:
        return "", "", ()
    node = _without_none(node)
    inner: tuple[str, ...] = ()
    if isinstance(node, ast.Subscript):
        inner = tuple(map(ast.unparse, _inside(node)))
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr, ast.unparse(node.value), inner
    return (node.id if isinstance(node, ast.Name) else ""), "", inner


@lru_cache(maxsize=1 << 8)
def members(annotation: str) -> tuple[str, ...]:
    """The annotations of which a Union allows any, in their order and without None; of any other the annotation."""
    node = _parsed(annotation)
    if node is None:
        return (annotation,)
    several = [ast.unparse(one) for one in _members(node)]
    return tuple(dict.fromkeys(several)) if len(several) > 1 else (annotation,)


def named_forms(written: str) -> list[str]:
    """The forms that an annotation names."""
    named = [one for one in members(written) if parts(one)[0] not in _OPEN or (parts(one)[0] == "" and one != "")]
    return [one for one in named if not any(map(partial(_is_whole_of, one), named))]


def _is_whole_of(annotation: str, other: str) -> bool:
    """Whether one stands for whole numbers in the same form as another one, which is not about these alone."""
    outer, _, inner = parts(annotation)
    whole = annotation == "int" or "int" in inner
    pair = ("int", "float") if outer == "int" else (outer, outer)
    return whole and other != annotation and (outer, parts(other)[0]) == pair and "int" not in parts(other)[2]


def says_numbers(annotation: str) -> bool:
    """Whether an annotation says which numbers the data holds."""
    outer, _, inner = parts(annotation)
    return outer in ("float", "int", "bool") or bool(inner) or annotation in ("float", "int")


def _parsed(annotation: str) -> ast.expr | None:
    try:
        return parse_expression(annotation.strip() or "None")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _inside(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _members(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_members(left), *_members(right)]
        case ast.Subscript() if last_name(node.value) == "Union":
            return [one for inside in _inside(node) for one in _members(inside)]
        case ast.Subscript() if last_name(node.value) in _WRAPPERS:
            return _members(_inside(node)[0])
        case ast.Constant(value=None):
            return []
        case ast.Constant(value=str() as text):
            inner = _parsed(text)
            return [node] if inner is None else _members(inner)
        case _:
            return [node]


def _without_none(node: ast.expr) -> ast.expr:
    """What is left of `X | None`, `Optional[X]` and `Annotated[X, ...]`."""
    several = _members(node)
    return several[0] if len(several) == 1 else node


Known = TypeVar("Known")
_GUESSES = {
    SCALAR: "float",
    LIST: "",
    ARRAY: "numpy.ndarray",
    SERIES: "pandas.Series",
    DICT: "dict[str, float]",
    TENSOR: "torch.Tensor",
}
_FRAME, _ROWS = "pandas.DataFrame", ("list[tuple]", "list[list]")
_OF_COLUMNS = ("", "numpy.ndarray", "torch.Tensor", _FRAME, "polars.DataFrame", *_ROWS)
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
        likely = [_GUESSES[TENSOR]] if TENSOR in uses.forms else likely
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
