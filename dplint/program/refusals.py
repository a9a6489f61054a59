"""What an interpretation cannot follow, or no evaluator: a construct, its place, and a way to write it that works."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dplint.claims import Span

INSTALLED = "code of an installed package"
"""What is not read at all."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A construct that has no meaning in programs, or none for an interpretation; `hint` is a way to write it that
    works, or empty.
    """

    construct: str
    span: Span
    hint: str = ""

    def __str__(self) -> str:
        """The construct and its line, then the hint."""
        return f"{self.construct} at {self.span.words}" + (f" ({self.hint})" if self.hint else "")


class UnsupportedConstruct(Exception):
    """Carries an `Unsupported` out of the lowering or an interpretation."""

    def __init__(self, unsupported: Unsupported) -> None:
        super().__init__(unsupported)
        self.unsupported = unsupported

    def __str__(self) -> str:
        return str(self.unsupported)

    def at(self, span: Span) -> UnsupportedConstruct:
        """The same with a place, where it has none."""
        return self if self.unsupported.span.line else UnsupportedConstruct(replace(self.unsupported, span=span))


def unsupported(construct: str, span: Span, hint: str = "") -> UnsupportedConstruct:
    """The exception to raise for a construct."""
    return UnsupportedConstruct(Unsupported(construct, span, hint))
