"""Lowering: from a function's LibCST tree to a program.

Lowering never guesses, and it never refuses. A construct whose meaning here would differ from Python's, or that nobody
has taught it yet, becomes `Opaque` in its place, with its name and a way to write it that works.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dplint.claims import Mechanism, ParameterKind
from dplint.program.nodes import Name, Program
from dplint.program.refusals import Unsupported
from dplint.program.sharing import shared_names
from dplint.program.walk import opaque
from dplint.source.bindings import all_parameters, bound_names, dotted_name
from dplint.source.certain import CertainNames
from dplint.source.lowering.bodies import lower_body, made_object, read_body
from dplint.source.lowering.classes import object_class, own_container, own_generator
from dplint.source.lowering.helpers import Helpers
from dplint.source.lowering.object_classes import AFTER_FIELDS
from dplint.source.lowering.observed import SHOWN, observes, with_what_is_shown
from dplint.source.lowering.scope import Scope, parameter_stream
from dplint.source.lowering.seeds import Seeds, seeding, seeds_of
from dplint.source.module import ParsedModule
from dplint.source.project import ProjectIndex
from dplint.source.targets import CLAIM_NAMES

__all__ = ["lower"]


def lower(
    function: cst.FunctionDef, module: ParsedModule, mechanism: Mechanism, elsewhere: CertainNames | None = None
) -> Program:
    """The program of a mechanism; `dplint.program.walk` says what is in the way of running it.

    function: a node of `module.tree`. Helper functions of the same module are lowered along.
    elsewhere: what names of the project stand for; by default no other module is looked into.
    Not promised: that the program is fast to read, or that every interpretation knows every call in it. A construct
    inside of another that is opaque as a whole, such as a lambda, may come to light only when that one is gone.
    """
    names = tuple(p.name for p in mechanism.parameters if p.name != mechanism.rng)
    elsewhere = elsewhere or CertainNames(module, ProjectIndex(module.place, alone=True))
    helpers = Helpers(lower_body, read_body, elsewhere, open=[function.name.value])
    stream = None if mechanism.rng is None else parameter_stream(mechanism)
    streams = {} if mechanism.rng is None or stream is None else {mechanism.rng: stream}
    made = made_object(function, module, mechanism, helpers)
    names += (mechanism.data,) if made.data and mechanism.data is not None else ()
    if observes(mechanism):
        helpers.observed = Name(SHOWN, module.span(function.name))
    seeds = seeds_of(function, module, mechanism, elsewhere)
    helpers.made = seeds.made
    helpers.seeding = seeding(function, module, elsewhere)
    bound = bound_names(function.body)
    helpers.defaults = {
        one.name.value: one.default
        for one in all_parameters(function)
        if one.default and (one.name.value not in bound or dotted_name(one.default) == "None")
    }
    body, shared = lower_body(module, function, names, streams, helpers, function.name.value, made.whole)
    if made.before:
        shared |= shared_names(names, (*made.before, *body))
    shows = None if helpers.observed is None else with_what_is_shown(body, helpers.observed, mechanism, names)
    body, shared = shows or (body, shared)
    return Program(
        name=mechanism.qualname,
        parameters=tuple(name for name in names if name not in helpers.filled_in),
        body=(
            *map(opaque, _refused(function, module, mechanism, elsewhere, names, seeds)),
            *seeds.guards,
            *made.before,
            *body,
        ),
        data=mechanism.data,
        rng=mechanism.rng,
        functions=tuple(helpers.done.values()),
        shared=shared,
        span=module.span(function.name),
        fields=_fields_of_records(function, module, mechanism, elsewhere),
        observed=shows is not None,
        seeded=seeds.own is not None,
    )


def _fields_of_records(
    function: cst.FunctionDef, module: ParsedModule, mechanism: Mechanism, elsewhere: CertainNames
) -> tuple[str, ...]:
    """The fields of the dataclass or named tuple that annotates the data, or the records in a list or tuple."""
    annotated = [one.annotation for one in all_parameters(function) if one.name.value == mechanism.data]
    if len(annotated) != 1 or annotated[0] is None:
        return ()
    node = annotated[0].annotation
    if isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Index):
        node = node.slice[0].slice.value
    made = object_class(Scope(module, frozenset(), frozenset(), frozenset(), {}, elsewhere), node)
    if made is None or not all(made.records) or AFTER_FIELDS in made.methods or made.attributes != {*made.fields}:
        return ()
    return () if made.several or any(map(elsewhere.may_change, made.fields)) else tuple(made.fields)


def _refused(
    function: cst.FunctionDef,
    module: ParsedModule,
    mechanism: Mechanism,
    elsewhere: CertainNames,
    names: tuple[str, ...],
    seeds: Seeds,
) -> Iterator[Unsupported]:
    """What stands in the way of every run; first what `Program` says of a refusal. names: its parameters."""
    if mechanism.claim.observe:
        what = f"a claim with observe={list(mechanism.claim.observe)!r}"
        yield Unsupported(what, module.span(function.name), "let the function return what it releases")
    yield from seeds.refused
    if mechanism.receiver is not None and mechanism.data not in names:
        yield Unsupported("data that an object holds", module.span(function.name), "give the data a parameter")
    if function.asynchronous is not None:
        yield Unsupported("an async function", module.span(function.name), "use a plain function")
    if elsewhere.overwritten is not None:
        what = f"{elsewhere.overwritten}, which may give any name another meaning"
        yield Unsupported(what, module.span(function.name), "leave libraries as they are, and import by name")
    if mechanism.claim.apart or mechanism.claim.named:
        what = "a claim about several data parameters, or with an argument by name"
        yield Unsupported(what, module.span(function.name), "let the function take records with all columns")
    drawing, holding = own_generator(mechanism, module, elsewhere), own_container(mechanism, module, elsewhere)
    if drawing is not None:
        yield Unsupported(f"a generator of the class {drawing}", module.span(function.params), "use one of NumPy's")
    if holding is not None:
        yield Unsupported(f"data of the class {holding}", module.span(function.params), "use a plain list or table")
    yield from _refused_decorators(function, module, elsewhere)
    for parameter in mechanism.parameters:
        if parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            yield Unsupported(parameter.kind.value, module.span(function.params), "name every parameter")


def _refused_decorators(
    function: cst.FunctionDef, module: ParsedModule, elsewhere: CertainNames
) -> Iterator[Unsupported]:
    scope = Scope(module, frozenset(), frozenset(), frozenset(), {}, elsewhere)
    for decorator in function.decorators:
        expression = decorator.decorator
        target = expression.func if isinstance(expression, cst.Call) else expression
        # Only the claim itself leaves the function as it is; any other decorator may change what a call does.
        if scope.canonical(target) not in ("staticmethod", *CLAIM_NAMES):
            text = dotted_name(target) or "..."
            yield Unsupported(f"the decorator {text}", module.span(decorator), "claim the undecorated function")
