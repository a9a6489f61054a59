"""Methods whose object is taken apart: read where the class says all about itself, opaque elsewhere."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from dplint.audit.comparing import NotPlain, program_arguments
from dplint.check.loading import Target, load_file
from dplint.check.programs import obstacles
from dplint.config import Settings
from dplint.program.nodes import Assign, Constant, Name
from dplint.runner.client import DataValue

CONSTRUCTOR = """
def __init__(self, scale=2.0):
    self.scale = scale
    self.rng = np.random.default_rng()
"""
METHOD = """
@dp(epsilon="epsilon", neighbors="l1")
def release(self, values, epsilon):
    return values[0] + self.rng.laplace(scale=self.scale / epsilon)
"""


def target_of(folder: Path, body: str, head: str = "class Mech:", after: str = "", method: str = METHOD) -> Target:
    text = "import numpy as np\nfrom dataclasses import dataclass, field\nfrom dplint import dp\n"
    text += f"{head}\n{indent(dedent(body) + method, '    ')}\n{dedent(after)}"
    (folder / "m.py").write_text(text)
    (target,) = (one for one in load_file(folder / "m.py", Settings()) if isinstance(one, Target))
    return target


def test_a_run_begins_with_what_the_constructor_assigns(tmp_path: Path) -> None:
    target = target_of(tmp_path, CONSTRUCTOR)

    assert not obstacles(target)
    assigned = [node for node in target.lowered.body if isinstance(node, Assign)]
    (first,) = assigned
    assert isinstance(first.targets[0], Name)
    assert isinstance(first.value, Constant)
    assert (first.targets[0].id, first.value.value) == ("self.scale", 2.0)


LOGGING = CONSTRUCTOR + "    self.log = logging.getLogger(__name__)\n"


@pytest.mark.parametrize(
    ("body", "obstacle"),
    [
        (LOGGING, None),
        ("log = logging.getLogger('m')\n" + CONSTRUCTOR, None),
        (LOGGING + "def other(self):\n    self.log = None\n", "a call of logging.getLogger"),
        (CONSTRUCTOR + "    self.log = made()\n", "a call of made"),
        (
            CONSTRUCTOR.replace("scale=2.0", "scale=2.0, logging=1") + "    self.log = logging.getLogger()\n",
            "an assignment to the attribute log",
        ),
    ],
)
def test_a_logger_that_an_object_holds_all_the_time_is_left_out(
    body: str, obstacle: str | None, tmp_path: Path
) -> None:
    method = METHOD.replace("    return", "    self.log.info('of %d', len(values), extra={'n': 1})\n    return")
    target = target_of(tmp_path, body, head="import logging\nclass Mech:", method=method)

    assert next((one.construct for one in obstacles(target)), None) == obstacle


def test_a_logger_is_no_value(tmp_path: Path) -> None:
    method = METHOD.replace("return", "return self.log,")
    target = target_of(tmp_path, LOGGING, head="import logging\nclass Mech:", method=method)

    assert [one.construct for one in obstacles(target)] == ["a logger used as a value"]


OPAQUE = {
    "an argument without a default": CONSTRUCTOR.replace("=2.0", ""),
    "a default that is computed": CONSTRUCTOR.replace("=2.0", "=made()"),
    "two seeds": CONSTRUCTOR.replace("default_rng()", "default_rng(7)") + "    self.rng = np.random.default_rng(8)\n",
    "a constructor that may end early": CONSTRUCTOR + "    return\n",
    "a hook of attribute access": CONSTRUCTOR + "def __getattr__(self, name): return 3\n",
    "a constructor of its own for objects": CONSTRUCTOR + "def __new__(cls): return object.__new__(cls)\n",
    "a method under a condition": CONSTRUCTOR + "if made:\n    def __init__(self): self.scale = 1\n",
    "a method that is bound twice": CONSTRUCTOR + "__init__ = None\n",
    "a name that is taken away": CONSTRUCTOR + "WIDE = 3\ndel WIDE\n",
    "an attribute that nobody assigns": CONSTRUCTOR.replace("self.scale =", "self.other ="),
    "a generator from somewhere": CONSTRUCTOR.replace("np.random.default_rng()", "made()"),
}


@pytest.mark.parametrize("body", OPAQUE.values(), ids=OPAQUE.keys())
def test_what_is_not_seen_through_is_in_the_way(tmp_path: Path, body: str) -> None:
    assert obstacles(target_of(tmp_path, body))


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("class Mech(made):", ""),
        ("import abc\nclass Mech(abc.Sized):", ""),
        ("class Mech(metaclass=type):", ""),
        ("@made\nclass Mech:", ""),
        ("class Mech:", "class Mech(Mech): pass"),
        ("class Mech:", "Mech.release = None"),
        ("class Mech:", "Mech.__init__ = None"),
        ("class Mech:", "setattr(Mech, '__init__', None)"),
    ],
)
def test_a_class_that_somebody_else_has_a_say_in_is_not_taken_apart(tmp_path: Path, head: str, after: str) -> None:
    text = f"class Base: pass\ndef made(one): return one\n{head}"

    assert obstacles(target_of(tmp_path, CONSTRUCTOR, text, after))


@pytest.mark.parametrize(
    ("extra", "call", "is_read"),
    [
        ("def twice(self, x): return 2 * x * self.scale", "self.twice(1.0)", True),
        ("def twice(me, x): return 2 * x * me.scale", "self.twice(x=1.0)", True),
        ("@property\ndef wide(self): return 2 * self.scale", "self.wide", True),
        ("@staticmethod\ndef twice(x): return 2 * x", "self.twice(1.0)", True),
        ("WIDE = 2 * 3", "self.WIDE", True),
        ("def outer(self): return self.inner()\ndef inner(self): return self.scale", "self.outer()", True),
        ("def noisy(self): return self.rng.laplace()", "self.noisy()", True),
        ("WIDE = [2, 3]", "self.WIDE[0]", False),
        ("@made\ndef twice(self, x): return 2 * x", "self.twice(1.0)", False),
        ("@classmethod\ndef twice(cls, x): return 2 * x", "self.twice(1.0)", True),
        ("def spend(self):\n    self.scale = 1\n    return 1", "self.spend()", True),
        ("def outer(self): return self.spend()\ndef spend(self): self.scale = 1", "self.outer()", True),
        ("def again(self): return self.again()", "self.again()", False),
    ],
)
def test_what_a_method_may_use_of_its_object(tmp_path: Path, extra: str, call: str, is_read: bool) -> None:
    method = METHOD.replace("self.scale / epsilon", f"{call} / epsilon")
    head = "def made(one): return one\nclass Mech:"

    assert bool(obstacles(target_of(tmp_path, f"{CONSTRUCTOR}{extra}\n", head, method=method))) != is_read


@pytest.mark.parametrize(
    ("fields", "is_read"),
    [
        ("scale: float = 2.0", True),
        ("scale: float = field(default=2.0)", True),
        ("scale: float = 2.0\nseen: list = field(default_factory=list)", True),
        ("scale: float", False),
        ("scale: float = field(default_factory=made)", False),
        ("scale: float = 2.0\ndef __post_init__(self): self.scale = 3", True),
    ],
)
def test_a_dataclass_is_made_of_its_fields(tmp_path: Path, fields: str, is_read: bool) -> None:
    head = "def made(): return 1\n@dataclass\nclass Mech:"
    method = METHOD.replace("self.rng", "np.random")

    assert bool(obstacles(target_of(tmp_path, f"{fields}\n", head, method=method))) != is_read


def test_what_a_base_class_assigns_and_a_method_changes_is_followed(tmp_path: Path) -> None:
    head = """class Base:
    def __init__(self, scale):
        half = scale / 2
        self.scale, self.count = half, 0
    def noise(self):
        self.count += 1
        return self.rng.laplace(scale=self.scale)
class Mech(Base):"""
    body = "def __init__(self):\n    super().__init__(2.0)\n    self.rng = np.random.default_rng()\n"
    method = METHOD.replace("self.rng.laplace(scale=self.scale / epsilon)", "self.noise(), self.count")

    assert not obstacles(target_of(tmp_path, body, head, method=method))


DEFAULTS = """
import enum
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
from dplint import dp


class Kind(enum.Enum):
    LAPLACE = "laplace"
    NORMAL = "normal"


Pair = namedtuple("Pair", "low high")


@dataclass(frozen=True)
class Bounds:
    low: float
    high: float = 2.0


@dataclass
class Counter:
    n: int = 0

    def next(self):
        self.n += 1
        return self.n


@dataclass(frozen=True)
class Grown:
    items: list = field(default_factory=list)


@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values, epsilon, given={default}):
    return values[0] + rng.laplace(scale={use} / epsilon)
"""


@pytest.mark.parametrize(
    ("default", "use", "read"),
    [
        ("Bounds(1.0)", "given.high", True),
        ("Pair(0, 3)", "given.high", True),
        ("Pair(0, epsilon)", "given.high", False),
        ("Counter()", "given.next()", False),  # the next run has what this one left
        ("Grown()", "len(given.items)", False),
        ("Kind.LAPLACE", "(1 if given is Kind.LAPLACE else 2)", False),
    ],
)
def test_a_default_that_nobody_can_change_is_read(default: str, use: str, read: bool, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(DEFAULTS.format(default=default, use=use))
    (target,) = (one for one in load_file(tmp_path / "m.py", Settings()) if isinstance(one, Target))

    assert bool(obstacles(target)) != read
    if read:
        assert "given" not in target.lowered.parameters
        with pytest.raises(NotPlain, match="given"):
            program_arguments(target.lowered, target.mechanism, DataValue([1.0]), {"epsilon": 1.0, "given": "laplace"})
