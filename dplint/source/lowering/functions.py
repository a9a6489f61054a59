"""Functions as values: those that a table or a list holds, that a name stands for, or that a function is given.

Which functions there are is known; which of them is called may differ from run to run, and then a variable has its
place among them. A table is a dict or list with functions written out in it, that nobody changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import libcst as cst

from dplint.claims import Literal
from dplint.distributions import LEGACY, PYTHON, draw_signatures
from dplint.program.nodes import (
    Assign,
    Compare,
    Constant,
    DictDisplay,
    Expression,
    If,
    ListDisplay,
    Name,
    Statement,
    Subscript,
    TupleDisplay,
    TupleTarget,
)
from dplint.program.vocabulary import FUNCTIONS
from dplint.source.bindings import all_parameters, binding_counts
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.enumerations import member_of
from dplint.source.lowering.object_classes import Enumeration, Member, has_scopes, makes_defaults
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import Given
from dplint.source.lowering.scope import (
    Choice,
    FunctionValue,
    Instance,
    Looped,
    Scope,
    Several,
    Stream,
    Table,
    top_level_names,
)
from dplint.source.module_names import dotted_name
from dplint.source.operators import literal
from dplint.source.walking import nodes_below

_MOST = 32
"""Functions in a table."""
CallValue: TypeAlias = Callable[[FunctionValue, cst.Call], Given]
OfMember: TypeAlias = Callable[[cst.BaseExpression], tuple[tuple[Statement, ...], Member] | None]


class Functions:
    """Lowers what a function does with them. call: lowers the call of one."""

    def __init__(
        self, reader: Reader, draws: Draws, call: CallValue, member: OfMember, body: cst.CSTNode | None
    ) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._draws = draws
        self._call = call
        self._member = member
        self._body = body

    def value(self, node: cst.BaseExpression) -> Choice | None:
        """The function that an expression stands for: one, or one of several; None for everything else."""
        fixed = self._scope.fixed.get(id(node))
        if fixed is not None:
            return fixed[1] if isinstance(fixed[1], Choice) else None
        if isinstance(node, cst.Name) and self._scope.choice(node.value) is not None:
            return self._scope.choice(node.value)
        made_here = self._scope.local_functions.get(node.value) if isinstance(node, cst.Name) else None
        if made_here is not None and isinstance(node, cst.Name) and self._scope.local(node.value) == node.value:
            # What is around the call is not around the function.
            return Choice((FunctionValue(self._scope, made_here.node),), None)
        found = self._made(node)
        return None if found is None else Choice((found,), None)

    def _made(self, node: cst.BaseExpression) -> FunctionValue | None:
        """The function that an expression stands for, other than by a local name; None for everything else."""
        stream = self._draws.stream_of(node.value) if isinstance(node, cst.Attribute) else None
        if stream is not None and isinstance(node, cst.Attribute):
            return FunctionValue(self._scope, node, stream=stream) if node.attr.value in stream.signatures else None
        return function_value(self._scope, node)

    def partial(self, node: cst.BaseExpression) -> tuple[tuple[Statement, ...], Choice] | None:
        """`functools.partial(f, x)`, with what works the arguments out; None for everything else."""
        match node:
            case cst.Call(func=func, args=[cst.Arg(value=called, keyword=None, star=""), *others]) if (
                self._scope.canonical(func) == "functools.partial"
            ):
                pass
            case _:
                return None
        found = self.value(called)
        if found is None or found.place is not None or any(one.star for one in others):
            return None
        before: list[Statement] = []
        given: list[cst.Arg] = []
        for one in others:
            if self.value(one.value) is not None or self._scope.instance(one.value) is not None:
                return None
            fixed = cst.Name("given")
            kept: Expression | Stream | None = self._draws.stream_of(one.value)
            if kept is None:
                value = self._reader.expression(one.value)
                kept = Name(self._scope.rename({"given"})["given"], value.span)
                before.append(Assign((kept,), value, value.span))
            self._scope.placed(fixed, one.value, kept)
            given.append(one.with_changes(value=fixed))
        [value_] = found.values
        return tuple(before), Choice((replace(value_, given=(*value_.given, *given)),), None)

    def chosen(self, node: cst.BaseExpression) -> tuple[tuple[Statement, ...], Choice] | None:
        """What `TABLE[key]` stands for, and what looks the key up; None for everything else."""
        if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
            return None
        index = node.slice[0].slice
        table = self._table(node.value) if isinstance(index, cst.Index) else None
        if table is None or not isinstance(index, cst.Index):
            return None
        span = self._span(node)
        key = None if table.members is None else self._member(index.value)
        if table.members is not None and (key is None or key[1].made != table.members):
            return None
        if key is not None and isinstance(key[1].place, Constant) and key[1].place.value in (table.keys or ()):
            own = (table.keys or ()).index(key[1].place.value)
            return key[0], Choice((table.values[own],), None)
        numbers: tuple[Expression, ...] = tuple(Constant(number, span) for number in range(len(table.values)))
        keyed = ListDisplay(numbers, span) if table.keys is None else DictDisplay(table.keys, numbers, span)
        place = Name(self._scope.rename({"place"})["place"], span)
        asked = self._reader.expression(index.value) if key is None else key[1].place
        before = () if key is None else key[0]
        return (*before, Assign((place,), Subscript(keyed, asked, span), span)), Choice(table.values, place)

    def called(self, node: cst.Call) -> Given | None:
        """A call of such a function; None for all others."""
        counted = self._counted(node)
        if counted is not None:
            return counted
        found = self.chosen(node.func)
        before, choice = found if found is not None else ((), None)
        if choice is None and isinstance(node.func, cst.Name):
            choice = self._scope.choice(node.func.value)
        if choice is None:
            return None
        if choice.place is None:
            return self._call(choice.values[0], node)
        kept = self._kept(node)
        span, result = self._span(node), Name(self._scope.rename({"result"})["result"], self._span(node))
        rest: tuple[Statement, ...] = ()
        for number, value in reversed([*enumerate(choice.values)]):
            given = self._call(value, node)
            if isinstance(given.value, Instance | Choice | Several):
                raise self._refuse("a table of functions that make objects", node, "call them by their names")
            block = (*given.statements, Assign((result,), given.value, span))
            test = Compare(choice.place, ("==",), (Constant(number, span),), span)
            rest = (If(test, block, rest, span),) if number < len(choice.values) - 1 else block
        return Given((*before, *kept, *rest), result)

    def _counted(self, node: cst.Call) -> Given | None:
        """`len(TABLE)`; None for everything else."""
        match node:
            case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Name() | cst.Attribute() as whole)]):
                table = self._table(whole) if self._scope.canonical(node.func) == "len" else None
                return None if table is None else Given((), Constant(len(table.values), self._span(node)))
        return None

    def _kept(self, node: cst.Call) -> tuple[Statement, ...]:
        """Variables for arguments, which are worked out once."""
        before: list[Statement] = []
        for argument in node.args:
            value = argument.value
            is_function = isinstance(value, cst.Lambda) or self.value(value) is not None
            if self._draws.stream_of(value) or self._scope.instance(value) or is_function:
                continue
            self._reader.forget(value)
            lowered = self._reader.expression(value)
            if not isinstance(lowered, Constant):
                name = Name(self._scope.rename({"given"})["given"], lowered.span)
                before.append(Assign((name,), lowered, lowered.span))
                lowered = name
            self._reader.stands_for(value, lowered)
        return tuple(before)

    # tables

    def _table(self, node: cst.BaseExpression) -> Table | None:
        """The table that a name stands for, or one that is written out here."""
        scope = self._scope
        if isinstance(node, cst.Dict | cst.List | cst.Tuple):
            return _table_of(node, self._made, self._scope)
        if isinstance(node, cst.Name) and scope.local(node.value) is not None:
            return scope.tables.get(node.value)
        found = scope.display(node) if isinstance(node, cst.Name | cst.Attribute) else None
        if found is None:
            return None
        facts, display = found
        around = Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, scope.elsewhere)
        return _table_of(display, partial(function_value, around), around)

    def kept(self, target: cst.BaseExpression, value: cst.BaseExpression, suite: cst.CSTNode) -> bool:
        """Whether an assignment makes a list or dict of functions, which nothing but calls and loops look at."""
        if (
            not isinstance(target, cst.Name)
            or self._body is None
            or not isinstance(value, cst.List | cst.Dict | cst.Tuple)
        ):
            return False
        name = target.value
        if binding_counts(self._body)[name] != 1 or name in self._scope.parameters | self._scope.given:
            return False
        table = _table_of(value, self._made, self._scope)
        if table is None or _uses(self._body, name) + 1 != _uses_of_any_kind(self._body, name):
            return False
        if _uses_of_any_kind(suite, name) != _uses_of_any_kind(self._body, name):
            return False
        self._scope.tables[name] = table
        return True

    def looped(self, target: cst.BaseExpression, iterable: cst.BaseExpression) -> Looped | None:
        """A loop over such functions, as one over their places; None for everything else."""
        whole, way = iterable, ""
        match iterable:
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value="items" | "values" as called)), args=[]):
                whole, way = inner, called
        table = self._table(whole)
        if table is None or table.members is not None or (table.keys is None) != (way == ""):
            return None
        span = self._span(target)
        match target:
            case cst.Name(value=name) if way != "items":
                key = None
            case cst.Tuple(elements=[cst.Element(value=key), cst.Element(value=cst.Name(value=name))]) if (
                way == "items"
            ):
                pass
            case _:
                return None
        place = Name(self._scope.rename({"place"})["place"], span)
        choice = Choice(table.values, place)
        numbers = [Constant(number, span) for number in range(len(table.values))]
        if key is None:
            return Looped({name: choice}, lambda _: place, TupleDisplay(tuple(numbers), span))
        keys = [Constant(one, span) for one in table.keys or ()]
        pairs = tuple(TupleDisplay(pair, span) for pair in zip(keys, numbers, strict=True))
        # Of the two, the place is no part of the source.
        kept = key
        return Looped({name: choice}, lambda lower: TupleTarget((lower(kept), place), span), TupleDisplay(pairs, span))


def _table_of(
    node: cst.Dict | cst.List | cst.Tuple,
    value_of: Callable[[cst.BaseExpression], FunctionValue | None],
    scope: Scope,
) -> Table | None:
    """The table of functions that is written out; scope: what its keys stand in."""
    keys: list[Literal] = []
    members: set[Enumeration | None] = set()
    values: list[FunctionValue] = []
    for one in node.elements:
        if isinstance(one, cst.DictElement):
            known, member = literal(one.key), member_of(scope, one.key)
            members.add(None if member is None else member.made)
            key: Literal = None if known is None or isinstance(known[0], bytes) else known[0]
            if member is not None and isinstance(member.place, Constant):
                key = member.place.value
            if not isinstance(key, str | int):
                return None
            keys.append(key)
        elif not isinstance(one, cst.Element):
            return None
        value = value_of(one.value)
        if value is None:
            return None
        values.append(value)
    if (
        not 1 <= len(values) <= _MOST
        or len(set(keys)) != len(keys)
        or len({id(one.node) for one in values}) != len(values)
        or len(members) > 1
    ):
        return None
    return Table(tuple(keys) if isinstance(node, cst.Dict) else None, tuple(values), next(iter(members), None))


def function_default(scope: Scope, facts: ModuleFacts, node: cst.BaseExpression) -> Choice | None:
    """The function that a default of a function of a module stands for; None for everything else."""
    around = Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, scope.elsewhere)
    found = function_value(around, node)
    return None if found is None else Choice((found,), None)


def function_value(scope: Scope, node: cst.BaseExpression) -> FunctionValue | None:
    """The function that an expression certainly stands for, other than by a local name; None for everything else."""
    if isinstance(node, cst.Lambda):
        return FunctionValue(scope, node, tuple(scope.renamed)) if is_plain(scope, node) else None
    if not isinstance(node, cst.Name | cst.Attribute):
        return None
    canonical = scope.canonical(node) or ""
    family, _, last = canonical.rpartition(".")
    draws = last in draw_signatures({"numpy.random": LEGACY, "random": PYTHON}.get(family, "")) if family else False
    known = scope.helper(node) is not None or canonical in FUNCTIONS or draws
    return FunctionValue(scope, node) if known else None


def is_plain(scope: Scope, node: cst.CSTNode) -> bool:
    """Whether a lambda or a local function looks at no table of functions, and has only constants for defaults."""
    if isinstance(node, cst.FunctionDef):
        return not has_scopes(node) and not makes_defaults(node)
    if not isinstance(node, cst.Lambda):
        return False
    barred = (cst.Lambda, cst.NamedExpr, cst.Await, cst.Yield)
    defaults = [one.default for one in all_parameters(node) if one.default is not None]
    if any(isinstance(one, barred) for one in nodes_below(node.body)) or not all(
        is_constant(one) or id(one) in scope.fixed for one in defaults
    ):
        return False
    mentioned = {one.value for one in nodes_below(node.body) if isinstance(one, cst.Name)}
    return not mentioned & {*scope.tables}


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether a default is the same whenever it is worked out."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.BaseNumber)
    return isinstance(node, cst.BaseNumber | cst.SimpleString) or dotted_name(node) in ("None", "True", "False")


def _uses(body: cst.CSTNode, name: str) -> int:
    """How often a table is indexed for a call, or looped over."""
    found = 0
    for one in nodes_below(body):
        match one:
            case (
                cst.Subscript(value=cst.Name(value=own))
                | cst.For(iter=cst.Name(value=own))
                | cst.CompFor(iter=cst.Name(value=own))
            ):
                found += own == name
            case cst.Call(
                func=cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value="items" | "values")), args=[]
            ):
                found += own == name
    return found


def _uses_of_any_kind(body: cst.CSTNode, name: str) -> int:
    words: Sequence[cst.CSTNode] = [one for one in nodes_below(body) if isinstance(one, cst.Name) and one.value == name]
    return len(words)


def with_given(scope: Scope, given: Sequence[cst.Arg], node: cst.Call) -> cst.Call:
    """A call with the arguments that `functools.partial` gives beside its own."""
    words = {one.keyword.value for one in node.args if one.keyword is not None}
    before = [one for one in given if one.keyword is None]
    after = [one for one in given if one.keyword is not None and one.keyword.value not in words]
    whole = node.with_changes(args=(*before, *node.args, *after))
    scope.placed(whole, node)
    return whole
