"""`--format`, once or several times, where each report goes, and what the exit code says with `--exit-zero`."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import evidence_samples as evidence
import pytest
import report_samples as samples

from dplint.cli import main, run_check
from dplint.outcomes import Dealt, Plan, Result, Severity, Shard
from dplint.report.formats import format_names

LOADING = """
import sys, time
from types import SimpleNamespace
from dplint.cli import main, run_check
from dplint.outcomes import Plan, Progress
import report_samples as samples
result = samples.RESULTS[6]
loaded = lambda: "dplint.report.formats.junit" in sys.modules
def events(*_):
    yield Plan((result.mechanism,))
    print(loaded(), file=sys.stderr)
    yield Progress(result.mechanism, "", 0, 1)
    until = time.monotonic() + 60
    while not loaded() and time.monotonic() < until:
        time.sleep(0.01)
    print(loaded(), file=sys.stderr)
    yield result
run_check.check = SimpleNamespace(check_paths=events)
main(["check", "--format", "junit"])
"""

FINE = (Plan((samples.RESULTS[6].mechanism,)), samples.RESULTS[6])


@pytest.fixture
def use(monkeypatch, tmp_path):
    """Puts events behind `check`, in an empty working directory."""
    monkeypatch.chdir(tmp_path)

    def put(*events):
        monkeypatch.setattr(run_check, "check", SimpleNamespace(check_paths=lambda *_: iter(events)))

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
@pytest.mark.parametrize("form", format_names())
def test_exit_codes_do_not_depend_on_the_format(use, events, code, form, capsys):
    use(*events)
    assert main(["check", "--format", form]) == code
    assert main(["check", "--format", form, "--exit-zero"]) == (2 if code == 2 else 0), "a failure stays one"
    assert capsys.readouterr().out


@pytest.mark.parametrize(("disprovable", "code"), [(True, 0), (False, 1)])
def test_what_a_proof_disproves_is_no_error(use, disprovable, code):
    proof = Result(samples.mechanism(), evidence.SVT_PROOF)
    finding = replace(samples.FINDINGS[0], function="noisy_max", file=proof.mechanism.file, disprovable=disprovable)
    use(Plan((proof.mechanism,)), proof, replace(finding, severity=Severity.ERROR))

    assert main(["check"]) == code


@pytest.mark.process
def test_formats_are_loaded_while_audits_go_on():
    """Whoever waits for the last audit need not wait for them then."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", LOADING], env=env, capture_output=True, text=True, check=True)

    assert found.stderr.split() == ["False", "True"]


def test_several_reports_at_once_each_in_its_place(use, capsys):
    use(*samples.EVENTS)
    files = ("sarif=a.sarif", "junit=b.xml", "gitlab=c.json", "json=d.json", "rich=e.txt", "github=f.txt")
    assert main(["check", "--format", "concise", *(part for file in files for part in ("--format", file))]) == 2
    assert capsys.readouterr().out.startswith("src/broken.py:3:1: error ")
    assert json.loads(Path("a.sarif").read_text())["version"] == "2.1.0"
    assert ET.parse("b.xml").getroot().tag == "testsuites"
    problems = len(json.loads(Path("c.json").read_text()))
    assert problems == 11, "a finding that explains a violation is part of that"
    assert json.loads(Path("d.json").read_text())["summary"]["mechanisms"] == 11
    assert "src/release.py:5:5 DP901 noisy_max is not 0.7-private" in Path("e.txt").read_text(encoding="utf-8")
    assert Path("f.txt").read_text().startswith("::error ")


def test_output_file_is_for_the_one_report_without_a_file(use, capsys):
    use(*FINE)
    assert main(["check", "--format", "json", "--format", "sarif=a.sarif", "-o", "b.json"]) == 0
    assert json.loads(Path("b.json").read_text())["version"] == 3
    assert Path("a.sarif").is_file()
    assert capsys.readouterr().out == "", "nothing but what was asked for"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--format", "srif"], "Did you mean 'sarif'?"),
        (["--format", "sarif="], "sarif=report.sarif"),
        (["--format", "json", "--format", "sarif"], "--format sarif=FILE"),
        (["--format", "json=x", "-o", "y"], "none is left for --output-file"),
        (["--format", "json=x", "--format", "sarif", "-o", "./x"], "same file"),
        (["--format", "json=no/x"], "there is no folder 'no'"),
    ],
)
def test_places_that_do_not_fit_are_refused_before_the_work(use, capsys, arguments, part):
    use(AssertionError("not reached"))
    assert main(["check", *arguments]) == 2
    captured = capsys.readouterr()
    assert part in captured.err
    assert captured.out == ""


def test_the_page_has_every_format_and_no_other():
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \| ", page.partition("## Where")[0], flags=re.MULTILINE)) == set(format_names())
    assert set(re.findall(r"--format (\w+)", page.partition("## Codes")[0])) == set(format_names())
    assert set(re.findall(r"^## (\w+)$", page, flags=re.MULTILINE)) == set(format_names()) - {"rich", "json"}


def test_the_parts_of_a_check_are_merged(use, capsys):
    halves = [(samples.RESULTS[0],), (samples.RESULTS[6], samples.FINDINGS[0])]
    for number, half in enumerate(halves, start=1):
        planned = tuple(one.mechanism for one in half if isinstance(one, Result))
        use(Plan(planned, Dealt(Shard(number, 2), 2, "d")), *half)
        assert main(["check", "--shard", f"{number}/2", "--format", f"json=part{number}.json"]) == 1
    assert main(["merge", "part1.json", "part2.json", "--format", "json", "--format", "sarif=all.sarif"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {one["function"] for one in found["results"]} == {
        one.mechanism.qualname for half in halves for one in half[:1]
    }
    assert (len(found["findings"]), "shard" in found) == (1, False)
    assert len(json.loads(Path("all.sarif").read_text(encoding="utf-8"))["runs"]) == 1
    assert main(["merge", "part2.json"]) == 2
    assert "shard 1/2 missing" in capsys.readouterr().err


@pytest.mark.parametrize("other", ["--fix", "--diff", "--add-ignore", "--write-baseline", "--watch"])
def test_a_shard_is_of_a_whole_check(use, capsys, other):
    use(*FINE)
    assert main(["check", "--shard", "1/2", other, *(["--baseline", "b.json"] if "baseline" in other else [])]) == 2
    assert "does not go with --shard" in capsys.readouterr().err


def test_a_check_whose_reports_all_go_to_files_says_how_it_ended(use, capsys):
    use(*samples.EVENTS)
    main(["check", "--format", "json=a.json", "--format", "html=b.html"])
    told = capsys.readouterr()
    assert (told.out, told.err.count("Written: a.json and b.html.")) == ("", 1)
    assert "violations" in told.err
    main(["check", "--format", "json=a.json", "--quiet"])
    assert capsys.readouterr().err == ""
