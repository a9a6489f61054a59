"""What the server asks the process that reads, and what that answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from dplint.check.editor_model import LoadedBuffer
from dplint.check.engine_notes import engine_notes
from dplint.check.loading import Target
from dplint.check.suggesting import NewClaim, new_claim
from dplint.claims import Mechanism, Span
from dplint.config import Settings
from dplint.source.files import hold

if TYPE_CHECKING:
    from dplint.check.buffers import BufferReader


@dataclass(frozen=True, slots=True)
class Read:
    """Read a whole text."""

    path: Path
    text: str
    settings: Settings

    def answer(self, reader: BufferReader) -> LoadedBuffer:
        """What is in it."""
        hold(self.path, self.text.removeprefix("\ufeff"))
        return reader.read(self.path, self.text, self.settings)


@dataclass(frozen=True, slots=True)
class Lower:
    """Read one mechanism of a text with its program. before: itself, before its body was changed."""

    path: Path
    text: str
    settings: Settings
    qualname: str
    before: Mechanism | None = None

    def answer(self, reader: BufferReader) -> Target | None:
        """The mechanism, None if it is not there."""
        return reader.target(self.path, self.text, self.settings, self.qualname, self.before)


@dataclass(frozen=True, slots=True)
class Suggest:
    """A claim for the function whose head is in the line."""

    path: Path
    text: str
    settings: Settings
    line: int

    def answer(self, _reader: BufferReader) -> NewClaim | None:
        """The claim, None if none is to be suggested."""
        return new_claim(self.path, self.text, self.line, self.settings)


@dataclass(frozen=True, slots=True)
class Engines:
    """What the engines of a text spend."""

    path: Path
    text: str
    settings: Settings

    def answer(self, _reader: BufferReader) -> tuple[tuple[Span, str], ...]:
        """Each call that makes an engine, and what is to be said of it."""
        return engine_notes(self.path, self.text, self.settings)


@dataclass(frozen=True, slots=True)
class Forget:
    """The file was closed."""

    path: Path

    def answer(self, reader: BufferReader) -> None:
        """Nothing: what is kept of it goes."""
        hold(self.path, None)
        reader.forget(self.path)


Request: TypeAlias = Read | Lower | Suggest | Engines | Forget
Answer: TypeAlias = LoadedBuffer | Target | NewClaim | tuple[tuple[Span, str], ...] | None
