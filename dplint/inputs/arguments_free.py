"""Which parameters have to be chosen, and what is known of them: type, domain, candidates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dplint.claims import Categories, Fixed, Interval, Literal, Mechanism, Parameter, ParameterKind, is_number
from dplint.inputs.forms import DefaultNotRead, default_of
from dplint.outcomes import Argument
from dplint.program import nodes as ir
from dplint.program.walk import walk
from dplint.readings.symbolic import Variable, VariableKind

_ANNOTATIONS = {
    "int": VariableKind.INT,
    "float": VariableKind.REAL,
    "bool": VariableKind.BOOL,
    "str": VariableKind.TEXT,
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a mechanism by who decides on them.

    settled: by the claim's `args`. free: nobody yet. defaults: values that Python fills in; those without a literal
    are in `opaque`.
    """

    settled: tuple[Argument, ...]
    free: tuple[Variable, ...]
    floats: frozenset[str]
    defaults: Mapping[str, Literal]
    opaque: frozenset[str]


def sort_parameters(program: ir.Program | None, mechanism: Mechanism, fixed: Mapping[str, Literal]) -> Parameters:
    """Sort the parameters that are neither the data, nor the generator, nor fixed by the caller."""
    specs, called = dict(mechanism.claim.args), dict(mechanism.called)
    settled: list[Argument] = []
    free: list[Variable] = []
    defaults: dict[str, Literal] = {}
    opaque: set[str] = set()
    for parameter in mechanism.parameters:
        name, spec = parameter.name, specs.get(parameter.name)
        if name in fixed or name in mechanism.roles or _is_star(parameter):
            continue
        if isinstance(spec, Fixed):
            settled.append(Argument(name, spec.value, "fixed by the claim"))
        elif spec is None and name in called and not all(map(_is_plain, called[name])):
            settled.append(Argument(name, called[name][0], "as a caller in the project passes it"))
        elif spec is not None or parameter.default is None:
            free.append(_variable(program, parameter, spec, called.get(name, ())))
        else:
            try:
                defaults[name] = default_of(parameter)
            except DefaultNotRead:
                opaque.add(name)
    floats = frozenset(p.name for p in mechanism.parameters if p.annotation == "float")
    return Parameters(tuple(settled), tuple(free), floats, defaults, frozenset(opaque))


def _is_plain(value: Literal) -> bool:
    """Whether it is a number, a truth value or a text."""
    return isinstance(value, int | float | str)


def _is_star(parameter: Parameter) -> bool:
    return parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def _variable(
    program: ir.Program | None, parameter: Parameter, spec: Categories | Interval | None, called: Sequence[Literal]
) -> Variable:
    """called: what callers pass, plain values all."""
    name = parameter.name
    if isinstance(spec, Interval):
        kind = VariableKind.INT if spec.integer else VariableKind.REAL
        return Variable(name, kind, low=spec.low, high=spec.high, liked=(spec.low, spec.high))
    if isinstance(spec, Categories):
        return Variable(name, _kind_of(spec.values), values=tuple(spec.values))
    uses = Uses(program, name)
    kind = _ANNOTATIONS.get(parameter.annotation or "") or uses.kind()
    texts = [one for one in called if isinstance(one, str)]
    if texts:
        return Variable(name, VariableKind.TEXT, values=tuple(texts))
    if kind is VariableKind.TEXT:
        return Variable(name, kind, values=(*uses.texts(), ""))
    numbers = [one for one in called if is_number(one)]
    if any(isinstance(one, float) for one in numbers):
        kind = VariableKind.REAL
    return Variable(name, kind, liked=(*numbers, *uses.numbers()), first=tuple(numbers))


def _kind_of(values: tuple[bool | int | float | str | None, ...]) -> VariableKind:
    if all(isinstance(value, bool) for value in values):
        return VariableKind.BOOL
    if all(isinstance(value, int) for value in values):
        return VariableKind.INT
    return VariableKind.REAL if all(isinstance(value, int | float) for value in values) else VariableKind.TEXT


def least_counts(program: ir.Program, variables: tuple[Variable, ...]) -> dict[str, Literal]:
    """The least value of each parameter that a running count is compared with, such as the N of sparse vector.

    In the right mechanism it governs noise; where the noise does not depend on it, that may be the very mistake.
    """
    found: dict[str, Literal] = {}
    for variable in variables:
        if variable.kind is VariableKind.INT and not variable.values and Uses(program, variable.name).bounds_a_count():
            found[variable.name] = 1 if variable.low is None else int(max(variable.low, 1))
    return found


class Uses:
    """How a program uses one parameter, itself and under other names that it is passed on to."""

    def __init__(self, program: ir.Program | None, name: str) -> None:
        self._program = program
        self._nodes = list(_scopes(program, name))

    def kind(self) -> VariableKind:
        """The type that the uses suggest; a real number where they suggest nothing."""
        kinds = {kind for node, name, counters in self._nodes for kind in _suggests(node, name, counters)}
        surest = (VariableKind.TEXT, VariableKind.INT, VariableKind.BOOL)
        return next((kind for kind in surest if kind in kinds), VariableKind.REAL)

    def bounds_a_count(self) -> bool:
        """Whether a count that the program keeps is compared with it."""
        for node, name, counters in self._nodes:
            if isinstance(node, ir.Compare):
                parts = (node.left, *node.comparators)
                others = {part.id for part in parts if isinstance(part, ir.Name)} - {name}
                if any(_is(part, name) for part in parts) and others & counters & self._kept():
                    return True
        return False

    def _kept(self) -> set[str]:
        return {
            node.target.id
            for node, _, _ in self._nodes
            if isinstance(node, ir.AugAssign) and isinstance(node.target, ir.Name) and node.operator == "+"
        }

    def texts(self) -> tuple[str, ...]:
        """The strings that it is compared with, in source order."""
        found: dict[str, None] = {}
        for node, name, _ in self._nodes:
            if isinstance(node, ir.Compare) and any(_is(part, name) for part in (node.left, *node.comparators)):
                found.update((value, None) for value in _strings(node))
        return tuple(found)

    def numbers(self) -> tuple[float, ...]:
        """The numbers of the program, and their neighbours: a condition often turns at one of them."""
        if self._program is None:
            return ()
        found: dict[float, None] = {}
        for node in walk(self._program):
            if isinstance(node, ir.Constant) and is_number(node.value) and math.isfinite(node.value):
                value = float(node.value)
                found.update((v, None) for v in (value, value + 1, value - 1) if abs(v) > 2)
        return tuple(found)[:12]


def _scopes(program: ir.Program | None, name: str) -> Iterator[tuple[ir.Node, str, frozenset[str]]]:
    """All nodes in which the parameter may occur, with its name there and the names of counters."""
    if program is None:
        return
    todo: list[tuple[tuple[ir.Node, ...], str]] = [(program.body, name)]
    seen: set[tuple[int, str]] = set()
    while todo:
        body, present = todo.pop()
        if (id(body), present) in seen:
            continue
        seen.add((id(body), present))
        counters = _counters(body)
        for node in walk(body):
            yield node, present, counters
            if isinstance(node, ir.CallFunction):
                todo += [
                    (program.function(node.function).body, inner)
                    for inner, value in node.arguments
                    if _is(value, present)
                ]


def _counters(body: tuple[ir.Node, ...]) -> frozenset[str]:
    """Names that hold ints: they start as one, and only ints are added; or they count the turns of a loop."""
    whole: set[str] = set()
    spoilt: set[str] = set()
    for node in walk(body):
        match node:
            case ir.Assign(targets=targets, value=value):
                known = whole if _is_whole(value) or _is_length(value) else spoilt
                known.update(target.id for target in targets if isinstance(target, ir.Name))
            case ir.AugAssign(target=ir.Name(name), operator=operator, value=value):
                spoilt |= {name} if operator == "/" or not _is_whole(value) else set()
            case ir.For(target=ir.Name(name), iterable=ir.Call(function="range")):
                whole.add(name)
            case ir.For(target=ir.TupleTarget((ir.Name(name), *_)), iterable=ir.Call(function="enumerate")):
                whole.add(name)
    return frozenset(whole - spoilt)


def _is_whole(node: ir.Expression) -> bool:
    """Whether it is an int that is written out."""
    return isinstance(node, ir.Constant) and type(node.value) is int


def _is_length(node: ir.Expression) -> bool:
    return isinstance(node, ir.Call) and node.function == "len"


def _is(node: object, name: str) -> bool:
    return isinstance(node, ir.Name) and node.id == name


def _suggests(node: ir.Node, name: str, counters: frozenset[str]) -> Iterator[VariableKind]:
    if isinstance(node, ir.Compare):
        yield from _compared(node, name, counters)
    if any(_is(part, name) for part in _truth_places(node)):
        yield VariableKind.BOOL
    if any(_is(part, name) for part in _whole_places(node, counters)):
        yield VariableKind.INT


def _truth_places(node: ir.Node) -> tuple[ir.Expression, ...]:
    """Where a node asks for the truth of a value."""
    match node:
        case ir.If(test=test) | ir.While(test=test) | ir.IfExp(test=test) | ir.Unary(operator="not", operand=test):
            return (test,)
        case ir.BoolOp(operands=operands):
            return operands
    return ()


def _whole_places(node: ir.Node, counters: frozenset[str]) -> tuple[ir.Expression | None, ...]:
    """Where a node needs an int, or makes little sense without one."""
    match node:
        case ir.Call(function="range", arguments=arguments):
            return arguments
        case ir.Subscript(index=index):
            return (index,)
        case ir.Slice(start=start, stop=stop, step=step):
            return (start, stop, step)
        case ir.Draw(size=size):
            return (size,)
        case ir.Binary(operator="%" | "//", left=left, right=right):
            counts = _is_length(left) or (isinstance(left, ir.Name) and left.id in counters)
            return (left if _is_whole(right) else None, right if counts else None)
    return ()


def _compared(node: ir.Compare, name: str, counters: frozenset[str]) -> Iterator[VariableKind]:
    parts = (node.left, *node.comparators)
    if not any(_is(part, name) for part in parts):
        return
    if any(True for _ in _strings(node)):
        yield VariableKind.TEXT
    for part in parts:
        if _is_length(part) or (isinstance(part, ir.Name) and part.id in counters):
            yield VariableKind.INT
        if isinstance(part, ir.Constant) and isinstance(part.value, bool):
            yield VariableKind.BOOL


def _strings(node: ir.Compare) -> Iterator[str]:
    for part in (node.left, *node.comparators):
        constants = part.elements if isinstance(part, ir.ListDisplay | ir.TupleDisplay) else (part,)
        for constant in constants:
            if isinstance(constant, ir.Constant):
                values = constant.value if isinstance(constant.value, list | tuple) else (constant.value,)
                yield from (value for value in values if isinstance(value, str))
