"""What pairs have shown of a function without noise: a claim of stability refuted, or not refuted."""

from __future__ import annotations

from dataclasses import dataclass, field

from dplint.claims import Literal, Mechanism, Stability
from dplint.outcomes.effort import Argument, Effort
from dplint.outcomes.proof import Scope
from dplint.outcomes.watched import SkippedLine


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputPair:
    """Two neighbouring inputs and what the function makes of them, without noise.

    distance: of the outputs, infinite where they have no finite one: other lengths, a missing number, an exception.
    output1, output2: as text, cut if long. differences: what differs, a line each, a few of them. d1, d2: as in a
    `Witness`.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    output1: str
    output2: str
    distance: float
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstable:
    """A pair refutes the claim, for certain: there is no noise, and both outputs came again.

    d_out: what the claim allows with these arguments.
    """

    pair: OutputPair
    stability: Stability
    d_out: float
    effort: Effort
    code: str = "DP913"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRefuted:
    """No pair that was tried refutes the claim. This never means that the function is stable.

    furthest: the pair whose outputs are furthest apart; None where all outputs were the same. d_out: the least that the
    claim allows with the arguments of that pair; None where nothing is claimed. skipped: lines of the function that no
    run came to. within: where nothing is claimed, of a proof that no outputs are further apart than those.
    """

    furthest: OutputPair | None
    stability: Stability
    d_out: float | None
    effort: Effort
    skipped: tuple[SkippedLine, ...] = field(default=())
    within: Scope | None = None


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How far data move what a function returns, from below; no bound for pairs that were not tried, but by a proof."""

    mechanism: Mechanism
    found: NotRefuted

    @property
    def refutes(self) -> bool:
        """Nothing is claimed."""
        return False
