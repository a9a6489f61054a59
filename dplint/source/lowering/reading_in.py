"""Functions that are read into their callers: their statements stand where they are called.

Each time their variables are others. One that may have no value where it is looked at is refused: in a loop, it would
still have that of the turn before.

The body of a function without `return`, to be read into its caller: what it gives is assigned to a variable.

What follows a branch that returns goes into the other branch; a loop that returns is left by `break`. Where neither is
enough, a flag says whether the function has returned. No statement is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

import libcst as cst

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.interpretation import in_source
from dplint.program.liveness import live_before
from dplint.program.refusals import unsupported
from dplint.program.walk import walk
from dplint.source.bindings import SCOPES, bound_names
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.classes import is_made_if_none
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.helpers import Helpers, bind_arguments
from dplint.source.lowering.object_classes import ObjectClass, has_scopes, makes_defaults
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import FunctionValue, Instance, Scope, Stream, top_level_names
from dplint.source.walking import nodes_below

_MOST = 400
"""Calls that are read into one program."""
_DEEPEST = 20
_DEFINED = "a variable that may have no value"


@dataclass(frozen=True, slots=True)
class Given:
    """What a call gives, once these statements have been executed: a value, an object, or a function."""

    statements: tuple[ir.Statement, ...]
    value: ir.Expression | Instance | FunctionValue


_Held = TypeVar("_Held")
Bound: TypeAlias = Mapping[str, Instance | ObjectClass]
Arguments: TypeAlias = tuple[
    list[tuple[str, ir.Expression]], dict[str, Stream], dict[str, Instance], dict[str, FunctionValue]
]
Make: TypeAlias = Callable[[cst.BaseExpression], Given | None]


OfFunction: TypeAlias = Callable[[cst.BaseExpression], FunctionValue | None]


class ReadingIn:
    """Reads functions into the one that calls them.

    make, functions: the object that an argument makes, the functions that it stands for; None for others.
    """

    def __init__(self, reader: Reader, draws: Draws, helpers: Helpers, make: Make, functions: OfFunction) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._draws = draws
        self._helpers = helpers
        self._make = make
        self._functions = functions

    def read_in(
        self,
        facts: ModuleFacts,
        function: cst.FunctionDef | cst.Lambda,
        bound: Bound,
        arguments: Sequence[cst.Arg],
        node: cst.CSTNode,
        name: str,
        place: int,
        *,
        constructing: bool = False,
        around: FunctionValue | None = None,
    ) -> Given:
        """A function, read into its caller. bound: what its first parameter stands for, which `function` has not.

        constructing: it is executed as a whole wherever its object is made. around: the lambda that it is.
        """
        helpers, span = self._helpers, self._span(node)
        label = f"{facts.prefix}{name}"
        made = has_scopes(function) or (around is not None and makes_defaults(function))
        if label in helpers.open_calls or made or len(self._scope.calls) > _DEEPEST:
            raise self._refuse(f"the method {name}, which calls itself or makes functions", node, "write it as a loop")
        scope, before = self._scope_of(facts, function, bound, arguments, node, name)
        scope.place, scope.constructing = place, constructing
        [renamed] = scope.renamed
        if around is not None:
            scope = within(around, scope, renamed)
        helpers.open_calls.append(label)
        try:
            body, value = helpers.read_body(scope, helpers, function)
        finally:
            helpers.open_calls.pop()
        passed = tuple(self._passed(word, one, renamed, scope, span) for word, one in before)
        for one in live_before((*passed, *body, *_asked(value, span))) & set(renamed.values()):
            raise self._refuse(f"{_DEFINED} in {name}", node, f"give {in_source(one)} a value before its branches")
        return Given((*passed, *body), value)

    def _scope_of(
        self,
        facts: ModuleFacts,
        function: cst.FunctionDef | cst.Lambda,
        bound: Bound,
        arguments: Sequence[cst.Arg],
        node: cst.CSTNode,
        name: str,
    ) -> tuple[Scope, list[tuple[str, ir.Expression]]]:
        """The scope of a function that is read into its caller, and the values of its parameters."""
        # What it gives may begin with statements, even where this call is a statement itself.
        self._reader.stages = True
        self._helpers.read_in += 1
        if self._helpers.read_in > _MOST:
            raise self._refuse("so many calls of methods", node, "call them in a loop")
        given = bind_arguments(self._reader, facts, name, function, arguments, node)
        before, streams, objects, choices = self._arguments(given)
        classes = {word: one for word, one in bound.items() if isinstance(one, ObjectClass)}
        instances = {word: one for word, one in bound.items() if isinstance(one, Instance)} | objects
        inside = set() if isinstance(function, cst.Lambda) else bound_names(function.body)
        names = {*given, *inside}
        anew = inside & {*objects, *streams, *choices}
        if names & bound.keys() or not all(
            one in objects and is_made_if_none(function.body, one, bool) for one in anew
        ):
            raise self._refuse(f"the method {name}, which assigns its object anew", node, "use another name")
        renamed = self._scope.rename(names - {*streams, *objects, *choices})
        calls = (*self._scope.calls, self._scope.facts.span(node).place)
        scope = Scope(
            facts,
            top_level_names(facts.tree),
            frozenset(names | bound.keys()),
            frozenset(),
            streams,
            self._scope.elsewhere,
            refusals=self._scope.refusals,
            renamed=[renamed],
            instances=instances,
            classes=classes,
            functions=choices,
            calls=calls,
            own_name=next(iter(bound), ""),
            given=frozenset(given),
            kinds=self._scope.kinds,
            fixed=self._scope.fixed,
            unassigned=self._scope.unassigned,
            numbers=self._scope.numbers,
        )
        scope.unrolled |= {renamed[word]: one.value for word, one in given.items() if isinstance(one, ir.Constant)}
        known = self._scope.unrolled
        for word, one in given.items():
            local = self._scope.local(one.value) if isinstance(one, cst.Name) else None
            if local in known and word in renamed:
                scope.unrolled[renamed[word]] = known[local]
        return scope, before

    def _passed(
        self, word: str, value: ir.Expression, renamed: Mapping[str, str], scope: Scope, span: Span
    ) -> ir.Statement:
        """What gives a parameter its value."""
        if not word:
            return ir.ExpressionStatement(value, span)
        variable = renamed.get(word)
        if variable is None or variable in scope.unrolled:
            return ir.Pass(span)
        return ir.Assign((ir.Name(variable, span),), value, span)

    def _arguments(self, given: Mapping[str, cst.BaseExpression | ir.Constant]) -> Arguments:
        """The arguments of a call, in the order of their evaluation: values, generators, objects and functions."""
        choices: dict[str, FunctionValue] = {}
        values: list[tuple[str, ir.Expression]] = []
        streams: dict[str, Stream] = {}
        objects: dict[str, Instance] = {}
        for name, value in given.items():
            if isinstance(value, ir.Constant):
                values.append((name, value))
                continue
            stream = self._draws.stream_of(value)
            whole = self._scope.instance(value)
            if stream is not None:
                streams[name] = stream
            elif whole is not None:
                objects[name] = whole
            elif (choice := self._functions(value)) is not None:
                choices[name] = choice
            elif (made := self._make(value)) is not None and isinstance(made.value, Instance):
                done = ir.Constant(None, self._span(value))
                values.append(("", self._reader.staged(made.statements, done, self._span(value))))
                objects[name] = made.value
            else:
                values.append((name, self._reader.expression(value)))
        return values, streams, objects, choices


def _asked(value: ir.Expression | Instance | FunctionValue, span: Span) -> tuple[ir.Statement, ...]:
    return () if isinstance(value, Instance | FunctionValue) else (ir.ExpressionStatement(value, span),)


def within(value: FunctionValue, inner: Scope, renamed: dict[str, str]) -> Scope:
    """The scope of a lambda or a local function: its parameters, and all that the place sees where it stands."""
    around = value.scope

    def seen(names: Mapping[str, _Held]) -> dict[str, _Held]:
        """What names stand for around it that it does not bind itself."""
        return {name: held for name, held in names.items() if name not in inner.names}

    return replace(
        around,
        names=around.names | inner.names,
        aliases=seen(around.aliases),
        streams=seen(around.streams) | inner.streams,
        instances=seen(around.instances) | inner.instances,
        functions=seen(around.functions) | inner.functions,
        classes=seen(around.classes),
        local_functions=seen(around.local_functions),
        given=inner.given,
        unrolled=around.unrolled | inner.unrolled,
        refusals=inner.refusals,
        unassigned=inner.unassigned,
        numbers=inner.numbers,
        renamed=[*value.renamed, renamed],
        calls=inner.calls,
        constructing=False,
        listed=None,
    )


def yields(function: cst.FunctionDef) -> bool:
    """Whether it is a generator function."""
    return any(isinstance(one, cst.Yield) for one in nodes_below(function.body, SCOPES))


def without_returns(
    body: tuple[ir.Statement, ...], result: ir.Name, done: ir.Name
) -> tuple[tuple[ir.Statement, ...], ir.Expression]:
    """The statements, and what the function gives once they have been executed.

    result, done: variables for what it gives, and for whether it has. Raises UnsupportedConstruct where a statement
    that returns is none that is known.
    """
    if not returns(body):
        return body, ir.Constant(None, done.span)
    *before, last = body
    if isinstance(last, ir.Return) and not returns(before):
        return tuple(before), last.value
    leaving = _Leaving(result, done)
    left = leaving.block(body, flagged=False, in_loop=False)
    start: list[ir.Statement] = [] if ends(body) else [ir.Assign((result,), ir.Constant(None, done.span), done.span)]
    if leaving.uses_flag:
        start.append(ir.Assign((done,), ir.Constant(False, done.span), done.span))
    return (*start, *left), result


def returns(statements: Sequence[ir.Statement]) -> bool:
    """Whether there is a `return` in them."""
    return any(isinstance(one, ir.Return) for one in walk(statements))


def ends(statements: Sequence[ir.Statement]) -> bool:
    """Whether no run goes on behind them, because each returns or raises."""
    return any(
        isinstance(one, ir.Return | ir.Raise) or (isinstance(one, ir.If) and ends(one.body) and ends(one.orelse))
        for one in statements
    )


class _Leaving:
    def __init__(self, result: ir.Name, done: ir.Name) -> None:
        self._result, self._done = result, done
        self.uses_flag = False

    def block(self, statements: Sequence[ir.Statement], *, flagged: bool, in_loop: bool) -> tuple[ir.Statement, ...]:
        """flagged: what comes behind asks whether the function has returned. in_loop: it is left by `break`."""
        out: list[ir.Statement] = []
        for number, node in enumerate(statements):
            if isinstance(node, ir.Return):
                out.append(ir.Assign((self._result,), node.value, node.span))
                out += [self._flag(node.span)] if flagged else []
                out += [ir.Break(node.span)] if in_loop else []
                return tuple(out)
            if not returns([node]):
                out.append(node)
                continue
            rest = statements[number + 1 :]
            if isinstance(node, ir.If) and not in_loop:
                out += self._if(node, rest, flagged=flagged)
                return tuple(out)
            if isinstance(node, ir.If):
                sides = (self.block(side, flagged=flagged, in_loop=True) for side in (node.body, node.orelse))
                body, orelse = sides
                out.append(replace(node, body=body, orelse=orelse))
                continue
            out += self._loop(node, rest, flagged=flagged, in_loop=in_loop)
            if not in_loop:
                return tuple(out)
        return tuple(out)

    def _if(self, node: ir.If, rest: Sequence[ir.Statement], *, flagged: bool) -> tuple[ir.Statement, ...]:
        """A branch in no loop, with what follows it."""
        if ends(node.body) or not rest:
            body = self.block(node.body, flagged=flagged, in_loop=False)
            return (replace(node, body=body, orelse=self.block((*node.orelse, *rest), flagged=flagged, in_loop=False)),)
        if ends(node.orelse):
            body = self.block((*node.body, *rest), flagged=flagged, in_loop=False)
            return (replace(node, body=body, orelse=self.block(node.orelse, flagged=flagged, in_loop=False)),)
        body, orelse = (self.block(side, flagged=True, in_loop=False) for side in (node.body, node.orelse))
        return replace(node, body=body, orelse=orelse), *self._unless_done(rest, node.span, flagged=flagged)

    def _loop(
        self, node: ir.Statement, rest: Sequence[ir.Statement], *, flagged: bool, in_loop: bool
    ) -> tuple[ir.Statement, ...]:
        if not isinstance(node, ir.For | ir.While):
            raise unsupported("a return inside of this statement", node.span, "return behind it")
        body = self.block(node.body, flagged=True, in_loop=True)
        orelse = self.block(node.orelse, flagged=True, in_loop=in_loop)
        loop = replace(node, body=body, orelse=orelse)
        if in_loop:
            return loop, ir.If(self._done, (ir.Break(node.span),), (), node.span)
        return loop, *self._unless_done(rest, node.span, flagged=flagged)

    def _unless_done(self, rest: Sequence[ir.Statement], span: Span, *, flagged: bool) -> tuple[ir.Statement, ...]:
        if not rest:
            return ()
        left = self.block(rest, flagged=flagged, in_loop=False)
        return (ir.If(ir.Unary("not", self._done, span), left, (), span),)

    def _flag(self, span: Span) -> ir.Statement:
        self.uses_flag = True
        return ir.Assign((self._done,), ir.Constant(True, span), span)
