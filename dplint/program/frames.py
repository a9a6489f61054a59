"""What one call of a function knows while it runs: variables, loops, and what it has returned.

Hooks are what the evaluator tells of it after each statement and before each loop, to those who ask for it. An
interpretation that keeps several paths merges those that can no longer be told apart; one that reasons about loops
forgets their state. Both need to know which variables still matter. `evaluate` takes hooks beside the interpretation,
which may be the same object; without hooks nothing is worked out, and nothing costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeAlias

from dplint.claims import Span
from dplint.program.interpretation import M, V
from dplint.program.nodes import CallFunction, For, Statement, While
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
    """

    shared: frozenset[str]
    calls: tuple[CallFunction, ...] = ()
    turns: list[int] = field(default_factory=list)
    waiting: Scopes[V, M] | None = ()
    variables: dict[str, Binding[V, M]] = field(default_factory=dict)
    loops: list[Loop[M]] = field(default_factory=list)
    result: V | None = None

    def site(self, span: Span, turns: Sequence[int] = ()) -> DrawSite:
        """The site of a draw that stands there. turns: of loops that are written out."""
        return DrawSite(span, tuple(call.span for call in self.calls), (*self.turns, *turns))


Scopes: TypeAlias = tuple[tuple[Frame[V, M], frozenset[str]], ...]
"""Frames, the mechanism's own first, each with the names of some of its variables."""


@dataclass(frozen=True, slots=True)
class LiveVariables(Generic[V, M]):
    """The variables that runs at one place of the program may still read, by `dplint.program.liveness`.

    A view: asked again later, it shows what the same variables hold by then. scopes: the frames of all calls that are
    open, the mechanism's own first, each with the names of its live variables.
    """

    scopes: Scopes[V, M]

    def bindings(self) -> dict[tuple[int, str], Binding[V, M]]:
        """By (number of helper calls around it, name); what no run has assigned is missing.

        `value` of a binding may be replaced, see `Hooks`; `assigned` may not.
        """
        return {
            (depth, name): frame.variables[name]
            for depth, (frame, names) in enumerate(self.scopes)
            for name in sorted(names)
            if name in frame.variables
        }


class Hooks(Protocol[V, M]):
    """What the evaluator calls between statements.

    `active` are the runs that stand at that place; there are some. All of them stand at the same place of the program,
    in the same turns of the same loops. So what a run does from here on hangs on what `live` holds for it (and on
    which of it is assigned), on the items that an iterator of `Interpretation.iterate` still has for it, and on draws
    to come, and on nothing else: two active runs that agree in these go on alike.

    A hook may replace what a live variable holds in the active runs, and may end runs, which `alive` then leaves out.
    It must leave alone what variables hold in other runs: those wait at another place, the other side of a branch
    perhaps, and may read there what is dead here.

    In a helper function that is called in the middle of an expression, such as `x + helper(y)`, no hook is called,
    because the evaluator then holds values that are in no variable. Where the call is all that its statement evaluates
    (`x = helper(y)`, `return helper(y)`, `if helper(y):`, `for x in helper(y):`), hooks are called.
    """

    def after_statement(self, statement: Statement, active: M, live: LiveVariables[V, M]) -> None:
        """A statement was walked, with all that it consists of; `active` are the runs that go on to the next one.

        After an `if` these are the runs of both its sides, after a loop those that left it in any way but by `return`
        or `raise`. Statements that send all runs elsewhere (`break`, `continue`, `return`, `raise`) are not told of.
        """
        ...

    def entering_loop(self, node: For | While, iterable: V | None, active: M, live: LiveVariables[V, M]) -> None:
        """A loop is about to take its first turn.

        iterable: what a `for` goes through, None for a `while`, whose test has not been evaluated yet. live: what is
        live at the head of the loop, which is the same before every turn: `live.bindings()` shows the state after a
        turn when `iterate` is asked for another item, or `checkpoint` is called. Comprehensions are expressions, and
        not told of.
        """
        ...
