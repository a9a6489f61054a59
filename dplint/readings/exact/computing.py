"""From a program and two inputs to the losses of the pair, with as much precision as that takes.

What is kept from one pair of a program to the next: functions, their integrals and products, and whole laws.

An audit computes many pairs of one mechanism. They share their noise, and often one of their inputs. What is kept holds
whatever is asked next: a function is never changed, and those of another precision are other objects.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from flint import ctx

from dplint.collecting import rarely_collected
from dplint.program import nodes as ir
from dplint.program.evaluator import evaluate
from dplint.program.liveness import Liveness, liveness_of
from dplint.program.refusals import unsupported
from dplint.readings.exact.affine import NotFollowed, key_of
from dplint.readings.exact.alignment import aligned
from dplint.readings.exact.draws import forget_densities
from dplint.readings.exact.interpretation import ExactInterpretation, Limits
from dplint.readings.exact.laws import FormLaw, law_of, total_probability
from dplint.readings.exact.losses import OutputLoss, output_losses
from dplint.readings.exact.merging import Merging, last_of_branches
from dplint.readings.exact.paths import Value
from dplint.readings.exact.piecewise import Memo, memo
from dplint.readings.exact.rounding import relative_radius
from dplint.readings.exact.terms import forget_rates, known_rates
from dplint.readings.exact.unfolding import unfolded
from dplint.readings.exact.weights import forget_directions

T = TypeVar("T")
_MOST_RATES = 20_000
_MOST_LAWS = 16
_PLAIN = (bool, int, float, str, type(None))


class Kept:
    """For one program at a time."""

    def __init__(self) -> None:
        self._program: ir.Program | None = None
        self._laws: dict[Hashable, Any] = {}

    def turn_to(self, program: ir.Program) -> None:
        """Let go of what belongs to other programs, and of all once it is much."""
        if program is not self._program or known_rates() > _MOST_RATES:
            self.forget()
            self._program = program

    def forget(self) -> None:
        """Let go of all; laws that were made before must not be used any more."""
        self._program = None
        self._laws.clear()
        memo.clear()
        forget_densities()
        forget_rates()
        forget_directions()

    def law(self, key: Hashable, given: Mapping[str, Any], make: Callable[[], T]) -> T:
        """What was made of an input; it is told apart by the key and the values of all parameters."""
        if not all(map(_is_plain, given.values())):
            return make()
        full = (key, key_of(dict(given)))
        found: T | None = self._laws.pop(full, None)
        if found is None:
            found = make()
        self._laws[full] = found
        if len(self._laws) > _MOST_LAWS:
            del self._laws[next(iter(self._laws))]
        return found


kept = Kept()


def _is_plain(value: Any) -> bool:
    """Whether its key tells it apart from all that a program would treat otherwise."""
    if isinstance(value, list | tuple):
        return type(value) in (list, tuple) and all(map(_is_plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(type(key) in _PLAIN and _is_plain(item) for key, item in value.items())
    if isinstance(value, np.ndarray):
        return type(value) is np.ndarray and value.dtype.kind in "biuf"
    return type(value) in _PLAIN


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known of a program before it has inputs. program: unfolded."""

    program: ir.Program
    liveness: Liveness
    last_of_branches: frozenset[int]


_programs = Memo(16)


def prepared_of(program: ir.Program) -> Prepared:
    """What is known of a program, kept for the next time."""
    found: Prepared = _programs.get((program,), "prepared", lambda: _prepared(unfolded(program)))
    return found


def _prepared(program: ir.Program) -> Prepared:
    return Prepared(program, liveness_of(program), last_of_branches(program))


def hooks_of(prepared: Prepared, interpretation: ExactInterpretation, merging: type[Merging] = Merging) -> Merging:
    """Those of a walk of the program."""
    return merging(interpretation, prepared.last_of_branches)


FIRST_PRECISION = 128
"""Bits."""
_MOST_PRECISION = 1024
_GOAL = 1e-12
"""The relative radius of probabilities to go on doubling the precision for."""

_WIDTH = 1e-8
"""An interval of the loss to double the precision for, once: it may be wide for other reasons."""
Law = Mapping[Hashable, FormLaw]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLosses:
    """What each output of D1 loses against D2, and the other way round, the largest first, and the laws of both.

    laws: to be used before a pair of another program is computed, which lets go of what they are made of.
    precision: in bits, of the computation that gave it. paths: at a time, at most. steps: of both walks.
    """

    forwards: tuple[OutputLoss, ...]
    backwards: tuple[OutputLoss, ...]
    laws: tuple[Law, Law]
    precision: int
    paths: int
    steps: int


def losses_of_pair(
    program: ir.Program,
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    *,
    limits: Limits | None = None,
    check: Callable[[], None] = lambda: None,
    prune: bool = False,
) -> PairLosses:
    """The losses of a pair of inputs.

    first, second: a value for each parameter of the program, the data among them. check: called now and then, to end
    the computation by an exception. prune: see `output_losses`. Raises UnsupportedConstruct where the program, or
    comparing its outputs, is not followed.
    """
    prepared = prepared_of(program)
    limits, precision = limits or Limits(), FIRST_PRECISION
    kept.turn_to(program)
    while True:
        with rarely_collected(), ctx.workprec(precision):
            walks = [_walk(prepared, given, limits, check) for given in (first, second)]
            laws = [walk.law for walk in walks]
            _require_one_message(program, walks)
            try:
                one, other = aligned(*laws)
                forwards = output_losses(one, other, prune=prune, check=check)
                backwards = output_losses(other, one, prune=prune, check=check)
            except NotFollowed as refused:
                raise unsupported(refused.construct, program.span, refused.hint) from refused
            wide = max((_radius(law) for law in laws), default=0.0)
        uncertain = any(_width(losses) > _WIDTH for losses in (forwards, backwards))
        if precision >= _MOST_PRECISION or (wide < _GOAL and (not uncertain or precision > FIRST_PRECISION)):
            break
        precision *= 2
    return PairLosses(
        forwards=tuple(forwards),
        backwards=tuple(backwards),
        laws=(laws[0], laws[1]),
        precision=precision,
        paths=max(walk.paths for walk in walks),
        steps=sum(walk.steps for walk in walks),
    )


@dataclass(frozen=True, slots=True)
class _Walk:
    law: Law
    messages: Mapping[str, set[Hashable]]
    paths: int
    steps: int


def _walk(prepared: Prepared, given: Mapping[str, Any], limits: Limits, check: Callable[[], None]) -> _Walk:
    key = (id(prepared), limits, ctx.prec)
    return kept.law(key, given, lambda: _walked(prepared, given, limits, check))


def _walked(prepared: Prepared, given: Mapping[str, Any], limits: Limits, check: Callable[[], None]) -> _Walk:
    program, interpretation = prepared.program, ExactInterpretation(limits, check)
    arguments = {name: Value(copy.deepcopy(given[name])) for name in program.parameters}
    try:
        hooks = hooks_of(prepared, interpretation)
        evaluate(program, interpretation, arguments, hooks=hooks, liveness=prepared.liveness)
        law = law_of(interpretation.endings)
        total = total_probability(law)
        if total is not None and not total.contains(1):
            raise NotFollowed(f"a law whose probabilities add up to {total} (a mistake of dplint, please report it)")
    except NotFollowed as refused:
        raise unsupported(refused.construct, program.span, refused.hint) from refused
    return _Walk(law, interpretation.messages, interpretation.largest, interpretation.steps)


def _require_one_message(program: ir.Program, walks: Sequence[_Walk]) -> None:
    """Exceptions are told apart by their kind alone, which would be wrong if messages told more."""
    for kind in {kind for walk in walks for kind in walk.messages}:
        if len(set().union(*(walk.messages.get(kind, set()) for walk in walks))) > 1:
            raise unsupported(f"a {kind} with several messages", program.span, "raise it with one and the same text")


def _width(losses: Sequence[OutputLoss]) -> float:
    """Of the interval of the largest loss."""
    low = max((one.loss.low for one in losses), default=0.0)
    return 0.0 if low == math.inf else max((one.loss.high for one in losses), default=0.0) - low


def _radius(law: Law) -> float:
    """The relative radius of the widest weight."""
    return max((relative_radius(term.number) for form in law.values() for term in form.terms), default=0.0)
