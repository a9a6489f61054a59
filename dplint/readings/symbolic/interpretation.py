"""The interpretation on z3 terms: which branch conditions does a program evaluate, as formulas over its arguments?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from dplint.claims import Literal, Span
from dplint.program.evaluator import evaluate
from dplint.program.meaning import BINARY, COMPARE, UNARY
from dplint.program.nodes import Draw, Expression, For, Program
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.readings.symbolic import arithmetic
from dplint.readings.symbolic.arithmetic import Noise
from dplint.readings.symbolic.containers import Containers
from dplint.readings.symbolic.solver import possible
from dplint.readings.symbolic.symbolic_values import (
    UNKNOWN,
    Entries,
    Items,
    Mask,
    SliceValue,
    Text,
    Value,
    as_mask,
    both,
    choose,
    either,
    is_concrete,
    is_number,
    is_term,
    negate,
)
from dplint.readings.symbolic.symbolic_values import arithmetic as lift
from dplint.sites import DrawSite

_MOST_CONDITIONS = 600
_MOST_ENDINGS = 60
_PYTHON = {**BINARY, **COMPARE}


@dataclass(frozen=True, slots=True)
class Condition:
    """A branch condition: the `occurrence`-th time that the one at `span` is evaluated.

    condition: when it is true. path: when it is reached. Both are bools where they do not depend on the arguments.
    inner: whether it is a comparison as such, perhaps inside a function such as `max`, and not a branch.
    """

    span: Span
    occurrence: int
    condition: Mask
    path: Mask
    inner: bool = False


@dataclass(slots=True)
class Trace:
    """What a symbolic interpretation found.

    constraints: what holds of draws that are free. complete: whether every loop was followed to its end.
    """

    conditions: list[Condition] = field(default_factory=list)
    constraints: list[z3.BoolRef] = field(default_factory=list)
    complete: bool = True


def trace(
    program: Program,
    arguments: Mapping[str, Value],
    *,
    free_noise: bool = False,
    whole_support: bool = False,
    fuel: int = 16,
) -> Trace:
    """The branch conditions of a program, in the order of evaluation.

    arguments: values of the interpretation, see `from_python`; the data is concrete. free_noise: draws are variables
    within the bulk of their distribution, or all of its support, instead of at its centre. Floats are read as exact
    numbers; a loop is followed for `fuel` turns. What has no term is free: a condition over it may come out either way.
    Raises UnsupportedConstruct where even that is impossible.
    """
    interpretation = SymbolicInterpretation(Noise(free_noise, whole_support=whole_support), fuel)
    evaluate(program, interpretation, {name: arguments[name] for name in program.parameters})
    return interpretation.result()


class SymbolicInterpretation:
    """See the module. A mask is a bool or a Bool term."""

    def __init__(self, noise: Noise, fuel: int) -> None:
        self._noise = noise
        self._fuel = fuel
        self._dead: Mask = False
        self._clean: dict[int, tuple[int, Mask]] = {}
        self._deaths = 0
        self._endings = 0
        self._free = 0
        self._occurrences: Counter[tuple[Span, bool]] = Counter()
        self._conditions: list[Condition] = []
        self._complete = True
        self._containers = Containers(self)

    def result(self) -> Trace:
        """What was found."""
        return Trace(self._conditions, self._noise.constraints, self._complete)

    @property
    def fuel(self) -> int:
        """How many turns of a loop are followed."""
        return self._fuel

    # masks

    def everywhere(self) -> Mask:
        """All arguments."""
        return True

    def nowhere(self) -> Mask:
        """None."""
        return False

    def both(self, left: Mask, right: Mask) -> Mask:
        """Conjunction; free of dead runs if one side is."""
        result = both(left, right)
        if self._deaths and (self._is_clean(left) or self._is_clean(right)):
            self._mark_clean(result)
        return result

    def either(self, left: Mask, right: Mask) -> Mask:
        """Disjunction; free of dead runs if both sides are."""
        result = either(left, right)
        if self._deaths and self._is_clean(left) and self._is_clean(right):
            self._mark_clean(result)
        return result

    def join(self, left: Mask, right: Mask) -> Mask:
        """Disjunction, as any other."""
        return self.either(left, right)

    def negate(self, mask: Mask) -> Mask:
        """Negation."""
        return negate(mask)

    def always(self, mask: Mask) -> bool:
        """Whether the mask is concretely true."""
        return mask is True

    def never(self, mask: Mask) -> bool:
        """Whether the mask is concretely false."""
        return mask is False

    def impossible(self, mask: Mask) -> bool:
        """See `never`."""
        return self.never(mask)

    def alive(self, active: Mask) -> Mask:
        """The mask without the runs that an exception has ended."""
        if self._dead is False or active is False or self._is_clean(active):
            return active
        left = both(active, negate(self._dead))
        left = left if isinstance(left, bool) else as_mask(z3.simplify(left))
        self._mark_clean(left)
        return left

    def checkpoint(self, active: Mask) -> Mask:
        """Nothing to let go of."""
        return active

    def _is_clean(self, mask: Mask) -> bool:
        """Whether the mask is known to hold no run that has ended; spares it another conjunction."""
        if mask is False:
            return True
        known = None if mask is True else self._clean.get(mask.get_id())
        return known is not None and known[0] == self._deaths

    def _mark_clean(self, mask: Mask) -> None:
        if not isinstance(mask, bool):
            # The term is kept, so that z3 does not give its id to another one.
            self._clean[mask.get_id()] = (self._deaths, mask)

    # values

    def constant(self, value: Literal) -> Value:
        """The value itself."""
        return self._containers.constant(value)

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """Python's truth; a variable of its own for what is not known."""
        if value is UNKNOWN or isinstance(value, SliceValue):
            self._free += 1
            return z3.Bool(f"free!{self._free}")
        if is_term(value):
            return as_mask(z3.simplify(value if z3.is_bool(value) else value != 0))
        if isinstance(value, Text):
            return as_mask(value.term != value.table.index("")) if "" in value.table else True
        if isinstance(value, Items):
            return self._containers.truth(value, active, span)
        return bool(value.keys if isinstance(value, Entries) else value)

    def from_mask(self, mask: Mask) -> Value:
        """The mask is the value."""
        return mask

    def select(self, mask: Mask, new: Value, old: Value, span: Span) -> Value:  # noqa: ARG002
        """A conditional term."""
        return choose(mask, new, old)

    def mutable(self, value: Value) -> bool:
        """Whether it is a list, dict or array, or might be one."""
        return isinstance(value, Entries | Items) and getattr(value, "kind", "") != "tuple"

    def unary(self, operator: str, operand: Value, active: Mask, span: Span) -> Value:
        """Sign and complement."""
        if isinstance(operand, Items) and operand.kind == "array":
            return self._containers.each(lambda item: self.unary(operator, item, active, span), operand)
        if not is_number(operand):
            return UNKNOWN
        if operator == "~":
            return UNKNOWN if is_term(operand) else self.guard(UNARY[operator], (operand,), active, span)
        if not is_term(operand):
            return -operand if operator == "-" else +operand
        number = lift(operand)
        return -number if operator == "-" else number

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """An operator on numbers, arrays (by element), lists (joined, repeated) and strings."""
        if isinstance(left, Items) or isinstance(right, Items):
            return self._containers.binary(operator, left, right, active, span)
        if not is_term(left) and not is_term(right) and is_concrete(left) and is_concrete(right):
            return self.guard(_PYTHON[operator], (left, right), active, span) if operator != "@" else UNKNOWN
        if not (is_number(left) and is_number(right)):
            return UNKNOWN
        if operator in ("/", "//", "%"):
            zero = arithmetic.is_zero(right)
            if zero is not False:
                self.raised("ZeroDivisionError", (), self.both(active, zero), span)
                if zero is True:
                    return UNKNOWN
        return arithmetic.binary(operator, left, right)

    def augmented(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """As `binary`, except that a list takes any iterable."""
        if isinstance(left, Items) and left.kind == "list" and operator == "+":
            return self.update(left, "extend", (right,), True, span)
        return self.binary(operator, left, right, active, span)

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """A comparison, by element for arrays."""
        if operator in ("in", "not in"):
            found = self._containers.contains(left, right)
            if found is UNKNOWN or operator == "in":
                return found
            return negate(found)
        array = any(isinstance(value, Items) and value.kind == "array" for value in (left, right))
        if array and operator not in ("is", "is not"):
            return self._containers.broadcast(
                lambda first, second: self.compare(operator, first, second, active, span), left, right
            )
        plain = not isinstance(left, Items | Entries) and not isinstance(right, Items | Entries)
        if plain and is_concrete(left) and is_concrete(right):
            result = self.guard(_PYTHON[operator], (left, right), active, span)
        else:
            result = arithmetic.compare(operator, left, right)
        if result is not UNKNOWN:
            self._note(result, active, span, inner=True)
        return result

    # containers

    def list_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:  # noqa: ARG002
        """A new list."""
        return Items("list", tuple(elements), (True,) * len(elements), born=active)

    def tuple_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:  # noqa: ARG002
        """A tuple."""
        return Items("tuple", tuple(elements), (True,) * len(elements))

    def dict_display(self, keys: Sequence[Literal], values: Sequence[Value], active: Mask, span: Span) -> Value:  # noqa: ARG002
        """A dict with constant keys."""
        return Entries(tuple(keys), tuple(values))

    def slice(self, start: Value | None, stop: Value | None, step: Value | None, span: Span) -> Value:  # noqa: ARG002
        """A slice as an index."""
        return SliceValue(start, stop, step)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """An item or a part."""
        return self._containers.subscript(value, index, active, span)

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """The list, array or dict with one item replaced."""
        return self._containers.set_item(value, index, item, active, span)

    def update(self, value: Value, method: str, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
        """The list after one of its methods."""
        return self._containers.update(value, method, arguments, active, span)

    def unpack(self, value: Value, count: int, active: Mask, span: Span) -> Sequence[Value]:
        """The items of a list of known length."""
        if not isinstance(value, Items) or not value.plain:
            return [UNKNOWN] * count
        if len(value.items) != count:
            self.raised("ValueError", (), active, span)
            return [UNKNOWN] * count
        return value.items

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """The items with their guards; the items of a list without a form cannot be followed."""
        if isinstance(value, Entries):
            yield from ((key, True) for key in value.keys)
        elif isinstance(value, Items):
            # An item that exists nowhere takes no turn, but does not end the loop either.
            if not value.prefix and not value.plain:
                raise unsupported("a loop over a list whose length depends on comparisons", span)
            yield from zip(value.items, value.guards, strict=True)
        elif value is UNKNOWN:
            raise unsupported("a loop over a value that the symbolic interpretation does not know", span)
        elif isinstance(value, str):
            yield from ((character, True) for character in value)
        else:
            self.raised("TypeError", (), active, span)

    # calls and draws

    def call(
        self, function: str, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask, span: Span
    ) -> Value:
        """A function: Python's own on concrete values, a term on others."""
        return self._containers.call(function, arguments, keywords, active, span)

    def method(
        self,
        receiver: Value,
        method: str,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
        span: Span,
    ) -> Value:
        """A method: Python's own on concrete values, a term on others."""
        return self._containers.method(receiver, method, arguments, keywords, active, span)

    def draw(
        self,
        node: Draw,
        parameters: Mapping[str, Value],
        size: Value | None,
        active: Mask,  # noqa: ARG002
        site: DrawSite,
    ) -> Value:
        """The centre of the draw, or a variable."""
        return self._noise.draw(node, parameters, size, site)

    # what happens

    def _note(self, condition: Mask, active: Mask, span: Span, inner: bool) -> None:
        if len(self._conditions) >= _MOST_CONDITIONS:
            raise unsupported("more comparisons than the symbolic interpretation follows", span)
        occurrence = self._occurrences[span, inner]
        self._occurrences[span, inner] += 1
        if active is not False:
            self._conditions.append(Condition(span, occurrence, condition, active, inner))

    def branch(self, condition: Mask, active: Mask, node: Expression | For) -> None:
        """Record a condition; for a loop, the place is that of what it goes through."""
        self._note(condition, active, node.iterable.span if isinstance(node, For) else node.span, inner=False)

    def returned(self, value: Value, active: Mask, span: Span) -> None:
        """Outputs."""

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None:  # noqa: ARG002
        """These runs have ended; a check that there are any keeps the masks of all others small."""
        ended = active if isinstance(active, bool) else as_mask(z3.simplify(active))
        self._endings += ended is not False
        if self._endings > _MOST_ENDINGS:
            raise unsupported("more exceptions than the symbolic interpretation follows", span)
        if ended is True or (ended is not False and possible(ended)):
            self._dead = either(self._dead, ended)
            self._deaths += 1

    def exhausted(self, active: Mask, span: Span) -> None:
        """These runs are followed no further."""
        self._complete = False
        self.raised("out of fuel", (), active, span)

    def guard(self, function: Callable[..., Any], arguments: Sequence[Any], active: Mask, span: Span) -> Any:
        """Call a Python function on concrete values; what it raises ends the active runs."""
        try:
            return function(*arguments)
        except (UnsupportedConstruct, MemoryError):
            raise
        except Exception as error:  # whatever the mechanism would raise
            self.raised(type(error).__name__, (), active, span)
            return UNKNOWN
