"""VS Code's own reader of JSON-RPC gives up at the first line that is no message; whatever is printed, it gets none."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.editors.editor_tools import HERE, PATIENCE, has

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not (has("node") and has("npm")), reason="there is no Node here: node, or npm, is missing"),
]

NODE = HERE / "node"
PRINTS = '''\
"""Mechanisms that print in every way there is."""

import os
import sys

from dplint import dp

print("printed while importing")
sys.__stdout__.write("by the first stdout\\n")
os.write(1, b"written while importing\\n")


@dp(epsilon="epsilon", neighbors="l1")
def prints(rng, counts, epsilon):
    print("printed in a run", flush=True)
    return [count + rng.laplace(scale=epsilon) for count in counts]
'''
ALL = (
    PRINTS
    + """

@dp(epsilon="epsilon", neighbors="l1")
def writes(rng, counts, epsilon):
    os.write(1, b"Content-Length: 3\\r\\n\\r\\n{}\\n")
    return [count + rng.laplace(scale=epsilon) for count in counts]


@dp(epsilon="epsilon", neighbors="l1")
def forks(rng, counts, epsilon):
    if rng.random() < 0.1:
        if os.fork() == 0:
            os.write(1, b"printed by a child\\n")
            os._exit(0)
        os.wait()
    return [count + rng.laplace(scale=epsilon) for count in counts]
"""
)


@pytest.fixture(scope="session")
def modules(request, tmp_path_factory):
    """The packages of npm, kept beside pytest's own cache if it has one; anew when the lock file has changed."""
    cache = getattr(request.config, "cache", None)
    folder = cache.mkdir("node-of-editor-tests") if cache else tmp_path_factory.mktemp("node")
    lock = NODE / "package-lock.json"
    done = folder / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        shutil.copy(NODE / "package.json", folder)
        shutil.copy(lock, folder)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)
        if said.returncode != 0 and not os.environ.get("CI"):
            pytest.skip(f"npm could not install the client: {said.stderr.strip()[-200:]}")
        assert said.returncode == 0, said.stderr
    return folder


def watch(modules, project, text, wanted, *server):
    """What the client saw until these codes were shown, and the log of the server."""
    (project.folder / "noisy.py").write_text(text)
    done = project.run("node", NODE / "client.js", modules, project.folder / "noisy.py", wanted, *server)
    log, brace, story = done.stdout.rpartition('{"errors"')
    return json.loads(brace + story), log


def test_what_mechanisms_print_does_not_reach_the_editor(modules, project):
    with (project.folder / "pyproject.toml").open("a") as settings:
        settings.write('allow = ["process"]\n')

    story, log = watch(modules, project, ALL, "forks: DP901, prints: DP901, writes: DP901", "dplint", "server")

    assert story["errors"] == [], log
    assert story["codes"] == ["forks: DP901", "prints: DP901", "writes: DP901"]
    assert sum(" violated: " in title for title in story["lenses"]) == 3


def test_what_the_server_and_its_children_print_does_not_reach_the_editor(modules, project):
    story, log = watch(modules, project, PRINTS, "prints: DP901", sys.executable, NODE / "chatty.py")

    assert story == {"errors": [], "codes": ["prints: DP901"], "lenses": story["lenses"]}, log


def test_a_start_that_leaves_the_output_where_it_was_is_noticed(modules, project):
    """The proof that the tests above could fail: the same server, without the one thing that protects the stream."""
    story, log = watch(modules, project, PRINTS, "prints: DP901", sys.executable, NODE / "chatty.py", "careless")

    assert any("Content-Length" in error for error in story["errors"]), log
    assert story["codes"] == []
