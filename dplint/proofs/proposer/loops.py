"""Proposes a certificate for data of every length: one linear program over samples of one turn of the loop."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dplint.claims import Categories, Fixed, Mechanism, Span
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.liveness import liveness_of
from dplint.program.nodes import Program
from dplint.proofs.alignment import Bound, Decisions, LoopCertificate, Move, Moves, Potential
from dplint.proofs.checker.endless import Endless, EndOfStage, Stage
from dplint.proofs.checker.inputs import Given, cases, moving_numbers
from dplint.proofs.proposer.forms import Duty, Form, Key, NoProposal
from dplint.proofs.proposer.linear_program import UPWARD, Rows, rounded
from dplint.proofs.proposer.samples import (
    PairOfRuns,
    Sample,
    argument_samples,
    compared,
    epsilon_at,
    equal,
    numbers_of_arguments,
)
from dplint.proofs.proposer.walking import NoDecision, Runs, StageWalk, Walked, numbers_of
from dplint.proofs.terms import NumbersOfTerms
from dplint.relations import Neighbourhood, relation_of

_STAGES: tuple[Stage, ...] = ("enter", "turn", "exit")
_MOST_SAMPLES = 24
_MOST_STATES = 40
_MOST_PATHS = 200


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of a stage. state: where the next turn begins, if one does; `turned` says so.

    before: how many draws it had made when it came to the loop, in a later stage. loop: None if it did not come there.
    """

    walked: Walked
    state: Mapping[str, Any]
    before: int
    loop: Span | None
    turned: bool


@dataclass(slots=True)
class Turn:
    """A path of a stage in both runs, on one choice of arguments."""

    stage: str
    runs: PairOfRuns
    strict: list[bool]
    arguments: Mapping[str, Any]
    first: Ran
    second: Ran
    duties: list[Duty] = field(default_factory=list)


class LoopProposal:
    """The stages of a loop on some samples. Raises NoProposal where there is none that it understands."""

    def __init__(self, program: Program, mechanism: Mechanism, scope: Scope, direction: str = "") -> None:
        self.program = program
        self.direction = direction
        self.mechanism = mechanism
        self.scope = scope
        self.sensitivity = Fraction(repr(float(mechanism.claim.sensitivity)))
        self.summed = relation_of(mechanism.claim).definition is Neighbourhood.SUM_OF_MOVES
        self.liveness = liveness_of(program)
        self.turns: list[Turn] = []
        self._runs: Runs[StageWalk] = Runs()
        known = list(cases(mechanism, scope))
        for given, arguments in [(g, a) for g in known for a in argument_samples(scope, g.case)][:_MOST_SAMPLES]:
            for stage in _STAGES:
                self.turns += self._walk(given, arguments, stage)
        heads = [turn for turn in self.turns if turn.stage == "enter" and turn.first.loop is not None]
        if not heads:
            raise NoProposal("there is no loop over the data")
        self.loop = heads[0].first.loop
        self.numbers = sorted(name for name, value in heads[0].first.state.items() if isinstance(value, Form))
        self.whole = [name for name in self.numbers if self._whole(name)]
        self.states = [(turn.arguments, self._reached(turn)) for turn in heads]

    def _walk(self, given: Given, arguments: Mapping[str, Any], stage: Stage) -> list[Turn]:
        """All paths of a stage on these arguments."""
        (one,), _, (two,) = moving_numbers(self.mechanism, ["0"], self.direction, [])
        known, data = numbers_of_arguments(given, arguments), str(self.mechanism.data)
        epsilon, numbers = epsilon_at(self.mechanism, given, known, 1), numbers_of(known, self._runs.parts)
        first_of, second_of = ({**given.values, data: Endless(item)} for item in (one, two))
        sample = Sample(first_of, second_of, known, epsilon, (stage, given.case))
        found: list[Turn] = []
        open_paths: list[Decisions] = [()]
        while open_paths:
            decisions = open_paths.pop()
            try:
                first = self._run(sample, decisions, numbers, stage, 1)
                second = self._run(sample, decisions, numbers, stage, 2)
            except NoDecision as asked:
                open_paths += [(*decisions, way) for way in range(asked.options)]
                continue
            if stage == "enter" and decisions and first.loop is None:
                raise NoProposal("there is no loop over the data, or noise decides before it")
            if len(found) > _MOST_PATHS:
                raise NoProposal("one turn has too many paths")
            runs = compared(decisions, first.walked, second.walked, sample)
            for name, value in first.state.items():
                if not isinstance(value, Form):
                    equal(value, second.state[name], runs.duties)
            found.append(Turn(stage, runs, first.walked.strict, arguments, first, second))
        return found

    def _run(self, sample: Sample, decisions: Decisions, numbers: NumbersOfTerms, stage: Stage, number: int) -> Ran:
        data = sample.first if number == 1 else sample.second

        def end(run: StageWalk) -> None:
            with suppress(EndOfStage):
                evaluate(self.program, run, data, hooks=run, liveness=self.liveness)

        key = (sample.data, number, decisions)
        run = self._runs.of(key, numbers, lambda: StageWalk(number, decisions, numbers, self._runs.leaves, stage), end)
        walked = run.walked(run.reached)
        return Ran(walked, walked.state or {}, run.before, run.loop, walked.state is not None)

    def _whole(self, name: str) -> bool:
        """Whether a variable takes whole numbers alone, as far as the samples show."""
        for turn in self.turns:
            value = turn.first.state.get(name)
            if not isinstance(value, Form):
                continue
            if any(key[0] in "nuqe" and key != ("", 0) for key in value.factors):
                return False
            if any(factor.denominator != 1 for factor in value.factors.values()):
                return False
        return True

    def _reached(self, head: Turn) -> list[dict[str, Fraction]]:
        """State of whole numbers that turns lead to, from the entry on."""
        start = {name: head.first.state[name].constant for name in self.whole}
        if any(value is None for value in start.values()):
            raise NoProposal("whole-number state that is not known when the loop begins")
        found = [{name: value for name, value in start.items() if value is not None}]
        for state in found:
            if len(found) > _MOST_STATES:
                break
            for turn in self._of(head.arguments, "turn"):
                if turn.first.turned and self._possible(turn, state):
                    after = {name: turn.first.state[name].at(_numbers(state)) for name in self.whole}
                    if after not in found:
                        found.append(after)
        return found[:_MOST_STATES]

    def _of(self, arguments: Mapping[str, Any], stage: str) -> Iterator[Turn]:
        return (turn for turn in self.turns if turn.stage == stage and turn.arguments is arguments)

    def _possible(self, turn: Turn, state: Mapping[str, Fraction]) -> bool:
        """Whether the path's conditions on state alone hold."""
        known = {("v", name) for name in state}
        for form, strict in zip(turn.runs.conditions, turn.strict, strict=True):
            variables = {key for key in form.factors if key != ("", 0)}
            if variables <= known:
                value = form.at(_numbers(state))
                if value < 0 or (strict and value == 0):
                    return False
        tests = [
            (form, holds) for form, holds in turn.first.walked.equalities if form.factors.keys() - {("", 0)} <= known
        ]
        return all((form.at(_numbers(state)) == 0) == holds for form, holds in tests)

    def bounds(self) -> tuple[Bound, ...]:
        """Bounds of whole-number state that all states fulfil that were reached."""
        counts = [
            one.name
            for one in self.scope.arguments
            if not isinstance(one.values, Fixed | Categories) and one.values.integer
        ]
        found: list[Bound] = []
        for name in self.whole:
            ends: list[tuple[int, str, int]] = [(0, "", least) for least in (2, 1, 0)]
            ends += [(times, other, more) for other in counts for times in (4, 2, 1) for more in (-2, -1, 0, 1)]
            for sign in (1, -1):
                for times, other, more in ends:
                    terms = [(name, Fraction(sign))] + ([(other, Fraction(-sign * times))] if times else [])
                    bound = Bound(Fraction(-sign * more), tuple(terms))
                    least_left = [
                        min(_left(bound, arguments, state) for state in states) for arguments, states in self.states
                    ]
                    if all(left == 0 for left in least_left):
                        found.append(bound)
        return tuple(found)

    def solve(self, free: Sequence[str]) -> LoopCertificate:
        """A certificate in which these variables may differ by any number. Raises NoProposal if there is none."""
        return _Program(self, frozenset(free)).solve()


class _Program:
    """The linear program: moves, differences of state, and the coefficients of the potential."""

    def __init__(self, proposal: LoopProposal, free: frozenset[str]) -> None:
        self.proposal = proposal
        self.free = free
        self.rows = Rows()
        turns = [turn for turn in proposal.turns if turn.stage == "turn"]
        self.inside = {drawn.span for turn in turns for drawn in turn.runs.draws[turn.first.before :]}
        self.before: list[int] = []
        self.kept = {name: self._column() for name in proposal.numbers if name not in free}
        self.moves: dict[tuple[str, Decisions], list[tuple[int, int]]] = {}
        self.constant = self._column(0.001)
        self.used = self._column(0.001)
        self.counters: dict[tuple[str, Span], int] = {}
        self.alphas = {name: self._column(0.001) for name in free}

    def _column(self, cost: float = 1.0) -> int:
        new = self.rows.column()
        self.rows.absolute({new: 1.0}, cost)
        return new

    def solve(self) -> LoopCertificate:
        """See `LoopProposal.solve`."""
        proposal = self.proposal
        for arguments, states in proposal.states:
            for turn in proposal._of(arguments, "enter"):
                self._enter(turn)
            for stage in ("turn", "exit"):
                for turn in proposal._of(arguments, stage):
                    if turn.first.loop is not None:
                        for state in states:
                            if proposal._possible(turn, state):
                                self._turn(turn, state)
        found = self.rows.solve()
        if found is None:
            raise NoProposal("no rule for one turn of the loop was found")
        return self._read(rounded(found))

    def _enter(self, turn: Turn) -> None:
        if not self.before:
            self.before = [self._column() for _ in turn.runs.draws]
        shifts: list[dict[int, float]] = [{column: 1.0} for column in self.before]
        self._duties(turn.runs.duties, shifts, {})
        if turn.first.loop is None:
            self._cost(turn, shifts, shifts, {}, {}, 1.0)
            return
        for name in self.proposal.numbers:
            difference = turn.second.state[name].plus(turn.first.state[name], -1)
            row = self._row(_shift_factors(turn.first.state[name]), difference, shifts, {})
            if name in self.free:
                self.rows.equals(row[0], -row[1])
            else:
                row[0][self.kept[name]] = row[0].get(self.kept[name], 0.0) - 1.0
                self.rows.equals(row[0], -row[1])
        state = {name: turn.first.state[name].constant for name in self.proposal.whole}
        after = self._potential(turn, state, 0.0, {}, -1.0)
        self._cost(turn, shifts, shifts, after[0], {}, -after[1])

    def _turn(self, turn: Turn, state: Mapping[str, Fraction]) -> None:
        proposal, runs, before = self.proposal, turn.runs, turn.first.before
        key = (turn.stage, runs.decisions)
        if key not in self.moves:
            kinds: dict[object, tuple[int, int]] = {}
            columns = []
            for drawn in runs.draws[before:]:
                kind = drawn.span
                if kind not in kinds:
                    kinds[kind] = (self._column(), self._column(1.01))
                columns.append(kinds[kind])
            self.moves[key] = columns
        for sample in self._samples():
            numbers = {**_numbers(state), **sample}
            shifts: list[dict[int, float]] = [{column: 1.0} for column in self.before]
            for (constant, own), offset in zip(self.moves[key], runs.offsets[before:], strict=True):
                value = float(offset.without("D").at(numbers)) + sum(
                    float(factor * sample.get(one, 0))
                    for one, factor in offset.part("D").items()
                    if one[1] in self.free
                )
                shifts.append({constant: 1.0, own: value})
            self._duties(runs.duties, shifts, numbers)
            used = abs(float(sample.get(("used", 0), 0)))
            spent = self._potential(turn, state, used, sample, 1.0)
            if not turn.first.turned:
                self._cost(turn, shifts, shifts[before:], spent[0], numbers, 1.0 - spent[1])
                continue
            moved: dict[Key, Fraction] = {}
            for name in proposal.numbers:
                one, two = turn.first.state[name], turn.second.state[name]
                difference = two.plus(one, -1)
                if name in self.free:
                    moved["D", name] = difference.at(numbers)
                    if difference.noisy or _shift_factors(one):
                        raise NoProposal(f"by how much the runs differ in {name} depends on noise")
                else:
                    row = self._row(_shift_factors(one), difference, shifts, numbers)
                    row[0][self.kept[name]] = row[0].get(self.kept[name], 0.0) - 1.0
                    self.rows.equals(row[0], -row[1])
            following = {name: turn.first.state[name].at(_numbers(state)) for name in proposal.whole}
            more = used + (abs(float(sample["e", 0])) if proposal.summed else 0.0)
            after = self._potential(turn, following, more, moved, -1.0)
            row_of_both = {
                column: spent[0].get(column, 0.0) + after[0].get(column, 0.0) for column in {*spent[0], *after[0]}
            }
            self._cost(turn, shifts, shifts[before:], row_of_both, numbers, -spent[1] - after[1])

    def _samples(self) -> Iterator[dict[Key, Fraction]]:
        """Moves of one number, what was used before, and differences of what may differ."""
        most, zero = self.proposal.sensitivity, Fraction(0)
        if not self.proposal.summed:
            moves = {"up": (most, zero), "down": (-most, zero)}.get(self.proposal.direction, (most, -most, zero))
            for move in moves:
                yield {("e", 0): move, **{("D", name): zero for name in self.free}}
            return
        for used, size in ((zero, most), (zero, zero), (most, zero), (most / 2, most / 2)):
            for sign in (1, -1):
                # The checker knows nothing of such a difference but what the potential says of it.
                for signs in itertools.product((1, 0, -1, 4, -4), repeat=len(self.free)):
                    moved = {("D", name): s * max(used, most) for name, s in zip(sorted(self.free), signs, strict=True)}
                    yield {("e", 0): sign * size, ("used", 0): used, **moved}

    def _row(
        self,
        factors: Sequence[tuple[int, Fraction]],
        rest: Form,
        shifts: Sequence[Mapping[int, float]],
        numbers: Mapping[Key, Fraction],
    ) -> tuple[dict[int, float], float]:
        """The sum of factor * shift + rest as a row of unknowns and a number."""
        row: dict[int, float] = {}
        for draw, factor in factors:
            for column, value in shifts[draw].items():
                row[column] = row.get(column, 0.0) + float(factor) * value
        known = dict(numbers)
        for key, factor in rest.part("D").items():
            if key[1] in self.kept:
                row[self.kept[key[1]]] = row.get(self.kept[key[1]], 0.0) + float(factor)
                known[key] = Fraction(0)
        return row, float(rest.at(known))

    def _duties(
        self, duties: Sequence[Duty], shifts: Sequence[Mapping[int, float]], numbers: Mapping[Key, Fraction]
    ) -> None:
        for duty in duties:
            row, rest = self._row(duty.factors, duty.rest, shifts, numbers)
            if duty.equality:
                self.rows.equals(row, -rest)
            else:
                self.rows.at_most({column: -value for column, value in row.items()}, rest)

    def _potential(
        self,
        turn: Turn,
        state: Mapping[str, Fraction | None],
        used: float,
        moved: Mapping[Key, Fraction],
        sign: float,
    ) -> tuple[dict[int, float], float]:
        row = {self.constant: sign, self.used: sign * used / float(self.proposal.sensitivity)}
        for name, value in state.items():
            for span, weight in self._weights(turn).items():
                if (name, span) not in self.counters:
                    self.counters[name, span] = self._column(0.01 if span in self.inside else 0.1)
                row[self.counters[name, span]] = sign * float(value or 0) * weight
        for name, column in self.alphas.items():
            row[column] = -sign * abs(float(moved.get(("D", name), 0))) / float(self.proposal.sensitivity)
        return row, 0.0

    def _weights(self, turn: Turn) -> dict[Span, float]:
        """What a shift by 1 costs at each place in the loop, with the arguments of the turn."""
        found: dict[Span, float] = {}
        for inside in (True, False):  # what a turn draws is likelier to be paid by what it counts
            for other in self.proposal._of(turn.arguments, "turn"):
                for drawn, weight in zip(other.runs.draws, other.runs.weights, strict=True):
                    if (drawn.span in self.inside) is inside and float(weight) not in found.values():
                        found.setdefault(drawn.span, float(weight))
        return found

    def _cost(
        self,
        turn: Turn,
        shifts: Sequence[Mapping[int, float]],
        paid: Sequence[Mapping[int, float]],
        row: Mapping[int, float],
        numbers: Mapping[Key, Fraction],
        budget: float,
    ) -> None:
        del numbers
        skipped = len(shifts) - len(paid)
        total = dict(row)
        for shift, weight, drawn in zip(paid, turn.runs.weights[skipped:], turn.runs.draws[skipped:], strict=True):
            total[self.rows.absolute(shift)] = float(weight)
            if drawn.distribution in UPWARD:
                self.rows.at_most({column: -value for column, value in shift.items()}, 0.0)
        self.rows.at_most(total, budget)

    def _read(self, exact: Sequence[Fraction]) -> LoopCertificate:
        proposal = self.proposal
        assert proposal.loop is not None
        differences = {name: exact[column] for name, column in self.kept.items()}
        groups: dict[str, list[Moves]] = {"turn": [], "exit": []}
        for (stage, decisions), columns in self.moves.items():
            turn = next(t for t in proposal.turns if t.stage == stage and t.runs.decisions == decisions)
            moves = []
            for number, (constant, own) in enumerate(columns):
                offset = turn.runs.offsets[turn.first.before + number]
                # The checker counts what the runs are known to differ by among the offset.
                known = sum(
                    (f * differences[k[1]] for k, f in offset.part("D").items() if k[1] in differences), Fraction(0)
                )
                factor = exact[own] if offset.factors else Fraction(0)
                moves.append(Move(exact[constant] - factor * known, ((number, factor),) if factor else ()))
            groups[stage].append(Moves(decisions, tuple(moves)))
        named: dict[str, Fraction | None] = {**differences, **dict.fromkeys(self.free)}
        return LoopCertificate(
            loop=proposal.loop,
            before=tuple(Move(exact[column]) for column in self.before),
            differences=tuple(sorted(named.items(), key=lambda one: one[0])),
            bounds=proposal.bounds(),
            potential=Potential(
                constant=exact[self.constant],
                counters=tuple((n, span, exact[c]) for (n, span), c in self.counters.items() if exact[c]),
                used=exact[self.used] if proposal.summed else Fraction(0),
                free=tuple((name, exact[column]) for name, column in self.alphas.items() if exact[column]),
            ),
            turns=tuple(groups["turn"]),
            after=tuple(groups["exit"]),
        )


def _numbers(state: Mapping[str, Fraction]) -> dict[Key, Fraction]:
    return {("v", name): value for name, value in state.items()}


def _shift_factors(form: Any) -> tuple[tuple[int, Fraction], ...]:
    return tuple((key[1], factor) for key, factor in form.part("n").items())


def _left(bound: Bound, arguments: Mapping[str, Any], state: Mapping[str, Fraction]) -> Fraction:
    """The side of an inequality that must not be negative."""
    total = bound.constant
    for name, factor in bound.terms:
        total += factor * (state[name] if name in state else Fraction(arguments[name]))
    return total
