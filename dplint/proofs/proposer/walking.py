"""One run of a program on a sample of arguments, with numbers that are linear in noise, along given decisions."""

# ruff: noqa: ARG002 - a protocol is implemented, and not all of it is needed
from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dplint.claims import Literal, Span
from dplint.program.meaning import BINARY, COMPARE
from dplint.program.nodes import Constant, Draw, Expression, For
from dplint.program.refusals import unsupported
from dplint.program.single_run import SingleRun
from dplint.proofs.proposer import tables
from dplint.proofs.proposer.forms import Comparison, Form, Key
from dplint.proofs.proposer.library import call, method
from dplint.proofs.proposer.numbers import Array, as_key, lifted, number, plainly
from dplint.sites import DrawSite

_RELEASE = "release"
"""What a function of a library gives, which does not move."""
_LARGEST_POWER = 16
_NOISES = frozenset(["laplace", "exponential", "gumbel", "logistic", "geometric", "discrete_laplace"])
_RATE: Mapping[str, str] = {"geometric": "p", "discrete_laplace": "a"}
"""The parameter of those that have no scale."""


_ZERO = Constant(0, Span(1, 1, 1, 1))


class EndOfRun(Exception):
    """The run has ended, by a `return` or an exception."""


class NoDecision(Exception):
    """The run asks for a decision that it was not given. options: how many ways there are."""

    def __init__(self, options: int) -> None:
        super().__init__(options)
        self.options = options


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition that noise or state has a part in, and how it came out."""

    span: Span
    holds: bool


@dataclass(slots=True)
class Drawn:
    """A draw: base is what it was added to first, without noise."""

    site: DrawSite
    distribution: str
    scale: Fraction
    base: Form | None = None

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.site.span


@dataclass(slots=True)
class Walked:
    """What a run has shown.

    conditions: forms that are >= 0 on its path, or > 0 where `strict` says so. equalities: whether forms are 0.
    watched: operands that have to be equal in both runs. asked: what was decided of noise. looked: whether it hangs on
    the numbers of the sample.
    """

    conditions: list[Form] = field(default_factory=list)
    strict: list[bool] = field(default_factory=list)
    draws: list[Drawn] = field(default_factory=list)
    equalities: list[tuple[Form, bool]] = field(default_factory=list)
    watched: list[Any] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    output: Any = None
    looked: bool = False


class SampleWalk(SingleRun):
    """Implements the protocol `Interpretation`; masks are bools, since a run is at one place."""

    fuel = 40

    def __init__(self, decisions: Sequence[int], sample: Mapping[Key, Fraction]) -> None:
        self.walked = Walked()
        self.sample = sample
        self._decisions = decisions
        self._position = 0
        self._opaque = 0

    # masks

    def alive(self, active: bool) -> bool:
        """A run that ends raises EndOfRun."""
        return active

    # decisions

    def truth(self, value: Any, active: bool, span: Span) -> bool:
        """Python's truth; of a noisy comparison the decision that was given."""
        if not active:
            return False
        if isinstance(value, Form):
            constant = value.constant
            value = bool(constant) if constant is not None else Comparison(value, equality=True, opposite=True)
        if not isinstance(value, Comparison):
            return bool(value)
        holds = self.decided(value)
        if value.form.noisy:
            self.walked.asked.append(Asked(span, holds))
        return holds

    def decided(self, value: Comparison) -> bool:
        """How a comparison comes out."""
        form = value.form
        if not form.noisy:
            found = self.at(form)
            return (found == 0 if value.equality else found >= 0) != value.opposite
        chosen = self.choose(2) == 1
        holds = chosen != value.opposite
        if value.equality:
            self.watched(form)
            self.walked.equalities.append((form, holds))
        else:
            self.walked.conditions.append(form if holds else form.times(-1))
            self.walked.strict.append(not holds)
        return chosen

    def at(self, form: Form) -> Fraction:
        """The value of a form without noise, at the sample."""
        if form.constant is None:
            self.walked.looked = True
        return form.at(self.sample)

    def whole(self, form: Form) -> bool:
        """Whether all noise in it is of whole numbers."""
        return not form.part("vDu") and all(self.walked.draws[key[1]].distribution in _RATE for key in form.part("n"))

    def choose(self, options: int) -> int:
        """The next of the decisions that were given."""
        if self._position == len(self._decisions):
            raise NoDecision(options)
        chosen = self._decisions[self._position]
        self._position += 1
        return chosen

    def note_condition(self, form: Form) -> None:
        """The form is at least 0 on this path."""
        self.walked.conditions.append(form)
        self.walked.strict.append(False)

    def watched(self, value: Any) -> Form:
        """A number of which nothing is known but that equal operands make it equal."""
        self.walked.watched.append(value)
        self._opaque += 1
        return Form.variable("u", self._opaque)

    def branch(self, condition: bool, active: bool, node: Expression | For) -> None:
        """Nothing to note."""

    # values

    def constant(self, value: Literal) -> Any:
        """Exact numbers as forms."""
        return lifted(value)

    def select(self, mask: bool, new: Any, old: Any, span: Span) -> Any:
        """One of the two."""
        return new if mask else old

    def mutable(self, value: Any) -> bool:
        """Whether it is a list or a dict."""
        return isinstance(value, list | dict)

    def unary(self, operator: str, operand: Any, active: bool, span: Span) -> Any:
        """The sign."""
        if isinstance(operand, list):
            return type(operand)(self.unary(operator, one, active, span) for one in operand)
        return number(operand).times(-1 if operator == "-" else 1) if not isinstance(operand, float) else -operand

    def binary(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """An operator on numbers, arrays and lists."""
        if isinstance(left, tables.Expression):
            return left.then(lambda one: self.binary(operator, one, right, active, span))
        if isinstance(left, Array) or isinstance(right, Array):
            return _by_element(lambda a, b: self.binary(operator, a, b, active, span), left, right)
        if isinstance(left, list | str | tuple) or isinstance(right, list | str | tuple):
            plain = [
                int(one.constant) if isinstance(one, Form) and one.constant is not None else one
                for one in (left, right)
            ]
            return BINARY[operator](*plain)
        left, right = number(left), number(right)
        if operator in ("+", "-"):
            self._note(left, right)
            self._note(right, left)
            return left.plus(right, 1 if operator == "+" else -1)
        return self._product(operator, left, right)

    def _product(self, operator: str, left: Form, right: Form) -> Any:
        a, b = left.constant, right.constant
        if operator == "*" and (a is not None or b is not None):
            return right.times(a) if a is not None else left.times(b or 0)
        if operator == "/" and b is not None:
            return left.times(1 / b) if b else self.end("ZeroDivisionError")
        if operator in ("//", "%", "**") and a is not None and b is not None:
            if operator == "**" and b.denominator == 1 and 0 <= b <= _LARGEST_POWER:
                return Form.number(a ** int(b))
            whole = a.denominator == b.denominator == 1
            return lifted(BINARY[operator](int(a), int(b)) if whole else BINARY[operator](float(a), float(b)))
        if not left.noisy and not right.noisy:
            return Form.number(Fraction(BINARY[operator](self.at(left), self.at(right))))
        return self.watched((left, right))

    augmented = binary

    def compare(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """A comparison, by element for arrays."""
        if (isinstance(left, Array) or isinstance(right, Array)) and operator not in ("in", "not in", "is", "is not"):
            return _by_element(lambda a, b: self.compare(operator, a, b, active, span), left, right)
        plain = [one for one in (left, right) if not isinstance(one, Form | bool | Comparison)]
        if plain:
            sides = [
                0.0 if isinstance(one, Form) and any(isinstance(p, float) for p in plain) else one
                for one in (left, right)
            ]
            return COMPARE[operator](*sides)
        difference = number(left).plus(number(right), -1)
        operator = {"is": "==", "is not": "!="}.get(operator, operator)
        if difference.constant is not None:
            return bool(COMPARE[operator](difference.constant, 0))
        if operator in ("==", "!="):
            return Comparison(difference, equality=True, opposite=operator == "!=")
        # Of noise, > and >= are the same but for an event of probability 0; of data they are not.
        if operator in (">", "<"):
            return Comparison(difference.times(-1 if operator == ">" else 1), opposite=True)
        return Comparison(difference if operator == ">=" else difference.times(-1))

    # containers

    def list_display(self, elements: Sequence[Any], active: bool, span: Span) -> Any:
        """A new list."""
        return list(elements)

    def tuple_display(self, elements: Sequence[Any], active: bool, span: Span) -> Any:
        """A tuple."""
        return tuple(elements)

    def dict_display(self, keys: Sequence[Literal], values: Sequence[Any], active: bool, span: Span) -> Any:
        """A dict."""
        return dict(zip(keys, values, strict=True))

    def slice(self, start: Any, stop: Any, step: Any, span: Span) -> Any:
        """A slice."""
        return slice(*(None if part is None else plainly(part) for part in (start, stop, step)))

    def subscript(self, value: Any, index: Any, active: bool, span: Span) -> Any:
        """An item or a part; of an array those that an array of truth values lets through."""
        part = tables.part_of_table(self, value, index, span)
        if part is not None:
            return part
        if isinstance(value, Array) and isinstance(index, Array):
            rows = zip(value, index, strict=True)
            return Array(one for one, kept in rows if self.truth(kept, active, span))
        try:
            return value[index if isinstance(index, slice) else as_key(index)]
        except (IndexError, KeyError) as error:
            return self.end(type(error).__name__)

    def set_item(self, value: Any, index: Any, item: Any, active: bool, span: Span) -> Any:
        """A container with one item replaced."""
        new = value.copy() if isinstance(value, dict) else type(value)(value)
        try:
            new[as_key(index)] = item
        except IndexError:
            return self.end("IndexError")
        return new

    def update(self, value: Any, name: str, arguments: Sequence[Any], active: bool, span: Span) -> Any:
        """A list after one of its methods."""
        if name not in ("append", "extend"):
            raise unsupported(f"the method {name}", span)
        new = list(value)
        getattr(new, name)(*arguments)
        return new

    def unpack(self, value: Any, count: int, active: bool, span: Span) -> Sequence[Any]:
        """The items; as Python does, ValueError where there are more or fewer."""
        return list(value) if len(value) == count else self.end("ValueError")

    def iterate(self, value: Any, active: bool, span: Span) -> Iterator[tuple[Any, bool]]:
        """The items."""
        if not isinstance(value, list | tuple | dict | str):
            raise unsupported("a loop over this", span)
        return ((lifted(item), True) for item in value)

    # calls and draws

    def call(
        self, function: str, arguments: Sequence[Any], keywords: Mapping[str, Any], active: bool, span: Span
    ) -> Any:
        """A function."""
        return call(self, function, arguments, keywords, span)

    def method(
        self, receiver: Any, name: str, arguments: Sequence[Any], keywords: Mapping[str, Any], active: bool, span: Span
    ) -> Any:
        """A method."""
        return method(self, receiver, name, arguments, keywords, span)

    def draw(self, node: Draw, parameters: Mapping[str, Any], size: Any, active: bool, site: DrawSite) -> Any:
        """A variable for each draw."""
        if node.distribution == _RELEASE:
            self.walked.draws.append(Drawn(site, _RELEASE, Fraction(1)))
            return Form.variable("n", len(self.walked.draws) - 1)
        if node.distribution not in _NOISES:
            raise unsupported(f"a draw from {node.distribution}", node.span)
        lists = [len(one) for one in parameters.values() if isinstance(one, list)]
        if size in (None, ()) and not lists:
            return self._number(site, node, parameters)
        count = lists[0] if size is None else plainly(size[0] if isinstance(size, tuple | list) else size)
        if isinstance(size, tuple) and len(size) == 2:
            return Array(
                Array(self._number(site, node, parameters) for _ in range(plainly(size[1])))
                for _ in range(plainly(size[0]))
            )
        rows = [
            {key: one[k] if isinstance(one, list) else one for key, one in parameters.items()} for k in range(count)
        ]
        return Array(self._number(site, node, row) for row in rows)

    def _number(self, site: DrawSite, node: Draw, parameters: Mapping[str, Any]) -> Form:
        rate = _RATE.get(node.distribution, "scale")
        scale = number(parameters[rate if rate in parameters else "p"])
        if scale.noisy or self.at(scale) <= 0:
            raise unsupported("noise of this scale", node.span)
        drawn = Form.variable("n", len(self.walked.draws))
        width = self.at(scale)
        if rate != "scale" and "p" in parameters:
            width = Fraction(-1 / math.log1p(-float(width)))
        elif node.distribution == "discrete_laplace":
            width = 1 / width
        self.walked.draws.append(Drawn(site, node.distribution, width))
        loc = number(parameters.get("loc", 0))
        if isinstance(dict(node.parameters).get("loc", _ZERO), Constant) and loc.constant == 0:
            return drawn  # what it is added to comes later
        self._note(drawn, loc)
        return drawn.plus(loc)

    def _note(self, drawn: Form, other: Form) -> None:
        """The first number with more than noise in it that draws are added to, without the noise in it."""
        if drawn.part("n") and not drawn.part("qevDu") and (other.part("qevDu") or not other.part("n")):
            for key in drawn.part("n"):
                if self.walked.draws[key[1]].base is None:
                    self.walked.draws[key[1]].base = other.without("nvu")

    # what happens

    def returned(self, value: Any, active: bool, span: Span) -> None:
        """The end."""
        self.walked.output = ("value", value)
        raise EndOfRun

    def raised(self, exception: str, arguments: Sequence[Any], active: bool, span: Span) -> None:
        """The end."""
        self.end(exception)

    def end(self, exception: str) -> Any:
        """Ends the run by an exception."""
        self.walked.output = (exception, None)
        raise EndOfRun

    def exhausted(self, active: bool, span: Span) -> None:
        """A loop that does not end."""
        raise unsupported("a loop whose number of turns has no bound that is known", span)


def _by_element(function: Any, left: Any, right: Any) -> Array:
    count = len(left) if isinstance(left, list) else len(right)
    sides = [one if isinstance(one, list) else [one] * count for one in (left, right)]
    return Array(function(a, b) for a, b in zip(*sides, strict=True))
