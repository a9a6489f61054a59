"""What the comments `# dplint: ignore[...]` of a text silence.

Nothing here looks at files: text, findings and verdicts come in, findings and verdicts go out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, assert_never

from dplint.claims import Mechanism
from dplint.outcomes import (
    Failed,
    Finding,
    NotRefuted,
    NoViolation,
    Proved,
    Result,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
)
from dplint.source.ignore_comments import MARK, IgnoreComment, ignore_comments
from dplint.source.layout import Layout, read_layout

_OF_AUDITS = "DP9"
"""So begin codes of verdicts, and of findings about them, which stand where a verdict does."""
Item: TypeAlias = Finding | Result
AnyItem = TypeVar("AnyItem", bound=Item)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The comments of one text. file: as findings and mechanisms name it; what is about other files is let through."""

    file: str
    comments: tuple[IgnoreComment, ...]
    layout: Layout

    def silence(self, items: Iterable[AnyItem]) -> tuple[list[AnyItem], list[AnyItem]]:
        """Those that are reported, and those that are silenced, each in their order.

        A verdict without a code is no problem and is kept. So is a failed audit: what could not be checked must not
        vanish.
        """
        kept: list[AnyItem] = []
        silenced: list[AnyItem] = []
        for item in items:
            (silenced if self.silences(item) else kept).append(item)
        return kept, silenced

    def silences(self, item: Item) -> bool:
        """Whether a finding or a verdict is silenced."""
        return any(self.meets(comment, item, comment.codes) for comment in self.comments)

    def silences_mechanism(self, mechanism: Mechanism, code: str) -> bool:
        """Whether a verdict on the mechanism with that code would be silenced."""
        return any(code.startswith(tuple(one.codes)) and self.covers(one, mechanism) for one in self.comments)

    def meets(self, comment: IgnoreComment, item: Item, codes: Iterable[str]) -> bool:
        """Whether one comment is for a finding or a verdict, if these are its codes."""
        code = code_of(item)
        return code is not None and code.startswith(tuple(codes)) and self.covers(comment, item)

    def covers(self, comment: IgnoreComment, item: Item | Mechanism) -> bool:
        """Whether a finding, a verdict or a mechanism stands in the lines that a comment is for."""
        return any(lines.start <= comment.last and comment.first < lines.stop for lines in self._places(item))

    def _places(self, item: Item | Mechanism) -> list[range]:
        """The lines in which a finding or a verdict begins, for a verdict those of the decorators and the head too."""
        if isinstance(item, Finding):
            if item.file != self.file:
                return []
            places = [_only(item.span.line)]
            if not item.code.startswith(_OF_AUDITS):
                return places
            line = item.span.line
        else:
            mechanism = item.mechanism if isinstance(item, Result) else item
            if mechanism.file != self.file:
                return []
            line = mechanism.span.line
            places = [_only(line), _only(mechanism.claim_span.line)]
        function = self.layout.function(line)
        if function is not None and line <= function.head_end:
            places.append(range(function.first, function.head_end + 1))
        return places


def find_suppressions(text: str, file: str) -> Suppressions:
    """The comments of a text. Of one that does not parse, those before the first error that hides them."""
    if not MARK.search(text):
        return Suppressions(file, (), Layout(()))
    layout = read_layout(text)
    return Suppressions(file, ignore_comments(layout), layout)


def _only(line: int) -> range:
    return range(line, line + 1)


def code_of(item: Item) -> str | None:
    """The code that a comment and the settings may name, None for what cannot be silenced."""
    if isinstance(item, Finding):
        return item.code
    match item.outcome:
        case Violation() | Underpowered() | Unstable() | Untestable():
            return item.outcome.code
        case Proved() | NoViolation() | NotRefuted() | Failed():
            return None
        case _:
            assert_never(item.outcome)
