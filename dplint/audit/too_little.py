"""When nothing was found and little would have been: that is said, with what would help.

What the outputs of an audit were, for the case that no event could be made of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dplint.inputs.forms import TABLES, data_form
from dplint.jobs import AuditJob
from dplint.outcomes import Effort, NoViolation, Power, StopReason, Underpowered, Untestable
from dplint.program.refusals import INSTALLED, Unsupported
from dplint.runner.batch import Batch, Group, LeafKind, Record

NO_TURN, HAD_TURN = "the audit ended before epsilon =", "had a turn"
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
        blind = list(dict.fromkeys(f"{power.claimed:g}" for power in powers if math.isinf(power.epsilon)))
        unplayed = (note for note in effort.notes if note.startswith(NO_TURN))
        blind += [note.removeprefix(NO_TURN).removesuffix(HAD_TURN).strip() for note in unplayed]
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


CODE = "DP908"
_MOST_SHOWN = 60
_TITLE = "output not understood"
_CURE = (
    "Let the function return numbers, texts or bools, or containers, arrays, tables or objects whose attributes hold "
    "such, or put the claim on the function inside that does."
)
_SIDE_EFFECTS = "what it prints, logs, writes or changes in place is looked at only if the claim says so"
_OBSERVE = (
    'Let the function return what it releases, or name in the claim what else is released: observe=["stdout", '
    '"logging", "files", "arguments", "self.mean"].'
)


class Glance:
    """Whether outputs have differed at all, and what they were as long as they did not.

    It costs nothing once two outputs were different, which with noise are the first two.
    """

    def __init__(self) -> None:
        self.runs = 0
        self.varied = False
        self._first: tuple[object, ...] | None = None
        self._shown = ""
        self._opaque: set[str] = set()
        self._unknown: set[str] = set()

    def look(self, batches: Sequence[Batch]) -> None:
        """Take note of more outputs."""
        for batch in batches:
            self.runs += batch.runs
            if not self.varied and batch.runs:
                self._compare(batch)

    def untestable(self) -> Untestable:
        """What to say of an audit without a single event."""
        if not self.varied and self._shown == "None":
            reason = f"it returned None in all {self.runs:,} runs, and {_SIDE_EFFECTS}"
            return Untestable(reason=f"{_TITLE}: {reason}", code=CODE, cure=_OBSERVE)
        if self._opaque:
            types = ", ".join(sorted(self._opaque)[:3])
            reason = f"nothing but the type is known of what it returns ({types})"
            return Untestable(reason=f"{_TITLE}: {reason}", code=CODE, cure=_CURE)
        if not self.varied:
            reason = f"all {self.runs:,} runs returned {self._shown}, so that no event tells inputs apart"
            cure = "If the function releases something else, let it return that; if it is done, it needs no claim."
            return Untestable(reason=f"{_TITLE}: {reason}", code=CODE, cure=cure)
        reason = "outputs differ, but nothing in them came often enough to make an event of"
        return Untestable(reason=f"{_TITLE}: {reason}", code=CODE, cure=_CURE)

    @property
    def note(self) -> str | None:
        """What the reader must know of outputs that are understood in part; None if there is nothing."""
        if not self._unknown:
            return None
        return f"of {', '.join(sorted(self._unknown)[:3])} in the output only the type is looked at"

    def _compare(self, batch: Batch) -> None:
        for group in batch.groups:
            names = _opaque_types(group, batch.strings)
            self._unknown |= names
            if (group.kinds == LeafKind.OTHER).all():
                self._opaque |= names
        group = batch.groups[0]
        alike = len(batch.groups) == 1 and _all_alike(group)
        found = (group.skeleton, group.kinds[0].tobytes(), _values(group, batch.strings)) if alike else None
        if self._first is None and found is not None:
            self._first = found
            self._shown = _shown(batch)
        self.varied = found is None or found != self._first


def _all_alike(group: Group) -> bool:
    return bool((group.kinds == group.kinds[:1]).all() and (group.values == group.values[:1]).all())


def _values(group: Group, strings: Sequence[str]) -> tuple[object, ...]:
    """The leaves of the first output; texts themselves, as every batch numbers them anew."""
    textual = (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER)
    return tuple(
        strings[int(value)] if kind in textual else value
        for kind, value in zip(group.kinds[0].tolist(), group.values[0].tolist(), strict=True)
    )


def _opaque_types(group: Group, strings: Sequence[str]) -> set[str]:
    """The names of types of which no more than that is known."""
    numbers = np.unique(group.values[group.kinds == LeafKind.OTHER]).astype(int)
    return {strings[number] for number in numbers.tolist() if strings[number].isidentifier()}


def _shown(batch: Batch) -> str:
    output, skeleton = batch.outputs()[0], batch.groups[0].skeleton
    text = repr(output)
    if isinstance(skeleton, Record) and skeleton.fields[:1] == ("returned",) and isinstance(output, tuple):
        _, returned, *others = output
        seen = (f"{name} {value!r}" for name, value in zip(skeleton.fields[1:], others, strict=True))
        text = f"{returned!r} with {', '.join(seen)}"
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"
