"""The examples of every rule: those on its page, and those in `cases`."""

from __future__ import annotations

import importlib
import pkgutil
from textwrap import dedent

import pytest

from dplint.codes import CODES
from dplint.outcomes import Severity
from dplint.rules import RULES, Rule
from tests.rules import cases
from tests.rules.literal import literal
from tests.rules.snippets import PREAMBLE, findings_in, findings_of, fixed

CASES = {
    name.upper(): importlib.import_module(f"tests.rules.cases.{name}")
    for _, name, _ in pkgutil.iter_modules(cases.__path__)
}


def examples(kind: str) -> list:
    found = []
    for rule in RULES:
        module = CASES[rule.code]
        texts = (*getattr(rule, kind), *getattr(module, kind.upper()))
        found += [pytest.param(rule, text, id=f"{rule.code}-{number}") for number, text in enumerate(texts)]
    return found


def literals(kind: str) -> list:
    """The examples that may have a number for epsilon, with one."""
    written = [(one, literal(one.values[1])) for one in examples(kind)]
    return [pytest.param(one.values[0], text, id=one.id) for one, text in written if text is not None]


@pytest.mark.parametrize(("rule", "text"), examples("bad"))
def test_bad_examples_are_flagged(rule: Rule, text: str) -> None:
    assert rule.code in {finding.code for finding in findings_in(text, opt_in={rule.code})}


@pytest.mark.parametrize(("rule", "text"), examples("good"))
def test_good_examples_are_not_flagged_and_have_no_error(rule: Rule, text: str) -> None:
    found = findings_in(text, opt_in={rule.code})

    assert [one.message for one in found if one.code == rule.code or one.severity is Severity.ERROR] == []


# These rules reckon with what noise pays for. In one of the examples the number of releases is a parameter.
RECKONING = {"DP103", "DP105", "DP207", "DP401", "DP402", "DP403", "DP501", "DP502"}
WITH_A_PARAMETER = {"DP403-5"}


@pytest.mark.parametrize(
    ("rule", "text"),
    [one for one in literals("bad") if one.values[0].code in RECKONING and one.id not in WITH_A_PARAMETER],
)
def test_bad_examples_are_flagged_with_numbers_too(rule: Rule, text: str) -> None:
    assert rule.code in {finding.code for finding in findings_in(text)}


@pytest.mark.parametrize(("rule", "text"), literals("good"))
def test_good_examples_are_not_flagged_with_numbers_either(rule: Rule, text: str) -> None:
    found = findings_in(text, opt_in={rule.code})

    assert [one.message for one in found if one.code in {rule.code, *RECKONING}] == []


@pytest.mark.parametrize(("rule", "text"), examples("bad"))
def test_a_fix_mends_what_was_found(rule: Rule, text: str) -> None:
    whole = PREAMBLE + dedent(text)
    before = [one for one in findings_of(whole, opt_in={rule.code}) if one.code == rule.code]
    for finding in before:
        if finding.fix is not None:
            after = [one for one in findings_of(fixed(whole, finding.fix), opt_in={rule.code}) if one.code == rule.code]
            assert len(after) < len(before)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_five_bad_and_five_good_examples(rule: Rule) -> None:
    module = CASES[rule.code]

    assert len({*rule.bad, *module.BAD}) >= 5
    assert len({*rule.good, *module.GOOD}) >= 5


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_page_in_the_folder_is_that_of_the_rule(rule: Rule) -> None:
    assert CODES[rule.code].markdown == rule.page, "run python -m dplint.rules"


def test_every_file_of_cases_belongs_to_a_rule() -> None:
    assert set(CASES) == {rule.code for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_messages_are_one_sentence_that_says_how_to_mend_it(rule: Rule) -> None:
    for text in rule.bad:
        for finding in findings_in(text, opt_in={rule.code}):
            if finding.code == rule.code:
                assert ": " in finding.message
                assert finding.message[0] == finding.message[0].lower()
                assert not finding.message.endswith(".")
                assert "\n" not in finding.message
