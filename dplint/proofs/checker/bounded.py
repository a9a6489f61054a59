"""Checks a certificate for data of few sizes: every path of every shape, from the program and the scope alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

import z3

from dplint.claims import Mechanism
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.liveness import liveness_of
from dplint.program.nodes import Program
from dplint.proofs.alignment import ANY, Case, Decisions, Group, Move, Shape
from dplint.proofs.checker.coupling import Coupling, same_outputs
from dplint.proofs.checker.gathering import GatheringWalk
from dplint.proofs.checker.inputs import Inputs, cases, neighbours, shapes
from dplint.proofs.checker.paths import Decider, Path, paths_of_both
from dplint.proofs.checker.values import Leaves, NotProved, boolean, fail_if

_UNKNOWN = "no shifts are known for one way that a run can go"
OneRun = TypeVar("OneRun", bound=GatheringWalk)


def paths_of(program: Program, inputs: Inputs, make: Callable[[int, Decider], OneRun]) -> Iterator[Path[OneRun]]:
    """Every path. make: a run, 1 or 2, that decides so."""
    liveness = liveness_of(program) if inputs.shape.size == ANY else None

    def run(number: int, decider: Decider) -> OneRun:
        made, arguments = make(number, decider), inputs.first if number == 1 else inputs.second
        evaluate(program, made, arguments, hooks=made if liveness is not None else None, liveness=liveness)
        return made

    return paths_of_both(inputs.world, inputs.world, run)


BoundedPath: TypeAlias = Path[GatheringWalk]


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
        self._empty = not self._open

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
        if self._open or self._empty:
            raise NotProved(f"the certificate has no moves for {len(self._open)} shapes")


def check_shape(
    program: Program, inputs: Inputs, groups: Sequence[Group], pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless the groups show the claim for one shape and one choice of listed arguments."""
    leaves = Leaves()
    paths: dict[Decisions, list[BoundedPath]] = {}
    for path in paths_of(program, inputs, partial(GatheringWalk, leaves=leaves, program=program)):
        pause()
        paths.setdefault(path.decisions, []).append(path)
    belongs = {decisions: group for group in groups for decisions in group.paths}
    fail_if(sum(len(group.paths) for group in groups) != len(belongs), "the certificate names a path twice")
    for decisions, found in paths.items():
        if decisions not in belongs:
            for path in found:
                known = [*inputs.world, *path.regime]
                Coupling(path.first, path.second, known, leaves, decisions).misses(_UNKNOWN, *path.facts)
            continue
        group = belongs[decisions]
        fellows = [fellow for other in group.paths for fellow in paths.get(other, ())]
        for path in found:
            pause()
            check_path(inputs, path, fellows, group.moves, leaves)


def check_path(
    inputs: Inputs, path: BoundedPath, fellows: Sequence[BoundedPath], moves: Sequence[Move], leaves: Leaves
) -> None:
    """Where the run on D1 takes the path, the run on D2 with its noise moved takes one of the fellows and gives the
    same; and the moves cost the claimed epsilon at most.
    """
    coupling = Coupling(path.first, path.second, [*inputs.world, *path.regime], leaves, path.decisions)
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
