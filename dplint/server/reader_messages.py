"""What the server asks the reader process, and what that answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dplint.check.editor_model import LoadedBuffer
from dplint.check.loading import Target
from dplint.check.suggesting import NewClaim
from dplint.claims import Mechanism, Span
from dplint.config import Settings


@dataclass(frozen=True, slots=True)
class Read:
    """Read a whole text."""

    path: Path
    text: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Lower:
    """Read one mechanism of a text with its program. before: itself, before its body was changed."""

    path: Path
    text: str
    settings: Settings
    qualname: str
    before: Mechanism | None = None


@dataclass(frozen=True, slots=True)
class Suggest:
    """A claim for the function whose head is in the line."""

    path: Path
    text: str
    settings: Settings
    line: int


@dataclass(frozen=True, slots=True)
class Engines:
    """What the engines of a text spend."""

    path: Path
    text: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Forget:
    """The file was closed."""

    path: Path


Request: TypeAlias = Read | Lower | Suggest | Engines | Forget
Answer: TypeAlias = LoadedBuffer | Target | NewClaim | tuple[tuple[Span, str], ...] | None


@dataclass(frozen=True, slots=True)
class ReaderFailed:
    """A request that could not be answered, and why."""

    reason: str
    detail: str = ""
