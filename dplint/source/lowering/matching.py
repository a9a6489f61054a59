"""Lowering of `match`: each case is the test and the assignments that Python makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from dplint.program.nodes import (
    Assign,
    BoolOp,
    Call,
    Compare,
    Constant,
    Expression,
    If,
    Slice,
    Statement,
    Subscript,
)
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.rewriting import Rewriting, known_test

_WHOLE = frozenset({"bool", "dict", "float", "int", "list", "str", "tuple"})
"""Builtins of which a pattern in brackets takes the value itself: `case int(n)`."""


@dataclass(slots=True)
class _Pattern:
    """What one pattern asks and binds. tests: all have to hold, from left to right. never: it is known not to fit."""

    tests: list[Expression] = field(default_factory=list)
    bound: list[tuple[cst.Name, Expression]] = field(default_factory=list)
    never: bool = False


class Matching:
    """Lowers `match` over values, types, sequences, attributes of objects, alternatives, and names that take the rest.

    block: lowers the statements of a suite.
    """

    def __init__(
        self, reader: Reader, rewriting: Rewriting, block: Callable[[cst.BaseSuite], tuple[Statement, ...]]
    ) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._fresh = rewriting.fresh
        self._block = block

    def lower(self, node: cst.Match) -> tuple[Statement, ...]:
        """The subject, once, and its cases."""
        if self._scope.member(node.subject) is not None or self._scope.instance(node.subject) is not None:
            return self._cases(node.subject, node.cases)
        span = self._span(node)
        subject, stands = self._fresh("subject", span), cst.Name("subject")
        self._scope.placed(stands, node.subject, subject)
        given = Assign((subject,), self._reader.expression(node.subject), span)
        return given, *self._cases(stands, node.cases)

    def _cases(self, subject: cst.BaseExpression, cases: Sequence[cst.MatchCase]) -> tuple[Statement, ...]:
        if not cases:
            return ()
        case, *others = cases
        span, asked = self._span(case.pattern), _Pattern()
        self._ask(subject, case.pattern, asked)
        if asked.never:
            return self._cases(subject, others)
        taken = tuple(Assign((self._reader.target(name),), value, span) for name, value in asked.bound)
        tests = asked.tests
        if case.guard is not None and taken and tests:
            # What the pattern binds stays bound where the guard says no, and the next case is asked.
            fits = self._fresh("fits", span)
            guarded = If(self._reader.expression(case.guard), (Assign((fits,), Constant(True, span), span),), (), span)
            begin: tuple[Statement, ...] = (
                Assign((fits,), Constant(False, span), span),
                If(_all_of(tests), (*taken, guarded), (), span),
            )
            return *begin, If(fits, self._block(case.body), self._cases(subject, others), span)
        if case.guard is not None:
            tests = [*tests, self._reader.expression(case.guard)]
            return *taken, If(_all_of(tests), self._block(case.body), self._cases(subject, others), span)
        body = (*taken, *self._block(case.body))
        return (If(_all_of(tests), body, self._cases(subject, others), span),) if tests else body

    def _ask(self, subject: cst.BaseExpression, pattern: cst.MatchPattern, asked: _Pattern) -> None:
        """Adds what a pattern asks of the subject, and binds."""
        match pattern:
            case cst.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self._ask(subject, inner, asked)
                if name is not None:
                    asked.bound.append((name, self._reader.expression(subject)))
            case cst.MatchValue(value=value):
                asked.tests.append(self._is(subject, cst.Equal(), value, pattern))
            case cst.MatchSingleton(value=value):
                asked.tests.append(self._is(subject, cst.Is(), value, pattern))
            case cst.MatchClass(cls=cst.Name() as named):
                self._ask_class(subject, named, pattern, asked)
            case cst.MatchList(patterns=parts) | cst.MatchTuple(patterns=parts):
                self._ask_items(subject, parts, pattern, asked)
            case cst.MatchOr(patterns=patterns):
                self._ask_one_of(subject, [one.pattern for one in patterns], pattern, asked)
            case _:
                raise self._unknown(pattern)

    def _ask_one_of(
        self, subject: cst.BaseExpression, patterns: Sequence[cst.MatchPattern], whole: cst.MatchOr, asked: _Pattern
    ) -> None:
        tests = []
        for pattern in patterns:
            inner = _Pattern()
            self._ask(subject, pattern, inner)
            if inner.bound:
                raise self._unknown(pattern)
            if not inner.never:
                tests.append(_all_of(inner.tests) if inner.tests else Constant(True, self._span(pattern)))
        if tests:
            asked.tests.append(BoolOp("or", tuple(tests), self._span(whole)))
        asked.never |= not tests

    def _ask_class(
        self, subject: cst.BaseExpression, named: cst.Name, pattern: cst.MatchClass, asked: _Pattern
    ) -> None:
        """`case int()`, `case int(n)`, `case Point(x=0)`."""
        test = cst.Call(cst.Name("isinstance"), [cst.Arg(subject), cst.Arg(named)])
        builtin = self._scope.canonical(named)
        if self._scope.canonical(test.func) != "isinstance" or (pattern.patterns and builtin not in _WHOLE):
            raise self._unknown(pattern)
        self._scope.placed(test, pattern)
        is_one = self._reader.expression(test)
        known = known_test(is_one)
        if known is False:
            asked.never = True  # what it has is no attribute of the subject
            return
        if known is None:
            asked.tests.append(is_one)
        for one in pattern.patterns:
            self._ask(subject, one.value, asked)
        for keyword in pattern.kwds:
            part = cst.Attribute(subject, keyword.key)
            self._scope.placed(part, pattern)
            self._ask(part, keyword.pattern, asked)

    def _ask_items(
        self,
        subject: cst.BaseExpression,
        parts: Sequence[cst.MatchSequenceElement | cst.MatchOrElement | cst.MatchStar],
        pattern: cst.MatchPattern,
        asked: _Pattern,
    ) -> None:
        """`case [first, *rest]`: a list or tuple of that length, and then its items. An array is no sequence here."""
        span = self._span(pattern)
        items = self._reader.expression(subject)
        stars = [n for n, one in enumerate(parts) if isinstance(one, cst.MatchStar)]
        least = len(parts) - len(stars)
        size = Call("len", (items,), (), span)
        kinds = (Constant("list", span), Constant("tuple", span))
        asked.tests.append(Call("isinstance", (items, *kinds), (), span))
        asked.tests.append(Compare(size, (">=" if stars else "==",), (Constant(least, span),), span))
        for number, part in enumerate(parts):
            behind = bool(stars) and number > stars[0]
            index = number - len(parts) if behind else number
            match part:
                case cst.MatchStar(name=None):
                    pass
                case cst.MatchStar(name=cst.Name() as name):
                    after = len(parts) - number - 1
                    bounds = Slice(Constant(number, span), Constant(-after, span) if after else None, None, span)
                    asked.bound.append((name, Call("list", (Subscript(items, bounds, span),), (), span)))
                case cst.MatchSequenceElement(value=inner):
                    self._ask(self._item(subject, index, inner), inner, asked)
                case _:
                    raise self._unknown(pattern)

    def _item(self, subject: cst.BaseExpression, index: int, like: cst.MatchPattern) -> cst.BaseExpression:
        """`subject[index]`."""
        place = cst.Integer(str(abs(index)))
        signed = cst.UnaryOperation(cst.Minus(), place) if index < 0 else place
        item = cst.Subscript(subject, [cst.SubscriptElement(cst.Index(signed))])
        for node in (place, signed, item):
            self._scope.placed(node, like)
        return item

    def _is(
        self, subject: cst.BaseExpression, operator: cst.BaseCompOp, value: cst.BaseExpression, pattern: cst.CSTNode
    ) -> Expression:
        test = cst.Comparison(subject, [cst.ComparisonTarget(operator, value)])
        self._scope.placed(test, pattern)
        return self._reader.expression(test)

    def _unknown(self, pattern: cst.MatchPattern) -> Exception:
        return self._reader.refuse("this pattern", pattern, "compare with constants, or use if and elif")


def _all_of(tests: Sequence[Expression]) -> Expression:
    return tests[0] if len(tests) == 1 else BoolOp("and", tuple(tests), tests[0].span)
