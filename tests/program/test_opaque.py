"""What is not understood is in its place in the program, and stands in the way of those runs alone that come to it."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from program_tools import module_text

from dplint.program.liveness import liveness_of
from dplint.program.nodes import Opaque, Program
from dplint.program.printing import opaque as opaque_code
from dplint.program.printing import text_of
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import obstacle, refusals, runnable, walk
from dplint.readings.concrete import run
from dplint.report.program_lines import program_lines, writer_of
from dplint.source.lowering import lower
from dplint.source.read import read_source


def program(source: str, folder: Path) -> Program:
    path = folder / "module.py"
    path.write_text(module_text(source), encoding="utf-8")
    read = read_source(path, file="module.py", table={})
    (found,) = read.mechanisms
    assert isinstance(found.node, cst.FunctionDef)
    assert read.module is not None
    return lower(found.node, read.module, found.mechanism)


def body(text: str) -> str:
    return f"def made(queries, epsilon, flag=0):\n    {text}"


def outcome(found: Program, **arguments: object) -> object:
    return run(found, {"queries": [1.0, 2.0], "epsilon": 1.0, "flag": 0, **arguments}, lambda *_: 0.0).output


@pytest.mark.parametrize(
    ("text", "constructs"),
    [
        ("return 1\n    return [{1}][0]", []),
        ("if flag:\n        return 1\n    else:\n        raise ValueError\n    return [{1}][0]", []),
        ("while flag:\n        break\n        {1}\n    return 1", []),
        ("while flag:\n        continue\n        {1}\n    return 1", []),
        ("if False:\n        return [{1}][0]\n    return 1", []),
        ("if not True and flag:\n        return [{1}][0]\n    return 1", []),
        ("if True or flag:\n        return 1\n    else:\n        return [{1}][0]", []),
        ("while False:\n        {1}\n    return 1", []),
        ("if True:\n        return 1\n    return [{1}][0]", []),
        ("if flag:\n        return [{1}][0]\n    return [{2}][0]", ["a set", "a set"]),
        ("if flag and True:\n        return [{1}][0]\n    return 1", ["a set"]),
        ("if flag:\n        return 1\n    return [{1}][0]", ["a set"]),
        ("for q in queries:\n        if q:\n            return 1\n    return [{1}][0]", ["a set"]),
    ],
)
def test_what_no_run_can_reach_is_not_in_the_way(text: str, constructs: list[str], tmp_path: Path) -> None:
    assert [one.construct for one in refusals(program(body(text), tmp_path))] == constructs


HELPERS = """
    def broken(x):
        return {x}


    def calls_it(x):
        return broken(x)


    def made(queries, epsilon, flag=0):
        CALL
        return 1
"""


@pytest.mark.parametrize(
    ("call", "count"), [("calls_it(1)", 1), ("if False:\n            calls_it(1)", 0), ("pass", 0)]
)
def test_a_helper_that_nobody_calls_is_not_in_the_way(call: str, count: int, tmp_path: Path) -> None:
    found = program(HELPERS.replace("CALL", call), tmp_path)

    assert len(refusals(found)) == count
    assert (obstacle(found) is None) == (count == 0)


@pytest.mark.parametrize(
    "text",
    [
        "if flag:\n        return [{1}][0]\n    return 1",
        "x = {1} if flag else 1\n    return x",
        "return flag and {1} or 1",
        "return [0 if flag < 1 else {q} for q in queries] and 1",
        "return [{q} for q in queries if flag] and 1 or 1",
        "if flag:\n        import os.path\n        raise os.error('no')\n    return 1",
        "if flag > 1:\n        return [{1}][0]\n    elif flag:\n        return [{2}][0]\n    else:\n        return 1",
        "def_ = 1\n    if flag:\n        with open('f') as def_:\n            pass\n    return def_",
    ],
)
def test_a_run_is_refused_where_it_comes_to_it_and_nowhere_else(text: str, tmp_path: Path) -> None:
    found = program(body(text), tmp_path)

    assert obstacle(found) is None
    assert runnable(found) is found
    assert outcome(found) == 1
    with pytest.raises(UnsupportedConstruct) as refused:
        outcome(found, flag=1)
    assert refused.value.unsupported in refusals(found)


@pytest.mark.parametrize(
    "text",
    [
        "return [{1}][0]",
        "x = [q.frob() for q in queries]\n    return x",
        "for q in queries:\n        x = [{q}]\n    return 1",
        "while flag < 3:\n        flag += {1}\n    return 1",
        "if flag:\n        return [{1}][0]\n    else:\n        return [{2}][0]",
        "if flag:\n        return 1\n    return [{1}][0]",
        "x = [{1} if flag else {2}][0]\n    return x",
        "with open('f') as file:\n        return 1",
        "queries.x = 1\n    return 1",
        "g = np.random.default_rng(3)\n    g = np.random.default_rng(4)\n    return g.laplace()",
        "for x in queries:\n        queries.append(x)\n    return 1",
    ],
)
def test_what_every_run_comes_to_is_an_obstacle_from_the_beginning(text: str, tmp_path: Path) -> None:
    found = program(body(text), tmp_path)

    assert obstacle(found) == refusals(found)[0]
    assert runnable(found) == refusals(found)[0]


def test_a_decorator_stops_every_run(tmp_path: Path) -> None:
    source = "import functools\n\n\n@functools.cache\ndef made(queries, epsilon):\n    return 1"
    path = tmp_path / "module.py"
    path.write_text(source.replace("@functools", "# dplint: dp(epsilon=1.0, neighbors='linf')\n@functools"))
    read = read_source(path, file="module.py", table={})
    (found,) = read.mechanisms
    assert isinstance(found.node, cst.FunctionDef)
    assert read.module is not None

    stopped = obstacle(lower(found.node, read.module, found.mechanism))

    assert stopped is not None
    assert stopped.construct == "the decorator functools.cache"


def test_it_is_shown_in_its_place_and_what_stands_in_it_keeps_its_structure(tmp_path: Path) -> None:
    found = program(
        """
        def made(queries, epsilon, flag=0):
            total = unheard(queries) + 1
            with open("f") as file:
                for q in queries:
                    total += str({q})
            queries.x = total
            return total
        """,
        tmp_path,
    )

    assert ["    " * line.depth + text_of(line.code) for line in program_lines(found)] == [
        "def made(queries, epsilon, flag):",
        "    total = <a call of unheard>(queries) + 1",
        "    <with>('f'):",
        "        for q in queries:",
        "            total += str(<a set>(q))",
        "    <an assignment to an attribute>(total)",
        "    return total",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("return frob(epsilon * 2, key=flag).x", "<the attribute x>(epsilon * 2, flag)"),
        ("return [{sum(queries), *queries}][0]", "<a set>(sum(queries), queries)"),
        ("x = frob(rng.laplace(0, 1))\n    return 1", "<a call of frob>(rng.laplace(loc=0, scale=1))"),
        ("raise frob(queries) from flag", "<this raise>(queries, flag)"),
        ("del frob(queries).x, flag", "<this del>((<the attribute x>(queries), flag))"),
        ("queries.x = epsilon", "<an assignment to an attribute>(epsilon)"),
        ("return (lambda y: y + flag)", "<a lambda>"),
        (
            "return (epsilon if frob(flag) else queries) is queries",
            "<a comparison of identity>(epsilon if <a call of frob>(flag) else queries, queries)",
        ),
    ],
)
def test_the_values_that_it_is_given_are_in_the_program(text: str, shown: str, tmp_path: Path) -> None:
    found = program(body(text).replace("made(queries", "made(rng, queries"), tmp_path)

    (first,) = [node for node in walk(found) if isinstance(node, Opaque)][:1]
    assert text_of(opaque_code(first, writer_of("rng"))) == shown
    assert len(refusals(found)) == 1, "nothing more is told of what stands inside"


def test_what_is_refused_inside_of_what_is_refused_is_read_in_time(tmp_path: Path) -> None:
    depth = 60
    text = "return " + "frob(not " * depth + "queries" + ".x" * depth + ")" * depth

    found = program(body(text), tmp_path)

    assert text_of(opaque_code(next(n for n in walk(found) if isinstance(n, Opaque)), writer_of(None)))


def test_what_may_be_read_after_it_is_alive(tmp_path: Path) -> None:
    text = "x = queries\n    if flag:\n        with open('f'):\n            return x\n    return 1"
    found = program(body(text), tmp_path)

    liveness = liveness_of(found)

    assert "x" in liveness.after(found.body[0])
    assert any(isinstance(node, Opaque) for node in walk(found))
