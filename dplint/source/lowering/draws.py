"""Lowering of draws, and of the generators that they are made from."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.claims import Span
from dplint.distributions import GENERATOR, LEGACY, SCIPY, SIZE, Argument, DrawSignature, program_draws
from dplint.distributions.generators import BIT_GENERATORS, MAKERS
from dplint.program.nodes import Binary, Call, Constant, Draw, Expression, ListDisplay, MethodCall, TupleDisplay
from dplint.program.refusals import Unsupported
from dplint.source.lowering.hints import DRAW_HINTS
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import NUMPY_MODULE, Stream


class Draws:
    """Lowers draws, and says which expressions are generators."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._scope = reader.scope

    def stream_of(self, node: cst.BaseExpression) -> Stream | None:
        """The generator that an expression stands for, None if it is no generator."""
        if isinstance(node, cst.Name):
            return self._scope.stream(node.value)
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
            return self._same(node.left, node.right)
        if isinstance(node, cst.IfExp):
            return self._same(node.body, node.orelse)
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
            given = self._given(signature, _named(signature.names, node.args), self._span(node))
            size = given.pop(SIZE, None)
        if signature.listed and size is not None:
            if not (isinstance(size, Constant) and type(size.value) is int and size.value == 1):
                raise self._refuse(f"{method} of more than one", node, "draw one at a time, with k=1")
            size = None
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
        drawn = Draw(signature.distribution, tuple(given.items()), size, stream.label, stream.family, span)
        return ListDisplay((drawn,), span) if signature.listed else drawn

    def of_scipy(self, node: cst.Call) -> Expression | None:
        """`scipy.stats.name.rvs(...)` and `scipy.stats.name(...).rvs(...)` where a program may draw so, else None."""
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "rvs":
            return None
        law = node.func.value
        canonical = self._scope.canonical(law.func if isinstance(law, cst.Call) else law) or ""
        head, _, name = canonical.rpartition(".")
        signature = program_draws(SCIPY).get(name)
        if head != "scipy.stats" or signature is None:
            return None
        if isinstance(law, cst.Call):
            rest = signature.names.index(SIZE)
            passed = _named(signature.names[:rest], law.args) + _named(signature.names[rest:], node.args)
        else:
            passed = _named(signature.names, node.args)
        stream = self._state([one for name, one in passed if name == "random_state"])
        given = self._given(signature, [one for one in passed if one[0] != "random_state"], self._span(node))
        span, loc, size = self._span(node), given.pop("loc", None), given.pop(SIZE, None)
        if "a" not in given:
            raise self._refuse("a draw without its argument a", node, "pass a")
        size = None if _is_none(size) else size
        drawn = Draw(signature.distribution, tuple(given.items()), size, stream.label, SCIPY, span)
        if loc is None:
            return drawn
        # SciPy adds its loc and cuts off what is behind the point.
        moved = Binary("+", drawn, loc, span)
        if size is None:
            return Call("int", (moved,), (), span)
        return MethodCall(moved, "astype", (Constant("int", span),), (), span)

    def _state(self, passed: Sequence[cst.Arg]) -> Stream:
        """The generator behind a `random_state`: NumPy's own if there is none."""
        if not passed or (isinstance(passed[0].value, cst.Name) and passed[0].value.value == "None"):
            return NUMPY_MODULE
        stream = self.stream_of(passed[0].value)
        if stream is None or stream.family not in (GENERATOR, LEGACY):
            raise self._refuse("this random_state", passed[0], "pass a numpy.random.Generator")
        return stream

    def _same(self, left: cst.BaseExpression, right: cst.BaseExpression) -> Stream | None:
        first, second = self.stream_of(left), self.stream_of(right)
        return first if second is not None else None

    def _made(self, node: cst.Call) -> Stream | None:
        canonical = self._scope.canonical(node.func)
        if canonical is None or canonical not in MAKERS:
            return None
        if canonical == "numpy.random.default_rng" and len(node.args) == 1:
            given = self.stream_of(node.args[0].value)
            if given is not None:
                return given
        if not all(self._seedless(argument.value) for argument in node.args):
            hint = "a seeded generator repeats itself: leave the seed out"
            self._scope.refusals.add(Unsupported("a generator with a seed", self._span(node), hint))
        return Stream("local", MAKERS[canonical])

    def _seedless(self, node: cst.BaseExpression) -> bool:
        """Whether an argument of a maker is None, or a bit generator without a seed."""
        if isinstance(node, cst.Call):
            return self._scope.canonical(node.func) in BIT_GENERATORS and not node.args
        return isinstance(node, cst.Name) and node.value == "None"

    def _given(
        self, signature: DrawSignature, named: Sequence[tuple[str, cst.Arg]], span: Span
    ) -> dict[str, Expression]:
        """The arguments of a draw by the canonical names of what they give, in the order of evaluation."""
        given: dict[str, Expression] = {}
        for name, passed in named:
            argument = signature.argument(name)
            if argument is None or argument.parameter is None or argument.parameter in given:
                known = ", ".join(one.name for one in signature.arguments if one.parameter is not None)
                raise self._refuse(f"the argument {name or '?'} of a draw", passed, f"known are {known}")
            given[argument.parameter] = _of(argument, self._listed(passed.value), span)
        return given

    def _listed(self, node: cst.BaseExpression) -> Expression:
        """An argument; `range(...)` as the list of its numbers."""
        if isinstance(node, cst.Call) and self._scope.canonical(node.func) == "range":
            return Call("list", (self._reader.iterable(node),), (), self._span(node))
        return self._reader.expression(node)


def _named(names: Sequence[str], passed: Sequence[cst.Arg]) -> list[tuple[str, cst.Arg]]:
    """Arguments by their names, "" for one that has none."""
    return [
        (one.keyword.value if one.keyword else "".join(names[place : place + 1]), one)
        for place, one in enumerate(passed)
    ]


def _of(argument: Argument, value: Expression, span: Span) -> Expression:
    """The parameter that an argument gives."""
    return Binary("/", Constant(1.0, span), value, span) if argument.inverse else value


def _is_none(node: Expression | None) -> bool:
    return node is None or (isinstance(node, Constant) and node.value is None)
