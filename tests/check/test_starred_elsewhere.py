"""A function of another module with `**options` is refused at its call, and ends nothing."""

from __future__ import annotations

from pathlib import Path

from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.program.refusals import Unsupported


def test_it_is_refused_at_the_call(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("\n\n\ndef scaled(x, **options):\n    return 2 * x\n")
    (tmp_path / "release.py").write_text(
        "from dplint import dp\nfrom helpers import scaled\n\n\n"
        '@dp(epsilon="epsilon", neighbors="l1")\n'
        "def release(rng, x: float, epsilon):\n"
        "    return scaled(x) + rng.laplace(scale=2 / epsilon)\n"
    )
    (target,) = load_file(tmp_path / "release.py", Settings())

    assert isinstance(target.program, Unsupported)
    assert target.program.construct == "*args or **kwargs"
    assert target.program.span.line == 7
