"""The examples of every rule, on its page and beside, and what its page has to say."""

from __future__ import annotations

import ast
from collections.abc import Callable
from textwrap import dedent

import pytest

from dplint.codes import CODES
from dplint.outcomes import Severity
from dplint.rules import RULES, Rule
from tests.rules.cases import FOLDER, bad, good
from tests.rules.literal import literal
from tests.rules.snippets import PREAMBLE, findings_in, findings_of, fixed


def examples(of_rule: Callable[[Rule], tuple[str, ...]]) -> list:
    return [
        pytest.param(rule, text, id=f"{rule.code}-{number}")
        for rule in RULES
        for number, text in enumerate(of_rule(rule))
    ]


def literals(of_rule: Callable[[Rule], tuple[str, ...]]) -> list:
    """The examples that may have a number for epsilon, with one."""
    written = [(one, literal(one.values[1])) for one in examples(of_rule)]
    return [pytest.param(one.values[0], text, id=one.id) for one, text in written if text is not None]


@pytest.mark.parametrize(("rule", "text"), examples(bad))
def test_bad_examples_are_flagged(rule: Rule, text: str) -> None:
    assert rule.code in {finding.code for finding in findings_in(text, opt_in={rule.code})}


def test_a_message_takes_three_lines_of_a_terminal() -> None:
    """So that a violation with its cause takes twelve lines, at 80 columns with the option that mends it."""
    said = {one.message for example in examples(bad) for one in findings_in(example.values[1])}

    assert len(said) > len(RULES)
    assert [one for one in said if len(one) > 200] == []


@pytest.mark.parametrize(("rule", "text"), examples(good))
def test_good_examples_are_not_flagged_and_have_no_error(rule: Rule, text: str) -> None:
    found = findings_in(text, opt_in={rule.code})

    assert [one.message for one in found if one.code == rule.code or one.severity is Severity.ERROR] == []


# These rules reckon with what noise pays for. In one of the examples the number of releases is a parameter.
RECKONING = {"DP103", "DP105", "DP207", "DP401", "DP402", "DP403", "DP501", "DP502"}
WITH_A_PARAMETER = {"DP403-5"}


@pytest.mark.parametrize(
    ("rule", "text"),
    [one for one in literals(bad) if one.values[0].code in RECKONING and one.id not in WITH_A_PARAMETER],
)
def test_bad_examples_are_flagged_with_numbers_too(rule: Rule, text: str) -> None:
    assert rule.code in {finding.code for finding in findings_in(text)}


@pytest.mark.parametrize(("rule", "text"), literals(good))
def test_good_examples_are_not_flagged_with_numbers_either(rule: Rule, text: str) -> None:
    found = findings_in(text, opt_in={rule.code})

    assert [one.message for one in found if one.code in {rule.code, *RECKONING}] == []


@pytest.mark.parametrize(("rule", "text"), examples(bad))
def test_a_fix_mends_what_was_found(rule: Rule, text: str) -> None:
    whole = PREAMBLE + dedent(text)
    before = [one for one in findings_of(whole, opt_in={rule.code}) if one.code == rule.code]
    for finding in before:
        if finding.fix is not None:
            after = [one for one in findings_of(fixed(whole, finding.fix), opt_in={rule.code}) if one.code == rule.code]
            assert len(after) < len(before)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_five_bad_and_five_good_examples(rule: Rule) -> None:
    assert len({*bad(rule)}) >= 5
    assert len({*good(rule)}) >= 5


def test_every_file_of_further_examples_belongs_to_a_rule_and_has_nothing_but_examples_below_its_head() -> None:
    codes = {rule.code for rule in RULES}
    for file in FOLDER.glob("dp*.py"):
        assert file.stem.upper() in codes
        head = file.read_text(encoding="utf-8").partition("\n# ")[0]
        allowed = ast.Import | ast.ImportFrom | ast.Expr
        assert all(isinstance(statement, allowed) for statement in ast.parse(head).body), file.name


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_page_says_what_it_flags_why_where_it_was_seen_and_how_to_silence_it(rule: Rule) -> None:
    page = CODES[rule.code]
    headings = [line for line in page.markdown.splitlines() if line.startswith("## ")]

    assert headings == ["## Why it matters", "## Bad", "## Good", "## How to silence it"]
    assert "\nSeen in the wild: " in page.markdown
    assert f"`# dplint: ignore[{rule.code}]`" in page.markdown
    assert ("The rule is off unless it is asked for by its code." in " ".join(page.body.split())) is rule.opt_in


def test_every_page_of_a_rule_belongs_to_one() -> None:
    others = ("DP0", "DP9")  # claims and verdicts

    assert {code for code in CODES if not code.startswith(others)} == {rule.code for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_messages_are_one_sentence_that_says_how_to_mend_it(rule: Rule) -> None:
    for text in bad(rule):
        for finding in findings_in(text, opt_in={rule.code}):
            if finding.code == rule.code:
                assert ": " in finding.message
                first = finding.message.split()[0]
                assert first[0] == first[0].lower() or f"{first} = " in text, "lower case, or a name of the source"
                assert not finding.message.endswith(".")
                assert "\n" not in finding.message
