"""Mechanisms from source text, as the audit gets them, and one runner for tests that do not break it."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
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
def shared_runner() -> Iterator[Runner]:
    with Runner(sys.executable, deadline=30, memory_mib=1024) as runner:
        yield runner


class Handing:
    """In place of a generator: hands out given draws, whatever it is asked for. `left`: those not yet asked for."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.left = list(values)

    def __getattr__(self, method: str) -> Any:
        def draw(*_: Any, **__: Any) -> Any:
            value = self.left.pop(0)
            return np.array(value) if isinstance(value, list) else value

        return draw
