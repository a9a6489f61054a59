"""Programs and rules read Python by parts that are put together, with one table of operators."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "dplint"
ROOMS = [*(PACKAGE / "source" / "lowering").glob("*.py"), *(PACKAGE / "rules" / "flow").glob("*.py")]
OPERATORS = {"Add", "Subtract", "Multiply", "Divide", "FloorDivide", "Modulo", "Power", "LessThan", "GreaterThan"}
PLAIN_BASES = {"Protocol", "Enum"}


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_class_inherits_from_another_part(path):
    classes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]
    assert {ast.unparse(base) for node in classes for base in node.bases} <= PLAIN_BASES


def test_operators_of_libcst_have_one_table():
    found = set()
    for path in [*(PACKAGE / "source").rglob("*.py"), *(PACKAGE / "rules" / "flow").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Dict):
                keys = {ast.unparse(key) for key in node.keys if key is not None}
                if keys & {f"cst.{name}" for name in OPERATORS}:
                    found.add(path.name)
    assert found == {"operators.py"}
