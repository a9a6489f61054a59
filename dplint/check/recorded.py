"""How a project's tests call its functions, written down for what needs to know it: see `recorded_calls.py`.

The calls are kept in a file of Python at the top of the project, which is parsed as its other files are, and never run.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dplint.source.files import RECORDED
from dplint.syntax import parse_text

_PLUGIN = Path(__file__).with_name("recorded_calls.py")
_NAME = "dplint_recorded_calls"
_RAN = (0, 1)
"""Exit codes of pytest after which tests have run; with 1 some of them have failed."""
_SHOWN = 12
_HEAD = '''"""How the tests of this project call its functions, without the data.

`dplint suggest --from-tests` wrote it. dplint reads it as it reads other calls in the project, and never runs it.
"""
# ruff: noqa
# fmt: off
'''


class RecordingError(Exception):
    """No tests could be run, or they call nothing of the project; how, in words."""


def record_calls(root: Path, interpreter: str) -> tuple[int, bool]:
    """Run the tests of a project with pytest, and keep how they call it; how many calls, and whether all tests passed.

    interpreter: which has pytest, and what the project needs. Raises RecordingError; OSError if nothing can be written.
    """
    with tempfile.TemporaryDirectory(prefix="dplint-tests-") as folder:
        shutil.copyfile(_PLUGIN, Path(folder, f"{_NAME}.py"))
        before = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([folder, *([before] if before else [])])
        environment = {**os.environ, "PYTHONPATH": path, "DPLINT_RECORDED": folder, "DPLINT_PROJECT": str(root)}
        command = [interpreter, "-m", "pytest", "-q", "-p", _NAME, str(root)]
        try:
            ran = subprocess.run(
                command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
            )
        except OSError as error:
            raise RecordingError(f"{interpreter} cannot be run: {error.strerror}") from None
        if ran.returncode not in _RAN:
            said = ran.stdout.decode(errors="replace").strip().splitlines()[-_SHOWN:]
            raise RecordingError("\n".join([f"pytest has run no tests (exit code {ran.returncode}):", *said]))
        lines = [line for one in sorted(Path(folder).glob("*.txt")) for line in one.read_text("utf-8").splitlines()]
    text, calls = module_of(lines)
    if not calls:
        raise RecordingError("the tests call no function of the project with arguments that can be written down")
    Path(root, RECORDED).write_text(text, encoding="utf-8")
    return calls, ran.returncode == 0


def module_of(lines: Sequence[str]) -> tuple[str, int]:
    """The text of a module that makes these calls, and how many there are; what is no Python is left out."""
    calls, imports = list[str](), set[str]()
    for line in dict.fromkeys(lines):
        try:
            tree = parse_text(line)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        calls.append(line)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                path = ast.unparse(node.func)
                module = path.rpartition(".")[0]
                imports |= {module} if module and all(part.isidentifier() for part in path.split(".")) else set()
    parts = [_HEAD, "".join(f"import {one}\n" for one in sorted(imports)), "".join(f"{one}\n" for one in calls)]
    return "\n".join(parts), len(calls)
