"""Reads expressions into terms.

Tests of whether there is any epsilon or noise to be at all: without it nothing is promised of what is returned.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import libcst as cst

from dplint.claims import EPSILON_NAME
from dplint.rules.flow.dicts import has_columns, is_record
from dplint.rules.flow.reading import State, TermReader, one_generator, path_of
from dplint.rules.flow.stores import Stores, stored_at
from dplint.rules.flow.terms import Loop, Term, TermKind
from dplint.rules.flow.vocabulary import GENERATORS, KNOWS_NOTHING, SIZES
from dplint.source.bindings import clauses_of, dotted_name
from dplint.source.operators import BOOLEAN, COMPARE, SINGLETONS

_SWITCH = re.compile(
    r"(?:(?:is|use|with|add|apply|enable)_?)?(?:private|privacy|l?dp|noise|noisy)(?:_?(?:on|enabled))?"
)
"""What says whether there is to be noise at all, as a parameter or an attribute."""
_UNLIMITED = ("isinf", "isposinf")
_AMOUNT = re.compile(r"_?(?:scale|sensitivity|sigma|std(?:_?dev)?|noise_multiplier)$")


def without_budget(test: cst.BaseExpression) -> bool | None:
    """Whether a test holds just where there is no epsilon (None, zero, infinite), False where it holds with one.

    None where it asks something else.
    """
    match test:
        case cst.Name() | cst.Attribute() if _is_epsilon(test) or _is_switch(test):
            return False
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            found = without_budget(inner)
            return None if found is None else not found
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            one, two = without_budget(left), without_budget(right)
            same = isinstance(operator, cst.Or)
            return same if one is same and two is same else None
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=other)]):
            if _is_epsilon(left):
                return _compared(operator, other)
            return _compared(operator, other) if _is_amount(left) and _is_zero(other) else None
        case cst.Call(func=func, args=[cst.Arg(value=value)]) if _is_epsilon(value):
            return True if (dotted_name(func) or "").rpartition(".")[2] in _UNLIMITED else None
    return None


def _is_epsilon(node: cst.BaseExpression) -> bool:
    name = dotted_name(node)
    return name is not None and EPSILON_NAME.match(name.rpartition(".")[2]) is not None


def _is_switch(node: cst.BaseExpression) -> bool:
    return _SWITCH.fullmatch((dotted_name(node) or "").rpartition(".")[2].lower()) is not None


def _is_amount(node: cst.BaseExpression) -> bool:
    """Whether it says how much noise there is to be: a scale, a sensitivity, or one of these divided by an epsilon."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Divide(), right=right):
            return _is_amount(left) and _is_epsilon(right)
        case _:
            name = dotted_name(node)
            return name is not None and _AMOUNT.match(name.rpartition(".")[2]) is not None


def _is_zero(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer | cst.Float) and node.evaluated_value == 0


def _compared(operator: cst.BaseCompOp, other: cst.BaseExpression) -> bool | None:
    nothing = isinstance(other, cst.Name) and other.value == "None"
    zero = _is_zero(other)
    endless = (dotted_name(other) or "") in ("math.inf", "np.inf", "numpy.inf", "torch.inf")
    if isinstance(operator, cst.Is | cst.Equal) or (zero and isinstance(operator, cst.LessThanEqual)):
        return True if nothing or zero or endless else None
    if isinstance(operator, cst.IsNot | cst.NotEqual) or (zero and isinstance(operator, cst.GreaterThan)):
        return False if nothing or zero or endless else None
    return None


Comprehension: TypeAlias = cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp


class Expressions:
    """Makes terms of expressions, calls left out."""

    def __init__(self, reader: TermReader, stores: Stores) -> None:
        self._reader = reader
        self._make = reader.make
        self._read = reader.read
        self._stores = stores
        reader.register(
            {
                cst.Name: self._name,
                cst.Attribute: self._attribute,
                cst.Subscript: self._subscript,
                cst.BinaryOperation: self._binary,
                cst.BooleanOperation: self._boolean,
                cst.UnaryOperation: self._unary,
                cst.Comparison: self._comparison,
                cst.IfExp: self._if,
                **dict.fromkeys((cst.Tuple, cst.List, cst.Set), self._display),
                cst.Dict: self._dict,
                **dict.fromkeys((cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp), self._comprehension),
                cst.Lambda: self._lambda,
                cst.NamedExpr: self._walrus,
                cst.FormattedString: self._formatted,
                cst.Await: self._await,
                cst.Yield: self._yield,
            }
        )

    # names and literals

    def _name(self, node: cst.Name, state: State) -> Term:
        name = node.value
        known = state.values.get(name)
        if known is not None:
            return known
        if name in SINGLETONS:
            return self._reader.constant(SINGLETONS[name], node)
        function = self._reader.scope.module.functions.get(name)
        if function is not None:
            return self._reader.function(name, node, function)
        elsewhere = self._reader.scope.elsewhere(name)
        if elsewhere is not None:
            return self._reader.function(name, node, elsewhere.node, scope=elsewhere.scope)
        return self._held(name, node, self._reader.scope.own(name))

    def _held(self, dotted: str, node: cst.BaseExpression, unknown: str) -> Term:
        """What a module of the project keeps under a name: a constant, a generator, or what is not known.

        unknown: what that is called where it is none of an import or a builtin.
        """
        scope = self._reader.scope
        constant = scope.constant(dotted)
        if constant is not None:
            return self._reader.constant(constant[0], node, constant[1])
        if dotted in scope.generators:
            return self._read(scope.generators[dotted], State({}))
        maker = scope.generator_elsewhere(dotted)
        if maker is not None:
            return self._make(TermKind.GENERATOR, GENERATORS[maker], node, value=maker)
        return self._make(TermKind.SYMBOL, scope.canonical(dotted) or unknown, node)

    def _attribute(self, node: cst.Attribute, state: State) -> Term:
        path = path_of(node)
        if path is not None and path in state.values:
            return state.values[path]
        method = self._reader.own_method(node)
        if method is not None and not self._reader.methods[method.name].decorators:
            return method
        full = dotted_name(node)
        root = full.partition(".")[0] if full is not None else None
        if full is not None and root not in state.values:
            return self._held(full, node, full)
        value = self._read(node.value, state)
        attribute = node.attr.value
        field = value.argument(attribute) if is_record(value) else None
        if field is not None:
            return field
        if attribute in KNOWS_NOTHING:
            return self._make(TermKind.SYMBOL, f"<{attribute}>", node)
        if attribute == "index" and value.is_call("reindex") and len(value.args) > 1:
            return value.argument("index") or value.args[1]
        if attribute in SIZES or attribute == "index":  # the labels of rows
            return self._make(TermKind.LENGTH, attribute, node, [value])
        if attribute == "height" and value.kind is TermKind.DATA and "polars" in self._reader.scope.imported:
            return self._make(TermKind.LENGTH, attribute, node, [value])
        if value.kind is TermKind.SYMBOL:
            return self._make(TermKind.SYMBOL, f"{value.name}.{attribute}", node)
        return self._make(TermKind.CALL, attribute, node, [value], keys=[""], value=f".{attribute}")

    def _subscript(self, node: cst.Subscript, state: State) -> Term:
        value = self._read(node.value, state)
        indices = [self._reader.index(item.slice, state) for item in node.slice]
        first = indices[0] if len(indices) == 1 else None
        listed = value.kind is TermKind.CONTAINER and (value.name in ("tuple", "list") or is_record(value))
        if listed and first is not None:
            position = first.value if first.kind is TermKind.CONSTANT else None
            if isinstance(position, int) and -len(value.args) <= position < len(value.args):
                return value.args[position]
        if first is not None and (stored := stored_at(value, first)) is not None:
            return stored
        if value.kind is TermKind.LENGTH and value.name == "shape":
            later = first is not None and isinstance(first.value, int) and first.value >= 1
            return self._make(TermKind.SYMBOL, "<columns>", node) if later else value
        return self._make(TermKind.OPERATION, "[]", node, [value, *indices])

    # operators

    def _binary(self, node: cst.BinaryOperation, state: State) -> Term:
        return self._reader.operation(node.operator, node, self._read(node.left, state), self._read(node.right, state))

    def _boolean(self, node: cst.BooleanOperation, state: State) -> Term:
        left = self._read(node.left, state)
        right = self._read(node.right, state)
        if left.kind is TermKind.GENERATOR or right.kind is TermKind.GENERATOR:  # rng or default_rng()
            return left if left.kind is TermKind.GENERATOR else right
        name = BOOLEAN[type(node.operator)]
        return self._make(TermKind.OPERATION, name, node, [left, right])

    def _unary(self, node: cst.UnaryOperation, state: State) -> Term:
        if isinstance(node.operator, cst.Not):
            return self._reader.condition(node, state)
        value = self._read(node.expression, state)
        if isinstance(node.operator, cst.Plus):
            return value
        if isinstance(node.operator, cst.Minus):
            if value.kind is TermKind.CONSTANT and isinstance(value.value, int | float):
                return self._reader.constant(-value.value, node, value.name)
            return self._make(TermKind.OPERATION, "neg", node, [value])
        return self._make(TermKind.OPERATION, "~", node, [value])

    def _comparison(self, node: cst.Comparison, state: State) -> Term:
        parts = [self._read(node.left, state)]
        names = []
        for item in node.comparisons:
            names.append(COMPARE[type(item.operator)])
            parts.append(self._read(item.comparator, state))
        if any(name in ("is", "is not") for name in names):
            return self._make(TermKind.SYMBOL, "<identity>", node)
        if names in (["in"], ["not in"]) and has_columns(parts[1]):
            return self._make(TermKind.SYMBOL, "<column>", node)
        return self._make(TermKind.COMPARISON, " ".join(names), node, parts)

    def _if(self, node: cst.IfExp, state: State) -> Term:
        condition = self._reader.condition(node.test, state)
        body = self._read(node.body, state)
        other = self._read(node.orelse, state)
        without = without_budget(node.test)
        if body is other or without is not None:
            return other if without else body
        generator = one_generator([body, other])
        return generator or self._make(TermKind.CHOICE, "if", node, [body, other], conditions=[condition])

    # containers

    def _display(self, node: cst.Tuple | cst.List | cst.Set, state: State) -> Term:
        parts = [self._read(element.value, state) for element in node.elements]
        stars = ["*" if isinstance(element, cst.StarredElement) else "" for element in node.elements]
        name = {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}[type(node)]
        if "*" in stars:
            name = "starred" if name != "set" else "set"
        return self._make(TermKind.CONTAINER, name, node, parts, keys=stars)

    def _dict(self, node: cst.Dict, state: State) -> Term:
        parts: list[Term] = []
        for element in node.elements:
            if isinstance(element, cst.DictElement):
                parts.append(self._read(element.key, state))
            parts.append(self._read(element.value, state))
        return self._make(TermKind.CONTAINER, "dict", node, parts)

    def _comprehension(self, node: Comprehension, state: State) -> Term:
        inner = state.copy()
        opened: list[Loop] = []
        conditions: list[Term] = []
        sizes: list[Term] = []
        for part in clauses_of(node):
            iterable = self._read(part.iter, inner)
            sizes.append(self._make(TermKind.LENGTH, "len", part.iter, [iterable]))
            opened.append(self._reader.open_loop(part, iterable))
            self._stores.assign(part.target, self._reader.element(iterable, part.target), inner)
            for test in part.ifs:
                condition = self._reader.condition(test.test, inner)
                conditions.append(condition)
                inner.guards = (*inner.guards, condition)
        if isinstance(node, cst.DictComp):
            values = [self._read(node.key, inner), self._read(node.value, inner)]
        else:
            values = [self._read(node.elt, inner)]
        del self._reader.loops[len(self._reader.loops) - len(opened) :]
        name = "dictcomp" if isinstance(node, cst.DictComp) else "setcomp" if isinstance(node, cst.SetComp) else "comp"
        return self._make(
            TermKind.CONTAINER, name, node, [*values, *sizes], conditions=conditions, value=(opened, len(values))
        )

    # the rest

    def _lambda(self, node: cst.Lambda, state: State) -> Term:
        return self._reader.function("<lambda>", node, node, dict(state.values))

    def _walrus(self, node: cst.NamedExpr, state: State) -> Term:
        term = self._read(node.value, state)
        self._stores.assign(node.target, term, state)
        return term

    def _formatted(self, node: cst.FormattedString, state: State) -> Term:
        parts = [
            self._read(part.expression, state) for part in node.parts if isinstance(part, cst.FormattedStringExpression)
        ]
        return self._make(TermKind.CALL, "f-string", node, parts, keys=[""] * len(parts))

    def _await(self, node: cst.Await, state: State) -> Term:
        return self._read(node.expression, state)

    def _yield(self, node: cst.Yield, state: State) -> Term:
        value = node.value.item if isinstance(node.value, cst.From) else node.value
        if value is not None:
            self._yielded(self._read(value, state), node, state)
        return self._make(TermKind.SYMBOL, "<sent>", node)

    def _yielded(self, term: Term, node: cst.CSTNode, state: State) -> None:
        """Note a value that a generator function gives."""
        kept = self._make(
            TermKind.CHOICE, "yield", node, [term], conditions=list(state.guards[self._reader.frame.base :])
        )
        self._reader.frame.yields.append(kept)
        if self._reader.frame.depth == 0:
            self._reader.sink("yield", [kept], node, state)
