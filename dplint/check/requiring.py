"""The setting `require-proof`: what is not proved is a finding."""

from __future__ import annotations

from dplint.claims import Mechanism
from dplint.config import Settings
from dplint.outcomes import (
    Failed,
    Finding,
    NotRefuted,
    NoViolation,
    Outcome,
    Proved,
    Severity,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
)

CODE = "DP910"
_NO_PROOF = "no proof"
"""So begins the note of an audit that says why."""


def unproved(mechanism: Mechanism, outcome: Outcome, settings: Settings) -> Finding | None:
    """That a mechanism lacks the proof that the settings ask for; None if it has it, or is reported for worse."""
    if settings.require_proof == "no":
        return None
    match outcome:
        case Violation() | Failed() | Unstable():
            return None
        case Proved(scope=scope) if scope.full or settings.require_proof == "bounded":
            return None
        case Proved():
            message = (
                "this is proved for a part of the claim only, and require-proof asks for all of it: "
                "what the proof leaves out stands in its scope"
            )
        case NoViolation() | Underpowered() | NotRefuted() | Untestable():
            message = f"this is not proved, and require-proof asks for a proof: {_reason(outcome, settings)}"
    return Finding(mechanism.file, mechanism.span, mechanism.qualname, CODE, Severity.ERROR, message, foretells=False)


def _reason(outcome: NoViolation | Underpowered | NotRefuted | Untestable, settings: Settings) -> str:
    if isinstance(outcome, Untestable):
        return outcome.reason
    if not settings.proofs:
        return "none was looked for, as proofs = false"
    if settings.method != "anytime" or settings.runs is not None:
        return "none was looked for, as that takes the method anytime with a budget in seconds"
    told = (note.partition(": ")[2] for note in outcome.effort.notes if note.startswith(_NO_PROOF))
    return next(told, "none was found in the time that the budget leaves")
