"""What the formulas of the symbolic interpretation say of a program is what Python does with those arguments."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import libcst as cst
import pytest

from dplint.program.nodes import For, Program
from dplint.program.walk import walk
from dplint.readings.concrete import run
from dplint.readings.symbolic import Status, Variable, VariableKind, from_python, holds, solve, trace
from dplint.source.lowering import lower
from dplint.source.read import read_source

T, K, B = Variable("t", VariableKind.REAL), Variable("k", VariableKind.INT), Variable("b", VariableKind.BOOL)
MODE = Variable("mode", VariableKind.TEXT, values=("raw", "mean", ""))
VARIABLES = (T, K, B, MODE)
GRID = [
    {"t": t, "k": k, "b": b, "mode": mode}
    for t in (-2.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 7)
    for k in (-7, -2, 0, 1, 3, 4)
    for b in (False, True)
    for mode in ("raw", "")
][::3]
BODIES = {
    "threshold": "return [q >= t for q in data if q > k] if t else data",
    "floor division": "if t // 2 == k // 3 or k % 4 == 1 or k // -2 > t % 3:\n        return 1",
    "true division": "if k and t / k > 0.5 and k / 4 > -1:\n        return 1",
    "rounding": "if round(t) == k or int(t) > k or round(t, 1) > 1.2 or abs(t) > abs(k):\n        return 1",
    "extremes": "if max(t, k) > 1 or min(data[0], t) < 0 or max([t, 1, k]) == 3:\n        return 1",
    "position": "if np.argmax([t, k, 1]) == 2 or np.sum(np.asarray(data) + t) > 5:\n        return 1",
    "flags": "if (b and t > 0) or (not b and k != 3) or b + k > 3:\n        return 1",
    "text": "if mode == 'raw' and t > 0 or mode in ('mean', '') and k > 0 or mode != '':\n        return 1",
    "chain": "if 0 < t <= k < 4:\n        return 1\n    return 0 if t == k else 1",
    "powers": "if t ** 2 > 3 or (2 * t + 1) * (k - 1) > 5:\n        return 1",
    "early exits": """
    count = 0
    for q in data:
        if q + rng.laplace() >= t:
            count += 1
            if count >= k:
                break
        elif b:
            continue
        count = count * 1
    if count == 2:
        return data
    """,
    "unknown length": "s = 0 if b else 1\n    for i in range(k):\n        s += i\n        if s > t:\n            break",
    "while": "x = t\n    while x < k:\n        x += 1\n        if x == 2:\n            return x",
    "guarded appends": """
    out = []
    for q in data:
        if q > t:
            out.append(q * k)
    if len(out) > 1 and sum(out) > 2:
        return out
    """,
    "chosen index": "if k >= 0 and data[k] > t:\n        return 1",
    "parts": "if sum(data[:2]) > t or sum(data[1:]) > k:\n        return 1",
    "errors": "if t > 1:\n        raise ValueError('t')\n    if 3 / k > t:\n        return 1",
    "helper": "if shifted(t, k) > 2 or shifted(k) > 1:\n        return 1",
    "lists that merge": "xs = [t] if b else [k, 1]\n    if sum(xs) > 2 or len(xs) == 1:\n        return 1",
    "dicts": "d = {'a': t, 'b': 2}\n    d['a'] += k\n    if d['a'] > d['b']:\n        return 1",
}


def program_of(body: str, folder: Path) -> Program:
    text = (
        "import numpy as np\nfrom dplint import dp\n\n\ndef shifted(x, by=1):\n    if x > by:\n        return x + by\n"
        "    return by\n\n\n@dp(epsilon=1, neighbors='linf')\n"
        f"def made(rng, data, t, k, b, mode):\n    {body.strip()}\n"
    )
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    read = read_source(path, file="module.py", table={})
    assert read.module is not None, read.errors
    (found,) = read.mechanisms
    assert isinstance(found.node, cst.FunctionDef)
    program = lower(found.node, read.module, found.mechanism)
    assert isinstance(program, Program), program
    return program


def symbols(data: list[float]) -> dict[str, Any]:
    return {variable.name: variable.value for variable in VARIABLES} | {"data": from_python(data)}


@pytest.mark.parametrize("name", BODIES)
def test_formulas_say_which_way_python_takes(name: str, tmp_path: Path) -> None:
    """With centred noise, each branch that a concrete run takes is the one whose path and condition hold."""
    program = program_of(BODIES[name], tmp_path)
    data = [1, 0, 2]
    found = trace(program, symbols(data))
    # Whether a loop has another item is no question in a single run.
    loops = {node.iterable.span for node in walk(program) if isinstance(node, For)}

    for values in GRID:
        branches = run(program, {**values, "data": data}, lambda *_: 0.0).branches
        expected = [
            (condition.span, holds(condition.condition, VARIABLES, values))
            for condition in found.conditions
            if not condition.inner and condition.span not in loops and holds(condition.path, VARIABLES, values)
        ]

        assert expected, values
        assert expected == [(branch.span, branch.taken) for branch in branches], values


def test_comparisons_that_are_no_branches_count_too(tmp_path: Path) -> None:
    found = trace(program_of("return [q >= t for q in data]", tmp_path), symbols([1, 0, 2]))

    assert [condition.inner for condition in found.conditions] == [True] * 3
    assert holds(found.conditions[1].condition, (T,), {"t": 0}) is True
    assert holds(found.conditions[1].condition, (T,), {"t": 0.5}) is False


def test_free_noise_reaches_what_centred_noise_does_not(tmp_path: Path) -> None:
    program = program_of("x = rng.laplace(scale=1)\n    if x > 2:\n        return 1", tmp_path)
    (centred,) = [c for c in trace(program, symbols([0])).conditions if not c.inner]
    free = trace(program, symbols([0]), free_noise=True)
    (loose,) = [c for c in free.conditions if not c.inner]

    assert centred.condition is False
    assert solve((), (loose.condition, *free.constraints), ()).status is Status.SAT


def test_the_solver_prefers_simple_numbers() -> None:
    t, k = T.term, K.term

    assert solve((T,), (), ()).values == {"t": 0}
    assert solve((T,), (t > 0,), ()).values == {"t": 1}
    assert solve((T,), (t > 1, t < 2), ()).values == {"t": 1.5}
    assert solve((T, K), (t > k, k > 4), ()).values == {"t": 10, "k": 5}


def test_numbers_that_are_not_simple_are_as_small_as_they_can_be() -> None:
    t, k = T.term, K.term

    assert solve((T, K), (t > 30, k < -40, k < -t), ()).values == {"t": 31, "k": -41}
    assert solve((T,), (t > 100, t < 101), ()).values == {"t": 100.5}


def test_earlier_wishes_come_first() -> None:
    t = T.term
    wishes = [[t > 3, t > 4], [t < 0, t < -1, t < -2]]

    assert solve((T,), (), wishes).values == {"t": 5}


def test_a_domain_binds_the_solver() -> None:
    assert solve((Variable("t", VariableKind.REAL, low=3, high=4),), (), ()).values == {"t": 3}
    assert solve((Variable("t", VariableKind.REAL, values=(0.3, 0.7)),), (T.term > 0.5,), ()).values == {"t": 0.7}
    assert solve((MODE,), (MODE.term != 0,), ()).values == {"mode": "mean"}


@pytest.mark.process
def test_only_the_symbolic_folder_needs_z3() -> None:
    code = "import sys, dplint.program, dplint.readings.concrete, dplint.source.lowering; print('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
