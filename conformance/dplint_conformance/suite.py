"""The whole suite in one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dplint_conformance.cases import REFUSED_BY_ALL, all_cases
from dplint_conformance.harness import Adapter, Case, check
from dplint_conformance.search import compare

RUNS = range(24)
"""Seeds of the runs of a case: with fewer, some never get to what is refused."""
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Conformance:
    """What an interpretation has passed.

    followed: how many of the cases it has followed; the others it has refused, as it was meant to. random: how many
    random mechanisms it was given. refused: of those, how often it has refused each construct.
    """

    followed: int
    random: int
    refused: Mapping[str, int]


def run_conformance_test(
    adapter: Adapter,
    *,
    refuses: Collection[str] = (),
    cases: Sequence[Case] | None = None,
    random: int = 100,
    seed: int | None = None,
) -> Conformance:
    """Put an interpretation through all cases, and through random mechanisms.

    Args:
        adapter: calls the interpretation.
        refuses: names of the cases that it refuses, while others follow them.
        cases: those to try, None for all of them.
        random: how many random mechanisms to try.
        seed: of the search for random mechanisms; None for what the loaded profile of Hypothesis does.

    Raises:
        AssertionError: it differs from Python, refuses what it should follow, or follows what it should refuse; the
            text shows the first runs that differ.
        ValueError: `refuses` names a case that there is not.
    """
    unknown = sorted({*refuses} - {case.name for case in all_cases()})
    if unknown:
        raise ValueError(f"there is no case {unknown[0]!r} in the suite")
    tried = all_cases() if cases is None else cases
    faults = [fault for case in tried if (fault := _fault(case, adapter, refuses)) is not None]
    if faults:
        more = f"\nand {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise AssertionError(f"{len(faults)} of {len(tried)} cases fail\n" + "\n".join(faults[:_SHOWN]) + more)
    refused = compare([adapter], examples=random, seed=seed) if random else []
    followed = sum(not _is_refused(case, refuses) for case in tried)
    return Conformance(followed, random, Counter(refused))


def _is_refused(case: Case, refuses: Collection[str]) -> bool:
    return case.name in refuses or case.name in REFUSED_BY_ALL


def _fault(case: Case, adapter: Adapter, refuses: Collection[str]) -> str | None:
    refused = _is_refused(case, refuses)
    try:
        found = check(case, adapter, RUNS)
    except AssertionError as error:
        return str(error)
    except Exception as error:
        return f"{case.name}: {error!r}"
    if found is not None and not refused:
        return f"{case.name}: {found.construct} is refused, and the case is not among those that `refuses` names"
    return f"{case.name}: is followed, and should be refused" if found is None and refused else None
