"""What gets past the audit hook is held by the kernel, where it has a fence. Each attack does harm without one."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import time
from contextlib import ExitStack, closing
from pathlib import Path

import numpy
import pytest

from dplint.runner import fence, fence_files, fence_filter
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.runner.hosts import ADDRESS
from dplint.runner.scratch import remove_scratch_of
from dplint.workers.runner_hosts import RunnerHosts
from tests.patience import end_of
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
        self._listener = listener
        self.outside = folder
        self.outside.mkdir()
        (self.outside / "kept").write_text("as it was")
        self._before = self._state()
        self.victim = subprocess.Popen(["sleep", "1000"], stdin=subprocess.PIPE, env={**os.environ, "SECRET": "1"})

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
        with closing(Scene(tmp_path / "outside", listener)) as scene:
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


IN_SOME = {
    *("a name space", "a socket of the machine", "a ring for calls that no filter sees", "cryptography of the kernel"),
    *("a socket of the next version", "a socket of another protocol", "a socket to the host of the machine"),
    *("messages with a name", "pages of another", "what another has open", "what another counts"),
    *("faults in user space", "a program in the kernel", "a key of the kernel", "an attribute of a file"),
    *("a command to the kernel", "a device that is made", "a packet of any kind", "an echo request", "another root"),
    *("a mount", "a tree of files of its own", "a file by its number", "privileges that were given up"),
    *("the name of the machine", "the clock", "the end of the machine, misspelt", "a flag of a file"),
    "a module of the kernel that is none",
}
"""Not in every container, nor for every user."""


@pytest.mark.parametrize("name", sorted(set(ATTACKS) - IN_SOME))
def test_each_attack_gets_through_without_a_fence(name, scene, tmp_path):
    done = alone_run(name, scene, tmp_path)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize(("way", "loaded"), [("spawned", False), ("forked", False), ("forked", True)])
def test_no_attack_gets_through_the_fence(way, loaded, scene, tmp_path, monkeypatch):
    standing = fence.try_out(frozenset())
    attacks = {name: attack for name, attack in ATTACKS.items() if attack.part in standing}
    if not attacks:
        pytest.skip(NO_FENCE)
    text = source(attacks, scene.outside, scene.port, scene.victim.pid)
    path = tmp_path / "project" / "hostile.py"
    path.parent.mkdir()
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


UNDER_AN_OLDER_KERNEL = """
import sys
sys.path.insert(0, {root!r})
import tempfile
from dplint.runner import fence, fence_files
from dplint.runner.fence_files import readable_places
tempfile.gettempdir()
fence_files.version = lambda: {version}
own = [tempfile.gettempdir()]
fence.put_up(frozenset(), own, readable_places(frozenset(), own), forks=False)
{attacks}
print(", ".join(name for name, attack in ATTACKS.items() if attack()))
"""


@pytest.mark.parametrize("version", [0, 1, 2, 3, 5])
def test_older_versions_of_landlock_hold_the_same_but_for_files_where_there_is_none(version, scene, tmp_path):
    standing = set(fence.try_out(frozenset()))
    if standing != set(fence.PARTS) or version > fence_files.version():
        pytest.skip(NO_FENCE)
    # Without a domain of Landlock the files in /proc are open to whom the system lets read them.
    needing = {"reading an environment", "a pipe of another", "where the memory of another lies"}
    needing |= {"the memory of another as a file", "the folder of another"}
    attacks = {
        name: attack
        for name, attack in ATTACKS.items()
        if version > 0 or (attack.part not in (fence.WRITE, fence.READ) and name not in needing)
    }
    text = source(attacks, scene.outside, scene.port, scene.victim.pid)
    own = tmp_path / "own"
    own.mkdir()
    path = own / "old.py"
    root = str(Path(fence.__file__).parents[2])
    path.write_text(UNDER_AN_OLDER_KERNEL.format(root=root, version=version, attacks=text))
    environment = {**os.environ, "TMPDIR": str(own)}
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "\n", (done.stdout, done.stderr)
    assert scene.unharmed()


CLOSED_IN = """
import sys
sys.path.insert(0, {root!r})
import tempfile
from dplint.runner import fence
tempfile.gettempdir()
fence.close_in()
{attacks}
def through(attack):
    try:
        return attack()
    except PermissionError:  # some begin with a file of their own
        return False
print(", ".join(name for name, attack in ATTACKS.items() if through(attack)))
"""


def test_processes_that_read_what_others_have_written_are_closed_in(scene, tmp_path):
    """Readers, and workers for what the source alone tells: what parses might be made to do what it likes."""
    if set(fence.try_out(frozenset())) != set(fence.PARTS):
        pytest.skip(NO_FENCE)
    attacks = {name: attack for name, attack in ATTACKS.items() if attack.part != fence.READ}
    text = source(attacks, scene.outside, scene.port, scene.victim.pid)
    path = tmp_path / "own.py"
    path.write_text(CLOSED_IN.format(root=str(Path(fence.__file__).parents[2]), attacks=text))
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert done.stdout == "\n", (done.stdout, done.stderr)
    assert scene.unharmed()


def test_readers_are():
    if not fence.try_out(frozenset()):
        pytest.skip(NO_FENCE)
    program = (
        "import dplint.check.reading_main as reader; import threading; threading.excepthook = print; reader.main(1000)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        end = end_of(30)
        while "Seccomp:\t2" not in Path(f"/proc/{process.pid}/status").read_text() and time.monotonic() < end:
            time.sleep(0.02)
        assert "Seccomp:\t2" in Path(f"/proc/{process.pid}/status").read_text()
        process.kill()


@pytest.mark.parametrize("effect", ["network", "write", "process", "read"])
def test_what_is_allowed_is_open_and_nothing_else(effect):
    opened = {part for part, by in fence.OPENED_BY.items() if effect in by}
    assert set(fence.try_out(frozenset([effect]))) == set(fence.try_out(frozenset())) - opened


def test_trying_it_out_leaves_the_process_as_it_was(tmp_path):
    fence.try_out(frozenset())
    socket.socket().close()
    (tmp_path / "file").write_text("written")
    assert subprocess.run(["true"], check=False).returncode == 0


def test_without_landlock_and_seccomp_nothing_stands(monkeypatch):
    monkeypatch.setattr(fence_files, "version", lambda: 0)
    monkeypatch.setattr(fence_filter, "column", lambda: -1)
    assert fence.try_out(frozenset()) == ()


HEADERS = {
    0: (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"#define __NR_(\w+)\s+(\d+)"),
    1: (Path("/usr/include/asm-generic/unistd.h"), r"#define __NR(?:3264)?_(\w+)\s+(\d+)"),
}


@pytest.mark.parametrize("column", [0, 1])
def test_the_numbers_are_those_of_the_kernel(column):
    path, pattern = HEADERS[column]
    if not path.exists():
        pytest.skip("the headers of the kernel are not installed")
    known = {name: int(number) for name, number in re.findall(pattern, path.read_text())}
    wrong = {
        name: numbers[column]
        for name, numbers in fence_filter.NUMBERS.items()
        if name in known and known[name] != numbers[column]
    }
    assert not wrong
    assert len(known.keys() & fence_filter.NUMBERS) > 80


ORDINARY = {
    "threads": "import threading; t = threading.Thread(target=print); t.start(); t.join()",
    "pool": "from concurrent.futures import ThreadPoolExecutor as T; T(3).submit(print).result()",
    "loop": "import asyncio; asyncio.run(asyncio.to_thread(print))",
    "copy": "import os, shutil, tempfile; shutil.copy2(__file__, tempfile.mkdtemp())",
    "move": "import shutil, tempfile; a, b = tempfile.mkdtemp(), tempfile.mkdtemp(); shutil.move(a, b)",
    "modes": "import os, tempfile; os.chmod(tempfile.mkdtemp(), 0o755)",
    "database": "import sqlite3, tempfile; sqlite3.connect(tempfile.mkdtemp() + '/a').execute('create table t(x)')",
    "archive": "import tarfile, tempfile; t = tarfile.open(tempfile.mkdtemp() + '/a', 'w'); t.add(__file__); t.close()",
    "map": "import numpy as n, tempfile; n.memmap(tempfile.mkdtemp() + '/a', 'f8', 'w+', shape=3)[:] = 1",
    "signal": "import signal; signal.signal(signal.SIGUSR1, print); signal.raise_signal(signal.SIGUSR1)",
    "alarm": "import signal; signal.setitimer(signal.ITIMER_REAL, 100); signal.setitimer(signal.ITIMER_REAL, 0)",
    "limits": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))",
    "zones": "import datetime, time; time.tzset(); datetime.datetime.now().astimezone()",
    "people": "import os, pwd; pwd.getpwuid(os.getuid()); os.path.expanduser('~')",
    "machine": "import os, platform, socket; platform.node(); socket.gethostname(); os.sched_getaffinity(0)",
    "folders": "import os; os.listdir('/proc'); os.listdir('.'); open('/proc/self/status').read()",
    "ids": "import uuid; uuid.uuid4()",
    "nice": "import os; os.nice(1)",
    "tables": "import polars; polars.DataFrame({'a': [1, 2]}).group_by('a').len()",
    "linear": "import numpy as n; n.linalg.inv(n.eye(200)); n.linalg.eigh(n.eye(50))",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_code_does_not_meet_it(name, tmp_path, ordinary_runner):
    path = tmp_path / f"{tmp_path.name}_ordinary.py"
    path.write_text(f"def m(queries):\n    {ORDINARY[name]}\n    return 1\n")
    ordinary_runner.load(described(path, "m"))
    assert ordinary_runner.sample(ONCE)[0].outputs() == [1]


@pytest.fixture(scope="module")
def ordinary_runner():
    with Runner(sys.executable, deadline=60, memory_mib=4096) as runner:
        yield runner


SIBLINGS = """
import os, tempfile
from dplint import dp
SHARED = tempfile.mkdtemp()

@dp(epsilon=1.0, neighbors="linf")
def m(queries):
    own = tempfile.gettempdir()
    before = os.path.dirname(SHARED)
    open(os.path.join(SHARED, "cache"), "w").close()
    open(os.path.join(own, "mine"), "w").close()
    host = os.path.dirname(before)
    others = [os.path.join(host, name) for name in os.listdir(host)]
    others = [name for name in others if os.path.isdir(name) and name != before and not own.startswith(name)]
    import ctypes
    C = ctypes.CDLL(None)
    made = [C.open(os.fsencode(name + "/tmp/theirs"), os.O_CREAT | os.O_WRONLY, 0o600) for name in others]
    return f"{own.startswith(host)} {made}"
"""


def test_runners_of_one_host_cannot_write_to_each_others_folders(tmp_path, monkeypatch):
    if fence.WRITE not in fence.try_out(frozenset()):
        pytest.skip(NO_FENCE)
    path = tmp_path / "siblings.py"
    path.write_text(SIBLINGS)
    mechanism, reading = described(path, "m"), frozenset({"read"})
    with closing(RunnerHosts()) as hosts, ExitStack() as stack:
        monkeypatch.setenv(ADDRESS, hosts.address)
        runners = [
            stack.enter_context(
                Runner(sys.executable, deadline=60, memory_mib=1024, mechanism=mechanism, allow=reading)
            )
            for _ in "ab"
        ]
        folders = [Path(runner._process.scratch) for runner in runners]
        assert len({folder.parent for folder in folders}) == 1
        for runner in runners:
            runner.load(mechanism)
            assert runner.sample(ONCE)[0].outputs() == ["True [-1]"]
        runners[0].close()
        assert not folders[0].exists(), "its folder goes with it"
        assert folders[1].exists()
    assert not folders[1].parent.exists()


def test_folders_of_a_killed_worker_are_removed_also_from_that_of_a_host(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = [
        tmp_path / "dplint-run-7-a",
        tmp_path / "dplint-run-1-a" / "7-a",
        tmp_path / "dplint-run-1-a" / "1-a" / "7-a",
    ]
    kept = [tmp_path / "dplint-run-1-a" / "70-a", tmp_path / "7-a"]
    for folder in [*gone, *kept]:
        (folder / "tmp").mkdir(parents=True)
    remove_scratch_of(7)
    assert not any(folder.exists() for folder in gone)
    assert all(folder.exists() for folder in kept)


AT_EACH_START = """
import ctypes, os
C = ctypes.CDLL(None, use_errno=True)
try:
    open({new!r}, "w").close()
    through = "wrote"
except OSError:
    through = "refused"
if C.socket(2, 1, 0) >= 0:
    through += " and connected"
os.environ["AT_THE_START"] = through
"""


@pytest.mark.parametrize("file", ["sitecustomize.py", "each_start.pth"])
def test_what_an_environment_runs_at_each_start_is_behind_the_fence(file, scene, tmp_path):
    """As a repository could bring it along, in a `.venv`."""
    if {fence.WRITE, fence.NETWORK} - set(fence.try_out(frozenset())):
        pytest.skip(NO_FENCE)
    if (Path(sysconfig.get_path("stdlib")) / file).exists():
        pytest.skip("this Python brings one along, which comes before that of an environment")
    project = tmp_path / "project"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project / ".venv"], check=True)
    (packages,) = (project / ".venv" / "lib").glob("python*/site-packages")
    body = AT_EACH_START.format(new=str(scene.outside / "new"))
    (packages / file).write_text(body if file.endswith(".py") else f"import sys; exec({body!r})\n")
    (packages / "numpy.pth").write_text(str(Path(numpy.__file__).parents[1]))
    (project / "m.py").write_text("import os\ndef m(queries): return os.environ['AT_THE_START']\n")
    mechanism = described(project / "m.py", "m")
    with Runner(str(project / ".venv" / "bin" / "python"), deadline=60, memory_mib=1024, mechanism=mechanism) as runner:
        runner.load(mechanism)
        assert runner.sample(ONCE)[0].outputs() == ["refused"]
    assert scene.unharmed()
