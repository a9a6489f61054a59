"""What the outputs of an audit were, for the case that no event could be made of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dplint.outcomes import Untestable
from dplint.runner.batch import Batch, Group, LeafKind, Record

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
