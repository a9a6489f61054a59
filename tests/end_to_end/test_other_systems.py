"""As far as Linux can tell: a check where nothing is forked, nothing is told by /proc, and nobody can step back.

`dplint.runner.system` is the one place that asks which system this is. Here it says that this is another one, in a copy
of the package, so that all processes of a check believe it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import patience

ROOT = Path(__file__).parents[2]
OWN = {"runner/system.py"}
FENCE = {"runner/fence.py", "runner/fence_files.py", "runner/fence_filter.py", "runner/fence_places.py"}
"""Linux's own: nothing of it is called elsewhere."""
ASKED = re.compile(r"sys\.platform|\bprctl\b|os\.nice\b|os\.setsid\b|[\"'f]/proc/")
MODULE = """
from dplint import dp


@dp(epsilon="epsilon", neighbors="l1")
def right(rng, counts, epsilon):
    return [count + rng.laplace(scale=1 / epsilon) for count in counts]


@dp(epsilon="epsilon", neighbors="l1")
def wrong(rng, counts, epsilon):
    return [count + rng.laplace(scale=epsilon) for count in counts]


@dp(epsilon="epsilon", neighbors="l1")
def ends(rng, counts, epsilon):
    import os

    os._exit(3)
"""


def test_one_module_asks_which_system_this_is():
    files = {path.relative_to(ROOT / "dplint").as_posix(): path for path in (ROOT / "dplint").rglob("*.py")}
    found = {
        name: asked
        for name, path in files.items()
        if name not in OWN | FENCE and (asked := ASKED.findall(path.read_text(encoding="utf-8")))
    }

    assert found == {}


@pytest.mark.process
def test_a_check_as_on_another_system(tmp_path):
    shutil.copytree(ROOT / "dplint", tmp_path / "there" / "dplint", ignore=shutil.ignore_patterns("__pycache__"))
    system = tmp_path / "there" / "dplint" / "runner" / "system.py"
    text = system.read_text(encoding="utf-8")
    for here, there in (
        ('LINUX = sys.platform == "linux"', "LINUX = False"),
        ('PROC = "/proc"', 'PROC = "/there-is-none"'),
        ("import sys\n", "import sys\n\nos.__dict__.pop('nice'), os.__dict__.pop('setsid')\n"),
    ):
        assert text.count(here) == 1
        text = text.replace(here, there)
    system.write_text(text, encoding="utf-8")
    (tmp_path / "release.py").write_text(MODULE)
    command = (
        sys.executable,
        "-m",
        "dplint",
        "check",
        "release.py",
        "--budget",
        "3s",
        "--no-cache",
        "--format",
        "json",
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "there")}
    asked = (sys.executable, "-c", "from dplint.runner import system; print(system.LINUX, system.threads() > 9)")
    told = subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout == "False True\n"
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=patience(120), check=False
    )

    found = {one["function"]: one["verdict"] for one in json.loads(done.stdout)["results"]}
    assert found == {"right": "proved", "wrong": "violation", "ends": "failed"}, done.stderr
    assert done.returncode == 2
