"""`dplint config` says what holds and why; `dplint clean` removes caches and nothing else."""

import json

import pytest

from dplint.cli import main
from dplint.config.schema import schema_text
from dplint.runner import fence
from dplint.store import NAME, Entry, Store


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        "[tool.dplint]\nprofile = 'commit'\n[tool.dplint.severity]\nDP0 = 'info'\n"
    )
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "pyproject.toml").write_text("[tool.dplint]\nalpha = 0.01\n")
    (tmp_path / "inner" / "release.py").write_text("")
    return tmp_path


def shown(capsys, *arguments):
    assert main(["config", *arguments, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    return document["pyproject"], {name: tuple(one.values()) for name, one in document["settings"].items()}


def test_the_settings_of_a_file_with_their_origins(project, capsys, monkeypatch):
    monkeypatch.setenv("DPLINT_SEED", "5")
    file, settings = shown(capsys, "inner/release.py", "--budget", "3s")
    assert file == "inner/pyproject.toml"
    assert settings["alpha"] == (0.01, "inner/pyproject.toml:2")
    assert settings["seed"] == (5, "DPLINT_SEED")
    assert settings["budget"] == (3.0, "--budget")
    assert settings["profile"] == ("ci", "default")
    file, settings = shown(capsys)
    assert (file, settings["budget"]) == ("pyproject.toml", (2.0, "profile commit"))
    assert settings["severity"] == ({"DP0": "info"}, "pyproject.toml:3")


def test_the_same_as_text(project, capsys):
    assert main(["config", "inner"]) == 0
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head == "Settings for inner, by inner/pyproject.toml"
    assert [line.split() for line in lines if line.startswith("alpha")] == [["alpha", "0.01", "inner/pyproject.toml:2"]]


@pytest.mark.parametrize("standing", [(), ("network", "write", "read", "ptrace"), tuple(fence.PARTS)])
def test_which_fence_stands_is_told(project, capsys, monkeypatch, standing):
    opened = ("write", "read")

    def try_out(allow, named):
        assert str(project) in named
        return tuple(part for part in standing if part not in opened)

    monkeypatch.setattr(fence, "try_out", try_out)
    assert main(["config", "--format", "json", "--allow", "write"]) == 0
    assert json.loads(capsys.readouterr().out)["fence"] == [part for part in standing if part not in opened]

    assert main(["config", "--allow", "write"]) == 0
    told = capsys.readouterr().out
    for part, words in fence.PARTS.items():
        (line,) = (line for line in told.splitlines() if words in line)
        if part in opened:
            assert "allow" in line
        else:
            assert ("audit hook" in line) == (part not in standing)


def test_wrong_settings_are_named_with_their_line(project, capsys):
    (project / "pyproject.toml").write_text("[tool.dplint.severity]\nDP0 = 'eror'\n")
    assert main(["config"]) == 2
    assert "pyproject.toml:2: severity.DP0 must be one of" in " ".join(capsys.readouterr().err.split())


def test_the_schema_is_printed(capsys):
    assert main(["config", "--schema"]) == 0
    assert capsys.readouterr().out == schema_text()


def cached(folder):
    Store(folder, {"function": "f"}, {}).save(Entry("violation", 5, None))
    return folder / NAME


def test_caches_are_removed_here_and_below(project, capsys):
    caches = [cached(project), cached(project / "inner")]
    assert main(["clean"]) == 0
    assert not any(cache.exists() for cache in caches)
    assert capsys.readouterr().out.count("1 file") == 2
    assert main(["clean", "inner/release.py"]) == 0
    assert "no cache" in capsys.readouterr().out


def test_a_file_cleans_the_project_that_it_is_part_of(project):
    caches = [cached(project), cached(project / "inner")]
    assert main(["clean", "inner/release.py"]) == 0
    assert [cache.exists() for cache in caches] == [True, False]


def test_what_dplint_has_not_made_is_kept(project, capsys):
    (project / NAME).mkdir()
    (project / NAME / "thesis.json").write_text("{}")
    assert main(["clean"]) == 0
    assert (project / NAME / "thesis.json").exists()
    cached(project / "inner")
    (project / "inner" / NAME / "notes.txt").write_text("mine")
    assert main(["clean"]) == 0
    assert [path.name for path in (project / "inner" / NAME).iterdir()] == ["notes.txt"]
    assert "is kept" in capsys.readouterr().err


def test_a_path_that_is_not_there(project, capsys):
    assert main(["clean", "iner"]) == main(["config", "iner"]) == 2
    assert "'inner'" in capsys.readouterr().err
