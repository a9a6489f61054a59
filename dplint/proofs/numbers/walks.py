"""Runs of the checker whose terms are those of a proof, and whose decisions are made by numbers.

What a run looks at stays a term, so that all of the checker's reading of Python is gone through as in a proof. Only
where a proof looks at every way that noise may have it go, the numbers say which.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import z3

from dplint.claims import Span
from dplint.distributions import Outcomes, of
from dplint.program.interpretation import DrawCallback
from dplint.program.library_claims import BY_DEFAULT
from dplint.program.nodes import Draw, Program
from dplint.proofs.checker import laws
from dplint.proofs.checker.choices import ChoiceWalk
from dplint.proofs.checker.coins import Coin, CoinWalk
from dplint.proofs.checker.drawn import Drawn
from dplint.proofs.checker.exponentials import Exponentials
from dplint.proofs.checker.gathering import GatheringWalk
from dplint.proofs.checker.gaussian import GaussianWalk
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.paths import Decider
from dplint.proofs.checker.releases import ReleasingWalk
from dplint.proofs.checker.stable import StableWalk
from dplint.proofs.checker.values import Items, Leaves, Mask, Value, Values, boolean, exact, refuse
from dplint.proofs.terms import NoNumber, NumbersOfTerms
from dplint.sites import DrawSite

Asked: TypeAlias = "dict[tuple[tuple[int, ...], int], tuple[z3.BoolRef, bool]]"


class ByNumbers:
    """Decides by numbers; what is certain is asked as in a proof. asked: what other runs of the same world have asked.

    Implements `Decider`. Raises NoNumber where not exactly one way can be gone.
    """

    def __init__(self, world: Sequence[z3.BoolRef], numbers: NumbersOfTerms, asked: Asked) -> None:
        self._world, self._numbers, self._asked = world, numbers, asked
        self._facts: list[z3.BoolRef] = []
        self._taken: tuple[int, ...] = ()

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """The option that holds."""
        possible = [k for k, option in enumerate(options) if self._numbers.of(option)]
        if len(possible) != 1:
            raise NoNumber(f"{len(possible)} of {len(options)} ways can be gone")
        self._taken = (*self._taken, possible[0])
        self.assume(options[possible[0]])
        return possible[0]

    def argument(self, condition: z3.BoolRef) -> Mask:
        """Whether it holds."""
        return self.noisy([condition, z3.Not(condition)]) == 0

    def assume(self, *facts: z3.BoolRef) -> None:
        """Kept for the case that z3 has to be asked."""
        self._facts += facts

    def certain(self, condition: z3.BoolRef) -> bool:
        """By z3, whatever the numbers: from what is known of data and arguments, else from what was decided, too."""
        return self._follows([], condition) or self._follows(self._facts, condition)

    def _follows(self, facts: Sequence[z3.BoolRef], condition: z3.BoolRef) -> bool:
        # Runs that were decided alike have made the same facts.
        key = ((len(facts), *self._taken) if facts else (), condition.get_id())
        if key not in self._asked:
            self._asked[key] = (condition, Known([*self._world, *facts]).certain(condition))
        return self._asked[key][1]


class NumberWalk(GatheringWalk):
    """A run that is given its draws by a callback."""

    def __init__(self, run: int, decider: Decider, leaves: Leaves, program: Program) -> None:
        super().__init__(run, decider, leaves, program)
        self.numbers: NumbersOfTerms
        self.callback: DrawCallback

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """As in a proof; its variables are known, 0 where data leaves the draw out."""
        before, drawn = len(self.draws), None
        if self.numbers.of(boolean(self.alive(active))):
            drawn = self._of_callback(node, parameters, size, site)
        value = super().draw(node, parameters, size, active, site)
        self._know([one.number for one in self.draws[before:]], drawn, parameters)
        return value

    def _of_callback(self, node: Draw, parameters: Values, size: Value, site: DrawSite) -> Any:
        plain = {name: self.numbers.python(value) for name, value in parameters.items()}
        drawn = self.callback(node, plain, self.numbers.python(size), site)
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def _know(self, variables: Sequence[z3.ArithRef], drawn: Any, parameters: Values) -> None:
        """The numbers of the variables of a draw, which are what was drawn less its location. drawn: None for none."""
        if drawn is None or not variables:
            numbers = [Fraction(0)] * len(variables)
        else:
            at = list(_flat(self.numbers.python(parameters.get("loc", 0))))
            each = at * len(variables) if len(at) == 1 else at
            numbers = [Fraction(a) - Fraction(b) for a, b in zip(_flat(drawn), each, strict=True)]
        for variable, number in zip(variables, numbers, strict=True):
            self.numbers.values[variable.decl().name()] = int(number) if variable.is_int() else number


class NoiseWalk(NumberWalk, ReleasingWalk):
    """A run with noise of any law: what no proof could shift is a variable, too, and what is no number what it is."""

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """As said."""
        if node.distribution == laws.RELEASE:
            return self._released(node, parameters, site, active)
        if node.distribution in self.shifted:
            return super().draw(node, parameters, size, active, site)
        if not self.numbers.of(boolean(self.alive(active))):
            raise refuse(f"a draw from {node.distribution} that data leaves out", node.span)
        drawn = self._of_callback(node, parameters, size, site)
        if of(node.distribution).outcomes in (Outcomes.ITEMS, Outcomes.VECTOR):
            return exact(drawn)
        self.numpy |= node.family != "python"
        make = z3.Int if laws.is_whole(node.distribution) else z3.Real
        name = repr((site.span, site.calls, site.turns))
        if size is None:
            variables = [make(f"n:{name}")]
        else:
            variables = [make(f"n:{name}[{k}]") for k, _ in enumerate(_flat(drawn))]
        for variable in variables:
            self._numbers[variable.get_id()] = Drawn(name, node.span, node.distribution, None, variable)
        self._know(variables, drawn, {})
        return variables[0] if size is None else Items.of("array", variables)

    def _released(self, node: Draw, parameters: Values, site: DrawSite, active: Mask) -> Value:
        """What a function of a library gives, as a number: so what follows it is read, which a proof leaves out."""
        if not self.numbers.of(boolean(self.alive(active))):
            raise refuse("a release that data leaves out", node.span)
        self.numpy = True
        seen = {name: value for name, value in parameters.items() if name != BY_DEFAULT}
        return _exact(self._of_callback(node, seen, None, site))


class NormalWalk(NoiseWalk, GaussianWalk):
    """A run with normal noise, of which a proof knows more about roots and logarithms."""

    shifted = GaussianWalk.shifted


class WeightedWalk(NumberWalk, ChoiceWalk):
    """A run that makes one choice by weights."""

    def _of_callback(self, node: Draw, parameters: Values, size: Value, site: DrawSite) -> Any:
        drawn = super()._of_callback(node, parameters, size, site)
        items = self.numbers.python(parameters["a"])
        listed = list(range(items)) if isinstance(items, int) else list(items)
        self.numbers.values["n: chosen"] = [repr(item) for item in listed].index(repr(drawn))
        return drawn


class PlainWalk(NumberWalk, StableWalk):
    """A run of a function without noise."""


class TossedWalk(CoinWalk):
    """A run on known data that tosses coins which a callback throws."""

    def __init__(self, known: Exponentials, leaves: Leaves, numbers: NumbersOfTerms, callback: DrawCallback) -> None:
        super().__init__(known, leaves, (), [], None, None)
        self._numbers_of, self._callback = numbers, callback
        self._drawn: Any = None
        self._tosses: list[Fraction] = []
        self._way = 0

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """As in a proof; the callback says how it comes out."""
        plain = {name: self._put_in(value) for name, value in parameters.items()}
        drawn = self._callback(node, plain, self._put_in(size), site)
        self._drawn = drawn.item() if isinstance(drawn, np.generic) else drawn
        if node.distribution == "integers":
            self._way = int(self._drawn) - plain["low"]
        elif node.distribution == "choice":
            items = range(plain["a"]) if isinstance(plain["a"], int) else plain["a"]
            self._way = [repr(item) for item in items].index(repr(self._drawn))
        elif node.distribution == "binomial":
            # One toss that is below the probability gives 1; which one it was, nobody can see.
            self._drawn = 0 if self._drawn else 1
        return super().draw(node, parameters, size, active, site)

    def _coin(self) -> Coin:
        self._tosses.append(Fraction(self._drawn))
        return super()._coin()

    def _below(self, coin: Coin, value: Value, span: Span) -> bool:
        self._way = int(self._tosses[coin.number] < Fraction(self._put_in(value)))
        return super()._below(coin, value, span)

    def _decide(self, ways: int) -> int:  # noqa: ARG002 - the callback has said which of them
        return self._way

    def _put_in(self, value: Value) -> Any:
        for (name, root), variable in self.known.roots.items():
            exponent = self._numbers_of.values[name.strip("|")]
            self._numbers_of.values[variable.decl().name()] = Fraction(math.exp(Fraction(exponent) / root))
        return self._numbers_of.python(value)


def _exact(value: Any) -> Value:
    """What was drawn as a value of the checker."""
    if isinstance(value, np.ndarray):
        return Items.of("array", map(exact, value.tolist()))
    return Items.of("tuple", map(_exact, value)) if isinstance(value, tuple) else exact(value)


def _flat(value: Any) -> Iterator[Any]:
    """Numbers in their order, as Python's."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value
