"""The arguments of a program as objects, as the runner makes those of the function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dplint.claims import Literal, Mechanism
from dplint.inputs.defaults import DefaultNotRead, default_of
from dplint.inputs.forms import PROGRAM_FORMS
from dplint.program.nodes import Program
from dplint.runner.client import DataValue
from dplint.runner.data_forms import DataForms
from dplint.runner.literals import encode


class NotPlain(Exception):
    """An argument is an object that only the user's interpreter has; says which."""


def program_arguments(
    program: Program, mechanism: Mechanism, data: DataValue, arguments: Mapping[str, Literal]
) -> dict[str, Any]:
    """A value for each parameter of the program, defaults filled in. Raises NotPlain."""
    given: dict[str, Any] = dict(arguments)
    for name in arguments:
        if mechanism.parameter(name) is not None and name not in program.parameters and name not in mechanism.roles:
            raise NotPlain(f"its parameter {name} is read as its default, and given something else")
    if mechanism.data is not None:
        if data.handle is not None or data.form not in PROGRAM_FORMS:
            raise NotPlain("its data are objects that only the user's interpreter has")
        spec = {"value": encode(data.value), "form": data.form, "handle": None}
        (value,) = DataForms().build([spec], ())
        given[mechanism.data] = value
    for name in program.parameters:
        if name not in given:
            given[name] = _default(mechanism, name)
    return given


def _default(mechanism: Mechanism, name: str) -> Any:
    parameter = mechanism.parameter(name)
    try:
        return None if parameter is None else default_of(parameter)
    except DefaultNotRead:
        raise NotPlain(f"the default of its parameter {name} is not a plain value") from None
