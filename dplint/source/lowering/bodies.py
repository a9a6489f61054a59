"""Lowering of the bodies of functions, and of the constructor that a method's run begins with.

The object that a method which is a mechanism is called of: made by its class, or by a function that only makes one.

The data may be what makes it is given, or an attribute that is given to it then. Either is a parameter of the program,
by the name that the mechanism has for it: `make.rows`, `self.rows`. What the constructor gave to such an attribute
before has another name, which nothing else asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import libcst as cst

from dplint.claims import Mechanism
from dplint.program.interpretation import numbered
from dplint.program.liveness import live_before
from dplint.program.nodes import Assign, Expression, ListDisplay, Name, Return, Statement
from dplint.program.sharing import changes_while_iterating, shared_names
from dplint.program.walk import rebuilt
from dplint.source.bindings import all_parameters, binding_counts, bound_names, statements
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.classes import is_made_if_none, object_class
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.helpers import Helpers
from dplint.source.lowering.kinds import kinds_of
from dplint.source.lowering.object_classes import self_of
from dplint.source.lowering.reading_in import ends, without_returns, yields
from dplint.source.lowering.rewriting import with_refusals
from dplint.source.lowering.scope import (
    FunctionValue,
    Instance,
    LocalFunction,
    Refusals,
    Scope,
    Stream,
    top_level_names,
)
from dplint.source.lowering.statements import Statements
from dplint.source.module import ParsedModule
from dplint.source.walking import is_text, nodes_below

_GENERATORS = (cst.Call, cst.Name, cst.Attribute, cst.BooleanOperation, cst.IfExp)
"""Expressions that may be a generator."""


def lower_body(
    facts: ModuleFacts,
    function: cst.FunctionDef | cst.Lambda,
    parameters: tuple[str, ...],
    streams: Mapping[str, Stream],
    helpers: Helpers,
    name: str,
    whole: Instance | None = None,
    local: Mapping[str, LocalFunction] | None = None,
) -> tuple[tuple[Statement, ...], frozenset[str]]:
    """The lowered body of a function, which in the program bears that name, and its shared names.

    whole: the object of a method. local: functions of the one around it.
    """
    names = frozenset({*parameters, *streams, *(local or {}), *bound_names(function.body)})
    bound = top_level_names(facts.tree)
    scope = Scope(facts, bound, names, frozenset(parameters), dict(streams), helpers.elsewhere)
    scope.fixed.update(helpers.made)
    if whole is not None and isinstance(function, cst.FunctionDef):
        scope.own_name = self_of(function)
        scope.instances[scope.own_name] = whole
    scope.local_functions.update(local or {})
    if isinstance(function, cst.Lambda):
        lowering = Statements(scope, helpers, {})
        body = lowering.returned(function.body)
        if scope.refusals.found or helpers.any_opaque(body):
            helpers.opaque.add(name)
        return body, shared_names(parameters, body)
    returning = len(helpers.open) == 1
    scope.kinds.update(kinds_of(scope, function.body))
    lowering = Statements(scope, helpers, binding_counts(function.body), function.body, returning=returning)
    scope.streams.update(_local_streams(scope, lowering.draws, function))
    if returning and yields(function):
        scope.listed = Name(scope.rename({"yielded"})["yielded"], facts.span(function.name))
    scope.unassigned = {}
    found, scope.refusals = scope.refusals, Refusals()
    filled = lowering.filled_in(helpers.defaults) if returning else ()
    body = (*filled, *lowering.block(function.body))
    if scope.listed is not None:
        body = _listed(scope.listed, body)
    asked = live_before(body) if scope.unassigned else frozenset()
    unassigned = (refused for name, refused in scope.unassigned.items() if name in asked)
    placeless = [*found.found, *changes_while_iterating(body), *unassigned]
    body = with_refusals(placeless, body)
    if placeless or scope.refusals.found or helpers.any_opaque(body):
        helpers.opaque.add(name)
    return body, shared_names(parameters, body)


def _listed(items: Name, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """What a generator function does whose items are made into a list."""
    span = items.span
    end = () if ends(body) else (Return(items, span),)
    return Assign((items,), ListDisplay((), span), span), *body, *end


def read_body(
    scope: Scope, helpers: Helpers, function: cst.FunctionDef | cst.Lambda
) -> tuple[tuple[Statement, ...], Expression | Instance | FunctionValue]:
    """The body of a function that is read into its caller, in the scope made for that, and what it gives."""
    if isinstance(function, cst.Lambda):
        return (), Statements(scope, helpers, Counter()).given(function.body)
    variables = scope.renamed[-1]
    scope.streams.update(_local_streams(scope, Statements(scope, helpers, {}).draws, function))
    for name in scope.streams.keys() & variables.keys():
        del variables[name]
    for name in bound_names(function.body) & variables.keys():
        none = scope.unrolled.pop(variables[name], 0) is None
        if none and is_made_if_none(function.body, name, partial(object_class, scope)):
            scope.unrolled[variables[name]] = None
    scope.kinds.update((variables[name], kind) for name, kind in kinds_of(scope, function.body).items())
    lowering = Statements(scope, helpers, Counter(), function.body)
    body, last = lowering.body_and_last(function.body)
    if last is not None:
        return body, last
    span, names = scope.span(function.name), scope.rename({"result", "done"})
    return without_returns(body, Name(names["result"], span), Name(names["done"], span))


def constructed(
    maker: cst.Name | cst.Call, facts: ModuleFacts, helpers: Helpers, taken: Mapping[str, str]
) -> tuple[tuple[Statement, ...], Instance | None]:
    """What a run of a mechanism begins with that is a method, and the object it is of.

    maker: its class, or a call of it. taken: variables of the program by the names that the call has for them.
    """
    scope = Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, helpers.elsewhere)
    scope.renamed.append(dict(taken))
    return Statements(scope, helpers, Counter()).made(maker)


def _local_streams(scope: Scope, draws: Draws, function: cst.FunctionDef) -> dict[str, Stream]:
    """Local names that hold generators: the first assignment decides, `Reader.target` refuses any other value later."""
    streams: dict[str, Stream] = {}
    first: dict[str, cst.Assign | cst.AnnAssign] = {}
    for node in (one for one in nodes_below(function.body) if isinstance(one, cst.Assign | cst.AnnAssign)):
        targets = [one.target for one in node.targets] if isinstance(node, cst.Assign) else [node.target]
        for target in targets if node.value is not None else ():
            if isinstance(target, cst.Name):
                first.setdefault(target.value, node)
    for name, assigned in first.items():
        if name not in scope.streams and isinstance(assigned.value, _GENERATORS):
            stream = draws.stream_of(assigned.value)
            if stream is not None:
                streams[name] = stream
                scope.streams[name] = stream
    return streams


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
        or receiver.rng is not None
        or receiver.preparations
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
