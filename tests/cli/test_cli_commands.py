"""`check` and `sweep` with a check made by hand behind them: options, formats, exit codes, errors."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import report_samples as samples

from dplint.cli import main, run_check, run_inspect
from dplint.outcomes import CheckError, Plan, Result

FINE = (Plan((samples.RESULTS[6].mechanism,)), samples.RESULTS[6])


class Check:
    """Stands in for dplint.check; remembers what it was asked and whether its generator was closed."""

    def __init__(self, events):
        self.events, self.closed, self.settings, self.called = events, False, None, None

    def check_paths(self, paths, settings, stop, *_shard):
        self.called, self.settings = tuple(paths), settings.base
        return self._yield()

    def sweep(self, target, epsilons, settings, *, at, level):
        self.called, self.settings = (target, epsilons, at, level), settings
        return self._yield()

    def _yield(self):
        try:
            for event in self.events:
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            self.closed = True


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project to stand in: src/release.py and nothing else."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "release.py").write_text(samples.SOURCE + "\nclass Counter:\n    def release(self): ...\n")
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def use(monkeypatch, project):
    """Puts events behind the commands."""

    def put(*events) -> Check:
        check = Check(events)
        namespace = SimpleNamespace(check_paths=check.check_paths, sweep=check.sweep)
        monkeypatch.setattr(run_check, "check", namespace)
        monkeypatch.setattr(run_inspect, "check", namespace)
        return check

    return put


@pytest.mark.parametrize(
    ("events", "code"),
    [
        (FINE, 0),
        ((samples.RESULTS[8],), 0),
        ((samples.RESULTS[0], *FINE), 1),
        ((samples.FINDINGS[0],), 1),
        ((samples.RESULTS[9],), 2),
        ((samples.RESULTS[0], samples.ERROR), 2),
    ],
)
@pytest.mark.parametrize("form", ["rich", "json", "concise"])
def test_exit_codes_do_not_depend_on_the_format(use, events, code, form, capsys):
    check = use(*events)
    assert main(["check", "src", "--format", form]) == code
    assert check.closed
    assert capsys.readouterr().out


def test_json_is_json(use, capsys):
    use(*samples.EVENTS)
    main(["check", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["mechanisms"] == 11


def test_only_given_options_reach_the_settings(use, project):
    (project / "pyproject.toml").write_text("[tool.dplint]\nseed = 5\njobs = 3\nignore = ['DP101']\n")
    check = use(*FINE)
    main(["check", "--jobs", "2", "--epsilon", "0.5,1"])
    assert (check.settings.seed, check.settings.jobs, check.settings.epsilons) == (5, 2, (0.5, 1.0))
    assert check.settings.ignore == ("DP101",)
    assert check.settings.static_only is False
    assert check.called == (Path(),)


def test_every_option_reaches_the_settings(use, project):
    python = project / "python"
    python.touch()
    check = use(*FINE)
    arguments = "--profile nightly --seed 9 --jobs 1 --static-only --alpha 0.01 --epsilon 2 --select-runs 10 "
    arguments += (
        "--method statdp --test-runs 20 --time-limit 3 --deadline 4 --memory-mib 512 --python ./python --allow write "
    )
    arguments += "--allow network --exclude old --exclude new --select DP1,dp9 --select DP3 --ignore DP2"
    assert main(["check", "src", *arguments.split()]) == 0
    settings = check.settings
    expected = {
        "profile": "nightly", "seed": 9, "jobs": 1, "static_only": True, "alpha": 0.01, "epsilons": (2.0,),
        "select_runs": 10, "test_runs": 20, "time_limit": 3.0, "deadline": 4.0, "memory_mib": 512,
        "interpreter": str(python), "allow": {"write", "network"}, "exclude": ("old", "new"),
        "select": ("DP1", "DP9", "DP3"), "ignore": ("DP2",),
    }  # fmt: skip
    assert {name: getattr(settings, name) for name in expected} == expected


def test_the_options_of_the_anytime_test_reach_the_settings(use, capsys):
    check = use(samples.RESULTS[0])
    arguments = ["--method", "anytime", "--runs", "5000", "--keep-going", "--no-cache"]
    assert main(["check", *arguments]) == 1
    settings = check.settings
    assert (settings.method, settings.runs, settings.keep_going, settings.cache) == ("anytime", 5000, True, False)
    assert "--seed 7 --method anytime --runs 5000 --keep-going" in unwrapped(capsys.readouterr().out)
    main(["check", "--method", "anytime", "--budget", "500ms"])
    assert (check.settings.budget, check.settings.runs, check.settings.cache) == (0.5, None, True)
    assert "--method anytime --budget 500ms" in unwrapped(capsys.readouterr().out)


def unwrapped(report):
    """The words of a report, without the frames of its panels."""
    return " ".join(report.replace("│", " ").split())


def test_the_solver_reaches_the_settings(use):
    check = use(*FINE)
    assert main(["check", "--solver", "simple"]) == 0
    assert check.settings.solver == "simple"


def test_select_and_ignore_filter_the_report(project, capsys):
    """Here the check is the real one, for it is the settings of each file that decide."""
    (project / "src/release.py").write_text("from dplint import dp\n@dp(epsilon=0)\ndef f(rng, data): ...\n")
    (project / "src/old").mkdir()
    (project / "src/old/pyproject.toml").write_text("[tool.dplint]\nseverity = {DP003 = 'warning'}\n")
    (project / "src/old/release.py").write_text((project / "src/release.py").read_text())
    arguments = ["check", "src", "--static-only", "--format", "concise"]
    assert main([*arguments, "--ignore", "DP0,DP9"]) == 0
    assert "2 hidden" in capsys.readouterr().out
    assert main(arguments) == 1
    assert capsys.readouterr().out.count("DP003") == 2
    assert main([*arguments[:1], "src/old", *arguments[2:]]) == 0


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["check", "srcc"], ["'srcc' does not exist", "Did you mean 'src'?"]),
        (["check", "src/relase.py"], ["'src/relase.py' does not exist", "'release.py'"]),
        (["check", "nowhere/deep/x.py"], ["'nowhere' does not exist"]),
        (["check", "--format", "xml"], ["'xml' is not one of", "'concise'"]),
        (["check", "--epsilon", "0.2,x"], ["'x' is not a number", "0.2,0.7,1.5"]),
        (["check", "--epsilon", "0.2,-1"], ["'-1' is not positive"]),
        (["check", "--alpha", "2"], ["alpha", "2"]),
        (["check", "--select", ","], ["holds no code", "DP1"]),
        (["check", "--ignore", "E501"], ["E501"]),
        (["check", "--method", "anytime", "--test-runs", "5"], ["test-runs", "'statdp'"]),
        (["check", "--method", "statdp", "--budget", "5s"], ["budget", "'anytime'"]),
        (["check", "--method", "anytime", "--budget", "5s", "--runs", "5"], ["exclude each other"]),
        (["check", "--method", "anytime", "--budget", "soon"], ["'soon'", "500ms"]),
        (["check", "--profil", "ci"], ["--profil"]),
        (["chek"], ["chek"]),
        (["inspect", "sweep", "src/release.py", "--range", "1"], ["FILE::FUNCTION"]),
        (["inspect", "sweep", "src::f", "--range", "1"], ["'src' is a folder"]),
        (["inspect", "sweep", "src/x.py::f", "--range", "1"], ["'src/x.py' does not exist"]),
        (["inspect", "sweep", "src/release.py::noisymax", "--range", "1"], ["no function 'noisymax'", "'noisy_max'"]),
        (["inspect", "sweep", "src/release.py::release", "--range", "1"], ["'release'", "Counter.release"]),
        (["inspect", "sweep", "src/release.py::noisy_max", "--range", "1:2"], ["2 parts", "0.1:2.0:0.1"]),
        (["inspect", "sweep", "src/release.py::noisy_max", "--range", "2:1:0.1"], ["starts above its end"]),
        (["inspect", "sweep", "src/release.py::noisy_max", "--range", "1:2:0"], ["'0' is not positive"]),
        (["inspect", "sweep", "src/release.py::noisy_max", "--range", "0.1:9:0.001"], ["8,901 values"]),
        (["inspect", "sweep", "src/release.py::noisy_max", "--range", "1", "--alpha", "1.5"], ["1.5"]),
    ],
)
def test_bad_usage_says_what_is_wrong_and_how_to_mend_it(use, capsys, arguments, parts):
    check = use(*FINE)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    for part in parts:
        assert part in captured.err
    assert check.called is None


def test_a_wrong_configuration_file_is_an_error_in_every_format(use, project, capsys):
    (project / "pyproject.toml").write_text("[tool.dplint]\n\nseeed = 5\n")
    use(*FINE)
    assert main(["check", "--format", "json"]) == 2
    (error,) = json.loads(capsys.readouterr().out)["errors"]
    assert (error["file"], error["line"]) == ("pyproject.toml", 3)
    assert "seeed" in error["message"]
    assert main(["check", "--format", "concise"]) == 2
    assert capsys.readouterr().out.startswith("pyproject.toml:3:1: error")


def test_a_bug_in_the_check_is_no_violation(use, capsys):
    """Python's own exit code for an exception is 1, which would say that a violation was found."""
    check = use(ZeroDivisionError("boom"))
    assert main(["check"]) == 2
    assert "boom" in capsys.readouterr().err
    assert check.closed


def test_ctrl_c_is_quiet_and_closes_the_stream(use, capsys):
    check = use(FINE[0], KeyboardInterrupt())
    assert main(["check"]) == 130
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    assert check.closed


def test_the_report_goes_to_a_file_without_colour(use, project, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    use(*FINE)
    assert main(["check", "--output-file", "report.txt"]) == 0
    text = (project / "report.txt").read_text(encoding="utf-8")
    assert "no violation found" in text
    assert "\x1b" not in text
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "-o", "no/such/x"],
        ["inspect", "sweep", "src/release.py::noisy_max", "--range", "1", "--plot", "no/such/x"],
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(use, capsys, arguments):
    check = use(*FINE)
    assert main(arguments) == 2
    assert "there is no folder 'no/such'" in capsys.readouterr().err
    assert check.called is None


def test_a_violation_is_reproduced_with_the_options_that_matter(use, capsys):
    use(samples.RESULTS[0])
    main(["check", "--profile", "commit", "--epsilon", "0.7", "--jobs", "1"])
    again = "dplint check src/release.py::noisy_max --seed 7 --profile commit --epsilons 0.7"
    assert again in capsys.readouterr().out


SWEEP = ["inspect", "sweep", "src/release.py::noisy_max", "--range", "0.1:0.3:0.1"]


def test_a_sweep_asks_for_the_whole_range_and_shows_the_curve(use, project, capsys):
    curve = samples.curve()
    check = use(Plan((curve.mechanism,)), samples.EVENTS[1], curve)
    assert main([*SWEEP, "--epsilons", "0.5,1", "--alpha", "0.01", "--plot", "curve.svg", "--seed", "3"]) == 0
    assert check.called == ("src/release.py::noisy_max", (0.1, 0.2, 0.3), (0.5, 1.0), 0.01)
    assert (check.settings.seed, check.settings.method) == (3, "statdp")
    assert "rejected up to 0.6" in capsys.readouterr().out
    assert "<svg" in (project / "curve.svg").read_text(encoding="utf-8")


def test_a_sweep_in_json(use, capsys):
    use(samples.curve())
    assert main([*SWEEP, "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["curve"]["lines"]) == 3


@pytest.mark.parametrize(
    "event",
    [
        samples.FINDINGS[0],
        CheckError("src/release.py", 5, "the mechanism bears no claim"),
        Result(samples.mechanism(), samples.FAILED),
        Result(samples.mechanism(), samples.UNTESTABLE),
    ],
)
@pytest.mark.parametrize("form", ["rich", "json"])
def test_a_sweep_without_a_curve_fails_and_says_why(use, capsys, event, form):
    use(event)
    assert main([*SWEEP, "--format", form]) == 2
    message = getattr(event, "message", None) or event.outcome.reason
    ticks = "`" if form == "json" else ""
    assert message.replace("`", ticks) in " ".join(capsys.readouterr().out.split())


def test_of_many_names_the_first_are_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for number in range(75):
        (tmp_path / f"module{number:02}").mkdir()
    assert main(["check", "elsewhere"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "module59, and 15 more" in told
    assert "module60" not in told
