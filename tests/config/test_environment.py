"""Variables DPLINT_... win over pyproject.toml and lose to the command."""

import pytest

from dplint.config import COMMAND_LINE, ConfigError, Layer, SettingsByFile, environment_layer
from dplint.config.validate import CHECKS

TEXTS = {
    "alpha": "0.01", "seed": "7", "jobs": "3", "epsilons": "1,0.5", "profile": "commit", "method": "anytime",
    "budget": "500ms", "runs": "9", "keep_going": "yes", "select_runs": "10", "test_runs": "20", "time_limit": "5",
    "deadline": "2.5", "memory_mib": "512", "interpreter": "sh", "exclude": "gen/*, old", "allow": "network,write",
    "select": "DP1", "ignore": "DP103,DP", "severity": "DP0=warning, DP904=off", "known_noise": "a.b,c:d",
    "extend_select": "DP301", "per_file_ignores": "tests/*:DP2,tests/*:DP301",
    "solver": "simple", "all_functions": "yes", "static_only": "1", "cache": "false", "exact": "off", "proofs": "no",
    "require_proof": "full", "numerics": "machine", "baseline": "known.json", "repairs": "off", "spare_noise": "0.2",
}  # fmt: skip


@pytest.fixture
def load(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def load(text="", environ=None, **options):
        (tmp_path / "pyproject.toml").write_text(text)
        layers = [environment_layer(environ or {}), Layer(COMMAND_LINE, options, {"budget": "--budget"})]
        return SettingsByFile.of(tmp_path, layers).loaded(tmp_path)

    return load


def test_every_setting_has_a_variable_that_its_check_accepts():
    assert set(TEXTS) == set(CHECKS)
    layer = environment_layer({f"DPLINT_{name.upper()}": text for name, text in TEXTS.items()})
    checked = {name: CHECKS[name](value) for name, value in layer.values.items()}
    assert checked == {
        "alpha": 0.01, "seed": 7, "jobs": 3, "epsilons": (1.0, 0.5), "profile": "commit", "method": "anytime",
        "budget": 0.5, "runs": 9, "keep_going": True, "select_runs": 10, "test_runs": 20, "time_limit": 5.0,
        "deadline": 2.5, "memory_mib": 512, "interpreter": "sh", "exclude": ("gen/*", "old"),
        "allow": {"network", "write"}, "select": ("DP1",), "ignore": ("DP103", "DP"),
        "severity": {"DP0": "warning", "DP904": "off"}, "known_noise": ("a.b", "c.d"), "solver": "simple",
        "extend_select": ("DP301",), "per_file_ignores": {"tests/*": ("DP2", "DP301")},
        "all_functions": True, "static_only": True, "cache": False, "exact": False, "proofs": False,
        "require_proof": "full", "numerics": "machine", "baseline": "known.json", "repairs": False, "spare_noise": 0.2,
    }  # fmt: skip


def test_the_environment_stands_between_the_file_and_the_command(load):
    text = "[tool.dplint]\nbudget = '9s'\nseed = 1\njobs = 2\n"
    loaded = load(
        text, {"DPLINT_BUDGET": "5s", "DPLINT_SEED": "2", "DPLINT_EMPTY": "x", "DPLINT_JOBS": ""}, budget="1s"
    )
    assert (loaded.settings.budget, loaded.settings.seed, loaded.settings.jobs) == (1.0, 2, 2)
    origins = {name: loaded.origins[name] for name in ("budget", "seed", "jobs", "alpha", "test_runs")}
    assert origins == {
        "budget": "--budget",
        "seed": "DPLINT_SEED",
        "jobs": "pyproject.toml:4",
        "alpha": "default",
        "test_runs": "profile ci",
    }


def test_of_two_that_exclude_each_other_the_one_above_replaces_either(load):
    loaded = load("[tool.dplint]\nbudget = '9s'\n", {"DPLINT_RUNS": "50"})
    assert loaded.settings.runs == 50
    loaded = load("", {"DPLINT_RUNS": "50"}, budget="2s")
    assert (loaded.settings.runs, loaded.settings.budget) == (None, 2.0)


def test_no_cache_is_a_variable_too(load):
    assert load("", {"DPLINT_NO_CACHE": "1"}).settings.cache is False
    assert load("", {"DPLINT_NO_CACHE": "0"}).settings.cache is True


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"DPLINT_BUDGET": "soon"}, "DPLINT_BUDGET must be a duration"),
        ({"DPLINT_JOBS": "many"}, "DPLINT_JOBS must be an integer, not 'many'"),
        ({"DPLINT_CACHE": "maybe"}, "DPLINT_CACHE must be true or false, not 'maybe'"),
        ({"DPLINT_SEVERITY": "DP2"}, "DPLINT_SEVERITY must be such as DP2=error"),
        ({"DPLINT_SEVERITY": "DP0=eror"}, "DP0 must be one of .* Did you mean 'error'"),
        ({"DPLINT_PROFILE": "nightli"}, "Did you mean 'nightly'"),
        ({"DPLINT_TEST_RUNS": "5"}, "test-runs is a setting of the method 'statdp'"),
    ],
)
def test_a_wrong_variable_is_named(load, environ, words):
    with pytest.raises(ConfigError, match=words) as caught:
        load("", environ)
    assert (caught.value.file, caught.value.line) == ("environment", None)
