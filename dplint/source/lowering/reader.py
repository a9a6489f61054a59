"""What all parts of the lowering share: the scope, and how an expression or a target is lowered, whatever it is.

A part is an object for one kind of thing: expressions, comprehensions, draws, calls, statements. It registers what it
lowers, by the class of LibCST's node, and lowers what is inside of that through the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import libcst as cst

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported, UnsupportedConstruct, unsupported
from dplint.source.bindings import SCOPES
from dplint.source.lowering.scope import FunctionValue, Scope, Stream
from dplint.source.lowering.staging import staged
from dplint.source.operators import BOOLEAN
from dplint.source.walking import children, nodes_below

_NO_HINT = "the construct is not known"
_OF_TABLE = "use one list of numbers for each row, or numbers in one list"
_NAMES: Mapping[type[cst.CSTNode], tuple[str, str]] = {
    cst.Lambda: ("a lambda", "make it a function of the module"),
    cst.SetComp: ("a set comprehension", "use a list"),
    cst.GeneratorExp: ("a generator kept as a value", "use a list comprehension"),
    cst.Set: ("a set", "use a tuple"),
    cst.Yield: ("yield", "append to a list and return it"),
    cst.Await: ("await", "call a plain function"),
    cst.Imaginary: ("a complex number", "compute with its real and imaginary part"),
}


Handler: TypeAlias = Callable[[Any], ir.Expression | None]
Promised: TypeAlias = tuple[str, tuple[tuple[str, "cst.BaseExpression | ir.Expression"], ...]]
"""The full name of a function of a library, and what its parameters are given."""


class Reader:
    """Lowers the expressions and targets of one function, as the parts say."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.whole: Callable[[str, cst.BaseExpression], ir.Expression | None] = lambda _function, _node: None
        """What a container is that is the only argument of a function, or on the right of "in"; None for all others."""
        self.stages = False
        """Whether an expression may begin with statements."""
        self.parts_of_function: Callable[[cst.BaseExpression], Sequence[cst.BaseExpression] | None] = lambda _node: None
        """What an expression is certainly a function of, if it is refused; None for one that may be more than that."""
        self.promised: Callable[[cst.BaseExpression], Promised | None] = lambda _node: None
        """What a refused call is given, where a library promises something of the function; None for all others."""
        self._handlers: dict[type[cst.CSTNode], list[Handler]] = {}
        self._iterables: dict[type[cst.CSTNode], list[Handler]] = {}
        self._targets: list[Callable[[cst.BaseExpression], ir.Target | None]] = []
        self._known: dict[int, ir.Expression] = {}

    def stands_for(self, node: cst.BaseExpression, value: ir.Expression) -> None:
        """From here on a node is that: a statement before it has worked out what it gives."""
        self._known[id(node)] = value

    def staged(self, before: tuple[ir.Statement, ...], value: ir.Expression, span: Span) -> ir.Expression:
        """The value, after the statements."""
        self.stages = True
        return staged(before, value, span)

    def register(self, handlers: Mapping[type[cst.CSTNode], Handler]) -> None:
        """Expressions of these classes are lowered so.

        A handler raises UnsupportedConstruct for what has no node, and gives None for what is not its affair: then the
        one is asked that was registered before.
        """
        for kind, handler in handlers.items():
            self._handlers.setdefault(kind, []).insert(0, handler)

    def register_iterable(self, kind: type[cst.CSTNode], handler: Handler) -> None:
        """Expressions of this class are lowered so where they are used up at once."""
        self._iterables.setdefault(kind, []).insert(0, handler)

    def register_target(self, handler: Callable[[cst.BaseExpression], ir.Target | None]) -> None:
        """Targets that are attributes are lowered so."""
        self._targets.append(handler)

    def span(self, node: cst.CSTNode) -> Span:
        """The range of a node."""
        return self.scope.span(node)

    def refuse(self, construct: str, node: cst.CSTNode, hint: str = "") -> UnsupportedConstruct:
        """The exception to raise for a construct at a node."""
        return unsupported(construct, self.scope.facts.span(node), hint)

    def expression(self, node: cst.BaseExpression) -> ir.Expression:
        """The lowered expression, opaque where it is not understood."""
        return self.recovered(self.exactly, node)

    def iterable(self, node: cst.BaseExpression) -> ir.Expression:
        """An expression that is used up at once, where an iterator such as `zip(...)` is as good as a list."""
        return self.recovered(self.looped, node)

    def looped(self, node: cst.BaseExpression) -> ir.Expression:
        """As `iterable`, but raises UnsupportedConstruct if it is refused as a whole."""
        found = (handler(node) for handler in self._iterables.get(type(node), ()))
        return next((one for one in found if one is not None), None) or self.exactly(node)

    def test(self, node: cst.BaseExpression) -> ir.Expression:
        """An expression of which only the truth matters: of a container, whether there is anything in it."""
        if isinstance(node, cst.BooleanOperation):
            return self.both(node, self.test)
        whole = self.whole("len", node)
        if whole is None:
            return self.expression(node)
        size = ir.Call("len", (whole,), (), self.span(node))
        return ir.Compare(size, (">",), (ir.Constant(0, size.span),), size.span)

    def both(self, node: cst.BooleanOperation, lower: Callable[[cst.BaseExpression], ir.Expression]) -> ir.Expression:
        """`a and b` or `a or b`, where `lower` lowers either side."""
        operator = BOOLEAN[type(node.operator)]
        operands: list[ir.Expression] = []
        for side in (node.left, node.right):
            lowered = lower(side)
            nested = isinstance(lowered, ir.BoolOp) and lowered.operator == operator
            operands += lowered.operands if nested else (lowered,)  # type: ignore[union-attr]
        return ir.BoolOp(operator, tuple(operands), self.span(node))

    def used_up(self, node: cst.BaseExpression) -> ir.Expression:
        """An expression that is used up before anything else happens, where a generator is as good as a list, too."""
        if isinstance(node, cst.GeneratorExp | cst.SetComp):
            return self.recovered(partial(self.exactly, kind=cst.ListComp), node)
        return self.recovered(self.looped, node)

    def recovered(self, lower: Callable[[Any], ir.Expression], node: cst.BaseExpression) -> ir.Expression:
        """What `lower` makes of the node, or an opaque node with those of its parts that are lowered all the same."""
        try:
            known = self._known.get(id(node))
            if known is None and id(node) in self.scope.fixed:
                value = self.scope.fixed[id(node)][1]
                known = None if isinstance(value, Stream | FunctionValue) else value
            if known is None:
                self._look_at_attribute(node)
            return known or lower(node)
        except UnsupportedConstruct as refused:
            refusals = self.scope.refusals
            refusals.add(refused.unsupported)
            if self._replaced(node) is not None:
                return ir.Opaque(refused.unsupported, self.operands(node), (), refusals.quiet, self.span(node))
            promised = self.promised(node)
            if promised is not None:
                return self._of_library(refused, node, *promised)
            return self.opaque(node, refused.unsupported, follows=refusals.quiet)

    def _replaced(self, node: cst.BaseExpression) -> str | None:
        """The attribute that an expression looks at or calls, if some module may give it to something else."""
        looked_at = node.func if isinstance(node, cst.Call) else node
        name = looked_at.attr.value if isinstance(looked_at, cst.Attribute) else ""
        return name if name and self.scope.elsewhere.replaces(name) else None

    def _look_at_attribute(self, node: cst.BaseExpression) -> None:
        name = self._replaced(node)
        if name is not None:
            what = f"{name}, to which a module of the project assigns something else"
            raise self.refuse(what, node, "leave the classes of libraries as they are")

    def opaque(self, node: cst.BaseExpression, refused: Unsupported, *, follows: bool) -> ir.Opaque:
        """What stands for a refused expression."""
        parts, call = self.parts_of_function(node), self._call(node)
        known: tuple[str, tuple[str, ...]] = "", ()
        if parts is not None or isinstance(node, cst.SetComp | cst.GeneratorExp):
            operands = self.given(node, parts)
        elif call is not None:
            operands = self.given(node, call[1])
        else:
            operands = self.operands(node, told=True)
        if call is not None and len(operands) == len(call[1]):
            known = call[0], call[2]
        match node, operands:
            case cst.Attribute(value=cst.Name(), attr=cst.Name(value=name)), (ir.Name(),) if parts is None:
                attribute = name
            case _:
                attribute = ""
        function = parts is not None or isinstance(node, cst.SetComp | cst.GeneratorExp)
        return ir.Opaque(refused, operands, (), follows, self.span(node), function, attribute, *known)

    def _call(self, node: cst.BaseExpression) -> tuple[str, list[cst.BaseExpression], tuple[str, ...]] | None:
        """The function of a library that a call names, or its method, what it is given, and the names of the last.

        Of a set that is written out `{}`, and what is in it; for a name that a module gives a call of a
        library, that; of any other name of a library, it with a colon behind it.
        """
        if isinstance(node, cst.Name | cst.Attribute):
            made = self.scope.module_call(node)
            if made is None:
                known = self.scope.canonical(node)
                return None if known is None or self._of_project(known) else (f"{known}:", [], ())
            alone = isinstance(node, cst.Name) and self.scope.elsewhere.is_left_alone(made[0], node.value)
            # Names that stand there mean something else here.
            written = not any(isinstance(one, cst.Name) for arg in made[1].args for one in nodes_below(arg.value))
            return self._call(made[1]) if made[0] is self.scope.facts and alone and written else None
        if isinstance(node, cst.Set) and all(isinstance(one, cst.Element) for one in node.elements):
            return "{}", [one.value for one in node.elements], ()
        if not isinstance(node, cst.Call) or any(one.star for one in node.args):
            return None
        canonical, given = self.scope.canonical(node.func), [one.value for one in node.args]
        names = tuple(one.keyword.value for one in node.args if one.keyword is not None)
        if canonical is not None:
            return None if self._of_project(canonical) else (canonical, given, names)
        if isinstance(node.func, cst.Attribute):
            return f".{node.func.attr.value}", [node.func.value, *given], names
        return None

    def _of_project(self, canonical: str) -> bool:
        return self.scope.elsewhere.has_module(canonical.partition(".")[0])

    def _of_library(
        self,
        refused: UnsupportedConstruct,
        node: cst.BaseExpression,
        name: str,
        given: Sequence[tuple[str, cst.BaseExpression | ir.Expression]],
    ) -> ir.Opaque:
        """A call of which a library promises something."""
        with self.scope.refusals.inside():
            parts = tuple(self.expression(one) if isinstance(one, cst.CSTNode) else one for _, one in given)
        names = (name, *(parameter for parameter, _ in given))
        quiet = self.scope.refusals.quiet
        return ir.Opaque(refused.unsupported, parts, (), quiet, self.span(node), promised=names)

    def given(self, node: cst.BaseExpression, parts: Sequence[cst.BaseExpression] | None) -> tuple[ir.Expression, ...]:
        """All values that a refused expression is a function of; of a comprehension, the list of its items."""
        if parts is None:
            with self.scope.refusals.inside():
                return (self.recovered(partial(self.exactly, kind=cst.ListComp), node),)
        found = []
        for part in parts:
            is_told = isinstance(node, cst.Call) and isinstance(part, _TOLD)
            with self.scope.refusals.inside(told=is_told):
                found.append(self.expression(part) if is_told else self.used_up(part))
        return tuple(found)

    def operands(self, node: cst.CSTNode, *, told: bool = False) -> tuple[ir.Expression, ...]:
        """The values that a refused expression or statement is given, as far as they are understood, in their order.

        told: parts of a call that may hold refusals of their own, whatever is done about the call, are told of.
        """
        found: list[ir.Expression] = []
        for part in parts_of(node):
            is_told = told and isinstance(node, cst.Call) and isinstance(part, _TOLD)
            with self.scope.refusals.inside(told=is_told):
                lowered = self.expression(part) if is_told else self.used_up(part)
            nothing_new = isinstance(lowered, ir.Opaque) and lowered.follows
            found += lowered.operands if isinstance(lowered, ir.Opaque) and nothing_new else (lowered,)
        return tuple(found)

    def exactly(self, node: cst.BaseExpression, kind: type[cst.CSTNode] | None = None) -> ir.Expression:
        """The lowered expression, read as one of that kind; raises UnsupportedConstruct if it is refused as a whole."""
        for handler in self._handlers.get(kind or type(node), ()):
            found = handler(node)
            if found is not None:
                return found
        construct, hint = _NAMES.get(type(node), (f"the expression {type(node).__name__}", _NO_HINT))
        raise self.refuse(construct, node, hint)

    def lambda_body(self, node: cst.Lambda) -> ir.Expression:
        """What a lambda gives that is written out where it is called."""
        if any(isinstance(one, cst.NamedExpr) for one in nodes_below(node.body)):
            raise self.refuse("an assignment expression in a lambda", node, "make it a function of the module")
        return self.expression(node.body)

    def index(self, elements: Any) -> ir.Expression:
        """The index between brackets; several become a tuple."""
        parts = [self._index_part(element.slice) for element in elements]
        return parts[0] if len(parts) == 1 else ir.TupleDisplay(tuple(parts), self.span(elements[0]))

    def _index_part(self, node: cst.BaseSlice) -> ir.Expression:
        if isinstance(node, cst.Index):
            if node.star:
                raise self.refuse("a starred index", node, "write the places out")
            return self.expression(node.value)
        assert isinstance(node, cst.Slice)
        lower, upper, step = (
            None if part is None else self.expression(part) for part in (node.lower, node.upper, node.step)
        )
        return ir.Slice(lower, upper, step, self.span(node))

    def target(self, node: cst.BaseExpression) -> ir.Target:
        """The target of an assignment or a loop; where it is refused that is noted, and a name stands in for it."""
        try:
            return self._target(node)
        except UnsupportedConstruct as refused:
            self.scope.refusals.add(refused.unsupported)
            return ir.Name("", self.span(node))

    def _target(self, node: cst.BaseExpression) -> ir.Target:
        if isinstance(node, cst.Name):
            if self.scope.stream(node.value) is not None:
                raise self.refuse("a generator that is assigned something else", node, "use another name")
            if self.scope.instance(node) is not None:
                raise self.refuse("a name of an object that is given something else", node, "use another name")
            return ir.Name(self.scope.local(node.value) or node.value, self.span(node))
        if isinstance(node, cst.Tuple | cst.List):
            if any(isinstance(element, cst.StarredElement) for element in node.elements):
                raise self.refuse("a starred target", node, "use slices")
            return ir.TupleTarget(tuple(self._target(element.value) for element in node.elements), self.span(node))
        if isinstance(node, cst.Subscript):
            return self._item(node)
        found = (handler(node) for handler in self._targets)
        target = next((one for one in found if one is not None), None)
        if target is None:
            raise self.refuse("an assignment to an attribute", node, "use a local variable")
        return target

    def _item(self, node: cst.Subscript) -> ir.Target:
        """An element that is assigned."""
        name = self.looped(node.value)
        index = self.index(node.slice)
        if not isinstance(name, ir.Name):
            raise self.refuse("an assignment to an element of an element", node, _OF_TABLE)
        if isinstance(index, ir.Slice) and name.id in self.scope.kinds:
            raise self.refuse(f"a part of {self.scope.kinds[name.id]}", node, "assign single elements")
        if isinstance(index, ir.TupleDisplay) and any(isinstance(part, ir.Slice) for part in index.elements):
            raise self.refuse("an assignment to a part of a table", node, _OF_TABLE)
        if isinstance(index, ir.TupleDisplay) and not (
            isinstance(node.value, cst.Name) and node.value.value in self.scope.dicts
        ):
            raise self.refuse("an assignment to an element of a table", node, _OF_TABLE)
        return ir.ItemTarget(name, index, self.span(node))


_TOLD = (cst.Call, cst.BinaryOperation, cst.List, cst.ListComp)
_CLOSED = (*SCOPES, cst.BaseComp, cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom)
"""What has names of its own, or no values."""
_PASSIVE = (cst.AsName, cst.BaseSuite, cst.Annotation)


def parts_of(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The values that an expression or a statement is made of: not what it calls, binds or does in turn."""
    if isinstance(node, _CLOSED):
        return
    hidden: tuple[cst.CSTNode, ...] = ()
    if isinstance(node, cst.Call):
        yield from parts_of(node.func) if isinstance(node.func, cst.Attribute) else ()
        hidden = (node.func,)
    elif isinstance(node, cst.Attribute):
        hidden = (node.attr,)
    elif isinstance(node, cst.Arg):
        hidden = () if node.keyword is None else (node.keyword,)
    elif isinstance(node, cst.AssignTarget | cst.AnnAssign | cst.NamedExpr):
        hidden = (node.target,)
        yield from parts_of(node.target)
    for child in children(node):
        if child in hidden or isinstance(child, _PASSIVE):
            continue
        if isinstance(child, cst.BaseExpression):
            yield child
        else:
            yield from parts_of(child)
