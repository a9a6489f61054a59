"""Comments in the checked files silence findings and verdicts; what silences nothing is reported at the end."""

import pytest

from dplint.check import check_paths
from dplint.config import load_settings
from dplint.outcomes import CheckError, Failed, Finding, NoViolation, Plan, Result, Silenced, Violation
from dplint.report.gathered import exit_code, gather

pytestmark = pytest.mark.process
SOURCE = """\
from dplint import dp


@dp(epsilon=1.0){wrong}
def leaks(rng, answers):
    return answers[0] if rng.random() < 0.999 else 0.0


@dp(epsilon=1.0){right}
def private(rng, answers):
    return rng.laplace()


@dp(epsilon=-1){claim}
def misspelt(rng, answers):
    return 0
"""


@pytest.fixture
def check(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")

    def check(*, name="release.py", static_only=False, wrong="", right="", claim="", text=SOURCE):
        comments = {"wrong": wrong, "right": right, "claim": claim}
        ignores = {place: codes and f"  # dplint: ignore[{codes}]" for place, codes in comments.items()}
        (tmp_path / name).write_text(text.format(**ignores))
        values = {"static_only": static_only, "runs": 40_000, "cache": False, "jobs": 1}
        return list(check_paths([tmp_path / name], load_settings(tmp_path, values)))

    return check


def codes(events):
    return [event.code for event in events if isinstance(event, Finding)]


def test_a_silenced_violation_is_counted_and_changes_no_exit_code(check):
    events = check(wrong="DP9", claim="DP003")
    gathered = gather(events)

    silenced = [event.item for event in events if isinstance(event, Silenced)]
    assert [type(item) for item in silenced] == [Finding, Result]
    assert isinstance(silenced[1].outcome, Violation)
    assert [result.mechanism.qualname for result in gathered.results] == ["private"]
    assert (len(gathered.silenced), gathered.errors, gathered.counts["mechanisms"]) == (2, (), 2)
    assert exit_code(gathered) == 0


def test_without_comments_everything_is_reported(check):
    gathered = gather(check())

    assert [type(result.outcome) for result in gathered.results] == [Violation, NoViolation]
    assert [finding.code for finding in gathered.findings] == ["DP003"]
    assert exit_code(gathered) == 1


def test_useless_comments_come_last_and_change_no_exit_code(check):
    events = check(wrong="DP901", right="DP901,DP904", claim="DP003,DP004")

    assert codes(events) == ["DP020", "DP020"]
    assert all(isinstance(event, Finding) for event in events[-2:])
    assert [event.span.line for event in events[-2:]] == [9, 14]
    assert exit_code(gather(events)) == 0


def test_without_audits_codes_of_verdicts_are_not_judged(check):
    events = check(static_only=True, wrong="DP901", right="DP001,DP901", claim="DP003")

    assert [type(event) for event in events] == [Silenced, Plan, Finding]
    assert "DP001 in this comment" in events[2].message


def test_a_failed_audit_stays_and_its_comments_are_not_judged(check):
    needs = SOURCE.replace("\ndef ", "\n@nothing_of_that_name.mark\ndef ")
    events = check(text="import nothing_of_that_name\n" + needs, wrong="DP9", right="DP901", claim="DP003")

    assert [type(event.outcome) for event in events if isinstance(event, Result)] == [Failed, Failed]
    assert codes(events) == []


def test_a_file_that_does_not_parse_has_no_useless_comments(check):
    events = check(text=SOURCE + "x = (\n", wrong="DP001")

    assert [type(event) for event in events] == [CheckError, Plan]
