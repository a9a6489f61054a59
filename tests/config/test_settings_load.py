"""Settings: read from pyproject.toml, overridden, and refused with file, line, value and cure."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.claims import Span
from dplint.config import PROFILES, ConfigError, Settings, choose_interpreter, load_settings


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(tmp_path: Path, text: str, **overrides: object) -> Settings:
    (tmp_path / "pyproject.toml").write_text(text)
    return load_settings(tmp_path, overrides)


def test_every_key_is_read(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    settings = load(
        tmp_path,
        "[tool.dplint]\nalpha = 0.01\nseed = 7\njobs = 3\nepsilons = [1, 0.5]\nprofile = 'commit'\nselect-runs = 10\n"
        "method = 'statdp'\ncache = false\n"
        "test-runs = 20\ntime-limit = 5\ndeadline = 2.5\nmemory-mib = 512\ninterpreter = 'bin/python'\n"
        "exclude = ['gen/*']\nallow = ['network', 'write']\nselect = ['DP1']\nignore = ['DP103', 'DP']\n"
        "static-only = true\nsolver = 'simple'\n[tool.dplint.mechanisms.'pkg.mod:C.f']\nepsilon = 1\n",
    )
    table = settings.mechanisms["pkg.mod:C.f"]
    assert (table.module, table.qualname, table.values, table.file) == (
        "pkg.mod",
        "C.f",
        {"epsilon": 1},
        "pyproject.toml",
    )
    assert (table.span.line, table.spans) == (21, {"epsilon": Span(22, 1, 22, 12)})
    assert settings == Settings(
        alpha=0.01, seed=7, jobs=3, epsilons=(1.0, 0.5), profile="commit", select_runs=10, test_runs=20, time_limit=5.0,
        method="statdp", cache=False, deadline=2.5, memory_mib=512,
        interpreter=str(tmp_path / "bin" / "python"), exclude=("gen/*",),
        allow=frozenset({"network", "write"}), select=("DP1",), ignore=("DP103", "DP"), static_only=True,
        solver="simple", mechanisms={"pkg.mod:C.f": table}, root=tmp_path,
    )  # fmt: skip


def test_defaults_and_no_file(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "missing" / "file.py", {})
    assert settings == Settings(root=settings.root)
    assert (settings.alpha, settings.seed, settings.epsilons, settings.profile) == (0.001, None, (0.2, 0.7, 1.5), "ci")
    assert settings.jobs >= 1
    assert (settings.deadline, settings.memory_mib) == (10.0, 2048)


@pytest.mark.parametrize(
    ("profile", "effort"),
    [
        ("editor", (2_000, 20_000, 30)),
        ("commit", (20_000, 100_000, 120)),
        ("ci", (100_000, 500_000, 600)),
        ("nightly", (500_000, 2_000_000, 7200)),
    ],
)
def test_profiles(tmp_path: Path, profile: str, effort: tuple[int, int, float]) -> None:
    settings = load(tmp_path, f"[tool.dplint]\nprofile = '{profile}'\n", method="statdp")
    assert (settings.select_runs, settings.test_runs, settings.time_limit) == effort
    explicit = load(tmp_path, "[tool.dplint]\ntest-runs = 77\n", profile=profile, method="statdp")
    assert (explicit.select_runs, explicit.test_runs, explicit.time_limit) == (effort[0], 77, effort[2])


@pytest.mark.parametrize(("profile", "budget"), [("editor", 1), ("commit", 2), ("ci", 30), ("nightly", 600)])
def test_budgets_of_the_anytime_test(tmp_path: Path, profile: str, budget: float) -> None:
    settings = load(tmp_path, f"[tool.dplint]\nprofile = '{profile}'\nmethod = 'anytime'\n")
    assert (settings.budget, settings.runs) == (budget, None)
    assert settings.time_limit >= budget + 30


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("'5s'", 5), ("'500ms'", 0.5), ("'2m'", 120), ("'1.5 h'", 5400), ("' 5 '", 5), ("3", 3), ("0.25", 0.25),
        ("'.5s'", 0.5),
    ],
)  # fmt: skip
def test_a_budget_is_a_duration(tmp_path: Path, text: str, seconds: float) -> None:
    assert load(tmp_path, f"[tool.dplint]\nmethod = 'anytime'\nbudget = {text}\n").budget == pytest.approx(seconds)


def test_a_budget_of_runs_has_no_end_in_time_but_the_limit(tmp_path: Path) -> None:
    settings = load(tmp_path, "[tool.dplint]\nmethod = 'anytime'\n", runs=1000, profile="editor")
    assert settings.runs == 1000
    assert settings.budget == settings.time_limit >= 600


@pytest.mark.parametrize(("given", "dropped"), [({"runs": 7}, "budget = 5"), ({"budget": "7s"}, "runs = 5")])
def test_an_option_replaces_the_other_way_to_end(tmp_path: Path, given: dict[str, object], dropped: str) -> None:
    settings = load(tmp_path, f"[tool.dplint]\nmethod = 'anytime'\n{dropped}\n", **given)
    expected = (7, settings.time_limit) if "runs" in given else (None, 7)
    assert (settings.runs, settings.budget) == expected


@pytest.mark.parametrize(
    ("text", "given", "line", "words"),
    [
        ("method = 'anytime'\ntest-runs = 5", {}, 3, "test-runs is a setting of the method 'statdp'"),
        ("method = 'statdp'\nbudget = 5", {}, 3, "budget is a setting of the method 'anytime'"),
        ("method = 'statdp'\nkeep-going = true", {"method": "statdp"}, 3, "keep-going is a setting"),
        ("method = 'anytime'\nbudget = 5\nruns = 5", {}, 4, "exclude each other"),
        ("method = 'anytime'", {"test_runs": 5}, None, "Choose the method 'statdp' as well"),
        ("method = 'anytime'", {"budget": 1, "method": "statdp"}, None, "no effect with 'statdp'"),
        ("method = 'anytime'", {"budget": 1, "runs": 1}, None, "Give one of them"),
    ],
)
def test_a_setting_without_effect_is_refused(
    tmp_path: Path, text: str, given: dict[str, object], line: int | None, words: str
) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        load(tmp_path, f"[tool.dplint]\n{text}\n", **given)
    assert caught.value.line == line


def test_a_file_may_hold_settings_of_a_method_that_a_command_overrules(tmp_path: Path) -> None:
    text = "[tool.dplint]\nmethod = 'anytime'\nbudget = '5s'\n"
    assert load(tmp_path, text, method="statdp", test_runs=9).test_runs == 9
    text = "[tool.dplint]\nmethod = 'statdp'\ntest-runs = 9\n"
    assert load(tmp_path, text, method="anytime", budget="3s").budget == 3
    text = "[tool.dplint]\ntest-runs = 9\n"
    assert load(tmp_path, text, method="statdp").test_runs == 9, "the method may be chosen by the command alone"


def test_overrides_win_and_none_is_not_given(tmp_path: Path) -> None:
    settings = load(tmp_path, "[tool.dplint]\nseed = 1\nalpha = 0.1\n", seed=2, alpha=None, select=("DP9",))
    assert (settings.seed, settings.alpha, settings.select) == (2, 0.1, ("DP9",))


def test_the_nearest_file_upwards_is_read(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nseed = 1\n")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.dplint]\nseed = 2\n")
    (deep / "m.py").touch()
    assert load_settings(deep / "m.py", {}).seed == 2
    assert load_settings(tmp_path, {}).root == tmp_path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("alfa = 0.1", "Did you mean 'alpha'?"),
        ("select_runs = 5", "Did you mean 'select-runs'?"),
        ("zzz = 1", "Known keys: alpha, seed"),
        ("alpha = 0", "not 0"),
        ("alpha = 1.0", "not 1.0"),
        ("alpha = '0.1'", "not '0.1'"),
        ("alpha = nan", "finite"),
        ("seed = -1", "not -1"),
        ("seed = true", "not True"),
        ("jobs = 0", "not 0"),
        ("epsilons = []", "[]"),
        ("epsilons = [1, -1]", "not -1"),
        ("profile = 'night'", "Did you mean 'nightly'?"),
        ("select-runs = 0", "not 0"),
        ("test-runs = 1.5", "not 1.5"),
        ("time-limit = inf", "finite"),
        ("deadline = 0", "not 0"),
        ("memory-mib = 1", "not 1"),
        ("interpreter = 'no/such/python'", "no/such/python"),
        ("interpreter = ''", "not ''"),
        ("exclude = 'x'", "list of strings"),
        ("exclude = [1]", "not 1"),
        ("allow = ['netwrok']", "Did you mean 'network'?"),
        ("select = ['101']", "'101'"),
        ("ignore = ['DP1012']", "'DP1012'"),
        ("static-only = 1", "not 1"),
        ("solver = 'simpel'", "Did you mean 'simple'?"),
        ("solver = 'mip'", "one of z3, simple, not 'mip'"),
        ("method = 'anytme'", "Did you mean 'anytime'?"),
        ("budget = '5 apples'", "such as 5s, 500ms or 2m"),
        ("budget = ''", "must be a duration"),
        ("budget = '-1s'", "must be a duration"),
        ("budget = 0", "must be positive"),
        ("budget = '0s'", "must be positive"),
        ("budget = '1" + "0" * 400 + "'", "finite"),
        ("runs = 0", "not 0"),
        ("keep-going = 'yes'", "true or false"),
        ("cache = 0", "true or false"),
        ("mechanisms = 3", "table of tables"),
        ("mechanisms = {f = {epsilon = 1}}", "package.module:function"),
        ("mechanisms = {'m:f' = 1}", "must be a table"),
        ("deadline = 1" + "0" * 400, "finite"),
    ],
)
def test_a_wrong_key_or_value_is_refused_at_its_line(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, f"[project]\nname = 'x'\nalpha = 1\n\n[tool.dplint]\n# comment\n{line}\n")
    error = caught.value
    assert (error.file, error.line) == ("pyproject.toml", 7)
    assert words in error.message
    assert str(error) == f"pyproject.toml:7: {error.message}"


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (b"x = 1\ny = = 2\n", 2, "not valid TOML"),
        (b"x = 1\ny = '''", 2, "not valid TOML"),
        (b"x = 1\n\n# \xff\n", 3, "UTF-8"),
        (b"tool = 3\n", 1, "tool must be a table"),
        (b"[tool]\ndplint = 3\n", 2, "tool.dplint must be a table"),
    ],
)
def test_a_file_that_is_no_toml(tmp_path: Path, raw: bytes, line: int, words: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(raw)
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, {})
    assert (caught.value.file, caught.value.line) == ("pyproject.toml", line)
    assert words in caught.value.message


def test_a_wrong_override_has_no_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="jobs must lie between 1 and 1024, not 0") as caught:
        load_settings(tmp_path, {"jobs": 0})
    assert (caught.value.file, caught.value.line) == ("command line", None)
    with pytest.raises(ConfigError, match="'profile'"):
        load_settings(tmp_path, {"profil": "ci"})


# the interpreter


def python(folder: Path) -> str:
    path = folder / "bin" / "python"
    path.parent.mkdir(parents=True)
    path.touch()
    return str(path)


def test_the_interpreter_by_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    assert choose_interpreter(Settings(), str(tmp_path)) == sys.executable
    active = python(tmp_path / "active")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    assert choose_interpreter(Settings(), str(tmp_path)) == active
    plain = python(tmp_path / "venv")
    assert choose_interpreter(Settings(), str(tmp_path)) == plain
    hidden = python(tmp_path / ".venv")
    assert choose_interpreter(Settings(), str(tmp_path)) == hidden
    assert choose_interpreter(Settings(interpreter="/x/python"), str(tmp_path)) == "/x/python"


def test_a_windows_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (tmp_path / ".venv" / "Scripts").mkdir(parents=True)
    (tmp_path / ".venv" / "Scripts" / "python.exe").touch()
    assert choose_interpreter(Settings(), str(tmp_path)) == str(tmp_path / ".venv" / "Scripts" / "python.exe")


def test_a_relative_interpreter_belongs_to_the_file_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\ninterpreter = 'bin/python'\n")
    path = python(tmp_path)
    work = tmp_path / "work"
    other = python(work)
    monkeypatch.chdir(work)
    assert load_settings(work, {}).interpreter == path
    assert load_settings(work, {"interpreter": "bin/python"}).interpreter == other


# what other processes need


def test_settings_can_be_sent_to_a_worker(tmp_path: Path) -> None:
    settings = load(tmp_path, "[tool.dplint.mechanisms.'m:f']\nepsilon = 1\n")
    assert pickle.loads(pickle.dumps(settings)) == settings
    error = pickle.loads(pickle.dumps(ConfigError("f", 3, "m")))
    assert (error.file, error.line, error.message) == ("f", 3, "m")


def test_every_profile_has_positive_effort() -> None:
    for name, profile in PROFILES.items():
        assert Settings(profile=name).select_runs == profile.select_runs > 0


@pytest.mark.process
def test_importing_the_settings_is_cheap() -> None:
    code = (
        "import sys, dplint.config, dplint.expressions\n"
        "print(sorted({'libcst', 'numpy', 'scipy', 'z3', 'rich', 'click'} & set(sys.modules)))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "[]"
