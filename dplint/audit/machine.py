"""An audit in machine numbers before the one in real numbers: each has half of alpha, and verdicts name the numbers.

Runs call the function itself, with its own generators: lanes have the law of the noise, not the floats it comes in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dplint.claims import Numerics
from dplint.jobs import AuditSettings
from dplint.outcomes import (
    Failed,
    FailureKind,
    NotRefuted,
    NoViolation,
    Outcome,
    Proved,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
)

SHARE = 0.5
"""Of the budget: machine numbers have so much of it at most."""
_AFTER_A_VIOLATION = 1.0
"""Seconds for bets in real numbers where machine numbers are known to refute the claim, unless more is asked for."""


def in_machine_numbers(settings: AuditSettings) -> AuditSettings:
    """The settings of the first part: bets on calls of the function, and nothing that reads real numbers from it."""
    return replace(
        settings,
        alpha=settings.alpha / 2,
        budget=SHARE * settings.budget,
        max_runs=None if settings.max_runs is None else max(1, settings.max_runs // 2),
        keep_going=False,
        exact_seconds=0.0,
        proof_seconds=0.0,
        method="anytime",
    )


def in_real_numbers(settings: AuditSettings, before: Outcome) -> AuditSettings:
    """The settings of the second part, given what came of the first."""
    spent = 0.0 if isinstance(before, Untestable) else before.effort.seconds
    budget = max(settings.budget - spent, (1 - SHARE) * settings.budget)
    if isinstance(before, Violation) and not settings.keep_going:
        budget = min(budget, _AFTER_A_VIOLATION)
    return replace(
        settings,
        alpha=settings.alpha / 2,
        budget=budget,
        max_runs=None if settings.max_runs is None else max(1, settings.max_runs // 2),
        numerics=Numerics.REAL,
    )


def in_both(of_machine: Outcome, of_reals: Outcome, alpha: float) -> Outcome:
    """What two audits say together, at the level of both.

    A violation in real numbers is the graver one: no generator cures it. One that a proof contradicts is the work of
    rounded floats where machine numbers are refuted, too, and then it is one in these.
    """
    if isinstance(of_reals, Untestable | Unstable | NotRefuted):
        return of_reals
    real = of_reals.against or of_reals if isinstance(of_reals, Violation) else of_reals
    if isinstance(of_machine, Violation) and not isinstance(real, Violation):
        whole = replace(of_machine.effort, alpha=alpha)
        return replace(of_machine, numerics=Numerics.MACHINE, in_real_numbers=_known(real), effort=whole)
    effort = replace(of_reals.effort, alpha=alpha, notes=(*of_reals.effort.notes, _note(of_machine)))
    return replace(of_reals, effort=effort)


def _known(outcome: NoViolation | Underpowered | Proved | Failed) -> str:
    """What is known of the claim in real numbers, as the end of a sentence."""
    match outcome:
        case Proved(scope=scope):
            limit = "" if scope.full else " up to some length of the data"
            return f"in exact arithmetic the claim is proved{limit}"
        case NoViolation():
            return "none found in real numbers"
        case Underpowered():
            return "none found in real numbers, with too few runs to tell"
        case Failed():
            return "nothing is known in real numbers, as that audit failed"
        case _:
            assert_never(outcome)


def _note(of_machine: Outcome) -> str:
    match of_machine:
        case NoViolation() | Underpowered():
            effort = of_machine.effort
            looked = f"{effort.events:,} events on {effort.pairs:,} pairs, {effort.runs:,} runs of the function itself"
            return f"in machine numbers: no violation found ({looked})"
        case Violation():
            return f"in machine numbers: refuted, too, by {of_machine.counterexample.witness.event}"
        case Failed() | Untestable():
            return f"in machine numbers: not tested, because {of_machine.reason}"
        case _:
            raise ValueError(of_machine)


def ends_all(outcome: Outcome) -> bool:
    """Whether there is nothing left to ask: the function cannot be run, or somebody wants an end."""
    shared = (FailureKind.IMPORT, FailureKind.CANCELLED, FailureKind.EFFECT)
    return isinstance(outcome, Failed) and outcome.kind in shared
