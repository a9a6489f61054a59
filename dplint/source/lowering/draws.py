"""Lowering of draws, and of the generators that they are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import libcst as cst

from dplint.claims import Span
from dplint.distributions import (
    GENERATOR,
    LEGACY,
    PACKAGES,
    SCIPY,
    SIZE,
    Argument,
    DrawSignature,
    draw_signatures,
    of,
    program_draws,
)
from dplint.distributions.signatures import BIT_GENERATORS, MAKERS, SYSTEM_GENERATORS
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported
from dplint.source.bindings import dotted_name, keyword_of
from dplint.source.lowering.hints import DRAW_HINTS
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import NUMPY_MODULE, PYTHON_MODULE, Scope, Stream, top_level_names
from dplint.source.lowering.seeds import HINT, WHAT

_HANDING_ON = frozenset(["numpy.random.default_rng", "sklearn.utils.check_random_state"])
"""What gives back a generator that it is given."""
_MODULES = {"numpy.random": NUMPY_MODULE, "random": PYTHON_MODULE}


class Draws:
    """Lowers draws, and says which expressions are generators."""

    def __init__(self, reader: Reader, seeding: frozenset[str]) -> None:
        """seeding: the libraries whose own generator the mechanism gives a seed."""
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._scope = reader.scope
        self._seeding = seeding

    def stream_of(self, node: cst.BaseExpression) -> Stream | None:
        """The generator that an expression stands for, None if it is no generator."""
        if id(node) in self._scope.fixed:
            fixed = self._scope.fixed[id(node)][1]
            return fixed if isinstance(fixed, Stream) else None
        if isinstance(node, cst.Name) and self._scope.stream(node.value) is not None:
            return self._scope.stream(node.value)
        if isinstance(node, cst.Attribute) and (whole := self._scope.instance(node.value)) is not None:
            return whole.streams.get(node.attr.value)
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

    def of_function(self, canonical: str) -> tuple[Stream, str] | None:
        """The library's own generator that a function of that name draws from, and the method; None for all others."""
        head, _, last = canonical.rpartition(".")
        package = head.partition(".")[0]
        if canonical in program_draws(PACKAGES) and not self._scope.elsewhere.has_module(package):
            return Stream(package, PACKAGES), canonical
        stream = _MODULES.get(head)
        if stream is None or last not in draw_signatures(stream.family):
            return None
        return self._library(stream), last

    def _library(self, stream: Stream) -> Stream:
        """The stream of a library, as it is in this program."""
        return replace(stream, seeded=True) if stream.label in self._seeding else stream

    def kept(self, target: cst.BaseExpression, value: cst.BaseExpression) -> ir.Statement | None:
        """A generator is assigned to a name that only ever holds generators of its kind; None for all else."""
        held = self._scope.stream(target.value) if isinstance(target, cst.Name) else None
        given = None if held is None else self.stream_of(value)
        if held is None or given is None:
            return None
        if held.seeded or given.seeded:
            raise self._refuse(WHAT, value, HINT)
        return ir.Pass(self._span(value))

    def lower(self, stream: Stream, method: str, node: cst.Call) -> ir.Expression:
        """A call of a method of a generator."""
        self._as_it_was(stream.family, node)
        if stream.seeded:
            raise self._refuse(WHAT, node, HINT)
        signature = stream.signatures.get(method)
        if signature is None or signature.in_place:
            if method == "bytes" and len(node.args) == 1 and stream.family == GENERATOR:
                return self._bytes(stream, node)
            hint = DRAW_HINTS.get(method, f"no rewrite: known are {', '.join(sorted(stream.signatures))}")
            raise self._refuse(f"the draw {method}", node, hint)
        return self._lowered(stream, signature, node)

    def _as_it_was(self, family: str, node: cst.Call) -> None:
        if self._scope.elsewhere.replaces_draws(family):
            raise self._refuse("a draw of a library that a module of the project changes", node, "leave it as it is")

    def _lowered(self, stream: Stream, signature: DrawSignature, node: cst.Call) -> ir.Expression:
        """A draw by its canonical name and parameters."""
        span = self._span(node)
        if signature.dimensions:
            dimensions = tuple(self._reader.expression(argument.value) for argument in node.args)
            size = ir.TupleDisplay(dimensions, span) if len(dimensions) > 1 else next(iter(dimensions), None)
            given: dict[str, ir.Expression] = {}
        else:
            given = self._given(signature, _named(signature, node.args), self._span(node))
            size = given.pop(SIZE, None)
        if signature.listed and size is not None:
            if not (isinstance(size, ir.Constant) and type(size.value) is int and size.value == 1):
                raise self._refuse(f"{signature.method} of more than one", node, "draw one at a time, with k=1")
            size = None
        for argument in signature.parameters:
            assert argument.parameter is not None
            if argument.parameter not in given:
                if argument.default is ...:
                    raise self._refuse(f"a draw without its argument {argument.name}", node, f"pass {argument.name}")
                given[argument.parameter] = _of(argument, ir.Constant(argument.default, span), span)
        given |= {name: ir.Constant(value, span) for name, value in signature.fixed}
        if signature.first is not None and _is_none(given["high"]):
            given |= {"low": ir.Constant(signature.first, span), "high": given["low"]}
        size = None if _is_none(size) else size
        drawn = ir.Draw(signature.distribution, tuple(given.items()), size, stream.label, stream.family, span)
        return ir.ListDisplay((drawn,), span) if signature.listed else drawn

    def _bytes(self, stream: Stream, node: cst.Call) -> ir.Opaque:
        """`rng.bytes(n)`: a function of n independent numbers out of 256, and no program has it as a value."""
        span, size = self._span(node), self._reader.expression(node.args[0].value)
        ends = (("low", ir.Constant(0, span)), ("high", ir.Constant(256, span)), ("endpoint", ir.Constant(False, span)))
        drawn = ir.Draw("integers", ends, size, stream.label, stream.family, span)
        refused = Unsupported("the draw bytes", span, "use integers")
        self._scope.refusals.add(refused)
        return ir.Opaque(refused, (drawn,), (), self._scope.refusals.quiet, span, function=True)

    def _law_of(self, node: cst.BaseExpression) -> DrawSignature | None:
        """What draws from `scipy.stats.law` take, where a program may draw so."""
        head, _, name = (self._scope.canonical(node) or "").rpartition(".")
        return program_draws(SCIPY).get(name) if head == "scipy.stats" else None

    def of_scipy(self, node: cst.Call) -> ir.Expression | None:
        """`scipy.stats.name.rvs(...)` and `scipy.stats.name(...).rvs(...)` where a program may draw so, else None."""
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "rvs":
            return None
        law = node.func.value
        signature = self._law_of(law.func if isinstance(law, cst.Call) else law)
        if signature is None:
            return None
        self._as_it_was(SCIPY, node)
        before, rest = _cut(signature)
        if isinstance(law, cst.Call):
            passed = _named(signature, law.args, before) + _named(signature, node.args, rest)
        else:
            passed = _named(signature, node.args)
        stream = self.unseeded(self._state([one for name, one in passed if name == "random_state"]), node)
        given = self._given(signature, [one for one in passed if one[0] != "random_state"], self._span(node))
        span, size = self._span(node), given.pop(SIZE, None)
        size = None if _is_none(size) else size
        parameters = tuple(self._own(signature, given, node).items())
        drawn = ir.Draw(signature.distribution, parameters, size, stream.label, SCIPY, span)
        return _moved(drawn, given, scaled="scale" in signature.names)

    def _own(
        self, signature: DrawSignature, given: Mapping[str, ir.Expression], node: cst.Call
    ) -> dict[str, ir.Expression]:
        """The parameters of the law among the arguments of `rvs`, those in order of evaluation, then defaults."""
        names, span = of(signature.distribution).names, self._span(node)
        own = {name: value for name, value in given.items() if name in names}
        for argument in signature.parameters:
            if argument.parameter in names and argument.parameter not in own:
                if argument.default is ...:
                    raise self._refuse(f"a draw without its argument {argument.name}", node, f"pass {argument.name}")
                own[argument.parameter] = ir.Constant(argument.default, span)
        return own | {name: ir.Constant(value, span) for name, value in signature.fixed}

    def unseeded(self, stream: Stream, node: cst.Call) -> Stream:
        """The stream; refused where it has a seed, or is that of a library that the module gives one."""
        if stream.seeded:
            raise self._refuse(WHAT, node, HINT)
        if self._scope.elsewhere.seeds(stream.label):
            raise self._refuse(f"a draw of {stream.label}, which the module seeds", node, "leave the seed out")
        return stream

    def _state(self, passed: Sequence[cst.Arg]) -> Stream:
        """The generator behind a `random_state`: NumPy's own if there is none."""
        if not passed or (isinstance(passed[0].value, cst.Name) and passed[0].value.value == "None"):
            return self._library(NUMPY_MODULE)
        stream = self.stream_of(passed[0].value)
        if stream is None or stream.family not in (GENERATOR, LEGACY):
            raise self._refuse("this random_state", passed[0], "pass a numpy.random.Generator")
        return stream

    def _same(self, left: cst.BaseExpression, right: cst.BaseExpression) -> Stream | None:
        """Either of two generators: the first, which is the parameter that a test of a mechanism always passes."""
        first, second = self.stream_of(left), self.stream_of(right)
        if isinstance(left, cst.Name) and _is_known_none(self._scope, left):
            return second
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
        if canonical in _HANDING_ON and len(node.args) == 1:
            given = self.stream_of(node.args[0].value)
            if given is not None:
                return given
        if canonical is None or canonical not in MAKERS:
            return None
        if all(_is_seedless(self._scope, argument.value) for argument in node.args):
            return Stream("local", MAKERS[canonical])
        if canonical in SYSTEM_GENERATORS:
            return None
        return Stream("", MAKERS[canonical], seeded=True)

    def _given(
        self, signature: DrawSignature, named: Sequence[tuple[str, cst.Arg]], span: Span
    ) -> dict[str, ir.Expression]:
        """The arguments of a draw by the canonical names of what they give, in the order of evaluation."""
        given: dict[str, ir.Expression] = {}
        for name, passed in named:
            argument = signature.argument(name)
            if argument is None or argument.parameter is None or argument.parameter in given:
                known = ", ".join(one.name for one in signature.arguments if one.parameter is not None)
                raise self._refuse(f"the argument {name or '?'} of a draw", passed, f"known are {known}")
            given[argument.parameter] = _of(argument, _listed(self._reader, passed.value), span)
        return given


def _moved(draw: ir.Draw, given: Mapping[str, ir.Expression], *, scaled: bool) -> ir.Expression:
    """What is no parameter of the law SciPy multiplies and adds; whole noise it cuts off behind the point.

    scaled: whether the law has a scale, of which there is none for whole noise.
    """
    own, span = dict(draw.parameters), draw.span
    drawn: ir.Expression = draw
    if (scale := given.get("scale")) is not None and "scale" not in own:
        drawn = ir.Binary("*", drawn, scale, span)
    if (loc := given.get("loc")) is None or "loc" in own:
        return drawn
    moved = ir.Binary("+", drawn, loc, span)
    if scaled:
        return moved
    if draw.size is None:
        return ir.Call("int", (moved,), (), span)
    return ir.MethodCall(moved, "astype", (ir.Constant("int", span),), (), span)


def _is_seedless(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an argument of a maker is None, or a bit generator without a seed."""
    if isinstance(node, cst.Call):
        return scope.canonical(node.func) in BIT_GENERATORS and not node.args
    return isinstance(node, cst.Name) and (node.value == "None" or _is_known_none(scope, node))


def _is_known_none(scope: Scope, node: cst.Name) -> bool:
    """Whether it is a parameter that is None here."""
    return scope.unrolled.get(scope.local(node.value) or "", 0) is None


def _is_none_test(node: cst.BaseExpression) -> bool:
    """`rng is None`."""
    match node:
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=cst.Is(), comparator=cst.Name(value="None"))]):
            return True
    return False


def _cut(signature: DrawSignature) -> tuple[Sequence[str], Sequence[str]]:
    """The names of what a law of SciPy is given, and of what its draws are given."""
    place = signature.names.index(SIZE)
    return signature.names[:place], signature.names[place:]


def _named(
    signature: DrawSignature, passed: Sequence[cst.Arg], names: Sequence[str] | None = None
) -> list[tuple[str, cst.Arg]]:
    """Arguments by their names, "" for one that has none."""
    return list(zip(signature.called([*map(keyword_of, passed)], names), passed, strict=True))


def _of(argument: Argument, value: ir.Expression, span: Span) -> ir.Expression:
    """The parameter that an argument gives."""
    return ir.Binary("/", ir.Constant(1.0, span), value, span) if argument.inverse else value


def _is_none(node: ir.Expression | None) -> bool:
    return node is None or (isinstance(node, ir.Constant) and node.value is None)


def _listed(reader: Reader, node: cst.BaseExpression) -> ir.Expression:
    """An argument; `range(...)` as the list of its numbers."""
    if isinstance(node, cst.Call) and reader.scope.canonical(node.func) == "range":
        return ir.Call("list", (reader.iterable(node),), (), reader.span(node))
    return reader.expression(node)
