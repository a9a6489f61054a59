"""Lowering of statements and of whole functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import libcst as cst

from dplint.program.nodes import (
    Assign,
    AugAssign,
    Break,
    CallFunction,
    Constant,
    Continue,
    Expression,
    ExpressionStatement,
    For,
    Function,
    If,
    ItemTarget,
    Name,
    Pass,
    Raise,
    Return,
    Statement,
    Subscript,
    Unary,
    Update,
    While,
)
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.program.sharing import changes_while_iterating, shared_names
from dplint.program.vocabulary import EXCEPTIONS, UPDATES
from dplint.source.lowering.calls import CallLowering
from dplint.source.lowering.helpers import Helpers, bind_arguments, plain_parameters
from dplint.source.lowering.scope import ModuleFacts, Scope, Stream, bound_names, dotted, top_level_names

_AUGMENTED: Mapping[type[cst.CSTNode], str] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
}
_NAMES: Mapping[type[cst.CSTNode], tuple[str, str]] = {
    cst.Try: ("try", "test before, instead of catching afterwards"),
    cst.TryStar: ("try", "test before, instead of catching afterwards"),
    cst.With: ("with", "move it out of the mechanism"),
    cst.Match: ("match", "use if and elif"),
    cst.FunctionDef: ("a nested function", "make it a function of the module"),
    cst.ClassDef: ("a nested class", "make it a class of the module"),
    cst.Global: ("global", "pass the value in and return it"),
    cst.Nonlocal: ("nonlocal", "pass the value in and return it"),
}

_COMPOUND = (cst.If, cst.For, cst.While, cst.Try, cst.TryStar)
"""Statements whose own refusals say nothing about what the statements inside them bind."""


class Lowering(CallLowering):
    """Lowers one function."""

    def __init__(self, scope: Scope, helpers: Helpers) -> None:
        super().__init__(scope)
        self._helpers = helpers
        self._depth = 0
        self._statements: Mapping[type[cst.CSTNode], Callable[[Any], Statement | tuple[Statement, ...]]] = {
            cst.Assign: self._assign,
            cst.AnnAssign: self._ann_assign,
            cst.AugAssign: self._aug_assign,
            cst.Expr: self._expr,
            cst.Return: self._return,
            cst.Del: self._del,
            cst.Raise: self._raise,
            cst.Assert: self._assert,
            cst.Break: lambda node: Break(self.span(node)),
            cst.Continue: lambda node: Continue(self.span(node)),
            cst.Pass: lambda node: Pass(self.span(node)),
            cst.Import: self._import,
            cst.ImportFrom: self._import,
            cst.If: self._if,
            cst.For: self._for,
            cst.While: self._while,
        }

    def block(self, body: cst.BaseSuite) -> tuple[Statement, ...]:
        """The statements of a suite."""
        lowered: list[Statement] = []
        self._depth += 1
        for statement in body.body:
            parts: Iterable[cst.CSTNode] = (
                statement.body if isinstance(statement, cst.SimpleStatementLine) else (statement,)
            )
            for part in parts:
                lowered += self._recovered(part)
        self._depth -= 1
        return tuple(lowered)

    def _recovered(self, node: cst.CSTNode) -> tuple[Statement, ...]:
        """A statement, or nothing in its place where it is refused; what it binds is then known for suspect."""
        refusals = self.scope.refusals
        before = len(refusals.found)
        lowered: tuple[Statement, ...] = ()
        try:
            statement = self._statement(node)
            lowered = statement if isinstance(statement, tuple) else (statement,)
        except UnsupportedConstruct as refused:
            refusals.add(refused.unsupported)
        if len(refusals.found) > before and not isinstance(node, _COMPOUND):
            self.scope.suspect |= bound_names(node)
        return lowered

    def _statement(self, node: cst.CSTNode) -> Statement | tuple[Statement, ...]:
        handler = self._statements.get(type(node))
        if handler is None:
            construct, hint = _NAMES.get(type(node), (f"the statement {type(node).__name__}", "leave it out"))
            refused = Unsupported(construct, self.span(node), hint)
            self.scope.refusals.add(refused)
            for item in node.items if isinstance(node, cst.With) else ():
                self.scope.suspect |= bound_names(item)
            if isinstance(node, cst.With | cst.Try | cst.TryStar):
                self.block(node.body)
            raise UnsupportedConstruct(refused)
        return handler(node)

    def _assign(self, node: cst.Assign) -> Statement | tuple[Statement, ...]:
        if len(node.targets) > 1:
            value = self.expression(node.value)
            return Assign(tuple(self.target(target.target) for target in node.targets), value, self.span(node))
        target = node.targets[0].target
        if self._keeps_generator(target, node.value):
            return Pass(self.span(node))
        popped = self._popped(target, node.value)
        if popped is not None:
            return popped
        value = self.expression(node.value)
        if isinstance(target, cst.Name) and self._depth == 1:
            self.scope.renew(target.value)
        return Assign((self.target(target),), value, self.span(node))

    def _popped(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`x = xs.pop(i)` as `x = xs[i]` and `xs.pop(i)`; None if it is no such thing."""
        match value:
            case cst.Call(func=cst.Attribute(value=cst.Name() as receiver, attr=cst.Name(value="pop")), args=given):
                pass
            case _:
                return None
        name = self.exactly(receiver)
        index = self.expression(given[0].value) if given else Constant(-1, self.span(value))
        plain = len(given) < 2 and not any(argument.keyword or argument.star for argument in given)
        if not plain or not isinstance(index, Constant | Name) or not isinstance(name, Name):
            return None
        lowered = self.target(target)
        if not isinstance(lowered, Name) or lowered.id in (name.id, getattr(index, "id", None)):
            return None
        span = self.span(value)
        taken = Assign((lowered,), Subscript(name, index, span), span)
        return taken, Update(name, "pop", (index,) if given else (), span)

    def _ann_assign(self, node: cst.AnnAssign) -> Statement:
        if node.value is None or self._keeps_generator(node.target, node.value):
            return Pass(self.span(node))
        value = self.expression(node.value)
        if isinstance(node.target, cst.Name) and self._depth == 1:
            self.scope.renew(node.target.value)
        return Assign((self.target(node.target),), value, self.span(node))

    def _keeps_generator(self, target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
        """Whether a generator is assigned to a name that only ever holds generators of its kind."""
        if not isinstance(target, cst.Name) or self.scope.stream(target.value) is None:
            return False
        return self.stream_of(value) is not None

    def _aug_assign(self, node: cst.AugAssign) -> Statement:
        operator = _AUGMENTED.get(type(node.operator))
        target = self.target(node.target)
        if operator is None or not isinstance(target, Name | ItemTarget):
            raise self.refuse("this augmented assignment", node, "write target = target + value")
        return AugAssign(target, operator, self.expression(node.value), self.span(node))

    def _expr(self, node: cst.Expr) -> Statement | tuple[Statement, ...]:
        value = node.value
        if isinstance(value, cst.BaseString | cst.Ellipsis):
            return Pass(self.span(node))
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
            method, receiver = value.func.attr.value, value.func.value
            if method in UPDATES and self.stream_of(receiver) is None and self.scope.canonical(value.func) is None:
                return self._update(value, method, receiver)
        return ExpressionStatement(self.expression(value), self.span(node))

    def _update(self, node: cst.Call, method: str, receiver: cst.BaseExpression) -> Statement | tuple[Statement, ...]:
        name = self.exactly(receiver)
        if not isinstance(name, Name):
            raise self.refuse(f"{method} on an element", node, "use a list with a name of its own")
        if method == "sort" and node.args:
            return self._sort(name, node)
        if any(argument.keyword or argument.star for argument in node.args):
            raise self.refuse(f"{method} with such arguments", node, "pass plain arguments")
        lower = self.iterable if method == "extend" else self.expression
        arguments = tuple(lower(argument.value) for argument in node.args)
        return Update(name, method, arguments, self.span(node))

    def _sort(self, name: Name, node: cst.Call) -> tuple[Statement, ...]:
        """`xs.sort(reverse=True)`, as Python does it so that equal items keep their order: reverse, sort, reverse."""
        argument = node.args[0]
        word = argument.keyword.value if argument.keyword is not None and len(node.args) == 1 else ""
        value = argument.value.value if isinstance(argument.value, cst.Name) else ""
        if word != "reverse" or value not in ("True", "False"):
            raise self.refuse("sort with such arguments", node, "write xs = sorted(xs, key=..., reverse=...)")
        methods = ("reverse", "sort", "reverse") if value == "True" else ("sort",)
        return tuple(Update(name, method, (), self.span(node)) for method in methods)

    def _del(self, node: cst.Del) -> Statement:
        """`del xs[i]` drops what `xs.pop(i)` would give."""
        target = node.target
        if (
            isinstance(target, cst.Subscript)
            and len(target.slice) == 1
            and isinstance(target.slice[0].slice, cst.Index)
        ):
            name = self.exactly(target.value)
            if isinstance(name, Name):
                return Update(name, "pop", (self.index(target.slice),), self.span(node))
        raise self.refuse("this del", node, "leave it out, or keep the rest: xs = xs[1:]")

    def _return(self, node: cst.Return) -> Statement:
        span = self.span(node)
        return Return(Constant(None, span) if node.value is None else self.expression(node.value), span)

    def _raise(self, node: cst.Raise) -> Statement:
        call = node.exc
        function = call.func if isinstance(call, cst.Call) else call
        canonical = None if function is None else self.scope.canonical(function)
        if canonical not in EXCEPTIONS:
            raise self.refuse("this raise", node, "raise a built-in exception such as ValueError")
        if node.cause is not None and not (isinstance(node.cause.item, cst.Name) and node.cause.item.value == "None"):
            raise self.refuse("raise with a cause", node, "leave the cause out")
        arguments = call.args if isinstance(call, cst.Call) else ()
        if any(argument.keyword or argument.star for argument in arguments):
            raise self.refuse("this raise", node, "pass the message only")
        values = tuple(self.expression(argument.value) for argument in arguments)
        return Raise(canonical, values, self.span(node))

    def _assert(self, node: cst.Assert) -> Statement:
        span = self.span(node)
        message = () if node.msg is None else (self.expression(node.msg),)
        test = self.expression(node.test)
        return If(Unary("not", test, test.span), (Raise("AssertionError", message, span),), (), span)

    def _import(self, node: cst.Import | cst.ImportFrom) -> Statement:
        if isinstance(node.names, cst.ImportStar) or (isinstance(node, cst.ImportFrom) and node.relative):
            raise self.refuse("this import", node, "import it at the top of the module")
        module = ".".join(dotted(node.module) or ()) + "." if isinstance(node, cst.ImportFrom) and node.module else ""
        for alias in node.names:
            path = dotted(alias.name) or []
            bound = dotted(alias.asname.name) if alias.asname and isinstance(alias.asname.name, cst.Name) else None
            if bound is None and len(path) > 1:
                bound, path = path[:1], path[:1]
            self.scope.aliases[(bound or path)[0]] = module + ".".join(path)
        return Pass(self.span(node))

    def _if(self, node: cst.If) -> Statement:
        test = self.expression(node.test)
        body = self.block(node.body)
        orelse: tuple[Statement, ...] = ()
        if isinstance(node.orelse, cst.If):
            orelse = (self._if(node.orelse),)
        elif node.orelse is not None:
            orelse = self.block(node.orelse.body)
        return If(test, body, orelse, self.span(node))

    def _for(self, node: cst.For) -> Statement:
        if node.asynchronous is not None:
            raise self.refuse("async for", node, "use a plain loop")
        iterable = self.iterable(node.iter)
        target = self.target(node.target)
        orelse = () if node.orelse is None else self.block(node.orelse.body)
        return For(target, iterable, self.block(node.body), orelse, self.span(node))

    def _while(self, node: cst.While) -> Statement:
        orelse = () if node.orelse is None else self.block(node.orelse.body)
        return While(self.expression(node.test), self.block(node.body), orelse, self.span(node))

    def call_helper(self, function: cst.FunctionDef, node: cst.Call) -> Expression:
        """A call of a function of the same module, which is lowered when it is first met."""
        name = function.name.value
        if name in self._helpers.open:
            raise self.refuse(f"the recursive function {name}", node, "write it as a loop")
        given = bind_arguments(self, function, node)
        streams = {n: s for n, v in given.items() if (s := self.stream_of(v)) is not None}
        if self._helpers.streams.setdefault(name, streams) != streams:
            raise self.refuse(f"{name} called with different generators", node, "pass the same generator each time")
        arguments = tuple((n, self.expression(v)) for n, v in given.items() if n not in streams)
        if name not in self._helpers.done:
            self._helpers.open.append(name)
            parameters = tuple(p for p in plain_parameters(self, function) if p not in streams)
            body, shared = lower_body(self.scope.facts, function, parameters, streams, self._helpers)
            self._helpers.open.pop()
            self._helpers.done[name] = Function(name, parameters, body, shared, self.span(function.name))
        return CallFunction(name, arguments, self.span(node))


def lower_body(
    facts: ModuleFacts,
    function: cst.FunctionDef,
    parameters: tuple[str, ...],
    streams: Mapping[str, Stream],
    helpers: Helpers,
) -> tuple[tuple[Statement, ...], frozenset[str]]:
    """The lowered body of a function and its shared names; what is refused is noted in `helpers.refusals`."""
    names = frozenset({*parameters, *streams}) | bound_names(function.body)
    bound = frozenset(top_level_names(facts.tree.body))
    scope = Scope(facts, bound, names, frozenset(parameters), dict(streams), helpers.refusals)
    lowering = Lowering(scope, helpers)
    scope.streams.update(_local_streams(lowering, function))
    body = lowering.block(function.body)
    for refused in changes_while_iterating(body):
        helpers.refusals.add(refused)
    return body, shared_names(parameters, body)


class _Assignments(cst.CSTVisitor):
    """All assignments to plain names, in source order."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, list[cst.BaseExpression]] = {}

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802
        for target in node.targets:
            if isinstance(target.target, cst.Name):
                self.values.setdefault(target.target.value, []).append(node.value)


def _local_streams(lowering: Lowering, function: cst.FunctionDef) -> dict[str, Stream]:
    """Local names that hold generators: the first assignment decides, `Lowering` refuses any other value later."""
    found = _Assignments()
    function.body.visit(found)
    streams: dict[str, Stream] = {}
    for name, values in found.values.items():
        if name not in lowering.scope.streams and isinstance(values[0], cst.Call | cst.Name | cst.BooleanOperation):
            stream = lowering.stream_of(values[0])
            if stream is not None:
                streams[name] = stream
                lowering.scope.streams[name] = stream
    return streams
