"""Better events for one pair, from runs that are spent on nothing else: finer thresholds, products, learnt scores."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.audit.betting.input_groups import InputGroup, Proposal, promise
from dplint.claims import Pair
from dplint.events.cutting import cut
from dplint.events.learning import learn
from dplint.events.refining import Refining
from dplint.events.split_runs import Counts, Floats, SplitRuns, Suggestion

_MOST = 2
"""Events of each kind that are proposed for a pair."""


def better_proposals(
    group: InputGroup,
    pair: Pair,
    sides: tuple[int, int],
    runs: int,
    stream: tuple[int, ...],
    phase: str,
    epsilon: float,
    delta: float,
    *,
    early: bool = False,
) -> list[Proposal]:
    """Proposals for a pair, best first.

    early: only products of conditions that are tuned to one another, the leaves of small decision trees.
    Their counts are of runs that took no part in finding them. Raises what `AuditSession.sample` raises.
    """
    session = group.session
    data = [group.inputs.data[side] for side in sides]
    chunks = list(session.sample(data, group.choice.values, runs, stream, phase, checked=0))
    split_runs = SplitRuns([c.batches[0] for c in chunks], [c.batches[1] for c in chunks], session.texts, most=runs)

    def criterion(count1: Counts, count2: Counts, seen: int) -> Floats:
        return promise(count1, count2, seen, epsilon, delta)

    learnt = () if early else learn(split_runs)
    found = [*Refining(split_runs).events(criterion, most=_MOST), *cut(learnt, split_runs, criterion, most=_MOST)]
    return [_proposal(group, pair, sides, suggestion) for suggestion in _best_first(found)]


def _best_first(found: Sequence[Suggestion]) -> list[Suggestion]:
    return sorted(found, key=lambda suggestion: -suggestion.score)


def _proposal(group: InputGroup, pair: Pair, sides: tuple[int, int], suggestion: Suggestion) -> Proposal:
    return Proposal(
        group=group,
        pair=pair,
        sides=sides,
        event=suggestion.event,
        growth=suggestion.score,
        count1=suggestion.count1,
        count2=suggestion.count2,
        runs=suggestion.runs,
        complexity=suggestion.event.complexity + pair.size,
    )
