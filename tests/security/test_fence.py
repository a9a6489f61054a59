"""What gets past the audit hook is held by the kernel, where it has a fence. Each attack does harm without one."""

from __future__ import annotations

import ast
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from dplint.runner import fence, fence_calls, fence_files, fence_filter
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.runner.hosts import ADDRESS
from dplint.workers.runner_hosts import RunnerHosts
from tests.runner.conftest import described
from tests.security.attacks import ATTACKS, PRELUDE

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="the fence is one of Linux")]

NO_FENCE = "this kernel, or the container that this runs in, has no such fence"
ONCE = SampleRequest((DataValue([1]),))
MECHANISM = """
from dplint import dp
{attacks}
def through():
    return ", ".join(name for name, attack in ATTACKS.items() if attack())

AT_IMPORT = through() if {loaded} else None

@dp(epsilon=1.0, neighbors="linf")
def m(queries):
    return through() if AT_IMPORT is None else AT_IMPORT
"""


def function(number, attack):
    return f"def attack_{number}():\n{textwrap.indent(textwrap.dedent(attack.body).strip(), '    ')}\n"


def source(attacks, target, port, victim):
    """The attacks as a text of Python."""
    head = f"OUTSIDE, PORT, VICTIM = {str(target)!r}, {port}, {victim}\n{PRELUDE}"
    functions = [function(number, attack) for number, attack in enumerate(attacks.values())]
    table = ", ".join(f"{name!r}: attack_{number}" for number, name in enumerate(attacks))
    return "\n".join([head, *functions, f"ATTACKS = {{{table}}}"])


class Scene:
    """What attacks are made on, and whether it has come to harm."""

    def __init__(self, folder, listener):
        self._folder = folder
        self._listener = listener
        self._environment = {**os.environ, "SECRET": "1"}
        self.new()

    def new(self):
        self.outside = Path(tempfile.mkdtemp(dir=self._folder))
        (self.outside / "kept").write_text("as it was")
        self._before = self._state()
        self.victim = subprocess.Popen(["sleep", "1000"], stdin=subprocess.PIPE, env=self._environment)

    @property
    def port(self):
        return self._listener.getsockname()[1]

    def _state(self):
        return {
            path.name: (path.lstat().st_mode, path.lstat().st_mtime, path.read_bytes())
            for path in self.outside.iterdir()
        }

    def unharmed(self):
        assert self._state() == self._before
        assert self.victim.poll() is None
        with pytest.raises(BlockingIOError):
            self._listener.accept()
        return True

    def close(self):
        self.victim.kill()
        self.victim.communicate()


@pytest.fixture
def scene(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        with closing(Scene(tmp_path, listener)) as scene:
            yield scene


def alone_run(name, scene, folder):
    """What an attack says in a process without a fence."""
    text = source({name: ATTACKS[name]}, scene.outside, scene.port, scene.victim.pid)
    path = folder / "attack.py"
    path.write_text(f"{text}\nprint(attack_0())")
    return subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
        check=False,
    )


IN_SOME = {"a name space", "a socket of the machine", "a ring for calls that no filter sees"}
"""Not in every container."""


@pytest.mark.parametrize("name", sorted(set(ATTACKS) - IN_SOME))
def test_each_attack_gets_through_without_a_fence(name, scene, tmp_path):
    done = alone_run(name, scene, tmp_path)
    assert done.stdout == "True\n", done.stderr


def ways():
    """Spawned runners, forks of a host, and imports in a host."""
    return [("spawned", False), ("forked", False), ("forked", True)]


@pytest.mark.parametrize(("way", "loaded"), ways())
def test_no_attack_gets_through_the_fence(way, loaded, scene, tmp_path, monkeypatch):
    standing = fence.try_out(frozenset())
    attacks = {
        name: attack for name, attack in ATTACKS.items() if attack.part in standing and (attack.loaded or not loaded)
    }
    if not attacks:
        pytest.skip(NO_FENCE)
    text = source(attacks, scene.outside, scene.port, scene.victim.pid)
    path = tmp_path / "hostile.py"
    path.write_text(MECHANISM.format(attacks=text, loaded=loaded))
    mechanism = described(path, "m")
    with ExitStack() as stack:
        if way == "forked":
            hosts = stack.enter_context(closing(RunnerHosts()))
            hosts.several = not loaded
            monkeypatch.setenv(ADDRESS, hosts.address)
        runner = stack.enter_context(Runner(sys.executable, deadline=60, memory_mib=1024, mechanism=mechanism))
        assert set(runner._process.hello["fence"]) == set(standing)
        runner.load(mechanism)
        (output,) = runner.sample(ONCE)[0].outputs()
    assert output == "", "these got through"
    assert scene.unharmed()
