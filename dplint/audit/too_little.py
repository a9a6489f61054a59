"""When nothing was found and little would have been: that is said, with what would help."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dplint.inputs.forms import TABLES, data_form
from dplint.jobs import AuditJob
from dplint.outcomes import Effort, NoViolation, Power, StopReason, Underpowered
from dplint.program.refusals import INSTALLED, Unsupported

NO_TURN = "the audit ended before epsilon ="
"""Begins the note that values of the claim were not tried; after a proof of all of them that is as it should be."""
CALLS = "every run calls the function"
"""Begins the note that no runs were made many at once."""
_TIMES = 2.0
"""A loss of so many times the claim must be in sight."""
_LEAST = 0.1
"""In place of twice a claim of zero."""


def sees_twice_the_claim(powers: Sequence[Power]) -> bool:
    """Whether a loss of twice the claim would have been found at one of its tested values, if any was played.

    One value suffices: a mechanism whose noise is too small by a factor loses too much at each of them.
    """
    return any(power.epsilon <= max(_TIMES * power.claimed, _LEAST if power.claimed == 0 else 0.0) for power in powers)


def sees_something(powers: Sequence[Power]) -> bool:
    """Whether some loss would have been found at each of the values that were played."""
    return all(math.isfinite(power.epsilon) for power in powers)


def too_little(job: AuditJob, found: NoViolation, powers: Sequence[Power]) -> Underpowered:
    """The same outcome, said as what it is. powers: as for `sees_twice_the_claim`."""
    effort = found.effort
    made = effort.runs + effort.earlier_runs
    seen = "twice the claim"
    if sees_twice_the_claim(powers):
        blind = dict.fromkeys(f"{power.claimed:g}" for power in powers if math.isinf(power.epsilon))
        seen = f"any loss at epsilon = {', '.join(blind)}"
    if effort.stop is StopReason.TIME:
        why = f"not enough time for {seen} to be seen"
    else:
        why = f"{made:,} runs are too few for {seen} to be seen"
    return Underpowered(
        why=why,
        helps=_helps(job, effort),
        tested=found.tested,
        choices=found.choices,
        confidence=found.confidence,
        effort=effort,
        power=min(powers, key=_ratio, default=None),
        losses=found.losses,
    )


def underpowered(job: AuditJob, effort: Effort, why: str) -> Underpowered:
    """Nothing could be tried at all."""
    effort = replace(effort, notes=tuple(note for note in effort.notes if note != why))
    return Underpowered(why=why, helps=_helps(job, effort), confidence=1 - job.settings.alpha, effort=effort)


def _ratio(power: Power) -> float:
    return power.epsilon / power.claimed if power.claimed > 0 else math.inf


def _helps(job: AuditJob, effort: Effort) -> tuple[str, ...]:
    """What would let it see more, the most promising first."""
    settings, mechanism = job.settings, job.mechanism
    helps = []
    table = data_form(mechanism) in TABLES  # pandas is not to be rewritten
    called = any(note.startswith(CALLS) for note in effort.notes)
    if called and isinstance(job.program, Unsupported) and job.program.construct != INSTALLED and not table:
        place = f"{mechanism.file}::{mechanism.qualname}"
        helps.append(
            f"rewriting {job.program.span.words} ({job.program.construct}), so that thousands of runs are made at "
            f"once: `dplint inspect program {place}` shows how"
        )
    if settings.max_runs is not None:
        helps.append(f"more runs (--runs {4 * settings.max_runs})")
    else:
        helps.append(f"more time (--budget {4 * settings.budget:g})")
    return (*helps, "smaller data (size= in the claim)")
