"""Where dplint is installed from: one address, the tag of this version, and no index."""

import json
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from dplint import __version__
from scripts.address import ADDRESS, move, problems, requirement
from scripts.wheel import wrong_in

ROOT = Path(__file__).resolve().parents[2]


def made(folder, **files):
    subprocess.run(("git", "init", "--quiet"), cwd=folder, check=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    subprocess.run(("git", "add", "."), cwd=folder, check=True)
    return folder


def test_no_page_template_or_extension_installs_from_an_index_or_another_tag():
    assert list(problems(ROOT)) == []


@pytest.mark.parametrize(
    "line",
    [
        "pip install dplint", "$ pip install -U 'dplint[cluster]'", "- run: pip install . dplint",
        "pipx install dplint",
        "`uv tool install dplint`", "uvx dplint check", "conda install -c x dplint", "pip install dplint==0.1.0",
        f'pip install "dplint @ git+{ADDRESS}.git@v0.0.1"', "rev: v9.9.9",
    ],
)  # fmt: skip
def test_what_would_install_something_else_is_told(tmp_path, line):
    (told,) = problems(made(tmp_path, page=f"fine\n{line}\n"))
    assert told.startswith("page.md:2: ")


@pytest.mark.parametrize(
    "line",
    [
        f'pip install . "{requirement()}"', f"rev: v{__version__}", "pip install /path/to/dplint", "pip install .",
        "an offer to install dplint", "pip install -r dplint.txt",
    ],
)  # fmt: skip
def test_what_installs_this_version_is_not(tmp_path, line):
    assert list(problems(made(tmp_path, page=line))) == []


def test_another_address_goes_into_all_places(tmp_path):
    """Those that have the address, the package, and what the extension installs, which has none before."""
    for name in ("pyproject.toml", "scripts/address.py", "vscode-extension/package.json", "dplint.gitlab-ci.yml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    move(made(tmp_path, page=f"{ADDRESS} and {requirement()}"), "https://example.com/me/dplint")

    installed = requirement().replace(ADDRESS, "https://example.com/me/dplint")
    assert (tmp_path / "page.md").read_text() == f"https://example.com/me/dplint and {installed}"
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Repository"] == "https://example.com/me/dplint"
    assert '\nADDRESS = "https://example.com/me/dplint"' in (tmp_path / "scripts/address.py").read_text()
    package = json.loads((tmp_path / "vscode-extension/package.json").read_text())
    (setting,) = re.findall(r'"dplint.package": (\{[^}]*\})', json.dumps(package))
    assert json.loads(setting)["default"] == installed
    assert installed in (tmp_path / "dplint.gitlab-ci.yml").read_text()
    with pytest.raises(ValueError, match="no address"):
        move(tmp_path, "somewhere")


def test_the_recipe_requires_what_the_package_does():
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    run = {entry.replace(" ", "") for entry in recipe["requirements"]["run"]} - {f"python{project['requires-python']}"}
    assert run == set(project["dependencies"])
    assert recipe["context"]["version"] == __version__
    assert recipe["about"]["summary"] == project["description"]


def test_the_container_is_built_from_files_that_are_there():
    lines = (ROOT / "packaging/Containerfile").read_text().splitlines()
    for line in lines:
        if line.startswith("COPY "):
            assert all((ROOT / name).exists() for name in line.split()[1:-1]), line


def test_a_wheel_says_what_is_wrong_in_it(tmp_path):
    """An index has no files beside the readme, and a wheel that brings another package would overwrite somebody's."""

    def wrong(described: str, *more: str) -> str:
        with zipfile.ZipFile(tmp_path / "made.whl", "w") as made:
            for name in ("dplint/__init__.py", *more):
                made.writestr(name, "")
            made.writestr("dplint-0.1.0.dist-info/METADATA", f"Name: dplint\n\n{described}")
        with zipfile.ZipFile(tmp_path / "made.whl") as read:
            return wrong_in(read)

    assert wrong("[tutorial](https://example.org/dplint/blob/v0.1.0/docs/tutorial.md), [above](#above)") == ""
    assert wrong("[one](https://example.org) and [tutorial](docs/tutorial.md)").endswith("](docs/tutorial.md)")
    assert wrong("no links").endswith("there are none")
    assert wrong("[one](https://example.org)", "tests/__init__.py") == "the wheel holds more than the package: tests"
