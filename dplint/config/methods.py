"""Which settings belong together: a setting that has no effect is a mistake, and is refused."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

METHOD_OF: Mapping[str, str] = {
    "budget": "anytime",
    "runs": "anytime",
    "keep_going": "anytime",
    "select_runs": "statdp",
    "test_runs": "statdp",
}
"""The settings that only one method looks at."""
EXCLUSIVE = ("budget", "runs")
"""Two ways to say when a pass ends."""


class Misfit(NamedTuple):
    """A setting that does not fit the others, and why; `name` is that of the field."""

    name: str
    message: str


def misfit(names: Collection[str], methods: Collection[str]) -> Misfit | None:
    """The first of the settings that none of the methods looks at, or that another one excludes; None if all fit."""
    for name in names:
        wanted = METHOD_OF.get(name)
        if wanted is not None and wanted not in methods:
            other = " and ".join(repr(method) for method in methods)
            message = (
                f"{_key(name)} is a setting of the method {wanted!r}, and has no effect with {other}. "
                f"Choose the method {wanted!r} as well, or leave it out."
            )
            return Misfit(name, message)
    if all(name in names for name in EXCLUSIVE):
        budget, runs = EXCLUSIVE
        message = f"{budget} and {runs} exclude each other: a pass ends after so many seconds or so many runs."
        return Misfit(runs, f"{message} Give one of them.")
    return None


def _key(name: str) -> str:
    return name.replace("_", "-")
