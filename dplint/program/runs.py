"""One run of a program at given arguments and draws: what asks for the draws, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dplint.claims import Span
from dplint.program.nodes import Draw
from dplint.sites import DrawSite

DrawCallback: TypeAlias = Callable[[Draw, Mapping[str, Any], Any, DrawSite], Any]
"""Takes the node, the parameters by canonical name, the size and the site; returns what the draw gives."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One evaluated condition: where it stands, and what it came to."""

    span: Span
    taken: bool


@dataclass(slots=True)
class Run:
    """What one run did. `exception` is None unless it raised one: its name and arguments."""

    output: Any = None
    exception: tuple[str, tuple[Any, ...]] | None = None
    out_of_fuel: bool = False
    branches: list[Branch] = field(default_factory=list)
