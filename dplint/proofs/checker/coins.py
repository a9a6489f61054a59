"""Runs on known data that toss coins, up to their outcome, along given decisions, with the probability of that path.

A coin is a number between 0 and 1 of which a program only asks whether it is below something that noise has no part
in; then the chance of either answer is the length of an interval. A whole number that is drawn is one of so many.
"""

# ruff: noqa: ARG002 - a protocol is implemented, and not all of it is needed
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from dplint.claims import Span
from dplint.distributions import PYTHON, SCIPY
from dplint.program.nodes import Draw, For, While
from dplint.program.walk import bound_names, walk
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.costs import MINUS, ONE, ratio_of
from dplint.proofs.checker.exponentials import Exponentials
from dplint.proofs.checker.values import (
    Entries,
    Grown,
    Items,
    Leaves,
    Live,
    Mask,
    NotProved,
    Value,
    Values,
    fail_if,
    is_number,
    is_term,
    refuse,
    refuse_if,
    sort,
)
from dplint.proofs.checker.walking import Walk
from dplint.sites import DrawSite

COINS = frozenset(["random", "uniform", "integers", "choice", "binomial"])
_MOST_WAYS = 64
Frozen: TypeAlias = Any
"""A value that can be compared and hashed, with its type."""


@dataclass(frozen=True, slots=True)
class Coin:
    """A number between 0 and 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Saved:
    """A run at the head of a turn. turn: its number. variables: what is live, by name. key: tells two of them apart."""

    turn: int
    variables: tuple[tuple[str, Value], ...]
    key: Frozen


class EndOfPart(Exception):
    """The run has come to the head of a turn."""


class CoinWalk(Walk):
    """One run. decisions: how it begins; after that it goes the first way, and adds the others to those that are left.
    loop: the loop that is cut into turns, None for none. saved: where to begin in it, None before it.

    After the run, or at its cut: `given` is what it has given out since it began, `chance` how likely it is to have
    gone there, `at` where it stands, None if it has ended.
    """

    def __init__(
        self,
        known: Exponentials,
        leaves: Leaves,
        decisions: Sequence[int],
        left: list[tuple[int, ...]],
        loop: Span | None,
        saved: Saved | None,
    ) -> None:
        super().__init__(1, known, leaves)
        self.known = known
        self.at: Saved | None = None
        self.given: Frozen = None
        self.chance = ONE
        self.made: list[int] = []
        self._decisions = decisions
        self._left = left
        self._loop = loop
        self._saved = saved
        self._intervals: list[tuple[Value, Value]] = []
        self._choices = 1
        self._live: Live | None = None
        self._names: frozenset[str] = frozenset()
        self._turn: int | None = None

    def finish(self) -> None:
        """To be called when the run has ended: notes what it has given."""
        if self.at is None:
            ended = [one for one in self.outputs if one.mask is not False]
            fail_if(not ended or ended[0].mask is not True, "how a run ends is not known")
            self.given = ("end", ended[0].kind, frozen(ended[0].value, self.leaves))
        self.chance = ratio_of(Fraction(1, self._choices))
        for low, high in self._intervals:
            self.chance = self.chance * (ratio_of(high) + MINUS * ratio_of(low))

    # draws and what is asked of them

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """A coin, or one of few whole numbers."""
        if active is not True or size is not None:
            raise refuse("several coins at once, or one that not every run tosses", node.span)
        if node.distribution == "integers":
            low, high = parameters["low"], parameters["high"]
            if not all(isinstance(one, int) and not isinstance(one, bool) for one in (low, high)):
                raise refuse("a whole number whose bounds are not known", node.span)
            ways = high - low + (1 if parameters.get("endpoint", False) else 0)
            refuse_if(not 0 < ways <= _MOST_WAYS, f"one of {ways} whole numbers", node.span)
            self.numpy = True
            return low + self._one_of(ways)
        if node.distribution == "choice":
            return self._item(node, parameters)
        if node.distribution == "binomial":
            return self._tossed(node, parameters)
        ends = [parameters.get("low", 0), parameters.get("high", 1)]
        refuse_if(node.distribution not in COINS or ends != [0, 1], f"a draw from {node.distribution}", node.span)
        self.numpy |= node.family == SCIPY
        return self._coin()

    def _item(self, node: Draw, parameters: Values) -> Value:
        """One of the items of a list, each as likely as the others."""
        items = parameters["a"]
        if type(items) is int and node.family != PYTHON:
            items = Items.of("list", range(items))
        if not isinstance(items, Items) or not items.plain or items.kind not in ("list", "tuple"):
            raise refuse("a choice among what is not known", node.span)
        refuse_if(parameters.get("p") is not None, "a choice by weights beside coins", node.span)
        listed = items.items
        # NumPy makes an array of them first, which turns 1 and "a" into texts, and 1 and 0.5 into floats.
        if node.family != PYTHON and (len({*map(type, listed)}) != 1 or type(listed[0]) not in (int, str)):
            raise refuse("a choice among items of several types", node.span)
        refuse_if(not 0 < len(listed) <= _MOST_WAYS, f"one of {len(listed)} items", node.span)
        self.numpy |= node.family != PYTHON
        return listed[self._one_of(len(listed))]

    def _tossed(self, node: Draw, parameters: Values) -> int:
        """1 with a probability, or 0: whether a coin is below it."""
        once = type(parameters["n"]) is int and parameters["n"] == 1
        refuse_if(not once, "a count of several coins", node.span)
        self.numpy = True
        return int(self._below(self._coin(), parameters["p"], node.span))

    def _coin(self) -> Coin:
        self._intervals.append((Fraction(0), Fraction(1)))
        return Coin(len(self._intervals) - 1)

    def _one_of(self, ways: int) -> int:
        self._choices *= ways
        return self._decide(ways)

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Whether a coin is below a number: a decision where both may be. That it is the number has no chance."""
        if not isinstance(left, Coin) and not isinstance(right, Coin):
            return super().compare(operator, left, right, active, span)
        refuse_if(operator not in ("<", "<=", ">", ">="), f"the comparison {operator} of a coin", span)
        if isinstance(left, Coin):
            return self._below(left, right, span) is (operator[0] == "<")
        return self._below(right, left, span) is (operator[0] == ">")

    def _below(self, coin: Coin, value: Value, span: Span) -> bool:
        refuse_if(not is_number(value) or not self.leaves.public(value), "a coin compared with what is not known", span)
        low, high = self._intervals[coin.number]
        if self.known.at_most(value, low):
            return False
        if self.known.at_most(high, value):
            return True
        if not (self.known.at_most(low, value) and self.known.at_most(value, high)):
            raise refuse("a coin compared with what may lie on either side of its interval", span)
        below = self._decide(2) == 1
        self._intervals[coin.number] = (low, value) if below else (value, high)
        return below

    def _decide(self, ways: int) -> int:
        if len(self.made) < len(self._decisions):
            self.made.append(self._decisions[len(self.made)])
        else:
            self._left += [(*self.made, way) for way in range(1, ways)]
            self.made.append(0)
        return self.made[-1]

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """Not of coins."""
        refuse_if(isinstance(value, Coin), "the truth of what is not known", span)
        return super().truth(value, active, span)

    def called(self, asked: Asked) -> Value:
        """As ever; and exponentials of arguments are numbers of their own."""
        match asked:
            case Asked("math.exp" | "numpy.exp", (value,), {}) if is_number(value) and not asked.keywords:
                return self.known.exponential(value)
            case Asked("str", (str(value),), {}):
                return value
        return super().called(asked)

    # the loop that is cut into turns

    def entering_loop(self, node: For | While, iterable: Value, active: Mask, live: Live) -> None:
        """At the loop: lists that it fills begin with what nobody knows any more, as it has been given out."""
        if node.span != self._loop or self._live is not None:
            return
        if active is not True or len(live.scopes) != 1 or not isinstance(node, For):
            raise refuse("a loop that not every run comes to", node.span)
        self._live, self._names = live, live.scopes[0][1]
        frame = live.scopes[0][0]
        if self._saved is None:
            held = self._held()
            lists = {name for name in bound_names(walk(node)) if isinstance(held.get(name), Items)}
            self._leave(0, {name for name in lists if held[name].kind == "list"}, iterable)
            raise EndOfPart
        for name, value in self._saved.variables:
            frame.variables[name].value = value
        # No coin that was tossed before is known any more: `frozen` has refused to keep one.
        self._turn, self._intervals, self._choices = self._saved.turn, [], 1

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """In the loop that is cut, the items from the present turn on; the head of the next one is the next cut."""
        items = super().iterate(value, active, span)
        if self._turn is None:
            yield from items
            return
        first, self._turn = self._turn, None
        for number, item in enumerate(items):
            if number > first:
                self._next = number
            if number >= first:
                yield item

    _next: int | None = None

    def checkpoint(self, active: Mask) -> Mask:
        """A run that comes to the head of the next turn is cut there."""
        if self._next is None:
            return active
        turn, self._next = self._next, None
        if active is False:
            return active
        refuse_if(active is not True, "a loop that not every run leaves")
        assert self._saved is not None
        self._leave(turn, {name for name, value in self._saved.variables if isinstance(value, Grown)})
        raise EndOfPart

    def _held(self) -> dict[str, Value]:
        """What is live at the head of a turn."""
        assert self._live is not None
        variables = self._live.scopes[0][0].variables
        found = {name: variables[name] for name in sorted(self._names) if name in variables}
        if any(binding.assigned is not True for binding in found.values()):
            raise refuse("a variable that not every run has assigned")
        return {name: binding.value for name, binding in found.items()}

    def _leave(self, turn: int, lists: set[str], iterable: Value = None) -> None:
        """Gives out what the lists have gained, and notes where the run stands."""
        held = self._held()
        self.given = ("turn", *((name, frozen(held[name], self.leaves)) for name in sorted(lists)))
        kept = tuple((name, Grown(name) if name in lists else value) for name, value in held.items())
        key = (frozen(iterable, self.leaves), *((name, frozen(value, self.leaves)) for name, value in kept))
        self.at = Saved(turn, kept, key)


def frozen(value: Value, leaves: Leaves) -> Frozen:
    """A value for comparison. Raises NotProved for a coin, and for what is not known."""
    if isinstance(value, Grown):
        return ("grown", value.name, *(frozen(one, leaves) for one in value.since))
    if isinstance(value, Items) and value.plain:
        return (value.kind, *(frozen(one, leaves) for one in value.items))
    if isinstance(value, Entries):
        return ("dict", *(frozen(one, leaves) for one in (*value.keys, *value.values)))
    if is_term(value) and leaves.public(value):
        return ("term", sort(value), z3.simplify(value).sexpr())
    if value is None or isinstance(value, bool | int | float | Fraction | str):
        return (type(value).__name__, value)
    raise NotProved("noise that is given out, or kept, as it is")
