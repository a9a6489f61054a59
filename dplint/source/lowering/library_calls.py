"""Calls of functions of which a library promises something: `diffprivlib.tools.mean(...)`, `mechanism.randomise(x)`.

No program has them, for it is not said how they draw. What they are given is lowered, so that a proof may rest on what
is promised (`Opaque.promised`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from dplint.program.library_claims import DISTANCE, of_function, of_mechanism
from dplint.program.nodes import Assign, Constant, Name, Pass, Statement
from dplint.source.lowering.measurements import Measurements
from dplint.source.lowering.reader import Promised, Reader
from dplint.source.lowering.scope import Scope

_METHOD = "randomise"


class LibraryCalls:
    """Says of refused calls what they are given, and keeps what makes a mechanism of a library."""

    def __init__(self, reader: Reader, parameters: Mapping[str, cst.BaseExpression]) -> None:
        """parameters: those of the mechanism that are only called, with their defaults."""
        self._reader = reader
        self._measurements = Measurements(reader, parameters)
        self._scope = reader.scope
        reader.promised = self.promised

    def promised(self, node: cst.BaseExpression) -> Promised | None:
        """What a call is given, where a library promises something of it; None for all others."""
        if not isinstance(node, cst.Call):
            return None
        full = _full_name(self._scope, node.func)
        claim = of_function(full)
        if claim is not None and claim.relation != DISTANCE:
            given = _given(claim.parameters, node.args)
            if given is None or not {claim.parameters[0], *claim.required} <= given.keys():
                return None
            return full, tuple((key, _numbers(one)) for key, one in given.items())
        match node.func:
            case cst.Attribute(value=maker, attr=cst.Name(value=name)) if name == _METHOD:
                return self._of_mechanism(maker, node.args)
        return self._measurements.promised(node)

    def _of_mechanism(self, maker: cst.BaseExpression, passed: Sequence[cst.Arg]) -> Promised | None:
        value = _given(("value",), passed)
        if value is None or "value" not in value:
            return None
        if isinstance(maker, cst.Name):
            kept = self._scope.mechanisms.get(self._scope.local(maker.value) or "")
            return None if kept is None else (kept[0], (*value.items(), *kept[1]))
        made = self._made(maker)
        return None if made is None else (made[0], (*made[1].items(), *value.items()))

    def kept(self, name: str, node: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`name = diffprivlib.mechanisms.Laplace(...)`: what it is given, in variables of their own."""
        made = self._made(node)
        if made is None:
            return None
        span, lowered = self._reader.span(node), {key: self._reader.expression(one) for key, one in made[1].items()}
        kept = {key: one if isinstance(one, Constant) else Name(f"{name}[{key}]", span) for key, one in lowered.items()}
        self._scope.mechanisms[name] = (made[0], tuple(kept.items()))
        assigned = [Assign((one,), lowered[key], span) for key, one in kept.items() if isinstance(one, Name)]
        return tuple(assigned) or (Pass(span),)

    def _made(self, node: cst.BaseExpression) -> tuple[str, dict[str, cst.BaseExpression]] | None:
        """A mechanism with all that its claim needs, each by its name."""
        if not isinstance(node, cst.Call):
            return None
        full = _full_name(self._scope, node.func)
        claim = of_mechanism(full)
        if claim is None or any(one.keyword is None for one in node.args):
            return None
        given = _given(claim.parameters[1:], node.args)
        return None if given is None or given.keys() != {*claim.parameters[1:]} else (full, given)


def _full_name(scope: Scope, node: cst.BaseExpression) -> str:
    """What is called, by its full name; empty where the project has a module of the library's name."""
    full = scope.canonical(node) or ""
    return "" if scope.elsewhere.has_module(full.partition(".")[0]) else full


def _numbers(node: cst.BaseExpression) -> cst.BaseExpression:
    """The column whose numbers `column.to_numpy()` gives as an array."""
    match node:
        case cst.Call(func=cst.Attribute(value=column, attr=cst.Name(value="to_numpy")), args=[]):
            return column
    return node


def _given(names: Sequence[str], passed: Sequence[cst.Arg]) -> dict[str, cst.BaseExpression] | None:
    """Arguments by the names of parameters; None where there are others."""
    given: dict[str, cst.BaseExpression] = {}
    for place, one in enumerate(passed):
        name = one.keyword.value if one.keyword is not None else "".join(names[place : place + 1])
        if one.star or name not in names or name in given:
            return None
        given[name] = one.value
    return given
