"""Search for a mechanism that an interpretation gets wrong: `python -m tests.conformance.explore many_runs`.

`--examples 5000` says how many to try. Prints the smallest one that Hypothesis finds, with the runs that differ.
"""

from __future__ import annotations

import argparse
from collections import Counter

from dplint_conformance import compare
from tests.conformance import adapters


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("interpretation", choices=["concrete", "many_runs"])
    parser.add_argument("--aliases", action="store_true", help="lists and arrays that several names hold")
    parser.add_argument("--examples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    adapter = getattr(adapters, options.interpretation)
    refused = compare([adapter], examples=options.examples, seed=options.seed, aliases=options.aliases)
    print(f"no difference in {options.examples} mechanisms; refused:", Counter(refused).most_common())  # noqa: T201


if __name__ == "__main__":
    main()
