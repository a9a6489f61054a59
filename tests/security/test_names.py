"""Names of files, functions and exceptions are printed: no terminal, no log and no CI obeys them."""

import io
import logging
from dataclasses import replace

import pytest

from dplint.claims import Span
from dplint.main import main
from dplint.outcomes import CheckError, Finding, Result, Severity
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import gather
from dplint.report.literals import for_logs, one_line, printable
from dplint.report.terminal import console_of
from dplint.server.main import _Printable
from tests.report.report_samples import FAILED, mechanism

HOSTILE = {
    "escape": "a\x1b[2J\x1b]0;title\x07b",
    "C1": "a\x9b31mb",
    "bell": "a\x07\x08b",
    "right to left": "a\u202egnp.\u2066b\u200f",
    "line end": "n\n::error file=x::pwn",
    "carriage return": "n\r::error file=x::pwn",
    "other line ends": "n\u2028::error::x\u0085::warning::y\x0b::notice::z",
    "command": "::error file=x::pwn",
    "command of Azure": "##vso[task.setvariable variable=x]y ##[error]z",
}
FORMATS = ["rich", "concise", "github"]


def harmless(text, *, commands=()):
    """Nothing but printable characters and line ends, and no commands but those."""
    assert not {char for char in text if not (char.isprintable() or char == "\n")}
    lines = [line.strip() for line in text.splitlines()]
    assert [line for line in lines if line.startswith("::")] == list(commands)
    # What is within a command of GitHub is none of another system.
    assert not any(sign in line for line in lines if line not in commands for sign in ("##[", "##vso["))


def written(events, form):
    stream = io.StringIO()
    report = Report(gather(events), 1.0, lambda *_: None)
    format_of(form).write(report, stream)
    return stream.getvalue()


def events(name):
    span = Span(1, 1, 1, 5)
    failed = replace(FAILED, reason=f"{name}: {name}", detail=f"Traceback\n  {name}\n{name}")
    function = replace(mechanism(file=f"{name}.py"), path=f"/{name}.py", qualname=name)
    return [
        Result(function, failed),
        Finding(
            code="DP301",
            message=f"{name} is read",
            severity=Severity.ERROR,
            file=f"{name}.py",
            span=span,
            function=name,
        ),
        CheckError(f"{name}.py", 1, f"{name} cannot be read"),
    ]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", HOSTILE)
def test_no_report_is_obeyed(kind, form):
    text = written(events(HOSTILE[kind]), form)
    if form != "github":
        harmless(text)
        return
    commands = [line for line in text.splitlines() if line.startswith("::")]
    assert len(commands) == 3, "one for each problem"
    assert all(line.startswith("::error title=dplint") for line in commands)
    properties = [line.removeprefix("::error ").partition("::")[0].split(",") for line in commands]
    assert all(sum(one.startswith("file=") for one in several) == 1 for several in properties)
    harmless(text, commands=commands)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", [kind for kind in HOSTILE if "/" not in HOSTILE[kind]])
def test_files_of_such_names_are_checked_and_named_harmlessly(tmp_path, monkeypatch, capsys, kind, form):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / f"{HOSTILE[kind]}.py").write_text("from dplint import dp\ndef (")
    monkeypatch.chdir(tmp_path)
    assert main(["check", ".", "--static-only", "--format", form]) == 2
    out, err = capsys.readouterr()
    harmless(err)
    commands = [line for line in out.splitlines() if line.startswith("::")]
    assert len(commands) == (form == "github")
    harmless(out, commands=commands)


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_goes_to_stderr_is_as_harmless(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    assert main(["check", f"{HOSTILE[kind]}.py"]) == 2
    harmless(capsys.readouterr().err)


def test_a_terminal_gets_its_styles_and_no_more():
    """With colours: what is between the styles is printable, and links have no escape sequences in them."""
    stream = io.StringIO()
    console = console_of(stream)
    console._force_terminal, console._color_system = True, console._detect_color_system()
    console.print("a\x1b[2Jb\x9bc\u202ed", style="bold")
    assert stream.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "").strip() == r"a\x1b[2Jb\x9bc\u202ed"


def test_a_log_of_the_server_is_one(capsys):
    record = logging.LogRecord("dplint", logging.WARNING, "x.py", 1, "read %s", ("a\x1b[2J\u202eb",), None)
    assert _Printable("%(message)s").format(record) == r"read a\x1b[2J\u202eb"


def test_what_is_harmless_stays_as_it_is():
    for text in ("größe/überblick.py:3:5", "数据.py", "x[::2]", "a :: b", "# a comment", "## heading", ""):
        assert for_logs(printable(text)) == one_line(text) == text
    assert for_logs("x[::2]\n  ::error::y") == "x[::2]\n  \\::error::y"
