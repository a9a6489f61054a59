"""Members of enumerations: `kind = Kind(name)`, `if kind is Kind.LAPLACE: ...`, `kind.value`.

A program has no members as values: a variable holds the number of the member among those of its class, or the member
is known. So a member is compared, asked for its name and its value, and a key of what is written out; where it stands
as a value it is refused. One of a class that is a `str` or `int`, too, is compared with others as its value is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import libcst as cst

from dplint.claims import Literal, Span
from dplint.program.nodes import (
    Assign,
    BoolOp,
    Call,
    Compare,
    Constant,
    DictDisplay,
    Expression,
    If,
    IfExp,
    MethodCall,
    Name,
    Opaque,
    Raise,
    Statement,
    Subscript,
    Target,
    TupleDisplay,
    TupleTarget,
    Unary,
)
from dplint.source.bindings import statements
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.object_classes import Enumeration, Member, Method, full, kind_of_method
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Looped, Scope, top_level_names
from dplint.source.module_names import dotted_name, static_value
from dplint.source.operators import COMPARE
from dplint.source.static_values import NotStaticError

_BASES: Mapping[tuple[str, ...], type | None] = {
    ("enum.Enum",): None,
    ("enum.IntEnum",): int,
    ("enum.StrEnum",): str,
    **{(one.__name__, "enum.Enum"): one for one in (int, str)},
}
"""The bases of a class of members, and what its members are beside that."""
_SHOWING = ("__str__", "__repr__")
_MOST = 64
"""Members that a dict may have for keys."""


class Enumerations:
    """Lowers what a function does with members."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        reader.register({cst.Attribute: self._attribute, cst.Comparison: self._compared})
        reader.register({cst.Subscript: self._looked_up, cst.Call: self._got})
        reader.register_iterable(cst.Call, self._got)
        reader.text = self._text

    def member(self, node: cst.BaseExpression) -> tuple[tuple[Statement, ...], Member] | None:
        """The member that an expression stands for, after these statements; None for everything else."""
        known = self._scope.member(node)
        if known is not None:
            return (), known
        span = self._span(node)
        if isinstance(node, cst.Attribute):
            named = member_of(self._scope, node)
            return None if named is None else ((), named)
        if isinstance(node, cst.IfExp):
            sides = [self.member(one) for one in (node.body, node.orelse)]
            first, second = sides
            if first is None or second is None or first[0] or second[0] or first[1].made != second[1].made:
                return None
            test = self._reader.expression(node.test)
            return (), Member(first[1].made, IfExp(test, first[1].place, second[1].place, span))
        if isinstance(node, cst.Call) and len(node.args) == 1 and not (node.args[0].keyword or node.args[0].star):
            made = enumeration(self._scope, node.func)
            return None if made is None else self._converted(made, node)
        return None

    def _converted(self, made: Enumeration, node: cst.Call) -> tuple[tuple[Statement, ...], Member] | None:
        """`Kind(value)`."""
        if self.member(node.args[0].value) is not None:
            return None
        span = self._span(node)
        names = self._scope.rename({"value", "place"})
        value, place = Name(names["value"], span), Name(names["place"], span)
        equal = [Compare(value, ("==",), (Constant(one, span),), span) for one in made.values]
        words = Call("repr", (value,), (), span)
        message = Call("f-string", (words, Constant(f" is not a valid {made.key[1]}", span)), (), span)
        known: Expression = BoolOp("or", tuple(equal), span) if len(equal) > 1 else equal[0]
        number: Expression = Constant(len(equal) - 1, span)
        for position, test in reversed([*enumerate(equal[:-1])]):
            number = IfExp(test, Constant(position, span), number, span)
        before = (
            Assign((value,), self._reader.expression(node.args[0].value), span),
            If(Unary("not", known, span), (Raise("ValueError", (message,), span),), (), span),
            Assign((place,), number, span),
        )
        return before, Member(made, place)

    def assigned(
        self, target: cst.BaseExpression, value: cst.BaseExpression
    ) -> tuple[tuple[Statement, ...], Member] | None:
        """What makes a member under a name, with a variable for where it is among the others; None for other values."""
        found = self.member(value)
        if found is None:
            return None
        before, member = found
        if isinstance(member.place, Constant):
            return before, member
        place = Name(self._scope.rename({"place"})["place"], self._span(target))
        return (*before, Assign((place,), member.place, place.span)), Member(member.made, place)

    # values

    def _text(self, node: cst.BaseExpression) -> Expression | None:
        """`Kind.LAPLACE` of a member of a plain class; None for all others, whose text differs between versions."""
        found = self.member(node)
        if found is None or found[1].made.kind is not None or "__str__" in found[1].made.methods:
            return None
        made, span = found[1].made, self._span(node)
        texts = [f"{made.key[1]}.{name}" for name in made.names]
        return self._reader.staged(found[0], self._of(found[1], texts, span), span)

    def _attribute(self, node: cst.Attribute) -> Expression | None:
        """`kind.value` and `kind.name`; a member itself is refused."""
        if self.member(node) is not None:
            raise self._refuse("a member of an enumeration used as a value", node, "use its value, or compare it")
        if node.attr.value not in ("value", "name"):
            return None
        found = self.member(node.value)
        if found is None:
            return None
        before, member = found
        span, made = self._span(node), member.made
        given = made.values if node.attr.value == "value" else made.names
        return self._reader.staged(before, self._of(member, given, span), span)

    def _compared(self, node: cst.Comparison) -> Expression | None:
        """`kind is Kind.LAPLACE`, `kind in (Kind.LAPLACE, Kind.GAUSSIAN)`; None where no member is compared."""
        left = self.member(node.left)
        if left is None:
            return self._compared_as_value(node)
        before, member = left
        operator = node.comparisons[0].operator
        contains = isinstance(operator, cst.In | cst.NotIn)
        others = self._members(node.comparisons[0].comparator, several=contains)
        known = isinstance(operator, cst.In | cst.NotIn | cst.Is | cst.IsNot | cst.Equal | cst.NotEqual)
        span = self._span(node)
        negated = isinstance(operator, cst.NotIn | cst.IsNot | cst.NotEqual)
        if len(node.comparisons) == 1 and _is_none(node.comparisons[0].comparator) and known and not contains:
            return self._reader.staged(before, Constant(negated, span), span)
        if len(node.comparisons) > 1 or others is None or not known or any(one.made != member.made for one in others):
            return self._compared_as_value(node)
        tests = tuple(Compare(member.place, ("==",), (one.place,), span) for one in others)
        test: Expression = tests[0] if len(tests) == 1 else BoolOp("or", tests, span)
        return self._reader.staged(before, Unary("not", test, span) if negated else test, span)

    def _compared_as_value(self, node: cst.Comparison) -> Expression | None:
        """`level < 3` and `kind == "laplace"` of members that are numbers or texts; None where no member is."""
        sides = [node.left, *(one.comparator for one in node.comparisons)]
        found = [self.member(one) for one in sides]
        if not any(found):
            return None
        operators = [one.operator for one in node.comparisons]
        if any(one is not None and one[1].made.kind is None for one in found) or any(
            isinstance(one, cst.Is | cst.IsNot) for one in operators
        ):
            raise self._refuse("a member compared with something else", node, "compare it with another member")
        values: list[Expression] = []
        for side, one in zip(sides, found, strict=True):
            value = None if one is None else self._of(one[1], one[1].made.values, self._span(side))
            values.append(
                self._reader.expression(side)
                if one is None or value is None
                else self._reader.staged(one[0], value, value.span)
            )
        signs = tuple(COMPARE[type(one)] for one in operators)
        return Compare(values[0], signs, tuple(values[1:]), self._span(node))

    def _of(self, member: Member, given: Sequence[Literal], span: Span) -> Expression:
        """What a member has of these, one for each."""
        if isinstance(member.place, Constant) and isinstance(member.place.value, int):
            return Constant(given[member.place.value], span)
        listed = TupleDisplay(tuple(Constant(one, span) for one in given), span)
        return Subscript(listed, member.place, span)

    def _members(self, node: cst.BaseExpression, *, several: bool) -> list[Member] | None:
        if several and not isinstance(node, cst.Tuple | cst.List | cst.Set):
            return None
        parts = [one.value for one in node.elements] if isinstance(node, cst.Tuple | cst.List | cst.Set) else [node]
        found = [self.member(one) for one in parts]
        members = [one[1] for one in found if one is not None and not one[0]]
        return members if members and len(members) == len(parts) else None

    # dicts that are written out, with members for keys

    def _looked_up(self, node: cst.Subscript) -> Expression | None:
        """`SHARES[level]`; None for everything else."""
        if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
            return None
        found = self.member(node.slice[0].slice.value)
        entries = None if found is None else self._entries(node.value, found[1].made)
        if found is None or entries is None:
            return None
        span = self._span(node)
        return self._reader.staged(found[0], Subscript(entries, found[1].place, span), span)

    def _got(self, node: cst.Call) -> Expression | None:
        """`SHARES.get(level, 0.5)`; None for everything else."""
        match node:
            case cst.Call(func=cst.Name(value="str"), args=[cst.Arg(value=asked, keyword=None, star="")]):
                return self._text(asked) if self._scope.canonical(node.func) == "str" else None
            case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Name() | cst.Attribute() as listed)]):
                made = enumeration(self._scope, listed) if self._scope.canonical(node.func) == "len" else None
                return None if made is None else Constant(len(made.names), self._span(node))
            case cst.Call(func=cst.Attribute(value=whole, attr=cst.Name(value="get")), args=[first, *rest]) if len(
                rest
            ) < 2 and not any(one.keyword or one.star for one in node.args):
                pass
            case _:
                return None
        found = self.member(first.value)
        entries = None if found is None else self._entries(whole, found[1].made)
        if found is None or entries is None:
            return None
        span = self._span(node)
        others = tuple(self._reader.expression(one.value) for one in rest)
        return self._reader.staged(found[0], MethodCall(entries, "get", (found[1].place, *others), (), span), span)

    def _entries(self, node: cst.BaseExpression, made: Enumeration) -> Expression | None:
        """A dict whose keys are members of that class, written out here or by a module, by the members' places."""
        facts, display = self._scope.facts, node
        if isinstance(node, cst.Name | cst.Attribute):
            found = self._scope.display(node)
            if found is None:
                return None
            facts, display = found
        if not isinstance(display, cst.Dict) or not 0 < len(display.elements) <= _MOST:
            return None
        at_home = display is node
        around = (
            self._scope
            if at_home
            else Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, self._scope.elsewhere)
        )
        places: list[Literal] = []
        values: list[Expression] = []
        for one in display.elements:
            key = member_of(around, one.key) if isinstance(one, cst.DictElement) else None
            if key is None or key.made != made or not isinstance(key.place, Constant):
                return None
            places.append(key.place.value)
            value = self._reader.expression(one.value) if at_home else _of_module(around, one.value)
            if value is None or isinstance(value, Opaque):
                return None
            values.append(value)
        if len({*places}) < len(places):
            return None
        return DictDisplay(tuple(places), tuple(values), self._span(node))

    # loops

    def looped(self, target: cst.BaseExpression, iterable: cst.BaseExpression) -> Looped | None:
        """`for kind in Kind`, also numbered or beside others; None for everything else."""
        span = self._span(target)
        made = enumeration(self._scope, iterable)
        if made is not None and isinstance(target, cst.Name):
            place = Name(self._scope.rename({"place"})["place"], span)
            return Looped({target.value: Member(made, place)}, lambda _: place, _places(made, span))
        if not isinstance(iterable, cst.Call) or not isinstance(target, cst.Tuple):
            return None
        called = self._scope.canonical(iterable.func)
        plain = called in ("enumerate", "zip") and not any(one.keyword or one.star for one in iterable.args)
        several = [enumeration(self._scope, one.value) for one in iterable.args] if plain else []
        offset = 1 if called == "enumerate" else 0
        if not any(several) or len(target.elements) != len(iterable.args) + offset:
            return None
        held: dict[str, Member] = {}
        parts: list[cst.BaseExpression | Name] = [one.value for one in target.elements]
        for number, one in enumerate(several):
            part = parts[number + offset]
            if one is None:
                continue
            if not isinstance(part, cst.Name):
                return None
            place = Name(self._scope.rename({"place"})["place"], span)
            held[part.value], parts[number + offset] = Member(one, place), place
        given = tuple(
            self._reader.iterable(argument.value) if one is None else _places(one, span)
            for argument, one in zip(iterable.args, several, strict=True)
        )

        def lowered(lower: Callable[[cst.BaseExpression], Target]) -> Target:
            found = (one if isinstance(one, Name) else lower(one) for one in parts)
            return TupleTarget(tuple(found), span)

        return Looped(held, lowered, Call(called or "", given, (), span))


def _places(made: Enumeration, span: Span) -> Expression:
    return TupleDisplay(tuple(Constant(number, span) for number in range(len(made.names))), span)


def _of_module(around: Scope, node: cst.BaseExpression) -> Expression | None:
    """A constant that a module writes out."""
    try:
        return Constant(static_value(around.facts.tree, node, around.facts.names), around.span(node))
    except NotStaticError:
        return None


def _is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def member_of(scope: Scope, node: cst.BaseExpression) -> Member | None:
    """The member that `Kind.LAPLACE` certainly is; None for everything else."""
    made = enumeration(scope, node.value) if isinstance(node, cst.Attribute) else None
    if made is None or not isinstance(node, cst.Attribute) or node.attr.value not in made.names:
        return None
    return Member(made, Constant(made.names.index(node.attr.value), scope.span(node)))


def enumeration(scope: Scope, node: cst.BaseExpression) -> Enumeration | None:
    """The enumeration that a name stands for; None for everything else, and for one with more to it than members."""
    if not isinstance(node, cst.Name | cst.Attribute):
        return None
    if isinstance(node, cst.Name) and node.value in scope.facts.functions:
        return None
    found = scope.class_of(node)
    if found is None:
        return None
    facts, definition = found
    bases = tuple(full(facts, one.value) for one in definition.bases)
    decorators = {full(facts, one.decorator) for one in definition.decorators}
    if bases not in _BASES or definition.keywords or not decorators <= {"enum.unique"}:
        return None
    kind = _BASES[bases]
    found_all = _members_of(facts, definition)
    if found_all is None or any(map(scope.elsewhere.may_change, (*found_all, "value", "name", definition.name.value))):
        return None
    values = tuple(found_all.values())
    distinct = all(one != other for number, one in enumerate(values) for other in values[:number])
    plain = all(isinstance(one, str | int | float) if kind is None else type(one) is kind for one in values)
    if not values or not distinct or not plain:
        return None
    methods = {
        one.name.value: Method(facts, one, kind_of_method(facts, one), 0)
        for one in statements(definition.body)
        if isinstance(one, cst.FunctionDef)
    }
    if any(map(scope.elsewhere.may_change, methods)):
        return None
    return Enumeration((facts.place.module, definition.name.value), tuple(found_all), values, kind, methods)


def _automatic(
    facts: ModuleFacts, definition: cst.ClassDef, value: cst.BaseExpression, before: list[Literal]
) -> int | None:
    """What `enum.auto()` gives a member: one more than the largest before; None for everything else."""
    if not isinstance(value, cst.Call) or facts.names.full_name(dotted_name(value.func) or "") != "enum.auto":
        return None
    text = full(facts, definition.bases[-1].value) == "enum.StrEnum" or len(definition.bases) > 1
    numbers = [one for one in before if type(one) is int]
    return None if text or len(numbers) < len(before) else max(numbers, default=0) + 1


def _members_of(facts: ModuleFacts, definition: cst.ClassDef) -> dict[str, Literal] | None:
    """The members of a class with their values; None for one with more to it than that."""
    found: dict[str, Literal] = {}
    for one in statements(definition.body):
        match one:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value) if name[:1] != "_":
                try:
                    automatic = _automatic(facts, definition, value, [*found.values()])
                    given = static_value(facts.tree, value, facts.names) if automatic is None else automatic
                except NotStaticError:
                    return None
                if name in found:
                    return None
                found[name] = given
            case cst.FunctionDef(name=cst.Name(value=name)) if name not in ("name", "value") and (
                name[:1] != "_" or name in _SHOWING
            ):
                pass
            case cst.Pass() | cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
                pass
            case _:
                return None
    return found
