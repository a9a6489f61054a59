"""What user code may not do, may do, and may do if allowed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dplint.outcomes import FailureKind
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest

pytestmark = pytest.mark.process

ONCE = SampleRequest((DataValue([1]),))
BLOCKED = {
    "network": [
        "import socket; socket.create_connection(('192.0.2.1', 9))",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import socket; socket.socket().bind(('127.0.0.1', 0))",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))",
        "import urllib.request; urllib.request.urlopen('http://192.0.2.1/')",
    ],
    "process": [
        "import os; os.system('true')",
        "import os; os.fork()",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.kill(1, 0)",
        "import subprocess; subprocess.run(['true'])",
        "import multiprocessing; multiprocessing.Process(target=print).start()",
    ],
    "write": [
        "open(TARGET, 'w')",
        "open(TARGET, 'ab')",
        "import os; os.open(TARGET, os.O_CREAT | os.O_WRONLY)",
        "import pathlib; pathlib.Path(TARGET).write_text('x')",
        "import pathlib; pathlib.Path(TARGET).mkdir()",
        "import os; os.remove(__file__)",
        "import os; os.rename(__file__, TARGET)",
        "import os; os.symlink(__file__, TARGET)",
        "import os; os.chmod(__file__, 0o600)",
        "import os; os.truncate(__file__, 0)",
        "import os; os.truncate(os.open(__file__, os.O_RDONLY), 0)",
        "import os; os.mkdir('target', dir_fd=os.open(os.path.dirname(TARGET), os.O_RDONLY))",
        "import os, tempfile; os.rename(tempfile.mkdtemp(), TARGET)",
        "import shutil; shutil.copy(__file__, TARGET)",
        "import sqlite3; sqlite3.connect(TARGET)",
        "import numpy; numpy.save(TARGET, numpy.zeros(1))",
    ],
}
CASES = [(effect, body) for effect, bodies in BLOCKED.items() for body in bodies]


@pytest.fixture(scope="module")
def patient_runner():
    with Runner(sys.executable, deadline=30, memory_mib=1024) as runner:
        yield runner


@pytest.mark.parametrize(("effect", "body"), CASES)
@pytest.mark.parametrize("swallow", [False, True], ids=["", "swallowed"])
def test_effects_are_blocked_and_named_even_if_swallowed(patient_runner, write, tmp_path, effect, body, swallow):
    lines = f"try:\n        {body}\n    except:\n        pass" if swallow else body
    target = tmp_path / "target"
    mechanism = write(f"TARGET = {str(target)!r}\ndef m(queries):\n    {lines}\n    return 1")
    before = Path(mechanism.path).read_text()
    patient_runner.load(mechanism)
    with pytest.raises(RunnerError) as caught:
        patient_runner.sample(ONCE)

    assert caught.value.kind == FailureKind.EFFECT
    assert f'allow = ["{effect}"]' in caught.value.reason
    assert f'File "{mechanism.path}", line ' in caught.value.detail
    assert not target.exists()
    assert Path(mechanism.path).read_text() == before


def test_a_statement_with_an_effect_is_left_out_of_the_import_and_named(patient_runner, write):
    patient_runner.load(write("import os\nos.system('true')\ndef m(queries): return 1"))

    assert patient_runner.sample(ONCE)[0].outputs() == [1]
    (note,) = patient_runner.left_out
    assert "without line 2 of" in note
    assert 'allow = ["process"]' in note


def test_an_effect_that_the_import_swallows_is_named_too(patient_runner, write):
    text = "import os\ntry: os.system('true')\nexcept BaseException: pass\ndef m(queries): return 1"
    patient_runner.load(write(text))

    assert 'allow = ["process"]' in patient_runner.left_out[0]


def test_what_needs_what_an_effect_was_to_give_fails_for_it(patient_runner, write):
    patient_runner.load(write("import os\nCODE = os.system('true')\ndef m(queries): return CODE"))
    with pytest.raises(RunnerError, match=r'line 2 of .* did not give.*allow = \["process"\]') as caught:
        patient_runner.sample(ONCE)

    assert caught.value.kind == FailureKind.EFFECT


def test_an_error_is_told_and_not_what_a_package_was_refused_before_it(patient_runner, write, tmp_path):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    text = importing(folder, tmp_path / "target", "write").partition("def m")[0]
    with pytest.raises(RunnerError, match="ZeroDivisionError") as caught:
        patient_runner.load(write(f"def m(queries): return 1\n{text}m = 1 / 0\n"), f"{text}m = 1 / 0\n")

    assert caught.value.kind == FailureKind.IMPORT


PACKAGE = """
import os, socket, subprocess
def ask():
    return subprocess.run(["fc-list"], check=True)
def keep():
    os.makedirs(TARGET)
def reach():
    socket.socket(socket.AF_INET6).bind(("::1", 0))
def without(one):
    try:
        one()
    except OSError:
        return "without"
"""


def importing(folder, target, effect):
    """The source of a mechanism whose module asks a package in a folder for an effect, by `SAID = ...`."""
    package = f"asking_{folder.name.replace('-', '_')}_{effect}"
    (folder / f"{package}.py").write_text(PACKAGE.replace("TARGET", repr(str(target))))
    asks = {"process": "ask", "write": "keep", "network": "reach"}[effect]
    lines = f"import sys\nsys.path.insert(0, {str(folder)!r})\nimport {package} as package\n"
    return f"{lines}SAID = package.without(package.{asks})\ndef m(queries): return SAID"


@pytest.mark.parametrize("effect", ["process", "write", "network"])
def test_a_package_that_is_imported_may_go_on_without(patient_runner, write, tmp_path, effect):
    folder, target = tmp_path / "site-packages", tmp_path / "target"
    folder.mkdir()
    text = importing(folder, target, effect)

    patient_runner.load(write(text))
    assert patient_runner.sample(ONCE)[0].outputs() == ["without"]

    patient_runner.load(write(text.replace("package.without(", "(lambda one: one())(")))
    with pytest.raises(RunnerError, match=f'allow = \\["{effect}"\\]'):
        patient_runner.sample(ONCE)
    patient_runner.load(write(text.replace("SAID = ", "SAID = lambda: ").replace("return SAID", "return SAID()")))
    with pytest.raises(RunnerError, match=f'allow = \\["{effect}"\\]'):
        patient_runner.sample(ONCE)
    assert not target.exists()


@pytest.mark.parametrize("effect", ["process", "write", "network"])
def test_a_module_of_the_project_may_not(patient_runner, write, tmp_path, effect):
    folder = tmp_path / "own"
    folder.mkdir()
    patient_runner.load(write(importing(folder, tmp_path / "target", effect)))
    with pytest.raises(RunnerError, match=f'allow = \\["{effect}"\\]'):
        patient_runner.sample(ONCE)


@pytest.mark.parametrize(
    "body",
    [
        "open('/dev/null', 'w').write('x')",
        "open(__file__).read()",
        "import tempfile; tempfile.TemporaryFile().write(b'x')",
        "import tempfile; tempfile.mkdtemp()",
        "import os, tempfile; d = tempfile.TemporaryDirectory(); os.mkdir(d.name + '/a'); d.cleanup()",
        "import os, tempfile; fd, name = tempfile.mkstemp(); os.truncate(fd, 3); os.remove(name)",
        "import os, tempfile; d = tempfile.mkdtemp(); os.rename(d, d + 'x'); os.symlink(d, d + 'y')",
        "import os, tempfile; os.makedirs(tempfile.gettempdir(), exist_ok=True)",
        "import sqlite3; sqlite3.connect(':memory:')",
        "import socket; socket.socketpair()",
        "import os, signal; os.kill(os.getpid(), 0)",
        "import pandas; pandas.DataFrame({'a': [1]}).groupby('a').sum()",
        "import scipy.stats; scipy.stats.norm.rvs()",
        "import logging; logging.getLogger().warning('hello')",
        "import asyncio; asyncio.run(asyncio.sleep(0))",
    ],
)
def test_what_harms_nobody_is_allowed(patient_runner, write, body):
    patient_runner.load(write(f"def m(queries):\n    {body}\n    return 1"))

    assert patient_runner.sample(ONCE)[0].outputs() == [1]


def test_allowed_effects_happen(write, tmp_path):
    target = tmp_path / "target"
    mechanism = write(f"""
        import os, socket
        def m(queries):
            open({str(target)!r}, "w").write("written")
            socket.socket().bind(("127.0.0.1", 0))
            return os.system("exit 0")
    """)
    with Runner(
        sys.executable, deadline=10, memory_mib=256, allow=frozenset(["network", "write", "process"])
    ) as runner:
        runner.load(mechanism)
        assert runner.sample(ONCE)[0].outputs() == [0]

    assert target.read_text() == "written"


def test_a_forked_child_that_runs_on_does_not_answer_for_the_runner(write):
    mechanism = write("import os\ndef m(queries): return os.fork() > 0")
    with Runner(sys.executable, deadline=10, memory_mib=256, allow=frozenset(["process"])) as runner:
        runner.load(mechanism)
        assert [runner.sample(ONCE)[0].outputs() for _ in range(3)] == [[True]] * 3
