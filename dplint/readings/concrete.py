"""The simplest interpretation: one run, on plain Python values, with draws from a callback.

It is the documentation of what an interpretation has to do, and the oracle of the others: whatever it gives must be
what calling the Python function gives on the same draws. A mask is a bool. Lists are copied before they are changed, so
that an alias which the evaluator failed to notice shows as a difference.

The generators that users call, for draws of a program that are made one by one.
"""

from __future__ import annotations

import copy
import functools
import operator
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.claims import Literal, Span
from dplint.distributions import GENERATOR, LEGACY, PACKAGES, PYTHON, SCIPY, of
from dplint.program.evaluator import evaluate
from dplint.program.interpretation import Branch, DrawCallback, Run, SingleRun
from dplint.program.meaning import AUGMENTED, BINARY, COMPARE, UNARY, function_of, keywords_of, method_of
from dplint.program.nodes import Draw, Expression, For, Program
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.sites import DrawSite

__all__ = ["Branch", "ConcreteInterpretation", "DrawCallback", "Run", "run"]


def run(program: Program, arguments: Mapping[str, Any], draw: DrawCallback, *, fuel: int = 10_000) -> Run:
    """Run the program once. Raises UnsupportedConstruct where the program cannot be followed."""
    interpretation = ConcreteInterpretation(draw, fuel)
    evaluate(program, interpretation, {name: arguments[name] for name in program.parameters})
    return interpretation.result


class ConcreteInterpretation(SingleRun):
    """See the module."""

    def __init__(self, draw: DrawCallback, fuel: int) -> None:
        self._draw = draw
        self._fuel = fuel
        self._ended = False
        self.result = Run()

    @property
    def fuel(self) -> int:
        """How many turns of one `while` loop are followed."""
        return self._fuel

    # masks

    def alive(self, active: bool) -> bool:
        """Whether the run goes on."""
        return active and not self._ended

    # values

    def constant(self, value: Literal) -> Any:
        """The value itself."""
        return copy.copy(value)

    def truth(self, value: Any, active: bool, span: Span) -> bool:
        """Python's truth."""
        return bool(self._try(bool, (value,), active, span))

    def select(self, mask: bool, new: Any, old: Any, span: Span) -> Any:  # noqa: ARG002
        """One or the other."""
        return new if mask else old

    def mutable(self, value: Any) -> bool:
        """Whether it can be changed in place."""
        return isinstance(value, list | dict | np.ndarray)

    def unary(self, operator: str, operand: Any, active: bool, span: Span) -> Any:
        """Python's operator."""
        return self._try(UNARY[operator], (operand,), active, span)

    def binary(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """Python's operator."""
        return self._try(BINARY[operator], (left, right), active, span)

    def augmented(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """Python's operator, on a copy."""
        if active:
            _refuse_rows(left, span)
        return self._try(AUGMENTED[operator], (copy.copy(left), right), active, span)

    def compare(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """Python's operator."""
        return self._try(COMPARE[operator], (left, right), active, span)

    # containers

    def list_display(self, elements: Sequence[Any], active: bool, span: Span) -> Any:  # noqa: ARG002
        """A new list."""
        return list(elements)

    def tuple_display(self, elements: Sequence[Any], active: bool, span: Span) -> Any:  # noqa: ARG002
        """A tuple."""
        return tuple(elements)

    def dict_display(self, keys: Sequence[Literal], values: Sequence[Any], active: bool, span: Span) -> Any:  # noqa: ARG002
        """A dict."""
        return dict(zip(keys, values, strict=True))

    def slice(self, start: Any, stop: Any, step: Any, span: Span) -> Any:  # noqa: ARG002
        """Python's slice."""
        return slice(start, stop, step)

    def subscript(self, value: Any, index: Any, active: bool, span: Span) -> Any:
        """An item."""
        return self._try(operator.getitem, (value, index), active, span)

    def set_item(self, value: Any, index: Any, item: Any, active: bool, span: Span) -> Any:
        """A copy with one item replaced."""
        if not active:
            return value
        _refuse_rows(value, span)
        changed = copy.copy(value)
        self._try(operator.setitem, (changed, index, item), active, span)
        return changed

    def update(self, value: Any, method: str, arguments: Sequence[Any], active: bool, span: Span) -> Any:
        """A copy, changed by the method."""
        if not active:
            return value
        changed = copy.copy(value)
        self._try(operator.methodcaller(method, *arguments), (changed,), active, span)
        return changed

    def unpack(self, value: Any, count: int, active: bool, span: Span) -> Sequence[Any]:
        """The items, or an exception if there are more or fewer."""
        items = self._try(list, (value,), active, span)
        if items is not None and len(items) != count:
            few = "not enough values to unpack" if len(items) < count else "too many values to unpack"
            self.raised("ValueError", (few,), active, span)
        return items if items is not None and len(items) == count else [None] * count

    def iterate(self, value: Any, active: bool, span: Span) -> Iterator[tuple[Any, bool]]:
        """Python's iteration."""
        iterator = self._try(iter, (value,), active, span)
        if iterator is not None:
            for item in iterator:
                yield item, True

    # calls and draws

    def call(
        self, function: str, arguments: Sequence[Any], keywords: Mapping[str, Any], active: bool, span: Span
    ) -> Any:
        """The function itself."""
        called, named = function_of(function), keywords_of(keywords)
        return self._try(lambda *given: called(*given, **named), arguments, active, span)

    def method(
        self,
        receiver: Any,
        method: str,
        arguments: Sequence[Any],
        keywords: Mapping[str, Any],
        active: bool,
        span: Span,
    ) -> Any:
        """The method itself."""
        called = method_of(method)
        return self._try(lambda *given: called(receiver, *given, **keywords), arguments, active, span)

    def draw(self, node: Draw, parameters: Mapping[str, Any], size: Any, active: bool, site: DrawSite) -> Any:
        """What the callback gives; it may raise what the generator would, and UnsupportedConstruct."""
        return self._try(lambda: self._draw(node, parameters, size, site), (), active, node.span)

    # what happens

    def branch(self, condition: bool, active: bool, node: Expression | For) -> None:
        """Noted in the result; for a loop, the place is that of what it goes through."""
        if active:
            place = node.iterable.span if isinstance(node, For) else node.span
            self.result.branches.append(Branch(place, condition))

    def returned(self, value: Any, active: bool, span: Span) -> None:  # noqa: ARG002
        """The output."""
        if active:
            self.result.output = value
            self._ended = True

    def raised(self, exception: str, arguments: Sequence[Any], active: bool, span: Span) -> None:  # noqa: ARG002
        """The exception that ended the run; what would follow it is not real."""
        if active and not self._ended:
            self._ended = True
            self.result.exception = (exception, tuple(arguments))

    def exhausted(self, active: bool, span: Span) -> None:  # noqa: ARG002
        """The run is given up."""
        if active:
            self.result.out_of_fuel = True
            self._ended = True

    def _try(self, function: Callable[..., Any], arguments: Sequence[Any], active: bool, span: Span) -> Any:
        if not active or self._ended:
            return None
        try:
            return function(*arguments)
        except (UnsupportedConstruct, MemoryError):
            raise
        except Exception as error:  # the mechanism's own exceptions are its outputs
            self.raised(type(error).__name__, error.args, active, span)
            return None


def _refuse_rows(value: Any, span: Span) -> None:
    """A row of an array is a view of it, which `shared_names` does not know from an item of a list."""
    if isinstance(value, np.ndarray) and value.ndim > 1:
        raise unsupported("a change in place of an array of rows", span, "make a new array")


class SciPyDraws:
    """The draws of `scipy.stats` from a generator, each as a method."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Callable[..., Any]:
        from scipy import stats  # noqa: PLC0415 - it takes a second, and few programs need it

        return functools.partial(getattr(stats, name).rvs, random_state=self._generator)


class RealGenerators:
    """The generators that users call, for draws that have to be made one by one."""

    def __init__(self, numpy_seed: np.random.SeedSequence, python_seed: np.random.SeedSequence) -> None:
        self._generators: dict[str, Any] = {
            GENERATOR: np.random.Generator(np.random.SFC64(numpy_seed)),
            LEGACY: np.random.RandomState(np.random.MT19937(numpy_seed)),
            PYTHON: random.Random(int(python_seed.generate_state(1, np.uint64)[0])),
        }
        self._generators[SCIPY] = SciPyDraws(self._generators[GENERATOR])

    def draw(self, node: Draw, parameters: dict[str, Any], size: Any) -> Any:
        """The draw as the user's generator makes it, with canonical parameters."""
        if node.family == PACKAGES:  # which may not be installed here
            return of(node.distribution).sample(self._generators[GENERATOR], parameters, ()).item()
        signature = of(node.distribution).signature(node.family, parameters)
        if signature is None:
            raise unsupported(f"the draw {node.distribution} of {node.family}", node.span, "draw it in another way")
        return signature.call(self._generators[node.family], parameters, size)
