"""The forms in which a function may take its data, likeliest first, each as the annotation that stands for it.

What is written comes first: an annotation, all members of a Union. Where that leaves the form open, evidence orders
guesses: attributes and methods that are used, checks of types, the docstring, the default; arrays where a function of
NumPy computes with the data as it is. Numbers are whole ones first where they are given to `range`, checked to be
integers, or get discrete noise; of what is called counts broken numbers are tried too, and accuse nobody alone. What no
evidence speaks for comes last: it is tried where no run takes what comes before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dplint.claims import Columns, Interval, Mechanism
from dplint.inputs.annotations import members, parts
from dplint.inputs.uses import ARRAY, DICT, LIST, SCALAR, SERIES, Uses, uses_of
from dplint.relations import DataKind, relation_of

_OPEN = ("Any", "object", "ArrayLike", "")
"""Annotations that leave the form open."""
_GUESSES = {SCALAR: "float", LIST: "", ARRAY: "numpy.ndarray", SERIES: "pandas.Series", DICT: "dict[str, float]"}
_FRAME, _ROWS = "pandas.DataFrame", ("list[tuple]", "list[list]")
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
}
"""Annotations that do not say what the numbers are, by their names, and the same of whole ones."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """annotations: each once. declared: so many of them are what the function's own annotation says.

    likely: so many are that, or guesses that are as plausible as what is tried first. open_numbers: whether nothing
    says which numbers the data may hold, so that not each is an input.
    """

    annotations: tuple[str, ...]
    declared: int
    likely: int
    open_numbers: bool


def written_annotation(mechanism: Mechanism) -> str:
    """The annotation of the data parameter as source text without quotes, empty if there is none."""
    parameter = mechanism.parameter(mechanism.data) if mechanism.data else None
    return (parameter.annotation or "").strip("\"'") if parameter else ""


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
    )


@lru_cache(maxsize=1 << 8)
def _candidates(
    written: str, uses: Uses, *, vector: bool, sized: bool, columns: bool, bounded: bool, whole_moves: bool
) -> Candidates:
    several = members(written)
    declared = [one for one in several if parts(one)[0] not in _OPEN or (parts(one)[0] == "" and one != "")]
    if "int" in declared and "float" in declared:
        declared = [one for one in declared if one != "int"]
    guessed, last = _guesses(uses, vector=vector, contained=uses.contained or sized, columns=columns)
    if declared:
        guessed, last = [], [*guessed, *last] if parts(declared[0])[0] not in ("float", "int", "bool") else []
    open_numbers = vector and not bounded and not all(_says_numbers(one) for one in declared or [""])
    if open_numbers and whole_moves:
        if uses.whole:
            declared, guessed = ([*_whole(few), *few] for few in (declared, guessed))
        elif uses.counts:
            guessed = [*guessed, *_whole(guessed)]
        last = [*last, *_whole([*declared, *guessed, *last])]
    annotations = tuple(dict.fromkeys((*declared, *guessed, *last)))
    return Candidates(annotations, len(declared), len(declared) or len(set(guessed)), open_numbers)


def _guesses(uses: Uses, *, vector: bool, contained: bool, columns: bool) -> tuple[list[str], list[str]]:
    """What something speaks for, or nothing against; and what is left."""
    if columns:
        likely = [_GUESSES[ARRAY], ""] if ARRAY in uses.forms else ["", _GUESSES[ARRAY]]
        return likely, [*([_FRAME] if uses.pandas else []), *_ROWS]
    strong = [one for one in uses.forms if one != SCALAR or vector]
    in_numpy = uses.numpy and uses.computed and not contained
    likely = [ARRAY, LIST] if in_numpy else [LIST, ARRAY]
    if vector and not contained:
        likely.append(SCALAR)
    likely = strong or likely
    rest = [LIST, ARRAY, *([SCALAR] if vector else []), *([SERIES] if uses.pandas else [])]
    return [_GUESSES[one] for one in dict.fromkeys(likely)], [_GUESSES[one] for one in rest]


def _says_numbers(annotation: str) -> bool:
    """Whether an annotation says which numbers the data holds."""
    outer, _, inner = parts(annotation)
    return outer in ("float", "int", "bool") or bool(inner) or annotation in ("float", "int")


def _whole(annotations: list[str]) -> list[str]:
    found = [_WHOLE.get(one) or _WHOLE.get(parts(one)[0]) for one in annotations if not _says_whole(one)]
    return [one for one in found if one is not None]


def _says_whole(annotation: str) -> bool:
    return annotation != "float" and _says_numbers(annotation)
