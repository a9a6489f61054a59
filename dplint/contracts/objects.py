"""The object of a method: which of its attributes holds the data, and which hold what the data has no part in.

An attribute is understood if it is a field of a dataclass, or if the constructor alone gives it a value, once and
whatever happens; and if the class uses it as a number or a generator. All else that an object is asked for may show
the data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from dplint.claims import Mechanism
from dplint.distributions import GENERATOR, PYTHON, draw_signatures

_NUMBERS = frozenset({"abs", "float", "int", "max", "min", "range", "round"})
_DRAWS = frozenset(draw_signatures(GENERATOR)) | frozenset(draw_signatures(PYTHON))
_GENERATORS = frozenset(
    f"{module}.random.{name}" for module in ("np", "numpy") for name in ("default_rng", "Generator", "RandomState")
)
_PLAIN_BASES = frozenset({"object", "ABC", "abc.ABC"})
_DATACLASSES = frozenset({"dataclass", "dataclasses.dataclass"})


@dataclass(frozen=True, slots=True)
class Owner:
    """The class of a method.

    data: the attribute that holds the data, None if a parameter does. fields: attributes that hold no data, with the
    constant that each one is, None where it may be another for each object. given: all that it gives a value. once:
    attributes that get a value once, made without the data, with that value; of a parameter and of a field its type.
    """

    node: ast.ClassDef
    data: str | None
    fields: dict[str, ast.Constant | None]
    given: frozenset[str]
    once: dict[str, ast.expr]

    def method(self, name: str) -> ast.FunctionDef | None:
        """The method of that name, None if there is none or several, or if it does not get the object."""
        found = [one for one in self.node.body if isinstance(one, ast.FunctionDef) and one.name == name]
        known = len(found) == 1 and takes_object(found[0]) and name not in self.given
        return found[0] if known else None


@dataclass(frozen=True, slots=True)
class _Given:
    """One place that gives an attribute a value. certain: it is the constructor's, or a field's, whatever happens."""

    attribute: str
    value: ast.expr | None
    certain: bool


def owner_of(mechanism: Mechanism, node: ast.ClassDef) -> Owner | None:
    """What is known of the object of a method; None where it is made in a way that is not understood."""
    receiver = mechanism.receiver
    if (receiver is not None and not receiver.method) or not _is_plain(node) or _hands_on(node):
        return None
    given = [*_fields(node), *(one for method in _methods(node) for one in _assigned(method))]
    data = (mechanism.data or "").partition("self.")[2] or None
    if receiver is not None and receiver.takes is not None:
        holders = [one.attribute for one in given if _is_name(one.value, receiver.takes.name)]
        holders += [one.attribute for one in _fields(node) if one.attribute == receiver.takes.name]
        if receiver.factory != f":{node.name}" or len(holders) != 1:
            return None
        (data,) = holders
    counts, types = [one.attribute for one in given], _types(node)
    if data is not None and any(one.attribute == data and (counts.count(data) > 1 or not one.certain) for one in given):
        return None
    secret = {name for one in given if one.attribute == data for name in _names(one.value)}
    plain = [one for one in given if one.certain and counts.count(one.attribute) == 1 and one.attribute != data]
    plain = [one for one in plain if not _names(one.value) & secret]
    fields = {
        one.attribute: one.value if isinstance(one.value, ast.Constant) and not _is_dataclass(node) else None
        for one in plain
        if _is_number(node, one.attribute) or _is_generator(types.get(one.attribute, one.value))
    }
    once = {one.attribute: value for one in plain if (value := types.get(one.attribute, one.value)) is not None}
    return Owner(node, data, fields, frozenset(counts), once)


def takes_object(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the first parameter of a method is its object."""
    made = {ast.unparse(one) for one in method.decorator_list}
    return bool(method.args.args) and not made & {"staticmethod", "classmethod"}


def _is_plain(node: ast.ClassDef) -> bool:
    bases = {ast.unparse(one) for one in node.bases}
    return (_is_dataclass(node) or not node.decorator_list) and bases <= _PLAIN_BASES and not node.keywords


def _is_dataclass(node: ast.ClassDef) -> bool:
    made = {ast.unparse(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list}
    return bool(made) and made <= _DATACLASSES


def _methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [one for one in node.body if isinstance(one, ast.FunctionDef) and takes_object(one)]


def _fields(node: ast.ClassDef) -> Iterator[_Given]:
    for one in node.body:
        match one:
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None or _is_dataclass(node):
                yield _Given(name, value, certain=True)
            case ast.Assign(targets=targets, value=value):
                yield from (_Given(n, value, certain=len(targets) == 1) for t in targets for n in _names(t))


def _types(node: ast.ClassDef) -> dict[str, ast.expr]:
    """The types of fields of a dataclass, and of attributes that are parameters of the constructor."""
    if _is_dataclass(node):
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        return {one.target.id: one.annotation for one in fields if isinstance(one.target, ast.Name)}
    found: dict[str, ast.expr] = {}
    for method in _methods(node):
        if method.name == "__init__":
            parameters = {one.arg: one.annotation for one in method.args.args}
            for one in _assigned(method):
                kind = parameters.get(one.value.id) if isinstance(one.value, ast.Name) else None
                if kind is not None:
                    found[one.attribute] = kind
    return found


def _assigned(method: ast.FunctionDef) -> Iterator[_Given]:
    """What a method gives to attributes."""
    own = method.args.args[0].arg
    plain: dict[int, ast.expr | None] = {}
    for one in method.body if method.name == "__init__" else []:
        match one:
            case ast.Assign(targets=[target], value=given) | ast.AnnAssign(target=target, value=ast.expr() as given):
                plain[id(target)] = given
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and _is_name(node.value, own) and not isinstance(node.ctx, ast.Load):
            value = plain.get(id(node))
            yield _Given(node.attr, value, certain=value is not None and own not in _names(value))


def _hands_on(node: ast.ClassDef) -> bool:
    """Whether a method may give its object to somebody who may change it."""
    for method in _methods(node):
        own = method.args.args[0].arg
        through = {id(one.value) for one in ast.walk(method) if isinstance(one, ast.Attribute)}
        names = [one for one in ast.walk(method) if _is_name(one, own)]
        if any(id(one) not in through for one in names) or any(_is_name(o, "super") for o in ast.walk(method)):
            return True
    return False


def _is_generator(value: ast.expr | None) -> bool:
    """Whether it makes a generator, or is the type of one: whoever gets it can only draw from it."""
    return value is not None and ast.unparse(value.func if isinstance(value, ast.Call) else value) in _GENERATORS


def _is_number(node: ast.ClassDef, attribute: str) -> bool:
    """Whether methods use it where only a number, or a generator, makes sense: nothing is put into it."""
    for method in _methods(node):
        own = method.args.args[0].arg
        calls = [one for one in ast.walk(method) if isinstance(one, ast.Call) and _takes_number(one, own)]
        passed = {id(keyword) for one in calls for keyword in one.keywords}
        for one in ast.walk(method):
            if id(one) in passed:
                continue
            for inner in ast.iter_child_nodes(one):
                here = isinstance(inner, ast.Attribute) and inner.attr == attribute and _is_name(inner.value, own)
                if here and isinstance(getattr(inner, "ctx", None), ast.Load) and not _takes_number(one, own):
                    return False
    return True


def _takes_number(node: ast.AST, own: str) -> bool:
    match node:
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _NUMBERS
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            return name == own  # a method of the same object, which is looked at itself
        case ast.Attribute(attr=name):
            return name in _DRAWS
    return False


def _names(node: ast.AST | None) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if node is not None else set()


def _is_name(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
