"""The object of a method, taken apart: each of its attributes is a variable of the program, "self.scale".

An object is made anew for every run, so a run begins with what the constructor does, and nobody else has the object.
That holds for a class of the module that says all about itself: without base classes, metaclass and hooks of attribute
access, with a constructor of plain statements that needs no arguments (or a dataclass). Its methods are helper
functions that are given the attributes which they read; one that assigns attributes is read only as the mechanism.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import libcst as cst

from dplint.claims import Mechanism
from dplint.source.bindings import bound_names, statements
from dplint.source.certain import CertainNames, ModuleFacts
from dplint.source.module_names import dotted_name
from dplint.source.walking import nodes_below

CONSTRUCTOR = "__init__"
LOGGER_MAKER = "logging.getLogger"
_DATACLASS = "dataclasses.dataclass"
_BASES = frozenset({"object", "ABC", "abc.ABC"})
_HOOKS = frozenset(
    """
    __new__ __getattr__ __getattribute__ __setattr__ __delattr__ __init_subclass__ __post_init__ __set_name__
    """.split()  # noqa: SIM905 - a word a line would be longer
)
_PROPERTY, _STATIC = frozenset({"property"}), frozenset({"staticmethod"})


@dataclass(frozen=True)
class Taken:
    """The object of a mechanism. facts: of the module of its class."""

    facts: ModuleFacts
    node: cst.ClassDef
    _cut: dict[str, cst.FunctionDef] = field(default_factory=dict)

    @cached_property
    def methods(self) -> Mapping[str, cst.FunctionDef]:
        """All functions of its body."""
        return {one.name.value: one for one in statements(self.node.body) if isinstance(one, cst.FunctionDef)}

    @cached_property
    def fields(self) -> Mapping[str, cst.BaseExpression]:
        """What the body of the class assigns, by name."""
        found: dict[str, cst.BaseExpression] = {}
        for one in statements(self.node.body):
            match one:
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                    found[name] = value
                case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                    found[name] = value
        return found

    @cached_property
    def loggers(self) -> frozenset[str]:
        """Attributes that hold a logger all the time: the class or its constructor makes it, and nobody else."""
        given = [*self.fields.items()]
        for one in statements(self.methods[CONSTRUCTOR].body) if CONSTRUCTOR in self.methods else ():
            match one:
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(attr=attribute))], value=value):
                    given.append((attribute.value, value))
        assigned = (name for method in self.methods.values() for name in assigned_of_self(method))
        times = Counter([*self.fields, *assigned])
        return frozenset(name for name, value in given if times[name] == 1 and self.full_name(value) == LOGGER_MAKER)

    @property
    def is_dataclass(self) -> bool:
        """Whether its constructor is made of its fields."""
        return bool(self.node.decorators)

    def called(self, method: str) -> frozenset[str]:
        """A method and all that it calls, or reads as a property, of the same object."""
        pending, seen = [method], {method}
        while pending:
            new = {name for name in _read_of_self(self.methods[pending.pop()]) if name in self.methods} - seen
            seen |= new
            pending += new
        return frozenset(seen)

    def attributes(self, method: str) -> frozenset[str]:
        """The attributes that a method reads, itself and by the methods that it calls."""
        read = {name for one in self.called(method) for name in _read_of_self(self.methods[one])}
        return frozenset(read - self.methods.keys())

    def assigned(self, method: str) -> frozenset[str]:
        """The attributes that a method assigns, itself and by the methods that it calls."""
        return frozenset(name for one in self.called(method) for name in assigned_of_self(self.methods[one]))

    def kind(self, method: str) -> frozenset[str]:
        """Its decorators."""
        return frozenset(dotted_name(one.decorator) or "" for one in self.methods[method].decorators)

    def is_property(self, name: str) -> bool:
        """Whether reading the attribute calls a method."""
        return name in self.methods and self.kind(name) == _PROPERTY

    def is_function(self, name: str) -> bool:
        """Whether a method is called as a function of its parameters."""
        return self.kind(name) in (frozenset(), _STATIC)

    def full_name(self, node: cst.BaseExpression) -> str:
        """The full name of what is called, or of a name, outside of all functions."""
        name = dotted_name(node.func if isinstance(node, cst.Call) else node) or ""
        return self.facts.names.full_name(name)

    def function(self, method: str) -> cst.FunctionDef:
        """A method as a function of its parameters but the first, without decorators."""
        if method not in self._cut:
            node = self.methods[method]
            params = node.params
            if self.kind(method) != _STATIC:
                several = {"posonly_params": params.posonly_params[1:]} if params.posonly_params else {}
                params = params.with_changes(**(several or {"params": params.params[1:]}))
            self._cut[method] = node.with_changes(params=params, decorators=())
        return self._cut[method]


def taken_apart(mechanism: Mechanism, facts: ModuleFacts, elsewhere: CertainNames) -> Taken | None:
    """The object that a mechanism is a method of; None if it needs none, or if that is not to be seen through."""
    receiver = mechanism.receiver
    if receiver is None or not receiver.method:
        return None
    name = receiver.factory.removeprefix(":")
    if receiver.takes is not None or receiver.attribute is not None or mechanism.qualname.rpartition(".")[0] != name:
        return None
    found = [one for one in facts.tree.body if isinstance(one, cst.ClassDef) and one.name.value == name]
    if len(found) != 1 or elsewhere.may_change(name) or name not in facts.names.bound:
        return None
    taken = Taken(facts, found[0])
    certain = not any(elsewhere.may_change(one) for one in taken.methods)
    return taken if certain and _is_plain(taken) else None


def self_of(node: cst.FunctionDef) -> str:
    """The name of a method's first parameter."""
    first = [*node.params.posonly_params, *node.params.params][:1]
    return first[0].name.value if first else ""


def _is_plain(taken: Taken) -> bool:
    """Whether its body says all about it."""
    node, methods = taken.node, taken.methods
    bases = all(dotted_name(one.value) in _BASES for one in node.bases)
    decorated = [taken.full_name(one.decorator) for one in node.decorators]
    if not bases or node.keywords or any(name != _DATACLASS for name in decorated) or _HOOKS & methods.keys():
        return False
    if (taken.is_dataclass and CONSTRUCTOR in methods) or not _says_each_once(taken):
        return False
    return CONSTRUCTOR not in methods or not _has_more(methods[CONSTRUCTOR])


def _says_each_once(taken: Taken) -> bool:
    """Whether its body is functions and assignments of single names, each name bound once, beside docstrings."""
    body = list(statements(taken.node.body))
    plain = [one for one in body if not isinstance(one, cst.Expr | cst.Pass)]
    bare = sum(isinstance(one, cst.AnnAssign) and one.value is None for one in plain)
    return len(plain) - bare == len(taken.methods.keys() | taken.fields.keys())


def _has_more(constructor: cst.FunctionDef) -> bool:
    """Whether a constructor has variables of its own, which are not those of the method, or an end before its end."""
    barred = (cst.FunctionDef, cst.Lambda, cst.Return, cst.Yield)
    return any(isinstance(one, barred) for one in nodes_below(constructor.body)) or bool(bound_names(constructor.body))


def _read_of_self(method: cst.FunctionDef) -> Iterator[str]:
    name = self_of(method)
    for one in nodes_below(method.body):
        if isinstance(one, cst.Attribute) and isinstance(one.value, cst.Name) and one.value.value == name:
            yield one.attr.value


def assigned_of_self(method: cst.FunctionDef) -> Iterator[str]:
    """The attributes that a method assigns to its object, as often as it does."""
    name = self_of(method)
    for one in nodes_below(method.body):
        targets: Sequence[cst.BaseExpression] = ()
        if isinstance(one, cst.Assign):
            targets = [target.target for target in one.targets]
        elif isinstance(one, cst.AnnAssign | cst.AugAssign | cst.For):
            targets = [one.target]
        for target in targets:
            for part in nodes_below(target):
                if isinstance(part, cst.Attribute) and isinstance(part.value, cst.Name) and part.value.value == name:
                    yield part.attr.value
