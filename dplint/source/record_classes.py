"""Dataclasses and named tuples whose constructor is seen to do nothing but keep what it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from dplint.claims import Literal
from dplint.source.bindings import dotted_name, statements, static_value
from dplint.source.certain import ModuleFacts
from dplint.source.static_values import NotStaticError

_DATACLASS, _NAMED_TUPLE, _FACTORY = "dataclasses.dataclass", "typing.NamedTuple", "collections.namedtuple"
_SETTINGS = frozenset({"frozen", "slots", "order", "eq", "repr"})
"""Arguments of `dataclass` that change neither its constructor nor its fields."""
_FACTORIES = ("ClassVar", "InitVar")


@dataclass(frozen=True, slots=True)
class RecordClass:
    """A class of records. fields: in the order of its constructor. defaults: of some of them. frozen: for good."""

    name: str
    fields: tuple[str, ...]
    defaults: Mapping[str, Literal]
    frozen: bool


def record_class(facts: ModuleFacts, node: cst.ClassDef) -> RecordClass | None:
    """A class as a class of records; None if its constructor is, or may be, more than its fields."""
    decorators = [one.decorator for one in node.decorators]
    bases = [facts.names.full_name(dotted_name(one.value) or "") for one in node.bases]
    if bases == [_NAMED_TUPLE] and not decorators:
        frozen: bool | None = True
    else:
        frozen = _frozen(facts, decorators[0]) if len(decorators) == 1 and bases in ([], ["object"]) else None
    fields = None if frozen is None or node.keywords else _fields(facts, node)
    return None if fields is None or frozen is None else RecordClass(node.name.value, *fields, frozen)


def named_tuple(facts: ModuleFacts, made: cst.Call) -> RecordClass | None:
    """The class that `namedtuple("Release", ["value", "scale"])` makes; None for all other calls."""
    if facts.names.full_name(dotted_name(made.func) or "") != _FACTORY or len(made.args) != 2:
        return None
    if any(one.star or one.keyword is not None for one in made.args):
        return None
    try:
        name, listed = (static_value(facts.tree, one.value, facts.names) for one in made.args)
    except NotStaticError:
        return None
    fields = listed.replace(",", " ").split() if isinstance(listed, str) else listed
    if not isinstance(name, str) or not isinstance(fields, list | tuple) or not fields:
        return None
    names = tuple(one for one in fields if isinstance(one, str) and one.isidentifier() and not one.startswith("_"))
    return RecordClass(name, names, {}, frozen=True) if len(set(names)) == len(fields) else None


def _frozen(facts: ModuleFacts, decorator: cst.BaseExpression) -> bool | None:
    """Whether a decorator makes a dataclass whose fields cannot be assigned; None for another decorator."""
    settings = decorator.args if isinstance(decorator, cst.Call) else ()
    made = decorator.func if isinstance(decorator, cst.Call) else decorator
    names = {one.keyword.value: one.value for one in settings if one.keyword is not None}
    if facts.names.full_name(dotted_name(made) or "") != _DATACLASS or len(names) != len(settings):
        return None
    if not names.keys() <= _SETTINGS:
        return None
    value = names.get("frozen")
    return value is not None and not (isinstance(value, cst.Name) and value.value == "False")


def _fields(facts: ModuleFacts, node: cst.ClassDef) -> tuple[tuple[str, ...], dict[str, Literal]] | None:
    """The fields and their defaults; None where the body has anything else that may have a say."""
    names: list[str] = []
    defaults: dict[str, Literal] = {}
    for one in statements(node.body):
        match one:
            case cst.AnnAssign(target=cst.Name(value=name), annotation=annotation, value=value):
                text = facts.tree.code_for_node(annotation.annotation)
                if name in names or any(word in text for word in _FACTORIES):
                    return None
                names.append(name)
                if value is not None:
                    try:
                        defaults[name] = static_value(facts.tree, value, facts.names)
                    except NotStaticError:
                        return None
            case cst.FunctionDef(name=cst.Name(value=name)) if not name.startswith("__"):
                if name in names:
                    return None
            case cst.Pass() | cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
                pass
            case _:
                return None
    plain = not any(isinstance(value, list | dict) for value in defaults.values())
    return (tuple(names), defaults) if names and plain else None
