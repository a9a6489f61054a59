"""Which classes of the project objects can be taken apart of; see `object_classes`.

Parameters that are None unless somebody gives an object: `settings = settings or Settings()`.

Parameters whose annotation or default names a class of the project: what such objects do, the class decides.

A generator whose class derives from one of a library may draw otherwise, and a table or list may have other items. So
nothing is read of them. Aliases are followed; a class that is unknown may be any. A protocol is no class of objects.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

import libcst as cst

from dplint.claims import Literal, Mechanism
from dplint.source.bindings import (
    AMBIGUOUS,
    all_parameters,
    binding_counts,
    bound_names,
    dotted_name,
    statements,
    static_value,
)
from dplint.source.certain import CertainNames, ModuleFacts
from dplint.source.lowering.helpers import names_of
from dplint.source.lowering.object_classes import (
    AFTER_FIELDS,
    CONSTRUCTOR,
    ObjectClass,
    bases_with_something,
    full,
    is_named_tuple,
    is_plain,
    is_record,
    own,
    values,
)
from dplint.source.lowering.scope import Scope, top_level_names
from dplint.source.module import ParsedModule
from dplint.source.record_classes import named_tuple
from dplint.source.static_values import NotStaticError
from dplint.source.walking import nodes_below
from dplint.syntax import parse_expression


def is_made_if_none(body: cst.CSTNode | None, name: str, makes: Callable[[cst.BaseExpression], object | None]) -> bool:
    """Whether a parameter gets an object in the function's own block if it is None, as in `x = x or C()`.

    makes: the class that a call is of, None if there is none.
    """
    if not isinstance(body, cst.BaseSuite) or binding_counts(body)[name] != 1:
        return False
    for one in statements(body):
        made = _if_false(one, name) or _if_none(one, name)
        if isinstance(made, cst.Call) and makes(made.func) is not None:
            return True
    return False


def _if_false(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What `x = x or y` gives a name."""
    match _given(node, name):
        case cst.BooleanOperation(left=cst.Name(value=own), operator=cst.Or(), right=right) if own == name:
            return right
    return None


def _if_none(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What `if x is None: x = y` gives a name."""
    match node:
        case cst.If(
            test=cst.Comparison(
                left=cst.Name(value=own), comparisons=[cst.ComparisonTarget(operator=cst.Is(), comparator=none)]
            ),
            body=block,
            orelse=None,
        ) if own == name and dotted_name(none) == "None":
            return next((made for one in statements(block) if (made := _given(one, name)) is not None), None)
    return None


def _given(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))], value=value) if own == name:
            return value
    return None


_DEEPEST = 8


def object_class(scope: Scope, node: cst.BaseExpression) -> ObjectClass | None:
    """The class that a name stands for, None if its objects cannot be taken apart."""
    if not isinstance(node, cst.Name | cst.Attribute):
        return None
    if isinstance(node, cst.Name) and node.value in scope.facts.functions:
        return None  # without a look at other modules
    found = scope.class_of(node) or _made_class(scope, node)
    bodies: list[tuple[ModuleFacts, cst.ClassDef]] = []
    records: list[bool] = []
    frozen = False
    pending = [] if found is None else [found]
    while pending:
        # Where no class is met twice, this is Python's order: a class, the first base with all of its own, the second.
        facts, definition = pending.pop(0)
        around = Scope(facts, frozenset(), frozenset(), frozenset(), {}, scope.elsewhere)
        kind = is_record(facts, definition)
        if kind is None or not is_plain(facts, definition) or len(bodies) >= _DEEPEST:
            return None
        if any(other is definition for _, other in bodies):
            return None
        frozen = frozen or kind == "frozen"
        bodies.append((facts, definition))
        records.append(bool(kind))
        bases = bases_with_something(facts, definition)
        further = [around.class_of(one) for one in bases if isinstance(one, cst.Name | cst.Attribute)]
        if len(further) < len(bases) or None in further:
            return None
        pending = [*(one for one in further if one is not None), *pending]
    if not bodies:
        return None
    made = ObjectClass(bodies[0][1].name.value, tuple(bodies), tuple(records), frozen)
    return made if _is_certain(made, scope) else None


def _made_class(scope: Scope, node: cst.Name | cst.Attribute) -> tuple[ModuleFacts, cst.ClassDef] | None:
    """What `Interval = namedtuple("Interval", ["low", "high"])` makes, as the class that it is."""
    found = scope.module_call(node)
    record = None if found is None else named_tuple(*found)
    if found is None or record is None:
        return None
    fields = "".join(f"    {name}: object\n" for name in record.fields)
    made = cst.parse_module(f"class {record.name}(typing.NamedTuple):\n{fields}").body[0]
    for one in (made, *nodes_below(made)):
        found[0].positions.also(one, found[1])
    return found[0], cst.ensure_type(made, cst.ClassDef)


def class_constant(scope: Scope, made: ObjectClass, name: str) -> Literal | None:
    """The value that the body of a class assigns to what no object has for itself; None if there is none."""
    given = next(((facts, value) for facts, node in made.bodies for own, value in values(node) if own == name), None)
    facts, value = given or (None, None)
    if facts is None or value is None or name in made.attributes:
        return None
    try:
        found = static_value(facts.tree, value, names_of(scope, facts, value))
    except NotStaticError:
        return None
    return None if isinstance(found, list | dict) else found


def needs_reading(scope: Scope, facts: ModuleFacts, function: cst.FunctionDef) -> bool:
    """Whether a function gives what no program has as a value, or makes it instead of a default."""
    around = Scope(facts, frozenset(), frozenset(), frozenset(), {}, scope.elsewhere)
    defaults = [one.name.value for one in all_parameters(function) if one.default is not None]
    return gives_held(scope, facts, function) or any(
        is_made_if_none(function.body, name, partial(object_class, around)) for name in defaults
    )


def gives_held(scope: Scope, facts: ModuleFacts, function: cst.FunctionDef) -> bool:
    """Whether a function gives an object of a class of the project, or a function that it makes."""
    inside = [*nodes_below(function.body)]
    made = {one.name.value for one in inside if isinstance(one, cst.FunctionDef)}
    if made:
        inside = [*nodes_below(function.body, (cst.FunctionDef, cst.Lambda, cst.ClassDef))]
    around = Scope(facts, frozenset(), frozenset(bound_names(function.body)), frozenset(), {}, scope.elsewhere)

    def is_held(node: cst.BaseExpression | None) -> bool:
        if isinstance(node, cst.Tuple):
            return any(is_held(one.value) for one in node.elements)
        if isinstance(node, cst.IfExp):
            return is_held(node.body) or is_held(node.orelse)
        if isinstance(node, cst.Call):
            return isinstance(node.func, cst.Name | cst.Attribute) and object_class(around, node.func) is not None
        return isinstance(node, cst.Lambda) or (isinstance(node, cst.Name) and node.value in made)

    for one in inside:
        match one:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value) if is_held(value):
                made.add(name)
    return any(isinstance(one, cst.Return) and is_held(one.value) for one in inside)


def _is_certain(made: ObjectClass, scope: Scope) -> bool:
    """Whether nobody gives its methods and constants to something else, and no attribute has the name of a method."""
    constants = {name for _, node in made.bodies for name, _ in values(node)} - made.attributes
    fixed = made.methods.keys() | constants
    has_own = any(
        record and CONSTRUCTOR in own(node) for (_, node), record in zip(made.bodies, made.records, strict=True)
    )
    mixed = any(made.records) and not all(made.records)
    later = (is_named_tuple(made) or not any(made.records)) and AFTER_FIELDS in made.methods
    # Python tells names such as `self.__x` apart by the class that they stand in.
    private = any(name.startswith("__") and not name.endswith("__") for name in (*made.methods, *made.attributes))
    if private or not made.plain_fields or has_own or mixed or later or made.methods.keys() & made.attributes:
        return False
    return not any(scope.elsewhere.may_change(name) for name in fixed | {made.name})


_LIBRARIES = frozenset(
    {
        "builtins",
        "collections",
        "dplint",
        "numpy",
        "random",
        "secrets",
        "sklearn",
        "types",
        "typing",
        "typing_extensions",
    }
)
"""Whose classes draw as they are known to, or are no generators."""
_PLAIN = frozenset({"Any", "Generic", "Protocol", "object"})
_CONTAINERS = frozenset({"collections", "numpy", "pandas", "polars"})
_BUILTIN_CONTAINERS = frozenset({"bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})
_NOT_CONTAINERS = frozenset({"collections.abc.Callable", "collections.abc.Hashable"})
_DEEPEST_CLASS = 4


def own_generator(mechanism: Mechanism, module: ParsedModule, elsewhere: CertainNames) -> str | None:
    """The class, or what else is not known, that generators of a mechanism may be of; None for those of libraries."""
    for name, _, node in _named(mechanism, mechanism.rng, module, elsewhere):
        bases = {} if node is None else dict.fromkeys(_last(one.value) for one in node.bases)
        if node is None or "Protocol" not in bases:
            return name
    return None


def own_container(mechanism: Mechanism, module: ParsedModule, elsewhere: CertainNames) -> str | None:
    """The class of the project that data of a mechanism is of and that derives from a table, a list or their like."""
    for name, facts, node in _named(mechanism, mechanism.data, module, elsewhere):
        if node is None or facts is None:
            continue
        for base in node.bases:
            known = full(facts, base.value.value if isinstance(base.value, cst.Subscript) else base.value)
            if known in _BUILTIN_CONTAINERS or (
                known.partition(".")[0] in _CONTAINERS and known not in _NOT_CONTAINERS and "." in known
            ):
                return name
            if not known:  # another class of the project
                return name if _last(base.value) not in _PLAIN else None
    return None


def _named(
    mechanism: Mechanism, parameter: str | None, module: ParsedModule, elsewhere: CertainNames
) -> Iterator[tuple[str, ModuleFacts | None, cst.ClassDef | None]]:
    """What the annotation and the default of a parameter name that is of no known library; its class, if it is one."""
    known = None if parameter is None else mechanism.parameter(parameter)
    for text in () if known is None else (known.annotation, known.default):
        for name in _names(text or ""):
            yield from _meant(name, module, elsewhere, 0)


def _meant(
    name: str, facts: ModuleFacts, elsewhere: CertainNames, depth: int
) -> Iterator[tuple[str, ModuleFacts | None, cst.ClassDef | None]]:
    first, dot, rest = name.partition(".")
    alias = facts.aliases.get(first)
    if first not in top_level_names(facts.tree) and alias is None:
        return  # built in, or nothing
    bound = first in top_level_names(facts.tree)
    meaning = elsewhere.full_name(facts.place.module, name) if bound else f"{alias}{dot}{rest}"
    if alias != AMBIGUOUS and not bound and meaning is not None and not elsewhere.has_module(meaning.partition(".")[0]):
        if meaning.partition(".")[0] not in _LIBRARIES or elsewhere.patches(meaning):
            yield name, None, None
        return
    made = None if meaning is None else elsewhere.class_of(meaning)
    given = None if meaning is None or made is not None else elsewhere.assigned(meaning)
    if made is not None:
        yield name, made[0], made[1]
    elif given is None or depth == _DEEPEST_CLASS:
        yield name, None, None
    else:
        for inner in _names(given[0].tree.code_for_node(given[1]).strip()):
            yield from _meant(inner, given[0], elsewhere, depth + 1)


def _names(text: str) -> Iterator[str]:
    """The dotted names in an annotation or default, those in its texts too."""
    try:
        todo: list[ast.AST] = [parse_expression(text)] if text else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names(node.value.strip())
        else:
            todo += ast.iter_child_nodes(node)


def _last(node: cst.BaseExpression) -> str:
    """`c` of `a.b.c` and of `a.b.c[d]`."""
    match node:
        case cst.Subscript(value=inner):
            return _last(inner)
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name
    return ""
