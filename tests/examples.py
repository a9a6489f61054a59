"""How many examples a test tries: 15 for each hundred that it says at work and in a CI, ten times as many at night.

`local` and `ci` try the same examples each time; `nightly` tries others each night, and prints how to repeat one that
fails. Which of them it is says pytest's option `--hypothesis-profile`; without it, it is `ci`.
"""

from collections.abc import Iterable

import pytest
from hypothesis import settings

settings.register_profile("ci", max_examples=15, deadline=None, derandomize=True)
settings.register_profile("local", settings.get_profile("ci"))
settings.register_profile("nightly", max_examples=1000, deadline=None, derandomize=False, print_blob=True)
settings.load_profile("ci")


def examples(number: int, **other: object) -> settings:
    """The settings of a test that tries this percentage of the examples that the profile has for others."""
    return settings(max_examples=in_proportion(number), **other)  # type: ignore[arg-type]


def in_proportion(number: int) -> int:
    """A number of a hundred examples, of as many as the profile that is loaded has instead; at least 1."""
    return max(1, number * settings().max_examples // 100)


def one_in(number: int, values: Iterable[object]) -> list[object]:
    """Values to parametrize a test with, of which all are tried at night and every so manieth at other times."""
    return [
        value if index % number == 0 else pytest.param(value, marks=pytest.mark.nightly)
        for index, value in enumerate(values)
    ]
