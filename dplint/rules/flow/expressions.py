"""Reads expressions into terms."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TypeAlias

import libcst as cst

from dplint.rules.flow.dicts import has_fixed_keys
from dplint.rules.flow.names import ModuleScope, dotted
from dplint.rules.flow.state import Frame, State, path_of
from dplint.rules.flow.terms import Graph, Loop, Term, TermKind
from dplint.rules.flow.vocabulary import KNOWS_NOTHING, SAME_LENGTH, SIZES

MOST_TERMS = 8000
"""Of one mechanism; what comes after is taken for public, so that nothing is said about it."""

_OPERATORS: Mapping[type[cst.CSTNode], str] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.BitXor: "^",
    cst.BitAnd: "&",
    cst.BitOr: "|",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
    cst.MatrixMultiply: "@",
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.BitXorAssign: "^",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
    cst.MatrixMultiplyAssign: "@",
}
_COMPARISONS: Mapping[type[cst.CSTNode], str] = {
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.Is: "is",
    cst.IsNot: "is not",
}
Comprehension: TypeAlias = cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp


class ExpressionFlow:
    """Makes terms of expressions; `CallFlow` adds calls, `StatementFlow` statements."""

    def __init__(self, scope: ModuleScope, is_epsilon: Callable[[Term], bool]) -> None:
        self.scope = scope
        self.graph = Graph()
        self.is_epsilon = is_epsilon
        self.frames: list[Frame] = []
        self.loops: list[Loop] = []
        self.methods: Mapping[str, cst.FunctionDef] = {}
        self._readers: Mapping[type[cst.CSTNode], Callable[..., Term]] = {
            cst.Name: self._name,
            cst.Attribute: self._attribute,
            cst.Subscript: self._subscript,
            cst.BinaryOperation: self._binary,
            cst.BooleanOperation: self._boolean,
            cst.UnaryOperation: self._unary,
            cst.Comparison: self._comparison,
            cst.IfExp: self._if,
            cst.Call: self.call,
            cst.Tuple: self._display,
            cst.List: self._display,
            cst.Set: self._display,
            cst.Dict: self._dict,
            cst.ListComp: self._comprehension,
            cst.SetComp: self._comprehension,
            cst.GeneratorExp: self._comprehension,
            cst.DictComp: self._comprehension,
            cst.Lambda: self._lambda,
            cst.NamedExpr: self._walrus,
            cst.FormattedString: self._formatted,
            cst.Await: self._await,
            cst.Yield: self._yield,
        }

    @property
    def frame(self) -> Frame:
        """The function that is being read."""
        return self.frames[-1]

    @property
    def mask(self) -> int:
        """The bits of the loops around the present place."""
        return self.loops[-1].mask() if self.loops else 0

    def make(
        self,
        kind: TermKind,
        name: str,
        node: cst.CSTNode | None,
        args: list[Term] | None = None,
        *,
        keys: list[str] | None = None,
        conditions: list[Term] | None = None,
        value: object = None,
    ) -> Term:
        """A new term at the present place."""
        function = self.frames[-1].function if self.frames else ""
        term = Term(kind, name, node, args or [], keys or [], conditions or [], value, self.mask, function=function)
        if len(self.graph.terms) >= MOST_TERMS:
            self.graph.full = True
            return Term(TermKind.SYMBOL, "<too much>", node)
        return self.graph.add(term)

    def constant(self, value: object, node: cst.CSTNode | None, name: str = "") -> Term:
        """A term whose value is known."""
        return self.make(TermKind.CONSTANT, name, node, value=value)

    def read(self, node: cst.BaseExpression, state: State) -> Term:
        """The term of an expression."""
        reader = self._readers.get(type(node))
        if reader is not None:
            return reader(node, state)
        return self._literal(node)

    def condition(self, node: cst.BaseExpression, state: State) -> Term:
        """The term of an expression that is asked for its truth: a sequence is true if it is not empty."""
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            return self.make(TermKind.OPERATION, "not", node, [self.condition(node.expression, state)])
        if isinstance(node, cst.BooleanOperation):
            parts = [self.condition(node.left, state), self.condition(node.right, state)]
            return self.make(TermKind.OPERATION, "and" if isinstance(node.operator, cst.And) else "or", node, parts)
        term = self.read(node, state)
        return self.make(TermKind.LENGTH, "len", node, [term]) if is_sequence(term) else term

    # names and literals

    def _literal(self, node: cst.BaseExpression) -> Term:
        if isinstance(node, cst.Integer | cst.Float | cst.SimpleString | cst.ConcatenatedString):
            try:
                value = node.evaluated_value
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                value = None
            return self.constant(value, node)
        return self.make(TermKind.SYMBOL, f"<{type(node).__name__}>", node)

    def _name(self, node: cst.Name, state: State) -> Term:
        name = node.value
        known = state.values.get(name)
        if known is not None:
            return known
        if name in ("True", "False", "None"):
            return self.constant({"True": True, "False": False, "None": None}[name], node)
        module = self.scope.module
        if name in module.constants:
            return self.constant(module.constants[name], node, name)
        function = module.functions.get(name)
        if function is not None:
            return self.make(TermKind.FUNCTION, name, node, value=(function, None))
        return self.make(TermKind.SYMBOL, self.scope.canonical(name) or name, node)

    def _attribute(self, node: cst.Attribute, state: State) -> Term:
        path = path_of(node)
        if path is not None and path in state.values:
            return state.values[path]
        full = dotted(node)
        root = full.partition(".")[0] if full is not None else None
        if full is not None and root not in state.values:
            return self.make(TermKind.SYMBOL, self.scope.canonical(full) or full, node)
        value = self.read(node.value, state)
        attribute = node.attr.value
        if attribute in KNOWS_NOTHING:
            return self.make(TermKind.SYMBOL, f"<{attribute}>", node)
        if attribute in SIZES:
            return self.make(TermKind.LENGTH, attribute, node, [value])
        if value.kind is TermKind.SYMBOL:
            return self.make(TermKind.SYMBOL, f"{value.name}.{attribute}", node)
        return self.make(TermKind.CALL, attribute, node, [value], keys=[""], value=f".{attribute}")

    def _subscript(self, node: cst.Subscript, state: State) -> Term:
        value = self.read(node.value, state)
        indices = [self._index(item.slice, state) for item in node.slice]
        first = indices[0] if len(indices) == 1 else None
        if value.kind is TermKind.CONTAINER and value.name in ("tuple", "list") and first is not None:
            position = first.value if first.kind is TermKind.CONSTANT else None
            if isinstance(position, int) and -len(value.args) <= position < len(value.args):
                return value.args[position]
        if value.kind is TermKind.LENGTH and value.name == "shape":
            later = first is not None and isinstance(first.value, int) and first.value >= 1
            return self.make(TermKind.SYMBOL, "<columns>", node) if later else value
        return self.make(TermKind.OPERATION, "[]", node, [value, *indices])

    def _index(self, node: cst.BaseSlice, state: State) -> Term:
        if isinstance(node, cst.Index):
            return self.read(node.value, state)
        parts = []
        if isinstance(node, cst.Slice):
            parts = [self.read(part, state) for part in (node.lower, node.upper, node.step) if part is not None]
        return self.make(TermKind.OPERATION, "slice", node, parts)

    # operators

    def operation(self, operator: cst.CSTNode, node: cst.CSTNode, left: Term, right: Term) -> Term:
        """The term of a binary operation."""
        return self.make(TermKind.OPERATION, _OPERATORS.get(type(operator), "?"), node, [left, right])

    def _binary(self, node: cst.BinaryOperation, state: State) -> Term:
        return self.operation(node.operator, node, self.read(node.left, state), self.read(node.right, state))

    def _boolean(self, node: cst.BooleanOperation, state: State) -> Term:
        left = self.read(node.left, state)
        right = self.read(node.right, state)
        if left.kind is TermKind.GENERATOR or right.kind is TermKind.GENERATOR:  # rng or default_rng()
            return left if left.kind is TermKind.GENERATOR else right
        name = "and" if isinstance(node.operator, cst.And) else "or"
        return self.make(TermKind.OPERATION, name, node, [left, right])

    def _unary(self, node: cst.UnaryOperation, state: State) -> Term:
        if isinstance(node.operator, cst.Not):
            return self.condition(node, state)
        value = self.read(node.expression, state)
        if isinstance(node.operator, cst.Plus):
            return value
        if isinstance(node.operator, cst.Minus):
            if value.kind is TermKind.CONSTANT and isinstance(value.value, int | float):
                return self.constant(-value.value, node, value.name)
            return self.make(TermKind.OPERATION, "neg", node, [value])
        return self.make(TermKind.OPERATION, "~", node, [value])

    def _comparison(self, node: cst.Comparison, state: State) -> Term:
        parts = [self.read(node.left, state)]
        names = []
        for item in node.comparisons:
            names.append(_COMPARISONS.get(type(item.operator), "?"))
            parts.append(self.read(item.comparator, state))
        if any(name in ("is", "is not") for name in names):
            return self.make(TermKind.SYMBOL, "<identity>", node)
        return self.make(TermKind.COMPARISON, " ".join(names), node, parts)

    def _if(self, node: cst.IfExp, state: State) -> Term:
        condition = self.condition(node.test, state)
        body = self.read(node.body, state)
        other = self.read(node.orelse, state)
        if body is other:
            return body
        return self.make(TermKind.CHOICE, "if", node, [body, other], conditions=[condition])

    # containers

    def _display(self, node: cst.Tuple | cst.List | cst.Set, state: State) -> Term:
        parts = [self.read(element.value, state) for element in node.elements]
        starred = any(isinstance(element, cst.StarredElement) for element in node.elements)
        name = "starred" if starred else {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}[type(node)]
        return self.make(TermKind.CONTAINER, name, node, parts)

    def _dict(self, node: cst.Dict, state: State) -> Term:
        parts: list[Term] = []
        for element in node.elements:
            if isinstance(element, cst.DictElement):
                parts.append(self.read(element.key, state))
            parts.append(self.read(element.value, state))
        return self.make(TermKind.CONTAINER, "dict", node, parts)

    def _comprehension(self, node: Comprehension, state: State) -> Term:
        inner = state.copy()
        opened: list[Loop] = []
        conditions: list[Term] = []
        sizes: list[Term] = []
        part: cst.CompFor | None = node.for_in
        while part is not None:
            iterable = self.read(part.iter, inner)
            sizes.append(self.make(TermKind.LENGTH, "len", part.iter, [iterable]))
            opened.append(self.open_loop(part, iterable))
            self.assign(part.target, self.element(iterable, part.target), inner)
            for test in part.ifs:
                condition = self.condition(test.test, inner)
                conditions.append(condition)
                inner.guards = (*inner.guards, condition)
            part = part.inner_for_in
        if isinstance(node, cst.DictComp):
            values = [self.read(node.key, inner), self.read(node.value, inner)]
        else:
            values = [self.read(node.elt, inner)]
        del self.loops[len(self.loops) - len(opened) :]
        name = "dictcomp" if isinstance(node, cst.DictComp) else "setcomp" if isinstance(node, cst.SetComp) else "comp"
        return self.make(
            TermKind.CONTAINER, name, node, [*values, *sizes], conditions=conditions, value=(opened, len(values))
        )

    def open_loop(self, node: cst.CSTNode, iterable: Term | None) -> Loop:
        """Enter a loop."""
        loop = Loop(1 << len(self.graph.loops), node, iterable, self.loops[-1] if self.loops else None)
        self.graph.loops.append(loop)
        self.loops.append(loop)
        return loop

    def element(self, iterable: Term, node: cst.CSTNode) -> Term:
        """What a loop over the iterable gives, in the loop that was just opened."""
        if iterable.kind is TermKind.CALL:
            if iterable.name == "range":
                return self.make(TermKind.SYMBOL, "<index>", node, value=self.loops[-1])
            if iterable.name == "enumerate" and iterable.args:
                index = self.make(TermKind.SYMBOL, "<index>", node, value=self.loops[-1])
                return self.make(TermKind.CONTAINER, "tuple", node, [index, self.element(iterable.args[0], node)])
            if iterable.name == "items" and iterable.args:
                key = self._key_of(iterable.args[0], node)
                value = self.make(TermKind.ELEMENT, "element", node, [iterable.args[0]], value=self.loops[-1])
                return self.make(TermKind.CONTAINER, "tuple", node, [key, value])
            if iterable.name in ("keys", "sorted", "list") and iterable.args and has_fixed_keys(iterable.args[0]):
                return self._key_of(iterable.args[0], node)
            if iterable.name == "zip":
                return self.make(TermKind.CONTAINER, "tuple", node, [self.element(one, node) for one in iterable.args])
        if has_fixed_keys(iterable):
            return self._key_of(iterable, node)
        return self.make(TermKind.ELEMENT, "element", node, [iterable], value=self.loops[-1])

    def _key_of(self, mapping: Term, node: cst.CSTNode) -> Term:
        """A key of a dict, in the loop that was just opened."""
        if has_fixed_keys(mapping):
            return self.make(TermKind.SYMBOL, "<key>", node, value=self.loops[-1])
        return self.make(TermKind.ELEMENT, "element", node, [mapping], value=self.loops[-1])

    # the rest

    def _lambda(self, node: cst.Lambda, state: State) -> Term:
        return self.make(TermKind.FUNCTION, "<lambda>", node, value=(node, dict(state.values)))

    def _walrus(self, node: cst.NamedExpr, state: State) -> Term:
        term = self.read(node.value, state)
        self.assign(node.target, term, state)
        return term

    def _formatted(self, node: cst.FormattedString, state: State) -> Term:
        parts = [
            self.read(part.expression, state) for part in node.parts if isinstance(part, cst.FormattedStringExpression)
        ]
        return self.make(TermKind.CALL, "f-string", node, parts, keys=[""] * len(parts))

    def _await(self, node: cst.Await, state: State) -> Term:
        return self.read(node.expression, state)

    def _yield(self, node: cst.Yield, state: State) -> Term:
        value = node.value.item if isinstance(node.value, cst.From) else node.value
        if value is not None:
            self.yielded(self.read(value, state), node, state)
        return self.make(TermKind.SYMBOL, "<sent>", node)

    @abstractmethod
    def call(self, node: cst.Call, state: State) -> Term:
        """The term of a call."""

    @abstractmethod
    def assign(self, target: cst.BaseExpression, term: Term, state: State) -> None:
        """Store a value."""

    @abstractmethod
    def yielded(self, term: Term, node: cst.CSTNode, state: State) -> None:
        """Note a value that a generator function gives."""


def is_sequence(term: Term) -> bool:
    """Whether a value is certainly a sequence, whose truth is that it is not empty."""
    for _ in range(20):
        if term.kind is TermKind.DATA:
            return term.value == "sequence"
        if term.kind is TermKind.CONTAINER:
            return True
        if (term.kind is TermKind.CALL and term.name in SAME_LENGTH and term.args) or (
            term.kind is TermKind.OPERATION and term.name == "[]" and term.args[1].name == "slice"
        ):
            term = term.args[0]
        else:
            return False
    return False
