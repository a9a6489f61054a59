"""Names that hold a `collections.deque`, as lists that lose their first item where they grow too long.

`Containers` says where such a name may stand; here is what changes it. It is bound once, and its length is bounded by
what `maxlen` was where it was made.
"""

from __future__ import annotations

import libcst as cst

from dplint.program.nodes import (
    Assign,
    BoolOp,
    Call,
    Compare,
    Constant,
    Expression,
    For,
    If,
    ListDisplay,
    Name,
    Raise,
    Slice,
    Statement,
    Subscript,
    Unary,
    Update,
)
from dplint.source.lowering.reader import Reader

_ENDS = {"append": ("append", 0), "appendleft": ("insert", -1)}
"""How one item is put in, and which one is lost."""
_METHODS = frozenset({*_ENDS, "clear", "extend", "maxlen", "pop", "popleft"})


class Deques:
    """Lowers what makes and changes them."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._most: dict[str, Expression | None] = {}
        """The most items of each; None where there is no bound."""

    def made(self, name: Name, node: cst.Call) -> tuple[Statement, ...]:
        """`window = deque(values, maxlen=3)`."""
        items, most = arguments_of(node)
        span = self._reader.span(node)
        if items is None:
            before, self._most[name.id] = self._bound(most)
            return *before, Assign((name,), ListDisplay((), span), span)
        made = Call("list", (self._reader.used_up(items),), (), span)
        bound = None if most is None else self._reader.expression(most)
        self._most[name.id] = bound
        if bound is None:
            return (Assign((name,), made, span),)
        if not isinstance(bound, Constant) or type(bound.value) is not int or bound.value < 1:
            raise self._reader.refuse("this maxlen beside items", node, "fill the deque afterwards")
        last = Subscript(made, Slice(Constant(-bound.value, span), None, None, span), span)
        return (Assign((name,), Call("list", (last,), (), span), span),)

    def _bound(self, node: cst.BaseExpression | None) -> tuple[tuple[Statement, ...], Expression | None]:
        """The bound, and what looks at it as Python does."""
        if node is None:
            return (), None
        given, span = self._reader.expression(node), self._reader.span(node)
        if isinstance(given, Constant) and type(given.value) is int and given.value >= 0:
            return (), given
        most = Name(self._scope.rename({"maxlen"})["maxlen"], span)
        known = Compare(most, ("is not",), (Constant(None, span),), span)
        whole = Call("isinstance", (most, Constant("int", span)), (), span)
        wrong = If(Unary("not", whole, span), (Raise("TypeError", (), span),), (), span)
        negative = If(Compare(most, ("<",), (Constant(0, span),), span), (Raise("ValueError", (), span),), (), span)
        return (Assign((most,), given, span), If(known, (wrong, negative), (), span)), most

    def updated(self, node: cst.Call, method: str, name: Name) -> tuple[Statement, ...]:
        """`window.append(x)` and its like, on a line of their own."""
        if name.id not in self._most:
            raise self._reader.refuse("a deque that is changed here", node, "change it where it is made")
        span, given = self._reader.span(node), [one.value for one in node.args]
        plain = not any(one.keyword or one.star for one in node.args)
        if plain and method in _ENDS and len(given) == 1:
            return self._put_in(name, self._reader.expression(given[0]), method)
        if plain and method == "extend" and len(given) == 1:
            item = Name(self._scope.rename({"item"})["item"], span)
            items = Call("list", (self._reader.used_up(given[0]),), (), span)
            return (For(item, items, self._put_in(name, item, "append"), (), span),)
        if plain and method in ("popleft", "pop", "clear") and not given:
            place = (Constant(0, span),) if method == "popleft" else ()
            return (Update(name, method.removesuffix("left"), place, span),)
        raise self._reader.refuse(f"the method {method} of a deque", node, "use append, extend, popleft and clear")

    def popped(self, name: Name, method: str) -> Expression:
        """`window.popleft()` and `window.pop()`, as values."""
        span = name.span
        item, place = Name(self._scope.rename({"item"})["item"], span), Constant(0 if method == "popleft" else -1, span)
        taken = Assign((item,), Subscript(name, place, span), span), Update(name, "pop", (place,), span)
        return self._reader.staged(taken, item, span)

    def bound(self, name: Name, node: cst.Attribute) -> Expression:
        """`window.maxlen`."""
        if name.id not in self._most:
            raise self._reader.refuse("a deque that is changed here", node, "change it where it is made")
        return self._most[name.id] or Constant(None, name.span)

    def _put_in(self, name: Name, item: Expression, method: str) -> tuple[Statement, ...]:
        span = name.span
        word, lost = _ENDS[method]
        put = Update(name, word, (item,) if word == "append" else (Constant(0, span), item), span)
        most = self._most[name.id]
        if most is None:
            return (put,)
        size = Call("len", (name,), (), span)
        longer: Expression = Compare(size, (">",), (most,), span)
        if not isinstance(most, Constant):
            longer = BoolOp("and", (Compare(most, ("is not",), (Constant(None, span),), span), longer), span)
        return put, If(longer, (Update(name, "pop", (Constant(lost, span),), span),), (), span)


def arguments_of(node: cst.Call) -> tuple[cst.BaseExpression | None, cst.BaseExpression | None]:
    """The items and the bound of `deque(...)`."""
    named = {one.keyword.value: one.value for one in node.args if one.keyword is not None}
    given = [one.value for one in node.args if one.keyword is None]
    items = given[0] if given else None
    return items, given[1] if len(given) > 1 else named.get("maxlen")


def is_plain(node: cst.Call) -> bool:
    """Whether the arguments of `deque(...)` are ones that are read."""
    words = [one.keyword.value for one in node.args if one.keyword is not None]
    given = len(node.args) - len(words)
    return words in ([], ["maxlen"]) and given + len(words) <= 2 and not any(one.star for one in node.args)


def used_whole(node: cst.CSTNode) -> str | None:
    """The name that a node returns, or of which it asks what no list has: such a deque is left as it is."""
    match node:
        case cst.Return(value=cst.Name(value=name)):
            return name
        case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=word)) if word not in _METHODS:
            return name
    return None
