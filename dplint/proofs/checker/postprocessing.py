"""Cuts off what only works on values that are already private: a proof without it is a proof with it.

The end of a program is a function of the values of some variables, of those of some expressions that stand in it, the
*inner* ones, and of noise of its own, if beyond these nothing in it looks at the data. If the program that returns
these values keeps a claim, so does the whole (Dwork and Roth, The Algorithmic Foundations of Differential Privacy,
2014, proposition 2.1, which allows for randomness of the end's own). For this

- the values have to be all that the end can tell apart: so it changes in place only what it has made itself, since two
  variables may hold one object, and asks for no identity;
- each inner expression is evaluated once at most, and on nothing that the end has assigned before;
- where the end may tell a number of Python from an equal one of NumPy, which the checker does not, as by `repr`, data
  may not decide which of these a value is;
- what is not understood in the end is certainly a function of values (`Opaque.function`);
- no run may have ended by a `return` before, which could look as if it had come there.

An inner expression may raise, or not be come to. The checker allows exceptions only where noise has no part in them, so
data decides which of the inner expressions raise. So what is to be shown is the claim of the program that returns the
variables and those inner expressions, for each selection of them: for any data, one selection is all that do not raise,
and those with one expression tell that neighbours raise alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from dplint.claims import Mechanism, Span
from dplint.distributions import SCIPY
from dplint.inputs.forms import data_form
from dplint.program import nodes as ir
from dplint.program.library_claims import OPENDP_LAPLACE
from dplint.program.walk import bound_names, children, rebuilt, walk
from dplint.proofs.checker import expressions, tables

_NEW = (ir.Binary, ir.Comprehension, ir.Constant, ir.DictDisplay, ir.Draw, ir.ListDisplay, ir.TupleDisplay)
"""What gives an object that nothing else holds."""
_NUMERIC = frozenset(
    [
        "abs",
        "bool",
        "float",
        "int",
        "len",
        "list",
        "math.ceil",
        "math.exp",
        "math.floor",
        "math.log",
        "max",
        "min",
        "range",
        "round",
        "sum",
    ]
)
"""What gives the same for equal numbers of Python and NumPy, but for whether that is a number of Python's."""
_STRAIGHT = (
    *(
        ir.Assign,
        ir.Binary,
        ir.CallFunction,
        ir.Compare,
        ir.Comprehension,
        ir.Constant,
        ir.DictDisplay,
        ir.Draw,
        ir.ExpressionStatement,
    ),
    *(ir.ListDisplay, ir.Name, ir.Pass, ir.Raise, ir.Return, ir.TupleDisplay, ir.TupleTarget, ir.Unary),
)
"""What gives a value of the same type, whatever the values that it is given are."""
_LENGTHS = frozenset(["attribute.ndim", "attribute.shape", "attribute.size"])
_ONE_TYPE = frozenset("astype clip copy count max mean min sum tolist".split())  # noqa: SIM905
"""Methods that give numbers of one type, whatever the values of what they are called of."""
_OF_TABLES = tables.NAMES | expressions.METHODS | expressions.FUNCTIONS
_FLOATS = frozenset(["exponential", "gumbel", "laplace", "logistic", "normal", "random", "uniform"])
"""Of these a draw of one number is one of Python's."""


def without_postprocessing(
    program: ir.Program, mechanism: Mechanism, place: int, inner: Sequence[ir.Expression] = ()
) -> tuple[ir.Program, ...]:
    """Programs of which all have to keep a claim for the whole to keep it; none if its end is no such one.

    The end begins at that statement of the program. inner: the very nodes, in it. The program of all comes first.
    """
    start, end = program.body[:place], program.body[place:]
    kept = _kept(program, start, end, inner)
    if kept is None or any(isinstance(node, ir.Return) for node in walk(start)):
        return ()
    if _tells_types(program, end) and may_be_of_two_types(program, mechanism, (*start, *inner)):
        return ()
    counts = range(len(inner), -1 if kept else 0, -1)
    chosen = (_given(kept, some, end[0].span) for count in counts for some in combinations(inner, count))
    return tuple(replace(program, body=(*start, one)) for one in chosen)


def _given(kept: Sequence[str], inner: Sequence[ir.Expression], span: Span) -> ir.Return:
    """What gives the values of these variables and expressions."""
    values = (*(ir.Name(one, span) for one in kept), *inner)
    return ir.Return(values[0] if len(values) == 1 else ir.TupleDisplay(values, span), span)


def _kept(
    program: ir.Program, start: Sequence[ir.Statement], end: Sequence[ir.Statement], inner: Sequence[ir.Expression]
) -> list[str] | None:
    """The variables of the start that the end may read; None if it is more than a function of these and the inner."""
    data, inside = (program.data or "").partition(".")[0], frozenset(map(id, inner))
    nodes = list(_outside(end, inside))
    mentioned = {node.id for node in nodes if isinstance(node, ir.Name)}
    before = bound_names(walk(start))
    if not data or any(name.partition(".")[0] == data for name in mentioned):
        return None
    if _repeats(end, inside) or sum(id(node) in inside for node in walk(end)) != len(inner):
        return None
    if bound_names(nodes) & {one.id for part in inner for one in walk(part) if isinstance(one, ir.Name)}:
        return None
    if not _works_on_values(nodes, before | {*program.parameters}) or not _calls_such(program, nodes):
        return None
    wanted = mentioned & before
    certain = {name for one in start if isinstance(one, ir.Assign) for target in one.targets for name in _whole(target)}
    return sorted(wanted) if wanted <= certain else None


def _reached(program: ir.Program, nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """All nodes, and those of all functions that they call, directly or not."""
    left, seen = [*nodes], set[str]()
    while left:
        for node in walk(left.pop()):
            yield node
            if isinstance(node, ir.CallFunction) and node.function not in seen:
                seen.add(node.function)
                left += program.function(node.function).body


def _tells_types(program: ir.Program, end: Iterable[ir.Node]) -> bool:
    """Whether there is more in an end than numbers are made of."""
    return any(
        isinstance(node, ir.MethodCall | ir.Opaque) or (isinstance(node, ir.Call) and node.function not in _NUMERIC)
        for node in _reached(program, end)
    )


def may_be_of_two_types(program: ir.Program, mechanism: Mechanism, start: Iterable[ir.Node]) -> bool:
    """Whether something may choose between a number of Python and one of NumPy."""
    nodes = list(_reached(program, map(_without_measured, start)))
    has_numpy = data_form(mechanism) not in ("list", "scalar", "tuple") or any(map(_is_of_numpy, nodes))
    fixed = _fixed_names(program, nodes)
    return has_numpy and not all(_chooses_nothing(node, fixed) for node in nodes)


def _fixed_names(program: ir.Program, nodes: Sequence[ir.Node]) -> frozenset[str]:
    """Variables that only loops over constants give values to."""
    called = {node.function for node in nodes if isinstance(node, ir.CallFunction)}
    given = {name for function in map(program.function, called) for name in function.parameters}
    loops = [node for node in nodes if _is_over_constants(node)]
    return bound_names(loops) - bound_names(node for node in nodes if not _is_over_constants(node)) - given


def _is_over_constants(node: ir.Node) -> bool:
    """Whether it is a loop over constants, of which there is one at least."""
    match node:
        case ir.For(iterable=ir.ListDisplay(elements=items) | ir.TupleDisplay(elements=items)):
            return bool(items) and all(isinstance(one, ir.Constant) for one in items)
        case ir.For(iterable=ir.Constant(value=list() | tuple() as values)):
            return bool(values)
    return False


def _without_measured(node: ir.Node) -> ir.Node:
    """A node without what measurements of OpenDP are given, which turn it into a type of their own."""
    without: ir.Node = rebuilt(node, lambda one: replace(one, parameters=()) if _measures(one) else None)
    return without


def _measures(node: object) -> bool:
    return isinstance(node, ir.Draw) and node.generator == OPENDP_LAPLACE and bool(node.parameters)


def _chooses_nothing(node: ir.Node, fixed: frozenset[str]) -> bool:
    """Whether the type of what a node gives hangs on no value. fixed: variables that have nothing to do with it."""
    match node:
        case ir.For():
            return _is_over_constants(node)
        case ir.ItemTarget(index=index):
            return isinstance(index, ir.Constant) or (isinstance(index, ir.Name) and index.id in fixed)
        case ir.If(body=body, orelse=()):
            return all(isinstance(one, ir.Raise) for one in body)
        case ir.Call(function="max" | "min", arguments=(_, _, *_)):
            return _is_int(node)
        case ir.Subscript(index=index):
            return isinstance(index, ir.Constant)
        case ir.Clause(conditions=conditions):
            return not conditions
        case ir.Call(function=name):
            return name in (_NUMERIC | _LENGTHS | _OF_TABLES) - {"max", "min", "sum"} or name.startswith("numpy.")
        case ir.MethodCall(method=name):
            return name in _OF_TABLES | _ONE_TYPE
    return isinstance(node, _STRAIGHT)


def _is_int(node: ir.Expression) -> bool:
    """Whether it is certainly an int of Python, which rounding makes of numbers of NumPy, too."""
    match node:
        case ir.Constant(value=value):
            return type(value) is int
        case ir.Call(function="int" | "len" | "round", arguments=(_,)):
            return not node.keywords
        case ir.Call(function="max" | "min", arguments=(_, _, *_)):
            return not node.keywords and all(map(_is_int, node.arguments))
    return False


def _is_of_numpy(node: ir.Node) -> bool:
    """Whether a node may give a number of NumPy where all that it is given is Python's."""
    if isinstance(node, ir.Draw):
        loc = dict(node.parameters).get("loc")
        plain = node.distribution in _FLOATS and node.family != SCIPY and node.size is None
        return not plain or not (loc is None or isinstance(loc, ir.Constant))
    return isinstance(node, ir.Opaque) or (isinstance(node, ir.Call) and node.function.startswith(("numpy.", "scipy.")))


def _outside(nodes: Iterable[ir.Node], inside: frozenset[int]) -> Iterator[ir.Node]:
    """All nodes but the inner expressions and what is in them."""
    for node in nodes:
        if id(node) not in inside:
            yield node
            yield from _outside(children(node), inside)


def _repeats(nodes: Iterable[ir.Node], inside: frozenset[int]) -> bool:
    """Whether an inner expression stands where a run may come to it twice."""
    for node in nodes:
        match node:
            case ir.For():
                first: ir.Node | None = node.iterable
            case ir.Comprehension():
                first = node.clauses[0].iterable
            case ir.While():
                first = None
            case _:
                if _repeats(children(node), inside):
                    return True
                continue
        again = (one for child in children(node) for one in _all_but(child, first))
        if any(id(one) in inside for one in again) or (first is not None and _repeats([first], inside)):
            return True
    return False


def _all_but(node: ir.Node, left_out: ir.Node | None) -> Iterator[ir.Node]:
    if node is not left_out:
        yield node
        for child in children(node):
            yield from _all_but(child, left_out)


def _whole(target: ir.Node) -> Iterator[str]:
    """The variables to which an assignment gives new values."""
    if isinstance(target, ir.Name):
        yield target.id
    elif isinstance(target, ir.TupleTarget):
        for one in target.elements:
            yield from _whole(one)


def _works_on_values(nodes: Sequence[ir.Node], held: Iterable[str]) -> bool:
    """Whether nodes change in place only what they have made, and ask for no identity. held: names of other values."""
    made, changed, others = set[str](), set[str](), {*held}
    for node in nodes:
        match node:
            case ir.Opaque(function=False) | ir.AugAssign(target=ir.ItemTarget()):
                return False
            case ir.Compare() if not {"is", "is not"}.isdisjoint(node.operators):
                if not all(isinstance(one, ir.Constant) for one in node.comparators):
                    return False
            case ir.Assign(targets=(ir.Name(id=name),), value=value) if isinstance(value, _NEW):
                made.add(name)
            case (
                ir.Update(name=ir.Name(id=name))
                | ir.ItemTarget(name=ir.Name(id=name))
                | ir.AugAssign(target=ir.Name(id=name))
            ):
                changed.add(name)
            case ir.Assign(targets=targets):
                others |= {name for target in targets for name in _whole(target)}
            case _:
                others |= bound_names([node])
    return changed <= made and changed.isdisjoint(others)


def _calls_such(program: ir.Program, nodes: Iterable[ir.Node]) -> bool:
    """Whether all functions of the program that nodes call, directly or not, work on values, too."""
    called = {node.function for node in _reached(program, nodes) if isinstance(node, ir.CallFunction)}
    functions = map(program.function, called)
    return all(_works_on_values([*walk(function)], function.parameters) for function in functions)
