"""Checks a certificate for data of few sizes: every path of every shape, from the program and the scope alone.

Theorem: let all ways that a run may go be parted into groups of paths, with one translation of noise for each group. If
the run on D2, with noise so moved, takes a path of the same group and gives the same, the images of the groups are
disjoint, since it takes one path only; so P1(output in S), a sum over groups of integrals over their paths, is at most
e^epsilon times P2(output in S) where each translation costs epsilon at most (Zhang and Kifer, POPL 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import z3

from dplint.claims import Mechanism
from dplint.outcomes import Scope
from dplint.program.nodes import Program
from dplint.proofs.alignment import Case, Decisions, Group, Move, Shape
from dplint.proofs.checker.coupling import Coupling, same_outputs
from dplint.proofs.checker.gathering import paths_of
from dplint.proofs.checker.inputs import Inputs, cases, neighbours, shapes
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
    def open(self) -> list[tuple[Shape, Case]]:
        """What has not been shown yet."""
        return list(self._open)

    def show(self, shape: Shape, case: Case, groups: Sequence[Group]) -> None:
        """Raises NotProved unless the moves show the claim for this shape in this case."""
        given = self._open.get((shape, case))
        if given is None:
            raise NotProved(f"the scope has no {shape} with {case}, or it was named twice")
        check_shape(self._program, neighbours(self._mechanism, shape, given), groups, self._pause)
        del self._open[shape, case]

    def finish(self) -> None:
        """Raises NotProved unless all of the scope has been shown."""
        fail_if(self._open, f"the certificate has no moves for {len(self._open)} shapes")


def check_shape(
    program: Program, inputs: Inputs, groups: Sequence[Group], pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless the groups show the claim for one shape and one choice of listed arguments."""
    paths: dict[Decisions, list[BoundedPath]] = {}
    for path in paths_of(program, inputs, ReleasingWalk):
        pause()
        paths.setdefault(path.decisions, []).append(path)
    belongs = {decisions: group for group in groups for decisions in group.paths}
    fail_if(sum(len(group.paths) for group in groups) != len(belongs), "the certificate names a path twice")
    for decisions, found in paths.items():
        if decisions not in belongs:
            for path in found:
                Coupling(path, inputs.world).misses(_UNKNOWN, *path.facts)
            continue
        group = belongs[decisions]
        fellows = [fellow for other in group.paths for fellow in paths.get(other, ())]
        for path in found:
            pause()
            check_path(inputs, path, fellows, group.moves)


def check_path(inputs: Inputs, path: BoundedPath, fellows: Sequence[BoundedPath], moves: Sequence[Move]) -> None:
    """Where the run on D1 takes the path, the run on D2 with its noise moved takes one of the fellows and gives the
    same; and the moves cost the claimed epsilon at most.
    """
    coupling = Coupling(path, inputs.world)
    facts = [*path.facts, *(fact for fellow in fellows for fact in fellow.facts)]
    if path.first.draws and len(moves) != len(path.first.draws):
        coupling.misses(_UNKNOWN, *path.facts)
        return
    shifts = coupling.shifts(path.first.draws, moves)
    coupling.affords(coupling.costs(shifts, inputs.epsilon))
    ends = []
    for fellow in fellows:
        if fellow is not path and fellow.regime and coupling.excludes(z3.And(*fellow.regime)):
            continue  # a path that only other arguments have
        keys = [[one.key for one in walk.draws] for walk in (path.first, fellow.first, fellow.second)]
        if fellow is not path and (keys[0] != keys[1] or set(keys[0]) != set(keys[2])):
            # The paths of a group live in one space of noise.
            raise NotProved("paths of one group that draw at different places")
        coupling.same_noise(fellow.second.draws)
        follows = z3.And(*fellow.regime, *fellow.second.conditions)
        ends.append(z3.And(follows, boolean(same_outputs(path.first.outputs, fellow.second.outputs))))
    coupling.follows(shifts, z3.Or(*ends), "the run on D2 gives something else", *facts)
