"""What a function loses that claims nothing: the smallest claim that is proved, found by trying claims."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from dplint.amounts import multiple, readable
from dplint.check.checking import check_chosen
from dplint.check.choosing import Choice
from dplint.claims import EPSILON_NAME, Span
from dplint.config import ClaimTable, Settings, SettingsByFile
from dplint.outcomes import CheckEvent, Finding, Result, Violation, spend_of
from dplint.source.places import import_place

_ROUNDS, _SECONDS = 4, 5.0
_SIMPLE, _BEYOND = 12, 1.01
"""A loss that is no simple fraction is seldom the largest: the next claim is more, and a proof says what less will do.
"""


def least_claim(
    path: Path, function: str, parameters: Sequence[str], values: Mapping[str, object], settings: Settings
) -> Iterator[CheckEvent]:
    """The events of a check of a function under the smallest claim that is found.

    It is a multiple of the parameter that is called epsilon, if there is one, else a number. values: the rest of the
    claim, as a table of pyproject.toml has it. A claim that is refuted is followed by a larger one, until none is; a
    proof says by its share what less it proves. Of the rules nothing is told: they speak of claims that somebody made.
    """
    epsilon: float | str = next((name for name in parameters if EPSILON_NAME.match(name)), 1.0)
    name = f"{import_place(path.absolute()).module}:{function}"
    share, told = Fraction(1), list[CheckEvent]()
    for _ in range(_ROUNDS):
        table = ClaimTable(name, {**values, "epsilon": multiple(epsilon, share)}, str(path), Span(1, 1, 1, 1))
        own = replace(
            settings, mechanisms={name: table}, repairs=False, cache=False, budget=min(settings.budget, _SECONDS)
        )
        told = list(check_chosen([path], [Choice(path, function)], SettingsByFile.fixed(own)))
        outcome = next((one.outcome for one in told if isinstance(one, Result)), None)
        spend = spend_of(outcome) if isinstance(outcome, Violation) else None
        if spend is None or not 0 < spend.low < math.inf:
            break
        near = readable(spend.low)
        share *= near if near.denominator <= _SIMPLE else Fraction(math.ceil(10 * spend.low * _BEYOND), 10)
    yield from (one for one in told if not isinstance(one, Finding) or one.code.startswith("DP0"))
