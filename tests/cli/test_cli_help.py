"""Help answers without loading anything heavy; the two ways to start are the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from dplint import __version__
from dplint.cli.app import app
from dplint.cli.groups import OPTION_GROUPS, grouped
from dplint.config.validate import CHECKS as SETTINGS

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
HEAVY = {"rich", "libcst", "numpy", "scipy", "z3", "matplotlib", "pygls", "plotext"}


def loaded(*arguments: str) -> set[str]:
    """The top-level modules that are loaded after the command line has answered."""
    program = (
        "import sys, json\n"
        "from dplint.cli import main\n"
        f"code = main({list(arguments)!r})\n"
        "print(json.dumps([code, sorted({name.split('.')[0] for name in sys.modules})]), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0
    assert "dplint" in modules
    return set(modules)


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("check", "--help"), ("inspect", "sweep", "--help")]
)
def test_help_loads_only_click(arguments):
    assert not loaded(*arguments) & HEAVY


def test_json_and_concise_load_no_rich(tmp_path):
    (tmp_path / "plain.py").write_text("x = 1\n")
    for form in ("json", "concise"):
        assert not loaded("check", str(tmp_path), "--format", form) & {"rich", "numpy", "scipy", "z3", "matplotlib"}


def test_python_m_dplint():
    command = [sys.executable, "-m", "dplint", "--version"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"dplint, version {__version__}\n"


def test_the_marker_decorator_loads_nothing_of_others():
    program = (
        "import sys; import dplint; print(sorted({n.split('.')[0] for n in sys.modules} & {'click', 'rich', 'numpy'}))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_explain_loads_no_rich_where_it_is_not_read_by_people():
    assert not loaded("explain", "DP001") & HEAVY


def test_help_has_its_options_in_groups_and_each_once():
    context = click.Context(app.commands["check"], info_name="dplint check")
    groups = dict(grouped(app.commands["check"], context))

    assert list(groups) == [*OPTION_GROUPS, "Other options"]
    (last,) = groups.pop("Other options")
    assert "--help" in last[0], "all others belong to a group"
    names = [name for records in groups.values() for name, _ in records]
    assert len(names) == len(set(names))
    assert len(names) == sum(not one.hidden for one in app.commands["check"].params[1:])
    text = app.commands["check"].get_help(context)
    places = [text.index(f"\n{title}:\n") for title in OPTION_GROUPS]
    assert places == sorted(places)


def test_every_command_is_in_a_group():
    text = app.get_help(click.Context(app, info_name="dplint"))

    assert "Other commands" not in text
    family = app.commands["inspect"]
    assert set(family.commands) == {"exact", "loss", "worst", "sweep", "sensitivity", "program"}
    assert "..." not in family.get_help(click.Context(family, info_name="dplint inspect")).partition("Commands:")[2]
    assert "..." not in text.partition("Check:")[2], "a short help is a whole phrase"


def test_a_setting_has_an_option_of_its_name():
    """But for those that have none, and for the cache, which an option only turns off."""
    without = {"cache", "severity", "known_noise", "exact", "proofs", "repairs", "spare_noise", "mechanisms"}
    names = {name for one in app.commands["check"].params for name in one.opts}

    assert {name for name in SETTINGS if f"--{name.replace('_', '-')}" not in names} <= without
