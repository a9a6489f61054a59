"""What the exact reading knows of a program before it has inputs, and the hooks of a walk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dplint.program.liveness import Liveness, liveness_of
from dplint.program.nodes import Program
from dplint.readings.exact.components import components_of
from dplint.readings.exact.interpretation import ExactInterpretation
from dplint.readings.exact.latents import UnreadLists, unread_lists
from dplint.readings.exact.merging import Merging, last_of_branches
from dplint.readings.exact.piecewise import Memo
from dplint.readings.exact.unfolding import unfolded


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known of a program before it has inputs.

    program: unfolded. parts: of independent parts of its output, in the order of the output, whose type is kind; none
    where there is one alone.
    """

    program: Program
    liveness: Liveness
    unread: UnreadLists
    last_of_branches: frozenset[int]
    parts: tuple[Prepared, ...] = ()
    kind: type = tuple


_programs = Memo(16)


def prepared_of(program: Program) -> Prepared:
    """What is known of a program, kept for the next time."""
    found: Prepared = _programs.get((program,), "prepared", lambda: _prepare(program))
    return found


def _prepare(original: Program) -> Prepared:
    program = unfolded(original)
    found = components_of(program)
    parts = () if found is None else tuple(_prepared(one) for one in found.programs)
    return replace(_prepared(program), parts=parts, kind=tuple if found is None else found.kind)


def _prepared(program: Program) -> Prepared:
    return Prepared(program, liveness_of(program), unread_lists(program), last_of_branches(program))


def hooks_of(prepared: Prepared, interpretation: ExactInterpretation, merging: type[Merging] = Merging) -> Merging:
    """Those of a walk of the program."""
    return merging(interpretation, prepared.unread, prepared.last_of_branches)
