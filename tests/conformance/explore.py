"""Search for a mechanism that a reading gets wrong: `python -m tests.conformance.explore lanes --examples 5000`.

Prints the smallest one that Hypothesis finds, with the runs that differ.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.conformance import adapters
from tests.conformance.harness import Case, Read, check
from tests.conformance.strategy import aliases, mechanisms

ARGUMENTS = {"queries": [1, 0, 2.5], "epsilon": 2}
RUNS = range(12)


def compare(reads: Sequence[Read], sources: st.SearchStrategy[str], *, examples: int, start: int | None) -> list[str]:
    """Compare readings with Python on random mechanisms; returns what they refused.

    start: the seed of the search, None for the same mechanisms each time. Raises AssertionError with the smallest
    mechanism that was found to differ.
    """
    refused: list[str] = []

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=start is None,
        database=None,
        suppress_health_check=[*HealthCheck],
    )
    @given(source=sources)
    def one(source: str) -> None:
        case = Case("made", source, ARGUMENTS)
        for read in reads:
            try:
                found = check(case, read, RUNS)
            except Exception as error:
                raise AssertionError(f"{source}\n\n{read.__name__}: {error!r}") from error
            if found is not None:
                refused.append(f"{read.__name__}: {found.construct}")

    (one if start is None else seed(start)(one))()
    return refused


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reading", choices=["concrete", "many_runs", "lanes"])
    parser.add_argument("--aliases", action="store_true", help="lists and arrays that several names hold")
    parser.add_argument("--examples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sources = aliases() if options.aliases else mechanisms()
    refused = compare([getattr(adapters, options.reading)], sources, examples=options.examples, start=options.seed)
    print(f"no difference in {options.examples} mechanisms; refused:", Counter(refused).most_common())  # noqa: T201


if __name__ == "__main__":
    main()
