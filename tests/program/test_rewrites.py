"""What `dplint inspect program` says to write instead is read: each construct that is refused has a row."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from rewrite_rows import Row, rows

import dplint.source.lowering as lowering
from dplint.check.loading import Target, load_file
from dplint.check.programs import obstacles
from dplint.config import Settings
from dplint.program.refusals import Unsupported
from dplint.source.lowering.hints import DRAW_HINTS, FUNCTION_HINTS, KEYWORD_HINTS, METHOD_HINTS

ROWS = rows()
SOURCES = sorted(Path(lowering.__file__).parent.glob("*.py"))


def refusals_of(source: str, folder: Path) -> tuple[Unsupported, ...]:
    path = folder / "module.py"
    path.write_text(source, encoding="utf-8")
    (target,) = (one for one in load_file(path, Settings()) if isinstance(one, Target))
    return obstacles(target)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.construct)
def test_what_is_refused_is_read_as_the_advice_says(row: Row, tmp_path: Path) -> None:
    refused = {one.construct: one.hint for one in refusals_of(row.before, tmp_path)}

    assert row.construct in refused, refused
    assert refused[row.construct]
    assert refused[row.construct].startswith("no rewrite") == (row.after is None)
    if row.after is not None:
        assert not refusals_of(row.after, tmp_path)


UNREACHED = {
    "a name of an object that is given something else": "names that are bound twice are told before",
    "an asynchronous comprehension": "only an async function has one",
    "a draw of a library that a module of the project changes": "what changes it stands elsewhere",
    "a generator of the class {}": "the class stands elsewhere",
    "data of the class {}": "the class stands elsewhere",
    "async for": "only an async function has one",
    "await": "only an async function has one",
    "a return inside of this statement": "loops and branches are all that holds one",
    "so many calls of methods": "four hundred of them",
    "something shown in a function that is called": "only where a claim observes what is printed",
    "what is shown by {}": "only where a claim observes what is printed",
    "this import": "a star in a function is no Python",
    "*args or **kwargs": "functions that gather are read into their callers",
    "an object as a field that is assigned again": "of a dataclass with an object that its methods assign",
    "the expression {}": "any class of expressions that Python may get",
    "the statement {}": "any class of statements that Python may get",
    "nonlocal": "told of the function that has it",
    "data that an object holds": "told by DP008 before",
    "a mechanism of a library used as a value": "of diffprivlib, in tests/proofs",
    "a call of {} of a base class": "only of a base that is no class of the project",
}
"""What no row has, and why."""


def named() -> Iterator[tuple[str, str]]:
    """The constructs that the lowering names, by pattern, with where it does."""
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = ast.unparse(node.func).rpartition(".")[2]
            if called in ("refuse", "_refuse", "Unsupported", "unsupported"):
                for text in texts(node.args[0]):
                    assert len(node.args) == 3, f"no advice at {file.name}:{node.lineno}"
                    yield text, f"{file.name}:{node.lineno}"


def texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)


def test_every_construct_that_the_lowering_names_has_a_row() -> None:
    known = [row.construct for row in ROWS]
    found = [*named()]
    assert len(found) > 100
    missing = {
        (text, place)
        for text, place in found
        if text not in UNREACHED and not any(re.fullmatch(re.escape(text).replace(r"\{\}", ".+"), one) for one in known)
    }
    assert not missing
    assert {text for text, _ in found} | {"nonlocal", "await", "the expression {}", "the statement {}"} > {
        text for text in UNREACHED if not text.startswith("a mechanism of a library")
    }


@pytest.mark.parametrize(
    ("table", "of"),
    [
        (FUNCTION_HINTS, "a call of {}"),
        (METHOD_HINTS, "the method {}"),
        (DRAW_HINTS, "the draw {}"),
        (KEYWORD_HINTS, "the argument {}"),
    ],
)
def test_every_entry_of_the_tables_of_advice_has_a_row(table: Mapping[str, str], of: str) -> None:
    known = {row.construct.removesuffix(" used as a value") for row in ROWS}
    others = {"map", "filter", "super"}  # kept as a value, and of an object

    assert {of.format(name) for name in table.keys() - others} <= known
