"""The JSON schema accepts what the loader accepts, refuses what it refuses, and is the one that is shipped."""

import inspect
import json
import tomllib

import jsonschema
import pytest

from dplint import dp
from dplint.config import ConfigError, load_settings
from dplint.config.schema import FILE, schema, schema_text
from dplint.config.validate import CHECKS

VALIDATOR = jsonschema.Draft7Validator(schema())
OURS = schema()["properties"]["tool"]["properties"]["dplint"]["properties"]


def test_the_file_is_the_one_that_the_code_makes():
    assert FILE.read_text(encoding="utf-8") == schema_text(), (
        "python -m dplint.config > dplint/config/dplint.schema.json"
    )
    jsonschema.Draft7Validator.check_schema(json.loads(FILE.read_text(encoding="utf-8")))


def test_every_setting_and_every_argument_of_a_claim_is_in_it():
    assert set(OURS) == {name.replace("_", "-") for name in CHECKS} | {"mechanisms"}
    claim = OURS["mechanisms"]["additionalProperties"]["properties"]
    assert list(claim) == list(inspect.signature(dp).parameters)


GOOD = [
    "",
    "[project]\nname = 'x'\n[tool.other]\nalpha = 7",
    "[tool.dplint]",
    "[tool.dplint]\nalpha = 0.01\nseed = 7\njobs = 3\nepsilons = [1, 0.5]\nprofile = 'commit'\nmethod = 'anytime'",
    "[tool.dplint]\nbudget = '500ms'",
    "[tool.dplint]\nbudget = '.5 m'",
    "[tool.dplint]\nbudget = 2.5",
    "[tool.dplint]\nruns = 5\nkeep-going = true\ntime-limit = 9\ndeadline = 0.5\nmemory-mib = 512",
    "[tool.dplint]\nmethod = 'statdp'\nselect-runs = 1\ntest-runs = 1000000",
    "[tool.dplint]\nexclude = ['a/*']\nallow = ['network']\nselect = ['DP', 'DP1']\nignore = ['DP301']",
    "[tool.dplint]\nrequire-proof = 'full'\nstatic-only = true\nknown-noise = ['a.b', 'shop.noise:C.add']",
    "[tool.dplint.severity]\nDP0 = 'warning'\nDP904 = 'off'",
    "[tool.dplint]\nextend-select = ['DP301']\nper-file-ignores = {'tests/*' = ['DP2', 'DP301']}",
    "[tool.dplint.mechanisms.'a.b:C.f']\nepsilon = 'eps'\ndelta = 0\nsize = [1, 2]\nargs = {n = 1}\ndomain = [0, 1]",
]
BAD = [
    "[tool.dplint]\nalfa = 0.1",
    "[tool.dplint]\nselect_runs = 5",
    "[tool.dplint]\nalpha = 1.0",
    "[tool.dplint]\nalpha = '0.1'",
    "[tool.dplint]\nseed = -1",
    "[tool.dplint]\nseed = true",
    "[tool.dplint]\njobs = 0",
    "[tool.dplint]\nepsilons = []",
    "[tool.dplint]\nepsilons = [1, 0]",
    "[tool.dplint]\nprofile = 'night'",
    "[tool.dplint]\nbudget = '0s'",
    "[tool.dplint]\nbudget = '5 apples'",
    "[tool.dplint]\nbudget = 0",
    "[tool.dplint]\nruns = 0",
    "[tool.dplint]\nmethod = 'statdp'\ntest-runs = 1.5",
    "[tool.dplint]\nmemory-mib = 1",
    "[tool.dplint]\ninterpreter = ''",
    "[tool.dplint]\nexclude = 'x'",
    "[tool.dplint]\nallow = ['netwrok']",
    "[tool.dplint]\nselect = ['101']",
    "[tool.dplint]\nignore = ['DP1012']",
    "[tool.dplint]\nstatic-only = 1",
    "[tool.dplint]\nknown-noise = ['laplace']",
    "[tool.dplint]\nknown-noise = ['a.b c']",
    "[tool.dplint]\nseverity = 'error'",
    "[tool.dplint]\nper-file-ignores = ['DP2']",
    "[tool.dplint]\nper-file-ignores = {'tests/*' = ['E5']}",
    "[tool.dplint.severity]\nDP0 = 'fatal'",
    "[tool.dplint.severity]\nE501 = 'error'",
    "[tool.dplint.mechanisms.f]\nepsilon = 1",
    "[tool.dplint]\nmechanisms = {'a:f' = 1}",
    "[tool]\ndplint = 3",
]


def loads(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text)
    try:
        load_settings(tmp_path, {})
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("text", GOOD)
def test_what_is_right_is_right_for_both(tmp_path, text):
    assert list(VALIDATOR.iter_errors(tomllib.loads(text))) == []
    assert loads(tmp_path, text)


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_wrong_for_both(tmp_path, text):
    assert not VALIDATOR.is_valid(tomllib.loads(text))
    assert not loads(tmp_path, text)


def test_an_argument_that_no_claim_has_is_refused():
    """The loader leaves that to the reading of claims, which reports DP001 at the line."""
    assert not VALIDATOR.is_valid(tomllib.loads("[tool.dplint.mechanisms.'a:f']\nepsilonn = 1"))
