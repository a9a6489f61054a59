"""Findings: what the source alone shows, and how it can be mended.

Repairs: edits of a mechanism's source under which its claim was judged before anybody sees them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dplint.claims import Span


class Severity(StrEnum):
    """How a finding counts: an error makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Effect(StrEnum):
    """What kind of event something in the source can cause."""

    OUTPUT = "output"
    EXCEPTION = "exception"


@dataclass(frozen=True, slots=True)
class Edit:
    """New text for a range of the file that a finding is about."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """How a finding can be mended. edits do not overlap; safe: what the code means can only become what was meant."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


LONGEST_WAY = 5


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding or a verdict is about, in the same file, and what is to be seen there.

    text: the line on which it begins, without the white space around it, where a finding speaks of what happens there;
    if no run comes to it, nothing does. Else empty. helper: the full name of the function, other than the mechanism,
    in which a step of the way of a value is; else empty.
    """

    span: Span
    message: str
    text: str = ""
    helper: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a static rule reports, at a place in the source.

    foretells: it explains a violation of its function, if there is one. error_if_refuted: it becomes an error then, if
    it is a warning. raised: it has become one. disprovable: a proof of the claim shows it to be wrong. effects: the
    kinds of events that it can cause. same_as: codes of findings of the same cause in other words, beside which it is
    not shown. text: the line on which it begins, without the white space around it; may be empty. way: how a value
    comes here, from where it has its source to where it shows; at most `LONGEST_WAY` places, empty where none is known.
    """

    file: str
    span: Span
    function: str | None
    code: str
    severity: Severity
    message: str
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    foretells: bool = False
    error_if_refuted: bool = False
    raised: bool = False
    disprovable: bool = False
    effects: tuple[Effect, ...] = (Effect.OUTPUT,)
    same_as: tuple[str, ...] = ()
    text: str = ""
    way: tuple[Related, ...] = ()

    @property
    def fixable(self) -> bool:
        """Whether the finding can be mended automatically."""
        return self.fix is not None


class Known(StrEnum):
    """How it is known that the claim holds after a repair."""

    PROVED = "proved"
    EXACT = "exact"
    NOT_REFUTED = "not-refuted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """Edits of one file that do not overlap, and what was found out of the mechanism with them.

    diff: the same as a unified diff. known: PROVED: for all that the claim speaks of; EXACT: no loss on any pair that
    was computed is more than is claimed; NOT_REFUTED: `runs` single runs have found nothing. error_before, error_after:
    the standard deviation of the numbers in an output, by runs of both programs on the same data; None if that is not
    known.
    """

    title: str
    edits: tuple[Edit, ...]
    diff: str
    known: Known
    error_before: float | None = None
    error_after: float | None = None
    runs: int = 0

    @property
    def fix(self) -> Fix:
        """The repair as the fix of a finding: safe if it is proved."""
        return Fix(self.title, self.edits, safe=self.known is Known.PROVED)
