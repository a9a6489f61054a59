"""Which noise the pair of a violation gets, by a few watched calls: from which lines, how large, on which sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from dplint.audit.endings import OutOfTime
from dplint.audit.session import AuditSession
from dplint.claims import Literal
from dplint.runner.batch import DataValue
from dplint.runner.client import RunnerError, SeenDraws

_RUNS = 3
_MOST_PLACES = 5


def noise_note(
    session: AuditSession, data: Sequence[DataValue], arguments: Mapping[str, Literal], stream: tuple[int, ...]
) -> str | None:
    """The noise on D1 and D2 in words; None on lanes, whose report shows the draws of a run, or if none was seen.

    A help for the reader and no part of the evidence, so whatever fails in it leaves the verdict alone.
    """
    if session.lanes is not None:
        return None
    try:
        first, second = session.look(data, arguments, _RUNS, stream)
    except (RunnerError, OutOfTime):
        return None
    return described(first.draws, second.draws, session.mechanism.path)


def described(first: Sequence[SeenDraws], second: Sequence[SeenDraws], path: str) -> str | None:
    """The draws of both sides in words, line by line. path: of the file whose lines need no name."""
    ours, theirs = (
        {(one.file, one.line, one.distribution): one for one in side if one.low} for side in (first, second)
    )
    places = sorted({*ours, *theirs}, key=lambda place: (place[0] != path, place))
    told = [_told(ours.get(place), theirs.get(place), path) for place in places[:_MOST_PLACES]]
    more = f"; and {len(places) - len(told)} more" if len(places) > len(told) else ""
    return f"noise on the pair shown: {'; '.join(told)}{more}" if told else None


def _told(one: SeenDraws | None, two: SeenDraws | None, path: str) -> str:
    some = one or two
    assert some is not None
    where = f"line {some.line}" + ("" if some.file == path else f" of {PurePath(some.file).name}")
    if one is None or two is None:
        return f"{where}, {some.distribution} of scale {_scale(some)} on {'D1' if two is None else 'D2'} alone"
    scales = _scale(one), _scale(two)
    said = f"{where}, {some.distribution} of scale {scales[0]}"
    if scales[0] != scales[1]:
        return f"{said} on D1 and {scales[1]} on D2, so that it depends on the data"
    if one.count != two.count:
        return f"{said}, drawn {_times(one)} on D1 and {_times(two)} on D2"
    return said


def _scale(draws: SeenDraws) -> str:
    low, high = (f"{one:.4g}" for one in (draws.low or 0.0, draws.high or 0.0))
    return low if low == high else f"{low} to {high}"


def _times(draws: SeenDraws) -> str:
    count = draws.count / _RUNS
    return "once" if count == 1 else f"{count:.3g} times"
