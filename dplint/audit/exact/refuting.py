"""The search for what refutes a claim by computed losses: pairs, choices of arguments, what is next to the worst."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from dplint.audit.branching import branch_inputs, with_arguments
from dplint.audit.choices import Choice, find_choices, is_claimed, translated
from dplint.audit.exact.climbing import climbed_pairs
from dplint.audit.exact.evidence import Shown, is_crash, shown_by, shown_by_densities, shown_with_delta
from dplint.audit.exact.pairs import (
    ComputedPair,
    NotComputed,
    TooLong,
    compute_pair,
    observation_of,
    worst_first,
)
from dplint.audit.exact.searching import LIMITS, computed_pairs
from dplint.audit.exact.worst import WorstSearch
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Mechanism, Pair
from dplint.inputs.branches import BranchInput
from dplint.jobs import AuditJob, SourceJob
from dplint.outcomes import PairLoss, exceeds
from dplint.program.nodes import Program

_FORMS = ("scalar", "list", "tuple", "array")
"""Of data that a program can be given."""
_SUGGESTED = 3
"""Inputs of branches that runs try first where nothing can be computed."""
_TRIED = 8
"""Pairs that something countable is looked for on."""
_AFTER_CRASH = 40
"""Pairs that something better than an exception is looked for on, once one refutes the claim."""
_FIRST, _BRANCHES, _OTHERS = 0.5, 0.7, 0.85
"""After which share of the time the first choice of arguments has had its turn, what branches ask for, and other
choices.
"""
_SECONDS_FOR_SEARCH = 8.0
"""With so much time, as at night, climbs begin again and again, by gradients and at random, until it is over."""
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
    with what does; crash: it rests on an exception, and whatever does not is better.
    """

    computed: list[ComputedPair] = field(default_factory=list)
    refuting: list[ComputedPair] = field(default_factory=list)
    best: tuple[ComputedPair, Shown] | None = None
    crash: bool = False

    def add(self, one: ComputedPair, setting: Setting) -> None:
        """Take note of a pair; of the first that refute the claim while their laws are there."""
        self.computed.append(one)
        if not exceeds(one.loss.low, setting.epsilon):
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


@dataclass
class Refuting:
    """The values of a claim in turn, each with an equal share of the time that is left.

    refused: why nothing could be computed, once that is known. uncomputed: what branches ask for, then.
    """

    session: AuditSession
    job: AuditJob | SourceJob
    program: Program
    refused: str = ""
    uncomputed: Sequence[BranchInput] = ()
    _pairs: Sequence[Pair] = ()
    _branch_inputs: list[BranchInput] = field(default_factory=list)
    _more_branches: Iterator[BranchInput] | None = None

    def values(self) -> Iterator[tuple[Setting, Found]]:
        """What was computed for each value, up to one at which the first pair is refused."""
        settings, session = self.session.claimed, self.session
        pairs = [setting.fitting(session.find_pairs()) for setting in settings]
        first = find_choices(self.job, session, pairs[0], settings[0], quick=True)
        self._pairs = pairs[0]
        session.announce("computing probabilities")
        end = time.process_time() + self.job.settings.exact_seconds
        for number, setting in enumerate(settings):
            (choice, *_) = translated(first, setting)
            share = (end - time.process_time()) / (len(settings) - number)
            try:
                found = self._computed(setting, pairs[number], choice, share)
            except NotComputed as error:
                self.refused = str(error)
                claimed = (
                    one
                    for one in self.branches(choice, end)
                    if is_claimed(self.session, one.pair, with_arguments(choice, one.arguments), setting)
                )
                self.uncomputed = list(islice(claimed, _SUGGESTED))
                return
            yield setting, found

    def _computed(self, setting: Setting, pairs: Sequence[Pair], first: Choice, seconds: float) -> Found:
        """The pairs of one value of the claim, and what is reached from the worst of them, up to one that refutes it.

        Raises NotComputed for the first one.
        """
        found, further, begin = Found(), 0, time.process_time()
        for one in self._candidates(found, setting, pairs, first, begin, seconds):
            further += bool(found.best)
            found.add(one, setting)
            if found.best and not self.job.settings.keep_going and (not found.crash or further >= _AFTER_CRASH):
                break
        return found

    def _candidates(
        self, found: Found, setting: Setting, pairs: Sequence[Pair], first: Choice, begin: float, seconds: float
    ) -> Iterator[ComputedPair]:
        """All pairs with the first choice of arguments, with other choices, and then what is next to the worst."""
        session, program, delta = self.session, self.program, setting.delta
        others = self._other_choices(setting, first)
        yield from computed_pairs(session, program, pairs, first, delta, begin + _FIRST * seconds)
        yield from self._at_branches(setting, first, begin + _BRANCHES * seconds)
        for choice in others or ():
            try:
                yield from computed_pairs(session, program, pairs, choice, delta, begin + _OTHERS * seconds)
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
