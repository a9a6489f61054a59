"""What one call of a function knows while it runs: variables, loops, and what it has returned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from dplint.program.reading import M, V


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
    """One call. `result` is None until something is returned; `calls` names the functions that are being called."""

    outermost: bool
    shared: frozenset[str]
    variables: dict[str, Binding[V, M]] = field(default_factory=dict)
    loops: list[Loop[M]] = field(default_factory=list)
    result: V | None = None
    calls: tuple[str, ...] = ()
