"""docs/distributions.md lists what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.distributions import GENERATOR, LEGACY, PYTHON, distributions, program_draws
from dplint.distributions.registry import document

pytestmark = pytest.mark.process

PAGE = Path(__file__).parents[2] / "docs" / "distributions.md"


def test_the_page_is_as_the_module_prints_it() -> None:
    """Write it again with `python -m dplint.distributions > docs/distributions.md`."""
    done = subprocess.run([sys.executable, "-m", "dplint.distributions"], capture_output=True, check=True)

    assert done.stdout.decode("utf-8") == document() == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("column", "family"), [(3, GENERATOR), (4, LEGACY), (5, PYTHON)])
def test_every_method_of_a_program_is_in_its_column(column, family) -> None:
    draws = document().partition("## Names that rules know")[0]
    cells = [line.split("|")[column] for line in draws.splitlines() if line.startswith("| ")][1:]

    assert set(re.findall(r"`(\w+)`", " ".join(cells))) == set(program_draws(family))


def test_every_distribution_is_listed() -> None:
    assert {name for name in distributions() if f"\n| {name} |" in document()} == set(distributions())
