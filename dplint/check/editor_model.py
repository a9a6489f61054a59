"""What an editor sees of a text. It is made where texts are read; who shows it need not know how."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dplint.claims import Claim, Mechanism, Span
from dplint.outcomes import CheckError, Finding
from dplint.program.refusals import Unsupported
from dplint.source.suppressions import Suppressions


@dataclass(frozen=True, slots=True)
class BudgetShare:
    """A draw, and D/b for it: as a multiple of the claimed epsilon, else as a number, or neither if it is not known."""

    span: Span
    distribution: str
    of_claim: Fraction | None
    epsilon: float | None

    def pays_for(self, claim: Claim) -> float | None:
        """The sensitivity for which the draw would spend all of the claim's epsilon; None if that is not known."""
        if self.of_claim is not None:
            return float(claim.sensitivity / self.of_claim)
        if self.epsilon is None or isinstance(claim.epsilon, str):
            return None
        return claim.sensitivity * claim.epsilon / self.epsilon


@dataclass(frozen=True, slots=True)
class MechanismView:
    """A mechanism as an editor sees it.

    last: the last line of the function. source_key: a digest of all that it is made of in its module, wherever that
    stands. shares: its draws. obstacle: what keeps it from having a program, None if it has one.
    """

    mechanism: Mechanism
    last: int
    source_key: str
    shares: tuple[BudgetShare, ...]
    obstacle: Unsupported | None


@dataclass(frozen=True, slots=True)
class LoadedBuffer:
    """What is in a text: mechanisms in their order, what is wrong with claims, and what could not be read.

    findings: also those that the comments of the text silence, which `suppressions` tells; None without comments.
    files: other files that findings and programs depend on, each with its digest.
    """

    views: tuple[MechanismView, ...] = ()
    findings: tuple[Finding, ...] = ()
    errors: tuple[CheckError, ...] = ()
    suppressions: Suppressions | None = None
    files: tuple[tuple[str, str], ...] = ()
