"""What would take Python minutes, or all of the memory, is refused in its place; what is only large is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from program_tools import lowered

from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings import concrete
from dplint.readings.symbolic.interpretation import trace

DATA = {"queries": [1.0, 2.0], "n": 12}
READINGS: dict[str, Callable[[Program], object]] = {
    "concrete": lambda program: concrete.run(program, DATA, lambda *_: 0.0),
    "symbolic": lambda program: trace(program, DATA),
}


def program(text: str, folder: Path) -> Program:
    found = lowered(f"def made(queries, n):\n    m = n\n    {text}\n    return 1\n", folder)
    assert isinstance(found, Program)
    return found


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(
    "text",
    [
        "9 ** 9 ** n",
        "m **= 10 ** 9",
        "1 << 10 ** n",
        "[0] * 10 ** n",
        "10 ** n * 'text'",
        "k = [0, 1]; k *= 10 ** n",
    ],
)
def test_what_is_too_large_is_refused_at_its_line(text: str, reading: str, tmp_path: Path) -> None:
    made = program(text, tmp_path)
    with pytest.raises(UnsupportedConstruct, match=r"millions of digits or items at line [1-9]"):
        READINGS[reading](made)


@pytest.mark.parametrize("text", ["2 ** 1000 * 3 ** 500", "1 << 4000", "[0] * 10 ** 4", "0 * 'a'", "(-1) ** 10 ** 9"])
def test_what_is_only_large_is_read(text: str, tmp_path: Path) -> None:
    assert concrete.run(program(f"m = {text}", tmp_path), DATA, lambda *_: 0.0).output == 1
