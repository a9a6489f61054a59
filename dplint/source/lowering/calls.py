"""Lowering of calls: functions, methods, helper functions, and draws."""

from __future__ import annotations

from abc import abstractmethod

import libcst as cst

from dplint.claims import Span
from dplint.program.nodes import Binary, Call, Constant, Draw, Expression, MethodCall, TupleDisplay, Unsupported
from dplint.program.vocabulary import FUNCTIONS, METHODS, UPDATES, Signature
from dplint.source.lowering.expressions import ExpressionLowering
from dplint.source.lowering.scope import MAKERS, NUMPY_MODULE, PYTHON_MODULE, Stream, family_stream

_ITERATORS = frozenset({"zip", "enumerate", "reversed"})
_EAGER = frozenset({"list", "tuple", "sum", "min", "max", "sorted", "any", "all", "math.fsum"})
_TYPES = {"int": "int", "float": "float", "bool": "bool", "numpy.int64": "int", "numpy.float64": "float"}
_HINTS = {
    "numpy.random.seed": "leave the seeding to the caller",
    "random.seed": "leave the seeding to the caller",
    "set": "use a list or a tuple",
    "isinstance": "annotate the parameter",
    "map": "use a list comprehension",
    "filter": "use a list comprehension",
}


class CallLowering(ExpressionLowering):
    """Lowers calls; `Lowering` adds statements and helper functions."""

    def call(self, node: cst.Call) -> Expression:
        """A lowered call, used as a value."""
        lowered = self._call(node)
        if isinstance(lowered, Call) and lowered.function in _ITERATORS:
            raise self.refuse(f"{lowered.function}(...) kept as a value", node, "make a list of it, or loop over it")
        return lowered

    def iterable(self, node: cst.BaseExpression) -> Expression:
        """An expression that is used up at once."""
        return self.recover(self._call, node) if isinstance(node, cst.Call) else self.expression(node)

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
        seedless = not node.args or all(isinstance(a.value, cst.Name) and a.value.value == "None" for a in node.args)
        if not seedless:
            hint = "a seeded generator repeats itself: leave the seed out"
            self.scope.refusals.add(Unsupported("a generator with a seed", self.span(node), hint))
        return family_stream("local", MAKERS[canonical])

    @abstractmethod
    def call_helper(self, function: cst.FunctionDef, node: cst.Call) -> Expression:
        """A call of a function of the same module."""

    def _call(self, node: cst.Call) -> Expression:
        if any(argument.star for argument in node.args):
            raise self.refuse("a starred argument", node, "write the arguments out")
        helper = self.scope.helper(node.func)
        if helper is not None:
            return self.call_helper(helper, node)
        canonical = self.scope.canonical(node.func)
        if canonical is not None:
            return self._function(canonical, node)
        if _root(node.func) in self.scope.suspect:
            return Constant(None, self.span(node))
        if isinstance(node.func, cst.Attribute):
            return self._method(node.func, node)
        text = self.scope.facts.tree.code_for_node(node.func)
        raise self.refuse(f"a call of {text}", node, "call a function of this module, NumPy or math by its name")

    def _function(self, canonical: str, node: cst.Call) -> Expression:
        head, _, last = canonical.rpartition(".")
        for module, stream in (("numpy.random", NUMPY_MODULE), ("random", PYTHON_MODULE)):
            if head == module and last in stream.signatures:
                return self._draw(stream, stream.signatures[last], node)
        if canonical not in FUNCTIONS:
            hint = _HINTS.get(canonical, "move it out of the mechanism")
            raise self.refuse(f"a call of {canonical}", node, hint)
        if canonical in {"any", "all"} and len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp):
            return self.comprehension(node.args[0].value, canonical)
        arguments: list[Expression] = []
        keywords: list[tuple[str, Expression]] = []
        for argument in node.args:
            if argument.keyword is None:
                arguments.append(self._argument(canonical, argument.value))
            else:
                keywords.append(self._keyword(argument))
        return Call(canonical, tuple(arguments), tuple(keywords), self.span(node))

    def _argument(self, canonical: str, node: cst.BaseExpression) -> Expression:
        """An argument; where it is used up before anything else happens, a generator is as good as a list."""
        if canonical in _EAGER and isinstance(node, cst.GeneratorExp):
            return self.comprehension(node, "list")
        return self.iterable(node) if canonical in _EAGER | _ITERATORS else self.expression(node)

    def _keyword(self, argument: cst.Arg) -> tuple[str, Expression]:
        assert argument.keyword is not None
        name = argument.keyword.value
        return name, self._type(argument.value) if name == "dtype" else self.expression(argument.value)

    def _type(self, node: cst.BaseExpression) -> Expression:
        kind = _TYPES.get(self.scope.canonical(node) or "")
        if kind is None:
            raise self.refuse("this dtype", node, "use int, float or bool")
        return Constant(kind, self.span(node))

    def _method(self, function: cst.Attribute, node: cst.Call) -> Expression:
        method = function.attr.value
        stream = self.stream_of(function.value)
        if stream is not None:
            if method not in stream.signatures:
                raise self.refuse(
                    f"the draw {method}", node, "use laplace, exponential, normal, uniform, integers, ..."
                )
            return self._draw(stream, stream.signatures[method], node)
        if method in UPDATES or method in {"pop", "sort", "setdefault", "update", "add"}:
            raise self.refuse(f"the method {method} used as a value", node, "change the list on a line of its own")
        if method not in METHODS:
            raise self.refuse(f"the method {method}", node, "use the operations of lists, numbers and NumPy arrays")
        receiver = self.expression(function.value)
        lower = self._type if method == "astype" else self.expression
        arguments = tuple(lower(argument.value) for argument in node.args if argument.keyword is None)
        keywords = tuple(self._keyword(argument) for argument in node.args if argument.keyword is not None)
        return MethodCall(receiver, method, arguments, keywords, self.span(node))

    def _draw(self, stream: Stream, signature: Signature, node: cst.Call) -> Expression:
        span = self.span(node)
        if signature.dims:
            return self._dims(stream, signature, node)
        order = [name for name, _ in signature.parameters]
        if signature.sized and "size" not in order:
            order.append("size")
        given: dict[str, Expression] = {}
        for position, argument in enumerate(node.args):
            known = [*order, *(name for name, _ in signature.fixed if name == "endpoint" and stream.label != "random")]
            name = argument.keyword.value if argument.keyword else order[position] if position < len(order) else "?"
            name = {"lambd": "rate", "mu": "loc", "sigma": "scale"}.get(name, name)
            if name not in known or name in given:
                raise self.refuse(f"the argument {name} of a draw", argument, f"known are {', '.join(known)}")
            given[name] = self.expression(argument.value)
        size = given.pop("size", None)
        for name, default in (*signature.parameters, *signature.fixed):
            if name != "size" and name not in given:
                if default is ...:
                    raise self.refuse(f"a draw without its argument {name}", node)
                given[name] = Constant(default, span)  # type: ignore[arg-type]
        if isinstance(size, Constant) and size.value is None:
            size = None
        parameters = self._normalised(signature, given, span)
        return Draw(signature.distribution, parameters, size, stream.label, stream.family, span)

    def _dims(self, stream: Stream, signature: Signature, node: cst.Call) -> Expression:
        span = self.span(node)
        dims = tuple(self.expression(argument.value) for argument in node.args)
        size = None if not dims else dims[0] if len(dims) == 1 else TupleDisplay(dims, span)
        fixed = tuple((name, Constant(value, span)) for name, value in signature.fixed)  # type: ignore[arg-type]
        return Draw(signature.distribution, fixed, size, stream.label, stream.family, span)

    def _normalised(
        self, signature: Signature, given: dict[str, Expression], span: Span
    ) -> tuple[tuple[str, Expression], ...]:
        """Rates become scales, and `integers(n)` runs from 0 to n."""
        if "rate" in given:
            given = {"scale": Binary("/", Constant(1.0, span), given["rate"], span)}
        high = given.get("high")
        if signature.distribution == "integers" and isinstance(high, Constant) and high.value is None:
            given = {**given, "low": Constant(0, span), "high": given["low"]}
        return tuple(given.items())


def _root(node: cst.BaseExpression) -> str | None:
    """`a` of `a`, of `a.b` and of `a.b(c)[d].e`."""
    while isinstance(node, cst.Attribute | cst.Subscript | cst.Call):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else None
