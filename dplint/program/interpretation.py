"""What the evaluator asks of an interpretation: one way to execute a program.

An interpretation chooses two types. A *value* stands for what a variable holds in every run that is read at once; a
*mask* for the set of those runs in which something is the case. Values are immutable as far as the evaluator can see:
what changes a list in Python (`append`, `x[i] = v`) makes a new value here, and the evaluator has made sure that nobody
else holds the old one. An interpretation may raise `UnsupportedConstruct` from any method.

A run that raises an exception ends there. An interpretation that notices one (an index out of range, a division by
zero) calls its own `raised` for those runs, returns any value for them, and from then on leaves them out of `alive`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from dplint.claims import Literal, Span
from dplint.program.nodes import Draw, Expression, For
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
