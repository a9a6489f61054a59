"""What a hover says, and that other people's text in it stays text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dplint.claims import Categories, Fixed, Parameter
from dplint.outcomes import (
    Argument,
    ArgumentScope,
    Bounds,
    Failed,
    FailureKind,
    LargestLoss,
    Linear,
    OutputEvent,
    PairLoss,
    ShiftCase,
    SingleOutput,
    Sizes,
    Untestable,
)
from dplint.relations import relation_names
from dplint.report.markdown import hover
from dplint.report.markdown_text import block, code, plain, table
from tests.examples import examples
from tests.report.evidence_samples import ABOVE, SVT_PROOF
from tests.report.report_samples import (
    ANYTIME_NO_VIOLATION,
    FAILED,
    MIXED,
    NO_VIOLATION,
    RECORDS,
    RESULTS,
    ROWS,
    SCALAR,
    UNTESTABLE,
    anytime_violation,
    mechanism,
    violation,
)

MARKDOWN = MarkdownIt("commonmark").enable("table")
HARMLESS = {
    "paragraph", "inline", "text", "softbreak", "hardbreak", "code_inline", "strong", "em", "hr", "fence", "table",
    "thead", "tbody", "tr", "th", "td", "bullet_list", "list_item",
}  # fmt: skip


def tokens(markdown):
    for token in MARKDOWN.parse(markdown):
        yield token
        yield from token.children or ()


def shown(markdown):
    """The text that a reader sees."""
    return "".join(token.content for token in tokens(markdown) if token.type in ("text", "code_inline", "fence"))


def kinds(markdown):
    return {token.type.removesuffix("_open").removesuffix("_close") for token in tokens(markdown)}


HOSTILE = [
    "`", "``", "```", "`` ` ``", "|", "\\|", "\\\\|", "a|b\n|c|d|", "[x](http://evil.example)", "![x](y)", "<b>x</b>",
    "<http://evil.example>", "<script>", "&lt;", "\\", "\n\n# title", "\r\n---\r\n", "- item", "**bold**", "_it_",
    "~~gone~~", "[ref]: http://evil.example", "\x00\x1b[31m", "\u202e", "> quote", "1. one", "    code", " ` ", "", " ",
    "$x$", "http://evil.example", "www.evil.example", "a@evil.example", "```python\nx\n```", "<!-- x -->", "`|`|",
]  # fmt: skip
TEXTS = st.text(alphabet="`|\\[]()<>!*_~&#@:/.w\n\r\t ab$-", max_size=14) | st.sampled_from(HOSTILE)


@examples(400)
@given(TEXTS)
def test_plain_text_and_code_are_shown_as_they_are(text):
    assert kinds(f"before {plain(text)} after") <= {"paragraph", "inline", "text"}
    line = " ".join(text.replace("\x00", "\\x00").replace("\x1b", "\\x1b").replace("\u202e", "\\u202e").split())
    assert shown(f"before {plain(text)} after").split() == ["before", *line.split(), "after"]
    (found,) = [token for token in tokens(f"before {code(text)} after") if token.type == "code_inline"]
    escapes = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x00": "\\x00", "\x1b": "\\x1b", "\u202e": "\\u202e"}
    wanted = "".join(escapes.get(c, c) for c in text)
    assert found.content.strip() == wanted.strip()
    assert kinds(f"before {code(text)} after") <= {"paragraph", "inline", "text", "code_inline"}


@examples(300)
@given(TEXTS, TEXTS)
def test_a_table_keeps_its_cells(one, two):
    lines = table([("one", f"{code(one)} ({plain(two)})"), (two, code(two))])
    found = [token.type for token in tokens("\n".join(lines))]
    assert found.count("tr_open") == 3
    assert found.count("td_open") == 4
    assert found.count("code_inline") == 2
    assert kinds("\n".join(lines)) <= HARMLESS


@examples(200)
@given(TEXTS)
def test_a_block_holds_all_of_its_text(text):
    assert kinds("\n".join(["before", "", *block(text), "", "after"])) == {"paragraph", "inline", "text", "fence"}


def everywhere(text):
    """Results in which the same text stands wherever users' text can stand."""
    claim = {"epsilon": text, "delta": text, "relation": "custom", "pairs": text}
    bearer = replace(
        mechanism(text or "x", file=f"{text}.py", **claim), data=text, untestable=text, parameters=(Parameter(text),)
    )
    arguments = (Argument(text, text, text),)
    broken = anytime_violation()
    broken = replace(
        violation([text, {text: text}], [text, {text: text + "x"}], event=f"output == {text!r}", arguments=arguments),
        effort=replace(broken.effort, notes=(text,)),
        strongest=replace(
            broken.strongest,
            witness=replace(broken.strongest.witness, d1=[text], observation=OutputEvent(f"output != {text!r}")),
        ),
    )
    computed = replace(
        violation([text], [text + "x"], event=f"output == {text!r}", exact=True, arguments=arguments),
        losses=(
            LargestLoss(
                pair=PairLoss(
                    d1=[text], d2=[], arguments=arguments, loss=Bounds(0.1, 0.1), claimed=0.7, where=SingleOutput(text)
                ),
                pairs=1,
                high=0.1,
            ),
        ),
    )
    proof = replace(
        SVT_PROOF,
        scope=replace(
            SVT_PROOF.scope,
            neighbors=text,
            arguments=(ArgumentScope(text, Categories((text,))), ArgumentScope(text, Fixed(text))),
            assumptions=(text,),
        ),
        certificate=replace(
            SVT_PROOF.certificate,
            words=text,
            shifts=(
                replace(
                    SVT_PROOF.certificate.shifts[0],
                    cases=(ShiftCase(Linear("1", ((text, "1/2"),)), (replace(ABOVE, condition=text),)),),
                    cost=text,
                ),
            ),
        ),
        epsilon_upper=text,
    )
    outcomes = [
        None, broken, replace(broken, delta_tested=0.01), Untestable(reason=text), replace(UNTESTABLE, reason=text),
        Failed(kind=FailureKind.CRASH, reason=text, detail=text), replace(NO_VIOLATION, effort=broken.effort),
        proof, replace(computed, against=proof), replace(proof, scope=replace(proof.scope, sizes=Sizes(1, 5))),
    ]  # fmt: skip
    return [hover(bearer, outcome, text) for outcome in outcomes]


@examples(150)
@given(TEXTS)
def test_no_text_of_others_becomes_markup_a_link_or_html(text):
    for markdown in everywhere(text):
        assert kinds(markdown) <= HARMLESS


@pytest.mark.parametrize("link", ["http://evil.example", "www.evil.example", "a@evil.example", "HTTPS://evil.example"])
def test_bare_links_are_not_made_links_by_those_who_look_for_them(link):
    """GitHub Flavored Markdown finds them in plain text, never in code or across an escape."""
    for markdown in everywhere(link):
        outside = "".join(token.content for token in MARKDOWN.parse(markdown) if token.type == "inline")
        for token in tokens(markdown):
            if token.type == "code_inline":
                outside = outside.replace(f"`{token.content}`", "")
        assert link not in outside


def test_the_promise_is_told_in_sentences():
    text = shown(hover(mechanism(epsilon=0.7, delta=1e-5, relation="l1", sensitivity=2.5), None, "not tested"))
    assert text.startswith("noisy_max · not tested")
    assert "whether the data (the argument queries) was D1 or a neighbour D2" in text
    assert (
        "more than exp(0.7) = 2.01 times as likely on D1 as on D2, apart from an additional probability of 1e-5."
        in text
    )
    assert "neighbours if the differences between their numbers add up to at most 2.5." in text
    assert 'Written as epsilon=0.7, delta=1e-5, neighbors="l1", sensitivity=2.5.' in text


def test_a_claim_over_parameters_names_its_expression():
    text = shown(hover(mechanism(epsilon="2 * epsilon", delta="delta"), None, ""))
    assert "more than exp(ε) times as likely" in text
    assert "an additional probability of δ, where ε = 2 * epsilon and δ = delta." in text


RELATIONS = (*relation_names(), "custom")


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_relation_is_explained(relation):
    texts = {shown(hover(mechanism(relation=other, pairs=":p"), None, "")) for other in RELATIONS}
    assert len(texts) == len(RELATIONS)
    assert "neighbours if " in shown(hover(mechanism(relation=relation, pairs=":p"), None, ""))


def test_an_absurd_epsilon_is_no_error():
    assert "more than exp(5000) times" in shown(hover(mechanism(epsilon=5000), None, ""))


def rows(markdown):
    """The table as label -> Markdown of the value."""
    lines = [line for line in markdown.splitlines() if line.startswith("| ")][1:]
    return dict(line.removeprefix("| ").removesuffix(" |").split(" | ", 1) for line in lines)


def test_a_violation_shows_its_counterexample():
    markdown = hover(mechanism(), anytime_violation(), "")
    assert rows(markdown) == {
        "D1": "`[1.0, 1.0,` **`2.0`** `, 1.0, 1.0]`",
        "D2": "`[1.0, 1.0,` **`1.0`** `, 1.0, 1.0]`",
        "with": "`epsilon = 0.7, T = 1, N = 1`",
        "event": "`output < 0.5`",
        "P on D1": "0.118, 588 of 5,000 runs",
        "P on D2": "0.036, 182 of 5,000 runs",
    }
    assert "**DP901 `noisy_max` is not 0.7-private: at least 1.19**" in markdown
    assert "3.23 times as likely; 2.01 is allowed (99.9% confidence)." in markdown
    assert "again: `dplint check src/release.py::noisy_max --seed 7 --runs 360000000 --no-cache`" in markdown
    assert markdown.index("is not 0.7-private") < markdown.index("**Promises:**"), "what is found comes first"


def test_what_differs_is_bold_also_in_records():
    records = rows(hover(RECORDS.mechanism, RECORDS.outcome, ""))
    assert records["D1"] == "`[3, 5, 9,` **`9`** `]`"
    assert records["D2"] == "`[3, 5, 9 ]`"
    assert records[""] == "`D1 has 1 record more than D2`"
    first = violation([1, 2, 3], [2, 3])
    assert rows(hover(mechanism(), first, ""))["D1"] == "`[` **`1`** `, 2, 3]`"
    assert rows(hover(mechanism(), first, ""))["D2"] == "`[ 2, 3]`"
    empty = violation([], [5])
    assert rows(hover(mechanism(), empty, ""))["D1"] == "`[]`"
    assert rows(hover(mechanism(), empty, ""))["D2"] == "`[` **`5`** `]`"
    assert "{'age':` **`90`** `, 'diagnosis': 'none'}]`" in rows(hover(ROWS.mechanism, ROWS.outcome, ""))["D1"]


def test_a_zero_count_is_a_bound_and_certain_evidence_is_certain():
    assert "\nmore than 22,653 times as likely; 2.01 is allowed" in hover(MIXED.mechanism, MIXED.outcome, "")
    markdown = hover(SCALAR.mechanism, SCALAR.outcome, "")
    assert "impossible on D2; 2.01 times as likely is allowed (exact)." in markdown
    assert "P on D2" in rows(markdown)
    assert "0.342 on D1, where 0.203 is allowed" in hover(ROWS.mechanism, ROWS.outcome, "")


def test_nothing_found_says_what_was_tried_and_that_it_is_no_proof():
    text = shown(hover(mechanism(), ANYTIME_NO_VIOLATION, ""))
    assert "no violation found in noisy_max: epsilon = 0.2, 0.7 and 1.5, 16 pairs, 3.6M runs" in text
    assert "tested epsilon = 0.2, 0.7 and 1.5 with 16 pairs" in text
    assert "would have been found with probability 0.95." in text
    assert "does not mean private" in text
    assert "`with` in line 9 is Unsupported." in shown(hover(mechanism(), NO_VIOLATION, ""))


def test_what_could_not_be_tested_has_a_reason_and_a_cure():
    text = shown(hover(replace(mechanism(), untestable="a method"), UNTESTABLE, ""))
    assert "noisy_max cannot be tested: a method that needs an instance" in text
    assert "Put the claim on a function of the module" in text
    failed = shown(hover(mechanism(), FAILED, ""))
    assert "the audit of noisy_max failed (deadline): no run ended within 10 s" in failed
    assert "If the function does end, raise dplint.deadline or" in failed, "by a setting of the editor"
    assert "Traceback:\n  endless()\n" in failed


def test_all_samples_are_harmless():
    for result in RESULTS:
        assert kinds(hover(result.mechanism, result.outcome, "")) <= HARMLESS
