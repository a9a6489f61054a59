"""Values that may be missing, as pairs: whether there is a number, and a number.

A program may ask whether a value is there (`v is None`, `v is not None`, and of NaN `v == v`, `v != v` and
`math.isnan(v)`), look at it where an answer to that says that it is, and take 0 for None (`v or 0`). In place of each
value there may then stand a pair of a truth value, which all these questions ask for, and any number of the interval,
at which the program does not look where there is none. To each record with missing values belong records of pairs, and
to neighbours some that are neighbours; the other program gives for these just what the first does for those. So if it
keeps the claim for all neighbours, the first does, too. Values are the variables of loops over the data, and columns of
such; each is bound in one loop alone, so that an answer holds to the end of its turn.

Of a column of pandas with NaN, `clip` leaves NaN what it is, `fillna(c)` is c there, `sum` leaves it out, and `isna`,
`notna` and `count` ask for it; `astype(float)` makes NaN of None. Of an array with NaN, `numpy.nansum` leaves it out.
All other uses of such a column or array are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from dplint.claims import Categories, Column, Columns, Mechanism, NumbersOrMissing
from dplint.inputs.forms import data_form
from dplint.program import nodes as ir
from dplint.proofs.checker.rewriting import NotRead, Reading

Place: TypeAlias = tuple[str, str]
"""The variable of a loop, and a column of it; "" for itself."""
VALUE, KNOWN = "value", " is known"
"""The column of what is no record with columns; and with which the name of a column ends that says what is missing."""


def with_known_values(program: ir.Program, mechanism: Mechanism) -> tuple[ir.Program, Mechanism]:
    """A program and a claim without missing values: if it is kept, so is this one.

    Both as they are where there is no such program, or none is needed.
    """
    domain, data = mechanism.claim.domain, program.data or ""
    whole = isinstance(domain, NumbersOrMissing)
    columns: dict[str, Column] = dict(domain.columns) if isinstance(domain, Columns) else {}
    columns |= {VALUE: domain} if isinstance(domain, NumbersOrMissing) else {}
    gaps = {name: one for name, one in columns.items() if isinstance(one, NumbersOrMissing)}
    known = {f"{name}{KNOWN}": Categories((False, True)) for name in gaps}
    both = any(one.none == one.nan for one in gaps.values())
    form = data_form(mechanism)
    if not gaps or both or known.keys() & columns.keys() or form not in ("array", "frame", "list", "tuple"):
        return program, mechanism
    if data != mechanism.data or mechanism.claim.pairs is not None:
        return program, mechanism
    numbers = {name: one.numbers if isinstance(one, NumbersOrMissing) else one for name, one in columns.items()}
    try:
        if form in ("array", "frame"):
            changed = (_OfArray if form == "array" else _OfColumns)(data, gaps=gaps).of(program)
        else:
            changed = _OfGaps(data, () if whole else tuple(columns), gaps=gaps, whole=whole).of(program)
    except NotRead:
        return program, mechanism
    claim = replace(mechanism.claim, domain=Columns((*numbers.items(), *known.items())))
    if form == "array":  # of which the numbers are a column now, beside that which says where they are
        table = "pd.DataFrame"
        parameters = (replace(one, annotation=table) if one.name == data else one for one in mechanism.parameters)
        mechanism = replace(mechanism, parameters=tuple(parameters), form=table)
    return changed, replace(mechanism, claim=claim)


@dataclass(slots=True)
class _OfGaps(Reading):
    """gaps: what may be missing. whole: whether a record is such a value. there: what is known not to be missing."""

    gaps: Mapping[str, NumbersOrMissing] = field(default_factory=dict)
    whole: bool = False
    there: frozenset[Place] = frozenset()

    def known(self, node: Any) -> Any:
        place, asked = self._place(node), self._asked(node)
        if asked is not None:
            answer = self._test(asked[0], node)
            return answer if asked[1] else ir.Unary("not", answer, node.span)
        if place is not None and place[1] in self.gaps:
            if place not in self.there:
                raise NotRead
            return self._value(place, node)
        match node:
            case ir.For(iterable=rows, target=ir.Name(id=name) as target) if self.is_data(rows):
                # What was known of the value of an earlier turn is not known of the next one.
                self.there = frozenset(one for one in self.there if one[0] != name)
                return self.parts(node, iterable=rows, target=target)
            case ir.Subscript() if place is not None and place[1] in self.names:
                return node
            case ir.BoolOp(operator="or", operands=(one, ir.Constant(value=zero))) if self._is_none_or(one, zero):
                return self._or_zero(node)
            case ir.BoolOp(operands=operands):
                return replace(node, operands=self._in_turn(operands, holds=node.operator == "and"))
            case ir.If(test=test) | ir.IfExp(test=test):
                read = self.read(test)
                with self._where(test, holds=True):
                    body = self.read(node.body)
                with self._where(test, holds=False):
                    return replace(node, test=read, body=body, orelse=self.read(node.orelse))
            case ir.Comprehension():
                return self._comprehension(node)
        return None

    def _comprehension(self, node: ir.Comprehension) -> ir.Comprehension:
        before, clauses = self.there, list[ir.Clause]()
        for one in node.clauses:
            rows = one.iterable if self.is_data(one.iterable) else self.read(one.iterable)
            target = one.target if self.is_data(one.iterable) else self.read(one.target)
            conditions = []
            for condition in one.conditions:
                conditions.append(self.read(condition))
                self.there |= self._told(condition, holds=True)
            clauses.append(replace(one, target=target, iterable=rows, conditions=tuple(conditions)))
        element = self.read(node.element)
        self.there = before
        return replace(node, element=element, clauses=tuple(clauses))

    def _in_turn(self, operands: Sequence[Any], *, holds: bool) -> tuple[Any, ...]:
        """Operands, of which each is looked at where those before it hold, or do not."""
        before, found = self.there, []
        for one in operands:
            found.append(self.read(one))
            self.there |= self._told(one, holds=holds)
        self.there = before
        return tuple(found)

    @contextmanager
    def _where(self, test: Any, *, holds: bool) -> Iterator[None]:
        before = self.there
        self.there |= self._told(test, holds=holds)
        yield
        self.there = before

    def _told(self, test: Any, *, holds: bool) -> frozenset[Place]:
        """What is there if a test holds, or does not."""
        asked = self._asked(test)
        if asked is not None:
            return frozenset([asked[0]] if asked[1] == holds else [])
        match test:
            case ir.Unary(operator="not", operand=operand):
                return self._told(operand, holds=not holds)
            case ir.BoolOp(operator=operator, operands=operands) if (operator == "and") == holds:
                return frozenset().union(*(self._told(one, holds=holds) for one in operands))
        return frozenset()

    def _asked(self, node: Any) -> tuple[Place, bool] | None:
        """Of what an expression asks whether it is there, and whether it is true if so; None for any other."""
        match node:
            case ir.Compare(
                left=left, operators=("is" | "is not" as operator,), comparators=(ir.Constant(value=None),)
            ):
                place, nan, says = self._place(left), False, operator == "is not"
            case ir.Compare(left=left, operators=("==" | "!=" as operator,), comparators=(right,)):
                place, nan, says = self._place(left), True, operator == "=="
                if self._place(right) != place:
                    return None
            case ir.Call(function="math.isnan", arguments=(value,), keywords=()):
                place, nan, says = self._place(value), True, False
            case _:
                return None
        gap = None if place is None else self.gaps.get(place[1])
        return None if place is None or gap is None or gap.nan is not nan else (place, says)

    def _is_none_or(self, value: Any, zero: Any) -> bool:
        """Whether it is 0, of the type of the numbers, that takes the place of None."""
        place = self._place(value)
        gap = None if place is None else self.gaps.get(place[1])
        return gap is not None and gap.none and zero == 0 and type(zero) is (int if gap.numbers.integer else float)

    def _or_zero(self, node: ir.BoolOp) -> ir.IfExp:
        value, zero = node.operands
        place = self._place(value)
        assert place is not None
        return ir.IfExp(self._test(place, value), self._value(place, value), zero, node.span)

    def _place(self, node: Any) -> Place | None:
        """Which value an expression is; None for what is none."""
        match node:
            case ir.Name(id=name) if self.whole and name in self.variables:
                return name, VALUE
            case ir.Subscript(value=ir.Name(id=name), index=ir.Constant(value=str() as key)) if name in self.variables:
                return None if self.whole else (name, key)
        return None

    def _value(self, place: Place, node: Any) -> ir.Subscript:
        return ir.Subscript(ir.Name(place[0], node.span), ir.Constant(place[1], node.span), node.span)

    def _test(self, place: Place, node: Any) -> ir.Subscript:
        return self._value((place[0], f"{place[1]} is known"), node)


@dataclass(slots=True)
class _OfColumns(Reading):
    """Columns of a data frame with floats, of which some are NaN."""

    gaps: Mapping[str, NumbersOrMissing] = field(default_factory=dict)

    def known(self, node: Any) -> Any:
        match node:
            case ir.Subscript(value=table, index=ir.Constant(value=str() as name)) if self.is_data(table):
                if name in self.gaps:
                    raise NotRead
                return node
            case ir.MethodCall(
                receiver=column, method="fillna", arguments=(ir.Constant(value=int() | float() as one),)
            ):
                return self._filled(column, float(one))
            case ir.MethodCall(receiver=ir.MethodCall(receiver=column, method="isna" | "notna" as how), method="sum"):
                return self._count(node, column, missing=how == "isna")
            case ir.MethodCall(receiver=column, method="count", arguments=()):
                return self._count(node, column, missing=False)
            case ir.MethodCall(receiver=column, method="sum", arguments=(), keywords=()):
                filled = self._filled(column, 0.0)
                return None if filled is None else replace(node, receiver=filled)
        return None

    def _filled(self, column: Any, value: float) -> ir.Call | None:
        """A column with a number where there is none."""
        found = self._column(column)
        if found is None:
            return None
        numbers, there = found
        return ir.Call("numpy.where", (there, numbers, ir.Constant(value, column.span)), (), column.span)

    def _count(self, node: ir.MethodCall, column: Any, *, missing: bool) -> ir.MethodCall | None:
        """How many there are, or are not."""
        found = self._column(column)
        if found is None:
            return None
        asked = ir.Compare(found[1], ("==",), (ir.Constant(not missing, node.span),), node.span)
        return ir.MethodCall(asked, "sum", (), (), node.span)

    def _column(self, node: Any) -> tuple[ir.Expression, ir.Subscript] | None:
        """A column with gaps, which may be cut off, and where there is a number; None for what is none."""
        match node:
            case ir.MethodCall(receiver=inner, method="clip", arguments=(ir.Constant(), ir.Constant()), keywords=()):
                found = self._column(inner)
                return None if found is None else (replace(node, receiver=found[0]), found[1])
            case ir.MethodCall(
                receiver=ir.Subscript() as inner, method="astype", arguments=(ir.Constant(value="float"),)
            ):
                return self._numbers(inner, none=True) if not node.keywords else None
            case ir.Subscript():
                return self._numbers(node, none=False)
        return None

    def _numbers(self, node: ir.Subscript, *, none: bool) -> tuple[ir.Expression, ir.Subscript] | None:
        """A column of floats as it stands, and where there is a number. none: whether None has become NaN."""
        match node:
            case ir.Subscript(value=table, index=ir.Constant(value=str() as name)) if self.is_data(table):
                gap = self.gaps.get(name)
                if gap is not None and (none or (gap.nan and not gap.none)) and not gap.numbers.integer:
                    return node, replace(node, index=ir.Constant(f"{name}{KNOWN}", node.span))
        return None


class _OfArray(_OfColumns):
    """An array of floats, of which some are NaN, as a column."""

    def known(self, node: Any) -> Any:
        match node:
            case ir.Call(function="numpy.nansum", arguments=(array,), keywords=()):
                filled = self._filled(array, 0.0)
                return None if filled is None else ir.MethodCall(filled, "sum", (), (), node.span)
        return None

    def _column(self, node: Any) -> tuple[ir.Expression, ir.Subscript] | None:
        match node:
            case ir.Call(
                function="numpy.clip", arguments=(inner, ir.Constant() as low, ir.Constant() as high), keywords=()
            ):
                found = self._column(inner)
                return (
                    None if found is None else (ir.MethodCall(found[0], "clip", (low, high), (), node.span), found[1])
                )
            case ir.Name() if self.is_data(node) and VALUE in self.gaps:
                return self._numbers(ir.Subscript(node, ir.Constant(VALUE, node.span), node.span), none=False)
        return None
