"""A function of another module with `**options` is read; a call that passes a list for its arguments is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported


@pytest.mark.parametrize(("call", "is_read"), [("scaled(x, by=3)", True), ("scaled(*[x])", False)])
def test_it_is_read_or_refused_at_the_call(call: str, is_read: bool, tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("\n\n\ndef scaled(x, **options):\n    return len(options) * x\n")
    (tmp_path / "release.py").write_text(
        "from dplint import dp\nfrom helpers import scaled\n\n\n"
        '@dp(epsilon="epsilon", neighbors="l1")\n'
        "def release(rng, x: float, epsilon):\n"
        f"    return {call} + rng.laplace(scale=2 / epsilon)\n"
    )
    (target,) = load_file(tmp_path / "release.py", Settings())

    assert isinstance(target.program, Program) == is_read
    if isinstance(target.program, Unsupported):
        assert (target.program.construct, target.program.span.line) == ("a starred argument", 7)
