"""Exact evidence, proofs and losses, in every report: what they say, and what they must never say."""

import io
import json
import math
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from dplint.claims import Categories, Fixed
from dplint.outcomes import (
    ArgumentScope,
    Bounds,
    Direction,
    LargestLoss,
    Linear,
    NoViolation,
    PairLoss,
    Proved,
    Range,
    Result,
    Sizes,
    Violation,
)
from dplint.report import documents, editor, numerals, violation, words
from dplint.report.counterexample_view import shown_violation
from dplint.report.event_words import losses_words
from dplint.report.format import Report
from dplint.report.formats.concise import concise
from dplint.report.formats.github import github
from dplint.report.formats.gitlab import gitlab
from dplint.report.formats.junit import junit
from dplint.report.formats.sarif import sarif
from dplint.report.gathered import code_of, exit_code, gather, severity_of
from dplint.report.markdown import hover
from dplint.report.proof_words import linear_words, scope_words, verdict_words
from dplint.report.summary import expected_false_alarms, summary
from dplint.report.terminal import print_report
from tests.report.evidence_samples import (
    CONFLICT,
    DENSITY,
    EVERY_KIND,
    EXACT,
    IMPOSSIBLE,
    LIMIT,
    NOTHING_FOUND,
    PROVED,
    PROVED_UP_TO,
    SVT_PROOF,
    WITH_DRAWS,
    line_of,
)


def render(*results, width=100, encoding="utf-8", **options):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, width=width, no_color=True)
    print_report(Report(gather(results), 1.0, line_of, **options), console)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


def flat(text):
    return " ".join(text.replace("│", " ").split())


def reports(result):
    """All texts that are made of a result, by the name of the report."""
    gathered = gather((result,))
    return {
        "terminal": flat(render(result)),
        "message": documents.message(result),
        "junit": junit(Report(gathered, 1.0)),
        "hover": hover(result.mechanism, result.outcome, ""),
        "editor": editor.message(result),
        "lens": editor.verdict_title(result.outcome),
        "sarif": sarif(Report(gathered, 1.0, line_of)),
        "concise": concise(Report(gathered, 1.0)),
        "github": github(Report(gathered, 1.0)),
        "gitlab": gitlab(Report(gathered, 0.0, line_of)),
    }


OF_PROBLEMS = {"concise", "github", "gitlab"}
"""Reports that only count what is no problem."""


def test_exact_probabilities_are_told_as_they_are():
    """0.9 against 0.1 is 9 to 1, and e^1 = 2.718; ln 9 = 2.1972."""
    told = reports(EXACT)
    assert (
        "`output == 'yes'` has probability 0.9 on D1 and 0.1 on D2: 9 times as likely; 2.72 is allowed (exact)"
        in told["message"]
    )
    assert told["message"].startswith("`answer` is not 1-private: at least 2.19; ")
    assert "answer is not 1-private: at least 2.19" in told["terminal"]
    assert "P(output == 'yes') D1 0.9 " in told["terminal"]
    assert "9 times as likely; 2.72 is allowed (exact)" in told["terminal"]
    assert told["lens"] == "violated: ε ≥ 2.19"
    for name in ("terminal", "message", "hover", "editor", "junit"):
        assert "confidence" not in told[name], name
        assert "--seed" not in told[name], "nothing in it is chance"


def test_densities_are_never_called_probabilities():
    """0.7 e^-0.7 = 0.34761 and 0.7 e^-2.1 = 0.0857: e^1.4 = 4.055."""
    told = reports(DENSITY)
    assert "`output == 1.5` has density 0.348 on D1 and 0.0857 on D2: 4.06 times as likely" in told["message"]
    assert "density(output == 1.5) D1 0.348" in told["terminal"]
    assert "| density on D1 | 0.348 |" in told["hover"]
    assert shown_violation(DENSITY)["measure"] == "density"
    assert all("probability 0.348" not in text for text in told.values())


def test_what_is_impossible_is_said_to_be_so():
    told = reports(IMPOSSIBLE)
    assert (
        "has probability 0.752 on D1 and 0 on D2: impossible on D2; 2.01 times as likely is allowed" in told["message"]
    )
    assert "is not 0.7-private: no finite epsilon holds" in told["terminal"]
    assert "z3: no values of the draws lead to it" in flat(render(IMPOSSIBLE, verbose=True))
    assert "impossible on D2" in told["terminal"]
    assert told["lens"] == "violated: no finite ε"
    assert "impossible on D2" in told["editor"]


def test_unequal_vanishing_is_no_impossible_output():
    told = reports(LIMIT)
    assert "the nearer the output comes to it, the likelier on D1, without limit" in told["message"]
    assert "the densities are like t^0 on D1 and t^1 on D2" in flat(render(LIMIT, verbose=True))
    assert "the nearer the output comes to it, the likelier on D1, without limit; 2.01 times" in told["terminal"]
    for text in told.values():
        assert "impossible" not in text.partition('"rules"')[0]


def test_a_ratio_that_grows_in_a_tail_is_told_at_a_place_there():
    """Gaussian noise keeps no pure claim: at 1.5 it shows already, and further out no factor is enough."""
    result = replace(DENSITY, outcome=replace(DENSITY.outcome, epsilon_lower=math.inf))
    told = reports(result)
    assert "4.06 times as likely, more the further out, without limit; 2.01 is allowed" in told["message"]
    assert "no finite epsilon holds" in told["message"]


def test_a_proof_says_what_it_covers_and_why():
    told = reports(PROVED)
    scope = "for every length, any epsilon > 0, any T, N in 1..5, in exact arithmetic"
    for name in ("message", "editor"):
        assert scope in told[name], name
    assert (
        "✓ svt is proved for every length, any epsilon > 0, any T, N in 1..5; spends at most epsilon"
        in told["terminal"]
    )
    assert "moves by" not in told["terminal"]
    reasons = flat(render(PROVED, verbose=True))
    assert "the noise of line 23 moves by 1 (at most 1/2 of epsilon)" in reasons
    assert "the noise of line 26 in every turn moves by 1 - (D2[i] - D1[i]) if noisy >= threshold" in reasons
    assert "how floats are rounded in the code is not modelled" in told["terminal"]
    assert told["lens"] == "✓ proved for every length"
    assert json.loads(told["sarif"])["runs"][0]["properties"]["verdicts"][0]["properties"]["verdict"] == "proved"


def test_a_delta_below_the_claimed_one_is_told_beside_all_of_epsilon():
    told = reports(replace(PROVED, outcome=replace(PROVED.outcome, delta_upper=1.8e-08)))
    assert "; spends at most epsilon; or all of epsilon, with delta = 1.8e-08" in flat(told["terminal"])
    for texts, delta in ((told, 1.8e-08), (reports(PROVED), None)):
        (verdict,) = json.loads(texts["sarif"])["runs"][0]["properties"]["verdicts"]
        assert verdict["properties"]["spend"]["delta"] == delta


def test_a_bounded_proof_never_looks_like_a_full_one():
    told = reports(PROVED_UP_TO)
    for name in told.keys() - OF_PROBLEMS:
        assert "up to n = 5" in told[name], name
    for name in told.keys() - OF_PROBLEMS - {"lens"}:
        assert "nothing is proved of anything else" in told[name], name
    assert "◐ noisy_index is proved up to n = 5" in told["terminal"]
    assert "✓" not in told["terminal"]
    assert "is proved up to n = 5" in told["hover"]
    assert "1 proved in part" in told["concise"]
    assert "1 proved;" not in told["concise"]
    assert "every length" not in "".join(told.values())


def test_proofs_are_no_problems_for_anybody():
    gathered = gather((PROVED, PROVED_UP_TO, NOTHING_FOUND))
    assert exit_code(gathered) == 0
    assert json.loads(sarif(Report(gathered, 1.0, line_of)))["runs"][0]["results"] == []
    assert gitlab(Report(gathered, 0.0, line_of)) == "[]\n"
    assert summary(gathered, 1.0).startswith("3 mechanisms: 1 proved, 1 proved in part, 1 without a violation found")


def test_a_violation_and_a_proof_are_shown_as_both_everywhere():
    told = reports(CONFLICT)
    assert "svt is not 0.7-private: at least 0.7004, yet proved" in told["terminal"]
    for name in told.keys() - {"lens"}:
        text = told[name].replace("\\", "")
        assert "error of dplint" in text, name
        assert "proved for every length" in text, name
        assert "output == [True]" in text, name
    assert told["lens"] == "violated: ε ≥ 0.7004 at 99.9%, yet proved"
    assert (code_of(CONFLICT.outcome), severity_of(CONFLICT), exit_code(gather((CONFLICT,)))) == ("DP907", "error", 1)
    proof = shown_violation(CONFLICT)["proof"]
    assert "The same claim is proved for every length" in proof["text"]
    assert any("moves by 1" in line for line in proof["lines"])
    assert shown_violation(EXACT)["proof"] is None


def test_a_proof_is_doubted_for_chance_only_where_runs_were_counted():
    exact = replace(EXACT.outcome, against=SVT_PROOF)
    assert "chance" in documents.message(CONFLICT)
    assert "chance" not in documents.message(Result(EXACT.mechanism, exact))


def test_losses_stand_beside_what_would_have_been_found():
    """ln(7 / 3) = 0.8473."""
    told = reports(NOTHING_FOUND)
    assert "largest loss 0.8473 of 1" in told["terminal"]
    told["terminal"] = flat(render(NOTHING_FOUND, verbose=True))
    for name in ("terminal", "message", "junit", "hover"):
        text = told[name].replace("\\", "")
        assert "largest loss on 2 pairs: 0.8473 of 1 claimed, at D1 = 'yes', D2 = 'no'" in text, name
        assert "would have been found with probability 0.95" in text, name
        assert "does not mean private" in text or name in ("message", "junit"), name
    assert told["lens"] == "nothing found in 2.1M runs (exact: 0.8473 of 1)"


def loss(low, high, most=None, **fields):
    pair = PairLoss(d1=[1], d2=[0], arguments=(), loss=Bounds(low, high), claimed=0.5, **fields)
    return (LargestLoss(pair=pair, pairs=42, high=high if most is None else most),)


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        (loss(0.49971, 0.49973), "largest loss on 42 pairs: 0.4997 of 0.5 claimed, at D1 = [1], D2 = [0]"),
        (loss(0.31, 0.4), "largest loss on 42 pairs: 0.31 to 0.4 of 0.5 claimed"),
        (loss(0.31249, math.inf), "largest loss on 42 pairs: at least 0.312 of 0.5 claimed"),
        (loss(0.3, 0.3, math.inf), "largest loss on 42 pairs: at least 0.3 of 0.5 claimed"),
        (loss(0.3, 0.3, delta=1e-5), "largest loss on 42 pairs: 0.3 of 0.5 claimed with delta = 1e-5"),
    ],
)
def test_a_loss_is_told_no_more_exactly_than_it_is_known(losses, words):
    """The other pairs count too: the largest is known only as far as all of them are."""
    assert losses_words(losses).startswith(words)


def test_of_several_values_the_one_nearest_to_its_claim_is_told_with_its_place():
    (small,), (large,) = loss(0.1, 0.1), loss(0.9, 0.9)
    large = replace(large, pair=replace(large.pair, claimed=1.0))
    assert losses_words((small, large)) == (
        "largest loss on 42 pairs: 0.9 of 1 claimed, at D1 = [1], D2 = [0], in exact arithmetic; "
        "at other values 0.1 of 0.5 claimed"
    )


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Bounds(0.9 - 1e-12, 0.9 + 1e-12), "0.9"),
        (Bounds(0.12345649, 0.12345651), "0.12346"),
        (Bounds(0.0, 0.0), "0"),
        (Bounds(0.41234, 0.43111), "0.412 to 0.432"),
        (Bounds(math.inf, math.inf), "infinity"),
        (Bounds(1.15, math.inf), "at least 1.15"),
    ],
)
def test_numbers_that_are_certain_are_shown_in_the_digits_that_are(bounds, text):
    assert numerals.certified(bounds) == text


def test_upper_bounds_are_rounded_up():
    assert (numerals.upper_bound(0.43101), numerals.upper_bound(1.15), numerals.upper_bound(0.0)) == (
        "0.432",
        "1.15",
        "0",
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sizes": Sizes(0, None)}, "for every length, any epsilon > 0, in exact arithmetic"),
        ({"sizes": Sizes(1, None)}, "for every length from 1 on, any epsilon > 0"),
        ({"sizes": None}, "for all data, any epsilon > 0"),
        ({"sizes": Sizes(3, 5)}, "for n = 3 to 5, any epsilon > 0"),
        ({"sizes": Sizes(4, 4)}, "for n = 4, any epsilon > 0"),
        ({"epsilon": Range(low=0.7, high=0.7)}, "for every length, epsilon = 0.7"),
        ({"epsilon": Range(low=0.0, high=2.0, above=True)}, "for every length, 0 < epsilon <= 2"),
        ({"delta": 1e-5}, "for every length, any epsilon > 0, delta = 1e-5, in exact arithmetic"),
        ({"arguments": (ArgumentScope("N", Range(low=1, integer=True)),)},
         "for every length, any epsilon > 0, any whole N >= 1"),
        ({"arguments": (ArgumentScope("p", Range(high=1.0)),)}, "for every length, any epsilon > 0, any p <= 1"),
        ({"arguments": (ArgumentScope("c", Fixed(2.5)),)}, "for every length, any epsilon > 0, c = 2.5"),
        ({"arguments": (ArgumentScope("mode", Categories(("raw",))),)},
         "for every length, any epsilon > 0, mode in ['raw']"),
        ({"direction": Direction.LARGER_FIRST}, "for every length, only from the larger neighbour to the smaller one"),
        ({"assumptions": ("noisy_count keeps its claim",)},
         "for every length, any epsilon > 0, in exact arithmetic; "
         "it is taken for granted that noisy_count keeps its claim"),
    ],
)  # fmt: skip
def test_a_scope_in_words(fields, words):
    scope = replace(SVT_PROOF.scope, arguments=())
    assert scope_words(replace(scope, **fields)).startswith(words)


def test_one_direction_alone_is_no_full_proof():
    scope = replace(SVT_PROOF.scope, direction=Direction.SMALLER_FIRST)
    assert not scope.full
    assert verdict_words(scope) == "proved one way"
    assert scope_words(scope).endswith("nothing is proved of anything else")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Linear(), "0"),
        (Linear("1", (("D2[i] - D1[i]", "-1"),)), "1 - (D2[i] - D1[i])"),
        (Linear("0", (("c", "1/2"),)), "1/2 * c"),
        (Linear("0", (("c", "-1"), ("D2[i] - D1[i]", "2"))), "-c + 2 * (D2[i] - D1[i])"),
    ],
)
def test_shifts_are_written_as_one_would(number, text):
    assert linear_words(number) == text


def test_the_draws_of_one_run_are_told():
    sentence = (
        "in one such run the noise of line 23 was -0.413, the noise of line 26 in the first turn was 2.72 and the "
        "noise of line 26 in the second turn was -1.3"
    )
    assert violation.draws_of_a_run(WITH_DRAWS.outcome.counterexample.draws) == sentence
    assert f"Draws: {sentence}" in flat(render(WITH_DRAWS, verbose=True))
    many = WITH_DRAWS.outcome.counterexample.draws * 5
    assert violation.draws_of_a_run(many).endswith(", and 7 more")


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_all_of_them_fit_every_width_and_encoding(width, encoding):
    text = render(*EVERY_KIND, width=width, encoding=encoding)
    assert max(cell_len(line) for line in text.splitlines() if not line.startswith("again: ")) <= width
    if encoding == "ascii":
        assert text.isascii()
        assert "+ svt is proved " in text
        assert "~ noisy_index is proved up to n = 5" in text


def test_nothing_is_left_to_chance_where_nothing_was_run():
    assert expected_false_alarms(gather((EXACT, PROVED))) == 0.0
    assert "false alarms" not in summary(gather((EXACT, IMPOSSIBLE, PROVED)), 1.0)
    told = flat(render(replace(NOTHING_FOUND, outcome=replace(NOTHING_FOUND.outcome, effort=EXACT.outcome.effort))))
    assert "2 pairs, no runs" in told
    assert "level" not in told


def test_no_verdict_is_called_private():
    for result in EVERY_KIND:
        text = re.sub(r"is not \S+-private", "", render(result).replace("src/private.py", ""))
        assert "private" not in flat(text).replace(words.NOT_PRIVATE, ""), result


def test_views_are_plain_json_whatever_the_evidence():
    for result in EVERY_KIND:
        if isinstance(result.outcome, Violation):
            view = shown_violation(result)
            assert json.loads(json.dumps(view, allow_nan=False)) == view
            counted = result.outcome.confidence < 1
            assert [(one["count"] is not None, one["runs"] is not None) for one in view["probabilities"]] == [
                (counted, counted)
            ] * 2


def test_the_samples_hold_each_kind_of_evidence():
    kinds = {type(result.outcome) for result in EVERY_KIND}
    assert kinds == {Violation, Proved, NoViolation}
    codes = {code_of(result.outcome) for result in EVERY_KIND}
    assert codes == {"DP901", "DP907", None}
