"""What an editor shows in one line: the message of a verdict, the state of a mechanism, what a draw spends.

What is known by the source alone, in words that nobody takes for a verdict, and as JSON.
"""

from __future__ import annotations

import math
import re
from typing import assert_never

from dplint import outcomes as out
from dplint.check.editor_model import BudgetShare
from dplint.claims import Claim, Mechanism, Numerics
from dplint.definitions import Promised, promise_words
from dplint.outcomes import BySource, Counterexample, Effort, Result, Unconfirmed, Violation
from dplint.report import numerals, problem_words, words
from dplint.report.event_words import largest_title
from dplint.report.json_evidence import Json, fields
from dplint.report.literals import printable
from dplint.report.proof_words import EXACT_ARITHMETIC, scope_words, verdict_words
from dplint.report.stability_words import DELTAS, all_steps_words, apart_words, chance_words, line_title
from dplint.report.violation import seen

_WIDEST = 60
_OPTION = re.compile(r"--([a-z]+)(?:-([a-z]+))?")


def message(result: out.Result) -> str:
    """One sentence that a person understands; more is in the hover."""
    return problem_words.text(result)


def confirmed_message(finding: out.Finding, result: out.Result) -> str:
    """A finding that explains a violation."""
    return f"{finding.message}: explains why {result.mechanism.qualname} breaks its claim"


def stale_message(result: out.Result) -> str:
    """The same for a verdict on an earlier version of the source."""
    return f"before your last change: {message(result)}"


_MEETS = 1e-9


def claim_title(claim: Claim) -> str:
    """The claim in front of a state: "claims ε = 0.7" or "claims ε = epsilon, δ = 1e-5"."""
    if claim.stable is not None:
        return f"claims d_out = {_bound(claim.stable.d_out or 0.0)} ({claim.stable.metric})"
    if claim.promise is not None:
        return f"claims {promise_words(claim.promise)}"
    delta = f", δ = {_bound(claim.delta)}" if claim.delta != 0.0 else ""
    return f"claims ε = {_bound(claim.epsilon)}{delta}"


def verdict_title(outcome: out.Outcome, claim: Claim | None = None) -> str:
    """A verdict above a function: "violated: ε ≥ 1.37 at 99.9%" or "nothing found in 2.1M runs".

    claim: where it names no number, the one is told that was tested.
    """
    match outcome:
        case out.Violation():
            proved = "" if outcome.against is None else f", yet {verdict_words(outcome.against.scope)}"
            world = " in machine numbers" if outcome.numerics is Numerics.MACHINE else ""
            return f"violated{world}: {bound_title(outcome, claim)}{proved}"
        case out.Proved():
            sign = "✓" if verdict_words(outcome.scope) == "proved" else "◐"
            return f"{sign} {_proved_title(outcome.scope)}{_losses(outcome)}"
        case out.NoViolation():
            runs = outcome.effort.runs + outcome.effort.earlier_runs
            return f"nothing found{f' in {numerals.compact(runs)} runs' * bool(runs)}{_losses(outcome)}"
        case out.Underpowered():
            return f"tried too little to tell: {_short(printable(outcome.why))}{_losses(outcome)}"
        case out.Unstable():
            return _refuted_by_pair(outcome)
        case out.NotRefuted():
            return f"not refuted in {numerals.count(outcome.effort.pairs, 'pair')}"
        case out.Untestable():
            return f"cannot be tested: {_short(printable(outcome.reason))}"
        case out.Failed(scope=out.FailureScope.MECHANISM):
            return f"the test failed: {_short(printable(outcome.reason))}"
        case out.Failed():
            return f"not tested: {_short(printable(outcome.reason))}"
        case _:
            assert_never(outcome)


def _proved_title(scope: out.Scope) -> str:
    every = scope.sizes is not None and scope.sizes.largest is None
    return f"{verdict_words(scope)}{' for every length' * every}"


def _losses(outcome: out.Proved | out.NoViolation | out.Underpowered) -> str:
    return f" ({largest_title(outcome.losses)})" if outcome.losses else ""


def _refuted_by_pair(outcome: out.Unstable) -> str:
    if isinstance(outcome, out.Overspent):
        return f"overspent: {all_steps_words(outcome.spend)}"
    return f"not stable: outputs {apart_words(outcome.pair, outcome.stability.metric)}{chance_words(outcome)}"


def sensitivity_title(outcome: out.Outcome, claim: Claim) -> tuple[str, str] | None:
    """How far one step moves what a function without noise returns, and how that is known; None if it is not.

    "Δ₁ = 50" where a pair and a proof say the same, "Δ₁ ≥ 63" where there is a pair alone.
    """
    if claim.stable is None or not isinstance(outcome, out.Unstable | out.NotRefuted | out.Proved):
        return None
    name = DELTAS[claim.stable.metric]
    tried = outcome.tried if isinstance(outcome, out.Proved) else outcome
    if tried is None:
        return None
    pair = tried.pair if isinstance(tried, out.Unstable) else tried.furthest
    far = 0.0 if pair is None else pair.distance
    shown = "∞" if math.isinf(far) else numerals.short(far, 6)
    if not isinstance(outcome, out.Proved) or not outcome.scope.full:
        found = f"A pair was found whose outputs are {shown} apart. A larger sensitivity is not ruled out."
        return (f"{name} ≥ {shown}", found) if far > 0 else None
    said = f"Proved {scope_words(outcome.scope)}"
    d_out = claim.stable.d_out
    if isinstance(d_out, float) and far >= d_out * (1 - _MEETS):
        return f"{name} = {shown}", f"{said}. There is a pair whose outputs are as far apart."
    return f"{name} ≤ {_bound(d_out or 0.0)}", f"{said}. The furthest outputs that were found are {shown} apart."


def bound_title(violation: out.Violation, claim: Claim | None = None) -> str:
    """What epsilon is at least: "ε ≥ 1.37 at 99.9%", "ε ≥ 2.19, where 0.7 is claimed", or "no finite ε"."""
    if violation.broken is not None:
        sure = "" if words.is_exact(violation) else f" at {numerals.percent(violation.confidence)}"
        claimed = Promised(violation.broken.kind, violation.broken.claimed).words
        return f"{words.lower_words(violation)}{sure}, where {claimed} is claimed"
    named = claim is not None and isinstance(claim.epsilon, str)
    where = f", where {numerals.exact(violation.epsilon_tested)} is claimed" if named else ""
    if math.isinf(violation.epsilon_lower):
        return f"no finite ε{where}"
    sure = "" if words.is_exact(violation) else f" at {numerals.percent(violation.confidence)}"
    bound = numerals.beyond(violation.epsilon_lower, violation.epsilon_tested)
    return f"ε {bound.replace('at least', '≥').replace('more than', '>')}{sure}{where}"


def testing_title(runs: int) -> str:
    """A test that goes on: "testing, 41k runs"."""
    return f"testing, {numerals.compact(runs)} runs" if runs else "testing"


def cure(result: out.Result) -> str | None:
    """How to mend what could not be tested or failed, by settings of the editor: "raise dplint.timeLimit"."""
    said = words.cure(result)
    return None if said is None else in_settings(said)


def in_settings(said: str) -> str:
    """The sentence with settings of the editor in place of options."""
    return _OPTION.sub(_setting, said)


def _setting(option: re.Match[str]) -> str:
    return f"dplint.{option[1]}{(option[2] or '').capitalize()}"


def share_label(share: BudgetShare) -> str | None:
    """What a draw spends of the budget: "ε/2", "2ε" or "ε = 0.5"; None if it is not known."""
    if share.of_claim is not None:
        top, bottom = share.of_claim.numerator, share.of_claim.denominator
        return f"{'' if top == 1 else top}ε{'' if bottom == 1 else f'/{bottom}'}"
    return None if share.epsilon is None else f"ε = {numerals.short(share.epsilon)}"


def share_words(share: BudgetShare, claim: Claim, added: out.NotRefuted | None = None) -> str:
    """The same in a sentence, and how far neighbours move what the noise is added to, where that is known."""
    size = numerals.exact(claim.sensitivity)
    known = None if added is None else line_title(added)
    paid = share.pays_for(claim)
    if known is None or paid is None:
        checked = "Whether the answer has this sensitivity is not checked here."
    else:
        checked = f"Neighbours move what it is added to by {known[0]}, and all of ε pays for {numerals.short(paid, 6)}."
    return (
        f"{share.distribution.capitalize()} noise of scale b spends Δ/b on an answer of sensitivity Δ that is released "
        f"once; with the claim's Δ = {size} that is {share_label(share)}. {checked}"
    )


def related(share: BudgetShare) -> out.Related:
    """A draw beside a violation: too much of the budget, or just where the noise comes from."""
    label = share_label(share)
    spends = "" if label is None else f"; on an answer of the claim's sensitivity it spends {label}"
    over = share.of_claim is not None and share.of_claim > 1
    said = f"{spends}, more than all of the claim" if over else spends
    return out.Related(share.span, f"{share.distribution} noise is drawn here{said}")


def _bound(value: float | str) -> str:
    return value if isinstance(value, str) else numerals.exact(value)


def _short(text: str, longest: int = _WIDEST) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


BY_SOURCE = "by the source alone, not confirmed by a run"
HOW_SURE = (
    "the numbers are exact, of the program that dplint reads in the function. Whether the function does the same is "
    f"seen by a test, and none has been made. {EXACT_ARITHMETIC}"
)


def unconfirmed_message(mechanism: Mechanism, against: Unconfirmed) -> str:
    """One sentence about what would refute the claim."""
    return f"{BY_SOURCE}: {message(Result(mechanism, if_confirmed(against)))}"


def by_source_title(known: BySource, claim: Claim) -> str:
    """What was computed, in a few words; empty if nothing was."""
    if known.against is None and known.proved is not None:
        return f"{_proved_title(known.proved.scope)} {BY_SOURCE}"
    if known.against is None:
        return largest_title(known.losses)
    bound = bound_title(if_confirmed(known.against), claim)
    return f"{bound}{',' * (',' in bound)} {BY_SOURCE}"


def unconfirmed_json(against: Unconfirmed) -> dict[str, Json]:
    """The same for programs. confirmed: false, always."""
    return {
        "confirmed": False,
        "words": BY_SOURCE,
        **fields(against, "epsilon=epsilon_tested delta=delta_tested lower=epsilon_lower witness evidence"),
        "seen": seen(if_confirmed(against)),
    }


def if_confirmed(against: Unconfirmed) -> Violation:
    """The violation that it would be if runs had confirmed it: for words about its numbers, and for nothing else."""
    return Violation(
        counterexample=Counterexample(witness=against.witness, evidence=against.evidence, epsilon_lower=against.lower),
        tested=(),
        epsilon_tested=against.epsilon,
        delta_tested=against.delta,
        epsilon_lower=against.lower,
        confidence=1.0,
        effort=Effort(alpha=0.0),
        broken=against.broken,
    )
