"""A finding that explains a violation is shown with it, once, in every form; and only then."""

import io
import json
from dataclasses import replace
from pathlib import Path

import evidence_samples as evidence
import jsonschema
import pytest
import report_samples as samples
from rich.console import Console

from dplint.claims import Fixed, Span
from dplint.outcomes import (
    ArgumentScope,
    Edit,
    Effect,
    Finding,
    Fix,
    OutputEvent,
    Range,
    Related,
    Result,
    Severity,
    Silenced,
    Sizes,
    SkippedLine,
    WatchedRuns,
)
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.formats.concise import concise
from dplint.report.formats.github import github
from dplint.report.formats.gitlab import gitlab
from dplint.report.formats.junit import junit
from dplint.report.formats.sarif import sarif
from dplint.report.gathered import exit_code, gather
from dplint.report.json_document import check_json
from dplint.report.summary import summary
from dplint.report.terminal import print_report
from dplint.rules.checking import RULES

SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
VIOLATION = Result(samples.mechanism(), samples.violation())
SCALE = Finding(
    "src/release.py",
    Span(6, 37, 6, 48),
    "noisy_max",
    "DP101",
    Severity.ERROR,
    "the scale grows with epsilon",
    Fix("divide by epsilon", (Edit(Span(6, 37, 6, 48), "1 / epsilon"),), safe=True),
    foretells=True,
)
ESCAPE = Finding(
    "src/release.py",
    Span(5, 30, 5, 37),
    "noisy_max",
    "DP201",
    Severity.WARNING,
    "exact data is returned",
    related=(Related(Span(5, 20, 5, 27), "it comes from here"),),
    foretells=True,
    error_if_refuted=True,
)


def source(file, line):
    lines = samples.SOURCE.splitlines()
    return lines[line - 1] if file == "src/release.py" and line <= len(lines) else None


def met(*events):
    return meet(gather(events))


def codes(gathered):
    return [finding.code for finding in gathered.findings], [one.code for one in gathered.results[0].explained_by]


@pytest.mark.parametrize(
    ("finding", "explains"),
    [
        (SCALE, True),
        (ESCAPE, True),
        (replace(SCALE, function="noisy_max.inner"), True),
        (replace(SCALE, function="noisy_max_of_another"), False),
        (replace(SCALE, function=None), False),
        (replace(SCALE, file="src/other.py"), False),
        (replace(SCALE, foretells=False), False),
    ],
)
def test_only_what_foretells_it_in_its_function_explains_a_violation(finding, explains):
    apart, within = codes(met(finding, VIOLATION))
    assert (apart, within) == (([], [finding.code]) if explains else ([finding.code], []))


def test_of_every_rule_it_is_known_whether_it_explains_violations():
    """A logged value, a weak generator, porous noise, accounting, gradients and training do not show in outputs."""
    of_training = {f"DP6{number:02}" for number in range(1, 12)}
    kept = {"DP209", "DP301", "DP304", "DP404", "DP504"} | of_training
    assert {rule.code for rule in RULES if not rule.foretells} == kept
    raised = [rule for rule in RULES if rule.error_if_refuted]
    assert {(rule.severity, rule.foretells) for rule in raised} == {(Severity.WARNING, True)}


@pytest.mark.parametrize("outcome", [samples.NO_VIOLATION, samples.PROVED, samples.UNTESTABLE, samples.FAILED])
def test_no_other_verdict_takes_a_finding_to_itself(outcome):
    apart, within = codes(met(SCALE, replace(VIOLATION, outcome=outcome)))
    assert (apart, within) == (["DP101"], [])


def watched(*texts_below, crash=False):
    """The violation with watched runs that skipped these lines."""
    skipped = tuple(SkippedLine(below, text) for below, text in texts_below)
    return replace(VIOLATION, outcome=replace(samples.violation(), watched=WatchedRuns(skipped=skipped, crash=crash)))


LINE = "return max(q + rng.laplace(scale=epsilon) for q in queries)"
PLACED = replace(SCALE, text=LINE)


@pytest.mark.parametrize(
    ("skipped", "explains"),
    [
        ((), True),
        (((1, LINE),), False),
        (((2, LINE),), True),  # the function has changed since: nothing is known
        (((1, "return None"),), True),
    ],
)
def test_a_line_that_no_run_on_the_inputs_takes_explains_nothing(skipped, explains):
    apart, within = codes(met(PLACED, watched(*skipped)))
    assert (apart, within) == (([], ["DP101"]) if explains else (["DP101"], []))


def test_lines_are_known_after_the_function_has_moved():
    down = Span(16, 37, 16, 48)
    violation = watched((1, LINE))
    moved = replace(violation, mechanism=samples.mechanism(line=15))
    assert codes(met(replace(PLACED, span=down), moved)) == (["DP101"], [])


def test_what_has_its_effect_on_a_line_that_no_run_takes_explains_nothing():
    """A condition that was never true decides nothing, though it has run."""
    branch = replace(PLACED, text="if len(queries) == 0:", related=(Related(Span(7, 9, 7, 14), "it", "raise X"),))
    assert codes(met(branch, watched((2, "raise X")))) == (["DP101"], [])
    assert codes(met(branch, watched((2, "return 1")))) == ([], ["DP101"])
    origin = replace(branch, related=(Related(Span(7, 9, 7, 14), "it comes from here"),))
    assert codes(met(origin, watched((2, "raise X")))) == ([], ["DP101"]), "a place that is told, and no more"


def observed(expression, count1, count2, *, crash=False):
    """The violation with another event and counts of 1,000 runs."""
    outcome = watched(crash=crash).outcome
    found = outcome.counterexample
    counts = replace(found.evidence, count1=count1, count2=count2, runs1=1000, runs2=1000, coupled=None)
    witness = replace(found.witness, observation=OutputEvent(expression))
    return replace(VIOLATION, outcome=replace(outcome, counterexample=replace(found, witness=witness, evidence=counts)))


RAISES = "isinstance(output, Exception) and type(output).__name__ == 'ValueError'"
OVERFLOW = replace(SCALE, code="DP210", effects=(Effect.EXCEPTION,), span=Span(7, 1, 7, 2))
BRANCH = replace(SCALE, code="DP205", effects=(Effect.OUTPUT, Effect.EXCEPTION), span=Span(8, 1, 8, 2))


@pytest.mark.parametrize(
    ("violation", "explaining"),
    [
        (observed(RAISES, 1000, 0), ["DP210", "DP205"]),
        (observed("not isinstance(output, Exception)", 1000, 0), ["DP210", "DP205"]),
        (observed("output < 0.34", 900, 20), ["DP101", "DP205"]),
        (observed("output < 0.34", 1000, 0, crash=True), ["DP210", "DP205"]),
        # noise decides whether it raises
        (observed(RAISES, 900, 20), ["DP101", "DP210", "DP205"]),
    ],
)
def test_what_causes_other_kinds_of_events_explains_nothing(violation, explaining):
    gathered = met(SCALE, OVERFLOW, BRANCH, violation)
    assert codes(gathered)[1] == explaining
    assert len(gathered.all_findings) == 3, "the others stay what they are"


def test_of_several_on_one_line_the_strongest_is_shown_and_none_is_lost():
    milder = replace(SCALE, code="DP001", severity=Severity.WARNING)
    gathered = met(milder, SCALE, ESCAPE, VIOLATION)
    assert codes(gathered) == ([], ["DP201", "DP101"])
    assert gathered.results[0].same_causes == (milder,)
    document = json.loads(check_json(Report(gathered, 1.0)))
    assert [one["code"] for one in document["results"][0]["explained_by"]] == ["DP201", "DP101"]
    assert {one["code"] for one in document["findings"] if one["explains_violation"]} == {"DP001", "DP101", "DP201"}
    assert exit_code(gathered) == 1


def test_what_says_the_same_in_other_words_is_not_repeated():
    dead = replace(SCALE, code="DP305", same_as=("DP201",), span=Span(4, 1, 4, 2))
    assert codes(met(dead, ESCAPE, VIOLATION)) == ([], ["DP201"])
    assert codes(met(dead, VIOLATION)) == ([], ["DP305"])


def test_of_every_rule_it_is_known_what_it_can_cause():
    """Scales decide on values; sizes, branches, keys and overflows on exceptions as well."""
    both = {"DP108", "DP203", "DP204", "DP205", "DP208", "DP211", "DP214", "DP405", "DP503"}
    raising = {rule.code for rule in RULES if Effect.EXCEPTION in rule.effects}
    assert raising == both | {"DP210"}
    assert {rule.code for rule in RULES if Effect.OUTPUT not in rule.effects} == {"DP210"}
    of_training = {
        "DP601": ("DP404",),
        "DP603": ("DP204",),
        "DP605": ("DP302",),
        "DP606": ("DP205",),
        "DP607": ("DP201", "DP205"),
    }
    same = {rule.code: rule.same_as for rule in RULES if rule.same_as}
    assert same == {"DP305": ("DP106", "DP201"), **of_training}


FULL = replace(VIOLATION, outcome=evidence.SVT_PROOF)
WRONG = replace(SCALE, function="svt", disprovable=True)
PROVED = replace(FULL, mechanism=replace(FULL.mechanism, qualname="svt"))


def scoped(**changes):
    """The proof in another scope."""
    return replace(PROVED, outcome=replace(evidence.SVT_PROOF, scope=replace(evidence.SVT_PROOF.scope, **changes)))


def test_a_proof_without_limits_disproves_a_finding():
    assert evidence.SVT_PROOF.scope.full
    gathered = met(WRONG, PROVED)

    assert (gathered.findings, gathered.disproved) == ((), (WRONG,))
    assert exit_code(gathered) == 0
    assert "1 finding disproved" in summary(gathered, 1.0)
    assert [one["code"] for one in json.loads(check_json(Report(gathered, 1.0)))["disproved"]] == ["DP101"]
    assert "DP101 is wrong: the claim is proved" in junit(Report(gathered, 1.0))


@pytest.mark.parametrize(
    "proof",
    [
        scoped(sizes=Sizes(0, 5)),
        scoped(epsilon=Range(low=0.0, high=1.0, above=True)),
        scoped(assumptions=("the claim of `part` holds",)),
        scoped(arguments=(ArgumentScope("verbose", Fixed(False)),)),
        replace(PROVED, outcome=samples.NO_VIOLATION),
    ],
)
def test_a_proof_with_limits_leaves_findings_alone(proof):
    """What is flagged may be behind a value of an argument that the proof does not speak of."""
    gathered = met(WRONG, proof)

    assert (gathered.findings, gathered.disproved) == ((WRONG,), ())
    assert exit_code(gathered) == 1


@pytest.mark.parametrize("finding", [replace(WRONG, function="other"), replace(WRONG, disprovable=False)])
def test_a_proof_disproves_nothing_else(finding):
    assert met(finding, PROVED).findings == (finding,)


def test_what_no_proof_speaks_of_is_not_disproved():
    """Seeds, floats and formulas that are poor without breaking the claim."""
    kept = {rule.code for rule in RULES if rule.foretells and not rule.disprovable}
    assert kept == {"DP106", "DP107", "DP202", "DP210", "DP211", "DP302", "DP303", "DP305", "DP405", "DP406"}


def test_what_a_comment_silences_explains_nothing():
    apart, within = codes(met(Silenced(SCALE), ESCAPE, VIOLATION))
    assert (apart, within) == ([], ["DP201"])


def test_a_warning_that_is_confirmed_becomes_an_error_and_says_so():
    (raised,) = met(ESCAPE, VIOLATION).results[0].explained_by
    assert (raised.severity, raised.raised) == (Severity.ERROR, True)
    (kept,) = met(replace(SCALE, severity=Severity.WARNING), VIOLATION).results[0].explained_by
    assert (kept.severity, kept.raised) == (Severity.WARNING, False), "not of this rule"
    # Whoever makes less of violations means what explains them too.
    mild = met(ESCAPE, replace(VIOLATION, severity=Severity.WARNING))
    assert not mild.results[0].explained_by[0].raised
    assert exit_code(mild) == 0


def test_people_see_it_in_the_panel_with_its_line_and_nowhere_else():
    console = Console(file=io.StringIO(), width=100)
    print_report(Report(met(SCALE, ESCAPE, VIOLATION), 1.0, source), console)
    text = " ".join(console.file.getvalue().replace("│", " ").split())
    assert text.count("the scale grows with epsilon") == 1
    assert "exact data is returned (DP201)" in text
    assert "line 6, too: the scale grows with epsilon (DP101, --fix mends it)" in text
    assert "5 def noisy_max(rng, queries, epsilon):" in text, "the line of the first"


def test_other_tools_get_one_problem():
    gathered = met(SCALE, ESCAPE, VIOLATION)
    (line,) = concise(Report(gathered, 1.0, quiet=True)).splitlines()
    assert line.startswith("src/release.py:5:5: DP901 ")
    assert line.endswith("; line 5: exact data is returned (DP201)")
    (entry,) = json.loads(gitlab(Report(gathered, 0.0, source)))
    assert entry["check_name"] == "DP901"
    (command,) = github(Report(gathered, 1.0, quiet=True)).splitlines()
    assert "line 6, too: the scale grows with epsilon (DP101, `--fix` mends it)%0A" in command
    assert "fix: divide by epsilon" in command
    assert junit(Report(gathered, 1.0)).count("<testcase") == 1


def test_sarif_has_its_places_its_fix_and_the_way_of_the_data():
    document = json.loads(sarif(Report(met(SCALE, ESCAPE, VIOLATION), 1.0, source)))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    (result,) = document["runs"][0]["results"]
    assert result["ruleId"] == "DP901"
    related = [one["message"]["text"] for one in result["relatedLocations"]]
    assert related == ["DP201: exact data is returned", "DP101: the scale grows with epsilon", "the claim"]
    assert result["fixes"][0]["description"]["text"] == "divide by epsilon"
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [one["location"]["message"]["text"] for one in steps] == ["it comes from here", "exact data is returned"]


def test_json_keeps_every_finding_where_programs_look_for_it():
    other = replace(SCALE, function="quite_another", span=Span(9, 1, 9, 2))
    document = json.loads(check_json(Report(met(SCALE, ESCAPE, other, VIOLATION), 1.0)))
    found = {(one["code"], one["line"]): one for one in document["findings"]}
    assert {place: one["explains_violation"] for place, one in found.items()} == {
        ("DP201", 5): True,
        ("DP101", 6): True,
        ("DP101", 9): False,
    }
    assert (found["DP201", 5]["severity"], found["DP201", 5]["raised_by_audit"]) == ("error", True)
    assert [one["code"] for one in document["results"][0]["explained_by"]] == ["DP201", "DP101"]
    assert document["summary"]["findings"] == 3
