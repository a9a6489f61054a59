"""What one call of a function knows while it runs: variables, loops, and what it has returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from dplint.claims import Span
from dplint.program.interpretation import Caught, M, V
from dplint.program.nodes import CallFunction
from dplint.sites import DrawSite


@dataclass(slots=True)
class Binding(Generic[V, M]):
    """A variable's value, and the runs in which it has been assigned."""

    value: V
    assigned: M


@dataclass(slots=True)
class Loop(Generic[M]):
    """The runs that have left a loop by `break`, and those that have left the present turn by `continue`.

    entering: the runs that came to the loop. exits: how often runs had ended by then; if none has ended inside the
    loop, those that come out are those that came in, and the mask stays simple.
    """

    broken: M
    continued: M
    entering: M
    exits: int


@dataclass(slots=True)
class Frame(Generic[V, M]):
    """One call.

    calls: the calls of helper functions that lead here, outermost first; empty for the mechanism itself. turns: the
    turn of each loop that is being walked, in this call and around it, outermost first, counting from 0. result: None
    until something is returned. waiting: the frames of the callers, with the variables that they may read once this
    call has returned; None where a caller is in the middle of an expression, and so holds values that no variable has.
    caught: what each of the handlers around the present place has caught.
    """

    shared: frozenset[str]
    calls: tuple[CallFunction, ...] = ()
    turns: list[int] = field(default_factory=list)
    waiting: Scopes[V, M] | None = ()
    variables: dict[str, Binding[V, M]] = field(default_factory=dict)
    loops: list[Loop[M]] = field(default_factory=list)
    result: V | None = None
    caught: list[Sequence[Caught[M]]] = field(default_factory=list)

    def site(self, span: Span, turns: Sequence[int] = ()) -> DrawSite:
        """The site of a draw that stands there. turns: of loops that are written out."""
        return DrawSite(span, tuple(call.span for call in self.calls), (*self.turns, *turns))


Scopes: TypeAlias = tuple[tuple[Frame[V, M], frozenset[str]], ...]
"""Frames, the mechanism's own first, each with the names of some of its variables."""
