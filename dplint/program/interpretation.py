"""What the evaluator asks of an interpretation: one way to execute a program.

An interpretation chooses two types. A *value* stands for what a variable holds in every run that is read at once; a
*mask* for the set of those runs in which something is the case. Values are immutable as far as the evaluator can see:
what changes a list in Python (`append`, `x[i] = v`) makes a new value here, and the evaluator has made sure that nobody
else holds the old one. An interpretation may raise `UnsupportedConstruct` from any method.

A run that raises an exception ends there. An interpretation that notices one (an index out of range, a division by
zero) calls its own `raised` for those runs, returns any value for them, and from then on leaves them out of `alive`.

One run of a program at given arguments and draws: what asks for the draws, and what comes out.

Masks of an interpretation that follows one run: a bool, whether the run is here.

What one call of a function knows while it runs: variables, loops, and what it has returned.

Hooks are what the evaluator tells of it after each statement and before each loop, to those who ask for it. An
interpretation that keeps several paths merges those that can no longer be told apart; one that reasons about loops
forgets their state. Both need to know which variables still matter. `evaluate` takes hooks beside the interpretation,
which may be the same object; without hooks nothing is worked out, and nothing costs.

The variables of a program. Several may stand for one name of the source; a number in brackets tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from dplint.claims import Literal, Span
from dplint.program.nodes import CallFunction, Draw, Expression, For, Statement, While
from dplint.sites import DrawSite

V = TypeVar("V")
M = TypeVar("M")
Runs_co = TypeVar("Runs_co", covariant=True)


class Masks(Protocol[M]):
    """Sets of runs. Operations on masks that are everywhere or nowhere should cost nothing."""

    def everywhere(self) -> M:
        """All runs."""
        ...

    def nowhere(self) -> M:
        """No run."""
        ...

    def both(self, left: M, right: M) -> M:
        """The runs in both."""
        ...

    def either(self, left: M, right: M) -> M:
        """The runs in either, or in both."""
        ...

    def join(self, left: M, right: M) -> M:
        """The runs in either, where no run is in both: what branches and loops do with runs that meet again.

        The same as `either` for sets. An interpretation whose masks are weights adds them, and loses nothing.
        """
        ...

    def negate(self, mask: M) -> M:
        """The other runs."""
        ...

    def always(self, mask: M) -> bool:
        """Whether every run that has not ended is known to be in the mask; False if unknown."""
        ...

    def never(self, mask: M) -> bool:
        """Whether no run that has not ended is in the mask; False if unknown."""
        ...

    def impossible(self, mask: M) -> bool:
        """The same, asked where a run would be refused: it may take longer to know it."""
        ...

    def alive(self, active: M) -> M:
        """The runs of the mask that have not ended by an exception; the same object if that is all of them."""
        ...

    def checkpoint(self, active: M) -> M:
        """Called at the start of each turn of a loop; returns an equal mask.

        A place to let go of runs that have ended: masks and values that the evaluator obtained earlier may still be
        handed in afterwards, so an interpretation that compacts must recognise and convert those.
        """
        ...


class Interpretation(Masks[M], Protocol[V, M]):
    """Values and their operations. `active` says in which runs a thing happens, `span` where it stands."""

    @property
    def fuel(self) -> int:
        """How many turns of one `while` loop are followed."""
        ...

    # values

    def constant(self, value: Literal) -> V:
        """The value that is the same in every run."""
        ...

    def truth(self, value: V, active: M, span: Span) -> M:
        """The runs in which the value is true in Python's sense."""
        ...

    def from_mask(self, mask: M) -> V:
        """The bool that is True in these runs."""
        ...

    def select(self, mask: M, new: V, old: V, span: Span) -> V:
        """New in the runs of the mask, old in the others."""
        ...

    def mutable(self, value: V) -> bool:
        """Whether the value is a list, dict or array in any run, so that changing it in place could be seen."""
        ...

    # operators

    def unary(self, operator: str, operand: V, active: M, span: Span) -> V:
        """One of - + ~; `not` is the evaluator's."""
        ...

    def binary(self, operator: str, left: V, right: V, active: M, span: Span) -> V:
        """An arithmetic operator."""
        ...

    def augmented(self, operator: str, left: V, right: V, active: M, span: Span) -> V:
        """The value of `left` after `left operator= right`; for lists and arrays it differs from `binary`."""
        ...

    def compare(self, operator: str, left: V, right: V, active: M, span: Span) -> V:
        """One comparison of a chain."""
        ...

    # containers

    def list_display(self, elements: Sequence[V], active: M, span: Span) -> V:
        """A new list."""
        ...

    def tuple_display(self, elements: Sequence[V], active: M, span: Span) -> V:
        """A tuple."""
        ...

    def dict_display(self, keys: Sequence[Literal], values: Sequence[V], active: M, span: Span) -> V:
        """A dict with constant keys."""
        ...

    def slice(self, start: V | None, stop: V | None, step: V | None, span: Span) -> V:
        """A slice as an index."""
        ...

    def subscript(self, value: V, index: V, active: M, span: Span) -> V:
        """`value[index]`."""
        ...

    def set_item(self, value: V, index: V, item: V, active: M, span: Span) -> V:
        """The list, dict or one-dimensional array after `value[index] = item` in the active runs."""
        ...

    def update(self, value: V, method: str, arguments: Sequence[V], active: M, span: Span) -> V:
        """The list after a method of `vocabulary.UPDATES` in the active runs, unchanged in the others."""
        ...

    def unpack(self, value: V, count: int, active: M, span: Span) -> Sequence[V]:
        """Exactly `count` items, for a tuple target."""
        ...

    def iterate(self, value: V, active: M, span: Span) -> Iterable[tuple[V, M]]:
        """The items in order, each with the runs that have it: once a run lacks an item, it lacks all later ones.

        Asked for one at a time, so that a loop left early costs no more than its turns.
        """
        ...

    # calls and draws

    def call(self, function: str, arguments: Sequence[V], keywords: Mapping[str, V], active: M, span: Span) -> V:
        """A function of `vocabulary.FUNCTIONS` or `vocabulary.SPECIAL`."""
        ...

    def method(
        self, receiver: V, method: str, arguments: Sequence[V], keywords: Mapping[str, V], active: M, span: Span
    ) -> V:
        """A method of `vocabulary.METHODS`."""
        ...

    def draw(self, node: Draw, parameters: Mapping[str, V], size: V | None, active: M, site: DrawSite) -> V:
        """A draw in the active runs.

        site: the same for all of them, and for each of them its own: a loop is walked once for all runs that come to
        it, so that they are always in the same turn. `continue` and the conditions of a comprehension end a turn early,
        which counts like others. No two draws of a walk have the same site.
        """
        ...

    # what happens

    def branch(self, condition: M, active: M, node: Expression | For) -> None:
        """A condition was evaluated in the active runs.

        Of `if`, `while`, a conditional expression, an operand of `and` and `or` that decides, a filter of a
        comprehension, or (node is the `For`) whether a loop has another item.
        """
        ...

    def returned(self, value: V, active: M, span: Span) -> None:
        """The mechanism returned the value in the active runs, which have now ended."""
        ...

    def raised(self, exception: str, arguments: Sequence[V], active: M, span: Span) -> None:
        """An exception ended the active runs."""
        ...

    def exhausted(self, active: M, span: Span) -> None:
        """A loop used up its fuel in the active runs, which the evaluator follows no further."""
        ...


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


class SingleRun:
    """The part of the protocol `Interpretation` that is about masks, but for `alive`, which says how a run ends."""

    def everywhere(self) -> bool:
        """The run."""
        return True

    def nowhere(self) -> bool:
        """No run."""
        return False

    def both(self, left: bool, right: bool) -> bool:
        """Conjunction."""
        return left and right

    def either(self, left: bool, right: bool) -> bool:
        """Disjunction."""
        return left or right

    def join(self, left: bool, right: bool) -> bool:
        """Disjunction."""
        return left or right

    def negate(self, mask: bool) -> bool:
        """Negation."""
        return not mask

    def always(self, mask: bool) -> bool:
        """Whether the mask holds."""
        return mask

    def never(self, mask: bool) -> bool:
        """Whether it does not."""
        return not mask

    def impossible(self, mask: bool) -> bool:
        """See `never`."""
        return self.never(mask)

    def checkpoint(self, active: bool) -> bool:
        """Nothing to let go of."""
        return active

    def from_mask(self, mask: bool) -> bool:
        """The mask itself."""
        return mask


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


def numbered(name: str, number: int) -> str:
    """Another variable of that name; no name in Python looks so."""
    return f"{name}[{number}]"


def in_source(variable: str) -> str:
    """What the source calls a variable."""
    return variable.partition("[")[0]
