"""The files that run in the user's interpreter keep to Python 3.9, the standard library, NumPy, and each other.

They are those of the runner and of the distributions.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import dplint

FOLDER = Path(dplint.__file__).parent
OURS = {
    f"runner/{name}.py"
    for name in (
        "client",
        "process",
        "batch",
        "decode",
        "drawn",
        "errors",
        "children",
        "hosts",
        "deadline",
        "residual",
        "residual_data",
        "residual_tree",
        "shared_noise",
        "residual_outputs",
    )
}
FILES = {
    path.relative_to(FOLDER).as_posix()
    for name in ("runner", "distributions", "tracing")
    for path in (FOLDER / name).rglob("*.py")
} | {"syntax.py"}
BELOW = {"runner": ("distributions", "tracing", "syntax"), "tracing": ("syntax",)}
"""What a folder may import besides itself and the distributions."""
THEIRS = sorted(FILES - OURS)
TYPES = {"tuple", "list", "dict", "set", "frozenset", "type"}


@pytest.mark.parametrize("name", THEIRS)
def test_it_parses_as_python_3_9(name):
    ast.parse((FOLDER / name).read_text(), feature_version=(3, 9))


@pytest.mark.parametrize("name", THEIRS)
def test_annotations_are_not_evaluated_and_no_union_is_evaluated(name):
    tree = ast.parse((FOLDER / name).read_text())
    if not name.endswith("__init__.py"):
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
def test_it_imports_nothing_of_dplint_but_its_siblings_and_the_distributions(name):
    tree = ast.parse((FOLDER / name).read_text())
    # SciPy is there where distributions are computed, and only then imported.
    for_types = {id(inner) for node in tree.body if _is_for_types(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            roots = {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            roots = {(node.module or "").partition(".")[0]}
        elif isinstance(node, ast.ImportFrom):
            folder = (FOLDER / name).parents[node.level - 1]
            modules = [node.module.replace(".", "/")] if node.module else [alias.name for alias in node.names]
            for module in modules:
                target = (folder / module).relative_to(FOLDER).as_posix()
                assert {f"{target}.py", f"{target}/__init__.py"} & set(THEIRS), f"{name} imports {target}"
                own = name.partition("/")[0]
                assert target.startswith(("distributions", own, *BELOW.get(own, ()))), f"{name} imports {target}"
            continue
        else:
            continue
        # pandas makes the DataFrames that a mechanism asks for, and is imported only then.
        assert roots <= set(sys.stdlib_module_names) | {"numpy", "pandas"}


def _is_for_types(node):
    """Whether it is `if TYPE_CHECKING:`, of which only the branch for checkers is left out below."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
