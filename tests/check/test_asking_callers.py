"""Whoever makes a job asks callers for the form of the data, and what they say is part of what is known of it."""

import pytest

from dplint.check import check_paths
from dplint.check.buffers import BufferReader
from dplint.check.loading import wanted_target
from dplint.claims import Passed
from dplint.config import Settings
from dplint.outcomes import Result, Violation

SOURCE = """
import numpy as np
from dplint import dp

@dp(epsilon=1.0, neighbors="l1")
def release(x):
    return x + np.random.laplace(0, 1)
"""
CALLER = "import noise\nimport numpy as np\n\nnoise.release(np.array([0.5, 2.0]))\n"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "noise.py").write_text(SOURCE)
    (tmp_path / "app.py").write_text(CALLER)
    return tmp_path


def test_of_a_function_that_is_named_alone(project):
    target, _ = wanted_target(f"{project / 'noise.py'}::release", Settings())
    assert target is not None
    assert target.mechanism.passed == Passed(("numpy.ndarray",))


def test_of_a_buffer_with_its_own_unsaved_calls(project):
    def passed(text):
        target = BufferReader().target(project / "noise.py", text, Settings(), "release")
        assert target is not None
        return target.mechanism.passed.annotations

    assert passed(SOURCE) == ("numpy.ndarray",)
    assert passed(f"{SOURCE}\n\ndef main():\n    release(1.0)\n    release(2.0)\n") == ("float", "numpy.ndarray")


def test_of_a_changed_body_callers_are_not_asked_again(project, monkeypatch):
    """A search for repairs tries dozens of texts, and reading a large project takes longer than judging one."""
    path, changed = project / "noise.py", SOURCE.replace("(0, 1)", "(0, 2)")
    before = BufferReader().target(path, SOURCE, Settings(), "release")
    asked = BufferReader().target(path, changed, Settings(), "release")
    monkeypatch.setattr("dplint.check.buffers.Callers", None)
    known = BufferReader().target(path, changed, Settings(), "release", before.mechanism)
    assert known == asked
    assert known.mechanism.passed == Passed(("numpy.ndarray",))


@pytest.mark.process
def test_of_a_check_which_begins_anew_when_callers_pass_something_else(project):
    def checked():
        events = check_paths([project / "noise.py"], Settings(runs=20_000, jobs=1))
        (result,) = [one for one in events if isinstance(one, Result)]
        return result

    # One noise for all entries is private for a number alone.
    assert isinstance(checked().outcome, Violation)
    assert checked().cached
    (project / "app.py").write_text(CALLER.replace("np.array([0.5, 2.0])", "2.5"))
    result = checked()
    assert not result.cached
    assert not isinstance(result.outcome, Violation)
    assert result.outcome.effort.forms == ("a number",)
