"""What is said where dplint-statdp is not installed: each way that leads to it names the package, and how it comes."""

import importlib.metadata
import re
import sys

import pytest
from click.testing import CliRunner

from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.cli.app import app
from dplint.config import ConfigError, Settings, load_settings
from dplint.jobs import AuditJob, AuditSettings, SweepJob
from dplint.outcomes import Failed, FailureKind

CURE = re.escape("dplint-statdp, which is not installed: `pip install ./statdp`")
SOURCE = """from dplint import dp


@dp(epsilon=1.0, neighbors="l1", size=2)
def noisy(rng, queries):
    return queries[0] + rng.laplace(scale=1.0)
"""


@pytest.fixture
def target(tmp_path, monkeypatch):
    """A mechanism, where no entry point of another distribution is there."""
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    (tmp_path / "module.py").write_text(SOURCE)
    (found,) = [one for one in load_file(tmp_path / "module.py", Settings()) if isinstance(one, Target)]
    return found


def test_a_configuration_that_asks_for_it_is_refused(tmp_path, target):
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nmethod = 'statdp'\n")
    with pytest.raises(ConfigError, match=CURE) as caught:
        load_settings(tmp_path, {})
    assert caught.value.line == 2


@pytest.mark.parametrize("command", [["check", "--method", "statdp"], ["inspect", "sweep"]])
def test_a_command_that_asks_for_it_ends_before_anything_is_run(tmp_path, target, command):
    file = str(tmp_path / "module.py")
    sweep = command[0] == "inspect"
    asked = [*command, f"{file}::noisy", "--range", "0.5:1:0.5"] if sweep else [*command, file]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 2
    assert re.search(CURE, " ".join(done.output.split())), done.output


def test_a_worker_fails_and_finds_nothing(target):
    """An editor's curve, and a check on a machine of a cluster: what sent the job may have what the worker lacks."""
    settings = AuditSettings(method="statdp", interpreter=sys.executable)
    curve = SweepJob(
        mechanism=target.mechanism, program=target.program, settings=settings, epsilons=(1.0,), at=(0.5,), level=0.05
    )
    audit = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings)
    for failed in (carry_out(curve, lambda *_: None), carry_out(audit, lambda *_: None).outcome):
        assert isinstance(failed, Failed)
        assert failed.kind is FailureKind.INPUT
        assert re.search(CURE, failed.reason)
