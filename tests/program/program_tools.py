"""Lowering of source text."""

from __future__ import annotations

import textwrap
from pathlib import Path

import libcst as cst

from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint.program.walk import runnable
from dplint.source.lowering import lower
from dplint.source.read import read_source

HEADER = "import math\nimport random\n\nimport numpy as np\nfrom dplint import dp\n\n\n"
CLAIM = '@dp(epsilon=1.0, neighbors="linf")\n'


def lowered(source: str, folder: Path) -> Program | Unsupported:
    """The program of the one mechanism in a module; the claim is put before its last `def`."""
    text = module_text(source)
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    read = read_source(path, file="module.py", table={})
    assert read.module is not None, read.errors
    (found,) = read.mechanisms
    assert isinstance(found.node, cst.FunctionDef)
    return runnable(lower(found.node, read.module, found.mechanism))


def module_text(source: str) -> str:
    before, definition, after = ("\n" + textwrap.dedent(source).strip("\n")).rpartition("\ndef ")
    return f"{HEADER}{before}\n{CLAIM}{definition.strip()} {after}\n"
