"""Pairs beyond the patterns of a relation: many are looked at without noise, and those that promise most are tried."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.audit.choices import Choice
from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.inputs.novelty import Seen, key, most_promising
from dplint.inputs.pairs import NoPairs, further_pairs
from dplint.runner.batch import LeafKind
from dplint.runner.client import DataValue, Look

_MOST_LOOKS = 500
_LEAST_LOOKS = 30
_KNOWN_LOOKS = 40
"""Looks at data that is tried anyway."""
_SHARE = 0.05
"""Share of the budget, in seconds or in runs, that the looks may take; a look takes as long as some runs."""
_LOOK_SECONDS = 0.0002
"""What a look takes where runs are on lanes: functions that can be read whole are short."""
_RUNS_OF_A_LOOK = 5
_NUMBERS = (LeafKind.BOOL, LeafKind.INT, LeafKind.FLOAT)


def find_further(
    session: AuditSession, choice: Choice, known: Sequence[Pair], stream: tuple[int, ...], budget: float
) -> list[Pair]:
    """Further pairs that are worth runs, in one order; found once, with one choice of arguments.

    budget: seconds of the pass. Constants of the function and of its helpers, and the numbers among the arguments, are
    tried as data. Raises RunnerError.
    """
    if session.mechanism.claim.pairs is not None or session.machine:
        return []
    session.announce("looking for inputs")
    given = [
        value for value in choice.values.values() if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    try:
        pairs = further_pairs(session.mechanism, [*session.constants(), *given])
    except NoPairs:
        return []
    values: dict[str, DataValue] = {}
    for few, looks in ((known, _KNOWN_LOOKS), (pairs, _affordable(session, budget))):
        most = len(values) + looks
        for pair in few:
            both = {key(pair.d1): session.data_value(pair, 1), key(pair.d2): session.data_value(pair, 2)}
            if len(values.keys() | both.keys()) <= most:
                values |= both
    seen = _looked_at(session, choice, values, stream)
    return most_promising(pairs, known, seen)


def _affordable(session: AuditSession, budget: float) -> int:
    """How many data values may be looked at."""
    settings = session.settings
    if settings.max_runs is not None:
        allowed = _SHARE * settings.max_runs
    elif session.lanes is not None:
        allowed = _SHARE * budget / _LOOK_SECONDS
    elif session.seconds_per_run > 0:
        allowed = _SHARE * budget / (session.seconds_per_run * _RUNS_OF_A_LOOK)
    else:
        allowed = _MOST_LOOKS
    return int(min(_MOST_LOOKS, max(_LEAST_LOOKS, allowed)))


def _looked_at(
    session: AuditSession, choice: Choice, values: dict[str, DataValue], stream: tuple[int, ...]
) -> dict[str, Seen]:
    """What each of the data makes the function do. The numbers of lines are those of one request, so there is one."""
    looks = session.look(list(values.values()), choice.values, 1, stream, noise_free=True, lines=True)
    return {name: _seen(look) for name, look in zip(values, looks, strict=True)}


def _seen(look: Look) -> Seen:
    (group,) = look.batch.groups
    numeric = [LeafKind(kind) in _NUMBERS for kind in group.kinds[0].tolist()]
    leaves = group.values[0].tolist()
    texts = [
        look.batch.strings[int(value)] if LeafKind(kind) in (LeafKind.STRING, LeafKind.OTHER) else LeafKind(kind).name
        for kind, value, is_number in zip(group.kinds[0].tolist(), leaves, numeric, strict=True)
        if not is_number
    ]
    return Seen(
        lines=look.lines,
        draws={f"{one.file}:{one.line}:{one.distribution}": (one.count, one.low, one.high) for one in look.draws},
        shape=f"{group.skeleton!r} {texts}",
        numbers=tuple(float(value) for value, is_number in zip(leaves, numeric, strict=True) if is_number),
    )
