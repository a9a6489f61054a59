"""Lowering of statements and of whole functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import libcst as cst

from dplint.program import nodes as ir
from dplint.program.calls import UPDATES
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.source.bindings import SCOPES, bound_names, dotted_name, imported, statements
from dplint.source.lowering.calls import Calls
from dplint.source.lowering.comprehensions import Comprehensions
from dplint.source.lowering.containers import Containers
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.expressions import Expressions
from dplint.source.lowering.functions_of_values import parts_of_function
from dplint.source.lowering.generators import Generators
from dplint.source.lowering.helpers import HelperCalls, Helpers
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.kinds import one_by_one
from dplint.source.lowering.library_calls import LibraryCalls
from dplint.source.lowering.local_functions import LocalFunctions
from dplint.source.lowering.making import Records
from dplint.source.lowering.object_classes import CONSTRUCTOR
from dplint.source.lowering.observed import logged, printed, written
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import ends
from dplint.source.lowering.rewriting import Rewriting, is_part, with_refusals
from dplint.source.lowering.scope import FunctionValue, Instance, Scope
from dplint.source.lowering.staging import written_out
from dplint.source.lowering.tables import Tables
from dplint.source.operators import AUGMENTED, BINARY
from dplint.source.walking import nodes_below

_NOT_IN_PLACE = frozenset(["@", "<<", ">>"])
"""Operators that programs know, but not as `x @= y` and its like."""
_NAMES: Mapping[type[cst.CSTNode], tuple[str, str]] = {
    cst.ClassDef: ("a nested class", "make it a class of the module"),
    cst.Global: ("global", "pass the value in and return it"),
    cst.Nonlocal: ("nonlocal", "pass the value in and return it"),
    cst.Del: ("this del", "leave it out, or keep the rest: xs = xs[1:]"),
}
_COMPOUND = (cst.If, cst.For, cst.While, cst.Try, cst.TryStar)
"""Statements whose own refusals say nothing about what the statements inside them bind."""


class Statements:
    """Lowers the statements of one function, and the helper functions that it calls."""

    def __init__(
        self,
        scope: Scope,
        helpers: Helpers,
        bindings: Mapping[str, int],
        body: cst.BaseSuite | None = None,
        *,
        returning: bool = False,
    ) -> None:
        """body: of the function. returning: whether what it returns is what the mechanism does."""
        reader = Reader(scope)
        reader.parts_of_function = partial(parts_of_function, scope)
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._expression = reader.expression
        self._scope = reader.scope
        scope.observing = helpers.observed is not None
        scope.observed, defaults = (helpers.observed, helpers.defaults) if len(helpers.open) == 1 else (None, {})
        self.draws = Draws(reader, helpers.seeding)
        Expressions(reader)
        calls = HelperCalls(reader, self.draws, helpers)
        self._comprehensions = Comprehensions(reader)
        self._calls = Calls(reader, self.draws, self._comprehensions, calls)
        self._instances = Instances(reader, self._calls, calls, body)
        self._generators = Generators(reader)
        self._helpers = helpers
        self._depth = 0
        self._local = LocalFunctions(reader, bindings, self._instances, self.draws)
        self._assigned = set(scope.parameters)
        """What certainly has a value at the present place."""
        self._rewriting = Rewriting(reader, self.block)
        self._handlers = 0
        """How many handlers of exceptions are around the present place."""
        self._containers = Containers(reader, returning=returning)
        self._library = LibraryCalls(reader, defaults)
        self._records = Records(reader, returning=returning)
        self._tables = Tables(reader, self._rewriting, body)
        self._statements: Mapping[type[cst.CSTNode], Callable[[Any], ir.Statement | tuple[ir.Statement, ...]]] = {
            cst.Assign: self._assigns,
            cst.AnnAssign: self._ann_assign,
            cst.AugAssign: self._aug_assign,
            cst.Expr: self._expr,
            cst.Return: self._return,
            cst.Raise: self._raise,
            cst.Assert: self._assert,
            cst.Break: lambda node: ir.Break(self._span(node)),
            cst.Continue: lambda node: ir.Continue(self._span(node)),
            cst.Pass: lambda node: ir.Pass(self._span(node)),
            cst.Import: self._import,
            cst.ImportFrom: self._import,
            cst.If: self._if,
            cst.For: self._for,
            cst.While: self._while,
            cst.With: self._with,
            cst.Try: self._try,
            cst.TryStar: self._try,
            cst.FunctionDef: lambda node: self._local.defined(node, self._here),
        }

    def block(self, body: cst.BaseSuite) -> tuple[ir.Statement, ...]:
        """The statements of a suite."""
        return self._block(body, [*statements(body)])

    def body_and_last(
        self, body: cst.BaseSuite
    ) -> tuple[tuple[ir.Statement, ...], ir.Expression | Instance | FunctionValue | None]:
        """The statements of a function, and what its only `return`, at the end, gives; None if it has others."""
        inside = [*statements(body)]
        last = inside[-1]
        others = sum(isinstance(one, cst.Return) for one in nodes_below(body, SCOPES))
        if not isinstance(last, cst.Return) or last.value is None or others > 1:
            return self._block(body, inside), None
        lowered = self._block(body, inside[:-1])
        made = self._instances.made(last.value)
        if made is not None:
            return (*lowered, *made.statements), made.value
        choice = self._instances.functions.value(last.value)
        return lowered, self._expression(last.value) if choice is None else choice

    def filled_in(self, defaults: Mapping[str, cst.BaseExpression]) -> tuple[ir.Statement, ...]:
        """What a run of the mechanism begins with where a default is no value of a program."""
        found = [one for name, node in defaults.items() for one in self._instances.filled_in(name, node)]
        scope = self._scope
        self._helpers.filled_in |= defaults.keys() & {*scope.instances, *scope.unrolled}
        return written_out(found, self._rewriting.fresh, self._assigned)

    def made(self, maker: cst.Name | cst.Call) -> tuple[tuple[ir.Statement, ...], Instance | None]:
        """The object of a mechanism, by its class or a call of it, and what makes it; None if it is not taken apart."""
        try:
            given = self._instances.of_mechanism(maker)
            before = written_out(given.statements, self._rewriting.fresh, self._assigned)
        except UnsupportedConstruct as refused:
            return (self._opaque(refused.unsupported, ()),), None
        assert isinstance(given.value, Instance)
        return with_refusals([*self._scope.refusals.found], before), given.value

    def given(self, node: cst.BaseExpression) -> ir.Expression | Instance | FunctionValue:
        """What a lambda gives."""
        made = self._instances.made(node)
        if made is not None and not made.statements:
            return made.value
        return self._expression(node)

    def _block(self, body: cst.BaseSuite, inside: Sequence[cst.CSTNode]) -> tuple[ir.Statement, ...]:
        lowered: list[ir.Statement] = []
        self._depth += 1
        around, self._instances.names.suite = self._instances.names.suite, body
        for statement in inside:
            if self._scope.calls and ends(lowered):
                break
            lowered += self._recovered(statement)
            if self._depth == 1 and isinstance(statement, cst.Assign | cst.AnnAssign):
                self._assigned |= bound_names(statement)
        self._depth -= 1
        self._instances.names.suite = around
        return tuple(lowered)

    @property
    def _here(self) -> set[str] | None:
        """What certainly has a value here, None inside of a branch or a loop, where nothing is made that has a name."""
        return self._assigned if self._depth == 1 else None

    def _recovered(self, node: cst.CSTNode) -> tuple[ir.Statement, ...]:
        """A statement, opaque where it is not understood; what it binds is then known for suspect."""
        refusals = self._scope.refusals
        before = len(refusals.found)
        try:
            statement = self._statement(node)
            lowered = statement if isinstance(statement, tuple) else (statement,)
            lowered = written_out(lowered, self._rewriting.fresh, self._assigned) if self._reader.stages else lowered
        except UnsupportedConstruct as refused:
            lowered = (self._opaque(refused.unsupported, (), self._reader.operands(node)),)
        new = list(refusals.found)[before:]
        if not isinstance(node, _COMPOUND) and (new or self._helpers.any_opaque(lowered)):
            self._scope.suspect |= bound_names(node) - self._scope.streams.keys()
        return with_refusals(new, lowered)

    def _statement(self, node: cst.CSTNode) -> ir.Statement | tuple[ir.Statement, ...]:
        handler = self._statements.get(type(node))
        if handler is None:
            construct, hint = _NAMES.get(type(node), (f"the statement {type(node).__name__}", "leave it out"))
            return self._opaque(Unsupported(construct, self._span(node), hint), (), self._reader.operands(node))
        return handler(node)

    def _opaque(
        self,
        refused: Unsupported,
        bodies: tuple[tuple[ir.Statement, ...], ...],
        operands: tuple[ir.Expression, ...] = (),
    ) -> ir.Opaque:
        self._scope.refusals.add(refused)
        return ir.Opaque(refused, operands, bodies, False, refused.span)

    def _try(self, node: cst.Try | cst.TryStar) -> ir.Statement:
        body = self.block(node.body)
        self._handlers += 1
        handlers = [self.block(one.body) for one in node.handlers]
        self._handlers -= 1
        others = [() if one is None else self.block(one.body) for one in (node.orelse, node.finalbody)]
        for handler in node.handlers:
            self._scope.suspect |= bound_names(handler)
        refused = Unsupported("try", self._span(node), "test before, instead of catching afterwards")
        return self._opaque(refused, (body, *handlers, *(one for one in others if one)))

    def _with(self, node: cst.With) -> ir.Statement | tuple[ir.Statement, ...]:
        body = self._rewriting.quiet(node) or written(self._reader, node)
        if body is not None:
            return body
        refused = Unsupported("with", self._span(node), "no rewrite: do it outside of the mechanism")
        self._scope.refusals.add(refused)
        for item in node.items:
            self._scope.suspect |= bound_names(item)
        operands = tuple(part for item in node.items for part in self._reader.operands(item))
        return self._opaque(refused, (self.block(node.body),), operands)

    def _assigns(self, node: cst.Assign) -> ir.Statement | tuple[ir.Statement, ...]:
        """An assignment, or several that a line makes."""
        found: list[ir.Statement] = []
        for target, value in one_by_one(self._scope, node) or ():
            one = cst.Assign([cst.AssignTarget(target)], value)
            self._scope.placed(one, node)
            lowered = self._assign(one)
            found += lowered if isinstance(lowered, tuple) else (lowered,)
        return tuple(found) or self._assign(node)

    def _assign(self, node: cst.Assign) -> ir.Statement | tuple[ir.Statement, ...]:
        if len(node.targets) > 1:
            value = self._expression(node.value)
            return ir.Assign(
                tuple(self._reader.target(target.target) for target in node.targets), value, self._span(node)
            )
        target = node.targets[0].target
        if (kept := self.draws.kept(target, node.value)) is not None:
            return kept
        if isinstance(target, cst.Name) and self._local.once(target.value):
            mechanism = self._library.kept(target.value, node.value)
            if mechanism is not None:
                return mechanism
        if (popped := self._rewriting.popped(target, node.value)) is not None:
            return popped
        made = self._containers.made(target, node.value)
        made = made or self._instances.names.assigned(target, node.value) or self._tables.assigned(target, node.value)
        if made is not None:
            return made
        done = self._local.made(target, node.value, self._here)
        if done is not None:
            return done
        if (unpacked := self._rewriting.unpacked(target, node.value)) is not None:
            return unpacked
        # Python has all items before it gives one to a target.
        several = isinstance(target, cst.Tuple | cst.List)
        read = self._reader.used_up if several or is_part(target) else self._expression
        value = read(node.value)
        if isinstance(target, cst.Name) and self._depth == 1:
            self._scope.renew(target.value)
        return ir.Assign((self._reader.target(target),), value, self._span(node))

    def _ann_assign(self, node: cst.AnnAssign) -> ir.Statement | tuple[ir.Statement, ...]:
        """As without the annotation, which nobody evaluates in a function."""
        if node.value is None:
            return ir.Pass(self._span(node))
        plain = cst.Assign([cst.AssignTarget(node.target)], node.value)
        self._scope.placed(plain, node)
        return self._assigns(plain)

    def _aug_assign(self, node: cst.AugAssign) -> ir.Statement | tuple[ir.Statement, ...]:
        counted = self._containers.augmented(node) or self._tables.augmented(node)
        if counted is not None:
            return counted
        operator = AUGMENTED[type(node.operator)]
        whole = self._scope.instance(node.target) if isinstance(node.target, cst.Name) else None
        if whole is not None and not any(one[:3] == "__i" and one != CONSTRUCTOR for one in whole.made.methods):
            made = next(kind for kind, sign in BINARY.items() if sign == operator)
            value = cst.BinaryOperation(node.target, made(), node.value)  # type: ignore[arg-type]  # an operator
            self._scope.placed(value, node)
            return self._instances.names.assigned(node.target, value) or ir.Pass(self._span(node))
        target = self._reader.target(node.target)
        if operator in _NOT_IN_PLACE or not isinstance(target, ir.Name | ir.ItemTarget):
            raise self._refuse("this augmented assignment", node, "write target = target + value")
        return ir.AugAssign(target, operator, self._expression(node.value), self._span(node))

    def _expr(self, node: cst.Expr) -> ir.Statement | tuple[ir.Statement, ...]:
        value = node.value
        if isinstance(value, cst.Yield) and (done := self._generators.yielded(value)) is not None:
            return done
        if isinstance(value, cst.BaseString | cst.Ellipsis):
            return ir.Pass(self._span(node))
        done = self._tables.appended(value)
        told = (partial(logged, self._reader), partial(printed, self._reader))
        for known in (self._added_at, self._instances.executed, *told):
            done = known(value) if done is None and isinstance(value, cst.Call) else done
        if done is not None:
            return done
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
            method, receiver = value.func.attr.value, value.func.value
            added = self._containers.added(value, method, receiver)
            if added is not None:
                return added
            if method in UPDATES and not (self.draws.stream_of(receiver) or self._scope.canonical(value.func)):
                return self._updated(value, method, receiver)
        return ir.ExpressionStatement(self._expression(value), self._span(node))

    def _added_at(self, node: cst.Call) -> tuple[ir.Statement, ...] | None:
        """`numpy.add.at(counts, places, 1)`, as `counts[:] = ...`; None for all others."""
        if self._scope.canonical(node.func) != "numpy.add.at":
            return None
        plain = len(node.args) == 3 and not any(one.keyword or one.star for one in node.args)
        if not plain:
            raise self._refuse("this call of numpy.add.at", node, "add in a loop: for i in places: x[i] += 1")
        span = self._span(node)
        name, places, items = (
            self._reader.exactly(node.args[0].value),
            *map(self._expression, (a.value for a in node.args[1:])),
        )
        if not isinstance(name, ir.Name):
            raise self._refuse("this call of numpy.add.at", node, "add in a loop: for i in places: x[i] += 1")
        made = ir.Call("added-at", (name, places, items), (), span)
        return (ir.Assign((ir.ItemTarget(name, ir.Slice(None, None, None, span), span),), made, span),)

    def _updated(self, node: cst.Call, method: str, receiver: cst.BaseExpression) -> ir.Update:
        """A call of a method that changes its receiver: `xs.append(x)`."""
        name = self._reader.exactly(receiver)
        if not isinstance(name, ir.Name):
            raise self._refuse(f"{method} on an element", node, "use a list with a name of its own")
        if any(argument.keyword or argument.star for argument in node.args):
            hint = "write xs = sorted(xs, key=..., reverse=...)" if method == "sort" else "pass plain arguments"
            raise self._refuse(f"{method} with such arguments", node, hint)
        lower = self._reader.iterable if method == "extend" else self._expression
        return ir.Update(name, method, tuple(lower(argument.value) for argument in node.args), self._span(node))

    def returned(self, value: cst.BaseExpression) -> tuple[ir.Statement, ...]:
        """The statements that a lambda is."""
        return written_out(
            [ir.Return(self._expression(value), self._span(value))], self._rewriting.fresh, self._assigned
        )

    def _return(self, node: cst.Return) -> ir.Statement | tuple[ir.Statement, ...]:
        span = self._span(node)
        if self._scope.listed is not None:
            # What a generator returns is no item of it.
            value = ir.Constant(None, span) if node.value is None else self._expression(node.value)
            return ir.ExpressionStatement(value, span), ir.Return(self._scope.all_listed(span), span)
        named = isinstance(node.value, cst.Name | cst.Call) and self._records.returning
        if named and node.value is not None and not self._records.is_one(node.value):
            given = self._instances.made(node.value)
            record = self._records.of_object(given.value, span) if given and isinstance(given.value, Instance) else None
            if given is not None and record is not None:
                return *given.statements, ir.Return(record, span)
        return ir.Return(ir.Constant(None, span) if node.value is None else self._given_back(node.value), span)

    def _given_back(self, node: cst.BaseExpression) -> ir.Expression:
        """What is returned: of all expressions, only this may be a record, or have sets in it."""
        record, sets = self._records.returned, self._containers.returned
        return self._reader.recovered(lambda one: record(one) or sets(one) or self._reader.exactly(one), node)

    def _raise(self, node: cst.Raise) -> ir.Statement:
        """`raise`, of an exception or of what a handler has caught."""
        call = node.exc
        if call is None and self._handlers:
            return ir.Pass(self._span(node))
        function = call.func if isinstance(call, cst.Call) else call
        names = None if function is None else self._scope.exception(function)
        if names is None:
            raise self._refuse("this raise", node, "raise a built-in exception such as ValueError")
        if node.cause is not None and not self._handlers and dotted_name(node.cause.item) != "None":
            raise self._refuse("raise with a cause", node, "leave the cause out")
        arguments = call.args if isinstance(call, cst.Call) else ()
        if any(argument.keyword or argument.star for argument in arguments):
            raise self._refuse("this raise", node, "pass the message only")
        return ir.Raise(names[0], tuple(self._expression(argument.value) for argument in arguments), self._span(node))

    def _assert(self, node: cst.Assert) -> ir.Statement:
        span = self._span(node)
        message = () if node.msg is None else (self._expression(node.msg),)
        test = self._reader.test(node.test)
        return ir.If(ir.Unary("not", test, test.span), (ir.Raise("AssertionError", message, span),), (), span)

    def _import(self, node: cst.Import | cst.ImportFrom) -> ir.Statement:
        if isinstance(node.names, cst.ImportStar):
            raise self._refuse("this import", node, "import it at the top of the module")
        for name, full in imported(node, self._scope.facts.place.package):
            if self._scope.aliases.setdefault(name, full) != full:
                raise self._refuse("a name that is imported from two places", node, "give each a name of its own")
        return ir.Pass(self._span(node))

    def _if(self, node: cst.If) -> tuple[ir.Statement, ...]:
        test = self._reader.test(node.test)
        body = self.block(node.body)
        orelse: tuple[ir.Statement, ...] = ()
        if isinstance(node.orelse, cst.If):
            orelse = self._if(node.orelse)
        elif node.orelse is not None:
            orelse = self.block(node.orelse.body)
        return (ir.If(test, body, orelse, self._span(node)),)

    def _for(self, node: cst.For) -> ir.Statement:
        if node.asynchronous is not None:
            raise self._refuse("async for", node, "use a plain loop")
        self._comprehensions.look_at_items(node.iter, builtins=False)
        iterable, target = self._reader.iterable(node.iter), self._reader.target(node.target)
        orelse = () if node.orelse is None else self.block(node.orelse.body)
        return ir.For(target, iterable, self.block(node.body), orelse, self._span(node))

    def _while(self, node: cst.While) -> ir.Statement:
        orelse = () if node.orelse is None else self.block(node.orelse.body)
        return ir.While(self._reader.test(node.test), self.block(node.body), orelse, self._span(node))
