"""The page is one file that asks for nothing else, shows everything that is known, and lets nobody's text be markup."""

import base64
import hashlib
import re
import shlex
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import evidence_samples as evidence
import pytest
import report_samples as samples

from dplint.claims import Categories, Columns, Interval, Parameter
from dplint.outcomes import (
    CheckError,
    Finding,
    Result,
    Severity,
    Silenced,
    SilencedBy,
    Violation,
)
from dplint.report import words
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import gather
from dplint.report.page.document import Markup, page, tag

EMPTY = {"meta", "input"}
EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>&lt;\x00\x1b[31m\ud800`</style>"


class Page(HTMLParser):
    """Elements with their attributes and text; fails where an element is not closed in its turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.ids = [], [], set()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, name, attributes):
        given = dict(attributes)
        self.elements.append([name, given, ""])
        self.ids |= {given["id"]} if "id" in given else set()
        if name not in EMPTY:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, name, attributes):
        self.elements.append([name, dict(attributes), ""])

    def handle_endtag(self, name):
        assert self.elements[self.open.pop()][0] == name

    def handle_data(self, data):
        for i in self.open:
            self.elements[i][2] += data

    def all(self, name, **wanted):
        return [
            (given, text) for found, given, text in self.elements if found == name and wanted.items() <= given.items()
        ]


def source(file, line):
    lines = samples.SOURCE.splitlines()
    return lines[line - 1] if file == "src/release.py" and line <= len(lines) else evidence.line_of(file, line)


def text_of(*events, **options):
    return page(Report(meet(gather(events)), 12.3, source, **options))


RESULTS = (*samples.RESULTS, *evidence.EVERY_KIND, *samples.IN_SHOP)
EVERYTHING = (*RESULTS, *samples.FINDINGS, samples.ERROR)


@pytest.fixture(scope="module")
def everything():
    return Page(text_of(*EVERYTHING))


def test_the_page_asks_for_no_other_file(everything):
    names = Counter(name for name, *_ in everything.elements)
    assert not names.keys() & {"link", "img", "iframe", "object", "embed", "base", "audio", "video", "image", "use"}
    for _, given, _ in everything.elements:
        assert not given.keys() & {"src", "srcset", "style", "action", "formaction", "xlink:href"}
        assert not [name for name in given if name.startswith("on")]
        assert given.get("href", "#").startswith("#")
        assert given.get("href", "#")[1:] in everything.ids | {""}
    ((_, style),) = everything.all("style")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_lets_only_its_own_style_and_script_through(everything):
    ((given, _),) = everything.all("meta", **{"http-equiv": "Content-Security-Policy"})
    rules = dict(rule.strip().split(" ", 1) for rule in given["content"].split(";"))
    assert rules.pop("default-src") == "'none'"
    for name in ("style", "script"):
        ((_, content),) = everything.all(name)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules.pop(f"{name}-src") == f"'sha256-{digest}'"
    assert not rules


def test_everything_is_there_and_seen_without_a_script(everything):
    kinds = Counter(given["data-kind"] for _, given, _ in everything.elements if "data-kind" in given)
    assert kinds["violation"] == sum(isinstance(result.outcome, Violation) for result in RESULTS)
    assert (kinds["proved"], kinds["proved-in-part"], kinds["no-violation"]) == (2, 1, 2)
    assert (kinds["underpowered"], kinds["untestable"], kinds["failed"]) == (1, 1, 4)
    assert kinds["not-checked"] == 2, "what three mechanisms share is told once"
    hidden = [given.get("id") for _, given, _ in everything.elements if "hidden" in given]
    assert hidden == ["filters"]
    ((_, body),) = everything.all("body")
    for result in RESULTS:
        assert result.mechanism.qualname in body


def test_each_kind_and_file_can_be_chosen(everything):
    boxes = {given["value"] for given, _ in everything.all("input", type="checkbox")}
    assert boxes == {given["data-kind"] for _, given, _ in everything.elements if "data-kind" in given}
    files = {given["value"] for given, _ in everything.all("option")} - {""}
    assert files == {given["data-file"] for _, given, _ in everything.elements if "data-file" in given}


def test_nobodys_text_is_markup():
    mechanism = replace(samples.mechanism(), file=EVIL, qualname=EVIL)
    broken = samples.violation([EVIL], ["no"], event=f"output == {EVIL!r}")
    broken = replace(broken, effort=replace(broken.effort, notes=(EVIL,)))
    failed = replace(samples.FAILED, reason=EVIL, detail=EVIL)
    finding = Finding(EVIL, samples.FINDINGS[0].span, EVIL, "DP101", Severity.ERROR, EVIL)
    events = (
        samples.Result(mechanism, broken),
        samples.Result(replace(mechanism, qualname=f"{EVIL}2"), failed),
        finding,
        CheckError(EVIL, 1, EVIL),
        Silenced(replace(finding, code="DP102"), SilencedBy.COMMENT),
    )
    gathered = meet(gather(events))
    text = page(Report(gathered, 1.0, lambda _file, _line: EVIL, repeat=shlex.quote(EVIL)))
    text.encode()
    shown = Page(text)
    names = Counter(name for name, *_ in shown.elements)
    assert (names["script"], names["img"], names["style"]) == (1, 0, 1)
    assert {"\x00", "\x1b"}.isdisjoint(text)
    assert "<script>alert(1)" in shown.all("article", **{"data-kind": "violation"})[0][1], "it is shown as text"


def test_no_violation_found_is_never_worded_as_private():
    text = text_of(samples.RESULTS[6])
    assert words.NOT_PRIVATE in text
    assert "private" not in text.replace(words.NOT_PRIVATE, "").lower()
    assert not re.search(r"\b(safe|secure|passed|ok)\b", Page(text).all("body")[0][1].lower())


def test_the_bars_are_as_long_as_the_probabilities_and_the_line_is_where_the_claim_allows():
    # P1 = 0.342 and P2 = 0.101 at epsilon = 0.7: e^0.7 * 0.101 = 0.20338 is allowed, on an axis that ends with 0.4
    found = Page(text_of(samples.RESULTS[0]))
    (one,), (two,) = found.all("rect", **{"class": "bar d1"}), found.all("rect", **{"class": "bar d2"})
    whole = 620 - 40 - 14
    assert float(one[0]["width"]) / whole == pytest.approx(0.342 / 0.4, abs=1e-4)
    assert float(two[0]["width"]) / whole == pytest.approx(0.101 / 0.4, abs=1e-4)
    ((line, _),) = found.all("line", **{"class": "allowed"})
    assert (float(line["x1"]) - 40) / whole == pytest.approx(0.20338 / 0.4, abs=1e-4)
    ranges = [(given["x1"], given["x2"]) for given, _ in found.all("line", **{"class": "interval"})]
    ends = [[(float(x) - 40) / whole * 0.4 for x in pair] for pair in ranges if pair[0] != pair[1]]
    assert ends == [pytest.approx([0.3398, 0.3442], abs=1e-4), pytest.approx([0.0996, 0.1024], abs=1e-4)]


def test_tables_are_one_table_with_the_row_that_differs():
    domain = Columns((("age", Interval(0, 90, True)), ("job", Categories(("x", "yes")))))
    table = Parameter("table", annotation="pd.DataFrame")
    bearer = replace(samples.mechanism(domain=domain), parameters=(table,), data="table")
    both, mine = {"age": 0, "job": "x"}, {"age": 0, "job": "yes"}
    found = samples.with_witness(samples.violation(), d1=[both] * 3, d2=[both, both, mine])

    shown = Page(text_of(Result(bearer, found))).all("pre", **{"class": "data"})[0][1]

    assert [line.split() for line in shown.splitlines()] == [
        ["age", "job"],
        ["both", "0", "'x'", "x", "2"],
        ["D1", "0", "'x'"],
        ["D2", "0", "'yes'"],
    ]


def test_numbers_scopes_and_losses_are_told(everything):
    ((_, body),) = everything.all("body")
    assert "0.3420 [0.3398, 0.3442], D2 0.1010 [0.0996, 0.1024] (Clopper-Pearson, 99.9% each)" in body
    assert "171,000 of 500,000 runs" in body
    assert "up to n = 5, any epsilon > 0; nothing is proved of anything else" in body
    assert "0.8473" in body, "ln(7 / 3), the exact loss of the sample"
    assert "One of the two is an error of dplint" in body


def test_what_is_silenced_is_listed():
    finding = samples.FINDINGS[0]
    found = Page(
        text_of(Silenced(finding, SilencedBy.COMMENT), Silenced(replace(finding, code="DP102"), SilencedBy.BASELINE))
    )
    cells = [text for _, text in found.all("td")]
    assert "a comment" in cells
    assert "the baseline" in cells


def test_an_empty_check_is_a_page_too():
    assert "No mechanism tested" in Page(text_of()).all("title")[0][1]


def test_markup_is_made_by_tag_alone_and_not_escaped_twice():
    assert tag("p", "a<b", tag("b", "&"), title='"') == '<p title="&quot;">a&lt;b<b>&amp;</b></p>'
    assert isinstance(tag("p"), Markup)
    assert not isinstance(tag("p") + "<b>", Markup), "a sum of markup and text is text again"


def test_it_is_a_format():
    assert format_of("html").name == "html"
