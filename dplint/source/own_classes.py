"""The classes of a project as their source has them: what a constructor takes, and what another method has to prepare.

Bases are followed through imports, as far as the project has them. A method prepares an object if it alone gives a
value to an attribute that another one reads: the constructor does not, or only a constant that stands for nothing yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from dplint.claims import Parameter, ParameterKind
from dplint.source.bindings import dotted_name
from dplint.source.module import ParsedModule
from dplint.source.parameters import is_variadic, read_parameters
from dplint.source.project import ProjectIndex
from dplint.source.walking import nodes_below

_PLAIN_BASES = frozenset({"object", "ABC", "abc.ABC", "Generic", "typing.Generic", "Protocol", "typing.Protocol"})
"""Base classes whose constructors take no arguments."""
_DATACLASSES = frozenset({"dataclass", "dataclasses.dataclass", "define", "attrs.define", "attr.s", "attr.dataclass"})
_CONSTRUCTORS = ("__init__", "__new__")
_CALLED_BY_THEM = ("__post_init__", "__attrs_post_init__")
_UNREAD = frozenset({"setattr", "vars", "__dict__"})
"""What gives attributes values that nobody sees."""
_DEEPEST = 8
_GENERATORS = frozenset({"default_rng", "RandomState", "Random"})
_NOTHING = frozenset({"None", "0", "0.0"})
"""What a constructor gives an attribute that gets its value later. An empty container is a beginning."""


@dataclass(frozen=True, slots=True)
class Preparer:
    """A method that gives attributes values which another one reads.

    taken: what it takes, but the object. seeds: whether it may seed a generator, so that all objects draw the same.
    """

    name: str
    taken: tuple[Parameter, ...]
    sets: frozenset[str]
    seeds: bool


@dataclass(frozen=True, slots=True)
class OwnClass:
    """A class, the module that has it, and where other modules are found."""

    node: cst.ClassDef
    module: ParsedModule
    index: ProjectIndex

    def bases(self) -> Iterator[OwnClass | None]:
        """Its base classes but those that take nothing, None for one that the project does not have."""
        for one in self.node.bases:
            name = dotted_name(one.value.value if isinstance(one.value, cst.Subscript) else one.value) or ""
            if name not in _PLAIN_BASES:
                yield own_class(name, self.module, self.index)

    def constructor(self, depth: int = 0) -> list[Parameter] | None:
        """The parameters of its constructor; None where that is not to be seen."""
        body = list(statements(self.node.body.body))
        for statement in body:
            if isinstance(statement, cst.FunctionDef) and statement.name.value in _CONSTRUCTORS:
                return self.parameters(statement)
        needed: list[Parameter] = []
        for base in self.bases():
            inherited = None if base is None or depth > _DEEPEST else base.constructor(depth + 1)
            if inherited is None:
                return None
            needed += inherited
        if any(self._is_dataclass(item.decorator) for item in self.node.decorators):
            needed += [
                Parameter(
                    one.target.value, ParameterKind.NORMAL, self.module.tree.code_for_node(one.annotation.annotation)
                )
                for one in body
                if isinstance(one, cst.AnnAssign) and isinstance(one.target, cst.Name) and one.value is None
            ]
        return needed

    def _is_dataclass(self, node: cst.BaseExpression) -> bool:
        name = dotted_name(node.func if isinstance(node, cst.Call) else node) or ""
        return self.module.names.full_name(name) in _DATACLASSES

    def parameters(self, node: cst.FunctionDef) -> list[Parameter]:
        """Those of a method, without the object."""
        read = read_parameters(self.module.tree, node, self.module.names, bound=True)
        return [one for one in read if not is_variadic(one)]


def own_class(name: str, module: ParsedModule, index: ProjectIndex) -> OwnClass | None:
    """The class that a name means in a module, also one that it imports from another one of the project."""
    node = class_of(name, module)
    if node is not None:
        return OwnClass(node, module, index)
    holder = index.holder(module.names.full_name(name) or name)
    node = None if holder is None else class_of(holder.name, holder.module)
    return None if holder is None or node is None else OwnClass(node, holder.module, index)


def class_of(name: str, module: ParsedModule) -> cst.ClassDef | None:
    """The class of that qualified name in a module itself."""
    body: Sequence[cst.CSTNode] = module.tree.body
    found: cst.ClassDef | None = None
    for part in name.split("."):
        found = next(
            (one for one in statements(body) if isinstance(one, cst.ClassDef) and one.name.value == part), None
        )
        if found is None:
            return None
        body = found.body.body
    return found


def statements(body: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """The statements of a block, those that share a line one by one."""
    for one in body:
        if isinstance(one, cst.SimpleStatementLine):
            yield from one.body
        else:
            yield one


def preparers_of(owner: OwnClass, method: str, known: Set[str]) -> list[Preparer]:
    """What has to be called before a method of the class, in this order. known: attributes that are set otherwise."""
    return _Object(owner).preparers(method, known)


class _Object:
    """An object of a class: its methods, own ones before those of bases, and its attributes."""

    def __init__(self, owner: OwnClass) -> None:
        self._lines = list(_lineage(owner))
        self._methods: dict[str, tuple[cst.FunctionDef, OwnClass]] = {}
        self._of_class: set[str] = set()
        self._constructors: list[cst.FunctionDef] = []
        for one in self._lines:
            for statement in statements(one.node.body.body):
                if not isinstance(statement, cst.FunctionDef):
                    self._of_class |= {name for name, _ in _assigned(statement, "")}
                elif statement.name.value in (*_CONSTRUCTORS, *_CALLED_BY_THEM):
                    self._constructors.append(statement)
                else:
                    self._methods.setdefault(statement.name.value, (statement, one))

    def preparers(self, method: str, known: Set[str]) -> list[Preparer]:
        if method not in self._methods or self._is_unread:
            return []
        own = self._reached([self._methods[method][0]])
        needed = _read(own) - self._set - self._of_class - self._methods.keys() - known
        needed -= {name for node in own for name, _ in _assigned(node, _self(node))}
        needed -= self._placeholders & {name for node in own for name in (*_asked_for(node), *_counted_on(node))}
        found: list[Preparer] = []
        others = [
            self._preparer(node, owner)
            for node, owner in self._methods.values()
            if self._methods[method][0] not in self._reached([node]) and node not in own
            if not node.name.value.startswith("__")
        ]
        while useful := [one for one in others if one.sets & needed]:
            found.append(max(useful, key=lambda one: len(one.sets & needed)))
            needed -= found[-1].sets
        return found

    def _preparer(self, node: cst.FunctionDef, owner: OwnClass) -> Preparer:
        given = {} if node.decorators else dict(_assigned(node, _self(node)))
        words = {name: owner.module.tree.code_for_node(value) for name, value in given.items() if value is not None}
        placeholders = self._placeholders
        sets = {
            name
            for name, value in words.items()
            if f"{_self(node)}.{name}" not in value and not (name in placeholders and value in _NOTHING)
        }
        seeds = any(map(_seeds, self._reached([node])))
        return Preparer(node.name.value, tuple(owner.parameters(node)), frozenset(sets), seeds)

    @property
    def _is_unread(self) -> bool:
        """Whether what its constructor sets is not to be seen."""
        called = self._reached(self._constructors)
        words = {one.value for node in called for one in nodes_below(node.body) if isinstance(one, cst.Name)}
        foreign = any(base is None for one in self._lines for base in one.bases())
        return foreign or bool(words & _UNREAD)

    @cached_property
    def _given(self) -> dict[str, list[bool]]:
        """For each attribute that the constructor sets whether what it gives stands for nothing yet."""
        given: dict[str, list[bool]] = {}
        for node in self._reached(self._constructors):
            for name, value in _assigned(node, _self(node)):
                text = "" if value is None else cst.Module([]).code_for_node(value)
                given.setdefault(name, []).append(text in _NOTHING)
        return given

    @property
    def _placeholders(self) -> set[str]:
        return {name for name, given in self._given.items() if all(given)}

    @property
    def _set(self) -> set[str]:
        return {name for name, given in self._given.items() if not all(given)}

    def _reached(self, nodes: Sequence[cst.FunctionDef]) -> list[cst.FunctionDef]:
        """These and the methods that they call, as far as they go by the object."""
        todo, reached = list(nodes), list[cst.FunctionDef]()
        while todo:
            node = todo.pop()
            if node not in reached:
                reached.append(node)
                todo += [self._methods[name][0] for name in _read([node]) if name in self._methods]
        return reached


def _seeds(node: cst.FunctionDef) -> bool:
    called = [one for one in nodes_below(node.body) if isinstance(one, cst.Call)]
    names = [((dotted_name(one.func) or "").rpartition(".")[2], one.args) for one in called]
    return any("seed" in name or (name in _GENERATORS and args) for name, args in names)


def _lineage(owner: OwnClass, depth: int = 0) -> Iterator[OwnClass]:
    yield owner
    for base in owner.bases():
        if base is not None and depth < _DEEPEST:
            yield from _lineage(base, depth + 1)


def _self(node: cst.FunctionDef) -> str:
    first = [*node.params.posonly_params, *node.params.params]
    return first[0].name.value if first else ""


def _read(nodes: Sequence[cst.FunctionDef]) -> set[str]:
    """The attributes of the object that methods read or call."""
    return {
        one.attr.value
        for node in nodes
        for one in nodes_below(node.body)
        if isinstance(one, cst.Attribute) and isinstance(one.value, cst.Name) and one.value.value == _self(node)
    }


def _asked_for(node: cst.FunctionDef) -> Iterator[str]:
    """The attributes that a method asks whether they stand for nothing: it can do without."""
    for one in nodes_below(node.body):
        match one:
            case cst.Comparison(left=tested, comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot())]):
                pass
            case cst.If(test=tested) | cst.IfExp(test=tested) | cst.UnaryOperation(cst.Not(), tested):
                pass
            case cst.BooleanOperation(left=tested):
                pass
            case _:
                continue
        if (
            isinstance(tested, cst.Attribute)
            and isinstance(tested.value, cst.Name)
            and tested.value.value == _self(node)
        ):
            yield tested.attr.value


def _counted_on(node: cst.FunctionDef) -> Iterator[str]:
    """The attributes that a method adds to, or takes from, as they are."""
    for one in nodes_below(node.body):
        if isinstance(one, cst.AugAssign):
            yield from (name for name, _ in _place(one.target, _self(node), one.value))


def _assigned(node: cst.CSTNode, owner: str) -> Iterator[tuple[str, cst.BaseExpression | None]]:
    """The attributes of a name that statements give a value, or names where that is empty; of parts no value."""
    for one in nodes_below(node):
        if isinstance(one, cst.Assign):
            for target in one.targets:
                for place in nodes_below(target.target) if isinstance(target.target, cst.Tuple) else (target.target,):
                    yield from _place(place, owner, one.value)
        elif isinstance(one, cst.AnnAssign) and one.value is not None:
            yield from _place(one.target, owner, one.value)


def _place(node: cst.CSTNode, owner: str, value: cst.BaseExpression) -> Iterator[tuple[str, cst.BaseExpression | None]]:
    match node:
        case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=attribute)) if name == owner:
            yield attribute, value
        case cst.Name(value=name) if not owner:
            yield name, value
