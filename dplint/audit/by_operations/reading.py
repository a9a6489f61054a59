"""A function read by what it does on data of a few shapes: a program for these, which refuses data of any other.

The runner traces the function (`runner.recorded_paths`); its operations on data of one shape are a tree (`residual`),
which is a program without loops or objects. What is read so holds for all data of these shapes, whatever the values:
outside of operations nothing looks into a value, so the way of a run is a function of their answers, and ways that no
run has gone are refused. It is compared with the function before anything is said from it, as each reading is.

Draws that all ways of a program make alike are made first, so that its ways part after them.

Where data decides a way, each has its own copy of what follows, noise and all. A proof compares draws of two runs by
their places, and wants each once. The order of draws stays, and what they are asked for hangs on arguments alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from dplint.audit.by_operations.converting import Converted
from dplint.audit.by_operations.expressions import NotRead, Parts
from dplint.audit.inputs import Choice
from dplint.audit.residual_runs import shown_file
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Categories, Columns, Fixed, Literal, Mechanism, Span
from dplint.inputs.compared import pairs_to_compare
from dplint.inputs.forms import DefaultNotRead, default_of
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported
from dplint.program.walk import opaque, walk
from dplint.proofs.searching import LARGEST
from dplint.runner.batch import DataValue
from dplint.runner.client import NotTracedError
from dplint.runner.residual import NotResidual, ResidualDraws, ResidualProgram
from dplint.tracing import inputs
from dplint.tracing.inputs import Inputs

Block: TypeAlias = tuple[ir.Statement, ...]
_Known: TypeAlias = Mapping[str, ir.Expression]
_MOST = 200
"""Ways that are compared."""


def first_draws(block: Block, arguments: frozenset[str]) -> Block:
    """The block, with what all its ways draw first at its beginning. arguments: names that hang on nothing else."""
    ways = list(islice(_ways(block, {name: ir.Name(name, block[0].span) for name in arguments}), _MOST + 1))
    if not 1 < len(ways) <= _MOST:
        return block
    common: list[ir.Draw] = []
    for alike in zip(*ways, strict=False):
        if alike[0] is None or any(draw != alike[0] for draw in alike):
            break
        common.append(alike[0])
    if not common:
        return block
    names = [ir.Name(f"noise_{number}", draw.span) for number, draw in enumerate(common)]
    before = tuple(ir.Assign((name,), draw, draw.span) for name, draw in zip(names, common, strict=True))
    return (*before, *_with(block, names))


def _ways(block: Sequence[ir.Statement], known: _Known) -> Iterator[list[ir.Draw | None]]:
    """For each way that runs have gone what it draws, None where that hangs on data or noise."""
    known, drawn = dict(known), list[ir.Draw | None]()
    for place, statement in enumerate(block):
        match statement:
            case ir.Assign(targets=(ir.Name(id=name),), value=value):
                if isinstance(value, ir.Draw):
                    drawn.append(_told(value, known))
                    continue
                resolved = _resolved(value, known)
                if resolved is not None:
                    known[name] = resolved
            case ir.If():
                yield from ([*drawn, *way] for way in _ways_of(statement, block[place + 1 :], known))
                return
            case ir.Opaque():
                return
    yield drawn


def _ways_of(parting: ir.If, rest: Sequence[ir.Statement], known: _Known) -> Iterator[list[ir.Draw | None]]:
    if rest and any(isinstance(one, ir.Draw) for one in walk(parting)):
        yield [None]
        return
    for side in (parting.body, parting.orelse):
        yield from _ways((*side, *rest), known)


def _told(draw: ir.Draw, known: _Known) -> ir.Draw | None:
    """The draw with what it is asked for told by arguments; None if it hangs on anything else."""
    asked = [(name, _resolved(value, known)) for name, value in draw.parameters]
    size = None if draw.size is None else _resolved(draw.size, known)
    if (draw.size is not None and size is None) or any(value is None for _, value in asked):
        return None
    return replace(draw, parameters=tuple((name, value) for name, value in asked if value is not None), size=size)


def _resolved(value: ir.Expression, known: _Known) -> ir.Expression | None:
    """An expression of arguments and constants alone; None if there is none."""
    match value:
        case ir.Constant():
            return value
        case ir.Name(id=name):
            return known.get(name)
        case ir.Binary(left=left, right=right):
            one, other = _resolved(left, known), _resolved(right, known)
            return None if one is None or other is None else replace(value, left=one, right=other)
        case ir.Unary(operand=operand):
            inner = _resolved(operand, known)
            return None if inner is None else replace(value, operand=inner)
        case ir.Call(arguments=arguments, keywords=()):
            given = [_resolved(one, known) for one in arguments]
            resolved = tuple(one for one in given if one is not None)
            return replace(value, arguments=resolved) if len(resolved) == len(given) else None
    return None


def _with(block: Block, names: Sequence[ir.Name]) -> Block:
    """The block with these in place of the first draws of each way."""
    found: list[ir.Statement] = []
    left = list(names)
    for statement in block:
        match statement:
            case ir.Assign(value=ir.Draw()) if left:
                found.append(replace(statement, value=left.pop(0)))
            case ir.If(body=body, orelse=orelse):
                found.append(replace(statement, body=_with(body, left), orelse=_with(orelse, left)))
            case _:
                found.append(statement)
    return tuple(found)


_FIRST, _RUNS = 1024, 1 << 14
"""Runs that are traced at once, and those that look for ways that none of these has gone."""
_SHORT = 2
"""So many numbers are tried as whole ones, too."""
_MOST_DATA, _OTHERS = 64, 60
"""Data values of one shape, and pairs beside those of the claim."""
_NOTHING = ir.Program("", (), (), None, None, (), frozenset(), Span(1, 1, 1, 1))
_STREAM = 1 << 25
_FORMS = ("list", "tuple", "array", "scalar")
"""Of data whose parts a program can name."""


@dataclass(frozen=True, slots=True)
class Read:
    """A program for data of at most so many numbers or records, and the mechanism as it was read: the claim at the
    arguments that the program is about. longer: the one that has data longer by one, too, if any was read.
    """

    program: ir.Program
    longer: ir.Program
    mechanism: Mechanism


def read(session: AuditSession, choice: Choice, setting: Setting, *, one_more: bool = False) -> Read:
    """Read the function of a session at the arguments of a choice. Raises NotRead, RunnerError.

    one_more: also what is longer by one, as one of two neighbours is where records come and go. Proofs are better off
    without: their searches go through all of it.
    """
    mechanism, arguments = session.mechanism, dict(choice.values)
    if mechanism.claim.apart:
        raise NotRead("several data parameters")
    by_lane = [name for name, value in arguments.items() if type(value) is float]
    fixed = {name: Fixed(value) for name, value in arguments.items() if name not in by_lane}
    for parameter in mechanism.parameters:
        if parameter.name not in arguments and parameter.name not in mechanism.roles:
            try:
                fixed[parameter.name] = Fixed(default_of(parameter))
            except DefaultNotRead:
                raise NotRead(f"the default of {parameter.name}, which is no plain value") from None
    stated = tuple(one for one in mechanism.claim.args if one[0] not in fixed)
    claim = replace(mechanism.claim, args=(*stated, *fixed.items()))
    reading = _Reading(session, arguments, by_lane)
    data = _data(session, setting, LARGEST + one_more)
    return Read(*reading.programs(data), replace(mechanism, claim=claim))


def _data(session: AuditSession, setting: Setting, longest: int) -> list[DataValue]:
    """Data of all sizes up to the longest: that of the claim's pairs and others, and the beginnings of what is longer.

    Where the claim names sizes it is about no others.
    Of categories all that there is of one and two records, as a program goes another way for each.
    """
    found: dict[str, DataValue] = {}
    others = pairs_to_compare(session.mechanism, _NOTHING, _OTHERS, session.seed)
    for pair, side in itertools.product([*setting.fitting(session.find_pairs()), *others], (1, 2)):
        value = session.data_value(pair, side)
        shorter = [value]
        if isinstance(value.value, list) and session.mechanism.claim.size is None:
            shorter = [replace(value, value=value.value[:size]) for size in range(min(longest, len(value.value)) + 1)]
        found.update({repr(one): one for one in (*shorter, *map(_whole, shorter))})
    domain, first = session.mechanism.claim.domain, next(iter(found.values()), None)
    if isinstance(domain, Categories) and first is not None and isinstance(first.value, list):
        for size in (1, 2):
            records = itertools.islice(itertools.product(domain.values, repeat=size), _MOST_DATA)
            found.update({repr(one): one for one in (replace(first, value=list(few)) for few in records)})
    return [one for one in found.values() if not isinstance(one.value, list) or len(one.value) <= longest]


def _is_one_more(value: DataValue) -> bool:
    """Whether it is longer than proofs speak of. It has the most ways to go, and may be left out."""
    return isinstance(value.value, list) and len(value.value) > LARGEST


def _whole(value: DataValue) -> DataValue:
    """The same in whole numbers, of short data without broken ones: the function may do something else with these."""
    items = value.value
    if not isinstance(items, list) or len(items) > _SHORT or not all(_is_whole(item) for item in items):
        return value
    return replace(value, value=[int(item) for item in items if isinstance(item, float)])


def _is_whole(item: Literal) -> bool:
    return isinstance(item, float) and item.is_integer()


class _Reading:
    """Reads one mechanism. by_lane: the arguments that the program is about any value of."""

    def __init__(self, session: AuditSession, arguments: Mapping[str, Literal], by_lane: Sequence[str]) -> None:
        self._session, self._arguments, self._by_lane = session, arguments, by_lane
        self._mechanism = session.mechanism
        self._draws = ResidualDraws()
        self._asked = 0

    def programs(self, data: Sequence[DataValue]) -> tuple[ir.Program, ir.Program]:
        """The program for data of these shapes that are short enough for proofs, and that for all of them."""
        mechanism = self._mechanism
        shapes: dict[Any, list[DataValue]] = {}
        for value in data:
            inputs_of_value = _inputs(value, nested=isinstance(mechanism.claim.domain, Columns))
            if inputs_of_value is None:
                raise NotRead("data that are no numbers or texts in a list, or too many")
            shapes.setdefault(inputs_of_value.shape, []).append(value)
        blocks: dict[ir.Expression | None, tuple[ir.Statement, ...]] = {}
        long: set[ir.Expression | None] = set()
        for values in shapes.values():
            try:
                test, block = self._is_shape(values[0]), self._block(values[:_MOST_DATA])
            except NotRead:
                if _is_one_more(values[0]):
                    continue
                raise
            if blocks.setdefault(test, block) != block:
                raise NotRead("what it does hangs on the type of numbers")
            if _is_one_more(values[0]):
                long.add(test)
        short = {test: block for test, block in blocks.items() if test not in long}
        return self._of_blocks(short), self._of_blocks(blocks)

    def _of_blocks(self, blocks: Mapping[ir.Expression | None, tuple[ir.Statement, ...]]) -> ir.Program:
        """The program that has a block for each shape, and refuses others."""
        mechanism, span = self._mechanism, self._mechanism.span
        body: tuple[ir.Statement, ...] = (opaque(Unsupported("data of a size that no run has had", span)),)
        for test, block in reversed(list(blocks.items())):
            body = block if test is None else (ir.If(test, block, body, span),)
        given = {mechanism.data, *self._arguments}
        names = tuple(one.name for one in mechanism.parameters if one.name in given)
        body = self._at_arguments(body)
        return ir.Program(mechanism.qualname, names, body, mechanism.data, mechanism.rng, (), frozenset(), span)

    def _block(self, values: Sequence[DataValue]) -> tuple[ir.Statement, ...]:
        """The statements for data of one shape."""
        given = [one for one in (_inputs(value, nested=True) for value in values) if one is not None]
        inputs.by_lane(self._arguments, self._by_lane)

        def ask(count: int, made: Sequence[Any], lanes: Sequence[int]) -> Any:
            self._asked += 1
            of_runs = [lane % len(values) for lane in lanes] or [number % len(values) for number in range(count)]
            stream = (0, (_STREAM, self._asked))
            return self._session.runner.record(
                values, self._arguments, count, stream, made, of_runs=of_runs, by_lane=self._by_lane
            )

        inputs.use([one.parts for one in given], np.arange(_RUNS) % len(values))
        try:
            program = ResidualProgram(ask, _FIRST)
            self._draws.begin(np.random.SeedSequence(0, spawn_key=(_STREAM,)))
            program.run(_RUNS, self._draws, lambda *_: None)
        except (NotTracedError, NotResidual) as reason:
            raise NotRead(str(reason)) from None
        shown = partial(shown_file, self._mechanism)
        parts = Parts(self._mechanism.span, dict(enumerate(self._places(values[0]))), shown)
        return first_draws(Converted(parts, self._mechanism.span).block(program.root), frozenset(self._by_lane))

    def _places(self, value: DataValue) -> Iterator[ir.Expression]:
        """The parts of the data, in their order."""
        span = self._mechanism.span
        data: ir.Expression = ir.Name(str(self._mechanism.data), span)
        if value.form in ("scalar", "array") and not isinstance(value.value, dict):
            yield data
        else:
            yield from _parts_of(data, value.value)

    def _is_shape(self, value: DataValue) -> ir.Expression | None:
        """Whether the data is of the shape of this; None where there is but one."""
        if value.form == "scalar" or not isinstance(value.value, list):
            return None
        span = self._mechanism.span
        length = ir.Call("len", (ir.Name(str(self._mechanism.data), span),), (), span)
        return ir.Compare(length, ("==",), (ir.Constant(len(value.value), span),), span)

    def _at_arguments(self, body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
        """The body, at the arguments that it was read with where these are no values by lane."""
        span = self._mechanism.span
        tests = tuple(
            ir.Compare(ir.Name(name, span), ("==",), (ir.Constant(value, span),), span)
            for name, value in self._arguments.items()
            if name not in self._by_lane
        )
        if not tests:
            return body
        other = opaque(Unsupported("arguments that no run has had", span))
        return (ir.If(tests[0] if len(tests) == 1 else ir.BoolOp("and", tests, span), body, (other,), span),)


def _inputs(value: DataValue, *, nested: bool) -> Inputs | None:
    """nested: whether there may be more within a list than numbers and texts."""
    if value.handle is not None or value.form not in _FORMS:
        return None
    if not nested and isinstance(value.value, list) and any(isinstance(one, list | dict) for one in value.value):
        return None
    try:
        return inputs.inputs_of(np.array(value.value) if value.form == "array" else value.value)
    except ValueError:
        return None


def _parts_of(value: ir.Expression, data: Any) -> Iterator[ir.Expression]:
    if isinstance(data, list | tuple | dict):
        keys = data if isinstance(data, dict) else range(len(data))
        for key in keys:
            yield from _parts_of(ir.Subscript(value, ir.Constant(key, value.span), value.span), data[key])
    else:
        yield value
