"""Lessons: better events for one pair, from runs that are spent on nothing else, by whoever makes them.

Finer thresholds, products, learnt scores. Runs are many and what is learnt is little: whoever makes a lesson makes its
runs, too, and no output leaves its process. What is learnt follows from the request alone, so it is the same whoever
learns it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dplint.audit.betting.input_groups import promise
from dplint.audit.lane_counts import NotForOthers
from dplint.audit.run_blocks import RunBlocks
from dplint.claims import Literal
from dplint.events.cutting import cut
from dplint.events.learning import learn
from dplint.events.refining import Refining
from dplint.events.split_runs import Counts, Floats, SplitRuns, Suggestion
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue
from dplint.runner.texts import TextNumbers

_MOST = 2
"""Events of each kind that are proposed for a pair."""


@dataclass(frozen=True, slots=True)
class LessonRequest:
    """What is to be learnt, and of which runs.

    datas: the two sides. runs: of each. seed: entropy and spawn key of a SeedSequence. block: runs of a data value that
    are made at once, None where each calls the function. epsilon, delta: what events should exceed. early: only
    products of conditions that are tuned to one another, the leaves of small decision trees.
    """

    datas: tuple[DataValue, DataValue]
    arguments: Mapping[str, Literal]
    runs: int
    seed: tuple[int, tuple[int, ...]]
    block: int | None
    epsilon: float
    delta: float
    early: bool


def lesson(request: LessonRequest, batches: Sequence[tuple[Batch, ...]], texts: TextNumbers) -> list[Suggestion]:
    """The best events that these outputs of the two sides teach; their counts are of runs that took no part in finding
    them.
    """
    split_runs = SplitRuns([two[0] for two in batches], [two[1] for two in batches], texts, most=request.runs)

    def criterion(count1: Counts, count2: Counts, seen: int) -> Floats:
        return promise(count1, count2, seen, request.epsilon, request.delta)

    learnt = () if request.early else learn(split_runs)
    found = [*Refining(split_runs).events(criterion, most=_MOST), *cut(learnt, split_runs, criterion, most=_MOST)]
    return sorted(found, key=lambda suggestion: -suggestion.score)


def lesson_for_another(lanes: RunBlocks, request: LessonRequest) -> list[Suggestion]:
    """A lesson for the audit of another process. Raises NotOnLanes, NotForOthers."""
    assert request.block is not None
    lanes.limit(request.block)
    (entropy, key), texts = request.seed, TextNumbers()
    seed = np.random.SeedSequence(entropy, spawn_key=key)
    blocks = lanes.blocks(request.datas, request.arguments, request.runs, seed, texts)
    batches = [two for _, two in blocks]
    if texts.texts:
        raise NotForOthers
    return lesson(request, batches, texts)
