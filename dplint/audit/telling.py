"""Which inputs tell most of a reading: those on which its conditions go ways that they went on no input before.

The program is evaluated on candidates, in a fraction of the time that a comparison takes. A comparison of numbers may
come out below, above, next to, or just at the other; others are true or false. Inputs that show something new come
first, so that conditions which few data meet are met where any candidate meets them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from dplint.audit.comparing import Arguments, NotPlain, pair_of, program_arguments
from dplint.audit.session import AuditSession
from dplint.claims import Pair, Span, is_number
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, Expression, For, Program
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.readings.concrete import ConcreteInterpretation, RealGenerators
from dplint.sites import DrawSite

_FUEL, _NEXT = 500, 1.0
"""Turns of all loops that are followed, and how near two numbers are next to each other."""
_MISTAKES = (ArithmeticError, LookupError, MemoryError, TypeError, ValueError, RecursionError)
"""A mistake of this look, which must not cost the audit."""
_STREAM = 1 << 23
Shown: TypeAlias = frozenset[tuple[Span, object]]
"""Where something was compared, and how it came out."""


def most_telling_first(
    session: AuditSession, program: Program, inputs: Iterator[tuple[Pair, Arguments]], most: int, seconds: float
) -> Iterator[tuple[Pair, Arguments]]:
    """The inputs in another order: of the first `most`, in turns the one that shows most which none before it does.

    seconds: of CPU time, after which no more are looked at.
    """
    watching, end = _Watching(session, program), time.process_time() + seconds
    left = list(islice(inputs, most))
    shown = [watching.shown(*one) if time.process_time() < end else frozenset() for one in left]
    known: Shown = frozenset()
    while left:
        news = [len(one - known) for one in shown]
        most_new = max(range(len(left)), key=news.__getitem__)
        if not news[most_new]:
            break
        known |= shown.pop(most_new)
        yield left.pop(most_new)
    yield from left
    yield from inputs


class _Watching:
    """Runs of a program on candidates, with noise of their own."""

    def __init__(self, session: AuditSession, program: Program) -> None:
        self._session, self._program = session, program
        self._generators = RealGenerators(*np.random.SeedSequence(session.seed, spawn_key=(_STREAM,)).spawn(2))
        self._refused = False

    def shown(self, pair: Pair, arguments: Arguments) -> Shown:
        """How comparisons came out on both sides; nothing where the program cannot be evaluated."""
        shown: Shown = frozenset()
        for side in (1, 2) if not self._refused else ():
            run = _Noting(self._draw, _FUEL)
            try:
                data = self._session.data_value(pair_of(self._session, (pair.d1, pair.d2)), side)
                given = program_arguments(self._program, self._session.mechanism, data, arguments)
                evaluate(self._program, run, {name: given[name] for name in self._program.parameters})
            except (NotPlain, UnsupportedConstruct, *_MISTAKES):
                self._refused = not run.shown
            shown |= run.shown
        return shown

    def _draw(self, node: Draw, parameters: Mapping[str, Any], size: Any, _site: DrawSite) -> Any:
        return self._generators.draw(node, dict(parameters), size)


class _Noting(ConcreteInterpretation):
    """A run that notes how comparisons come out."""

    def __init__(self, draw: Callable[..., Any], fuel: int) -> None:
        super().__init__(draw, fuel)
        self.shown = set[tuple[Span, object]]()
        self._turns = 0
        self._last: tuple[Span, Any, object] | None = None

    def compare(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """As Python does."""
        answer = super().compare(operator, left, right, active, span)
        if self.alive(active):
            way = _apart(left, right) if is_number(left) and is_number(right) else _plain(answer)
            if self._last is not None and self._last[0] == span and self._last[1] is left:  # 0 < x < 1
                way = self._last[2], way
            self._last = span, right, way
            self.shown.add((span, way))
        return answer

    def iterate(self, value: Any, active: bool, span: Span) -> Iterator[tuple[Any, bool]]:
        """Python's iteration, as far as there is time."""
        for item in super().iterate(value, active, span):
            self._turns += 1
            if self._turns > self.fuel:
                raise unsupported("loops with so many turns", span)
            yield item

    def branch(self, condition: bool, active: bool, node: Expression | For) -> None:
        """The way that it goes."""
        if self.alive(active):
            self.shown.add((node.span, condition))
        super().branch(condition, active, node)

    def call(
        self, function: str, arguments: Sequence[Any], keywords: Mapping[str, Any], active: bool, span: Span
    ) -> Any:
        """As Python does; how numbers lie to each other, as for a clip."""
        numbers = [one for one in arguments if is_number(one)]
        if len(numbers) > 1 and self.alive(active):
            self.shown |= {(span, (place, _apart(numbers[0], one))) for place, one in enumerate(numbers[1:])}
        return super().call(function, arguments, keywords, active, span)


def _apart(left: float, right: float) -> tuple[bool, bool, bool]:
    """Below, at, and next to it."""
    return bool(left < right), bool(left == right), bool(abs(left - right) <= _NEXT)


def _plain(answer: Any) -> object:
    return answer if isinstance(answer, bool) else (bool(np.any(answer)), bool(np.all(answer)))
