"""Names that hold a Counter, a defaultdict or a set, as dicts: where none can tell.

Such a name is bound by nothing but assignments of one kind, and stands only where a dict does the same: a Counter gives
0 for what it has not counted, a set is asked for its length, its items in order, and what is in it. Wherever else it
stands, as a value that may be returned for one, it is refused. The items of a set have no order that could be relied
on, so no loop goes through one.
"""

from __future__ import annotations

import libcst as cst

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported
from dplint.program.walk import opaque
from dplint.source.lowering.kinds import (
    BY_KEYS,
    COUNTER,
    FLOAT,
    FLOAT_BY_KEYS,
    INT,
    INT_BY_KEYS,
    LISTS,
    SET,
    Sets,
    is_set,
    kind_of,
)
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope
from dplint.source.operators import AUGMENTED

_READ_WHOLE = {
    SET: frozenset({"len", "sorted", "min", "max"}),
    **dict.fromkeys(
        [COUNTER, INT, FLOAT, INT_BY_KEYS, FLOAT_BY_KEYS, LISTS],
        frozenset({"len", "sorted", "min", "max", "dict", "list", "tuple", "sum"}),
    ),
}
"""Functions that do the same with a dict that has the items for keys."""
_LISTS = (cst.List, cst.Tuple, cst.ListComp, cst.GeneratorExp, cst.SimpleString)
_LISTING = frozenset(
    {"list", "tuple", "sorted", "map", "filter", "range", "zip", "values", "keys", "items", "tolist", "pairwise"}
)
_READING = frozenset({"get", "items", "keys", "values"})


class Containers:
    """Lowers what stands around such names."""

    def __init__(self, reader: Reader, *, returning: bool) -> None:
        """returning: whether what the function returns is what the mechanism does."""
        self._reader = reader
        self._span = reader.span
        self._scope = reader.scope
        self._returning = returning
        self._sets = Sets(reader)
        reader.whole = self._whole
        reader.register({cst.Subscript: self._item, cst.Call: self._method})
        reader.register_iterable(cst.Call, self._made_or_method)
        if reader.scope.kinds:
            reader.register({cst.Name: self._as_value})
            reader.register_iterable(cst.Name, self._looped)

    def _as_value(self, node: cst.Name) -> None:
        """Refuse such a name where no dict does the same."""
        kind = self.kind(node)
        if kind is not None:
            named = kind.removesuffix(BY_KEYS)
            raise self._reader.refuse(f"{named} used as a value", node, "make a dict or a sorted list of it")

    def kind(self, node: cst.CSTNode) -> str | None:
        """The kind of container that a name holds, None for everything else."""
        return self._scope.kinds.get(self._scope.local(node.value) or "") if isinstance(node, cst.Name) else None

    def name(self, node: cst.BaseExpression) -> ir.Name:
        """Such a name as that of a dict."""
        assert isinstance(node, cst.Name)
        return ir.Name(self._scope.local(node.value) or node.value, self._span(node))

    def _whole(self, function: str, node: cst.BaseExpression) -> ir.Expression | None:
        """A container that is the only argument of a function, or on the right of "in"; None if it is none."""
        kind = self.kind(node)
        if kind is not None:
            return self.name(node) if function == "in" or function in _READ_WHOLE[kind] else None
        if function == "in" or function in _READ_WHOLE[COUNTER]:
            made = self._made_here(node)
            if made is not None:
                return self._reader.staged(*made, self._span(node))
        is_range = isinstance(node, cst.Call) and self._scope.canonical(node.func) == "range"
        if is_range and (function == "in" or function in _READ_WHOLE[COUNTER]):
            return self._reader.iterable(node)
        if is_set(self._scope, node) and (function == "in" or function in _READ_WHOLE[SET]):
            return self._sets.items(node)
        return None

    def returned(self, node: cst.BaseExpression) -> ir.Expression | None:
        """What a mechanism returns that is a set; None for everything else."""
        if not self._returning or not is_set(self._scope, node):
            return None
        called = self._scope.canonical(node.func) if isinstance(node, cst.Call) else None
        if called not in ("set", "frozenset") and not isinstance(node, cst.Set | cst.SetComp):
            # It may be a frozenset.
            raise self._reader.refuse("a set returned by its name", node, "return `set(...)` or `frozenset(...)` of it")
        made = "frozenset-of" if called == "frozenset" else "set-of"
        return ir.Call(made, (self._sets.items(node),), (), self._span(node))

    def _looped(self, node: cst.BaseExpression) -> ir.Expression | None:
        """One that a loop goes through, key by key; None for sets and everything else."""
        return self.name(node) if self.kind(node) not in (None, SET) else None

    def _item(self, node: cst.Subscript) -> ir.Expression | None:
        """`counts[key]` of a Counter or a defaultdict; None for everything else."""
        kind = self.kind(node.value)
        if kind in (LISTS, INT, FLOAT):
            return self._entry(self.name(node.value), self._reader.index(node.slice), kind, self._span(node))
        if kind not in (COUNTER, INT_BY_KEYS, FLOAT_BY_KEYS):
            return None
        return self._of(self.name(node.value), self._reader.index(node.slice), kind)

    def _method(self, node: cst.Call) -> ir.Expression | None:
        """`counts.items()` and its like; None for everything else."""
        if not isinstance(node.func, cst.Attribute):
            return None
        receiver, method = node.func.value, node.func.attr.value
        kind = self.kind(receiver) or (COUNTER if kind_of(self._scope, receiver) == COUNTER else None)
        if kind in (None, SET) or any(argument.keyword or argument.star for argument in node.args):
            return None
        if method not in _READING:
            return None
        span = self._span(node)
        before, name = self._made_here(receiver) or ((), self.name(receiver))
        arguments = tuple(self._reader.expression(argument.value) for argument in node.args)
        value = ir.MethodCall(name, method, arguments, (), span)
        return self._reader.staged(before, value, span) if before else value

    def _made_or_method(self, node: cst.Call) -> ir.Expression | None:
        made = self._made_here(node)
        return self._method(node) if made is None else self._reader.staged(*made, self._span(node))

    def _made_here(self, node: cst.BaseExpression) -> tuple[tuple[ir.Statement, ...], ir.Name] | None:
        """A Counter that has no name, with what makes it; None for everything else."""
        if not isinstance(node, cst.Call) or kind_of(self._scope, node) != COUNTER:
            return None
        name = ir.Name(self._scope.rename({"counts"})["counts"], self._span(node))
        return self._counter(name, node), name

    def _entry(self, name: ir.Name, key: ir.Expression, kind: str, span: Span) -> ir.Expression:
        """`groups[key]`, which is put in where it is missing."""
        before, key = kept_key(self._scope, key)
        missing = put_in(name, key, ir.ListDisplay((), span) if kind == LISTS else _zero(kind, span), span)
        return self._reader.staged((*before, missing), ir.Subscript(name, key, span), span)

    # statements

    def made(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[ir.Statement, ...] | None:
        """`counts = Counter(values)` and its like, as a dict; None for everything else."""
        kind = self.kind(target)
        if kind is None:
            return None
        name, span = self.name(target), self._span(value)
        if kind == SET:
            return (ir.Assign((name,), self._sets.items(value), span),)
        if kind == COUNTER and isinstance(value, cst.Call):
            return self._counter(name, value)
        return (ir.Assign((name,), ir.DictDisplay((), (), span), span),)

    def _counter(self, name: ir.Name, value: cst.Call) -> tuple[ir.Statement, ...]:
        """What makes a Counter under that name."""
        given, span = value.args, self._span(value)
        if not given:
            return (ir.Assign((name,), ir.DictDisplay((), (), span), span),)
        items = self._reader.used_up(given[0].value)
        # Under another name first: what is counted may be made of what the name held before.
        kept = ir.Name(self._scope.rename({"items"})["items"], span)
        before = ir.Assign((kept,), ir.Call("list", (items,), (), span), span)
        counted = ir.Assign((name,), ir.DictDisplay((), (), span), span), self._counted(name, kept, span)
        if _is_list(given[0].value):
            return before, *counted
        taken_over = ir.Assign((name,), ir.Call("dict", (items,), (), span), span)
        return (self._if_dict(items, taken_over, (before, *counted), span),)

    def _if_dict(
        self, items: ir.Expression, of_dict: ir.Statement, of_list: tuple[ir.Statement, ...], span: Span
    ) -> ir.Statement:
        """What a Counter makes of a variable."""
        if not isinstance(items, ir.Name):
            return opaque(_may_be_dict(span))
        return ir.If(ir.Call("isinstance", (items, ir.Constant("dict", span)), (), span), (of_dict,), of_list, span)

    def augmented(self, node: cst.AugAssign) -> tuple[ir.Statement, ...] | None:
        """`counts[key] += 1` of a key that may be missing; None for everything else."""
        target = node.target
        kind = self.kind(target.value) if isinstance(target, cst.Subscript) else None
        if kind in (None, SET, LISTS) or not isinstance(target, cst.Subscript):
            return None
        name, span, operator = self.name(target.value), self._span(node), AUGMENTED[type(node.operator)]
        before, index = kept_key(self._scope, self._reader.index(target.slice))
        new = ir.Binary(operator, self._of(name, index, kind), self._reader.expression(node.value), span)
        return *before, ir.Assign((ir.ItemTarget(name, index, span),), new, span)

    def added(self, node: cst.Call, method: str, receiver: cst.BaseExpression) -> ir.Statement | None:
        """`seen.add(x)`; None for everything else."""
        if self.kind(receiver) != SET or method != "add" or len(node.args) != 1 or node.args[0].star:
            return None
        span, item = self._span(node), self._reader.expression(node.args[0].value)
        return ir.Assign((ir.ItemTarget(self.name(receiver), item, span),), ir.Constant(None, span), span)

    def _counted(self, name: ir.Name, items: ir.Expression, span: Span) -> ir.Statement:
        item = ir.Name(self._scope.rename({"item"})["item"], span)
        more = ir.Binary("+", self._of(name, item, COUNTER), ir.Constant(1, span), span)
        return ir.For(item, items, (ir.Assign((ir.ItemTarget(name, item, span),), more, span),), (), span)

    def _of(self, name: ir.Name, key: ir.Expression, kind: str | None) -> ir.Expression:
        return ir.MethodCall(name, "get", (key, _zero(kind, key.span)), (), key.span)


def _may_be_dict(span: Span) -> Unsupported:
    return Unsupported("a Counter of what may be a dict", span, "make a list of it: Counter(list(values))")


def kept_key(scope: Scope, key: ir.Expression) -> tuple[tuple[ir.Statement, ...], ir.Expression]:
    """A key under a name of its own, where it is worked out."""
    if isinstance(key, ir.Constant | ir.Name):
        return (), key
    kept = ir.Name(scope.rename({"key"})["key"], key.span)
    return (ir.Assign((kept,), key, key.span),), kept


def put_in(name: ir.Name, key: ir.Expression, value: ir.Expression, span: Span) -> ir.Statement:
    """A value for a key that is missing."""
    missing = ir.Compare(key, ("not in",), (name,), span)
    return ir.If(missing, (ir.Assign((ir.ItemTarget(name, key, span),), value, span),), (), span)


def _zero(kind: str | None, span: Span) -> ir.Constant:
    return ir.Constant(0.0 if kind in (FLOAT, FLOAT_BY_KEYS) else 0, span)


def from_keys(reader: Reader, node: cst.Call) -> ir.Expression:
    """`dict.fromkeys(keys, 0)`, of a value that nobody can change."""
    span = reader.span(node)
    value: ir.Expression = ir.Constant(None, span) if len(node.args) < 2 else reader.expression(node.args[1].value)
    plain = 1 <= len(node.args) <= 2 and not any(one.keyword or one.star for one in node.args)
    if not plain or not isinstance(value, ir.Constant) or isinstance(value.value, list | dict):
        raise reader.refuse("fromkeys of such a value", node, "use a dict comprehension")
    key = ir.Name(reader.scope.rename({"key"})["key"], span)
    pair = ir.TupleDisplay((key, value), span)
    pairs = ir.Comprehension("list", pair, (ir.Clause(key, reader.iterable(node.args[0].value), ()),), span)
    return ir.Call("dict", (pairs,), (), span)


def _is_list(node: cst.BaseExpression) -> bool:
    """Whether it is certainly no dict, of which a Counter would take over the counts."""
    match node:
        case cst.Call(func=cst.Name(value=name)) | cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
            return name in _LISTING
        case cst.BinaryOperation(operator=operator):
            return not isinstance(operator, cst.BitOr)
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Slice())]):
            return True
        case _:
            return isinstance(node, _LISTS)
