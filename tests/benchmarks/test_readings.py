"""What is read out of source can be compared with what was read before."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.readings import compared, readings
from dplint.source.read import read_source

TEXT = """
import numpy as np
from dplint import dp


@dp(epsilon="epsilon", neighbors="linf")
def release(rows, epsilon, rng):
    return sum(rows) + rng.laplace(0, {scale})
"""


def lines(scale: str) -> list[str]:
    source = read_source(Path("m.py"), file="m.py", text=TEXT.format(scale=scale))
    return [json.dumps(one) for one in readings(source)]


def test_what_differs_is_told_of_findings_programs_and_graphs() -> None:
    wrong, right = lines("epsilon"), lines("1 / epsilon")

    told = [line.split()[:2] for line in compared(wrong, right)]

    assert ["-", "finding"] in told
    assert ["-", "program"] in told
    assert ["+", "graph"] in told
    assert not list(compared(right, lines("1 / epsilon")))
