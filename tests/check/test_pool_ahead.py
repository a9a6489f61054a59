"""The pool begins before files are read where something is likely to be audited, and never stays behind."""

from unittest.mock import Mock

import pytest

from dplint.check import check_paths
from dplint.check.reading_ahead import PoolAhead
from dplint.config import Settings

CLAIM = "from dplint import dp\n\n\n@dp(epsilon=1.0)\ndef count(rng, data, epsilon):\n    return len(data)\n"


@pytest.fixture
def pools(monkeypatch):
    """The pools that were begun."""
    made = []

    def make():
        made.append(Mock())
        return made[-1]

    monkeypatch.setattr("dplint.check.reading_ahead.Pool", make)
    return made


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "claims.py").write_text(CLAIM, encoding="utf-8")
    (tmp_path / "plain.py").write_text("x = 1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "settings", "cached", "begun"),
    [
        ("claims.py", Settings(cache=False), False, 1),
        ("claims.py", Settings(cache=False), True, 1),
        ("claims.py", Settings(), False, 1),
        ("claims.py", Settings(), True, 0),
        ("claims.py", Settings(cache=False, static_only=True), False, 0),
        ("plain.py", Settings(cache=False), False, 0),
        ("missing.py", Settings(cache=False), False, 0),
    ],
)
def test_what_is_expected_of_a_file(pools, project, file, settings, cached, begun):
    if cached:
        (project / ".dplint_cache").mkdir()
    with PoolAhead() as ahead:
        ahead.expect(project / file, settings)
        ahead.expect(project / file, settings)
        assert len(pools) == begun
        ahead.begin()
        assert len(pools) == 1, "one pool does for both"
    pools[0].close.assert_called_once_with()


def test_a_check_that_is_left_while_it_reads_ends_its_pool(pools, project):
    (project / "claims.py").write_text(CLAIM + "@dp(\n", encoding="utf-8")
    events = check_paths([project], Settings(cache=False))
    next(events)
    assert len(pools) == 1
    pools[0].close.assert_not_called()
    events.close()
    pools[0].close.assert_called_once_with()
