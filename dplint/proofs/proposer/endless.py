"""Runs on data of any length on a sample of arguments, one stage of the loop at a time."""

# ruff: noqa: ARG002 - a protocol is implemented, and not all of it is needed

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dplint.claims import Span
from dplint.program.frames import LiveVariables
from dplint.program.nodes import For, Statement, While
from dplint.program.refusals import unsupported
from dplint.proofs.proposer.forms import Form, Key
from dplint.proofs.proposer.walking import SampleWalk

TURN = Form.variable("v", "turn")


@dataclass(frozen=True)
class Stream:
    """Data of any length, or its items with their numbers."""

    item: Any
    kind: str = "items"


@dataclass(frozen=True)
class Growing:
    """A list whose beginning is not known."""

    since: tuple[Any, ...] = ()


class EndOfStage(Exception):
    """The run goes on in another stage."""


class StageWalk(SampleWalk):
    """stage: "enter", "turn" or "exit". second: whether it is the run on D2. length: a number for that of the data."""

    def __init__(
        self, decisions: Sequence[int], sample: Mapping[Key, Fraction], stage: str, second: bool, length: int
    ) -> None:
        super().__init__(decisions, sample)
        self.stage = stage
        self.loop: Span | None = None
        self.before = 0
        self.entered: dict[str, Any] = {}
        self.after: dict[str, Any] = {}
        self.turned = False
        self._second_run = second
        self._length = Form.number(length)
        self._at_second = False
        self._live: LiveVariables[Any, bool] | None = None

    def after_statement(self, statement: Statement, active: bool, live: LiveVariables[Any, bool]) -> None:
        """Nothing to do."""

    def entering_loop(self, node: For | While, iterable: Any, active: bool, live: LiveVariables[Any, bool]) -> None:
        """At the loop over the data its state is forgotten."""
        if not isinstance(iterable, Stream):
            return
        if self.loop is not None or len(live.scopes) != 1:
            raise unsupported("a second loop over the data", node.span)
        self.loop, self.before, self._live = node.span, len(self.walked.draws), live
        self.entered = self._state()
        if self.stage == "enter":
            raise EndOfStage
        frame = live.scopes[0][0]
        for name, value in self.entered.items():
            if isinstance(value, list | Growing):
                frame.variables[name].value = Growing()
            elif isinstance(value, Form):
                state = Form.variable("v", name)
                frame.variables[name].value = state.plus(Form.variable("D", name)) if self._second_run else state

    def _state(self) -> dict[str, Any]:
        """What is live at the head and a number or a list."""
        assert self._live is not None
        frame, names = self._live.scopes[0]
        values = {name: frame.variables[name].value for name in sorted(names) if name in frame.variables}
        return {name: value for name, value in values.items() if name in self.changed}

    changed: frozenset[str] = frozenset()
    """The variables that the loop assigns; told by whoever makes the walk."""

    def iterate(self, value: Any, active: bool, span: Span) -> Iterator[tuple[Any, bool]]:
        """One turn."""
        if not isinstance(value, Stream):
            return super().iterate(value, active, span)
        return self._turn(value)

    def _turn(self, value: Stream) -> Iterator[tuple[Any, bool]]:
        if self.loop is None:
            raise unsupported("a loop over the data in a comprehension or a helper function", Span(1, 1, 1, 1))
        if self.stage == "turn":
            item = {"items": value.item, "numbers": TURN}.get(value.kind, (TURN, value.item))
            yield item, True
            self._at_second = True
            yield item, True

    def checkpoint(self, active: bool) -> bool:
        """A run that comes to a second item has ended its turn."""
        if self._at_second and active:
            self.after, self.turned = self._state(), True
            raise EndOfStage
        self._at_second = False
        return active

    def binary(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """A list times the length of the data is a list that is not known."""
        if operator == "*" and isinstance(left, list) and right is self._length:
            return Growing()
        return super().binary(operator, left, right, active, span)

    def subscript(self, value: Any, index: Any, active: bool, span: Span) -> Any:
        """The item of the turn."""
        if isinstance(value, Stream):
            return value.item
        return super().subscript(value, index, active, span)

    def set_item(self, value: Any, index: Any, item: Any, active: bool, span: Span) -> Any:
        """An item of the turn's place."""
        if isinstance(value, Growing):
            return Growing((*value.since, item))
        return super().set_item(value, index, item, active, span)

    def update(self, value: Any, name: str, arguments: Sequence[Any], active: bool, span: Span) -> Any:
        """An item more."""
        if isinstance(value, Growing) and name == "append":
            return Growing((*value.since, *arguments))
        return super().update(value, name, arguments, active, span)

    def mutable(self, value: Any) -> bool:
        """Also what is not known."""
        return isinstance(value, Growing | Stream) or super().mutable(value)

    def call(
        self, function: str, arguments: Sequence[Any], keywords: Mapping[str, Any], active: bool, span: Span
    ) -> Any:
        """The length, and items with their numbers."""
        first = arguments[0] if arguments else None
        if isinstance(first, Stream):
            if function == "len":
                return self._length
            if function == "enumerate":
                return Stream(first.item, "numbered")
            raise unsupported(f"{function} of data of any length", span)
        if function == "range" and first is self._length:
            return Stream(None, "numbers")
        return super().call(function, arguments, keywords, active, span)
