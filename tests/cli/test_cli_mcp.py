"""`dplint mcp`, played by a client of the SDK over the standard input and output of the real server."""

import asyncio
import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from dplint.cli import main
from dplint.codes import for_assistants

pytestmark = pytest.mark.process

RIGHT = """from dplint import dp


@dp(epsilon=0.5, neighbors="linf")
def release(rng, data: float):
    return data + rng.laplace(scale=2.0)
"""
WRONG = RIGHT.replace("scale=2.0", "scale=1.0")
PLAIN = "def noisy(rng, data: float, epsilon):\n    return data + rng.laplace(scale=1 / epsilon)\n"
PARTS = """from dplint import dp


@dp(epsilon=1.0, neighbors="add-remove")
def part(rng, data: list[bool]):
    return sum(data) + rng.laplace(scale=1.0)


@dp(epsilon=0.5, neighbors="add-remove")
def whole(rng, data: list[bool]):
    return part(rng, data)
"""
TRACE = "open('ran', 'w').close()\n"


@contextlib.asynccontextmanager
async def client_of(*trusted):
    words = [word for folder in trusted for word in ("--trust", str(folder))]
    server = StdioServerParameters(command=sys.executable, args=["-P", "-m", "dplint", "mcp", *words])
    async with Client(stdio_client(server)) as client:
        yield client


async def ask(client, tool, **arguments):
    return (await client.call_tool(tool, arguments)).content[0].text


def printed(*words, text=""):
    """What the command itself prints, and its exit code."""
    command = [sys.executable, "-m", "dplint", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, input=text)
    return done.stdout, done.returncode


def command_lines():
    """Of all processes that are there; nothing where the system does not show them so."""
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield one.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")


def without_seconds(text):
    return re.sub(r"\d[\d.]* s\b", "", text)


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.dplint]\ncache = false\n")
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(WRONG)
    (folder / "plain.py").write_text(PLAIN)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    return folder


@pytest.mark.nightly
@pytest.mark.asyncio
async def test_answers_are_those_of_the_command(project):
    """Of each tool: what it prints, with the exit code behind it. What is not trusted is read alone."""
    async with client_of(project) as client:
        for tool, arguments, words in (
            ("check", {"path": "right.py"}, ["check", "right.py"]),
            ("check", {"path": "wrong.py", "function": "release"}, ["check", "wrong.py::release"]),
            ("suggest", {"path": "plain.py"}, ["suggest", "plain.py"]),
            ("budget", {}, ["budget"]),
            ("explain", {"code": "DP901"}, ["explain", "DP901"]),
            ("explain", {"code": "--help"}, ["explain", "--", "--help"]),
            ("prove", {"path": "right.py"}, ["check", "right.py", "--require-proof", "full"]),
            ("repair", {"path": "wrong.py", "function": "release"}, ["check", "wrong.py::release", "--diff"]),
            (
                "loss",
                {"path": "plain.py", "function": "noisy", "neighbors": "linf", "arguments": ["epsilon=2.0"]},
                ["inspect", "loss", "plain.py::noisy", "--neighbors", "linf", "--arg", "epsilon=2.0"],
            ),
        ):
            answer = await ask(client, tool, **arguments)
            out, code = printed(*words)
            assert without_seconds(answer).startswith(without_seconds(out.rstrip())), tool
            assert f"\nexit code {code}: " in answer, tool
        assert "is proved" in await ask(client, "check", path="right.py")
        assert "DP901" in await ask(client, "check", text=WRONG)
        assert "checked by" in await ask(client, "check", path="right.py", evidence=True)


@pytest.mark.asyncio
async def test_ten_tasks_of_somebody_who_writes_a_mechanism(project):
    """From a function that claims nothing to one that is proved and in its file, each answer that of the command."""
    (project / "parts.py").write_text(PARTS)
    named = ["--stdin-filename", "new.py"]
    claimed = "# dplint: dp(epsilon=0.5, neighbors='linf')\n" + PLAIN.replace(", epsilon", "").replace("/ epsilon", "")
    mended = claimed.replace("scale=1 ", "scale=2.0")
    function, both = {"path": "new.py", "function": "noisy"}, {"path": "new.py"}
    full = ["--require-proof", "full"]
    tasks = [
        ("explain", {"code": "DP401"}, ["explain", "DP401"], "", 0, "DP401"),
        ("suggest", {**both, "text": PLAIN}, ["suggest", "-", *named], PLAIN, 0, "1 claim suggested"),
        (
            "loss",
            {**function, "text": PLAIN, "neighbors": "linf"},
            ["inspect", "loss", "new.py::noisy", "--neighbors", "linf", *named],
            PLAIN,
            0,
            "spends at most epsilon, tight",
        ),
        ("check", {**both, "text": claimed}, ["check", "-", *named], claimed, 1, "DP901"),
        ("repair", {**function, "text": claimed}, ["check", "new.py::noisy", "--diff", *named], claimed, 1, "scale=2"),
        ("check", {**function, "text": mended}, ["check", "new.py::noisy", *named], mended, 0, "is proved"),
        ("prove", {**both, "text": mended}, ["check", "-", *full, *named], mended, 0, "is proved"),
        ("repair", {**both, "text": mended}, ["check", "-", "--diff", *named], mended, 0, ""),
        ("budget", {"path": "parts.py"}, ["budget", "parts.py"], "", 1, "overspends"),
        ("budget", {**both, "text": PARTS.replace("0.5", "1.5")}, ["budget", "-", *named], "", 0, "1 within"),
    ]
    async with client_of(project) as client:
        for tool, arguments, words, text, code, said in tasks:
            answer = await ask(client, tool, **arguments)
            out, returned = printed(*words, text=text or arguments.get("text", ""))
            assert without_seconds(answer).startswith(without_seconds(out.rstrip())), (tool, answer)
            assert f"exit code {code}: " in answer
            assert returned == code
            assert said in answer
    assert not (project / "new.py").exists()


@pytest.mark.asyncio
async def test_nothing_is_run_that_is_not_trusted(project, tmp_path):
    """A folder below another project is not trusted alone: imports come from there. Nor is a way out of the folder."""
    (project / "right.py").write_text(TRACE + WRONG)
    (project / "click.py").write_text(TRACE)
    below, other = project / "below", tmp_path / "other"
    below.mkdir()
    other.mkdir()
    (below / "wrong.py").write_text(TRACE + WRONG)
    async with client_of(below, other) as client:
        for path in ("right.py", "below/wrong.py", "below/../right.py", "."):
            answer = await ask(client, "check", path=path)
            assert "Nothing was run" in answer
            assert "DP901" not in answer
        assert "Nothing was run" in await ask(client, "check", text=TRACE + WRONG)
        assert "Nothing was run" in await ask(client, "changes", base="HEAD")
        assert "Nothing was run" in await ask(client, "prove", path="right.py")
        assert "Nothing was run" in await ask(client, "repair", path="right.py")
        for more in ({}, {"neighbors": "linf"}):
            assert "Nothing was run" in await ask(client, "loss", path="right.py", function="release", **more)
    assert not (project / "ran").exists()
    assert not (below / "ran").exists()


@pytest.mark.asyncio
async def test_a_call_tells_its_progress_and_can_be_cancelled(project):
    """The mechanism never ends; the server answers the next question all the same, and its processes are gone."""
    endless = RIGHT.replace("    return", "    while True:\n        pass\n    return")
    (project / "endless.py").write_text(endless)
    heard = asyncio.Event()

    async def hear(seconds, total, message):
        assert (total, message) == (None, f"working for {seconds:.0f} s")
        heard.set()

    async with client_of(project) as client:
        async with anyio.create_task_group() as group:

            async def call():
                await client.call_tool("check", {"path": "endless.py"}, progress_callback=hear)
                pytest.fail("it should not have ended")

            group.start_soon(call)
            with anyio.fail_after(60):
                await heard.wait()
            group.cancel_scope.cancel()
        with anyio.fail_after(60):
            assert "DP901" in await ask(client, "explain", code="DP901")
            while any("endless.py" in words for words in command_lines()):
                await anyio.sleep(0.1)


@pytest.mark.asyncio
async def test_two_clients_at_a_time(project):
    async with client_of(project) as one, client_of(project) as other:
        answers = await asyncio.gather(ask(one, "check", path="right.py"), ask(other, "check", path="wrong.py"))
    assert "is proved" in answers[0]
    assert "DP901" in answers[1]


def test_a_client_that_is_gone_ends_the_server_without_a_word(project):
    """It asks, and nobody is there to read the answer."""
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}) + "\n"
    command = [sys.executable, "-P", "-m", "dplint", "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        server.stdout.close()
        server.stdin.write(asked.encode())
        server.stdin.close()
        said = server.stderr.read().decode()
    assert "Traceback" not in said
    assert "bug" not in said


def test_the_page_for_assistants(project, capsys):
    """Its example is one that it says can be proved; what the server tells at first is the page."""
    assert main(["explain", "--for-assistants"]) == 0
    page = capsys.readouterr().out
    assert page == for_assistants()
    docs = Path(__file__).resolve().parents[2] / "docs" / "for-assistants.md"
    assert docs.read_text(encoding="utf-8").endswith(page), "the site shows the same"
    example = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    (project / "example.py").write_text(example)
    assert main(["check", "example.py", "--require-proof", "full", "--no-progress"]) == 0
    assert "total is proved for every length, any epsilon > 0" in capsys.readouterr().out
