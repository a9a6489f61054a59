"""Lowering of draws, and of the generators that they are made from."""

from __future__ import annotations

import libcst as cst

from dplint.claims import Span
from dplint.distributions import SIZE, Argument, DrawSignature
from dplint.distributions.generators import BIT_GENERATORS, MAKERS
from dplint.program.nodes import Binary, Constant, Draw, Expression, TupleDisplay
from dplint.program.refusals import Unsupported
from dplint.source.lowering.hints import DRAW_HINTS
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope, Stream, top_level_names
from dplint.source.module_names import dotted_name


class Draws:
    """Lowers draws, and says which expressions are generators."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._scope = reader.scope

    def stream_of(self, node: cst.BaseExpression) -> Stream | None:
        """The generator that an expression stands for, None if it is no generator."""
        if isinstance(node, cst.Name) and self._scope.stream(node.value) is not None:
            return self._scope.stream(node.value)
        if isinstance(node, cst.Name | cst.Attribute):
            return self._of_module(node)
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
            return self._same(node.left, node.right)
        if isinstance(node, cst.IfExp):
            given = (node.orelse, node.body) if _is_none_test(node.test) else (node.body, node.orelse)
            return self._same(*given)
        if isinstance(node, cst.Call):
            return self._made(node)
        return None

    def lower(self, stream: Stream, method: str, node: cst.Call) -> Expression:
        """A call of a method of a generator."""
        signature = stream.signatures.get(method)
        if signature is None:
            hint = DRAW_HINTS.get(method, f"known are {', '.join(sorted(stream.signatures))}")
            raise self._refuse(f"the draw {method}", node, hint)
        span = self._span(node)
        if signature.dimensions:
            dimensions = tuple(self._reader.expression(argument.value) for argument in node.args)
            size = TupleDisplay(dimensions, span) if len(dimensions) > 1 else next(iter(dimensions), None)
            given: dict[str, Expression] = {}
        else:
            given = self._given(signature, node)
            size = given.pop(SIZE, None)
        for argument in signature.parameters:
            assert argument.parameter is not None
            if argument.parameter not in given:
                if argument.default is ...:
                    raise self._refuse(f"a draw without its argument {argument.name}", node, f"pass {argument.name}")
                given[argument.parameter] = _of(argument, Constant(argument.default, span), span)
        given |= {name: Constant(value, span) for name, value in signature.fixed}
        if signature.first is not None and _is_none(given["high"]):
            given |= {"low": Constant(signature.first, span), "high": given["low"]}
        size = None if _is_none(size) else size
        return Draw(signature.distribution, tuple(given.items()), size, stream.label, stream.family, span)

    def _same(self, left: cst.BaseExpression, right: cst.BaseExpression) -> Stream | None:
        """Either of two generators: the first, which is the parameter that a test of a mechanism always passes."""
        first, second = self.stream_of(left), self.stream_of(right)
        return first if second is not None else None

    def _of_module(self, node: cst.Name | cst.Attribute) -> Stream | None:
        """A generator that a module keeps under a name. One with a seed is none: its first draws are known."""
        found = self._scope.module_call(node)
        if found is None:
            return None
        facts, call = found
        around = Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, self._scope.elsewhere)
        canonical = around.canonical(call.func)
        if canonical is None or canonical not in MAKERS:
            return None
        if not all(_is_seedless(around, argument.value) for argument in call.args):
            return None
        return Stream(dotted_name(node) or "", MAKERS[canonical])

    def _made(self, node: cst.Call) -> Stream | None:
        canonical = self._scope.canonical(node.func)
        if canonical is None or canonical not in MAKERS:
            return None
        if canonical == "numpy.random.default_rng" and len(node.args) == 1:
            given = self.stream_of(node.args[0].value)
            if given is not None:
                return given
        if not all(_is_seedless(self._scope, argument.value) for argument in node.args):
            hint = "a seeded generator repeats itself: leave the seed out"
            self._scope.refusals.add(Unsupported("a generator with a seed", self._span(node), hint))
        return Stream("local", MAKERS[canonical])

    def _given(self, signature: DrawSignature, node: cst.Call) -> dict[str, Expression]:
        """The arguments of a draw by the canonical names of what they give, in the order of evaluation."""
        given: dict[str, Expression] = {}
        for position, passed in enumerate(node.args):
            name = passed.keyword.value if passed.keyword else "".join(signature.names[position : position + 1])
            argument = signature.argument(name)
            if argument is None or argument.parameter is None or argument.parameter in given:
                known = ", ".join(one.name for one in signature.arguments if one.parameter is not None)
                raise self._refuse(f"the argument {name or '?'} of a draw", passed, f"known are {known}")
            given[argument.parameter] = _of(argument, self._reader.expression(passed.value), self._span(node))
        return given


def _is_seedless(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an argument of a maker is None, or a bit generator without a seed."""
    if isinstance(node, cst.Call):
        return scope.canonical(node.func) in BIT_GENERATORS and not node.args
    return isinstance(node, cst.Name) and node.value == "None"


def _is_none_test(node: cst.BaseExpression) -> bool:
    """`rng is None`."""
    match node:
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=cst.Is(), comparator=cst.Name(value="None"))]):
            return True
    return False


def _of(argument: Argument, value: Expression, span: Span) -> Expression:
    """The parameter that an argument gives."""
    return Binary("/", Constant(1.0, span), value, span) if argument.inverse else value


def _is_none(node: Expression | None) -> bool:
    return node is None or (isinstance(node, Constant) and node.value is None)
