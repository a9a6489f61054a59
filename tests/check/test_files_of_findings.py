"""Findings that depend on other files are made anew when one of these changes."""

from __future__ import annotations

from pathlib import Path

from dplint.check.buffers import BufferReader
from dplint.check.loading import read_through
from dplint.config import Settings
from dplint.store import Index

TEXT = """from dplint import dp
from noise import add_noise


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return add_noise(sum(values), epsilon)
"""
NOISE = "import numpy as np\n\ndef add_noise(x, epsilon):\n    return x + np.random.laplace(0, 1 {} epsilon)\n"


def test_the_index_looks_at_the_files_that_findings_depend_on(tmp_path: Path) -> None:
    path, noise, settings = tmp_path / "m.py", tmp_path / "noise.py", Settings()
    path.write_text(TEXT)

    def codes() -> list[str]:
        index = Index(tmp_path)
        loaded = read_through(path, settings, index)
        index.save()
        return [one.code for one in loaded.findings]

    assert codes() == []
    noise.write_text(NOISE.format("*"))
    assert codes() == ["DP101"]
    assert codes() == ["DP101"]
    noise.write_text(NOISE.format("/"))
    assert codes() == []


def test_a_buffer_looks_at_them_too(tmp_path: Path) -> None:
    path, noise, reader = tmp_path / "m.py", tmp_path / "noise.py", BufferReader()

    def codes() -> list[str]:
        return [one.code for one in reader.read(path, TEXT, Settings()).findings]

    assert codes() == []
    noise.write_text(NOISE.format("*"))
    assert codes() == ["DP101"]
    noise.write_text(NOISE.format("/"))
    assert codes() == []
