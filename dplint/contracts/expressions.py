"""Expressions: numbers made of parameters, parts of the data, and values that may show the data."""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from dplint.amounts import Amount, number
from dplint.claims import Claim, Domain, Interval
from dplint.contracts.composing import Dominated
from dplint.contracts.engines import GRADIENTS
from dplint.contracts.frames import Frame, Head, Reader, leak
from dplint.contracts.relations import column
from dplint.contracts.tree import OPPOSITE, Choice, Condition, Part
from dplint.contracts.values import Data, Hidden, Public, Sample, Value, shown
from dplint.definitions import definition_of, implied
from dplint.program.parsing import COMPARE
from dplint.relations import DataKind, relation_of
from dplint.syntax import parse_expression

_COMPARISONS = {kind: symbol for kind, symbol in COMPARE.items() if symbol in OPPOSITE}
"""Those of which another one is known that no record meets, too."""
_ARITHMETIC: Mapping[type[ast.operator], Callable[[Amount, Amount], Amount]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_RECORD = "_"
_CERTAIN = frozenset({"len", "abs", "int", "float", "str", "bool", "min", "max", "round", "isinstance", "sum", "tuple"})


class Expressions:
    """Reads expressions."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def value(self, frame: Frame, node: ast.expr) -> Value:
        """What an expression that is no call gives."""
        match node:
            case ast.Constant(value=value):
                return literal(value)
            case ast.Name(id=name):
                return self._name(frame, name)
            case ast.BinOp() | ast.UnaryOp():
                return self._arithmetic(frame, node)
            case ast.IfExp(test=test, body=body, orelse=other):
                return self._either(frame, node, test, body, other)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) if not _starred(elements):
                items = tuple(self._reader.value(frame, one) for one in elements)
                return Public(frame.run.fresh("list"), items=items, distinct=_distinct(items))
            case ast.Subscript(value=base, slice=index):
                return self._item(frame, node, self._reader.value(frame, base), index)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return self._comprehension(frame, node)
            case ast.Attribute(value=value, attr=name) if frame.is_own(value) or _may_be_gradient(frame, name):
                return self._attribute(frame, node, name)
            case ast.NamedExpr(target=ast.Name(id=name), value=inner):
                frame.bind(name, self._reader.value(frame, inner))
                return frame.env[name]
            case _:
                return self._other(frame, node)

    def _name(self, frame: Frame, name: str) -> Value:
        if name in frame.env:
            return frame.env[name]
        constants = frame.view.module.constants
        return literal(constants[name]) if name in constants else Public(f"{frame.view.file}:{name}")

    def _attribute(self, frame: Frame, node: ast.expr, name: str) -> Value:
        """What the object of a method holds; and what may be a gradient."""
        if _may_be_gradient(frame, name):
            return Hidden(frame.why(node, "this may hold gradients without noise"))
        own, owner, key = frame.run.own, frame.run.owner, f"self.{name}"
        if key in frame.env:
            return frame.env[key]
        if owner is None or own is None or name not in owner.fields or own.box.data is not None:
            return Hidden(frame.why(node, f"what `{key}` holds is not understood"))
        constant = owner.fields[name]
        return literal(constant.value) if constant is not None else Public(key)

    def _arithmetic(self, frame: Frame, node: ast.BinOp | ast.UnaryOp) -> Value:
        operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        values = [self._reader.value(frame, one) for one in operands]
        numbers = [one.amount if isinstance(one, Public) and one.amount is not None else None for one in values]
        found = computed(node, numbers)
        if found is None or any(shown(one) is not None for one in values):
            return self.derived(frame, node, values)
        return Public(str(found), amount=found)

    def _either(self, frame: Frame, node: ast.AST, test: ast.expr, body: ast.expr, other: ast.expr) -> Value:
        tested = self._reader.value(frame, test)
        why = leak(tested, frame, test, "the data decides here")
        branches = [frame.branch(), frame.branch()]
        for branch, one in zip(branches, (body, other), strict=True):
            branch.control = frame.control or why
            branch.bind("#value", self._reader.value(branch, one))
        frame.merge(node, branches)
        nodes = tuple(branch.spent() for branch in branches)
        if any(branch.items for branch in branches):
            frame.items.append(Choice(frame.view.file, frame.view.span(node), ast.unparse(test), nodes))
        return frame.env.pop("#value")

    def _item(self, frame: Frame, node: ast.Subscript, base: Value, index: ast.expr) -> Value:
        if isinstance(base, Data) and base.box.data is None:
            return self._of_data(frame, node, base, index)
        at = self._reader.value(frame, index) if not isinstance(index, ast.Slice) else self._other(frame, index)
        if isinstance(base, Public) and base.items is not None and not base.box.changed and isinstance(at, Public):
            place = at.amount.value if at.amount is not None else None
            if place is not None and place.denominator == 1 and -len(base.items) <= place < len(base.items):
                return base.items[int(place)]
        return self.derived(frame, node, [base, at])

    def _of_data(self, frame: Frame, node: ast.Subscript, base: Data, index: ast.expr) -> Value:
        """A column or rows of a table, and a slice of a vector."""
        kind = relation_of(frame.run.claim).data
        if isinstance(index, ast.Slice):
            bounds = [self._reader.value(frame, one) for one in (index.lower, index.upper, index.step) if one]
            if not bounds:
                return base
            if kind is DataKind.VECTOR and all(shown(one) is None for one in bounds):
                return replace(base, part=Part(base.part.conditions, exact=False), cut=True)
        elif kind is DataKind.RECORDS:
            if isinstance(index, ast.Constant) and isinstance(index.value, str):
                return replace(base, domain=column(base.domain, index.value), mapped=True)
            rows = ast.unparse(node.value)
            if isinstance(index, ast.Compare) and _columns_of(index.left, rows):
                inner = _Renamed(frame, {rows: _RECORD}).visit(copy.deepcopy(index))
                others = [self._reader.value(frame, one) for one in index.comparators]
                if all(shown(one) is None for one in others):
                    return _filtered(frame, base, [inner])
        return Hidden(frame.why(node, "how far this part of the data moves is not understood"))

    def _comprehension(self, frame: Frame, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> Value:
        first, *others = node.generators
        over = self._reader.value(frame, first.iter)
        why = leak(over, frame, node, "this is made of the data in a way that is not understood")
        if isinstance(over, Data) and over.box.data is None:
            if isinstance(node, ast.ListComp | ast.GeneratorExp) and not others:
                return self._records(frame, node, over)
            return Hidden(frame.why(node, "this is made of the data in a way that is not understood"))
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        found: list[Value] = []

        def turn(inner: Frame) -> bool:
            inner.control = inner.control or why
            for one in others:
                got = self._reader.value(inner, one.iter)
                bind_all(inner, one.target, Public(inner.run.fresh("item"), parts=(got,)))
            tests = [test for one in node.generators for test in one.ifs]
            found.extend(self._reader.value(inner, one) for one in (*tests, *results))
            return bool(tests or others)

        if others and any(isinstance(one, ast.Call) for result in results for one in ast.walk(result)):
            frame.unclear(node, "loops inside of one another in one expression are not followed")
        whole = [part for result in results for part in ast.walk(result)]
        self._reader.turns(frame, node, Head(first.target, over, tuple(whole)), turn)
        return self.derived(frame, node, [over, *found], fresh=True)

    def _records(self, frame: Frame, node: ast.ListComp | ast.GeneratorExp, over: Data) -> Value:
        """One value for each record, or for some: what a record becomes may not depend on others."""
        generator = node.generators[0]
        names = [one.id for one in ast.walk(generator.target) if isinstance(one, ast.Name)]
        bound = {one: f"{_RECORD}{place or ''}" for place, one in enumerate(names)}
        inner = [node.elt, *generator.ifs]
        others = {one.id for part in inner for one in ast.walk(part) if isinstance(one, ast.Name)} - set(bound)
        exposed = [shown(frame.env[name]) for name in sorted(others) if name in frame.env]
        odd = any(isinstance(one, ast.NamedExpr | ast.Await) for part in inner for one in ast.walk(part))
        of_records = relation_of(frame.run.claim).data is DataKind.RECORDS
        if odd or any(one is not None for one in exposed) or not of_records or frame.control is not None:
            return Hidden(frame.why(node, "how far this part of the data moves is not understood"))
        rates = [self._rate(frame, one) for one in generator.ifs]
        further = [node.elt, *(one for one, rate in zip(generator.ifs, rates, strict=True) if rate is None)]
        if any(
            isinstance(one, ast.Call) and _may_toss(frame, one, bound) for part in further for one in ast.walk(part)
        ):
            return Hidden(frame.why(node, "chance may decide here on records, and what that saves is not understood"))
        renamed = [_Renamed(frame, bound).visit(copy.deepcopy(one)) for one in generator.ifs]
        found = _filtered(frame, over, renamed) if renamed else over
        if len(rates) == 1 and rates[0] is not None and over.sample is None:
            found = replace(found, sample=Sample(rates[0], frame.loops))
        if isinstance(node.elt, ast.Name) and isinstance(generator.target, ast.Name) and node.elt.id in bound:
            return found
        return replace(found, domain=_made(node.elt, bound, over.domain), mapped=True)

    def _rate(self, frame: Frame, test: ast.expr) -> Amount | None:
        """The probability of a coin `rng.random() < rate` of the generator that is given, None for any other test."""
        match test:
            case ast.Compare(
                left=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="random"), args=[], keywords=[]),
                ops=[ast.Lt()],
                comparators=[right],
            ) if isinstance(known := frame.env.get(owner), Public) and known.key == frame.run.rng:
                rate = self._reader.value(frame, right)
                return rate.amount if isinstance(rate, Public) else None
        return None

    def _other(self, frame: Frame, node: ast.AST) -> Value:
        """What is made of the expressions below a node."""
        if isinstance(node, ast.Lambda):
            return self.of_names(frame, node, "function")
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom):
            return Hidden(frame.unclear(node, "functions that are suspended in the middle are not followed"))
        values = [self._reader.value(frame, one) for one in _below(node)]
        return self.derived(frame, node, values)

    def derived(self, frame: Frame, node: ast.AST, values: Iterable[Value], *, fresh: bool = False) -> Value:
        """A value of which nothing is known but what it was made of."""
        parts = tuple(values)
        for one in parts:
            why = leak(one, frame, node, "how this depends on the data is not understood")
            if why is not None:
                return Hidden(why)
        called = fresh or any(isinstance(one, ast.Call) for one in ast.walk(node))
        text = ast.unparse(node) if isinstance(node, ast.expr | ast.slice) else "value"
        key = frame.run.fresh(text) if called else _keyed(frame, node)
        return Public(key, parts=tuple(one for one in parts if not (isinstance(one, Public) and one.amount)))

    def of_names(self, frame: Frame, node: ast.AST, text: str) -> Value:
        """A function or class that is defined here: it may show what it mentions."""
        names = sorted({one.id for one in ast.walk(node) if isinstance(one, ast.Name)})
        return Public(frame.run.fresh(text), parts=tuple(frame.env[name] for name in names if name in frame.env))


def literal(value: object) -> Public:
    """A value that is written out in the source."""
    if isinstance(value, list | tuple):
        items = tuple(literal(one) for one in value)
        return Public(repr(value), items=items, distinct=_distinct(items))
    known = number(value) if isinstance(value, int | float) and not isinstance(value, bool) and _finite(value) else None
    return Public(repr(value), amount=known, constant=not isinstance(value, float) or known is not None)


def bind_all(frame: Frame, target: ast.expr, value: Value) -> None:
    """Give a value to all names of a target."""
    if isinstance(target, ast.Name):
        frame.bind(target.id, value)
        return
    if isinstance(target, ast.Attribute) and frame.holds(target):
        frame.bind(f"self.{target.attr}", value)
        return
    items = value.items if isinstance(value, Public) and not value.box.changed else None
    elements = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    for place, element in enumerate(elements):
        if items is not None and len(items) == len(elements) and not _starred(elements):
            bind_all(frame, element, items[place])
        else:
            inner = element.value if isinstance(element, ast.Starred) else element
            why = leak(value, frame, target, "how this depends on the data is not understood")
            bind_all(frame, inner, Hidden(why) if why else Public(frame.run.fresh("item"), parts=(value,)))


def computed(node: ast.BinOp | ast.UnaryOp, numbers: list[Amount | None]) -> Amount | None:
    """The result of an operator, None if it is not one of those or an operand is not known."""
    first, last = numbers[0], numbers[-1]
    if first is None or last is None:
        return None
    if isinstance(node, ast.UnaryOp):
        return number(-1) * first if isinstance(node.op, ast.USub) else None
    if isinstance(node.op, ast.Pow):
        return reduce(operator.mul, [first] * int(last.value)) if last.value in (1, 2, 3) else None
    apply = _ARITHMETIC.get(type(node.op))
    try:
        return None if apply is None else apply(first, last)
    except ZeroDivisionError:
        return None


def _may_be_gradient(frame: Frame, attribute: str) -> bool:
    return attribute in GRADIENTS and bool(frame.run.engines)


def _finite(value: float) -> bool:
    return isinstance(value, int) or value - value == 0


def _starred(elements: Iterable[ast.expr]) -> bool:
    return any(isinstance(one, ast.Starred) for one in elements)


def _distinct(items: tuple[Value, ...]) -> bool:
    keys = [one.key for one in items if isinstance(one, Public) and one.constant]
    return len(keys) == len(items) == len(set(keys))


def _may_toss(frame: Frame, node: ast.Call, bound: Mapping[str, str]) -> bool:
    """Whether a call may draw random numbers: all do but some builtins, and methods of a record."""
    if isinstance(node.func, ast.Name):
        return node.func.id in frame.env or node.func.id not in _CERTAIN
    base: ast.AST = node.func
    while isinstance(base, ast.Attribute | ast.Subscript | ast.Call):
        base = base.func if isinstance(base, ast.Call) else base.value
    return not (isinstance(base, ast.Constant) or (isinstance(base, ast.Name) and base.id in bound))


def _filtered(frame: Frame, base: Data, tests: list[ast.expr]) -> Data:
    """Only the records for which all tests hold."""
    conditions: set[Condition] = set(base.part.conditions)
    exact = base.part.exact
    for test in tests:
        inner = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        for one in inner:
            match one:
                case _ if any(isinstance(below, ast.Call) for below in ast.walk(one)):
                    # Called again, it may answer otherwise; and a coin that lets records in makes a call cheaper.
                    exact = False
                    conditions.add(Condition(frame.run.fresh(ast.unparse(one)), "is", "True", constant=True))
                case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _COMPARISONS:
                    constant = isinstance(right, ast.Constant)
                    known = _COMPARISONS[type(operator)]
                    conditions.add(Condition(ast.unparse(left), known, ast.unparse(right), constant))
                case ast.UnaryOp(op=ast.Not(), operand=operand):
                    conditions.add(Condition(ast.unparse(operand), "is", "False", constant=True))
                case _:
                    conditions.add(Condition(ast.unparse(one), "is", "True", constant=True))
    return replace(base, part=Part(frozenset(conditions), exact), cut=True)


def _made(node: ast.expr, bound: Mapping[str, str], domain: Domain | None) -> Domain | None:
    """Where what is made of a record lies, None if that is not known: a column of it, or a number between bounds."""
    match node:
        case ast.Subscript(value=ast.Name(id=record), slice=ast.Constant(value=str() as name)) if record in bound:
            return column(domain, name)
        case ast.Call(func=ast.Name(id="min"), args=[ast.Call(func=ast.Name(id="max"), args=inner), high]):
            low = [one for one in inner if isinstance(one, ast.Constant)]
            known = [one.value for one in (*low, high) if isinstance(one, ast.Constant)]
            if len(known) == 2 and all(isinstance(one, int | float) for one in known):
                return Interval(float(str(known[0])), float(str(known[1])), integer=False)
    return None


def _columns_of(node: ast.expr, rows: str) -> bool:
    """Whether it is a column of that table: `rows["age"]`."""
    match node:
        case ast.Subscript(value=value, slice=ast.Constant(value=str())):
            return ast.unparse(value) == rows
    return False


def _below(node: ast.AST) -> list[ast.expr]:
    found: list[ast.expr] = []
    for one in ast.iter_child_nodes(node):
        found += [one] if isinstance(one, ast.expr) else _below(one)
    return found


def _keyed(frame: Frame, node: ast.AST) -> str:
    return ast.unparse(_Renamed(frame, {}).visit(copy.deepcopy(node)))


class _Renamed(ast.NodeTransformer):
    """Puts the keys of values in place of names, so that equal texts stand for equal values."""

    def __init__(self, frame: Frame, records: Mapping[str, str]) -> None:
        self._frame = frame
        self._records = records

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._records:
            return ast.Name(self._records[node.id])
        value = self._frame.env.get(node.id)
        if not isinstance(value, Public):
            return node
        if value.box.changed:
            return ast.Name(self._frame.run.fresh(node.id))
        return ast.Constant(ast.literal_eval(value.key)) if value.constant else ast.Name(value.key)


def counted_in(whole: Claim, part: Claim, given: Mapping[str, Value]) -> tuple[Amount | None, Amount | None]:
    """What a claim counts in the currency of another one, its own perhaps; None for what is not understood."""
    part = part if whole.promise else _in_numbers(part, given)
    return definition_of(whole).counted(whole, part, lambda text: claimed(text, given))


def _in_numbers(part: Claim, given: Mapping[str, Value]) -> Claim:
    """A claim by another definition with the epsilon and delta that follow from its amounts, if those are numbers."""
    amounts = [claimed(one, given) for one in (part.promise.amounts if part.promise else ())]
    values = [one.value for one in amounts if one is not None]
    numbers = tuple(float(one) for one in values if one is not None and one >= 0)
    if part.promise is None or len(numbers) < len(part.promise.amounts):
        return part
    promise = replace(part.promise, amounts=numbers)
    epsilon, delta = implied(promise)
    return replace(part, epsilon=epsilon, delta=delta)


def claimed(text: float | str, given: Mapping[str, Value]) -> Amount | None:
    """What a claim says for these arguments; None where it is not made of them by + - * /."""
    if not isinstance(text, str):
        return number(text)
    try:
        return _claimed_amount(parse_expression(text), given)
    except (SyntaxError, ZeroDivisionError):
        return None


def _claimed_amount(node: ast.expr, given: Mapping[str, Value]) -> Amount | None:
    match node:
        case ast.Constant(value=int() | float() as written):
            return number(written)
        case ast.Name(id=name):
            value = given.get(name)
            return value.number if isinstance(value, Public) else None
        case ast.BinOp(left=left, right=right):
            return computed(node, [_claimed_amount(left, given), _claimed_amount(right, given)])
        case ast.UnaryOp(operand=operand):
            return computed(node, [_claimed_amount(operand, given)])
    return None


def dominated(claim: Claim, given: Mapping[str, Value], rate: Fraction | None) -> Dominated | None:
    """What a call with these arguments keeps; None where that is not known in numbers, or is of no use."""
    promise = claim.promise
    texts = (claim.epsilon, claim.delta) if promise is None else promise.amounts
    if promise is not None and (promise.kind not in ("mu", "rho") or len(texts) > 1):
        return None
    amounts = [claimed(one, given) for one in texts]
    values = [one.value for one in amounts if one is not None]
    numbers = [float(one) for one in values if one is not None]
    if len(numbers) < len(texts):
        return None
    if promise is not None:
        found = Dominated(mu=numbers[0]) if promise.kind == "mu" else Dominated(rho=numbers[0])
    else:
        found = Dominated(epsilon=numbers[0], delta=numbers[1])
    return found if rate is None or found.delta else replace(found, rate=float(rate))
