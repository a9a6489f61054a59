"""Findings that depend on other files are made anew when one of these changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.check.buffers import BufferReader
from dplint.check.loading import read_through, target_of
from dplint.config import Settings
from dplint.source import module
from dplint.source.read import read_source
from dplint.source.top_level import TopLevel, top_level_of
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


def test_mechanisms_of_a_file_share_what_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is told of the files as if it were lowered alone."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "limits.py").write_text("import more\nHIGH = 3.0\n")
    (tmp_path / "more.py").write_text("import limits\n")
    claim = '@dp(epsilon="epsilon", neighbors="linf")\n'
    body = "(rng, queries, epsilon):\n    return min(queries[0], {}) + rng.laplace(scale=1 / epsilon)\n\n\n"
    text = "from dplint import dp\nfrom limits import HIGH\n\n\n"
    text += claim + "def one" + body.format("HIGH") + claim + "def two" + body.format("HIGH + 1")
    path = tmp_path / "module.py"
    path.write_text(text)
    alone: list[dict[str, str]] = []
    for number in (0, 1):
        source = read_source(path, file="module.py")
        alone.append({})
        target_of(source, source.mechanisms[number], alone[-1])
    reads: list[str] = []

    def read(file: Path, package: str) -> tuple[str, TopLevel]:
        reads.append(file.name)
        return top_level_of(file, package)

    monkeypatch.setattr(module, "top_level_of", read)

    shared: list[dict[str, str]] = [{}, {}]
    source = read_source(path, file="module.py")
    for found, files in zip(source.mechanisms, shared, strict=True):
        target_of(source, found, files)

    assert shared == alone
    assert {Path(file).name for file in shared[1]} >= {"limits.py", "more.py"}
    assert sorted(reads) == ["limits.py", "more.py"]
