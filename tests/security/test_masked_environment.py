"""No report shows an environment, whoever has read it."""

import os
from pathlib import Path

import pytest

from dplint.main import main
from dplint.outcomes import Failed, FailureKind, Untestable
from dplint.outcomes.verdicts import MASKED, without_environment
from dplint.report.formats import format_names

SECRETS = {"GITHUB_TOKEN": "ghp_0123456789", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI", "DB_PASS": "correct horse"}
BLOCK = "PATH=/usr/bin\0HOME=/home/a\0ODD_NAME=something odd\0"
RAISING = """
import os, sys

from dplint import dp


@dp(epsilon=1.0, neighbors="l1", size=2)
def printed(rng, xs):
    raise RuntimeError(f"no such {os.environ['GITHUB_TOKEN']}")


@dp(epsilon=1.0, neighbors="l1", size=2)
def whole(rng, xs):
    raise RuntimeError(open("/proc/self/environ").read())


@dp(epsilon=1.0, neighbors="l1", size=2)
def as_it_is(rng, xs):
    raise RuntimeError(os.environ)


@dp(epsilon=1.0, neighbors="l1", size=2)
def quoted(rng, xs):
    raise RuntimeError(open("/proc/self/environ", "rb").read())
"""


@pytest.mark.parametrize(
    "text",
    [
        "key {}: x",
        BLOCK + "TOKEN={}",
        repr((BLOCK + "X={}").encode()),
        repr(BLOCK + "X={}\0"),
        "environ({{'X': '{}'}})",
        "environ({{'X': '{}'",
    ],
)
@pytest.mark.parametrize("secret", SECRETS.values())
def test_neither_secrets_nor_whole_environments_are_shown(text, secret):
    shown = without_environment(text.format(secret), SECRETS)
    assert secret not in shown
    assert MASKED in shown
    assert "something odd" not in shown


def test_every_line_of_a_secret_is_masked():
    assert "line two" not in without_environment("ends with: line two!", {"PRIVATE_KEY": "line one\nline two!"})


def test_other_texts_stay_as_they_are():
    values = {"HOME": "/home/somebody", "DEBUG_TOKEN": "1", "PWD": "/home/somebody/project", "AUTHOR": "somebody else"}
    for text in ("/home/somebody/project/m.py: 1", "a=b c=d", "somebody else", "x=1\0", "environ is not defined", ""):
        assert without_environment(text, values) == text


def test_what_failed_is_masked_wherever_it_is_made(monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", SECRETS["GITHUB_TOKEN"])
    failed = Failed(kind=FailureKind.CRASH, reason="with ghp_0123456789", detail=f"Traceback\n{BLOCK}")
    assert (failed.reason, failed.detail) == (f"with {MASKED}", f"Traceback\n{MASKED}")
    assert Untestable(reason="with ghp_0123456789").reason == f"with {MASKED}"


@pytest.mark.process
def test_no_format_shows_what_functions_have_raised_of_it(tmp_path, monkeypatch, capsys):
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "m.py").write_text(RAISING)
    monkeypatch.chdir(tmp_path)
    forms = [form for form in format_names() if form != "rich"]
    files = [word for form in forms for word in ("--format", f"{form}=report.{form}")]
    main(["check", "m.py", "--budget", "200ms", "--format", "rich", *files, "--no-progress", "-v"])
    reports = {"rich": "".join(capsys.readouterr())} | {form: Path(f"report.{form}").read_text() for form in forms}
    hidden = [*SECRETS.values(), os.environ["XDG_CACHE_HOME"]]
    for form, said in reports.items():
        assert "printed" in said, form
        assert "no such" in said, form
        assert not [value for value in hidden if value in said], form
