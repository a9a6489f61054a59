"""Kinds of real bugs that no rule had seen: found as they are or with the suggested claim; not in twins."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from dplint.check.suggesting import claim_edits, suggest_text
from dplint.config import Settings
from dplint.rules import check_module
from dplint.source.edits import apply_edits
from dplint.source.read import read_source
from tests.rules.missed_bugs import KINDS, Kind

IMPORTS = "import math\nimport random\n\nimport numpy as np\nimport pandas as pd\n\n"


def variants(side: str) -> list:
    return [
        pytest.param(kind, text, id=f"{kind.name}-{number}")
        for kind in KINDS
        for number, text in enumerate(getattr(kind, side))
    ]


def codes_in(text: str, *, all_functions: bool) -> set[str]:
    source = read_source(Path("m.py"), file="m.py", text=text, without_claims=True)
    assert not source.errors
    assert source.module is not None
    found = check_module(source.module, source.mechanisms, "m.py", all_functions=all_functions)
    return {one.code for one in (*found, *source.findings)}


def found_in(text: str) -> set[str]:
    """What the rules find in functions as they are, and once the suggested claims are written above them."""
    text = IMPORTS + dedent(text)
    suggestions = suggest_text(Path("m.py").absolute(), text, Settings())
    assert isinstance(suggestions, tuple)
    claimed = apply_edits(text, claim_edits(text, [one for one in suggestions if one.function is not None]))
    return codes_in(text, all_functions=True) | codes_in(claimed, all_functions=False)


def test_there_are_fifteen_kinds_each_with_a_twin() -> None:
    assert len(KINDS) == 15
    assert all(kind.wrong and kind.right for kind in KINDS)


@pytest.mark.parametrize(("kind", "text"), variants("wrong"))
def test_each_bug_is_found(kind: Kind, text: str) -> None:
    assert kind.codes & found_in(text)


@pytest.mark.parametrize(("kind", "text"), variants("right"))
def test_nothing_is_said_of_the_twins(kind: Kind, text: str) -> None:
    assert found_in(text) == set()
