"""Functions that are read into their callers: their statements stand where they are called.

Each time their variables are others. One that may have no value where it is looked at is refused: in a loop, it would
still have that of the turn before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import libcst as cst

from dplint.claims import Span
from dplint.program.liveness import live_before
from dplint.program.nodes import Assign, Constant, Expression, ExpressionStatement, Name, Pass, Statement
from dplint.program.variables import in_source
from dplint.source.bindings import bound_names
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.classes import ObjectClass, has_scopes
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.helpers import Helpers, bind_arguments
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Instance, Scope, Stream, top_level_names
from dplint.source.lowering.staging import staged

_MOST = 400
"""Calls that are read into one program."""
_DEEPEST = 20
_DEFINED = "a variable that may have no value"


@dataclass(frozen=True, slots=True)
class Given:
    """What a call gives, once these statements have been executed: a value or an object."""

    statements: tuple[Statement, ...]
    value: Expression | Instance


Bound: TypeAlias = Mapping[str, Instance | ObjectClass]
Make: TypeAlias = Callable[[cst.BaseExpression], Given | None]


class ReadingIn:
    """Reads functions into the one that calls them. make: the object that an expression makes, None for others."""

    def __init__(self, reader: Reader, draws: Draws, helpers: Helpers, make: Make) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._draws = draws
        self._helpers = helpers
        self._make = make

    def read_in(
        self,
        facts: ModuleFacts,
        function: cst.FunctionDef,
        bound: Bound,
        arguments: cst.Call | None,
        node: cst.CSTNode,
        name: str,
        place: int,
        *,
        constructing: bool = False,
    ) -> Given:
        """A function, read into its caller. bound: what its first parameter stands for, which `function` has not.

        constructing: it is executed as a whole wherever its object is made.
        """
        helpers, span = self._helpers, self._span(node)
        label = f"{facts.prefix}{name}"
        if label in helpers.open_calls or has_scopes(function) or len(self._scope.calls) > _DEEPEST:
            raise self._refuse(f"the method {name}, which calls itself or makes functions", node, "write it as a loop")
        helpers.read_in += 1
        if helpers.read_in > _MOST:
            raise self._refuse("so many calls of methods", node, "call them in a loop")
        given = {} if arguments is None else bind_arguments(self._reader, facts, name, function, arguments)
        before, streams, objects = self._arguments(given)
        classes = {word: one for word, one in bound.items() if isinstance(one, ObjectClass)}
        instances = {word: one for word, one in bound.items() if isinstance(one, Instance)} | objects
        names = {*given, *bound_names(function.body)}
        if names & bound.keys() or bound_names(function.body) & (objects.keys() | streams.keys()):
            raise self._refuse(f"the method {name}, which assigns its object anew", node, "use another name")
        renamed = self._scope.rename(names - streams.keys() - objects.keys())
        scope = Scope(
            facts,
            top_level_names(facts.tree),
            frozenset(names),
            frozenset(),
            streams,
            self._scope.elsewhere,
            refusals=self._scope.refusals,
            renamed=[renamed],
            instances=instances,
            classes=classes,
            calls=(*self._scope.calls, self._scope.facts.span(node)),
            place=place,
            own_name=next(iter(bound), ""),
            constructing=constructing,
            given=frozenset(given),
            numbers=self._scope.numbers,
        )
        scope.unrolled = {renamed[word]: one.value for word, one in given.items() if isinstance(one, Constant)}
        helpers.open_calls.append(label)
        try:
            body, value = helpers.read_body(scope, helpers, function)
        finally:
            helpers.open_calls.pop()
        passed = tuple(self._passed(word, one, renamed, scope, span) for word, one in before)
        for one in live_before((*passed, *body, *_asked(value, span))) & set(renamed.values()):
            raise self._refuse(f"{_DEFINED} in {name}", node, f"give {in_source(one)} a value before its branches")
        return Given((*passed, *body), value)

    def _passed(self, word: str, value: Expression, renamed: Mapping[str, str], scope: Scope, span: Span) -> Statement:
        """What gives a parameter its value."""
        if not word:
            return ExpressionStatement(value, span)
        variable = renamed.get(word)
        if variable is None or variable in scope.unrolled:
            return Pass(span)
        return Assign((Name(variable, span),), value, span)

    def _arguments(
        self, given: Mapping[str, cst.BaseExpression | Constant]
    ) -> tuple[list[tuple[str, Expression]], dict[str, Stream], dict[str, Instance]]:
        """The arguments of a call, in the order of their evaluation: values, generators and objects."""
        values: list[tuple[str, Expression]] = []
        streams: dict[str, Stream] = {}
        objects: dict[str, Instance] = {}
        for name, value in given.items():
            if isinstance(value, Constant):
                values.append((name, value))
                continue
            stream = self._draws.stream_of(value)
            whole = self._scope.instance(value)
            if stream is not None:
                streams[name] = stream
            elif whole is not None:
                objects[name] = whole
            elif (made := self._make(value)) is not None and isinstance(made.value, Instance):
                done = Constant(None, self._span(value))
                values.append(("", staged(made.statements, done, self._span(value))))
                objects[name] = made.value
            else:
                values.append((name, self._reader.expression(value)))
        return values, streams, objects


def _asked(value: Expression | Instance, span: Span) -> tuple[Statement, ...]:
    return () if isinstance(value, Instance) else (ExpressionStatement(value, span),)
