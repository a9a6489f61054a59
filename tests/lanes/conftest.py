"""Mechanisms from source text, as the audit gets them, and one runner for tests that do not break it."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.runner.client import Runner

HEADER = "import math\nimport random\n\nimport numpy as np\nfrom dplint import dp\n\n\n"

Targets = Callable[[str], dict[str, Target]]


@pytest.fixture
def targets(tmp_path: Path) -> Targets:
    """Writes a module and reads its mechanisms, by name; a claim is put above every function `m...`."""
    count = 0

    def read(source: str, claim: str = 'epsilon=1.0, neighbors="linf"') -> dict[str, Target]:
        nonlocal count
        count += 1
        # A name of its own: the runner keeps the modules of all tests.
        path = tmp_path / f"{tmp_path.name}_{count}.py"
        text = "\n" + textwrap.dedent(source).strip("\n") + "\n"
        path.write_text(HEADER + text.replace("\ndef m", f"\n@dp({claim})\ndef m"))
        found = list(load_file(path, Settings()))
        assert all(isinstance(item, Target) for item in found), found
        return {item.mechanism.qualname: item for item in found if isinstance(item, Target)}

    return read


@pytest.fixture(scope="session")
def lanes_runner() -> Iterator[Runner]:
    with Runner(sys.executable, deadline=30, memory_mib=1024) as runner:
        yield runner
