"""Functions of other modules of a project are read where they may add noise, and reported at the call."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from dplint.outcomes import Finding
from dplint.rules import check_module
from dplint.source.project import ProjectIndex
from dplint.source.read import read_source

HELPER = """
import numpy as np

SENSITIVITY = 2.0

def scale_for(epsilon, sensitivity=SENSITIVITY):
    return sensitivity {operator} epsilon

def add_noise(value, epsilon):
    return value + np.random.laplace(0, scale_for(epsilon))
"""
STARS = "from .noise import *\nfrom .noise import SENSITIVITY as S\n"
MECHANISM = """
from dplint import dp
{head}

@dp(epsilon="epsilon", neighbors="l1", sensitivity=2)
def total(values, epsilon):
    return {call}(sum(values), epsilon)
"""


def findings_of(folder: Path, text: str, **modules: str) -> list[Finding]:
    """What the rules find in `pkg.m`, beside other modules of the package."""
    package = folder / "pkg"
    package.mkdir()
    for name, content in {"__init__": "", **modules, "m": text}.items():
        (package / f"{name}.py").write_text(dedent(content))
    source = read_source(package / "m.py", file="m.py")
    assert source.module is not None
    assert not source.findings
    return check_module(source.module, source.mechanisms, "m.py")


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("from pkg.noise import add_noise", "add_noise"),
        ("from .noise import add_noise as noisy", "noisy"),
        ("from . import noise", "noise.add_noise"),
        ("import pkg.noise", "pkg.noise.add_noise"),
        ("from .api import noisy", "noisy"),
        ("from .noise import *", "add_noise"),
        ("from numpy import *\nfrom .stars import *", "add_noise"),
    ],
)
@pytest.mark.parametrize(("operator", "codes"), [("*", ["DP101"]), ("/", [])])
def test_the_scale_is_read_where_it_is_written(
    tmp_path: Path, head: str, call: str, operator: str, codes: list[str]
) -> None:
    text = MECHANISM.format(head=head, call=call)
    api = "from .noise import add_noise as noisy\n"

    found = findings_of(tmp_path, text, noise=HELPER.format(operator=operator), api=api, stars=STARS)

    assert [one.code for one in found] == codes
    for one in found:
        assert (one.span.line, one.span.column) == (7 + head.count("\n"), 12)
        assert one.message.endswith("(in `scale_for` of pkg.noise, line 7)")
        assert one.fix is None


def test_a_library_that_is_imported_elsewhere_with_a_star(tmp_path: Path) -> None:
    text = MECHANISM.format(head="from .noise import *", call="np.random.laplace(0, epsilon) + sum(values) + add_noise")

    assert [one.code for one in findings_of(tmp_path, text, noise=HELPER.format(operator="/"))] == ["DP101"]


def test_what_a_star_of_a_library_may_have_bound_again_is_not_followed(tmp_path: Path) -> None:
    text = MECHANISM.format(head="from .noise import *\nfrom somewhere import *", call="add_noise")

    assert findings_of(tmp_path, text, noise=HELPER.format(operator="*")) == []


def test_a_change_behind_a_star_changes_what_is_found(tmp_path: Path) -> None:
    text = MECHANISM.format(head="from .noise import *", call="add_noise")
    assert findings_of(tmp_path, text, noise=HELPER.format(operator="/")) == []
    (tmp_path / "pkg" / "noise.py").write_text("add_noise = lambda value, epsilon: value\n")
    source = read_source(tmp_path / "pkg" / "m.py", file="m.py")

    assert str(tmp_path / "pkg" / "noise.py") in source.files
    assert source.module is not None
    assert dict(source.module.stars.names) == {"add_noise": "pkg.noise.add_noise"}


def test_each_call_has_its_own_place(tmp_path: Path) -> None:
    text = """
    from dplint import dp
    from .noise import add_noise

    @dp(epsilon="epsilon", neighbors="l1", sensitivity=2)
    def both(values, epsilon):
        return add_noise(sum(values), epsilon), add_noise(2 * sum(values), epsilon)
    """

    found = findings_of(tmp_path, text, noise=HELPER.format(operator="*"))

    assert [one.span.column for one in found if one.code == "DP101"] == [12, 45]


def test_data_that_a_helper_gives_back_as_it_is(tmp_path: Path) -> None:
    helper = "def privatize(value, epsilon):\n    return value\n"

    found = findings_of(tmp_path, MECHANISM.format(head="from .noise import privatize", call="privatize"), noise=helper)

    assert "DP201" in [one.code for one in found]


def test_what_cannot_be_read_is_taken_for_noise(tmp_path: Path) -> None:
    text = MECHANISM.format(head="from .noise import add_noise", call="add_noise")

    assert findings_of(tmp_path, text, noise="def add_noise(value, epsilon:\n") == []


def test_an_epsilon_of_the_other_module_is_none_of_ours(tmp_path: Path) -> None:
    """There it is another number, so that the noise does not depend on ours."""
    helper = """
    import numpy as np

    epsilon = float(input())

    def add_noise(value, unused):
        return value + np.random.laplace(0, 2 * epsilon)
    """

    found = findings_of(tmp_path, MECHANISM.format(head="from .noise import add_noise", call="add_noise"), noise=helper)

    assert "DP101" not in [one.code for one in found]


def test_noise_is_found_without_an_epsilon_among_the_arguments(tmp_path: Path) -> None:
    text = """
    from dplint import dp
    from .tools import blur

    @dp(epsilon=1.0, neighbors="l1")
    def total(values):
        return blur(sum(values))
    """
    tools = "import numpy as np\n\ndef blur(value):\n    return value + np.random.laplace(0, 1.0)\n"

    assert findings_of(tmp_path, text, tools=tools) == []


def test_what_draws_nothing_and_is_given_no_epsilon_is_not_looked_into(tmp_path: Path) -> None:
    text = """
    from dplint import dp
    from .tools import bounded
    import numpy as np

    @dp(epsilon="epsilon", neighbors="l1")
    def total(values, epsilon):
        return sum(bounded(values)) + np.random.laplace(0, 1 / epsilon)
    """
    tools = "def bounded(values):\n    if max(values) > 1:\n        raise ValueError(values)\n    return values\n"

    assert findings_of(tmp_path, text, tools=tools) == []


def test_modules_that_call_each_other_come_to_an_end(tmp_path: Path) -> None:
    one = "from .two import noise_b\ndef noise_a(value, epsilon):\n    return noise_b(value, epsilon)\n"
    two = "from .one import noise_a\ndef noise_b(value, epsilon):\n    return noise_a(value, epsilon)\n"

    assert findings_of(
        tmp_path, MECHANISM.format(head="from .one import noise_a", call="noise_a"), one=one, two=two
    ) == findings_of(tmp_path / "pkg", MECHANISM.format(head="from x import noise_a", call="noise_a"))


def test_files_that_are_looked_at_are_known(tmp_path: Path) -> None:
    findings_of(tmp_path, MECHANISM.format(head="", call="float"), noise=HELPER.format(operator="/"))
    source = read_source(tmp_path / "pkg" / "m.py", file="m.py")
    assert source.module is not None
    index = ProjectIndex(source.module.place)

    assert index.function("numpy.random.laplace") is None
    assert index.function("pkg.noise.absent") is None
    assert index.function("pkg.noise.add_noise") is not None
    assert {Path(file).relative_to(tmp_path).as_posix() for file, digest in index.files.items() if digest} == {
        "pkg/noise.py"
    }
    assert str(tmp_path / "numpy") in index.files
