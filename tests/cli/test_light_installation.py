"""Where only what reading takes is installed: the check of the source, and what the rest says."""

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WRONG = """# dplint: dp(epsilon="epsilon", neighbors="linf", size=1)
def count(answers, epsilon, rng):
    return answers[0] + rng.laplace(scale=epsilon)
"""
WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder

class Light(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        there = {there!r} | {{"dplint", "_yaml"}}
        return super().find_spec(name, path, target) if path or name in there | sys.stdlib_module_names else None

sys.meta_path = [one for one in sys.meta_path if one is not PathFinder] + [Light]
from dplint.main import main
sys.exit(main())
"""
"""An interpreter that finds these packages alone."""


def hook_words():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (words,) = (one["additional_dependencies"] for one in hooks if one["id"] == "dplint-static")
    return words


def name_of(requirement):
    return re.match(r"[\w-]+", requirement)[0].lower()


def light(folder, *arguments):
    there = {"pyyaml": "yaml", "pyyaml-ft": "yaml_ft"}
    names = {there.get(name, name) for name in map(name_of, hook_words()[1:])}
    command = [sys.executable, "-c", WITHOUT.format(there=names), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "count.py").write_text(WRONG)
    return tmp_path


@pytest.mark.process
@pytest.mark.parametrize("form", ["concise", "json", "sarif", "github", "gitlab", "junit"])
def test_the_source_is_checked_without_what_audits_take(project, form):
    done = light(project, "check", "--static-only", "--format", form)

    assert (done.returncode, done.stderr) == (1, "")
    assert form == "gitlab" or "DP101" in done.stdout


@pytest.mark.process
@pytest.mark.parametrize(
    ("missing", "arguments"),
    [
        ("numpy", ["check", "--format", "concise"]),
        ("numpy", ["inspect", "exact", "count.py::count", "--format", "json"]),
        ("rich", ["check", "--static-only"]),
        ("lsprotocol", ["server"]),
    ],
)
def test_what_takes_more_says_what_is_missing_and_how_to_mend_it(project, missing, arguments):
    done = light(project, *arguments)

    assert done.returncode == 2, done.stdout + done.stderr
    assert f"{missing} is not installed" in done.stderr
    assert "--static-only" in done.stderr
    assert "--no-deps" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_hook_installs_what_its_packages_require():
    """With --no-deps nothing comes by itself. Bounds are those of the project."""
    no_deps, no_compile, *words = hook_words()
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    required = {
        name_of(one)
        for word in words
        if name_of(word) != "colorama" and not name_of(word).startswith("pyyaml")
        for one in metadata.requires(name_of(word)) or []
        if "extra ==" not in one and 'python_version < "3.10"' not in one
    }

    assert (no_deps, no_compile) == ("--no-deps", "--no-compile")
    assert required <= set(map(name_of, words))
    assert {word for word in words if name_of(word) in map(name_of, ours)} <= set(ours)
    assert {"click", "libcst", "platformdirs"} <= set(map(name_of, words))
