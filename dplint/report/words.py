"""Outcomes in words: what was found, what a verdict does not mean, and how to mend things.

A claim in full sentences, for people who have not heard of privacy budgets.
"""

from __future__ import annotations

import math
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import assert_never

from dplint import outcomes as out
from dplint.claims import Claim, Mechanism
from dplint.config import shown
from dplint.definitions import Promised, promise_words
from dplint.relations import relation_of
from dplint.report import numerals
from dplint.report.event_words import largest_title, losses_words
from dplint.report.literals import literal, printable
from dplint.report.stability_words import stability_words, training_words
from dplint.source.notebooks import split_cell

NOT_PRIVATE = (
    "No violation found does not mean private: inputs, arguments and events that were not tried, and losses too small "
    "for this number of runs, may still break the claim."
)


_INSTALLED = {"site-packages", "dist-packages"}
_AMPLE = 100
"""A replay may make so many times the runs: how many there may be decides how they are dealt to inputs."""
STOPPING = "stopping; Ctrl-C again ends it at once"

CURES = {
    out.FailureKind.IMPORT: "Make the module importable with this interpreter, or name another one with --interpreter.",
    out.FailureKind.DEADLINE: "If the function does end, raise --deadline or claim smaller data with size=.",
    out.FailureKind.BUDGET: "The function is slow: raise --budget or --time-limit, or claim smaller data with size=.",
    out.FailureKind.CRASH: "Call the function by hand with small data: something in it ends the whole Python process.",
    out.FailureKind.MEMORY: "Raise --memory-mib, or claim smaller data with size=.",
    out.FailureKind.EFFECT: "If the function is meant to do that, permit it with --allow.",
    out.FailureKind.INPUT: "Say in the claim which inputs the function takes, with domain=, size= or args=.",
    out.FailureKind.INTERNAL: "This is a bug of dplint: please report it with the detail shown.",
}

IMPORT_CURES = {
    out.FailureKind.DEADLINE: (
        'Put what takes so long under `if __name__ == "__main__":` or into a function, or raise --deadline.'
    ),
    out.FailureKind.CRASH: "Import the module by hand: something in it ends the whole Python process.",
    out.FailureKind.MEMORY: "Raise --memory-mib, or let the module load less when it is imported.",
}
"""Where it is the import of a module that failed."""


def claim_words(claim: Claim) -> str:
    """The claim as it would be written, without what is left at its default."""
    if claim.stable is not None:
        return stability_words(claim, claim.stable)
    promised = claim.promise is not None
    parts = [promise_words(claim.promise) if claim.promise else f"epsilon={_quoted(claim.epsilon)}"]
    if claim.delta != 0.0 and not promised:
        parts.append(f"delta={_quoted(claim.delta)}")
    parts.append(f'neighbors="{claim.neighbors}"')
    if claim.sensitivity != 1.0:
        parts.append(f"sensitivity={numerals.exact(claim.sensitivity)}")
    if claim.user is not None:
        parts.append(f"user={_quoted(claim.user)}")
    if claim.observe:
        parts.append(f"observe={list(claim.observe)}")
    if claim.numerics:
        parts.append(f'numerics="{claim.numerics}"')
    if claim.training:
        parts.append(training_words(claim.training))
    return ", ".join(parts)


def promise(epsilon: float, delta: float) -> str:
    """The values of a claim: "epsilon = 0.7" or "epsilon = 0.7, delta = 1e-5"."""
    words = f"epsilon = {numerals.exact(epsilon)}"
    return f"{words}, delta = {numerals.short(delta)}" if delta else words


def tested_promise(violation: out.Violation) -> str:
    """The value of the claim that is broken; by another definition, with the point of it that was tested."""
    at = promise(violation.epsilon_tested, violation.delta_tested)
    if violation.broken is None:
        return at
    return f"{Promised(violation.broken.kind, violation.broken.claimed).words}, from which {at} follows"


def arguments_words(arguments: tuple[out.Argument, ...]) -> str:
    """Arguments as "T = 1, N = 1"."""
    return ", ".join(f"{argument.name} = {literal(argument.value)}" for argument in arguments)


def observed(observation: out.Observation) -> str:
    """What is observed, as Python: an event over `output`, or the one output itself."""
    return repr(observation.value) if isinstance(observation, out.SingleOutput) else observation.expression


def underpowered_words(mechanism: Mechanism, outcome: out.Underpowered) -> str:
    """Why so little was seen, what would have been found in spite of it, and what was tried."""
    why, power = printable(outcome.why), outcome.power
    if not outcome.tested:
        return why
    seen = "nothing would have been found"
    if power is not None and math.isfinite(power.epsilon):
        least = f"only a loss of {numerals.upper_bound(power.epsilon)} or more would have been found"
        claimed = f"against a claim of {numerals.exact(power.claimed)}"
        seen = f"{least} with probability {numerals.short(power.probability)}, {claimed}{_left_out(power)}"
    return f"{why}; {seen}; {_looked_at(mechanism, outcome)}"


def tried(mechanism: Mechanism, outcome: out.NoViolation) -> str:
    """What was tried before nothing was found, why it ended there, and what would have been found, if that is known."""
    words, power = _looked_at(mechanism, outcome), outcome.power
    if power is None:
        return words
    loss, event = numerals.upper_bound(power.epsilon), numerals.short(power.share)
    return (
        f"{words}; at epsilon = {numerals.exact(power.claimed)} a loss of {loss} or more on any of these pairs, by an "
        f"event of probability {event} or more, would have been found with probability "
        f"{numerals.short(power.probability)}{_left_out(power)}"
    )


def tried_briefly(outcome: out.NoViolation) -> str:
    """The same in few words: "epsilon = 0.2 and 0.7, 16 pairs, 2.1M runs"."""
    effort = outcome.effort
    runs = effort.runs + effort.earlier_runs
    parts = [
        tested_words(outcome.tested),
        numerals.count(effort.pairs, "pair"),
        f"{numerals.compact(runs)} runs" if runs else "no runs",
        *([f"largest loss {largest_title(outcome.losses).removeprefix('exact: ')}"] if outcome.losses else []),
    ]
    return ", ".join(parts)


def _left_out(power: out.Power) -> str:
    """What it does not speak of."""
    return f"; {power.left_out} were not looked at one by one" if power.left_out else ""


def _looked_at(mechanism: Mechanism, outcome: out.NoViolation | out.Underpowered) -> str:
    """What was tried, and why it ended there."""
    effort = outcome.effort
    runs = (
        f"{numerals.count(effort.events, 'event')} and {runs_words(effort)} "
        f"at level {numerals.short(effort.alpha)} with seed {effort.seed}"
    )
    words = (
        f"tested {tested_words(outcome.tested)} with {numerals.count(effort.pairs, 'pair')}, "
        f"{numerals.count(effort.argument_choices, 'choice', 'choices')} of arguments"
        f"{_at_defaults(mechanism)}, "
        f"{runs if effort.runs or not outcome.losses else 'and no runs'}; {ended(effort)}"
    )
    if outcome.losses:
        words += f"; {losses_words(outcome.losses)}"
    return words


def _at_defaults(mechanism: Mechanism) -> str:
    """Which parameters kept a default, and so no other value was tried: " (verbose = False by default)"."""
    claim = mechanism.claim
    asked = {name for name, _ in claim.args}
    asked |= set(re.findall(r"\w+", f"{claim.epsilon} {claim.delta}"))
    kept = [
        f"{one.name} = {one.default}"
        for one in mechanism.parameters
        if one.default not in (None, "None") and one.name not in asked and one.name not in mechanism.roles
    ]
    return f" ({printable(numerals.listing(kept))} by default)" if kept else ""


def runs_words(effort: out.Effort) -> str:
    """How many runs were made, and how many before them."""
    earlier = f" (in earlier passes: {effort.earlier_runs:,})" if effort.earlier_runs else ""
    return f"{numerals.count(effort.runs, 'run')}{earlier}"


def ended(effort: out.Effort) -> str:
    """Why the audit ended: "ended because the budget was used up"."""
    if effort.stop is out.StopReason.CANCELLED:
        return "cancelled before its end"
    found = effort.stop is out.StopReason.VIOLATION
    return f"ended because {'a violation was found' if found else effort.stop.value}"


def tested_words(tested: tuple[out.TestedEpsilon, ...]) -> str:
    """The tested values of the claim: "epsilon = 0.2, 0.7 and 1.5", "6 points of the curve ..."."""
    if not tested:
        return "no value of epsilon"
    parameters = dict.fromkeys(arguments_words(one.parameters) for one in tested)
    if len(parameters) < len(tested):
        at = f" at {numerals.listing(list(parameters))}" if any(parameters) else ""
        return f"{len(tested)} points of the curve that is claimed{at}"
    if len({one.delta for one in tested}) > 1:
        return numerals.listing([f"({promise(one.epsilon, one.delta)})" for one in tested])
    values = numerals.listing([numerals.exact(one.epsilon) for one in tested])
    return f"epsilon = {values}" + (f", delta = {numerals.short(tested[0].delta)}" if tested[0].delta else "")


def cure(result: out.Result) -> str | None:
    """How to mend what could not be tested or failed; None where the reason says all there is."""
    match result.outcome:
        case out.Failed(kind=kind, cure=own, scope=scope):
            if scope is out.FailureScope.MODULE and kind in IMPORT_CURES:
                return IMPORT_CURES[kind]
            return own or CURES.get(kind)
        case out.Underpowered(helps=helps):
            return f"What helps: {'; or '.join(helps)}." if helps else None
        case out.Untestable():
            return result.outcome.cure or _untestable_cure(result.mechanism)
        case out.Violation() | out.Proved() | out.NoViolation() | out.Unstable() | out.NotRefuted():
            return None
        case _:
            assert_never(result.outcome)


def lower_words(violation: out.Violation) -> str:
    """The lower bound for epsilon in words; of a claim by another definition, for what is claimed."""
    if violation.broken is not None:
        return _least_words(violation.broken)
    if math.isinf(violation.epsilon_lower):
        return "no finite epsilon holds"
    return f"epsilon is {numerals.beyond(violation.epsilon_lower, violation.epsilon_tested)}"


def _least_words(broken: out.Broken) -> str:
    """What is promised at least: "rho is at least 0.51", "the Renyi divergence of order 8 is at least 1.2"."""
    promised, at = Promised(broken.kind, broken.claimed), 0
    if broken.kind == "curve":
        times = max((least / claimed for least, claimed in zip(broken.least, broken.claimed, strict=True) if claimed))
        return "no multiple of its curve holds" if math.isinf(times) else _of_curve(times)
    name = promised.definition.keyword
    if broken.kind == "renyi":
        at = 1 if broken.order is None else 2 * [*broken.claimed[::2]].index(broken.order) + 1
        name = f"the Renyi divergence of order {broken.claimed[at - 1]:g}"
    if math.isinf(broken.least[at]):
        return f"no finite {name} holds"
    return f"{name} is {numerals.beyond(broken.least[at], broken.claimed[at])}"


def _of_curve(times: float) -> str:
    return f"its curve would have to be {numerals.beyond(times, 1.0)} times as large"


def log_evidence(violation: out.Violation) -> float | None:
    """Ln of the e-value of the whole search; 1 / alpha refutes the claim. None where nothing was bet.

    The counterexample's own e-value is that of its event, as if no other one had been tried; the search has its price.
    """
    evidence = violation.counterexample.evidence
    if not isinstance(evidence, out.CountedEvidence) or evidence.log_e_value is None:
        return None
    rejected = [
        (one.p_value, one.log_e_value)
        for one in violation.tested
        if one.rejected and one.epsilon == violation.epsilon_tested and one.p_value is not None
    ]
    if not rejected:
        return evidence.log_e_value
    # this p-value is corrected for the values of the claim that were tested
    p_value, log_e_value = min(rejected, key=lambda one: one[0])
    return -math.log(p_value) if p_value > 0 else log_e_value


def is_exact(violation: out.Violation) -> bool:
    """Whether no chance is left in it: the probabilities were computed and not counted."""
    return not isinstance(violation.counterexample.evidence, out.CountedEvidence)


def effort_words(effort: out.Effort) -> str:
    """The cost of an audit: "1.3 s, 1,200,000 runs"."""
    return f"{numerals.seconds(effort.seconds)}, {numerals.count(effort.runs, 'run')}"


def whole_effort_words(effort: out.Effort) -> str:
    """All that an audit took and why it ended: "1.3 s, 28 pairs, 512 events, 1,200,000 runs; ended because ..."."""
    if not effort.events and effort.method == "pairs":
        looked = runs_words(effort)
        return f"{numerals.seconds(effort.seconds)}, {numerals.count(effort.pairs, 'pair')}, {looked}; {ended(effort)}"
    looked = f"{numerals.count(effort.events, 'event')}, {runs_words(effort)}" if effort.runs else "no runs"
    return f"{numerals.seconds(effort.seconds)}, {numerals.count(effort.pairs, 'pair')}, {looked}; {ended(effort)}"


def reproduce(mechanism: Mechanism, violation: out.Violation, repeat: str = "") -> str:
    """The command that makes the same report again: of counted evidence with the same runs. repeat: further options."""
    evidence, effort = violation.counterexample.evidence, violation.effort
    further, options = shlex.split(repeat), list[str]()
    if isinstance(evidence, out.CountedEvidence):
        options = ["--seed", str(evidence.seed)]
        if effort.method == "anytime":
            # Seconds do not repeat runs, and what the cache knows is not run. It ends where the evidence is enough.
            runs = [] if "--runs" in further else ["--runs", str(_AMPLE * _round_up(effort.runs + effort.earlier_runs))]
            options += [*runs, "--no-cache"]
            timed = {"--budget", "--time-limit"}
            further = [one for before, one in pairwise(["", *further]) if not {before, one} & timed]
    # The claim of an installed package is in the project, and is not found by its file.
    installed = _INSTALLED & set(Path(mechanism.path).parts)
    path = shown(Path(mechanism.project_root)) if installed else split_cell(mechanism.file)[0]
    whole = installed or split_cell(mechanism.file)[1] is not None or "<locals>" in mechanism.qualname
    target = path if whole else f"{path}::{mechanism.qualname}"
    return shlex.join(["dplint", "check", target, *options, *further])


def _round_up(runs: int) -> int:
    """To two digits."""
    unit: int = 10 ** max(0, len(str(runs)) - 2)
    return -(-runs // unit) * unit


def _untestable_cure(mechanism: Mechanism) -> str | None:
    if mechanism.untestable is None:
        return None
    return "Put the claim on a function of the module that can be called with the data and the arguments alone."


def _quoted(value: float | str) -> str:
    return f'"{value}"' if isinstance(value, str) else numerals.exact(value)


_LARGEST = 50.0


def neighbours_words(claim: Claim, *, scalar: bool = False) -> str:
    """What makes two values of the data neighbours, after "if": "one has one record more than the other"."""
    relation = relation_of(claim)
    words = (relation.neighbours_if_scalar if scalar else None) or relation.neighbours
    square = numerals.short(claim.sensitivity**2, 6)
    return words.format(sensitivity=numerals.exact(claim.sensitivity), square=square)


def factor_words(epsilon: float) -> str:
    """The factor that a claim allows, with its value where that is a number of this world: "exp(0.7) = 2.01"."""
    value = f" = {numerals.short(math.exp(epsilon))}" if epsilon < _LARGEST else ""
    return f"exp({numerals.exact(epsilon)}){value}"


def limit_words(epsilon: float | str, delta: float | str, sides: str = "on D1 as on D2") -> str:
    """How much likelier outputs may be: "exp(0.7) = 2.01 times as likely on D1 as on D2"; texts of a claim are ε, δ."""
    times = "exp(ε)" if isinstance(epsilon, str) else factor_words(epsilon)
    more = "δ" if isinstance(delta, str) else numerals.short(delta)
    return f"{times} times as likely {sides}" + (f", apart from an additional probability of {more}" if delta else "")
