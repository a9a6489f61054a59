"""What is in a front end, the code that it checks cannot read: its environment, its memory, its open files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOOKING = """
import ctypes, os, sys
sys.path.insert(0, {root!r})
from dplint.runner.system import keep_private
if os.geteuid() == 0:  # who sees everything
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as a process is that nobody has changed
{private}
looked_at = os.getpid()
if os.fork() == 0:
    for name in ("environ", "mem", "maps"):
        try:
            with open(f"/proc/{{looked_at}}/{{name}}", "rb") as stream:
                print(name, name != "environ" or b"of sixteen bytes" in stream.read())
        except PermissionError:
            print(name, "refused")
    sys.stdout.flush()
    os._exit(0)
os.wait()
"""
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows processes in /proc"),
]


def seen(private):
    """What a process of the same user sees of one; nobody's, since root sees everything."""
    program = LOOKING.format(root=str(ROOT), private=private)
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        env={**os.environ, "SECRET": "of sixteen bytes"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split(maxsplit=1) for line in done.stdout.split("\n") if line.strip())


def test_a_private_process_is_not_looked_into():
    assert seen("keep_private()") == dict.fromkeys(("environ", "mem", "maps"), "refused")


def test_what_is_refused_there_is_seen_elsewhere():
    found = seen("")
    if found["environ"] == "refused":
        pytest.skip("this system shows no process the inside of another one")
    assert found["environ"] == "True"


@pytest.mark.parametrize("command", ["check", "server"])
def test_the_front_ends_are_private(command, tmp_path):
    """As the kernel says it; the program that they start begins anew, as workers have to be looked after."""
    program = (
        "import ctypes, sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "import subprocess\n"
        "from dplint.main import main\n"
        f"sys.argv = ['dplint', {command!r}, '--help']\n"
        "main()\n"
        "dumpable = 'import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))'\n"
        "print('here', ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), flush=True)\n"
        "subprocess.run([sys.executable, '-c', dumpable])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.splitlines()[-2:] == ["here 0", "1"], done.stderr
