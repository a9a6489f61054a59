"""How data is handed to a mechanism: needs the standard library alone, as the reports want to know it too.

The defaults of parameters as values: needs the standard library alone.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dplint.claims import Columns, Literal, Mechanism, Parameter
from dplint.inputs.candidates import candidate_forms, of_the_same, parts, written_annotation
from dplint.relations import DataKind, relation_of

if TYPE_CHECKING:
    from dplint.runner.batch import Form


PLAIN_FORMS: frozenset[Form] = frozenset({"list", "array", "tuple", "scalar"})
"""Those of numbers and texts alone."""
AS_IT_IS: Form = "scalar"
"""The form of a value that is handed over as it stands, as one that a neighbour function has yielded."""
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
    **dict.fromkeys(("Tensor", "FloatTensor", "LongTensor"), "tensor"),
    **dict.fromkeys((*_LISTS, "List"), "list"),
}
_WORDS: Mapping[Form, str] = {
    "array": "a NumPy array",
    "matrix": "a two-dimensional NumPy array, a record in each row",
    "frame": "a DataFrame of pandas, a record in each row",
    "polars frame": "a DataFrame of polars, a record in each row",
    "series": "a Series of pandas",
    "polars series": "a Series of polars",
    "tensor": "a tensor of PyTorch",
    "dict": "a dict with keys 'a', 'b', ...",
    "numbered dict": "a dict with keys 0, 1, ...",
}


@of_the_same
def data_form(mechanism: Mechanism) -> Form:
    """How the data is handed to the function, by the annotation: see `Form`."""
    annotation = data_annotation(mechanism)
    relation = relation_of(mechanism.claim)
    columns = isinstance(mechanism.claim.domain, Columns)
    outer, module, inner = parts(annotation)
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


def form_words(form: Form) -> str:
    """The form in words, with its article."""
    return _WORDS.get(form, f"a {form}")


def data_words(mechanism: Mechanism) -> str:
    """The form of the data in words, and whether its numbers are whole by what the source shows."""
    annotation, form = data_annotation(mechanism), data_form(mechanism)
    whole = annotation == "int" if form == "scalar" else entries_are_integers(annotation)
    words = "a number" if form == "scalar" else form_words(form)
    return words if not whole else "a whole number" if form == "scalar" else f"{words} of whole numbers"


def form_told(mechanism: Mechanism) -> tuple[str, ...]:
    """The form of the data as an effort tells it; nothing where somebody else makes the data."""
    return () if mechanism.data is None or mechanism.claim.pairs is not None else (data_words(mechanism),)


def data_annotation(mechanism: Mechanism) -> str:
    """The annotation that stands for the form of the data, as source text without quotes; empty if there is none.

    It is what the function's own annotation says, or what is likeliest, until runs have settled on another one.
    """
    return candidate_forms(mechanism).annotations[0] if mechanism.form is None else mechanism.form


def in_form(mechanism: Mechanism, annotation: str) -> Mechanism:
    """The mechanism with its data in the form that the annotation stands for."""
    return replace(mechanism, form=annotation)


def passed_as(mechanism: Mechanism) -> str:
    """Begins the note of an audit that has settled on another form than the likeliest."""
    return f"the data is passed as {data_words(mechanism)}: "


def form_notes(mechanism: Mechanism) -> list[str]:
    """What a reader must know of the form, where it is neither what the annotation says nor the list that stands for
    none, or is no plain data; nothing where runs have settled on it, which was told.
    """
    if mechanism.claim.pairs is not None or mechanism.form is not None:
        return []
    known, form = candidate_forms(mechanism), data_form(mechanism)
    if form == "frame" or (form in PLAIN_FORMS and known.annotations[0] == written_annotation(mechanism)):
        return []
    words = data_words(mechanism)
    covered, others = covered_forms(mechanism) if known.declared else ((), ())
    others = (*(data_words(in_form(mechanism, one)) for one in covered), *others)
    also = untested_words([one for one in others if one != words])
    if not also and known.annotations[0] == "":
        return []
    return [f"the data is given as {words}{also and f'; {also}'}"]


def covered_forms(mechanism: Mechanism) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The forms that are all inputs of the function, by its annotation or as callers pass them: an annotation for each.

    Then those members of a Union that the claim does not speak of, or that no data can be made in.
    """
    claim = mechanism.claim
    columns, records = isinstance(claim.domain, Columns), relation_of(claim).data is DataKind.RECORDS
    known = candidate_forms(mechanism)
    covered: dict[Form, str] = {}
    others: list[str] = []
    for one in known.each:
        outer, _, _ = parts(one)
        form = data_form(in_form(mechanism, one))
        is_known = one in ("", "int", "float", "bool") or outer in _FORMS or form not in ("list", "scalar")
        if is_known and not (records and form == "scalar") and (columns or form not in ("frame", "polars frame")):
            # Where several annotations stand for a form, the likeliest is that of whole numbers, if that is one.
            same = (like for like in known.annotations if data_form(in_form(mechanism, like)) == form)
            covered.setdefault(form, next(same, one))
        else:
            others.append(one)
    return tuple(covered.values()), tuple(others)


def untested_words(others: Sequence[str]) -> str:
    """That the function takes more than was tested, as a clause; empty where it does not."""
    named = " or ".join(dict.fromkeys(others))
    return f"what it does with {named}, which its annotation or a caller names, is not tested" if named else ""


def as_settled(mechanism: Mechanism, notes: Sequence[str]) -> Mechanism:
    """The mechanism in the form that an audit with these notes has settled on."""
    others = [in_form(mechanism, one) for one in candidate_forms(mechanism).annotations]
    settled = (one for note in reversed(notes) for one in others if note.startswith(passed_as(one)))
    return next(settled, mechanism)


def entries_are_integers(annotation: str) -> bool:
    """Whether the elements of a container are annotated as ints."""
    _, _, inner = parts(annotation)
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


def _by_word(annotation: str) -> Form:
    """For annotations that are made in other ways, such as a name of the user's that tells: a word in it, or a list."""
    text = annotation.lower()
    if "dataframe" in text:
        return "frame"
    if "ndarray" in text:
        return "array"
    return "tuple" if "tuple" in text else "list"


_INFINITIES = {"math.inf": math.inf, "np.inf": math.inf, "-math.inf": -math.inf, "-np.inf": -math.inf}


class DefaultNotRead(Exception):
    """The parameter has no default, or one that only running the module would tell."""


def default_of(parameter: Parameter) -> Literal:
    """What Python fills in for the parameter: a literal, or what the module's constants make of a name.

    Raises:
        DefaultNotRead: nothing says it.
    """
    if parameter.default_value is not None:
        return parameter.default_value.value
    text = (parameter.default or "").strip()
    if text in _INFINITIES:
        return _INFINITIES[text]
    try:
        found: Literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        raise DefaultNotRead(parameter.name) from None
    return found
