"""A long literal is one node of a tree: everything else is where it was, and it means what it did or is not read."""

import ast
from pathlib import Path

import libcst as cst
import pytest

from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint.source import identifiers, module
from dplint.source.files import ImportPlace
from dplint.source.identifiers import LongLiteral
from dplint.source.module import parse_module
from dplint.source.walking import nodes_below

ROW = "1, -2.5, 'three', None, True, 6"
HELD = {
    "list": f"x = [{ROW}]\n",
    "tuple without parentheses": f"x = {ROW}\n",
    "tuple": f"x = ({ROW})\n",
    "set": "x = {1, 2, 3, 4, 5, 6}\n",
    "dict of rows": "x = {'a': [1, 2], 'b': (3, 4)}\n",
    "several lines": "x = [\n    1, 2,  # two\n    3,\n\n    4, 5, 6,\n]\n",
    "behind other characters": f"é = 'ü'; x = [{ROW}]; y = 'ß'\n",
    "ends of lines": "x = [1,\r\n 2, 3,\r 4, 5, 6]\r\n",
    "text": "x = '" + "long \\' text " * 5 + "'\n",
    "text of several lines": 'x = """' + "long\n" * 12 + '"""\n',
    "joined texts": "x = ('" + "a" * 30 + "'\n     '" + "b" * 30 + "')\n",
}
PLACE = ImportPlace(Path(), Path(), "module", is_package=False)
AFTER = "def f(a):\n    return[1, 2][0] + a\n"


@pytest.fixture
def short(monkeypatch):
    """What is long is short enough for a test."""
    monkeypatch.setattr(identifiers, "_MOST_VALUES", 5)
    monkeypatch.setattr(identifiers, "_MOST_CHARACTERS", 40)


def parsed(text):
    return parse_module(text, PLACE)


def long_ones(tree):
    return [node for node in nodes_below(tree) if isinstance(node, LongLiteral)]


def places(read):
    return [
        (type(node).__name__, read.span(node))
        for node in nodes_below(read.tree)
        if isinstance(node, cst.FunctionDef | cst.Return | cst.Name | cst.Assign | cst.Integer)
    ]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HELD.items()])
def test_all_else_is_where_it_was_and_a_constant_has_its_value(short, monkeypatch, text):
    text = text + AFTER
    folded = parsed(text)
    monkeypatch.setattr(module, "may_be_long", lambda _: False)
    whole = parsed(text)

    assert len(long_ones(folded.tree)) == 1
    assert not long_ones(whole.tree)
    assert folded.tree.code == text
    kept = places(folded)
    assert kept == [one for one in places(whole) if one in kept]
    assert [kind for kind, _ in kept].count("Return") == 1
    assert folded.constants == whole.constants
    (literal,) = long_ones(folded.tree)
    (assigned,) = [one for one in ast.parse(text).body if isinstance(one, ast.Assign) and one.targets[0].id == "x"]
    assert ast.literal_eval(f"({literal.text})") == ast.literal_eval(assigned.value)


@pytest.mark.parametrize(
    "text",
    [
        "x = [1, 2, 3, 4, 5, y]\n",
        "x = [1, 2, 3, 4, 5, f()]\n",
        "x = f'{[1, 2, 3, 4, 5, 6]}'\n",
        "[a, b, c, d, e, g] = x\n",
        "x = [1, 2, 3, 4]\n",
        "x = [1, 2, 3, 4, 5, 6]  # dplint_long_literal_0\n",
        "def f():\n    '" + "a text that nobody reads " * 5 + "'\n",
    ],
)
def test_what_is_not_plain_or_not_long_stays_as_it_is(short, text):
    read = parsed(text)
    assert not long_ones(read.tree)
    assert read.tree.code == text


TABLES = """from dplint import dp

TABLE = [1, 2, 3, 4, 5, 6]


@dp(epsilon=1.0, neighbors="linf")
def of_the_module(queries: list[float], rng):
    return queries[0] + TABLE[2] + rng.laplace(scale=1.0)


@dp(epsilon=1.0, neighbors="linf")
def of_its_own(queries: list[float], rng):
    table = [1, 2, 3, 4, 5, 6]
    return queries[0] + table[2] + rng.laplace(scale=1.0)
"""


def test_one_inside_of_a_function_is_not_read_and_one_of_the_module_is(short, tmp_path):
    (tmp_path / "tables.py").write_text(TABLES)
    of_the_module, of_its_own = load_file(tmp_path / "tables.py", Settings())
    assert isinstance(of_the_module.program, Program)
    assert isinstance(of_its_own.program, Unsupported)
    assert "a literal of 18 characters" in str(of_its_own.program)


@pytest.mark.parametrize("body", ["[" + "1.5, " * 200_000 + "]", "'" + "a" * 2_000_000 + "'"])
def test_a_tree_does_not_grow_with_its_literals(body):
    read = parsed(f"x = {body}\n")
    assert sum(1 for _ in nodes_below(read.tree)) < 20
    assert len(read.constants["x"]) in (200_000, 2_000_000)
