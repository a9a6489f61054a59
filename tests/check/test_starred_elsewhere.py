"""A function of another module with `**options` is read; a call that passes a list for its arguments is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported

HELPERS = """


def scaled(x, **options):
    return len(options) * x


def plain(x):
    return 2 * x
"""


@pytest.mark.parametrize(("call", "is_read"), [("plain(x)", True), ("scaled(x, by=3)", False), ("scaled(*[x])", False)])
def test_it_is_read_or_refused_at_the_call(call: str, is_read: bool, tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "release.py").write_text(
        "from dplint import dp\nfrom helpers import plain, scaled\n\n\n"
        '@dp(epsilon="epsilon", neighbors="l1")\n'
        "def release(rng, x: float, epsilon):\n"
        f"    return {call} + rng.laplace(scale=2 / epsilon)\n"
    )
    (target,) = load_file(tmp_path / "release.py", Settings())

    assert isinstance(target.program, Program) == is_read
    if isinstance(target.program, Unsupported):
        assert target.program.construct in ("a starred argument", "*args or **kwargs")
        assert target.program.span.line == 7
