"""Generators with a seed that a program makes, and what it draws from them: calls, for these numbers are no noise.

A generator is known by the name that a statement gives it, which holds nothing else, or is drawn from where it is made.
The global generator of a library is one from the first `numpy.random.seed(3)` of the mechanism on; a draw before that
is refused in runs, as what it gives hangs on the runs before. Each run makes its generators anew: one that a module or
a class keeps goes on from run to run, and is none of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from dplint.claims import Span
from dplint.distributions import LEGACY, SIZE, DrawSignature
from dplint.distributions.generators import BIT_GENERATORS, MAKERS
from dplint.program.nodes import Call, Constant, Expression, ExpressionStatement, Statement
from dplint.program.refusals import unsupported
from dplint.source.bindings import binding_counts, bound_names, keyword_of, statements
from dplint.source.certain import CertainNames
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import NUMPY_MODULE, PYTHON_MODULE, Scope, Stream, top_level_names
from dplint.source.module import ParsedModule
from dplint.source.walking import nodes_below

_LIBRARIES = {"numpy.random.seed": NUMPY_MODULE, "random.seed": PYTHON_MODULE}
_MAKERS = {NUMPY_MODULE.label: "numpy.random.RandomState", PYTHON_MODULE.label: "random.Random"}
WHAT, HINT = "a generator with a seed", "give it a name of its own, in one place, or leave the seed out"


class SeededDraws:
    """Lowers these.

    seeding: the libraries whose own generator the mechanism gives a seed. place: the function of the program in which
    they are.
    """

    def __init__(self, reader: Reader, seeding: frozenset[str], place: str) -> None:
        self._reader = reader
        self._place = place
        self._scope = reader.scope
        self._seeding = seeding

    def library(self, stream: Stream) -> Stream:
        """The stream of a library, as it is in this program."""
        return replace(stream, seeded=True) if stream.label in self._seeding else stream

    def named(self, name: str, stream: Stream) -> Stream:
        """A generator under a name."""
        return replace(stream, label=f"{self._scope.rename({name})[name]}[{self._place}]")

    def begun(self, stream: Stream, value: cst.Call) -> Statement:
        """What makes such a generator."""
        return ExpressionStatement(self._maker(stream.label, value), self._reader.span(value))

    def global_seed(self, node: cst.Call) -> tuple[Statement, ...] | None:
        """`numpy.random.seed(3)` as a statement; None for everything else."""
        stream = _LIBRARIES.get(self._scope.canonical(node.func) or "")
        if stream is None or stream.label not in self._seeding or not node.args:
            return None
        span = self._reader.span(node)
        given = (stream.label, _MAKERS[stream.label], "")
        return (ExpressionStatement(self._call("seeded", given, node.args, span), span),)

    def draw(self, stream: Stream, signature: DrawSignature, node: cst.Call) -> Expression:
        """A call of a method, with its arguments as they are."""
        for name, one in zip(signature.called([*map(keyword_of, node.args)]), node.args, strict=True):
            known = signature.argument(name)
            if not signature.dimensions and (known is None or known.parameter is None):
                raise self._reader.refuse(f"the argument {name or '?'} of a seeded draw", one, "leave it out")
        return self._drawn(stream, signature.method, _receiver(node), node.args, node)

    def of_scipy(
        self,
        stream: Stream,
        signature: DrawSignature,
        passed: Sequence[tuple[str, cst.Arg]],
        node: cst.Call,
        *,
        frozen: bool,
    ) -> Expression:
        """`scipy.stats.name.rvs(...)` with a generator, by the names of the arguments."""
        known = {*signature.names, SIZE}
        if frozen or any(name not in known for name, _ in passed):
            raise self._reader.refuse("this seeded draw of scipy.stats", node, "give the law its parameters in rvs")
        state = next((one.value for name, one in passed if name == "random_state"), None)
        given = [one.with_changes(keyword=cst.Name(name)) for name, one in passed if name != "random_state"]
        return self._drawn(stream, f"{signature.method}.rvs", state, given, node)

    def of_number(self, node: cst.BaseExpression) -> Stream | None:
        """What SciPy makes of a whole number: `random_state=3`."""
        return Stream("", LEGACY, seeded=True) if isinstance(node, cst.Integer) else None

    def order(self, stream: Stream, count: Expression, is_array: Expression, node: cst.Call) -> Expression:
        """The order of a shuffle of so many items."""
        span = self._reader.span(node)
        made = self._generator(stream, _receiver(node), node)
        return Call("seeded-draw", (made, Constant("shuffle", span), count, is_array), (), span)

    def _drawn(
        self,
        stream: Stream,
        method: str,
        maker: cst.BaseExpression | None,
        given: Sequence[cst.Arg],
        node: cst.Call,
    ) -> Expression:
        first = self._generator(stream, maker, node)
        return self._call("seeded-draw", (first, method), given, self._reader.span(node))

    def _generator(self, stream: Stream, maker: cst.BaseExpression | None, node: cst.Call) -> Expression:
        """The label of the generator; where it has no name, it is made for this one draw."""
        if stream.label:
            return Constant(stream.label, self._reader.span(node))
        if isinstance(maker, cst.Integer):
            return self._call(
                "seeded", ("", _MAKERS[NUMPY_MODULE.label], ""), [cst.Arg(maker)], self._reader.span(node)
            )
        if not isinstance(maker, cst.Call):
            raise self._reader.refuse(WHAT, node, HINT)
        return self._maker("", maker)

    def _maker(self, label: str, node: cst.Call) -> Expression:
        canonical, bits, given = self._scope.canonical(node.func) or "", "", node.args
        if canonical not in MAKERS:
            raise self._reader.refuse(WHAT, node, HINT)
        match node.args:
            case [cst.Arg(value=cst.Call(func=func) as inner)] if self._scope.canonical(func) in BIT_GENERATORS:
                bits, given = str(self._scope.canonical(func)).rpartition(".")[2], inner.args
        return self._call("seeded", (label, canonical, bits), given, self._reader.span(node))

    def _call(
        self, function: str, first: Sequence[Expression | str], given: Sequence[cst.Arg], span: Span
    ) -> Expression:
        if any(one.star for one in given):
            raise unsupported("starred arguments of a generator with a seed", span, "write them out")
        before = tuple(Constant(one, span) if isinstance(one, str) else one for one in first)
        values = [(keyword_of(one), listed(self._reader, one.value)) for one in given]
        named = tuple((name, value) for name, value in values if name)
        return Call(function, (*before, *(value for name, value in values if not name)), named, span)


def seeding(function: cst.FunctionDef, module: ParsedModule, elsewhere: CertainNames) -> frozenset[str]:
    """The libraries whose own generator the mechanism itself gives a seed, wherever in its body that is."""
    scope = Scope(
        module, top_level_names(module.tree), frozenset(bound_names(function.body)), frozenset(), {}, elsewhere
    )
    calls = (one for one in nodes_below(function.body) if isinstance(one, cst.Call))
    found = (_LIBRARIES.get(scope.canonical(one.func) or "") for one in calls)
    return frozenset(stream.label for stream in found if stream is not None)


def is_certain(function: cst.FunctionDef, name: cst.Name, assigned: cst.Assign | cst.AnnAssign, *, once: bool) -> bool:
    """Whether a name stands for the generator that an assignment gives it, and for nothing else, wherever it stands.

    once: whether a run comes into the function once. Else the name may have none yet while the generator of the call
    before is at hand: so the assignment has to come before all else, in the function's own block.
    """
    several = isinstance(assigned, cst.Assign) and len(assigned.targets) > 1
    if binding_counts(function.body)[name.value] != 1 or several:
        return False
    if once:
        return True
    places = (one for one in nodes_below(function.body) if isinstance(one, cst.Name) and one.value == name.value)
    return next(places) is name and any(one is assigned for one in statements(function.body))


def listed(reader: Reader, node: cst.BaseExpression) -> Expression:
    """An argument; `range(...)` as the list of its numbers."""
    if isinstance(node, cst.Call) and reader.scope.canonical(node.func) == "range":
        return Call("list", (reader.iterable(node),), (), reader.span(node))
    return reader.expression(node)


def _receiver(node: cst.Call) -> cst.BaseExpression | None:
    return node.func.value if isinstance(node.func, cst.Attribute) else None
