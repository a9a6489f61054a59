"""Checks a certificate for data of few sizes: every path of every shape, from the program and the scope alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import TypeAlias, TypeVar

import z3

from dplint.claims import Mechanism
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program
from dplint.proofs.alignment import ANY, Case, Decisions, Group, Move, Shape
from dplint.proofs.checker import laws
from dplint.proofs.checker.costs import Ratio, ratio_of, total_cost_at_most
from dplint.proofs.checker.gathering import GatheringWalk
from dplint.proofs.checker.inputs import Inputs, cases, neighbours, shapes
from dplint.proofs.checker.paths import Decider, Path, excludes, paths_of_both, solver_for
from dplint.proofs.checker.values import (
    Leaves,
    Mask,
    NotProved,
    Value,
    abs_of,
    boolean,
    both,
    equal,
    is_number,
    negate,
    term,
)
from dplint.proofs.checker.walking import Drawn, Output
from dplint.relations import Neighbourhood

OneRun = TypeVar("OneRun", bound=GatheringWalk)


class Refuted(NotProved):
    """Certain data and arguments for which a path's moves do not do: the variables as they are in the model."""

    def __init__(self, reason: str, shape: Shape, decisions: Decisions, model: z3.ModelRef) -> None:
        super().__init__(reason)
        self.shape = shape
        self.decisions = decisions
        self.model = model


def paths_of(program: Program, inputs: Inputs, make: Callable[[int, Decider], OneRun]) -> Iterator[Path[OneRun]]:
    """Every path. make: a run, 1 or 2, that decides so."""

    def run(number: int, decider: Decider) -> OneRun:
        made, arguments = make(number, decider), inputs.first if number == 1 else inputs.second
        evaluate(program, made, arguments, hooks=made if inputs.shape.size == ANY else None)
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
    if sum(len(group.paths) for group in groups) != len(belongs):
        raise NotProved("the certificate names a path twice")
    for decisions, found in paths.items():
        if decisions not in belongs:
            for path in found:
                _missing(inputs, path)
            continue
        group = belongs[decisions]
        fellows = [fellow for other in group.paths for fellow in paths.get(other, ())]
        for path in found:
            pause()
            check_path(inputs, path, fellows, group.moves, leaves)


def _missing(inputs: Inputs, path: BoundedPath) -> None:
    """Raises Refuted, with values on which a run takes the path that the certificate leaves out."""
    facts = [*path.facts, *supports(path.first.draws)]
    solver = solver_for([*inputs.world, *path.regime, *path.first.conditions, *facts])
    expect(solver, False, "no shifts are known for one way that a run can go", inputs.shape, path.decisions)


def check_path(
    inputs: Inputs,
    path: BoundedPath,
    fellows: Sequence[BoundedPath],
    moves: Sequence[Move],
    leaves: Leaves,
) -> None:
    """Where the run on D1 takes the path, the run on D2 with its noise moved takes one of the fellows and gives the
    same; and the moves cost the claimed epsilon at most.
    """
    if path.first.draws and len(moves) != len(path.first.draws):
        _missing(inputs, path)
        return
    shifts = shifts_of(path.first.draws, path.second.draws, moves, leaves)
    known = solver_for([*inputs.world, *path.regime])
    widths = [check_draw(drawn, shift, inputs.epsilon, known, leaves) for drawn, shift in shifts]
    costs = list(zip(moved_in_all(shifts, widths, leaves), widths, strict=True))
    expect_affordable(known, costs, inputs.shape, path.decisions)
    ends = []
    for fellow in fellows:
        if fellow is not path and fellow.regime and excludes(known, z3.And(*fellow.regime)):
            continue  # a path that only other arguments have
        keys = [[one.key for one in walk.draws] for walk in (path.first, fellow.first, fellow.second)]
        if fellow is not path and (keys[0] != keys[1] or set(keys[0]) != set(keys[2])):
            # The paths of a group live in one space of noise.
            raise NotProved("paths of one group that draw at different places")
        same_noise(path.first.draws, fellow.second.draws, known)
        follows = z3.And(*fellow.regime, *fellow.second.conditions)
        ends.append(z3.And(follows, boolean(same_outputs(path.first.outputs, fellow.second.outputs))))
    moved = [moved_by(drawn, shift) for drawn, shift in shifts]
    facts = [*path.facts, *(fact for fellow in fellows for fact in fellow.facts), *supports(path.first.draws)]
    solver = solver_for([*inputs.world, *path.regime, *path.first.conditions, *moved, *facts])
    expect(solver, z3.Or(*ends), "the run on D2 gives something else", inputs.shape, path.decisions)


def moved_in_all(
    shifts: Sequence[tuple[Drawn, z3.ArithRef]], widths: Sequence[Ratio], leaves: Leaves
) -> list[z3.ArithRef]:
    """The size of each shift; of draws for each item of a vector, of all their shifts at most.

    What draws of one width for the same item move together is bounded together: the first of them stands for all.
    """
    found: list[z3.ArithRef] = []
    together: dict[str, list[int]] = {}
    for number, ((drawn, shift), width) in enumerate(zip(shifts, widths, strict=True)):
        if drawn.source is not None:
            together.setdefault(repr((width.top, width.bottom)), []).append(number)
        elif "g" in leaves.of(shift):
            raise NotProved("a move that is another for each item")
        found.append(abs_of(shift) if drawn.source is None else z3.IntVal(0))
    for numbers in together.values():
        source = shifts[numbers[0]][0].source
        moved = z3.Sum([abs_of(shifts[number][1]) for number in numbers])
        bound = None if source is None else source.moved(moved, Neighbourhood.SUM_OF_MOVES)
        if bound is None:
            raise NotProved("noise for each of any number of items, whose moves have no bound")
        found[numbers[0]] = bound
    return found


def supports(draws: Sequence[Drawn]) -> list[z3.BoolRef]:
    """Draws are not below the least value that they may have."""
    return [fact for drawn in draws for fact in laws.at_least(drawn.distribution, drawn.number)]


def moved_by(drawn: Drawn, shift: z3.ArithRef) -> z3.BoolRef:
    """That the draw of the run on D2 is that of the run on D1, shifted."""
    one, other = (z3.Const(f"{run}:{drawn.key}", drawn.number.sort()) for run in "nm")
    return other == one + shift


def shifts_of(
    draws: Sequence[Drawn], others: Sequence[Drawn], moves: Sequence[Move], leaves: Leaves
) -> list[tuple[Drawn, z3.ArithRef]]:
    """Each draw of a path with its shift, a term over data and arguments alone. others: those of the run on D2.

    Where arguments alone end a run before it draws, there is nothing to move.
    """
    moves = moves if draws else ()
    if len(moves) != len(draws):
        raise NotProved(f"the certificate moves {len(moves)} draws, and a path makes {len(draws)}")
    bases = {drawn.key: drawn.base for drawn in others}
    offsets: list[z3.ArithRef | None] = []
    for drawn in draws:
        other = bases.get(drawn.key)
        offsets.append(None if drawn.base is None or other is None else other - drawn.base)
    shifts = []
    for drawn, move in zip(draws, moves, strict=True):
        shift = _factor(move.constant)
        for number, factor in move.offsets:
            shift = shift + _factor(factor) * _offset(offsets, number)
        for number, factor in move.rises:
            offset = _offset(offsets, number)
            shift = shift + _factor(factor) * z3.If(offset > 0, offset, 0)
        if leaves.noisy(shift):
            raise NotProved("a move that depends on noise")
        # Sums and products of terms of whole numbers are such a term; any other may be no whole number.
        if laws.is_whole(drawn.distribution) and not shift.is_int():
            raise NotProved("a whole number that may be moved by what is none")
        shifts.append((drawn, shift))
    return shifts


def _offset(offsets: Sequence[z3.ArithRef | None], number: int) -> z3.ArithRef:
    offset = offsets[number] if 0 <= number < len(offsets) else None
    if offset is None:
        raise NotProved("a move by the offset of a draw that has none")
    return offset


def _factor(value: Fraction) -> z3.ArithRef:
    """A term of whole numbers where it is one."""
    exact = Fraction(value)
    return term(int(exact) if exact.denominator == 1 else exact)


def check_draw(drawn: Drawn, shift: z3.ArithRef, epsilon: Value, known: z3.Solver, leaves: Leaves) -> Ratio:
    """What one unit of a draw costs in shares of epsilon; NotProved where the shift has no finite cost."""
    if not is_number(drawn.scale) or leaves.of(drawn.scale) - {"a"}:
        raise NotProved("noise whose scale depends on the data")
    if leaves.of(epsilon) - {"a"}:
        raise NotProved("a claimed epsilon that depends on the data")
    for wrong in (term(drawn.scale) <= 0, term(epsilon) <= 0):
        if not excludes(known, wrong):
            raise NotProved("a scale, or the claimed epsilon, that may not be positive")
    if laws.is_upward(drawn.distribution) and not excludes(known, shift < 0):
        raise NotProved(f"{drawn.distribution} noise that may be moved down")
    return (ratio_of(drawn.scale) * ratio_of(epsilon)).inverse()


def same_noise(first: Sequence[Drawn], second: Sequence[Drawn], known: z3.Solver) -> None:
    """What both runs draw has the same law; one alone may draw what it then does not use."""
    seconds = {drawn.key: drawn for drawn in second}
    for one in first:
        other = seconds.get(one.key)
        if other is None:
            continue
        if one.distribution != other.distribution or (one.source is None) is not (other.source is None):
            raise NotProved("one draw from two distributions")
        if not is_number(other.scale):
            raise NotProved("a scale that is no number")
        if not excludes(known, term(one.scale) != term(other.scale)):
            raise NotProved("noise whose scale differs between the runs")


def same_outputs(first: Sequence[Output], second: Sequence[Output]) -> Mask:
    """Whether the two runs give the same, wherever they end."""
    result: Mask = True
    for one in first:
        for other in second:
            here = both(one.mask, other.mask)
            same = one.kind == other.kind and equal(one.value, other.value)
            if here is False or same is True:
                continue
            result = both(result, negate(here) if same is False else z3.Or(z3.Not(boolean(here)), same))
    return result


def expect_affordable(
    solver: z3.Solver,
    costs: Sequence[tuple[z3.ArithRef, Ratio]],
    shape: Shape,
    decisions: Decisions,
    budget: z3.ArithRef | None = None,
) -> None:
    """Raises as `expect` unless the costs add up to 1 at most, or to the budget, in shares of the claimed epsilon."""
    affordable, positive = total_cost_at_most(costs, budget)
    expect(solver, z3.And(*positive), "a denominator of a scale may not be positive", shape, decisions)
    expect(solver, affordable, "the moves cost more than the claimed epsilon", shape, decisions)


def expect(solver: z3.Solver, fact: Mask, reason: str, shape: Shape, decisions: Decisions) -> None:
    """Raises NotProved unless the fact follows, Refuted where z3 knows values against it."""
    solver.push()
    solver.add(z3.Not(boolean(fact)))
    answer = solver.check()
    if answer == z3.sat:
        raise Refuted(reason, shape, decisions, solver.model())
    solver.pop()
    if answer != z3.unsat:
        raise NotProved(f"z3 does not know whether {reason}")
