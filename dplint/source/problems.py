"""What is wrong with a claim, and the parts of one that it is said of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dplint.claims import Literal, Span
from dplint.outcomes import Edit, Fix
from dplint.source.text import Segment


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a claim: its code DP0xx, its place, what to write instead, and how an editor can do that."""

    code: str
    span: Span
    message: str
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """The value of one argument of a claim, and where it stands. entries: the values of a dict, by key.

    quoted: what stands between the quotes of a string that is written out, letter by letter as its value is. key: the
    same of the key that an entry of a dict has.
    """

    value: Literal
    span: Span
    quoted: Segment | None = None
    key: Segment | None = None
    entries: Mapping[str, Item] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problems:
    """Collects problems while a claim is read, so that one check reports all of them."""

    found: list[Problem] = field(default_factory=list)

    def add(self, code: str, span: Span, message: str, fix: Fix | None = None) -> None:
        """Note a problem."""
        self.found.append(Problem(code, span, message, fix))


def respelling(wrong: str, right: str | None, *places: Span) -> Fix | None:
    """The fix that puts the word that was meant in place of the wrong one; None if no word or no place is known.

    It is not safe: the nearest word is a guess.
    """
    if right is None or not places:
        return None
    return Fix(f'Replace "{wrong}" by "{right}"', tuple(Edit(place, right) for place in places), safe=False)
