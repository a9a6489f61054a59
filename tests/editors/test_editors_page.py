"""docs/editors.md says what the code says: settings, options, commands, and the states that a lens may show."""

import ast
import inspect
import json
import re
import tomllib

from dplint.server import client, configuration
from dplint.server.lenses import Command, _unknown, why_not_run
from dplint.server.mechanism_state import DEEPER, Phase
from tests.editors.editor_tools import DOCS

TEXT = DOCS.read_text(encoding="utf-8")


def rows(heading):
    """What stands in backquotes in the first column of the table below a heading."""
    part = re.split(rf"^## {re.escape(heading)}$", TEXT, flags=re.MULTILINE)[1].split("\n## ")[0]
    cells = [line.split(" | ")[0] for line in part.splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_the_settings_of_the_editor_have_their_rows():
    assert rows("Settings of the editor") == {f"dplint.{configuration._camel(name)}" for name in configuration._OWN}


def test_a_setting_with_its_stated_default_changes_nothing():
    found = re.findall(r"^\| `dplint\.(\w+)` \| `([^`]+)` \|", TEXT, flags=re.MULTILINE)
    values = {name: json.loads(value) for name, value in found}

    assert len(values) == len(configuration._OWN)
    assert configuration.read_editor_settings(values) == (configuration.EditorSettings(), ())


def test_every_value_of_run_is_named():
    for run in configuration._RUNS:
        assert f'`"{run}"`' in TEXT


def test_options_at_the_start_have_their_rows():
    options = ("trusted", "clipboard", "panel", "status")

    assert rows("Options at the start") == {*options, "selectInterpreter", "settings"}
    assert {*options, "select_interpreter"} <= set(client.Client.__dataclass_fields__)


def test_commands_have_their_rows():
    assert rows("Commands") == {command.value for command in Command}


def test_the_states_of_a_mechanism_without_a_verdict_are_in_the_table():
    returned = [node.value for node in ast.walk(ast.parse(inspect.getsource(_unknown))) if isinstance(node, ast.Return)]
    texts = [one for value in returned for one in ast.walk(value) if isinstance(one, ast.Constant)]
    states = {one.value for one in texts if one.value not in ("not tested: ", " is not saved", None)}
    tables = [node for node in ast.walk(ast.parse(inspect.getsource(why_not_run))) if isinstance(node, ast.Dict)]
    reasons = {f"not tested: {ast.literal_eval(key)}" for table in tables for key in table.keys if key is not None}

    assert {"waiting for time", "not tested yet"} <= states
    assert "not tested: dplint is paused" in reasons
    shown = {*states, *reasons, Phase.WAITING.value, Phase.STOPPED.value, "not tested: helper.py is not saved"}
    assert shown <= rows("What is shown")


def test_the_budgets_of_deeper_passes_are_those_of_the_server():
    assert "of {:g}, {:g} and {:g} seconds".format(*DEEPER) in TEXT


def test_blocks_are_valid_where_python_can_tell():
    for language, code in re.findall(r"^```(json|toml)\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL):
        {"json": json.loads, "toml": tomllib.loads}[language](code)
