"""The files that run in the user's interpreter keep to Python 3.9, the standard library, NumPy, and each other."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import dplint.runner

FOLDER = Path(dplint.runner.__file__).parent
OURS = {"client.py", "process.py", "batch.py", "decode.py", "drawn.py"}
THEIRS = sorted(path.name for path in FOLDER.glob("*.py") if path.name not in OURS)
TYPES = {"tuple", "list", "dict", "set", "frozenset", "type"}


@pytest.mark.parametrize("name", THEIRS)
def test_it_parses_as_python_3_9(name):
    ast.parse((FOLDER / name).read_text(), feature_version=(3, 9))


@pytest.mark.parametrize("name", THEIRS)
def test_annotations_are_not_evaluated_and_no_union_is_evaluated(name):
    tree = ast.parse((FOLDER / name).read_text())
    if name != "__init__.py":
        assert any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
    annotations = {
        id(inner)
        for node in ast.walk(tree)
        for field in ("annotation", "returns")
        if getattr(node, field, None) is not None
        for inner in ast.walk(getattr(node, field))
    }
    for node in ast.walk(tree):
        if id(node) in annotations:
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            assert not names & (TYPES | {"int", "str", "float", "bool"}), f"line {node.lineno}: a union at run time"
        if isinstance(node, ast.keyword):
            assert node.arg not in ("slots", "kw_only", "strict"), f"line {node.value.lineno}: not in Python 3.9"


@pytest.mark.parametrize("name", THEIRS)
def test_it_imports_nothing_of_dplint_but_its_siblings(name):
    for node in ast.walk(ast.parse((FOLDER / name).read_text())):
        if isinstance(node, ast.Import):
            roots = {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            roots = {(node.module or "").partition(".")[0]}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1
            siblings = {node.module} if node.module else {alias.name for alias in node.names}
            assert all(f"{sibling}.py" in THEIRS for sibling in siblings)
            continue
        else:
            continue
        # pandas makes the DataFrames that a mechanism asks for, and is imported only then.
        assert roots <= set(sys.stdlib_module_names) | {"numpy", "pandas"}
