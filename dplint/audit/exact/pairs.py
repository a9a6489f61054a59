"""Pairs of inputs and a choice of arguments, put through the exact interpretation, and in which order.

Small ones come first, and of each size those whose pattern has lost most.

Losses that were computed are compared with the function before anything is said from them.

The exact reading with numbers put in for the noise, against calls of the function with that noise: on the pairs that
lose most, and on others that are chosen so that a misreading shows.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dplint.audit.comparing import (
    Arguments,
    Compared,
    Contradiction,
    LoweredReading,
    NotPlain,
    compare,
    compared_pairs,
    program_arguments,
)
from dplint.audit.inputs import Choice
from dplint.audit.session import AuditSession
from dplint.audit.telling import most_telling_first
from dplint.claims import Pair
from dplint.outcomes import NOTHING_RUN, Argument, Bounds, Observation, OutputEvent, SingleOutput
from dplint.program.interpretation import DrawCallback, Run
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.readings.exact import Limits, OutputLoss, PairLosses, Raised, least_epsilon, losses_of_pair
from dplint.readings.exact.following import OnBoundary, ReadingDisagrees, run_at
from dplint.relations.records import holds_nan
from dplint.runner.data_forms import without_numpy
from dplint.runner.hosts import RunnerError

LIMITS = Limits(paths=300, steps=6_000)
"""For one pair: a fraction of a second. What is larger is left to the other procedures."""


def computed_pairs(
    session: AuditSession, program: Program, pairs: Sequence[Pair], choice: Choice, delta: float, end: float
) -> Iterator[ComputedPair]:
    """The pairs with their losses, each once, in the order that loses more. delta, end: as for `compute_pair`.

    Of a size that something is refused at, no more is computed. Raises NotComputed where that is the very first pair.
    """
    lost: dict[str, float] = {}
    first = True
    for size in _by_size(pairs):
        for pair in sorted(size, key=lambda one: (-lost.get(one.pattern, 0.0), -_changes(one))):
            try:
                found = worst_first(compute_pair(session, program, pair, choice, LIMITS, delta=delta, end=end))
            except NotComputed:
                if first:
                    raise
                break
            except TooLong:
                return
            if all(isinstance(one.output, Raised) for one in found.losses.forwards):
                return  # perhaps it wants an array where it got a list, which runs will show
            first = False
            lost[pair.pattern] = found.loss.low
            yield found


def _by_size(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Each pair in one order, those of the smallest size first."""
    found: dict[int, list[Pair]] = {}
    for pair in each_once(pairs):
        found.setdefault(pair.size, []).append(pair)
    return [found[size] for size in sorted(found)]


def each_once(pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair in one order: both are computed at once."""
    found: dict[tuple[int, frozenset[str]], Pair] = {}
    for pair in pairs:
        found.setdefault((pair.size, sides_of(pair)), pair)
    return list(found.values())


def sides_of(pair: Pair) -> frozenset[str]:
    """The data of both sides as text: the same for the pair the other way round."""
    return frozenset((repr(pair.d1), repr(pair.d2)))


def _changes(pair: Pair) -> int:
    """In how many entries the two differ."""
    if isinstance(pair.d1, list | tuple) and isinstance(pair.d2, list | tuple):
        return sum(a != b for a, b in zip(pair.d1, pair.d2, strict=False)) + abs(len(pair.d1) - len(pair.d2))
    return 1


RUNS_ALPHA = 1e-6
"""How seldom a bound by runs may fail to hold."""


class NotComputed(Exception):
    """The pair cannot be computed exactly, for the reason given in words."""


class TooLong(Exception):
    """The time for computing pairs is used up."""


@dataclass(frozen=True, slots=True, eq=False)
class ComputedPair:
    """A pair with its losses.

    given: what the program was computed with, on D1 and D2. least: with a delta, what holds the least epsilon that D1
    keeps against D2, and D2 against D1. by_runs: how many runs on lanes gave the losses, which are then lower bounds of
    a high confidence; 0 if they are certain.
    """

    pair: Pair
    choice: Choice
    losses: PairLosses
    program: Program
    given: tuple[Mapping[str, Any], Mapping[str, Any]]
    least: tuple[Bounds, Bounds] | None = None
    by_runs: int = 0

    @property
    def loss(self) -> Bounds:
        """Holds the loss of the pair, in both orders; with a delta, the least epsilon that it keeps."""
        found = self.least or [row.loss for row in (*self.losses.forwards, *self.losses.backwards)]
        high = math.inf if self.by_runs else max(one.high for one in found)
        return Bounds(max(one.low for one in found), high)

    @property
    def worst(self) -> OutputLoss:
        """The output that loses most."""
        return self.losses.forwards[0]

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """All of them, those of the claim first."""
        return (*self.choice.fixed, *self.choice.arguments)

    @property
    def certified_by(self) -> str:
        """What shows the losses."""
        if self.by_runs:
            return f"{self.by_runs:,} runs on each side with confidence {1 - RUNS_ALPHA:g}"
        return f"elimination of noise in {self.losses.precision}-bit ball arithmetic"


def compute_pair(
    session: AuditSession,
    program: Program,
    pair: Pair,
    choice: Choice,
    limits: Limits,
    *,
    delta: float = 0.0,
    prune: bool = True,
    end: float = math.inf,
) -> ComputedPair:
    """The losses of a pair. end: TooLong as soon as `time.process_time` is there: on a busy machine no less is done.

    delta: where it is not zero, the losses are also those with this delta.

    Raises NotComputed, TooLong, OutOfTime, and Cancelled if somebody asks for an end.
    """
    if holds_nan([pair.d1, pair.d2]):
        raise NotComputed("not computed exactly: NaN in the data, which is no real number")
    try:
        given = given_of(session, program, pair, choice)
        found = losses_of_pair(program, *given, limits=limits, check=lambda: check_end(session, end), prune=prune)
        least = _least(found, delta) if delta else None
    except UnsupportedConstruct as refused:
        raise NotComputed(f"not computed exactly: {refused.unsupported}") from None
    except MemoryError:
        raise NotComputed("not computed exactly: it takes more memory than there is for it") from None
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, RecursionError) as error:
        # A mistake of the interpretation, which must not cost the audit.
        raise NotComputed(f"dplint could not compute it ({type(error).__name__}: {error})") from error
    if not found.forwards or not found.backwards:
        raise NotComputed("not computed exactly: no output has a positive probability that is known for certain")
    return ComputedPair(pair, choice, found, program, given, least)


def given_of(
    session: AuditSession, program: Program, pair: Pair, choice: Choice
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the program is computed with, on D1 and on D2. Raises NotComputed."""
    one, two = (session.data_value(pair, side) for side in (1, 2))
    try:
        return (
            program_arguments(program, session.mechanism, one, choice.values),
            program_arguments(program, session.mechanism, two, choice.values),
        )
    except NotPlain as error:
        raise NotComputed(str(error)) from None


def check_end(session: AuditSession, end: float) -> None:
    """Raises TooLong, OutOfTime, and Cancelled if somebody asks for an end. end: as for `compute_pair`."""
    session.check_cancelled()
    session.check_time()
    if time.process_time() > end:
        raise TooLong


def _least(found: PairLosses, delta: float) -> tuple[Bounds, Bounds]:
    first, second = found.laws
    return (
        least_epsilon((first, second), delta, precision=found.precision),
        least_epsilon((second, first), delta, precision=found.precision),
    )


def worst_first(computed: ComputedPair) -> ComputedPair:
    """The same pair with D1 the side whose outputs lose more."""
    found = computed.losses
    forwards, backwards = computed.least or (found.forwards[0].loss, found.backwards[0].loss)
    return computed if forwards.low >= backwards.low else turned(computed)


def turned(computed: ComputedPair) -> ComputedPair:
    """The same pair in the other order."""
    pair, found = computed.pair, computed.losses
    losses = replace(found, forwards=found.backwards, backwards=found.forwards, laws=(found.laws[1], found.laws[0]))
    given, least = computed.given[::-1], computed.least and computed.least[::-1]
    return replace(computed, pair=pair.turned, losses=losses, given=given, least=least)


def observation_of(output: Any) -> Observation | None:
    """An output as what is observed; None if it is no plain value."""
    if isinstance(output, Raised):
        return OutputEvent(f"type(output).__name__ == {output.exception!r}")
    output = without_numpy(output)
    # Entries of dicts are named in events, but for those whose keys noise may have made.
    if not _is_literal(output, (bool, int, str, type(None))):
        return None
    single = SingleOutput(output)
    # What is kept is a literal of a claim, whose dicts have texts as keys.
    return single if _is_literal(output, (str,)) else OutputEvent(single.expression)


def output_text(output: Any) -> str:
    """An output for people."""
    if output is None:
        return "None"
    return f"raises {output.exception}" if isinstance(output, Raised) else repr(without_numpy(output))


def _is_literal(value: Any, keys: tuple[type, ...]) -> bool:
    """Whether a value is plain, with such keys of dicts, and no NaN: a list with one equals none, not even itself."""
    if isinstance(value, list | tuple):
        return all(_is_literal(item, keys) for item in value)
    if isinstance(value, dict):
        return all(isinstance(key, keys) and _is_literal(item, keys) for key, item in value.items())
    return value is None or (isinstance(value, bool | int | float | str) and value == value)  # noqa: PLR0124


_WORST, _LEAST, _SECONDS, _TELLING = 3, 12, 0.1, 0.15
"""Pairs that lose most, those that are compared whatever the time, the time, and what of it goes into their
order."""
_FUEL, _WHAT = 200, "the exact reading"
_TIMES = 30
"""How often a pair is compared that is about to be accused."""


def compare_exact(session: AuditSession, program: Program, computed: Sequence[ComputedPair]) -> Compared:
    """See that the exact reading is the function. computed: pairs of which something is to be said.

    Raises WrongTranslation where it is not, RunnerError. Where no such run can be compared, for instance because it
    takes too many turns, what runs of the function say of a loss decides alone.
    """
    if not computed:
        return Compared()
    reading, inputs = _ExactReading(session, program), _inputs(session, program, computed)
    return compare(session, reading, inputs, _WHAT, _SECONDS, _LEAST)


def compare_on(session: AuditSession, program: Program, computed: ComputedPair) -> int:
    """See with other noise that the exact reading is the function on a pair; the runs. Raises WrongTranslation,
    RunnerError.
    """
    inputs = itertools.repeat((computed.pair, computed.choice.values), _TIMES)
    return compare(session, _ExactReading(session, program), inputs, _WHAT, _SECONDS, _TIMES).runs


def why_not_compared(session: AuditSession, program: Program, computed: ComputedPair, *, run: bool) -> str:
    """Why a loss was not compared with the function before it is told; empty if it was. run: whether that may be run.

    Raises WrongTranslation where the function does something else.
    """
    if not run:
        return NOTHING_RUN
    try:
        compared = compare_exact(session, program, [computed])
        if not compared.runs:  # what is counted on arrays may be nothing that is computed
            reading, inputs = LoweredReading(session, program), _inputs(session, program, [computed])
            compared = compare(session, reading, inputs, _WHAT, _SECONDS, _LEAST)
    except RunnerError as error:
        return error.reason
    return "" if compared.runs else compared.reason


def _inputs(
    session: AuditSession, program: Program, computed: Sequence[ComputedPair]
) -> Iterator[tuple[Pair, Arguments]]:
    worst = sorted(computed, key=lambda one: -one.loss.low)
    yield from ((one.pair, one.choice.values) for one in worst[:_WORST])
    others = compared_pairs(session, program)
    inputs = zip(others, itertools.cycle([one.choice.values for one in computed]), strict=False)
    yield from most_telling_first(session, program, inputs, len(others), _TELLING * _SECONDS)


class _ExactReading(LoweredReading):
    """The exact interpretation with numbers put in for the noise."""

    def _run(self, given: Mapping[str, Any], draws: DrawCallback) -> Run:
        try:
            return run_at(self._program, given, draws, fuel=_FUEL)
        except OnBoundary as boundary:
            raise unsupported(str(boundary), self._program.span) from None
        except ReadingDisagrees as error:
            raise Contradiction(str(error)) from error
