"""Proposes moves for every path of one shape: from samples, and from the counterexamples of the checker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

from dplint.claims import Mechanism
from dplint.program.nodes import Program
from dplint.proofs.alignment import ANY, Decisions, Move, Moves, Shape
from dplint.proofs.checker.inputs import Given
from dplint.proofs.proposer.forms import Key, NoProposal
from dplint.proofs.proposer.linear_program import UPWARD, WHOLE, moves_for
from dplint.proofs.proposer.samples import PairOfRuns, pairs_of_runs, samples
from dplint.proofs.proposer.walking import Drawn, Runs, SampleWalk
from dplint.relations import DataKind, relation_of

_MOST_FEATURES = 14


class NoMoves(NoProposal):
    """No moves at all do on a sample: a hint where the claim may be wrong.

    runs: the paths for which there are none, on the sample that shows it.
    """

    def __init__(self, reason: str, runs: PairOfRuns) -> None:
        super().__init__(reason)
        self.runs = runs


Memory: TypeAlias = dict[object, tuple[Fraction, Fraction, Fraction]]
"""What a draw has moved by where it had the same duties: a constant, and the factors of its own offset and its rise."""


@dataclass(slots=True)
class ShapeProposal:
    """What is known of one shape: the runs on all samples so far, by their paths. given: the arguments of its case.
    pause: raises where the time is over.

    _stays: whether no sample shows what is against the moves, so that noisy numbers had better stay what they are.
    """

    program: Program
    mechanism: Mechanism
    shape: Shape
    given: Given
    pause: Callable[[], None]
    memory: Memory = field(default_factory=dict)
    paths: dict[Decisions, list[PairOfRuns]] = field(default_factory=dict)
    _stays: bool = False
    _runs: Runs[SampleWalk] = field(default_factory=Runs)
    _forgotten: set[Decisions] = field(default_factory=set)
    _solved: dict[Decisions, tuple[int, tuple[Move, ...]]] = field(default_factory=dict)

    def sample(
        self, arguments: Mapping[str, Any], numbers: Mapping[Key, Fraction] | None = None, records: Any = None
    ) -> None:
        """Walk the samples of one choice of arguments; on these answers and moves, or these records, alone."""
        vectors = relation_of(self.mechanism.claim).data is DataKind.VECTOR
        same: list[PairOfRuns] | None = None
        for one in samples(self.mechanism, self.shape, self.given, arguments, numbers, records):
            if same is not None:
                found = [replace(run, sample=one) for run in same]
            else:
                found = list(pairs_of_runs(self.program, one, self._runs, self.pause))
                same = found if vectors and not any(run.looked for run in found) else None
            for run in found:
                fellows = self.paths.setdefault(run.decisions, [])
                if run.draws and not all(fellow.draws for fellow in fellows):
                    fellows.clear()  # arguments had ended these before they drew, and left nothing to move
                if run.draws or not any(fellow.draws for fellow in fellows):
                    fellows.append(run)

    def refuted(
        self, decisions: Decisions, arguments: Mapping[str, Any], numbers: Mapping[Key, Fraction], records: Any = None
    ) -> None:
        """The moves of a path do not do on these arguments, and answers with their moves, or records, of neighbours."""
        if decisions not in self._forgotten:
            # What was remembered came of shorter data, where less was asked of it.
            self._forgotten.add(decisions)
            self.memory.clear()
        self._stays |= self.shape.size == ANY and not numbers and records is None
        self.sample(arguments, numbers or None, records)

    def moves(self) -> tuple[Moves, ...]:
        """Those of every path that a sample has taken. Raises NoProposal, or NoMoves if no moves do."""
        found = [Moves(decisions, self._of(decisions)) for decisions in self.paths]
        if self.shape.size != ANY or () in self.paths:
            return tuple(found)
        # What noise decides of each item is no decision of the run: then noisy numbers have to stay what they are.
        draws = max((runs[0].draws for runs in self.paths.values()), key=len)
        return (*found, Moves((), _staying(draws)))

    def _of(self, decisions: Decisions) -> tuple[Move, ...]:
        runs = self.paths[decisions]
        if self._stays:
            return _staying(runs[0].draws)
        recalled = None if decisions in self._forgotten else self._recalled(runs)
        if recalled is not None:
            return recalled
        count, moves = self._solved.get(decisions, (0, ()))
        if count != len(runs):
            solved = _moves(runs)
            if solved is None:
                raise self._refused(decisions)
            moves = solved
            self._solved[decisions] = len(runs), moves
            self._remember(runs[0], moves)
        return moves

    def _recalled(self, runs: Sequence[PairOfRuns]) -> tuple[Move, ...] | None:
        """Moves by what draws with the same duties have moved by; None if one has none."""
        moves = []
        for number, kind in enumerate(kinds_of_draws(runs[0])):
            if kind not in self.memory:
                return None
            constant, factor, rise = self.memory[kind]
            if runs[0].draws[number].distribution in UPWARD:
                offsets = [run.offsets[number].at(run.sample.numbers) for run in runs]
                if any(constant + factor * one + rise * max(one, Fraction(0)) < 0 for one in offsets):
                    return None
            moving = all(run.draws[number].base is not None for run in runs)
            factors = [((number, one),) if one and moving else () for one in (factor, rise)]
            moves.append(Move(constant, *factors))
        return tuple(moves)

    def _remember(self, run: PairOfRuns, moves: Sequence[Move]) -> None:
        for number, (kind, move) in enumerate(zip(kinds_of_draws(run), moves, strict=True)):
            if all(other == number for other, _ in (*move.offsets, *move.rises)):
                factor, rise = (dict(one).get(number, Fraction(0)) for one in (move.offsets, move.rises))
                self.memory.setdefault(kind, (move.constant, factor, rise))

    def _refused(self, decisions: Decisions) -> NoMoves:
        for run in self.paths[decisions]:
            if _moves([run]) is None:
                return NoMoves("no shift will do", run)
        return NoMoves("no rule of this form", self.paths[decisions][-1])


def _staying(draws: Sequence[Drawn]) -> tuple[Move, ...]:
    """Moves by which each noisy number stays what it is."""
    bases = (((number, Fraction(-1)),) if one.base is not None else () for number, one in enumerate(draws))
    return tuple(Move(Fraction(0), base) for base in bases)


def _moves(runs: Sequence[PairOfRuns]) -> tuple[Move, ...] | None:
    """Moves by a constant and the own offset, alike for draws with the same duties; else by more."""
    count = len(runs[0].draws)
    if any(len(run.draws) != count for run in runs):
        return None
    moving = [number for number in range(count) if any(run.offsets[number].factors for run in runs)]
    own = [[number] if number in moving else [] for number in range(count)]
    any_own = [[number] if drawn.base is not None else [] for number, drawn in enumerate(runs[0].draws)]
    found = moves_for(runs, any_own, kinds_of_draws(runs[0])) if moving else None
    if found is not None and _fails_for_whole(runs[0], found):
        found = moves_for(runs, any_own, range(count), rising=True)
    if found is None:
        found = moves_for(runs, own, range(count))
    if found is None and any(drawn.distribution in UPWARD for drawn in runs[0].draws):
        found = moves_for(runs, any_own, range(count), rising=True)
    if found is None and len(moving) > 1 and count <= _MOST_FEATURES:
        found = moves_for(runs, [moving] * count, range(count))
    return found


def _fails_for_whole(run: PairOfRuns, moves: Sequence[Move]) -> bool:
    """Whether a draw of whole numbers moves by a fraction."""
    return any(
        drawn.distribution in WHOLE
        and any(one.denominator != 1 for one in (move.constant, *(factor for _, factor in move.offsets)))
        for drawn, move in zip(run.draws, moves, strict=True)
    )


def kinds_of_draws(run: PairOfRuns) -> list[object]:
    """What tells draws with different duties apart: the place, and how a duty speaks of it."""
    kinds: list[set[object]] = [set() for _ in run.draws]
    for duty in run.duties:
        for number, factor in duty.factors:
            kinds[number].add((duty.equality, factor, len(duty.factors)))
    return [(drawn.span, frozenset(kind)) for drawn, kind in zip(run.draws, kinds, strict=True)]
