"""The two calls of a counterexample as one would type them: `release(rng, [0, 0], 0.7)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dplint.claims import Literal, Mechanism, ParameterKind, spelled
from dplint.inputs.forms import as_settled, data_form
from dplint.outcomes import OutputPair, Witness
from dplint.report.difference import Row, compare, frames, records, rows
from dplint.report.document import SideLine, Sides
from dplint.report.literals import LONGEST, columns, literal, one_line
from dplint.report.numerals import count

Inputs: TypeAlias = Witness | OutputPair
"""Two inputs with arguments."""
_IN_A_CALL = {"list", "scalar", "array", "tuple", "set", "frozenset"}
"""Of these forms a call is readable with the data in it."""
_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def sides(mechanism: Mechanism, witness: Inputs, notes: Sequence[str], room: int) -> Sides:
    """D1 and D2: as two calls where these fit on a line each, else the data alone, and the call below it.

    notes: of the audit, which tell the form of the data.
    """
    around, whole = _around(mechanism, witness, notes), _around(mechanism, witness, notes, made=True)
    tables = frames(mechanism, witness.d1, witness.d2, room)
    if tables is not None:
        lines = [SideLine(row.label, tuple(tables.pieces(row))) for row in tables.rows]
        lines += [SideLine("", ((f"and {count(tables.more, 'row')} more", False),))] if tables.more else []
        return Sides((*lines, *_sizes(witness), *_call_line(around, "D1")))
    if whole is not None:
        before, after = whole
        aligned = rows(compare(witness.d1, witness.d2, LONGEST), room - columns(before) - columns(after))
        if len(aligned) == 1 and "..." not in repr(aligned) and _width(aligned[0]) + columns(before + after) <= room:
            return Sides((*_pair(aligned[0], before, after), *_sizes(witness)))
    found = [line for row in rows(compare(witness.d1, witness.d2, min(LONGEST, room)), room) for line in _pair(row)]
    return Sides((*found, *_sizes(witness), *(_call_line(around, "D1") or _argument_line(witness))))


def calls(mechanism: Mechanism, witness: Inputs, notes: Sequence[str]) -> tuple[str, str] | None:
    """Both calls with all of their data; None where the function, or its data, has to be made first."""
    around = _around(mechanism, witness, notes, made=True)
    return around and (f"{around[0]}{witness.d1!r}{around[1]}", f"{around[0]}{witness.d2!r}{around[1]}")


def _around(
    mechanism: Mechanism, witness: Inputs, notes: Sequence[str], *, made: bool = False
) -> tuple[str, str] | None:
    """What stands before and behind the data in a call. made: the call makes the data of its plain form."""
    claim, data = mechanism.claim, mechanism.data
    receiver, name = mechanism.receiver, mechanism.qualname
    if receiver is not None and receiver.given and receiver.attribute is None and not receiver.preparations:
        name = f"{receiver.call}.{name.rpartition('.')[2]}"
    elif receiver is not None:
        return None
    if claim.apart or data is None or "<locals>" in mechanism.qualname:
        return None
    written = "\0"
    if made:
        form = "scalar" if claim.pairs is not None else data_form(as_settled(mechanism, notes))
        if form not in _IN_A_CALL:
            return None
        written = _written(form, witness)
    values = {one.name: one_line(literal(one.value)) for one in witness.arguments}
    values |= {one.name: spelled(one.value) for one in witness.arguments if one.name in mechanism.named}
    values |= {data: written} | ({mechanism.rng: "rng"} if mechanism.rng is not None else {})
    given, by_name = [], False
    for parameter in mechanism.parameters:
        if parameter.name not in values or parameter.kind in _COLLECTING:
            by_name = True
            continue
        by_name = by_name or parameter.kind is ParameterKind.KEYWORD_ONLY
        given.append(f"{parameter.name}=" * by_name + values.pop(parameter.name))
    if values:  # the data of an attribute, or an argument that goes by another way
        return None
    before, _, after = f"{name}({', '.join(given)})".partition("\0")
    return one_line(before), one_line(after)


def _written(form: str, witness: Inputs) -> str:
    """The data of this form, with a place for its plain form."""
    if form == "array":
        entries = [*_items(witness.d1), *_items(witness.d2)]
        return "np.array(\0)" if all(isinstance(one, float) for one in entries) else "np.array(\0, dtype=float)"
    return "\0" if form in ("list", "scalar") else f"{form}(\0)"


def _items(value: Literal) -> list[Literal]:
    return list(value) if isinstance(value, list | tuple) else []


def _pair(row: Row, before: str = "", after: str = "") -> list[SideLine]:
    """The lines of D1 and D2; marks are below the second where some of it differs and some does not."""
    found = []
    for label, first in (("D1", True), ("D2", False)):
        pieces = [piece for piece in row.side(first=first) if piece[0]]
        while pieces and not pieces[-1][0].strip():
            pieces.pop()
        if pieces:
            pieces[-1] = (pieces[-1][0].rstrip(), pieces[-1][1])
        found.append(SideLine(label, tuple(piece for piece in ((before, False), *pieces, (after, False)) if piece[0])))
    partly = any(cell.differs for cell in row.cells) and not all(cell.differs for cell in row.cells)
    marks = " " * columns(before) + row.marks() if partly else ""
    return [found[0], SideLine("D2", found[1].pieces, marks)]


def _width(row: Row) -> int:
    return sum(cell.width + 1 for cell in row.cells)


def _call_line(around: tuple[str, str] | None, name: str) -> list[SideLine]:
    return [] if around is None else [SideLine("call", ((f"{around[0]}{name}{around[1]}", False),))]


def _argument_line(witness: Inputs) -> list[SideLine]:
    shown = ", ".join(f"{one.name} = {literal(one.value)}" for one in witness.arguments)
    return [SideLine("with", ((shown, False),))] if shown else []


def _sizes(witness: Inputs) -> list[SideLine]:
    """By how many records one side is longer."""
    size1, size2 = records(witness.d1), records(witness.d2)
    if size1 is None or size2 is None or size1 == size2:
        return []
    longer, shorter, more = ("D1", "D2", size1 - size2) if size1 > size2 else ("D2", "D1", size2 - size1)
    return [SideLine("", ((f"{longer} has {count(more, 'record')} more than {shorter}", False),))]
