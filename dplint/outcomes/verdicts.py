"""Outcomes: what is known about a mechanism after a check. A closed union.

What reports never show: an environment. What a checked function raises may hold one, its own or that of another.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from dplint.claims import Numerics
from dplint.outcomes.counterexample import Broken, Confirmation, Counterexample
from dplint.outcomes.effort import (
    Argument,
    Effort,
    NotOverspent,
    NotRefuted,
    Overspent,
    Power,
    TestedEpsilon,
    Unstable,
    WatchedRuns,
)
from dplint.outcomes.losses import LargestLoss
from dplint.outcomes.proof import Certificate, Scope

MASKED = "[not shown: of an environment]"
_SECRET = re.compile(
    r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|(^|_)(PASS|PAT|DSN|AUTH)(_|$)", re.IGNORECASE
)
_SHORTEST = 8
"""Characters of a value that are masked by themselves; shorter ones are in too many texts."""
_END = r"(?:\0|\\x00|\\0)"
_WHOLE = re.compile(
    rf"(?:[A-Za-z_]\w*=(?:(?!{_END}).)*{_END}){{2,}}(?:[A-Za-z_]\w*=\S*)?"  # as /proc has it, or the repr of that
    r"|environ\(\{.*?(?:\}\)|\Z)",  # as os.environ is printed
    re.DOTALL,
)


def without_environment(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The text without whole environments, and without values of variables that are named as secrets are."""
    text = _WHOLE.sub(MASKED, text)
    for name, value in environ.items():
        if _SECRET.search(name):
            for line in value.splitlines():
                if len(line) >= _SHORTEST and line in text:
                    text = text.replace(line, MASKED)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """The claim holds for all inputs within the scope, and nothing is said of others: a bounded proof is no full one.

    epsilon_upper: of the loss within the scope, a number or, as in a claim, an expression over the parameters. share:
    the same as a multiple of the claimed epsilon; proved, too. losses: as for `NoViolation`. delta_upper: a delta below
    the claimed one that is proved beside all of epsilon; None if there is none. tried: of a claim of stability, of
    which all that is said of losses says nothing, what pairs came to beside the proof.
    """

    scope: Scope
    certificate: Certificate
    epsilon_upper: float | str
    effort: Effort
    losses: tuple[LargestLoss, ...] = ()
    share: float = 1.0
    delta_upper: float | None = None
    tried: NotRefuted | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """The claim is refuted by the counterexample. epsilon_lower holds at `confidence`, 1.0 if the evidence is exact.

    counterexample: the simplest that suffices. strongest: the one with the highest lower bound, None if it is the same.
    losses: as for `NoViolation`. against: a proof of the very claim that is refuted. Both at once are an error of
    dplint, chance where the evidence is counted, or the work of rounded floats, which the proof does not model; neither
    is dropped, and reports show both. numerics: in which numbers it was found. in_real_numbers: what is known of the
    claim in real numbers, if it was found in machine numbers; empty otherwise. watched: of the counterexample's inputs;
    None if there were no such runs. broken: of a claim by another definition, of which epsilon_tested and delta_tested
    are a point that follows; epsilon_lower may then be less than epsilon_tested, where a divergence refutes it.
    """

    counterexample: Counterexample
    tested: tuple[TestedEpsilon, ...]
    epsilon_tested: float
    delta_tested: float
    epsilon_lower: float
    confidence: float
    effort: Effort
    strongest: Counterexample | None = None
    confirmation: Confirmation | None = None
    losses: tuple[LargestLoss, ...] = ()
    against: Proved | None = None
    numerics: Numerics = Numerics.REAL
    in_real_numbers: str = ""
    watched: WatchedRuns | None = None
    broken: Broken | None = None

    def beside(self, proof: Proved) -> Violation:
        """The violation with a proof of the same claim, where the two contradict each other.

        A proof is about real numbers, and does not contradict what only machine numbers show.
        """
        if self.numerics is Numerics.MACHINE:
            return self
        witness = self.counterexample.witness
        covered = proof.scope.covers(witness.d1, {one.name: one.value for one in witness.arguments})
        return replace(self, against=proof) if covered and self.against is None else self

    @property
    def code(self) -> str:
        """Whatever the evidence, one code, so that a comment that silences it does; others if there is a proof too, and
        in machine numbers.
        """
        if self.numerics is Numerics.MACHINE:
            return "DP911"
        return "DP901" if self.against is None else "DP907"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoViolation:
    """Nothing was found with this effort. This never means that the mechanism is private.

    losses: the largest loss that was computed exactly for each value of the claim, in the order of `tested`; empty
    where none was.
    """

    tested: tuple[TestedEpsilon, ...]
    choices: tuple[tuple[Argument, ...], ...]
    """The distinct choices of arguments that were tried."""
    confidence: float
    effort: Effort
    power: Power | None = None
    losses: tuple[LargestLoss, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Underpowered:
    """Nothing was found, and next to nothing would have been: at no tested value even a loss of twice the claim, or at
    one of them none at all.

    Not to be read as `NoViolation`. why: what kept it from seeing more, in a clause. helps: what would let it see more,
    the most promising first. tested, choices, losses: as for `NoViolation`; empty where nothing could be tried. power:
    what would have been found at the tested value where most would have been, compared with the claim; None if nothing.
    """

    why: str
    helps: tuple[str, ...]
    confidence: float
    effort: Effort
    tested: tuple[TestedEpsilon, ...] = ()
    choices: tuple[tuple[Argument, ...], ...] = ()
    power: Power | None = None
    losses: tuple[LargestLoss, ...] = ()
    code: str = "DP909"


@dataclass(frozen=True, slots=True, kw_only=True)
class Untestable:
    """The mechanism cannot be run or judged, for a reason that lies in what it is.

    code: DP908 where it can be run, and nothing can be read from what it returns. cure: how to mend that, may be empty.
    """

    reason: str
    code: str = "DP904"
    cure: str = ""

    def __post_init__(self) -> None:
        """As for `Failed`: the reason may be what the function raised."""
        object.__setattr__(self, "reason", without_environment(self.reason))


class FailureKind(StrEnum):
    """What went wrong in an audit that failed."""

    IMPORT = "import"
    DEADLINE = "deadline"
    BUDGET = "budget"
    CRASH = "crash"
    MEMORY = "memory"
    EFFECT = "effect"
    INPUT = "input"
    INTERNAL = "internal"
    CANCELLED = "cancelled"


class FailureScope(StrEnum):
    """What failed: the audit of one mechanism, or something that all mechanisms of a module or interpreter share."""

    MECHANISM = "mechanism"
    MODULE = "module"
    INTERPRETER = "interpreter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The audit could not be completed.

    detail: a traceback or the tail of what the process wrote; may be empty. cure: how to mend it, empty where its kind
    says all there is. scope: a failure that others share is reported once for all of them. line: of the module's file,
    where its import failed; None if that is not known, or not what failed.
    """

    kind: FailureKind
    reason: str
    detail: str = ""
    cure: str = ""
    scope: FailureScope = FailureScope.MECHANISM
    line: int | None = None
    effort: Effort = field(default_factory=Effort)
    code: str = "DP905"

    def __post_init__(self) -> None:
        """What the function raised, or its process wrote, may hold secrets of an environment; no report shows them."""
        for name in ("reason", "detail"):
            object.__setattr__(self, name, without_environment(getattr(self, name)))


_ByPairs: TypeAlias = Unstable | NotRefuted | Overspent | NotOverspent
Outcome: TypeAlias = Violation | Proved | NoViolation | Underpowered | _ByPairs | Untestable | Failed


def together(before: Outcome | None, found: Outcome) -> Outcome:
    """What is known after a pass that has found something, where `before` was known of the same source.

    A violation takes the place of a proof that does not cover its input; of one that does, it is kept beside.
    Runs that have found nothing do not take the place of a proof, and a pass that had no time for anything, or for too
    little to tell, does not take the place of one that had. Anything else is replaced by what was found.
    """
    match found, before:
        case Violation(), Proved():
            return found.beside(before)
        case Proved(), Violation():
            return before.beside(found)
        case NoViolation() | Underpowered(), Proved():
            return _noted(before, f"{found.effort.runs:,} runs after the proof have found no violation")
        case Underpowered(tested=()), Violation() | NoViolation() | Underpowered():
            return _noted(before, f"a later pass could try nothing: {found.why}")
        case Underpowered(), NoViolation():
            return replace(before, effort=_with_runs(before.effort, found.effort))
        case _:
            return found


def never_worse(before: Outcome | None, found: Outcome) -> Outcome:
    """The same for somebody who looks on while passes follow one another: what one pass has shown, none takes back.

    A pass that failed, on a busy machine for instance, and one that did not find a violation again, leave what was
    known, with a note; one that has found a violation, but shows less of it, as it ended sooner, adds its runs alone.
    """
    match found, before:
        case Violation(), Violation() if found.numerics is before.numerics and _shown(before) > _shown(found):
            return replace(before, effort=_with_runs(before.effort, found.effort))
        case Violation(), Violation(against=Proved() as proof):
            return found.beside(proof)
        case Failed(), Violation() | Proved() | NoViolation() | Underpowered(tested=(_, *_)):
            return _noted(before, f"a later pass failed: {found.reason}")
        case NoViolation() | Underpowered(tested=(_, *_)), Violation():
            return _noted(before, f"a later pass of {found.effort.runs:,} runs ended without finding it again")
        case _:
            return together(before, found)


def _shown(violation: Violation) -> tuple[bool, float]:
    """How much is shown: for certain rather than not, and by how much the claim is exceeded."""
    return violation.confidence == 1.0, violation.epsilon_lower - violation.epsilon_tested


def _with_runs(before: Effort, found: Effort) -> Effort:
    """An effort of which another one is a part of the same whole, or the other way round."""
    all_runs = found.earlier_runs + found.runs
    return replace(before, earlier_runs=max(before.earlier_runs, all_runs - before.runs))


def _noted(known: Violation | Proved | NoViolation | Underpowered, note: str) -> Outcome:
    """The same with a note, once."""
    notes = known.effort.notes
    return known if note in notes else replace(known, effort=replace(known.effort, notes=(*notes, note)))
