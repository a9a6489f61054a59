"""The procedure of the audit that computes losses from the program, and confirms what it finds by calling the function.

It starts no process unless it has found a violation. Where the program is refused, that is known after a walk on one
pair, in milliseconds. What it has computed goes to the bets as facts, with the worst pair to try first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from dplint.audit.choices import find_choices
from dplint.audit.exact.evidence import Shown, shown_by, shown_by_densities
from dplint.audit.exact.pairs import ComputedPair, NotComputed, compute_pair, observation_of, worst_first
from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.events.printed import PrintedEvent
from dplint.jobs import AuditJob
from dplint.outcomes import (
    Bounds,
    Confirmation,
    Counterexample,
    Measure,
    PairLoss,
    StopReason,
    TestedEpsilon,
    Violation,
    exceeds,
)
from dplint.program.refusals import Unsupported
from dplint.readings.exact import Limits, Raised
from dplint.runner.client import DataValue
from dplint.statistics.intervals import interval

_LIMITS = Limits(paths=300, steps=6_000)
"""For one pair: a fraction of a second. What is larger is left to the other procedures."""
_MOST_STEPS = 20_000
"""For one value of the claim."""
_MOST_SECONDS, _SHARE = 1.0, 0.1
"""And so many seconds for all of them, or this share of the budget if that is less."""
_TRIED = 8
"""Pairs that something countable is looked for on."""
_RUNS = 2_000
_ALPHA = 1e-6
"""How seldom runs of the very function may seem to disagree with its probabilities."""
_STREAM = (1 << 21,)
"""The name of the random streams of the confirmation; the passes of an audit count up from zero."""


@dataclass(frozen=True)
class Exact:
    """Losses on the pairs of the claim, those of the smallest size first."""

    needs: Needs = Needs.PROGRAM
    name: ClassVar[str] = "exact"
    phase: ClassVar[str] = "computing probabilities"
    anytime: ClassVar[bool] = False

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Violation | Facts | None:  # noqa: ARG002
        """A violation that runs of the function have confirmed, or what was computed; None if nothing can be."""
        if job.mechanism.claim.pairs is not None or session.form == "frame" or job.state is not None:
            # Objects that only the user's interpreter has; or a later pass, for which all has been computed before.
            return None
        return _Search(session, job).run()


@dataclass
class _Search:
    session: AuditSession
    job: AuditJob
    losses: list[PairLoss] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)

    def run(self) -> Violation | Facts | None:
        for setting in self.session.claimed:
            if setting.delta > 0:
                continue
            try:
                computed = list(self._computed(setting))
            except NotComputed:
                break
            if not computed:
                continue
            self.losses.extend(_pair_loss(worst_first(one), setting) for one in computed)
            refuting = [worst_first(one) for one in computed if exceeds(one.loss.low, setting.epsilon)]
            if refuting:
                violation = self._violation(sorted(refuting, key=lambda one: -one.loss.low), setting)
                if violation is not None:
                    return violation
                self._leave_to_bets(max(refuting, key=lambda one: one.loss.low))
        return Facts(tuple(self.suggestions), tuple(self.losses)) if self.losses else None

    def _computed(self, setting: Setting) -> Iterator[ComputedPair]:
        """The pairs of one value of the claim, until the effort is spent. Raises NotComputed for the first one."""
        program = self.job.program
        assert not isinstance(program, Unsupported)
        pairs = _smallest_first(setting.fitting(self.session.find_pairs()))
        (choice, *_) = find_choices(self.job, self.session, pairs, setting, quick=True)
        steps, end = 0, self.session.seconds + min(_MOST_SECONDS, _SHARE * self.job.settings.budget)
        for number, pair in enumerate(pairs):
            try:
                found = compute_pair(self.session, program, pair, choice, _LIMITS)
            except NotComputed:
                if number == 0:
                    raise
                return
            if all(isinstance(one.output, Raised) for one in found.losses.forwards):
                return  # perhaps it wants an array where it got a list, which runs will show
            yield found
            steps += found.losses.steps
            if steps > _MOST_STEPS or self.session.seconds > end:
                return

    def _leave_to_bets(self, worst: ComputedPair) -> None:
        """Nothing can show the loss: it may not stand beside a verdict that nothing was found."""
        self.losses = [one for one in self.losses if not exceeds(one.loss.low, one.claimed)]
        self.session.coverage.note(
            f"on the pair D1 = {worst.pair.d1!r}, D2 = {worst.pair.d2!r} a loss of at least {worst.loss.low:g} was "
            "computed, but nothing that runs of the function would confirm"
        )
        self.suggestions.append(Suggestion(worst.pair, worst.arguments))

    def _shown(self, refuting: Sequence[ComputedPair], setting: Setting) -> tuple[ComputedPair, Shown] | None:
        """A pair that refutes the claim, and what shows it: something that can be counted, if any of the first has it.

        Computed anew, since the laws of a pair are there until the next one is computed.
        """
        program = self.job.program
        assert not isinstance(program, Unsupported)
        for one in refuting[:_TRIED]:
            found = compute_pair(self.session, program, one.pair, one.choice, _LIMITS)
            shown = shown_by(found, setting.epsilon)
            if shown is not None:
                return found, shown
        shown = shown_by_densities(refuting[0])
        return None if shown is None else (refuting[0], shown)

    def _violation(self, refuting: Sequence[ComputedPair], setting: Setting) -> Violation | None:
        """With runs of the function that agree; None if nothing shows the loss, or the function is not the program."""
        found = self._shown(refuting, setting)
        if found is None:
            return None
        worst, shown = found
        confirmation = None
        if shown.evidence.measure is Measure.DENSITY:
            self._replay(worst)
        else:
            confirmation = self._confirmed(worst, shown)
        if confirmation is not None and not confirmation.agrees:
            self.session.coverage.note(
                f"the computed probabilities of {shown.witness.event} do not agree with {confirmation.runs:,} runs of "
                "the function, so nothing is concluded from them; please report this"
            )
            self.losses.clear()
            return None
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
            counterexample=Counterexample(witness=shown.witness, evidence=shown.evidence, epsilon_lower=shown.lower),
            tested=(tested,),
            epsilon_tested=setting.epsilon,
            delta_tested=setting.delta,
            epsilon_lower=worst.loss.low,
            confidence=1.0,
            effort=replace(self.session.effort(StopReason.VIOLATION), alpha=0.0),
            confirmation=confirmation,
        )

    def _replay(self, worst: ComputedPair) -> None:
        """Where densities at one output are the evidence, nothing can be counted: the function must do what the program
        does on the same draws. Raises NotOnLanes if it does not.
        """
        session, program = self.session, self.job.program
        assert not isinstance(program, Unsupported)
        session.load()
        session.use_lanes(program)
        session.check_lanes(self._data(worst), worst.choice.values, _RUNS, _STREAM, needed=True)
        session.leave_lanes()

    def _data(self, worst: ComputedPair) -> list[DataValue]:
        return [self.session.data_value(worst.pair, side) for side in (1, 2)]

    def _confirmed(self, worst: ComputedPair, shown: Shown) -> Confirmation:
        """Runs of the function itself on both inputs."""
        session, event = self.session, PrintedEvent(shown.witness.event)
        session.load()
        data = self._data(worst)
        counts, runs = [0, 0], 0
        for chunk in session.sample(data, worst.choice.values, _RUNS, _STREAM, "confirming", plain=True):
            runs += chunk.runs
            for side, batch in enumerate(chunk.batches):
                counts[side] += sum(event.holds(output) for output in batch.likenesses())
        probabilities = (shown.evidence.p1, shown.evidence.p2)
        agrees = all(_agree(count, runs, p) for count, p in zip(counts, probabilities, strict=True))
        return Confirmation(count1=counts[0], count2=counts[1], runs=runs, agrees=agrees)


def _agree(count: int, runs: int, probability: Bounds) -> bool:
    low, high = interval(count, runs, _ALPHA)
    return low <= probability.high and probability.low <= high


def _smallest_first(pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair in one order, the smallest first, and of these those in which most changes."""
    found: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        found.setdefault(frozenset((repr(pair.d1), repr(pair.d2))), pair)
    return sorted(found.values(), key=lambda pair: (pair.size, -_changes(pair)))


def _changes(pair: Pair) -> int:
    if isinstance(pair.d1, list | tuple) and isinstance(pair.d2, list | tuple):
        return sum(a != b for a, b in zip(pair.d1, pair.d2, strict=False)) + abs(len(pair.d1) - len(pair.d2))
    return 1


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
        where=observation_of(worst.output) if exact or worst.infinite is not None else None,
    )
