"""Places are those of LibCST's own provider, for every node and in whatever order somebody asks."""

from __future__ import annotations

import random
import sysconfig
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from dplint.source.identifiers import Positions, first_lines
from dplint.source.walking import Walker, nodes_below

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(sysconfig.get_path("stdlib"))
NAMES = ["contextlib", "functools", "reprlib", "shlex", "statistics", "types"]
FILES = [*(LIBRARY / f"{name}.py" for name in NAMES), ROOT / "fixtures" / "statdp" / "sparse_vector.py"]
TEXTS = {
    "decorators": "@f(\n    1,\n)\n# above\n\n@g\n# between\ndef f():\n    return (\n  1)\n\n\nx = f()\n",
    "match": "match x:\n    # one\n    case [A(b=1), {'k': v, **rest}, *_] if v:\n        y = 1\n",
    "several on one line": "a = 1; b = (\n 2); c = 3\nclass A: x = 1; y = 2\nd = 4",
    "ends of lines": "# head\r\n\r\nx = 1\r\ny = '''a\r\nb'''\r\ndef f(\r\n    a,\r\n): return a\r\n",
    "lone carriage returns": "x = 1\ry = [1,\r2]\rdef f():\r    return x\r",
    "a header, a footer": "#!/usr/bin/python\n# two\n\nx = 1\n\n\nif x:\n    pass\n    # in\n# behind\n",
    "joined lines": "x = 1 + \\\n    2\nassert x, \\\n  'no'\ny = x\n",
    "nothing": "",
    "no line end": "def f():\n    pass",
    "tabs": "if 1:\n\tx = 1\n\ty = 2\nz = 3\n",
}


def texts() -> list:
    found = [pytest.param(text, id=name) for name, text in TEXTS.items()]
    return found + [pytest.param(file.read_text(encoding="utf-8"), id=file.stem) for file in FILES if file.is_file()]


@pytest.mark.parametrize("text", texts())
def test_places_are_those_of_libcst(text: str) -> None:
    tree = cst.parse_module(text)
    expected = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
    positions = Positions(tree, text)
    nodes = [node for statement in tree.body for node in nodes_below(statement)]
    random.Random(1).shuffle(nodes)

    for node in nodes:
        place = expected[node]
        assert positions[node] == (place.start.line, place.start.column, place.end.line, place.end.column)


@pytest.mark.parametrize("text", texts())
def test_statements_begin_where_ast_says(text: str) -> None:
    tree = cst.parse_module(text)
    expected = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)

    assert first_lines(tree, text) == tuple(expected[statement].start.line for statement in tree.body)


def test_where_ast_reads_another_text_everything_is_written_out() -> None:
    tree = cst.parse_module("x = 1\ny = 2\n")
    positions = Positions(tree, "x = 1\n")

    assert positions[tree.body[1]] == (2, 0, 2, 5)


def test_a_node_of_another_tree_has_no_place() -> None:
    tree = cst.parse_module("x = 1\n")

    with pytest.raises(KeyError):
        Positions(tree, "x = 1\n")[cst.Name("x")]


@pytest.mark.parametrize("text", texts())
def test_a_comment_is_around_its_line(text: str) -> None:
    class Comments(cst.CSTVisitor):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[cst.Comment] = []

        def visit_Comment(self, node: cst.Comment) -> None:
            self.found.append(node)

    tree = cst.parse_module(text)
    places = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
    positions, everywhere = Positions(tree, text), Comments()
    tree.visit(everywhere)

    for comment in everywhere.found:
        near = Comments()
        for node in positions.around(places[comment].start.line):
            node.visit(near)
        assert comment in near.found


@pytest.mark.parametrize("text", texts())
def test_the_walker_sees_what_libcst_visitors_see_in_their_order(text: str) -> None:
    kinds = ("FunctionDef", "ClassDef", "Call", "Lambda", "Name", "AssignTarget", "For", "AsName", "Import", "MatchAs")
    seen: dict[str, list[cst.CSTNode]] = {"walker": [], "libcst": []}

    def members(name: str) -> dict[str, object]:
        return {f"visit_{kind}": lambda _, node: seen[name].append(node) for kind in kinds}

    tree = cst.parse_module(text)
    type("Ours", (Walker,), members("walker"))().walk(tree)
    tree.visit(type("Theirs", (cst.CSTVisitor,), {**members("libcst"), "__init__": lambda self: None})())

    def order(nodes: list[cst.CSTNode], kind: type) -> list[cst.CSTNode]:
        return [node for node in nodes if isinstance(node, kind)]

    assert set(seen["walker"]) == set(seen["libcst"])
    for kind in (cst.FunctionDef, cst.ClassDef, cst.AssignTarget, cst.For, cst.AsName, cst.Import):
        assert order(seen["walker"], kind) == order(seen["libcst"], kind)


def test_what_is_nested_too_deeply_is_refused() -> None:
    node: cst.BaseExpression = cst.Name("x")
    for _ in range(2000):
        node = cst.Attribute(node, cst.Name("y"))

    with pytest.raises(RecursionError):
        Walker().walk(node)
