"""Many runs of one mechanism at once: what can keep it from that.

Whether many runs at once give what the user's own function gives on the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.claims import Literal
from dplint.outcomes import ExampleDraw
from dplint.program.refusals import INSTALLED, Unsupported
from dplint.runner import time_had
from dplint.runner.batch import Batch, Group, LeafKind, SampleRequest
from dplint.runner.client import DataValue, DrawEvent, ReplayRequest, Runner

EXAMPLE_BLOCKS = (50, 450, 1_500, 3_000)
"""How many runs are looked at, block by block, for one that shows an event."""
_MOST_EXAMPLE_DRAWS = 1_000
"""Of a run that is an example."""
_CALLS, _SPEED = 50, 1 << 22
"""So many calls tell how long one takes; and their number in the names of random streams."""
TOO_LARGE = "making many runs at once takes more memory than there is for it"


class NotOnLanes(Exception):
    """The mechanism has to be run one call at a time, for the reason given in words.

    level_left: by what the level of a test must be multiplied that begins again, because bets were lost before.
    """

    level_left: float = 1.0


class WrongTranslation(NotOnLanes):
    """What makes the runs is not the function: on the same draws, or in distribution, they give different outputs."""


def child(seed: np.random.SeedSequence, *numbers: int) -> np.random.SeedSequence:
    """A stream below another one."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, *numbers))


def compare_speed(
    runner: Runner, data: DataValue, arguments: Mapping[str, Literal], seed: np.random.SeedSequence, per_run: float
) -> None:
    """Raise NotOnLanes if calls take no longer than so many seconds a run: where runs part, lanes are slow."""
    stream = child(seed, _SPEED)
    assert isinstance(stream.entropy, int)
    request = SampleRequest((data,), dict(arguments), _CALLS, seed=(stream.entropy, tuple(stream.spawn_key)))
    before = time_had.now()
    runner.sample(request)
    if (time_had.now() - before) / _CALLS < per_run:
        raise NotOnLanes("its runs part so often that calls are as fast")


def in_words(unsupported: Unsupported) -> str:
    """A construct that lanes do not know, for a note."""
    if unsupported.construct == INSTALLED:
        return f"it is {INSTALLED}"
    return f"{unsupported.construct} at {unsupported.span.words} is not understood"


def shown_example(
    runner: Runner,
    data: DataValue,
    arguments: Mapping[str, Literal],
    in_event: Callable[[object], bool],
    events: Sequence[DrawEvent],
) -> tuple[ExampleDraw, ...]:
    """The draws of one run whose output is in an event, once the function itself has made it with these.

    Raises WrongTranslation, RunnerError.
    """
    if len(events) > _MOST_EXAMPLE_DRAWS:
        return ()
    replayed = runner.replay(ReplayRequest(data, arguments, 1, events))
    if replayed.wrong_runs or not in_event(replayed.batch.likenesses()[0]):
        reason = replayed.complaints[0] if replayed.wrong_runs else "the function's output is not in the event"
        raise WrongTranslation(f"the replay of a run that shows the event failed: {reason}")
    return tuple(
        ExampleDraw(site=event.site, distribution=event.distribution, value=_literal(event.values[0]))
        for event in events
        if event.site is not None
    )


def _literal(value: Any) -> Literal:
    plain: Literal = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    return plain


def shown_output(batch: Batch, run: int) -> str:
    """The output of a run as text, cut if it is long."""
    text = repr(batch.outputs()[run])
    return text if len(text) <= 80 else text[:79] + "…"


_TEXTUAL = np.zeros(max(LeafKind) + 1, np.bool_)
_TEXTUAL[[LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER]] = True


def first_difference(lanes: Batch, function: Batch, tolerance: float = 0.0) -> int | None:
    """The first run whose outputs differ; None if there is none.

    tolerance: by which floats may differ, relative to the larger one or to 1.
    """
    differing = np.ones(lanes.runs, np.bool_)
    theirs = {group.skeleton: _ordered(group, function) for group in function.groups}
    for group in lanes.groups:
        other = theirs.get(group.skeleton)
        if other is None:
            continue
        mine = _ordered(group, lanes)
        _, here, there = np.intersect1d(mine.rows, other.rows, assume_unique=True, return_indices=True)
        equal = (mine.kinds[here] == other.kinds[there]).all(axis=1)
        equal &= _equal(mine.values[here], other.values[there], mine.kinds[here], tolerance).all(axis=1)
        differing[mine.rows[here[equal]]] = False
    return int(differing.argmax()) if differing.any() else None


def _ordered(group: Group, batch: Batch) -> Group:
    """The group with texts instead of their numbers: a hash that both batches share."""
    textual = _TEXTUAL[group.kinds]
    if not textual.any():
        return group
    codes = np.array([float(hash(text) % 2**52) for text in batch.strings], np.float64)
    values = group.values.copy()
    values[textual] = codes[values[textual].astype(np.intp)]
    return Group(group.skeleton, group.rows, group.kinds, values)


def _equal(one: NDArray[Any], other: NDArray[Any], kinds: NDArray[np.uint8], tolerance: float) -> NDArray[np.bool_]:
    left, right = one.astype(np.float64, copy=False), other.astype(np.float64, copy=False)
    same: NDArray[np.bool_] = (left == right) & (np.signbit(left) == np.signbit(right))
    same |= np.isnan(left) & np.isnan(right)
    if not tolerance:
        return same
    with np.errstate(invalid="ignore"):
        larger = np.maximum(np.abs(left), np.abs(right))
        close = np.abs(left - right) <= np.minimum(tolerance * np.maximum(larger, 1.0), np.finfo(np.float64).max)
    return np.asarray(same | (close & (kinds == LeafKind.FLOAT)))
