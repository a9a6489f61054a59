"""What one pass of the anytime audit leaves for the next: its wealth, which the next one multiplies.

The wealth of a pass is the mean of its bets at the moment when it ends. The next pass starts from it with fresh bets on
fresh random streams, so that over all passes it is one supermartingale and alpha is spent only once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from dplint.audit.betting.portfolio import Portfolio
from dplint.audit.settings import Setting
from dplint.jobs import AuditState

_VERSION = 1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CarriedOver:
    """Earlier passes: how many, their runs, and for each value of the claim ln of the wealth against each epsilon.

    lanes: whether some of the wealth was made on lanes. rejected: choices of arguments that were left out, and why, as
    `AuditSession.rejected` has them.
    """

    passes: int = 0
    runs: int = 0
    wealth: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    lanes: bool = False
    rejected: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def read(state: AuditState | None) -> CarriedOver:
        """From a stored state; as if there had been no earlier pass if it is not one of ours."""
        if not isinstance(state, dict) or state.get("version") != _VERSION:
            return CarriedOver()
        passes, runs, wealth = state.get("passes"), state.get("runs"), state.get("wealth")
        if not _is_count(passes) or not _is_count(runs) or not isinstance(wealth, dict):
            return CarriedOver()
        found = {}
        for key, values in wealth.items():
            if not isinstance(values, list) or not all(map(_is_finite, values)):
                return CarriedOver()
            found[str(key)] = tuple(map(float, values))
        rejected = state.get("rejected", {})
        if not isinstance(rejected, dict) or not all(isinstance(why, str) for why in rejected.values()):
            return CarriedOver()
        return CarriedOver(passes, runs, found, lanes=state.get("lanes") is not False, rejected=rejected)

    def off_lanes(self) -> CarriedOver:
        """What is left of it if operations are not those of the function: nothing that was earned on lanes."""
        return replace(self, wealth={}, lanes=False) if self.lanes else self

    def carried(self, setting: Setting, grid: Floats) -> Floats:
        """Ln of the wealth that a value of the claim starts with."""
        values = self.wealth.get(_key(setting), ())
        return np.array(values) if len(values) == len(grid) else np.zeros(len(grid))

    def followed_by(
        self,
        claim_tests: Sequence[tuple[Setting, Portfolio]],
        runs: int,
        rejected: Mapping[str, str] | None = None,
        *,
        lanes: bool,
    ) -> AuditState:
        """The state after one more pass, on lanes or not; values of the claim that it did not reach keep money."""
        # Money that is lost to the last penny is kept as a number that JSON can hold.
        wealth: dict[str, object] = {key: list(values) for key, values in self.wealth.items()}
        wealth |= {
            _key(setting): np.maximum(portfolio.log_total(), -1e6).tolist() for setting, portfolio in claim_tests
        }
        return {
            "version": _VERSION,
            "passes": self.passes + 1,
            "runs": self.runs + runs,
            "wealth": wealth,
            "lanes": lanes or self.lanes,
            "rejected": {**self.rejected, **(rejected or {})},
        }


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def _is_finite(value: object) -> bool:
    return type(value) is float and math.isfinite(value)


def _key(setting: Setting) -> str:
    return repr((setting.epsilon, setting.delta, setting.size, [(a.name, a.value) for a in setting.parameters]))
