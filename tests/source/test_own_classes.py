"""What a constructor takes, and which methods prepare an object, by the source of classes."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from dplint.source.files import import_place
from dplint.source.module import parse_module
from dplint.source.own_classes import own_class, preparers_of
from dplint.source.project import ProjectIndex


def owner(folder: Path, text: str, name: str = "C"):
    (folder / "m.py").write_text(text, encoding="utf-8")
    place = import_place(folder / "m.py")
    found = own_class(name, parse_module(text, place), ProjectIndex(place))
    assert found is not None
    return found


def test_the_constructor_of_a_base_class_in_another_file_is_seen(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text("class B:\n    def __init__(self, a, b=1): pass\n", encoding="utf-8")
    found = owner(tmp_path, "from base import B as Base\n\nclass C(Base):\n    pass\n")
    assert [one.name for one in found.constructor() or ()] == ["a", "b"]


def test_the_constructor_of_a_base_class_that_the_project_does_not_have_is_not(tmp_path: Path) -> None:
    assert owner(tmp_path, "from other import B\n\nclass C(B):\n    pass\n").constructor() is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The constructor does not set it.
        ("def __init__(self): self.a = 1\ndef start(self, x): self.x = x\ndef f(self): return self.x", ["start"]),
        # It sets what stands for nothing yet.
        ("def __init__(self): self.x = None\ndef start(self, x): self.x = x\ndef f(self): return self.x", ["start"]),
        ("def __init__(self): self.x = 0\ndef start(self, x): self.x = x\ndef f(self): return self.x", ["start"]),
        # It sets something.
        ("def __init__(self): self.x = 7\ndef start(self, x): self.x = x\ndef f(self): return self.x", []),
        ("def __init__(self, x): self.x = x\ndef start(self, x): self.x = x\ndef f(self): return self.x", []),
        # It asks whether there is anything.
        (
            "def __init__(self): self.x = None\ndef start(self, x): self.x = x\n"
            "def f(self): return 1 if self.x is None else self.x",
            [],
        ),
        (
            "def __init__(self): self.x = None\ndef start(self, x): self.x = x\ndef f(self): return self.x or 1",
            [],
        ),
        # It begins there, and goes on.
        ("def __init__(self): self.x = []\ndef load(self, x): self.x = x\ndef f(self): return self.x.append(1)", []),
        (
            "def __init__(self): self.x = 0\ndef restore(self, x): self.x = x\n"
            "def f(self):\n    self.x += 1\n    return self.x",
            [],
        ),
        # By a method that it calls, or as the class has it.
        (
            "def __init__(self): self.start(1)\ndef start(self, x): self.x = x\ndef f(self): return self.x",
            [],
        ),
        ("x = 3\ndef start(self, x): self.x = x\ndef f(self): return self.x", []),
        # To set it back to nothing prepares nothing, and neither does what counts on.
        ("def __init__(self): self.x = 0\ndef clear(self): self.x = 0\ndef f(self): return self.x", []),
        ("def __init__(self): self.x = 0\ndef more(self): self.x = self.x + 1\ndef f(self): return self.x", []),
        ("def __init__(self): self.x = 0\ndef more(self): self.x += 1\ndef f(self): return self.x", []),
        # Read by a method that it calls.
        ("def start(self): self.x = 1\ndef f(self): return self.g()\ndef g(self): return self.x", ["start"]),
        # It gives it a value itself, or is called by what does.
        ("def start(self): self.x = 1\ndef f(self):\n    self.x = 2\n    return self.x", []),
        ("def run(self): self.x = self.f()\ndef f(self): return self.x", []),
        # What sets most of it comes first, and then what is left.
        (
            "def one(self): self.x = 1\ndef two(self): self.y = self.z = 1\ndef f(self): return self.x, self.y, self.z",
            ["two", "one"],
        ),
        # Not to be seen.
        ("def __init__(self, **a): vars(self).update(a)\ndef start(self): self.x = 1\ndef f(self): return self.x", []),
        ("@property\ndef start(self): self.x = 1\ndef f(self): return self.x", []),
    ],
)
def test_what_has_to_be_called_first(tmp_path: Path, text: str, expected: list[str]) -> None:
    found = owner(tmp_path, f"class C:\n{textwrap.indent(text, '    ')}\n")
    assert [one.name for one in preparers_of(found, "f", set())] == expected


def test_an_attribute_that_is_known_needs_nothing(tmp_path: Path) -> None:
    found = owner(tmp_path, "class C:\n    def start(self): self.x = 1\n    def f(self): return self.x\n")
    assert preparers_of(found, "f", {"x"}) == []


def test_of_bases_that_are_not_seen_nothing_is_said(tmp_path: Path) -> None:
    found = owner(tmp_path, "class C(B):\n    def start(self): self.x = 1\n    def f(self): return self.x\n")
    assert preparers_of(found, "f", set()) == []


@pytest.mark.parametrize(
    ("line", "seeds"),
    [
        ("np.random.seed(3)", True),
        ("self.rng = np.random.default_rng(self.s)", True),
        ("self.rng = np.random.default_rng()", False),
        ("self.rng = Random(3)", True),
        ("pass", False),
    ],
)
def test_what_seeds_is_told(tmp_path: Path, line: str, seeds: bool) -> None:
    text = f"class C:\n    def start(self):\n        self.x = 1\n        {line}\n    def f(self): return self.x\n"
    (only,) = preparers_of(owner(tmp_path, text), "f", set())
    assert only.seeds is seeds
