"""`--diff-base`: a scratch repository of a dozen commits, and what is said of each."""

import json
import os
import re
import shutil
import subprocess

import pytest

from dplint.cli import main

STATIC = ["check", ".", "--static-only", "--format", "concise", "--no-progress"]
NOISE = """def scale(sensitivity, epsilon):
    return sensitivity / epsilon


def unrelated():
    return 1
"""
ADDING = """from shop.noise import scale


def noisy(rng, value, epsilon):
    return value + rng.laplace(scale=scale(1.0, epsilon))
"""
RELEASE = """from dplint import dp
from shop.adding import noisy


@dp(epsilon=0.5, neighbors="linf", sensitivity=1.0)
def count(rng, data: float):
    return noisy(rng, data, 0.5)
"""
MEAN = """from dplint import dp


@dp(epsilon=0.5, neighbors="linf", sensitivity=1.0)
def mean(rng, data: float):
    noise = rng.laplace(scale=2.0)
    return data + noise
"""


class Repository:
    """A repository in the working directory, with the four modules of a small package."""

    def __init__(self, folder):
        self.folder = folder
        self.git("init", "-q", "-b", "main", ".")
        self.write("pyproject.toml", '[project]\nname = "shop"\n')
        self.write("shop/__init__.py", "")
        self.write("shop/noise.py", NOISE)
        self.write("shop/adding.py", ADDING)
        self.write("shop/release.py", RELEASE)
        self.write("shop/mean.py", MEAN)
        self.commit()

    def git(self, *words):
        identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *identity, *words], cwd=self.folder, check=True, capture_output=True, text=True)
        return done.stdout

    def write(self, name, text):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)

    def edit(self, name, old, new):
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def move(self, old, new):
        (self.folder / old).rename(self.folder / new)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work", "--allow-empty")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Repository(folder)


def said(out):
    """By place and name what is said of each mechanism."""
    entries = re.findall(r"^(\S+):\d+ (\S+)\n((?:  .*\n)+)", out.partition("The change since")[2], re.MULTILINE)
    return {f"{file} {name}": [line.strip() for line in lines.splitlines()] for file, name, lines in entries}


COMMITS = [
    ("nothing", lambda r: None, 0, {}),
    (
        "loosened claim",
        lambda r: r.edit("shop/mean.py", "epsilon=0.5", "epsilon=1"),
        1,
        {"shop/mean.py mean": ["worse: claim loosened: epsilon from 0.5 to 1"]},
    ),
    (
        "tightened claim",
        lambda r: r.edit("shop/mean.py", "epsilon=1", "epsilon=0.25"),
        0,
        {"shop/mean.py mean": ["claim tightened: epsilon from 1 to 0.25"]},
    ),
    (
        "helper two modules away",
        lambda r: r.edit("shop/noise.py", "sensitivity / epsilon", "2 * sensitivity / epsilon"),
        0,
        {"shop/release.py count": ["source changed through shop/noise.py"]},
    ),
    ("renamed", lambda r: r.edit("shop/mean.py", "def mean", "def average"), 0, None),
    (
        "moved",
        lambda r: r.move("shop/mean.py", "shop/means.py"),
        0,
        {"shop/means.py average": ["moved from shop/mean.py"]},
    ),
    (
        "new file",
        lambda r: r.write("shop/fresh.py", MEAN.replace("mean", "fresh").replace("data + noise", "noise - data * 3")),
        0,
        {"shop/fresh.py fresh": ["new"]},
    ),
    (
        "deleted claim",
        lambda r: r.edit("shop/fresh.py", '@dp(epsilon=0.5, neighbors="linf", sensitivity=1.0)\n', ""),
        1,
        {"shop/fresh.py fresh": ["worse: bears no claim that can be tested any more"]},
    ),
    ("deleted file", lambda r: (r.folder / "shop/fresh.py").unlink(), 0, {}),
    (
        "another relation",
        lambda r: r.edit("shop/means.py", '"linf"', '"l1"'),
        1,
        {
            "shop/means.py average": [
                "worse: claim changed: relation from linf to l1, which may promise less",
            ]
        },
    ),
    ("an unrelated file", lambda r: r.write("shop/plots.py", "def plot():\n    return 2\n"), 0, {}),
    (
        "deleted function",
        lambda r: r.write("shop/means.py", "from dplint import dp\n"),
        0,
        {"shop/means.py average": ["gone, with its function"]},
    ),
]
RENAMED = {"shop/mean.py average": ["renamed from mean"]}


def test_each_of_twelve_commits_is_told_alone(repository, capsys):
    """Expected is what each edit was made to do: known from the edits above, not from dplint."""
    for name, edit, code, expected in COMMITS:
        edit(repository)
        repository.commit()
        capsys.readouterr()
        assert main([*STATIC, "--diff-base", "HEAD~1"]) == code, name
        assert said(capsys.readouterr().out) == (RENAMED if expected is None else expected), name


def test_all_of_them_together_are_one_difference(repository, capsys):
    """Between the ends, what came and went on the way is not seen."""
    for _, edit, _, _ in COMMITS:
        edit(repository)
        repository.commit()

    assert main([*STATIC, "--diff-base", "HEAD~12"]) == 0
    assert said(capsys.readouterr().out) == {
        "shop/mean.py mean": ["gone, with its function"],
        "shop/release.py count": ["source changed through shop/noise.py"],
    }


def test_what_others_did_since_on_the_base_is_no_change_of_ours(repository, capsys):
    repository.git("checkout", "-q", "-b", "ours")
    repository.edit("shop/release.py", "epsilon=0.5", "epsilon=2")
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "ours")
    repository.git("checkout", "-q", "main")
    repository.edit("shop/mean.py", "epsilon=0.5", "epsilon=9")
    repository.commit()
    repository.git("checkout", "-q", "ours")

    assert main([*STATIC, "--diff-base", "main"]) == 1
    assert list(said(capsys.readouterr().out)) == ["shop/release.py count"]


def test_a_claim_in_the_settings_is_compared_too(repository, capsys):
    table = '[tool.dplint.mechanisms]\n"shop.plain:plain" = {{ epsilon = {}, neighbors = "linf" }}\n'
    repository.write("shop/plain.py", "def plain(rng, data: float):\n    return data + rng.laplace(scale=2.0)\n")
    repository.write("pyproject.toml", table.format(0.5))
    repository.commit()
    repository.write("pyproject.toml", table.format(0.75))

    assert main([*STATIC, "--diff-base", "HEAD"]) == 1
    told = said(capsys.readouterr().out)
    assert told == {"shop/plain.py plain": ["worse: claim loosened: epsilon from 0.5 to 0.75"]}


REPORT = """from dplint import dp
from shop.release import count


@dp(epsilon=1.4, neighbors="linf", sensitivity=1.0)
def nightly_report(rng, data: float):
    return count(rng, data) + count(rng, data)
"""


def test_a_budget_is_told_in_words_and_worse_where_it_is_overspent(repository, capsys, tmp_path):
    """Two calls of a part of 0.5 spend 1.0; of 0.6, 1.2; of 0.75, 1.5, which is more than the 1.4 of the report."""
    repository.write("shop/report.py", REPORT)
    repository.commit()
    report = "shop/report.py nightly_report"

    repository.edit("shop/release.py", "epsilon=0.5", "epsilon=0.6")
    assert main([*STATIC, "--diff-base", "HEAD"]) == 1
    assert said(capsys.readouterr().out) == {
        "shop/release.py count": ["worse: claim loosened: epsilon from 0.5 to 0.6"],
        report: ["budget 1 -> 1.2 of 1.4 claimed", "source changed through shop/release.py"],
    }

    repository.commit()
    repository.edit("shop/release.py", "epsilon=0.6", "epsilon=0.75")
    assert main([*STATIC, "--diff-base", "HEAD", "--format", f"sarif={tmp_path / 'out.sarif'}"]) == 1
    assert said(capsys.readouterr().out)[report] == [
        "worse: budget 1.2 -> 1.5 of 1.4 claimed, which overspends",
        "source changed through shop/release.py",
    ]
    (run,) = json.loads((tmp_path / "out.sarif").read_text())["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["DP407"]
    mechanisms = run["properties"]["changes"]["mechanisms"]
    assert {one["function"]: any(each["worse"] for each in one["differences"]) for one in mechanisms} == {
        "count": True,
        "nightly_report": True,
    }

    repository.commit()
    repository.edit("shop/report.py", "+ count(rng, data)", "")
    assert main([*STATIC, "--diff-base", "HEAD"]) == 0
    assert said(capsys.readouterr().out) == {report: ["budget 1.5 -> 0.75 of 1.4 claimed", "source changed"]}


STABLE = """from dplint import stable


@stable(d_out=100.0, neighbors="add-remove", domain=(0.0, 100.0))
def total(rows: list[float]):
    return sum(rows)
"""


def test_a_promise_of_stability_is_loosened_by_a_larger_distance(repository, capsys):
    repository.write("shop/total.py", STABLE)
    repository.commit()
    repository.edit("shop/total.py", "d_out=100.0", "d_out=200.0")
    assert main([*STATIC, "--diff-base", "HEAD"]) == 1
    assert re.search(r"worse: claim loosened: .*100.* to .*200", capsys.readouterr().out)

    repository.edit("shop/total.py", "d_out=200.0", "d_out=50.0")
    assert main([*STATIC, "--diff-base", "HEAD"]) == 0
    assert "  claim tightened: " in capsys.readouterr().out


def test_a_file_that_could_not_be_read_before_has_nothing_new_for_certain(repository, capsys):
    repository.write("shop/late.py", MEAN + "def (\n")
    repository.commit()
    repository.write("shop/late.py", MEAN)
    assert main([*STATIC, "--diff-base", "HEAD"]) == 0
    told = said(capsys.readouterr().out)
    assert told == {"shop/late.py mean": ["new, or not: its file could not be read before"]}


def test_findings_are_those_that_are_new_or_on_touched_lines(repository, capsys):
    """What was wrong before, in a place that nobody has touched, is no matter of this change."""
    wrong = MEAN.replace("epsilon=0.5", "epsilon=0")
    repository.write("shop/wrong.py", wrong)
    repository.commit()
    repository.write("shop/wrong.py", "# a comment\n\n" + wrong)
    assert main([*STATIC, "--diff-base", "HEAD"]) == 0
    assert "DP003" not in capsys.readouterr().out

    repository.write("shop/wrong.py", wrong + wrong.partition("\n")[2].replace("mean", "second"))
    assert main([*STATIC, "--diff-base", "HEAD"]) == 1
    out = capsys.readouterr().out
    assert out.count("DP003") == 1
    assert "1 new finding at the level of an error" in out


@pytest.mark.process
def test_a_lost_proof_is_worse_and_the_other_way_round_is_not(repository, capsys):
    """Half of the noise of a right Laplace mechanism breaks its claim; to give it back mends that."""
    check = ["check", ".", "--format", "markdown", "--no-progress", "--profile", "commit"]
    repository.edit("shop/noise.py", "sensitivity / epsilon", "sensitivity / epsilon / 2")
    assert main([*check, "--diff-base", "HEAD"]) == 1
    out = capsys.readouterr().out
    assert "- `count` (`shop/release.py:6`)\n  - source changed through shop/noise.py\n" in out
    assert "  - **worse:** proved before, now violation (DP901)\n" in out
    assert "mean" not in out

    repository.commit()
    repository.write("shop/noise.py", NOISE)
    assert main([*check, "--diff-base", "HEAD"]) == 0
    assert "  - violation (DP901) before, now proved\n" in capsys.readouterr().out


def notebook(*cells):
    kind = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    made = [{**kind, "source": [cell]} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.process
def test_a_verdict_in_a_notebook_is_compared_too(repository, capsys):
    """Half of the noise, in the second cell, and a cell before it that is new."""
    head, body = MEAN.split("\n\n\n")
    repository.write("book.ipynb", notebook(head, body))
    repository.commit()
    repository.write("book.ipynb", notebook(head, "x = 1", body.replace("scale=2.0", "scale=1.0")))

    check = ["check", "book.ipynb", "--format", "concise", "--no-progress", "--profile", "commit"]
    assert main([*check, "--diff-base", "HEAD"]) == 1
    told = said(capsys.readouterr().out.replace("book.ipynb:cell 3:", "book.ipynb-cell-3:"))
    assert told == {
        "book.ipynb-cell-3 mean": ["source changed", "worse: proved before, now violation (DP901)"],
    }


def test_nothing_of_the_repository_is_run_by_git(repository, capsys):
    """Filters, monitors and hooks are commands of whoever has written the repository's settings."""
    trap = repository.folder.parent / "trapped"
    repository.write(".gitattributes", "*.py filter=trap diff=trap\n")
    repository.commit()
    for key in ("filter.trap.smudge", "filter.trap.clean", "diff.trap.textconv", "diff.trap.command", "core.fsmonitor"):
        repository.git("config", key, f"touch {trap}; cat")
    (repository.folder / ".git/hooks/post-checkout").write_text(f"#!/bin/sh\ntouch {trap}\n")
    (repository.folder / ".git/hooks/post-checkout").chmod(0o755)
    repository.edit("shop/mean.py", "epsilon=0.5", "epsilon=1")

    assert main([*STATIC, "--diff-base", "HEAD"]) == 1
    assert not trap.exists()
    repository.git("status")
    assert trap.exists(), "the trap works"


def test_what_is_wrong_with_the_base_is_told(repository, capsys, monkeypatch, tmp_path):
    assert main([*STATIC, "--diff-base", "nowhere"]) == 2
    assert "git knows no revision 'nowhere'" in capsys.readouterr().err
    assert main([*STATIC, "--diff-base", "--all"]) == 2
    assert "git knows no revision '--all'" in capsys.readouterr().err
    assert main([*STATIC, "--diff-base", "HEAD", "--watch"]) == 2
    assert "--diff-base compares whole files once, and does not go with --watch" in capsys.readouterr().err

    repository.commit()
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", repository.folder.as_uri(), shallow], check=True)
    monkeypatch.chdir(shallow)
    assert main([*STATIC, "--diff-base", "HEAD~1"]) == 2
    assert "this clone is shallow" in capsys.readouterr().err

    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_text(MEAN)
    monkeypatch.chdir(outside)
    assert main([*STATIC, "--diff-base", "HEAD"]) == 2
    assert "is in no git repository" in capsys.readouterr().err
    monkeypatch.setenv("PATH", os.devnull)
    assert shutil.which("git") is None
    assert main([*STATIC, "--diff-base", "HEAD"]) == 2
    assert "git is not installed" in capsys.readouterr().err
