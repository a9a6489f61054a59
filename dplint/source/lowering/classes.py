"""Which classes of the project objects can be taken apart of; see `object_classes`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import libcst as cst

from dplint.claims import Literal
from dplint.source.bindings import all_parameters, bound_names
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.helpers import names_of
from dplint.source.lowering.object_classes import (
    AFTER_FIELDS,
    CONSTRUCTOR,
    ObjectClass,
    bases_with_something,
    is_named_tuple,
    is_plain,
    is_record,
    own,
    values,
)
from dplint.source.lowering.optional import is_made_if_none
from dplint.source.lowering.scope import Scope
from dplint.source.module_names import static_value
from dplint.source.record_classes import named_tuple
from dplint.source.static_values import NotStaticError
from dplint.source.walking import nodes_below

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


def needs_reading(
    scope: Scope,
    facts: ModuleFacts,
    function: cst.FunctionDef,
    stands_for: Callable[[cst.BaseExpression], object | None],
) -> bool:
    """Whether a function gives what no program has as a value, or has it for a default or makes it instead of that.

    stands_for: the function that a default is, None for everything else.
    """
    around = Scope(facts, frozenset(), frozenset(), frozenset(), {}, scope.elsewhere)
    defaults = [(one.name.value, one.default) for one in all_parameters(function) if one.default is not None]
    return gives_held(scope, facts, function) or any(
        stands_for(one) or is_made_if_none(function.body, name, partial(object_class, around)) for name, one in defaults
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
