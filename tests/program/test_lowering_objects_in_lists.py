"""Objects in lists that change: what the reading looks at is needed, as the conformance suite says without it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dplint.source.lowering import changing_uses
from dplint.source.lowering.changing_objects import ChangingObjects
from dplint_conformance import check
from dplint_conformance.cases import cases_in
from tests.conformance.adapters import concrete

READINGS = itertools.count()


def differs(topic: str, name: str) -> bool:
    """Whether a run that is followed gives something else than Python, read anew."""
    (case,) = (one for one in cases_in(topic) if one.name == name)
    try:
        check(replace(case, source=f"{case.source}\n# {next(READINGS)}\n"), concrete, range(24))
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize(
    ("owner", "attribute", "instead", "topic", "name"),
    [
        (changing_uses, "_LEAVING", (), "refused_objects_in_lists.py", "object_half_changed"),
        (
            changing_uses._Uses,
            "_calls",
            lambda *_: False,
            "refused_objects_in_lists.py",
            "argument_that_changes_the_object",
        ),
        (
            ChangingObjects,
            "_put_back",
            lambda _self, _whole, given, _node: given,
            "objects_in_lists.py",
            "methods_that_change_objects_of_a_list",
        ),
    ],
)
def test_a_reading_that_looks_less_closely_differs_from_python(
    owner: Any, attribute: str, instead: Callable[..., object], topic: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not differs(topic, name)

    monkeypatch.setattr(owner, attribute, instead)

    assert differs(topic, name)
