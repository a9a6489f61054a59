"""Losses that were computed are compared with the function before anything is said from them.

The exact reading with numbers put in for the noise, against calls of the function with that noise: on the pairs that
lose most, and on others that are chosen so that a misreading shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from dplint.audit.comparing import (
    Arguments,
    Compared,
    Contradiction,
    LoweredReading,
    Sides,
    compare,
    compared_pairs,
    pair_of,
)
from dplint.audit.exact.pairs import ComputedPair
from dplint.audit.program_arguments import NotPlain, program_arguments
from dplint.audit.session import AuditSession
from dplint.audit.telling import most_telling_first
from dplint.claims import Pair
from dplint.outcomes import NOTHING_RUN
from dplint.program.nodes import Program
from dplint.program.refusals import unsupported
from dplint.program.runs import DrawCallback, Run
from dplint.readings.exact.at_numbers import OnBoundary, ReadingDisagrees, run_at
from dplint.runner.errors import RunnerError

_WORST, _LEAST, _SECONDS, _TELLING = 3, 6, 0.05, 0.3
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


class _ExactReading:
    """The exact interpretation with numbers put in for the noise."""

    def __init__(self, session: AuditSession, program: Program) -> None:
        self._session, self._program = session, program

    def run(self, sides: Sides, side: int, arguments: Arguments, draws: Callable[[], DrawCallback]) -> tuple[Run, bool]:
        """See `comparing.Reading`."""
        data = self._session.data_value(pair_of(self._session, sides), side)
        try:
            given = program_arguments(self._program, self._session.mechanism, data, arguments)
            return run_at(self._program, given, draws(), fuel=_FUEL), True
        except NotPlain as refused:
            raise unsupported(str(refused), self._program.span) from None
        except OnBoundary as boundary:
            raise unsupported(str(boundary), self._program.span) from None
        except ReadingDisagrees as error:
            raise Contradiction(str(error)) from error
