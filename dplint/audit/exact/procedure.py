"""The procedure of the audit that computes losses from the program, and confirms what it finds by calling the function.

It starts no process before it has computed a loss. Where the program is refused, that is known after a walk on one
pair, in milliseconds. What it has computed goes to the bets as facts, with the worst pair to try first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_FLOOR, Context
from typing import ClassVar

from dplint.audit.exact.evidence import CONFIRMING, Shown, confirm, example_of, path_of
from dplint.audit.exact.pairs import ComputedPair, compare_exact
from dplint.audit.exact.refuting import Found, Refuting, has_plain_data, pair_loss
from dplint.audit.exact.worst import WorstSearch, branch_covers
from dplint.audit.inputs import find_choices
from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.jobs import AuditJob
from dplint.outcomes import (
    Argument,
    Counterexample,
    PairLoss,
    StopReason,
    TestedEpsilon,
    Violation,
    exceeds,
)
from dplint.program.nodes import Program

_SECONDS_FOR_BRANCHES = 1.0
"""With less time than this for losses, nobody waits to be told of branches."""
_AT_BRANCH = "a branch hangs on it"


def exact_procedures() -> tuple[Exact, ExactFurther]:
    """The two halves of one search for losses, in their order; what is proved meanwhile is not searched further."""
    exact = Exact()
    return exact, ExactFurther(exact)


@dataclass
class Exact:
    """Losses on the pairs of the claim, those of the smallest size first."""

    needs: Needs = Needs.PROGRAM
    deciding: _Deciding | None = None
    """The search of the last job, to go on with."""
    name: ClassVar[str] = "exact"
    phase: ClassVar[str] = "computing probabilities"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Violation | Facts | None:  # noqa: ARG002
        """A violation that runs of the function have confirmed, or what was computed; None if nothing can be."""
        self.deciding = None
        if not has_plain_data(session, job.mechanism):
            return None
        assert isinstance(job.program, Program)
        deciding = _Deciding(session, job, job.program)
        found = deciding.first_pairs()
        self.deciding = deciding  # not where the program has turned out not to be the function
        return found


@dataclass(frozen=True)
class ExactFurther:
    """Losses of longer data, at branches, under other arguments, and next to the worst; it goes on where `Exact` ended.

    Where the claim is proved as a whole there is nothing that it could find.
    """

    exact: Exact
    needs: Needs = Needs.NOTHING
    name: ClassVar[str] = "exact"
    phase: ClassVar[str] = "computing probabilities"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Violation | Facts | None:  # noqa: ARG002
        """See `Exact`."""
        deciding = self.exact.deciding
        if deciding is None or (facts.proof is not None and facts.proof.scope.settled):
            return None
        return deciding.further()


@dataclass
class _Deciding:
    session: AuditSession
    job: AuditJob
    program: Program
    losses: list[PairLoss] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)
    search: Refuting = field(init=False)
    _compared: set[str] = field(default_factory=set)
    _kept: dict[Setting, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.search = Refuting(self.session, self.job, self.program)

    def first_pairs(self) -> Violation | Facts | None:
        """All values of the claim, up to one that is refuted."""
        for setting, found in self.search.values():
            if found.refuting and (not found.best or found.crash or self.job.settings.keep_going):
                self.search.go_on(found)  # something better may show it
            violation = self._known("first", setting, found)
            if violation is not None:
                return violation
        for one in self.search.uncomputed:
            arguments = tuple(Argument(name, value, _AT_BRANCH) for name, value in one.arguments.items())
            self.suggestions.append(Suggestion(one.pair, arguments))
        return self._facts()

    def further(self) -> Violation | Facts | None:
        """The same with more pairs of each value, up to one that is refuted now."""
        self.losses, self.suggestions = [], []
        for setting, found in self.search.further():
            violation = self._known("further", setting, found)
            if violation is not None:
                return violation
            if found.computed and not found.refuting:
                self._suggest_uncertain(found.computed, setting)
            self._cover(found.computed)
        return self._facts()

    def _facts(self) -> Facts:
        return Facts(tuple(self.suggestions), tuple(self.losses), search=self._searched)

    def _known(self, half: str, setting: Setting, found: Found) -> Violation | None:
        """Take note of the pairs that are new; the violation that they are, where runs confirm it."""
        new = found.computed[self._kept.get(setting, 0) :]
        if new and half not in self._compared:  # before the first is known
            compare_exact(self.session, self.program, new)
            self._compared.add(half)
        self._kept[setting] = len(found.computed)
        self.losses.extend(pair_loss(one, setting) for one in new)
        strongest = found.strongest(setting)
        if strongest is not None:
            return self._confirmed(*strongest, found, found.at or setting)
        if found.refuting:
            self._leave_to_bets(found.worst)
        return None

    def _searched(self, setting: Setting, seconds: float) -> Sequence[Suggestion]:
        """The worst input of a climb, by counts of runs where nothing computes its loss."""
        pairs = setting.fitting(self.session.find_pairs())
        (choice, *_) = find_choices(self.job, self.session, pairs, setting, quick=True)
        search = WorstSearch(self.session, self.program, choice, setting, seconds, may_run=True)
        search.run()
        return [Suggestion(search.worst.pair, search.worst.arguments)] if search.computed else []

    def _cover(self, computed: Sequence[ComputedPair]) -> None:
        """Say once which branches of data the inputs have gone through, where there is time for it."""
        coverage = self.session.coverage
        if not coverage.branches and self.job.settings.exact_seconds >= _SECONDS_FOR_BRANCHES:
            coverage.branches = branch_covers(self.session, self.program, computed)

    def _confirmed(self, computed: ComputedPair, shown: Shown, found: Found, setting: Setting) -> Violation | None:
        """With runs of the function that agree; None if the function is not the program."""
        self.session.announce(CONFIRMING)
        confirmation = confirm(self.session, self.program, computed, shown)
        if confirmation is not None and not confirmation.agrees:
            self.session.coverage.note(
                f"the computed probabilities of {shown.witness.event} do not agree with {confirmation.runs:,} runs of "
                "the function, so nothing is concluded from them; please report this"
            )
            return None
        draws = example_of(self.session, computed, shown)
        counterexample = Counterexample(
            witness=shown.witness, evidence=shown.evidence, epsilon_lower=shown.lower, draws=draws
        )
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
            counterexample=counterexample,
            tested=(tested,),
            epsilon_tested=setting.epsilon,
            delta_tested=setting.delta,
            epsilon_lower=shown.lower if found.at else max(one.loss.low for one in found.refuting),
            confidence=1.0,
            effort=replace(self.session.effort(StopReason.VIOLATION), alpha=0.0),
            confirmation=confirmation,
            watched=path_of(self.session, computed, counterexample),
            broken=shown.broken,
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
            f"on the pair D1 = {worst.pair.d1!r}, D2 = {worst.pair.d2!r} a loss of at least {_down(worst.loss.low)} "
            "was computed, but nothing that runs of the function would confirm"
        )
        self.suggestions.append(Suggestion(worst.pair, worst.arguments))


def _down(bound: float) -> str:
    """A lower bound in six digits, which never says more than the bound."""
    return f"{float(Context(prec=6, rounding=ROUND_FLOOR).create_decimal(repr(bound))):g}"
