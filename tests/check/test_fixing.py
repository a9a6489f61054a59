"""Fixes are applied where nothing else changes; comments silence what is reported."""

from dataclasses import replace

import pytest

from dplint.check import fixing as static_module
from dplint.check.fixing import can_be_ignored, fix_file, ignore_in_file, static_view
from dplint.claims import Span
from dplint.config import Settings
from dplint.outcomes import CheckError, Edit, Finding, Fix, Result, Severity
from tests.report.report_samples import RESULTS

USELESS = "from dplint import dp\n\nx = 1  # dplint: ignore[DP305]\n"
MISSPELT = """from dplint import dp


@dp(epsilon="epsilom", neighbors="linff")
def f(rng, answers, epsilon):
    return answers[0] + rng.laplace(scale=1 / epsilon)
"""


@pytest.fixture
def fix(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def fix(text, *, unsafe=False, **settings):
        raw = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "a.py").write_bytes(raw)
        return fix_file(tmp_path / "a.py", Settings(**settings), unsafe=unsafe)

    return fix


def test_a_safe_fix_is_applied_and_the_file_keeps_its_ends(fix, tmp_path):
    fixed = fix(USELESS.replace("\n", "\r\n"))
    assert [one.code for one in fixed.done] == ["DP020"]
    fixed.write()
    assert (tmp_path / "a.py").read_bytes() == b"from dplint import dp\r\n\r\nx = 1\r\n"
    assert fix((tmp_path / "a.py").read_bytes()) is None


def test_unsafe_ones_only_when_asked_for_and_all_that_are_on_one_line(fix):
    assert fix(MISSPELT) is None
    fixed = fix(MISSPELT, unsafe=True)
    assert sorted(one.code for one in fixed.done) == ["DP005", "DP007"]
    assert '@dp(epsilon="epsilon", neighbors="linf")' in fixed.text
    assert fixed.refused == ()


def test_what_is_left_out_is_not_mended(fix):
    assert fix(USELESS, ignore=("DP020",)) is None
    assert fix(USELESS, severity={"DP0": "off"}) is None
    fixed = fix(MISSPELT.replace('linff")', 'linff")  # dplint: ignore[DP005]'), unsafe=True)
    assert [one.code for one in fixed.done] == ["DP007"]


def test_a_file_that_does_not_parse_is_not_touched(fix):
    assert fix(USELESS + "def (") is None


def test_an_encoding_that_cannot_be_read_is_an_error(fix):
    assert isinstance(fix(b"# coding: nonsense\nfrom dplint import dp\n"), CheckError)


def use(monkeypatch, *rules):
    """Findings by what the text holds: of each rule its code, the words that it looks for, and what its fix writes."""

    def check_text(raw, path, settings, choices):
        for code, words, new in rules:
            for number, line in enumerate(raw.decode().split("\n"), 1):
                if (at := line.find(words)) >= 0:
                    span = Span(number, at + 1, number, at + 1 + len(words))
                    mend = None if new is None else Fix(f"write {new}", (Edit(span, new),), safe=True)
                    yield Finding("a.py", span, None, code, Severity.ERROR, f"{words} in line {number}", mend)

    monkeypatch.setattr(static_module, "check_text", check_text)


def test_a_fix_that_brings_another_finding_is_left_out_and_the_others_are_applied(fix, monkeypatch):
    use(
        monkeypatch,
        ("DP101", "one", "two"),
        ("DP102", "bad", "worse"),
        ("DP103", "worse", None),
        ("DP104", "six", "ten"),
    )
    fixed = fix("one\nbad\nsix\none")
    assert fixed.text == "two\nbad\nten\ntwo"
    assert [one.code for one in fixed.refused] == ["DP102"]
    assert sorted(one.code for one in fixed.done) == ["DP101", "DP101", "DP104"]


def test_a_fix_that_hides_another_finding_is_left_out(fix, monkeypatch):
    use(monkeypatch, ("DP101", "one two", "three"), ("DP102", "two", None))
    fixed = fix("one two")
    assert (fixed.text, fixed.done, len(fixed.refused)) == ("one two", (), 1)


def test_edits_that_overlap_are_applied_one_after_the_other(fix, monkeypatch):
    use(monkeypatch, ("DP101", "abc", "abx"), ("DP102", "bx", "y"))
    fixed = fix("abc\nabc")
    assert (fixed.text, len(fixed.refused)) == ("abc\nabc", 1)  # it would bring DP102
    use(monkeypatch, ("DP101", "abc", "xyz"), ("DP102", "cde", "c"))
    assert fix("abcde").text == "xyz"  # the other way round DP102 would have been lost


def test_fixes_that_never_end_do_end(fix, monkeypatch):
    use(monkeypatch, ("DP101", "a", "aa"))
    assert fix("a").done == ()


# comments


def ignored(tmp_path, raw, problems=None):
    path = tmp_path / "a.py"
    path.write_bytes(raw)
    found = list(static_view(path, raw, Settings()).findings) if problems is None else problems
    return ignore_in_file(path, found, Settings())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_finding_gets_a_comment_that_silences_it(tmp_path, monkeypatch, end):
    monkeypatch.chdir(tmp_path)
    raw = b"\xef\xbb\xbf" + MISSPELT.replace("\n", end).encode()
    done = ignored(tmp_path, raw)
    assert [one.code for one in done.done] == ["DP007", "DP005"]
    done.write()
    text = (tmp_path / "a.py").read_bytes()
    assert text.startswith(b"\xef\xbb\xbffrom")
    assert b'linff")  # dplint: ignore[DP007, DP005]' + end.encode() in text
    assert static_view(tmp_path / "a.py", text, Settings()).findings == ()


def test_a_verdict_is_silenced_above_its_function_whatever_else_is_silenced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = (
        MISSPELT.replace("linff", "linf").replace("epsilom", "epsilon") + "\n\n" + MISSPELT.replace("def f", "def g")
    )
    (tmp_path / "a.py").write_text(source)
    verdict = RESULTS[0]
    mechanism = replace(verdict.mechanism, file="a.py", path=str(tmp_path / "a.py"), span=Span(5, 5, 5, 6))
    findings = list(static_view(tmp_path / "a.py", source.encode(), Settings()).findings)
    done = ignored(tmp_path, source.encode(), [*findings, Result(mechanism, verdict.outcome)])
    lines = done.text.split("\n")
    assert lines[3] == f"# dplint: ignore[{verdict.outcome.code}]"
    assert sum("ignore[DP007, DP005]" in line for line in lines) == 1


def test_what_no_comment_can_silence():
    finding = Finding("pyproject.toml", Span(1, 1, 1, 2), None, "DP001", Severity.ERROR, "x")
    assert not can_be_ignored(finding)
    assert not can_be_ignored(replace(finding, file="a.py", code="DP020"))
    assert can_be_ignored(replace(finding, file="a.py"))
    assert [can_be_ignored(one) for one in RESULTS if type(one.outcome).__name__ == "Failed"] == [False]
