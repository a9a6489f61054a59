"""Searches for a mechanism that an interpretation gets wrong; the smallest one that is found is shown."""

from __future__ import annotations

from collections.abc import Sequence

import hypothesis

from dplint_conformance import strategy
from dplint_conformance.harness import Adapter, Case, check

ARGUMENTS = {"queries": [1, 0, 2.5], "epsilon": 2}
RUNS = range(12)


def compare(adapters: Sequence[Adapter], *, examples: int, seed: int | None = None, aliases: bool = False) -> list[str]:
    """Compare interpretations with Python on random mechanisms; returns the constructs that they refused, each time.

    seed: of the search, None for what the loaded profile of Hypothesis does. aliases: those in which several names hold
    the same lists and arrays.

    Raises:
        AssertionError: one differs; the text is the smallest mechanism that was found, and the runs that differ.
    """
    refused: list[str] = []

    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        derandomize=seed is None and hypothesis.settings().derandomize,
        database=None,
        suppress_health_check=[*hypothesis.HealthCheck],
    )
    @hypothesis.given(source=strategy.aliases() if aliases else strategy.mechanisms())
    def one(source: str) -> None:
        case = Case("made", source, ARGUMENTS)
        for adapter in adapters:
            try:
                found = check(case, adapter, RUNS)
            except Exception as error:
                raise AssertionError(f"{source}\n\n{_name(adapter)}: {error!r}") from error
            if found is not None:
                refused.append(f"{_name(adapter)}: {found.construct}")

    (one if seed is None else hypothesis.seed(seed)(one))()
    return refused


def _name(adapter: Adapter) -> str:
    return getattr(adapter, "__name__", repr(adapter))
