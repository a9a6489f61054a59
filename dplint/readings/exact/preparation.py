"""What the exact reading knows of a program before it has inputs, and the hooks of a walk."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.program.liveness import Liveness, liveness_of
from dplint.program.nodes import Program
from dplint.readings.exact.interpretation import ExactInterpretation
from dplint.readings.exact.latents import UnreadLists, unread_lists
from dplint.readings.exact.merging import Merging, last_of_branches
from dplint.readings.exact.piecewise import Memo
from dplint.readings.exact.unfolding import unfolded


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known of a program before it has inputs. program: unfolded."""

    program: Program
    liveness: Liveness
    unread: UnreadLists
    last_of_branches: frozenset[int]


_programs = Memo(16)


def prepared_of(program: Program) -> Prepared:
    """What is known of a program, kept for the next time."""
    found: Prepared = _programs.get((program,), "prepared", lambda: _prepared(unfolded(program)))
    return found


def _prepared(program: Program) -> Prepared:
    return Prepared(program, liveness_of(program), unread_lists(program), last_of_branches(program))


def hooks_of(prepared: Prepared, interpretation: ExactInterpretation, merging: type[Merging] = Merging) -> Merging:
    """Those of a walk of the program."""
    return merging(interpretation, prepared.unread, prepared.last_of_branches)
