"""The search for what refutes a claim by computed losses: pairs, choices of arguments, what is next to the worst.

How far the outputs of programs scatter, on the same data: by runs of the programs, none of the function.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from dplint.audit.branching import branch_inputs, with_arguments
from dplint.audit.comparing import NotPlain, program_arguments
from dplint.audit.exact.climbing import climbed_pairs
from dplint.audit.exact.evidence import (
    Shown,
    is_crash,
    shown_by,
    shown_by_densities,
    shown_by_divergence,
    shown_on_curve,
    shown_with_delta,
)
from dplint.audit.exact.pairs import (
    LIMITS,
    ComputedPair,
    NotComputed,
    TooLong,
    compute_pair,
    computed_pairs,
    observation_of,
    sides_of,
    worst_first,
)
from dplint.audit.exact.worst import WorstSearch
from dplint.audit.inputs import Choice, find_choices, is_claimed, translated
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Mechanism, Pair
from dplint.definitions import Promised
from dplint.inputs.branches import BranchInput
from dplint.jobs import AuditJob, SourceJob
from dplint.outcomes import PairLoss, exceeds
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings import concrete
from dplint.readings.concrete import RealGenerators

_FORMS = ("scalar", "list", "tuple", "array")
"""Of data that a program can be given."""
_SUGGESTED = 3
"""Inputs of branches that runs try first where nothing can be computed."""
_TRIED = 8
"""Pairs that something countable is looked for on."""
_AFTER_CRASH = 40
"""Pairs that something better than an exception is looked for on, once one refutes the claim."""
_FIRST, _AT_MOST = 0.5, 1.0
"""Which share of the time the first choice of arguments has before all else, and how many seconds at most."""
_GOING_ON, _BRANCHES, _OTHERS = 0.1, 0.4, 0.7
"""After which share of what is left it has had its turn, what branches ask for, and other choices."""
_SECONDS_FOR_SEARCH = 8.0
"""With so much time, as at night, climbs begin again and again, from the best and at random, until it is over."""
_SECONDS_FOR_CHOICES = 1.0
"""Other choices take the solver some tenths of a second: with less time than this they are left to the bets."""


def has_plain_data(session: AuditSession, mechanism: Mechanism) -> bool:
    """Whether data of the claim can be given to a program; others are objects that only the user's interpreter has."""
    claim = mechanism.claim
    if claim.pairs is not None:
        return claim.make is None and all(pair.plain for pair in session.find_pairs())
    return claim.make is None and session.form in _FORMS


@dataclass
class Found:
    """What was computed for one value of the claim. best: the pair on which something countable shows the largest loss,
    with what does; crash: it rests on an exception, and whatever does not is better. at: the point of a promise that it
    refutes, where that is another one than the value says.
    """

    computed: list[ComputedPair] = field(default_factory=list)
    refuting: list[ComputedPair] = field(default_factory=list)
    best: tuple[ComputedPair, Shown] | None = None
    crash: bool = False
    at: Setting | None = None

    def add(self, one: ComputedPair, setting: Setting) -> None:
        """Take note of a pair; of the first that refute the claim while their laws are there."""
        self.computed.append(one)
        if not exceeds(one.loss.low, setting.epsilon):
            largest = all(one.loss.low > other.loss.low for other in self.computed[:-1])
            if setting.promised is not None and setting.last and self.best is None and largest:
                self._on_whole_curve(one, setting, setting.promised)
            return
        self.refuting.append(one)
        if len(self.refuting) > _TRIED:
            return
        shown = (
            shown_with_delta(one, setting.epsilon, setting.delta) if setting.delta else shown_by(one, setting.epsilon)
        )
        if shown is None:
            return
        crash = shown.of_exceptions or is_crash(one)
        if self.best is None or (not crash, *_strength(shown)) > (not self.crash, *_strength(self.best[1])):
            self.best, self.crash = (one, shown), crash

    def _on_whole_curve(self, one: ComputedPair, setting: Setting, promised: Promised) -> None:
        """Where no point that bets are about refutes a promise, by others, which cost no level, and by divergences."""
        point = shown_on_curve(one, promised)
        if point is not None:
            computed, shown, (epsilon, delta) = point
            self.at = replace(setting, epsilon=epsilon, delta=delta)
            self.best = computed, replace(shown, broken=self.at.broken(shown.lower))
        else:
            self.best = shown_by_divergence(one, promised)
        self.refuting += [self.best[0]] if self.best else []

    @property
    def worst(self) -> ComputedPair:
        """The pair that loses most of those that refute the claim; there must be one."""
        return max(self.refuting, key=lambda one: one.loss.low)

    def strongest(self, setting: Setting) -> tuple[ComputedPair, Shown] | None:
        """What refutes the claim, by something countable or else by densities; None if nothing is known that does."""
        if self.best is not None or not self.refuting or setting.delta:
            return self.best
        worst = self.worst
        shown = shown_by_densities(worst)
        return None if shown is None else (worst, shown)


@dataclass(frozen=True)
class _OfValue:
    """One value of the claim, with the pairs and the first choice of arguments that it is computed for."""

    setting: Setting
    found: Found
    pairs: Sequence[Pair]
    choice: Choice

    def left(self) -> list[Pair]:
        """The pairs that are not computed yet."""
        done = {sides_of(one.pair) for one in self.found.computed}
        return [pair for pair in self.pairs if sides_of(pair) not in done]


@dataclass
class Refuting:
    """The values of a claim in turn, each with an equal share of the time that is left.

    First the pairs of the claim with the first choice of arguments, which takes little; then, for who wants it, what is
    reached from there. refused: why nothing could be computed, once that is known. uncomputed: what branches ask for,
    then.
    """

    session: AuditSession
    job: AuditJob | SourceJob
    program: Program
    refused: str = ""
    uncomputed: Sequence[BranchInput] = ()
    _pairs: Sequence[Pair] = ()
    _left: list[_OfValue] = field(default_factory=list)
    _seconds: float = 0.0
    _branch_inputs: list[BranchInput] = field(default_factory=list)
    _more_branches: Iterator[BranchInput] | None = None

    def values(self) -> Iterator[tuple[Setting, Found]]:
        """What was computed for each value on the pairs of the claim, up to one at which the first pair is refused."""
        settings, session = self.session.claimed, self.session
        pairs = [setting.fitting(session.find_pairs()) for setting in settings]
        first = find_choices(self.job, session, pairs[0], settings[0], quick=True)
        self._pairs = pairs[0]
        session.announce("computing probabilities")
        begin, seconds = time.process_time(), min(_FIRST * self.job.settings.exact_seconds, _AT_MOST)
        for number, setting in enumerate(settings):
            (choice, *_) = translated(first, setting)
            now = time.process_time()
            end = now + (begin + seconds - now) / (len(settings) - number)
            found = Found()
            try:
                self._take(
                    setting, found, computed_pairs(session, self.program, pairs[number], choice, setting.delta, end)
                )
            except NotComputed as error:
                self.refused = str(error)
                end = begin + self.job.settings.exact_seconds
                claimed = (
                    one
                    for one in self.branches(choice, end)
                    if is_claimed(self.session, one.pair, with_arguments(choice, one.arguments), setting)
                )
                self.uncomputed = list(islice(claimed, _SUGGESTED))
                return
            self._left.append(_OfValue(setting, found, pairs[number], choice))
            yield setting, found
        self._seconds = max(0.0, begin + self.job.settings.exact_seconds - time.process_time())

    def whole(self) -> Iterator[tuple[Setting, Found]]:
        """The values of the claim after all that there is time for."""
        for _ in self.values():
            pass
        yield from self.further()

    def further(self) -> Iterator[tuple[Setting, Found]]:
        """The same after more pairs of each, other choices, and what is next to the worst; after `values`."""
        while self._left:
            of_value, begin = self._left[0], time.process_time()
            self.go_on(of_value.found, self._seconds / len(self._left))
            self._seconds = max(0.0, self._seconds - (time.process_time() - begin))
            yield of_value.setting, of_value.found

    def go_on(self, found: Found, seconds: float | None = None) -> None:
        """More pairs of one of the values, once, unless it is refuted well enough. seconds: None for the usual time."""
        of_value = next(one for one in self._left if one.found is found)
        self._left.remove(of_value)
        if found.best and not found.crash and not self.job.settings.keep_going:
            return
        seconds = self.job.settings.exact_seconds if seconds is None else seconds
        with suppress(NotComputed):  # of sizes that the first pairs left out
            self._take(of_value.setting, found, self._candidates(of_value, seconds))

    def _take(self, setting: Setting, found: Found, candidates: Iterable[ComputedPair]) -> None:
        """Take note of pairs, up to one that refutes the claim."""
        further = 0
        for one in candidates:
            further += bool(found.best)
            found.add(one, setting)
            if found.best and not self.job.settings.keep_going and (not found.crash or further >= _AFTER_CRASH):
                break

    def _candidates(self, of_value: _OfValue, seconds: float) -> Iterator[ComputedPair]:
        """All pairs with the first choice of arguments, with other choices, and then what is next to the worst."""
        session, program, begin = self.session, self.program, time.process_time()
        setting, found, first = of_value.setting, of_value.found, of_value.choice
        delta = setting.delta
        others = self._other_choices(setting, first)
        yield from computed_pairs(session, program, of_value.left(), first, delta, begin + _GOING_ON * seconds)
        yield from self._at_branches(setting, first, begin + _BRANCHES * seconds)
        for choice in others or ():
            try:
                yield from computed_pairs(session, program, of_value.pairs, choice, delta, begin + _OTHERS * seconds)
            except NotComputed:
                continue
        if found.computed:
            start = max(found.computed, key=lambda one: one.loss.low)
            yield from climbed_pairs(session, program, start, setting, begin + seconds)
            if self.job.settings.exact_seconds >= _SECONDS_FOR_SEARCH:
                left = begin + seconds - time.process_time()
                yield from WorstSearch(session, program, first, setting, left, patterns=False).candidates(
                    found.computed
                )

    def _at_branches(self, setting: Setting, choice: Choice, end: float) -> Iterator[ComputedPair]:
        """What branches of the program ask for, as far as the claim speaks of it."""
        for one in self.branches(choice, end):
            if time.process_time() > end:
                return
            chosen = with_arguments(choice, one.arguments)
            if not is_claimed(self.session, one.pair, chosen, setting):
                continue
            try:
                found = compute_pair(self.session, self.program, one.pair, chosen, LIMITS, delta=setting.delta, end=end)
            except NotComputed:
                continue
            except TooLong:
                return
            yield worst_first(found)

    def branches(self, choice: Choice, end: float) -> Iterator[BranchInput]:
        """Inputs that branches ask for; each is looked for once, and for the first value of the claim."""
        yield from self._branch_inputs
        if self._more_branches is None:
            self._more_branches = branch_inputs(self.session, self.program, choice, end)
        for one in self._more_branches:
            self._branch_inputs.append(one)
            yield one

    def _other_choices(self, setting: Setting, first: Choice) -> Iterator[Choice] | None:
        """Those that the audit has beside the first; None where there is no time, or nothing to choose."""
        if not first.arguments or self.job.settings.exact_seconds < _SECONDS_FOR_CHOICES:
            return None
        return self._found_choices(setting, first)

    def _found_choices(self, setting: Setting, first: Choice) -> Iterator[Choice]:
        """Looked for once, for the first value of the claim, when the first of them is asked for."""
        found = find_choices(self.job, self.session, self._pairs, self.session.claimed[0])
        for choice in translated(found, setting):
            if choice.values != first.values:
                yield choice


def pair_loss(computed: ComputedPair, setting: Setting) -> PairLoss:
    """The loss of a pair as an outcome tells it."""
    worst = computed.worst
    exact = not worst.unknown and worst.loss.low < math.inf
    return PairLoss(
        d1=computed.pair.d1,
        d2=computed.pair.d2,
        arguments=computed.arguments,
        loss=computed.loss,
        claimed=setting.epsilon,
        delta=setting.delta,
        where=observation_of(worst.output) if setting.delta == 0 and (exact or worst.infinite is not None) else None,
    )


def _strength(shown: Shown) -> tuple[float, float]:
    return shown.lower, shown.evidence.p1.low


_RUNS = 200
_STREAM = 1 << 23


def standard_deviations(
    session: AuditSession, job: SourceJob, programs: tuple[Program, Program]
) -> tuple[float | None, float | None]:
    """Of the numbers in an output, their mean: data and arguments are those of the first program, the largest data.

    None for both where one cannot be run so or has no numbers in its outputs, and where one gives places, or counts,
    and the other measures.
    """
    setting = session.claimed[0]
    pairs = setting.fitting(session.find_pairs())
    if not pairs:
        return None, None
    (choice, *_) = find_choices(replace(job, program=programs[0]), session, pairs, setting, quick=True)
    data = session.data_value(max(pairs, key=lambda pair: pair.size), 1)
    found: list[tuple[float, bool] | None] = []
    for program in programs:
        try:
            given = program_arguments(program, session.mechanism, data, choice.values)
            found.append(_deviation(program, given, session.seed))
        except (NotPlain, UnsupportedConstruct, ValueError, OverflowError):
            found.append(None)
    first, second = found
    if first is None or second is None or first[1] != second[1]:
        return None, None
    return first[0], second[0]


def _deviation(program: Program, given: dict[str, Any], seed: int) -> tuple[float, bool] | None:
    """The mean over the places that every output has, and whether all numbers there are whole."""
    generators = RealGenerators(*np.random.SeedSequence(seed, spawn_key=(_STREAM,)).spawn(2))
    outputs = []
    for _ in range(_RUNS):
        run = concrete.run(
            program, given, lambda node, parameters, size, _site: generators.draw(node, dict(parameters), size)
        )
        if run.exception is None:
            outputs.append(list(_numbers(run.output)))
    places = min(map(len, outputs), default=0)
    if len(outputs) < _RUNS or not places:
        return None
    whole = all(isinstance(number, int) for one in outputs for number in one[:places])
    return float(np.mean(np.std(np.array([one[:places] for one in outputs], dtype=float), axis=0))), whole


def _numbers(output: Any) -> Iterator[float]:
    """The numbers in an output, in their order; a truth value is none."""
    match output:
        case bool() | np.bool_():
            return
        case int() | float() | np.number():
            yield output if isinstance(output, int) else output.item() if isinstance(output, np.number) else output
        case np.ndarray():
            yield from _numbers(output.tolist())
        case dict():
            yield from _numbers(list(output.values()))
        case Sequence() if not isinstance(output, str | bytes):
            for one in output:
                yield from _numbers(one)
