"""Lists that two names hold: either the program gives what Python gives, or it refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from program_tools import lowered

from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.concrete import run
from dplint_conformance import Case, check
from tests.conformance.adapters import concrete

REFUSED = {
    "two names": "a = [1]\n    b = a\n    b.append(2)\n    return a",
    "augmented": "a = [1]\n    b = a\n    b += [2]\n    return a",
    "either of two": "a = [1]\n    c = [2]\n    b = a if epsilon > 0 else c\n    b.append(3)\n    return a",
    "in a container": "a = [1]\n    b = [a]\n    a.append(2)\n    return b",
    "row appended": "rows = []\n    row = []\n    rows.append(row)\n    row.append(1)\n    return rows",
    "row taken": "rows = [[1], [2]]\n    row = rows[0]\n    row.append(1)\n    return rows",
    "row in a loop": "rows = [[1], [2]]\n    for row in rows:\n        row.append(1)\n    return rows",
    "repeated row": "rows = [[0]] * 2\n    row = rows[0]\n    row[0] = 1\n    return rows",
    "the argument": "queries.append(1)\n    return queries",
    "an item of the argument": "queries[0] = 1\n    return queries",
    "the argument under another name": "q = queries\n    q += [1]\n    return queries",
    "array view": "a = np.zeros(4)\n    b = a[1:]\n    b[0] = 5\n    return a",
    "array itself": "a = np.zeros(4)\n    b = np.asarray(a)\n    b += 1\n    return a",
    "a tuple of two": "a = b = [1]\n    a.append(2)\n    return b",
}
FOLLOWED = {
    "copy": "a = [1]\n    b = list(a)\n    b.append(2)\n    return a, b",
    "slice of a list used up": "a = [1, 2]\n    b = sum(a[:1])\n    a.append(b)\n    return a",
    "numbers": "total = 0\n    last = total\n    total += 1\n    return last, total",
    "items": "a = [1, 2, 3]\n    first = a[0]\n    a[0] = a[1]\n    a[1] = first\n    return a",
    "previous sum": "out = [0]\n    for q in queries:\n        out.append(out[-1] + q)\n    return out",
    "appended items": "out = []\n    for q in queries:\n        best = q\n        out.append(best)\n    return out",
    "by index": "out = [0, 0, 0]\n    for i, q in enumerate(queries):\n        out[i] += q\n    return out",
    "in place while looping": "a = [1, 2]\n    for i, x in enumerate(a):\n        a[i] = x + 1\n    return a",
    "rebound": "a = [1]\n    for q in queries:\n        a = a + [q]\n    return a",
}


def source(body: str) -> str:
    return f"def made(rng, queries, epsilon):\n    {body}"


@pytest.mark.parametrize("kind", REFUSED)
def test_a_change_that_another_name_would_see_is_refused(kind: str, tmp_path: Path) -> None:
    program = lowered(source(REFUSED[kind]), tmp_path)

    assert isinstance(program, Program), program
    with pytest.raises(UnsupportedConstruct, match="a change in place of"):
        run(program, {"queries": [1, 2, 3], "epsilon": 1}, lambda *draw: pytest.fail("nothing is drawn"))


@pytest.mark.parametrize("kind", FOLLOWED)
def test_a_change_that_nobody_else_sees_is_followed(kind: str) -> None:
    case = Case("made", source(FOLLOWED[kind]), {"queries": [1, 2, 3], "epsilon": 1})

    assert check(case, concrete, [0]) is None


@pytest.mark.process
def test_the_program_knows_neither_numpy_nor_z3_nor_libcst() -> None:
    code = (
        "import sys, dplint.program, dplint.program.walk; print({'numpy', 'z3', 'libcst', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
