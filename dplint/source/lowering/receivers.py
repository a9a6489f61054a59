"""The object that a method which is a mechanism is called of: made by its class, or by a function that only makes one.

The data may be what makes it is given, or an attribute that is given to it then. Either is a parameter of the program,
by the name that the mechanism has for it: `make.rows`, `self.rows`. What the constructor gave to such an attribute
before has another name, which nothing else asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from dplint.claims import Mechanism
from dplint.program.nodes import Name, Statement
from dplint.program.variables import numbered
from dplint.program.walk import rebuilt
from dplint.source.bindings import all_parameters, bound_names, statements
from dplint.source.lowering.bodies import constructed
from dplint.source.lowering.helpers import Helpers
from dplint.source.lowering.object_classes import self_of
from dplint.source.lowering.scope import Instance, Scope, top_level_names
from dplint.source.module import ParsedModule
from dplint.source.walking import is_text

_BEFORE = 2
"""Tells what an attribute was made as from what it is given."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a run begins with, and the object, None if it is not taken apart. data: whether it holds the data."""

    before: tuple[Statement, ...] = ()
    whole: Instance | None = None
    data: bool = False


def made_object(function: cst.FunctionDef, module: ParsedModule, mechanism: Mechanism, helpers: Helpers) -> Made:
    """The object of a mechanism."""
    receiver = mechanism.receiver
    maker = None if receiver is None or not receiver.method else _maker(mechanism, module, helpers, receiver.factory)
    if (
        receiver is None
        or receiver.given
        or receiver.missing
        or maker is None
        or self_of(function) in bound_names(function.body)
    ):
        return Made()
    taken = {} if receiver.takes is None else {receiver.takes.name: f"make.{receiver.takes.name}"}
    if isinstance(maker, cst.Name) and taken:
        return Made()
    before, whole = constructed(maker, module, helpers, taken)
    if whole is None or receiver.attribute is None:
        return Made(before, whole, whole is not None and mechanism.data in taken.values())
    attribute = whole.variable(receiver.attribute)
    held = receiver.attribute in whole.made.attributes and receiver.attribute not in whole.parts
    if attribute != mechanism.data or not held or receiver.attribute in whole.streams:
        return Made()
    return Made(_renamed(before, attribute), whole, data=True)


def _maker(mechanism: Mechanism, module: ParsedModule, helpers: Helpers, factory: str) -> cst.Name | cst.Call | None:
    """The class of the mechanism, or the call of it that a function of the module does, and nothing else."""
    place, _, name = factory.rpartition(":")
    owner = mechanism.qualname.rpartition(".")[0]
    defined = [one for one in module.tree.body if isinstance(one, cst.ClassDef | cst.FunctionDef)]
    classes = [one for one in defined if isinstance(one, cst.ClassDef) and one.name.value == owner]
    found = [one for one in defined if one.name.value == name]
    if place not in ("", mechanism.module) or len(found) != 1 or len(classes) != 1:
        return None
    if isinstance(found[0], cst.ClassDef):
        return found[0].name if name == owner else None
    around = Scope(module, top_level_names(module.tree), frozenset(), frozenset(), {}, helpers.elsewhere)
    certain = around.helper(found[0].name)
    return _only_call(found[0], owner) if certain is not None and certain[1] is found[0] else None


def _only_call(node: cst.FunctionDef, owner: str) -> cst.Call | None:
    """`return Counter(10)`, where a function does nothing but that."""
    if node.asynchronous is not None or node.decorators or any(one.default is not None for one in all_parameters(node)):
        return None
    inside = [one for one in statements(node.body) if not is_text(one)]
    match inside:
        case [cst.Return(value=cst.Call(func=cst.Name(value=name)) as call)] if name == owner:
            return call
    return None


def _renamed(before: Sequence[Statement], name: str) -> tuple[Statement, ...]:
    other = numbered(name, _BEFORE)

    def change(node: Any) -> Name | None:
        return Name(other, node.span) if isinstance(node, Name) and node.id == name else None

    renamed: tuple[Statement, ...] = rebuilt(tuple(before), change)
    return renamed
