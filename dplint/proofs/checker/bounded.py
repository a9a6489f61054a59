"""Checks a certificate for data of few sizes: every path of every shape, from the program and the scope alone.

Theorem: let each path that a run may take have a translation of noise. If the run on D2, with noise so moved, takes the
same path and gives the same, the images of the paths are disjoint, since it takes one path only; so P1(output in S), a
sum of integrals over paths, is at most e^epsilon times P2(output in S) where each translation costs epsilon at most
(Zhang and Kifer, POPL 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import z3

from dplint.claims import Mechanism
from dplint.outcomes import Scope
from dplint.program.nodes import Program
from dplint.proofs.alignment import Case, Move, Moves, Shape
from dplint.proofs.checker.coupling import Coupling, same_outputs
from dplint.proofs.checker.gathering import paths_of
from dplint.proofs.checker.inputs import Given, Inputs, cases, neighbours, shapes
from dplint.proofs.checker.paths import Path
from dplint.proofs.checker.releases import ReleasingWalk
from dplint.proofs.checker.values import NotProved, boolean, fail_if

_UNKNOWN = "no shifts are known for one way that a run can go"


BoundedPath: TypeAlias = Path[ReleasingWalk]


class BoundedCheck:
    """Checks shape by shape and case by case, and knows in the end whether none was left out."""

    def __init__(
        self, program: Program, mechanism: Mechanism, scope: Scope, pause: Callable[[], None] = lambda: None
    ) -> None:
        """pause: called for each path; it may raise."""
        self._program = program
        self._mechanism = mechanism
        self._pause = pause
        given = list(cases(mechanism, scope))
        self._open = {(shape, one.case): one for shape in shapes(mechanism, scope) for one in given}
        fail_if(not self._open, "the scope has no shapes")

    @property
    def open(self) -> list[tuple[Shape, Given]]:
        """What has not been shown yet: shapes, with arguments."""
        return [(shape, given) for (shape, _), given in self._open.items()]

    def show(self, shape: Shape, case: Case, given: Sequence[Moves]) -> None:
        """Raises NotProved unless the moves show the claim for this shape in this case."""
        inputs = self._open.get((shape, case))
        if inputs is None:
            raise NotProved(f"the scope has no {shape} with {case}, or it was named twice")
        check_shape(self._program, neighbours(self._mechanism, shape, inputs), given, self._pause)
        del self._open[shape, case]

    def finish(self) -> None:
        """Raises NotProved unless all of the scope has been shown."""
        fail_if(self._open, f"the certificate has no moves for {len(self._open)} shapes")


def check_shape(
    program: Program, inputs: Inputs, given: Sequence[Moves], pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless the moves show the claim for one shape and one choice of listed arguments."""
    known = {one.path: one.moves for one in given}
    fail_if(len(known) != len(given), "the certificate names a path twice")
    for path in paths_of(program, inputs, ReleasingWalk):
        pause()
        check_path(inputs, path, known.get(path.decisions))


def check_path(inputs: Inputs, path: BoundedPath, moves: Sequence[Move] | None) -> None:
    """Where the run on D1 takes the path, the run on D2 with its noise moved takes it, too, and gives the same; and the
    moves cost the claimed epsilon at most. moves: None where none are known; then no data may lead there.
    """
    coupling = Coupling(path, inputs.world)
    if moves is None or (path.first.draws and len(moves) != len(path.first.draws)):
        coupling.misses(_UNKNOWN, *path.facts)
        return
    shifts = coupling.shifts(path.first.draws, moves)
    coupling.affords(coupling.costs(shifts, inputs.epsilon))
    coupling.same_noise(path.second.draws)
    follows = z3.And(*path.second.conditions, boolean(same_outputs(path.first.outputs, path.second.outputs)))
    coupling.follows(shifts, follows, "the run on D2 gives something else", *path.facts)
