"""Classes of the project that say all about their objects, so that these can be taken apart where they are made.

Such a class has functions, constants and fields in its body, one base class of that kind or none, no metaclass and no
hooks of attribute access. What its objects hold is what its methods assign to attributes, and the fields of a
dataclass. That nobody gives a method to something else is asked of `CertainNames`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from dplint.claims import Literal
from dplint.source.bindings import all_parameters, dotted_name, statements, static_value
from dplint.source.certain import ModuleFacts
from dplint.source.static_values import NotStaticError
from dplint.source.walking import nodes_below

CONSTRUCTOR = "__init__"
AFTER_FIELDS = "__post_init__"
LOGGER_MAKER = "logging.getLogger"
PLAIN, STATIC, OF_CLASS, PROPERTY, UNKNOWN = "", "staticmethod", "classmethod", "property", "?"
CONTEXT = "contextlib.contextmanager"
_ABSTRACT = frozenset({"abc.abstractmethod", "typing.override", "typing.final", "typing_extensions.override"})
BASES = frozenset({"object", "abc.ABC", "typing.Protocol"})
_GENERIC = frozenset({"typing.Generic", "typing.Protocol"})
_HOOKS = frozenset(
    """
    __new__ __getattr__ __getattribute__ __setattr__ __delattr__ __init_subclass__ __set_name__ __del__
    """.split()  # noqa: SIM905 - a word a line would be longer
)
_SETTINGS = frozenset({"frozen", "slots", "order", "eq", "repr", "kw_only"})
NAMED_TUPLE = "typing.NamedTuple"


@dataclass(frozen=True, slots=True)
class Method:
    """A function of a class: of the class at that place among the classes of the object, the object's own first."""

    facts: ModuleFacts
    node: cst.FunctionDef
    kind: str
    place: int


@dataclass(frozen=True)
class ObjectClass:
    """A class whose objects can be taken apart. bodies: its own and those of its bases, each with its module.

    records: for each of these whether it is a dataclass; frozen: whether attributes can be assigned.
    """

    name: str
    bodies: tuple[tuple[ModuleFacts, cst.ClassDef], ...]
    records: tuple[bool, ...]
    frozen: bool

    @cached_property
    def methods(self) -> Mapping[str, Method]:
        """Its methods by name."""
        return dict(reversed([*self.methods_from(0)]))

    def methods_from(self, place: int) -> Iterator[tuple[str, Method]]:
        """The methods of the class at a place and of those behind it, nearest first."""
        for number, (facts, node) in enumerate(self.bodies):
            for one in statements(node.body) if number >= place else ():
                if isinstance(one, cst.FunctionDef):
                    yield one.name.value, Method(facts, one, kind_of_method(facts, one), number)

    def method(self, name: str, place: int = 0) -> Method | None:
        """The method of that name, of the classes from a place on; None if there is none."""
        if place == 0:
            return self.methods.get(name)
        return next((one for other, one in self.methods_from(place) if other == name), None)

    @cached_property
    def fields(self) -> Mapping[str, tuple[ModuleFacts, cst.BaseExpression | None]]:
        """The fields of a dataclass with their defaults, in the order of its constructor."""
        found: dict[str, tuple[ModuleFacts, cst.BaseExpression | None]] = {}
        for (facts, node), is_record in zip(reversed(self.bodies), reversed(self.records), strict=True):
            for name, value in _annotated(facts, node) if is_record else ():
                found[name] = (facts, value)
        return found

    @property
    def plain_fields(self) -> bool:
        """Whether the constructor of a dataclass takes all its fields, by position too."""
        for facts, node in self.bodies if any(self.records) else ():
            for one in statements(node.body):
                text = facts.tree.code_for_node(one.annotation.annotation) if isinstance(one, cst.AnnAssign) else ""
                made = one.value.args if isinstance(one, cst.AnnAssign) and isinstance(one.value, cst.Call) else ()
                words = {arg.keyword.value for arg in made if arg.keyword is not None}
                if "InitVar" in text or "KW_ONLY" in text or words & {"init", "kw_only"}:
                    return False
        return True

    @cached_property
    def by_keyword(self) -> bool:
        """Whether some of its fields are given by keyword alone; others may be, too, but then order says nothing."""
        nodes = (one.decorator for _, node in self.bodies for one in node.decorators)
        words = (arg.keyword for one in nodes if isinstance(one, cst.Call) for arg in one.args)
        return any(one is not None and one.value == "kw_only" for one in words)

    @cached_property
    def attributes(self) -> frozenset[str]:
        """What its objects hold."""
        return frozenset(self._assigned) - self.loggers

    @cached_property
    def several(self) -> frozenset[str]:
        """Attributes that are assigned in more than one place."""
        return frozenset(name for name, times in self._assigned.items() if times > 1)

    @cached_property
    def _assigned(self) -> Counter[str]:
        """How often its methods and fields assign each attribute."""
        by_methods = (name for _, one in self.methods_from(0) for name, _ in assigned_of_self(one.node))
        return Counter([*by_methods, *self.fields])

    @cached_property
    def loggers(self) -> frozenset[str]:
        """Attributes that hold a logger all the time: a class or a constructor makes it, and nobody else."""
        given = [(name, facts, value) for facts, node in self.bodies for name, value in values(node)]
        made = [one for _, one in self.methods_from(0) if one.node.name.value == CONSTRUCTOR]
        given += [(name, one.facts, value) for one in made for name, value in assigned_of_self(one.node)]
        times = Counter(name for name, _, _ in given) | self._assigned
        calls = ((name, facts, value) for name, facts, value in given if isinstance(value, cst.Call))
        return frozenset(
            name for name, facts, one in calls if times[name] == 1 and full(facts, one.func) == LOGGER_MAKER
        )

    def static(self, facts: ModuleFacts, node: cst.BaseExpression) -> tuple[Literal] | None:
        """The value of an expression in the body of a class, None where it cannot be read or may be changed."""
        try:
            found = static_value(facts.tree, node, facts.names)
        except NotStaticError:
            return None
        return None if isinstance(found, list | dict) else (found,)


def is_named_tuple(made: ObjectClass) -> bool:
    """Whether its objects are tuples, too."""
    return any(full(facts, base.value) == NAMED_TUPLE for facts, node in made.bodies for base in node.bases)


def bases_with_something(facts: ModuleFacts, node: cst.ClassDef) -> list[cst.BaseExpression]:
    """The base classes of a class that objects have something of: `Generic[T]` is there for type checkers alone."""

    def is_empty(base: cst.BaseExpression) -> bool:
        if isinstance(base, cst.Subscript):
            return full(facts, base.value) in _GENERIC
        return full(facts, base) in BASES | {NAMED_TUPLE}

    return [one.value for one in node.bases if not is_empty(one.value)]


def own(node: cst.ClassDef) -> set[str]:
    """The names of its functions."""
    return {one.name.value for one in statements(node.body) if isinstance(one, cst.FunctionDef)}


def is_plain(facts: ModuleFacts, node: cst.ClassDef) -> bool:
    """Whether its body has nothing but functions of known kinds, and names that are each bound once."""
    if node.keywords and not all(full(facts, one.value) == "abc.ABCMeta" for one in node.keywords):
        return False
    names: list[str] = []
    for one in statements(node.body):
        match one:
            case cst.FunctionDef(name=cst.Name(value=name)):
                if name in _HOOKS:
                    return False
                names.append(name)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
                names.append(name)
            case cst.AnnAssign(target=cst.Name(value=name)):
                names.append(name)
            case cst.Pass() | cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString() | cst.Ellipsis()):
                pass
            case _:
                return False
    return len(set(names)) == len(names)


def kind_of_method(facts: ModuleFacts, node: cst.FunctionDef) -> str:
    """How a method is called; UNKNOWN where a decorator has a say that is not known."""
    kinds = [full(facts, one.decorator) for one in node.decorators]
    known = [one for one in kinds if one not in _ABSTRACT]
    if node.asynchronous is not None:
        return UNKNOWN
    if not known:
        return PLAIN
    return known[0] if len(known) == 1 and known[0] in (STATIC, OF_CLASS, PROPERTY, CONTEXT) else UNKNOWN


def is_record(facts: ModuleFacts, node: cst.ClassDef) -> str | None:
    """What kind of record it makes: empty for none, "frozen" or "plain"; None where a decorator is not known."""
    if not node.decorators:
        return "frozen" if any(full(facts, one.value) == NAMED_TUPLE for one in node.bases) else ""
    made = node.decorators[0].decorator
    settings = made.args if isinstance(made, cst.Call) else ()
    given = {"" if one.keyword is None else one.keyword.value: dotted_name(one.value) for one in settings}
    called = made.func if isinstance(made, cst.Call) else made
    if len(node.decorators) > 1 or full(facts, called) != "dataclasses.dataclass" or not given.keys() <= _SETTINGS:
        return None
    if any(value not in ("True", "False") for value in given.values()):
        return None
    return "frozen" if given.get("frozen") == "True" else "plain"


def _annotated(facts: ModuleFacts, node: cst.ClassDef) -> Iterator[tuple[str, cst.BaseExpression | None]]:
    for one in statements(node.body):
        if isinstance(one, cst.AnnAssign) and isinstance(one.target, cst.Name) and not _is_of_class(facts, one):
            yield one.target.value, one.value


def _is_of_class(facts: ModuleFacts, node: cst.AnnAssign) -> bool:
    """Whether an annotation says `ClassVar`."""
    return "ClassVar" in facts.tree.code_for_node(node.annotation.annotation)


def values(node: cst.ClassDef) -> Iterator[tuple[str, cst.BaseExpression | None]]:
    """What its body assigns, by name."""
    for one in statements(node.body):
        match one:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                yield name, value
            case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                yield name, value


def full(facts: ModuleFacts, node: cst.BaseExpression) -> str:
    """The full name of what is imported or built in, empty for what the module makes itself."""
    dotted = dotted_name(node) or ""
    first = dotted.partition(".")[0]
    own = first in facts.names.bound and first not in facts.names.aliases
    return "" if own else facts.names.full_name(dotted)


def self_of(node: cst.FunctionDef) -> str:
    """The name of a method's first parameter."""
    first = [*node.params.posonly_params, *node.params.params][:1]
    return first[0].name.value if first else ""


def assigned_of_self(method: cst.FunctionDef) -> Iterator[tuple[str, cst.BaseExpression | None]]:
    """The attributes that a method assigns to its object, as often as it does, with the value where it has one."""
    name = self_of(method)
    for one in nodes_below(method.body):
        targets: Sequence[cst.BaseExpression] = ()
        if isinstance(one, cst.Assign):
            targets = [target.target for target in one.targets]
        elif isinstance(one, cst.AnnAssign | cst.AugAssign | cst.For | cst.CompFor | cst.Del):
            targets = [one.target]
        elif isinstance(one, cst.AsName):
            targets = [one.name]
        for target in targets:
            for part in _parts(target):
                if isinstance(part, cst.Attribute) and isinstance(part.value, cst.Name) and part.value.value == name:
                    whole = one.value if isinstance(one, cst.Assign | cst.AnnAssign) and part is target else None
                    yield part.attr.value, whole


def _parts(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a target gives values to."""
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _parts(element.value)
    else:
        yield target


def without_first(node: cst.FunctionDef) -> cst.FunctionDef:
    """A method as a function of its other parameters, without decorators."""
    params = node.params
    several = {"posonly_params": params.posonly_params[1:]} if params.posonly_params else {}
    return node.with_changes(params=params.with_changes(**(several or {"params": params.params[1:]})), decorators=())


def has_scopes(node: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether a function makes classes, yields, or binds names of others."""
    own = (cst.NamedExpr,) if isinstance(node, cst.Lambda) else ()
    barred = (cst.ClassDef, cst.Yield, cst.Await, cst.Global, cst.Nonlocal, *own)
    return any(isinstance(one, barred) for one in nodes_below(node.body))


def makes_defaults(node: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether one of its defaults is a function that is made where it is."""
    return any(isinstance(one.default, cst.Lambda) for one in all_parameters(node))


def is_super(node: cst.BaseExpression) -> bool:
    """Whether it is `super()`."""
    match node:
        case cst.Call(func=cst.Name(value="super"), args=[]):
            return True
    return False
