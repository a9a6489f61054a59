"""Lowering of draws, and of the generators that they are made from."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from dplint.claims import Span
from dplint.program.nodes import Binary, Constant, Draw, Expression, TupleDisplay
from dplint.program.refusals import Unsupported
from dplint.program.vocabulary import Signature
from dplint.source.lowering.comprehensions import ComprehensionLowering
from dplint.source.lowering.hints import DRAW_HINTS
from dplint.source.lowering.scope import BIT_GENERATORS, MAKERS, Stream, family_stream

_SPELLINGS: Mapping[str, str] = {"lambd": "rate", "mu": "loc", "sigma": "scale"}
"""Names that `random` has for canonical parameters."""


class DrawLowering(ComprehensionLowering):
    """Lowers draws; `CallLowering` adds all other calls."""

    def stream_of(self, node: cst.BaseExpression) -> Stream | None:
        """The generator that an expression stands for, None if it is no generator."""
        if isinstance(node, cst.Name):
            return self.scope.stream(node.value)
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
            return self._same(node.left, node.right)
        if isinstance(node, cst.IfExp):
            return self._same(node.body, node.orelse)
        if isinstance(node, cst.Call):
            return self._made(node)
        return None

    def draw_from(self, stream: Stream, method: str, node: cst.Call) -> Expression:
        """A call of a method of a generator."""
        signature = stream.signatures.get(method)
        if signature is None:
            hint = DRAW_HINTS.get(method, f"known are {', '.join(sorted(stream.signatures))}")
            raise self.refuse(f"the draw {method}", node, hint)
        if signature.dims:
            return self._dims(stream, signature, node)
        span = self.span(node)
        given = self._given(stream, signature, node)
        size = given.pop("size", None)
        for name, default in (*signature.parameters, *signature.fixed):
            if name != "size" and name not in given:
                if default is ...:
                    raise self.refuse(f"a draw without its argument {name}", node, f"pass {name}")
                given[name] = Constant(default, span)  # type: ignore[arg-type]
        if isinstance(size, Constant) and size.value is None:
            size = None
        parameters = _normalised(signature, given, span)
        return Draw(signature.distribution, parameters, size, stream.label, stream.family, span)

    def _same(self, left: cst.BaseExpression, right: cst.BaseExpression) -> Stream | None:
        first, second = self.stream_of(left), self.stream_of(right)
        return first if second is not None else None

    def _made(self, node: cst.Call) -> Stream | None:
        canonical = self.scope.canonical(node.func)
        if canonical is None or canonical not in MAKERS:
            return None
        if canonical == "numpy.random.default_rng" and len(node.args) == 1:
            given = self.stream_of(node.args[0].value)
            if given is not None:
                return given
        if not all(self._seedless(argument.value) for argument in node.args):
            hint = "a seeded generator repeats itself: leave the seed out"
            self.scope.refusals.add(Unsupported("a generator with a seed", self.span(node), hint))
        return family_stream("local", MAKERS[canonical])

    def _seedless(self, node: cst.BaseExpression) -> bool:
        """Whether an argument of a maker is None, or a bit generator without a seed."""
        if isinstance(node, cst.Call):
            return self.scope.canonical(node.func) in BIT_GENERATORS and not node.args
        return isinstance(node, cst.Name) and node.value == "None"

    def _given(self, stream: Stream, signature: Signature, node: cst.Call) -> dict[str, Expression]:
        """The arguments of a draw by their canonical names, in the order of evaluation."""
        order = [name for name, _ in signature.parameters]
        if signature.sized and "size" not in order:
            order.append("size")
        known = [*order, *(name for name, _ in signature.fixed if name == "endpoint" and stream.family == "generator")]
        given: dict[str, Expression] = {}
        for position, argument in enumerate(node.args):
            name = argument.keyword.value if argument.keyword else order[position] if position < len(order) else "?"
            name = name if name in known else _SPELLINGS.get(name, name)
            if name not in known or name in given:
                raise self.refuse(f"the argument {name} of a draw", argument, f"known are {', '.join(known)}")
            given[name] = self.expression(argument.value)
        return given

    def _dims(self, stream: Stream, signature: Signature, node: cst.Call) -> Expression:
        span = self.span(node)
        dims = tuple(self.expression(argument.value) for argument in node.args)
        size = None if not dims else dims[0] if len(dims) == 1 else TupleDisplay(dims, span)
        fixed = tuple((name, Constant(value, span)) for name, value in signature.fixed)  # type: ignore[arg-type]
        return Draw(signature.distribution, fixed, size, stream.label, stream.family, span)


def _normalised(signature: Signature, given: dict[str, Expression], span: Span) -> tuple[tuple[str, Expression], ...]:
    """Rates become scales, `integers(n)` runs from 0 to n, and `random_integers(n)` from 1 to n."""
    if "rate" in given:
        given = {"scale": Binary("/", Constant(1.0, span), given["rate"], span)}
    high = given.get("high")
    if signature.distribution == "integers" and isinstance(high, Constant) and high.value is None:
        first = 1 if ("endpoint", True) in signature.fixed else 0
        given = {**given, "low": Constant(first, span), "high": given["low"]}
    return tuple(given.items())
