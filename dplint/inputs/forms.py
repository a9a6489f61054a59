"""How data is handed to a mechanism: needs the standard library alone, as the reports want to know it too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dplint.claims import Mechanism
from dplint.relations import DataKind, relation_of

if TYPE_CHECKING:
    from dplint.runner.batch import Form

AS_ARRAY = "the data is passed as a NumPy array"
"""Begins the note of an audit whose mechanism could not take the list that its annotation, or none, stands for."""
_FORMS: tuple[tuple[str, Form], ...] = (
    ("DataFrame", "frame"),
    ("ndarray", "array"),
    ("NDArray", "array"),
    ("tuple", "tuple"),
)
_SCALARS = ("int", "float", "bool", "str", "complex")


def data_form(mechanism: Mechanism) -> Form:
    """How the data is handed to the function: "scalar", "array", "frame", "tuple" or "list", by the annotation."""
    annotation = data_annotation(mechanism)
    if relation_of(mechanism.claim).data is DataKind.VALUE:
        return "scalar"
    if annotation in _SCALARS:
        return "scalar"
    for word, form in _FORMS:
        if word.lower() in annotation.lower():
            return form
    return "list"


def data_annotation(mechanism: Mechanism) -> str:
    """The annotation of the data parameter as source text without quotes, empty if there is none."""
    parameter = mechanism.parameter(mechanism.data) if mechanism.data else None
    return (parameter.annotation or "").strip("\"'") if parameter else ""
