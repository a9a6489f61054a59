"""What a mechanism is made of: a change of any part of it is seen, and a change of anything else is not."""

import sys
from pathlib import Path

import pytest

from dplint.check.loading import Target, load_targets
from dplint.check.mechanism_keys import MechanismKeys
from dplint.config import load_settings

FILES = {
    "pyproject.toml": "",
    "src/shop/__init__.py": "from .tables import *\n",
    "src/shop/tables.py": "import shop.numbers.small\n",
    "src/shop/numbers/__init__.py": "",
    "src/shop/numbers/small.py": "ONE = 1\n",
    "src/shop/numbers/large.py": "def broken(:\n",
    "src/shop/release.py": """
from dplint import dp
from . import noise
from .numbers import large as big
import numpy as np, shop.release


@dp(epsilon=1.0, neighbors="shop.pairs:make")
def count(rng, rows):
    from shop import late
    return len(rows) + rng.laplace()
""",
    "src/shop/noise.py": "",
    "src/shop/late.py": "import shop.release, shop.nowhere\n",
    "src/shop/pairs.py": "def make(): yield 1, 2\n",
    "src/shop/other.py": "import shop.noise\n",
    "src/noise.py": "",
}
MADE_OF = [
    *("src/shop/__init__.py", "src/shop/tables.py", "src/shop/numbers/__init__.py", "src/shop/numbers/small.py"),
    *("src/shop/numbers/large.py", "src/shop/release.py", "src/shop/noise.py", "src/shop/late.py"),
    "src/shop/pairs.py",
]


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def mechanism(project):
    found = load_targets([project / "src/shop/release.py"], load_settings(project, {}))
    (target,) = [item for item in found if isinstance(item, Target)]
    return target.mechanism


def digest(project, interpreter=sys.executable, text=None):
    return MechanismKeys().digest(mechanism(project), interpreter, text)


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".py")])
def test_a_change_is_seen_if_and_only_if_the_mechanism_imports_the_file(project, name):
    before = digest(project)
    (project / name).write_text(FILES[name] + "\n# changed\n")
    assert (digest(project) != before) == (name in MADE_OF)


def test_a_module_that_appears_is_seen(project):
    before = digest(project)
    (project / "src/shop/nowhere.py").write_text("")
    assert digest(project) != before


def test_a_buffer_stands_for_the_file(project):
    text = FILES["src/shop/release.py"]
    assert digest(project, text=text) == digest(project)
    assert digest(project, text=text + "#") != digest(project)


STRANGER = "\n\ndef stranger():\n    return 1\n"


def test_a_function_of_the_file_that_it_cannot_reach_is_no_part_of_it(project):
    (project / "src/shop/late.py").write_text("")
    text = FILES["src/shop/release.py"]
    assert digest(project, text=text + STRANGER) == digest(project)
    assert digest(project, text=text + STRANGER.replace("return 1", "return 2")) == digest(project)
    assert digest(project, text=text.replace("len(rows)", "stranger()") + STRANGER) != digest(project)
    assert digest(project, text=text + "\nONE = 1\n") != digest(project)


def test_a_file_that_others_import_back_counts_as_a_whole(project):
    text = FILES["src/shop/release.py"]
    assert digest(project, text=text + STRANGER) != digest(project)


def environment(folder: Path, *packages: str) -> str:
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "bin" / "python").touch()
    for package in packages:
        (folder / "lib" / "python3.12" / "site-packages" / f"{package}.dist-info").mkdir(parents=True, exist_ok=True)
    return str(folder / "bin" / "python")


def test_the_packages_of_the_environment_and_their_versions_count(project, tmp_path):
    one = digest(project, environment(tmp_path / "one", "numpy-2.0", "rich-13"))
    assert digest(project, environment(tmp_path / "two", "rich-13", "numpy-2.0")) == one
    assert digest(project, environment(tmp_path / "three", "numpy-2.1", "rich-13")) != one


def test_a_mechanism_without_a_file_cannot_be_described(project):
    found = mechanism(project)
    (project / "src/shop/release.py").unlink()
    with pytest.raises(OSError, match="No such file"):
        MechanismKeys().digest(found, sys.executable, None)


ABOVE = "# why\n\ndef unrelated():\n    return [\n        1,\n    ]\n\n"
MOVED = """from dplint import dp


def noise(rng):
    return rng.laplace()


@dp(epsilon=1.0, neighbors="linf")
def release(rng, answers):
    total = answers[0]

    return total + noise(
        rng
    )
"""


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        (MOVED, {}),
        (ABOVE + MOVED, {line: line + 7 for line in (1, 4, 5, 8, 9, 10, 12, 13, 14)}),
        (MOVED.replace("\ndef noise", "# noise\n\n\ndef noise"), {1: 1, 4: 6, 5: 7, 9: 11, 10: 12, 12: 14, 13: 15}),
    ],
)
def test_where_all_stands_now_that_a_mechanism_is_made_of(tmp_path, now, lines):
    def places():
        (mechanism,) = [one.mechanism for one in load_targets([tmp_path], load_settings(tmp_path, {}))]
        keys = MechanismKeys()
        return keys.digest(mechanism, sys.executable, None), keys.places(mechanism, None)

    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "release.py").write_text(MOVED)
    digest, before = places()
    (tmp_path / "release.py").write_text(now)
    digest_now, there = places()

    moved = there.moved(before.document())

    assert digest == digest_now
    assert moved.items() >= lines.items()
    old, new = MOVED.splitlines(), now.splitlines()
    assert all(old[line - 1] == new[at - 1] for line, at in moved.items())
    assert there.moved(None) == {}
