"""Members of enumerations: `kind = Kind(name)`, `if kind is Kind.LAPLACE: ...`, `kind.value`.

A program has no members as values: a variable holds the number of the member among those of its class, or the member
is known. So a member is compared, and asked for its name and its value; where it stands as a value it is refused.
"""

from __future__ import annotations

import libcst as cst

from dplint.claims import Literal
from dplint.program.nodes import (
    Assign,
    BoolOp,
    Call,
    Compare,
    Constant,
    Expression,
    If,
    IfExp,
    Name,
    Raise,
    Statement,
    Subscript,
    TupleDisplay,
    Unary,
)
from dplint.source.bindings import statements
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.object_classes import Enumeration, Member
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope
from dplint.source.module_names import dotted_name, static_value
from dplint.source.static_values import NotStaticError

_BASES = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum"})


class Enumerations:
    """Lowers what a function does with members."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        reader.register({cst.Attribute: self._attribute, cst.Comparison: self._compared})

    def member(self, node: cst.BaseExpression) -> tuple[tuple[Statement, ...], Member] | None:
        """The member that an expression stands for, after these statements; None for everything else."""
        known = self._scope.member(node)
        if known is not None:
            return (), known
        span = self._span(node)
        if isinstance(node, cst.Attribute):
            made = enumeration(self._scope, node.value)
            if made is None or node.attr.value not in made.names:
                return None
            return (), Member(made, Constant(made.names.index(node.attr.value), span))
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
        if isinstance(member.place, Constant) and isinstance(member.place.value, int):
            return self._reader.staged(before, Constant(given[member.place.value], span), span)
        listed = TupleDisplay(tuple(Constant(one, span) for one in given), span)
        return self._reader.staged(before, Subscript(listed, member.place, span), span)

    def _compared(self, node: cst.Comparison) -> Expression | None:
        """`kind is Kind.LAPLACE`, `kind in (Kind.LAPLACE, Kind.GAUSSIAN)`; None where no member is compared."""
        left = self.member(node.left)
        if left is None:
            if any(self.member(one.comparator) is not None for one in node.comparisons):
                raise self._refuse("a member compared with something else", node, "compare it with another member")
            return None
        before, member = left
        operator = node.comparisons[0].operator
        contains = isinstance(operator, cst.In | cst.NotIn)
        others = self._members(node.comparisons[0].comparator, several=contains)
        known = isinstance(operator, cst.In | cst.NotIn | cst.Is | cst.IsNot | cst.Equal | cst.NotEqual)
        if len(node.comparisons) > 1 or others is None or not known or any(one.made != member.made for one in others):
            raise self._refuse("a member compared with something else", node, "compare it with another member")
        span = self._span(node)
        negated = isinstance(operator, cst.NotIn | cst.IsNot | cst.NotEqual)
        tests = tuple(Compare(member.place, ("==",), (one.place,), span) for one in others)
        test: Expression = tests[0] if len(tests) == 1 else BoolOp("or", tests, span)
        return self._reader.staged(before, Unary("not", test, span) if negated else test, span)

    def _members(self, node: cst.BaseExpression, *, several: bool) -> list[Member] | None:
        if several and not isinstance(node, cst.Tuple | cst.List | cst.Set):
            return None
        parts = [one.value for one in node.elements] if isinstance(node, cst.Tuple | cst.List | cst.Set) else [node]
        found = [self.member(one) for one in parts]
        members = [one[1] for one in found if one is not None and not one[0]]
        return members if members and len(members) == len(parts) else None


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
    bases = [facts.names.full_name(dotted_name(one.value) or "") for one in definition.bases]
    if len(bases) != 1 or bases[0] not in _BASES or definition.keywords or definition.decorators:
        return None
    found_all = _members_of(facts, definition)
    if found_all is None or any(map(scope.elsewhere.may_change, (*found_all, "value", "name", definition.name.value))):
        return None
    values = tuple(found_all.values())
    distinct = all(one != other for number, one in enumerate(values) for other in values[:number])
    if not values or not distinct or not all(isinstance(one, str | int | float) for one in values):
        return None
    return Enumeration((facts.place.module, definition.name.value), tuple(found_all), values)


def _automatic(
    facts: ModuleFacts, definition: cst.ClassDef, value: cst.BaseExpression, before: list[Literal]
) -> int | None:
    """What `enum.auto()` gives a member: one more than the largest before; None for everything else."""
    if not isinstance(value, cst.Call) or facts.names.full_name(dotted_name(value.func) or "") != "enum.auto":
        return None
    text = facts.names.full_name(dotted_name(definition.bases[0].value) or "") == "enum.StrEnum"
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
            case cst.FunctionDef(name=cst.Name(value=name)) if not name.startswith("_") and name not in (
                "name",
                "value",
            ):
                pass
            case cst.Pass() | cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
                pass
            case _:
                return None
    return found
