"""The procedure of the audit that computes losses from the program, and confirms what it finds by calling the function.

It starts no process unless it has found a violation. Where the program is refused, that is known after a walk on one
pair, in milliseconds. What it has computed goes to the bets as facts, with the worst pair to try first.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from dplint.audit.choices import Choice, find_choices, translated
from dplint.audit.exact.climbing import climbed_pairs
from dplint.audit.exact.confirming import CONFIRMING, confirm, example_of
from dplint.audit.exact.evidence import Shown, shown_by, shown_by_densities, shown_with_delta
from dplint.audit.exact.pairs import ComputedPair, NotComputed, observation_of
from dplint.audit.exact.searching import computed_pairs
from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.jobs import AuditJob
from dplint.outcomes import (
    Counterexample,
    PairLoss,
    StopReason,
    TestedEpsilon,
    Violation,
    exceeds,
)
from dplint.program.nodes import Program

_FORMS = ("scalar", "list", "tuple", "array")
"""Of data that a program can be given."""
_TRIED = 8
"""Pairs that something countable is looked for on."""


@dataclass(frozen=True)
class Exact:
    """Losses on the pairs of the claim, those of the smallest size first."""

    needs: Needs = Needs.PROGRAM
    name: ClassVar[str] = "exact"
    phase: ClassVar[str] = "computing probabilities"
    anytime: ClassVar[bool] = False

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Violation | Facts | None:  # noqa: ARG002
        """A violation that runs of the function have confirmed, or what was computed; None if nothing can be."""
        claim = job.mechanism.claim
        if claim.pairs is not None or claim.make is not None or session.form not in _FORMS:
            # Objects that only the user's interpreter has.
            return None
        assert isinstance(job.program, Program)
        return _Deciding(session, job, job.program).run()


@dataclass
class _Deciding:
    session: AuditSession
    job: AuditJob
    program: Program
    losses: list[PairLoss] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)

    def run(self) -> Violation | Facts | None:
        """All values of the claim, each with an equal share of the time that is left."""
        settings = self.session.claimed
        pairs = [setting.fitting(self.session.find_pairs()) for setting in settings]
        choices = find_choices(self.job, self.session, pairs[0], settings[0], quick=True)
        self.session.announce(Exact.phase)
        end = time.process_time() + self.job.settings.exact_seconds
        for number, setting in enumerate(settings):
            (choice, *_) = translated(choices, setting)
            share = (end - time.process_time()) / (len(settings) - number)
            try:
                found = self._computed(setting, pairs[number], choice, time.process_time() + share)
            except NotComputed:
                break
            self.losses.extend(_pair_loss(one, setting) for one in found.computed)
            if found.best is not None:
                return self._confirmed(*found.best, found, setting)
            if found.refuting:
                worst = max(found.refuting, key=lambda one: one.loss.low)
                shown = shown_by_densities(worst) if setting.delta == 0 else None
                if shown is not None:
                    return self._confirmed(worst, shown, found, setting)
                self._leave_to_bets(worst)
            elif found.computed:
                self._suggest_uncertain(found.computed, setting)
        return Facts(tuple(self.suggestions), tuple(self.losses)) if self.losses else None

    def _computed(self, setting: Setting, pairs: Sequence[Pair], choice: Choice, end: float) -> _Found:
        """The pairs of one value of the claim, and what is reached from the worst of them, up to one that refutes it.

        Raises NotComputed for the first one.
        """
        found = _Found()
        for one in computed_pairs(self.session, self.program, pairs, choice, setting.delta, end):
            found.add(one, setting)
            if found.best and not self.job.settings.keep_going:
                return found
        if found.computed:
            start = max(found.computed, key=lambda one: one.loss.low)
            for one in climbed_pairs(self.session, self.program, start, setting, end):
                found.add(one, setting)
                if found.best and not self.job.settings.keep_going:
                    break
        return found

    def _confirmed(self, computed: ComputedPair, shown: Shown, found: _Found, setting: Setting) -> Violation | None:
        """With runs of the function that agree; None if the function is not the program."""
        self.session.announce(CONFIRMING)
        confirmation = confirm(self.session, self.program, computed, shown)
        if confirmation is not None and not confirmation.agrees:
            self.session.coverage.note(
                f"the computed probabilities of {shown.witness.event} do not agree with {confirmation.runs:,} runs of "
                "the function, so nothing is concluded from them; please report this"
            )
            return None
        draws = example_of(self.session, self.program, computed, shown)
        tested = TestedEpsilon(
            epsilon=setting.epsilon,
            delta=setting.delta,
            parameters=setting.parameters,
            p_value=None,
            lower=shown.lower,
            runs=0,
            rejected=True,
        )
        return Violation(
            counterexample=Counterexample(
                witness=shown.witness, evidence=shown.evidence, epsilon_lower=shown.lower, draws=draws
            ),
            tested=(tested,),
            epsilon_tested=setting.epsilon,
            delta_tested=setting.delta,
            epsilon_lower=max(one.loss.low for one in found.refuting),
            confidence=1.0,
            effort=replace(self.session.effort(StopReason.VIOLATION), alpha=0.0),
            confirmation=confirmation,
        )

    def _suggest_uncertain(self, computed: Sequence[ComputedPair], setting: Setting) -> None:
        """Where only a lower bound is known, a pair may lose more than is claimed: the one with the highest bound."""
        uncertain = [one for one in computed if exceeds(one.loss.high, setting.epsilon)]
        if uncertain:
            worst = max(uncertain, key=lambda one: one.loss.low)
            self.suggestions.append(Suggestion(worst.pair, worst.arguments))

    def _leave_to_bets(self, worst: ComputedPair) -> None:
        """Nothing can show the loss: it may not stand beside a verdict that nothing was found."""
        self.losses = [one for one in self.losses if not exceeds(one.loss.low, one.claimed)]
        self.session.coverage.note(
            f"on the pair D1 = {worst.pair.d1!r}, D2 = {worst.pair.d2!r} a loss of at least {worst.loss.low:g} was "
            "computed, but nothing that runs of the function would confirm"
        )
        self.suggestions.append(Suggestion(worst.pair, worst.arguments))


@dataclass
class _Found:
    """What was computed for one value of the claim. best: the pair on which something countable shows the largest loss,
    with what does.
    """

    computed: list[ComputedPair] = field(default_factory=list)
    refuting: list[ComputedPair] = field(default_factory=list)
    best: tuple[ComputedPair, Shown] | None = None

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
        if shown is not None and (self.best is None or _strength(shown) > _strength(self.best[1])):
            self.best = (one, shown)


def _strength(shown: Shown) -> tuple[float, float]:
    return shown.lower, shown.evidence.p1.low


def _pair_loss(computed: ComputedPair, setting: Setting) -> PairLoss:
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
