"""The report for people: what it holds, at every width, with and without colour and Unicode."""

import io
import re
from dataclasses import replace

import pytest
import report_samples as samples
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from dplint.claims import Parameter, Span
from dplint.outcomes import Argument, Plan, Progress, Repaired, Result, Silenced, Standing
from dplint.report.format import Report
from dplint.report.gathered import gather
from dplint.report.progress import LiveProgress
from dplint.report.style import ASCII, UNICODE, bar
from dplint.report.terminal import excerpt, print_report
from tests.examples import examples

LINES = samples.SOURCE.splitlines()


def source(file: str, line: int) -> str | None:
    return LINES[line - 1] if file == "src/release.py" and line <= len(LINES) else None


def widest(text):
    """Of all lines but those that are to be copied, which a terminal breaks by itself."""
    return max(cell_len(line) for line in text.split("\n") if not line.startswith("again: "))


def render(
    events=samples.EVENTS, *, width=100, quiet=False, encoding="utf-8", repeat="", verbose=False, **console
) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    shown = Console(file=stream, width=width, **console)
    print_report(Report(gather(events), 33.4, source, quiet=quiet, repeat=repeat, verbose=verbose), shown)
    stream.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [60, 80, 100, 140, 200])
def test_every_outcome_is_there_at_every_width_and_no_line_is_too_long(width):
    text = render(width=width)
    for result in samples.RESULTS:
        assert result.mechanism.qualname in text
    for error_or_finding in (*samples.FINDINGS, samples.ERROR):
        assert error_or_finding.message.replace("`", "") in text
    assert widest(text) <= width
    assert "\x1b" not in text, "no terminal, no colour"


def typed(name="noisy_max"):
    """The mechanism of the samples with all the parameters that its arguments are for."""
    parameters = tuple(map(Parameter, ("rng", "queries", "epsilon", "T", "N")))
    return replace(samples.mechanism(name), parameters=parameters)


def test_a_violation_is_told_in_twelve_lines():
    """The head, the line with its mark and the cause, D1 and D2, one event with two probabilities, what is allowed."""
    found = Result(typed(), samples.violation(), explained_by=(samples.FINDINGS[1],))
    body, _ = render((found,), repeat="--profile ci").split("\n\n", 1)

    assert [line.rstrip() for line in body.splitlines()] == [
        "src/release.py:5:5 DP901 noisy_max is not 0.7-private: at least 1.19",
        "6 │     return max(q + rng.laplace(scale=1 / epsilon) for q in queries)",
        "  │                                     ^^^^^^^^^^^",
        "scale is a constant (DP101, --fix --unsafe-fixes mends it)",
        "D1  noisy_max(rng, [1.0, 1.0, 2.0, 1.0, 1.0], 0.7, 1, 1)",
        "D2  noisy_max(rng, [1.0, 1.0, 1.0, 1.0, 1.0], 0.7, 1, 1)",
        "                              ^^^",
        "P(output < 0.5)  D1  0.3420  ████████████████████████  171,000 of 500,000 runs",
        "                 D2  0.1010  ███████                   50,500 of 500,000 runs",
        "3.39 times as likely; 2.01 is allowed (99.9% confidence)",
        "again: dplint check src/release.py::noisy_max --seed 7 --profile ci",
    ]


def test_without_a_cause_the_function_is_marked():
    lines = render((samples.RESULTS[0],)).splitlines()
    assert lines[1] == "5 │ def noisy_max(rng, queries, epsilon):"
    assert lines[2].index("^") == lines[1].index("noisy_max")


def test_the_inputs_can_be_pasted():
    """Data that the function gets as an array is one; a default stays one, and what follows it goes by its name."""
    parameters = (Parameter("rng"), Parameter("rows", annotation="np.ndarray"), Parameter("mode"), Parameter("epsilon"))
    bearer = replace(samples.mechanism(), parameters=parameters, data="rows")
    argument = (Argument("epsilon", 0.7, "value of the claim"),)
    whole = samples.violation([1, 2], [1, 3], arguments=argument)
    text = render((Result(bearer, whole),))
    assert "D1  noisy_max(rng, np.array([1, 2], dtype=float), epsilon=0.7)" in text
    floats = samples.violation([1.0, 2.0], [1.0, 3.0], arguments=argument)
    assert "D2  noisy_max(rng, np.array([1.0, 3.0]), epsilon=0.7)" in render((Result(bearer, floats),))


def test_what_cannot_be_pasted_on_a_line_names_the_call_and_all_arguments():
    long = samples.with_witness(samples.violation(), d1=[1.5] * 60, d2=[1.5] * 59 + [2.5])
    text = render((Result(typed(), long),), verbose=True)
    assert "call  noisy_max(rng, D1, 0.7, 1, 1)" in text
    flat = " ".join(text.split())
    assert f"Call on D1: noisy_max(rng, {[1.5] * 60}, 0.7, 1, 1)" in flat
    unknown = render((samples.RESULTS[0],))
    assert "with  epsilon = 0.7, T = 1, N = 1" in unknown, "T and N are no parameters of this one"


def test_experts_get_the_rest_if_they_ask():
    text = render((samples.RESULTS[0],), verbose=True)
    flat = " ".join(text.split())
    for part in (
        'Claim: epsilon="epsilon", neighbors="linf"',
        "Argument T: 1 10 of 10 comparisons differ",
        "D1 0.3420 [0.3398, 0.3442], D2 0.1010 [0.0996, 0.1024] (Clopper-Pearson, 99.9% each)",
        "p-value 1.2e-30",
        "with probability at most 0.001",
    ):
        assert part in flat, part


def test_an_anytime_violation_has_both_counterexamples_and_the_evidence():
    text = render((Result(samples.mechanism(), samples.anytime_violation()),), width=120, verbose=True)
    flat = " ".join(text.split())
    for part in (
        "made its stake 160,000,000, where 1,000 refutes the claim",
        "Strongest counterexample: epsilon at least 1.37 by output[-1] < 0.25 on D1 = [2.0,",
        "Confirmed: by 20,000 calls of the function itself with each of D1 and D2: 0.118 and 0.0364",
        "Effort: 4.2 s, 16 pairs, 1,240 events, 2,100,000 runs (in earlier passes: 1,500,000); "
        "ended because a violation was found",
    ):
        assert part in flat, part
    plain = render((samples.RESULTS[0],), verbose=True)
    assert not any(word in plain for word in ("fair bet", "Strongest", "Confirmed"))


EXPERT = ("fair bet", "p-value", "Strongest", "Confirmed", "Effort", "Draws", "Clopper-Pearson", "comparisons differ")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_story_is_told_in_order_and_what_experts_ask_only_if_it_is_asked_for(width):
    found = Result(samples.mechanism(), samples.anytime_violation())
    text = render((found,), width=width)
    places = [
        text.index(part)
        for part in (
            "src/release.py:5:5",
            "DP901",
            "def noisy_max",
            "\nD1  ",
            "\nD2  ",
            "output < 0.5",
            "0.118",
            "0.036",
            "3.23 times as likely; 2.01 is allowed",
            "again: ",
        )
    ]

    assert places == sorted(places)
    assert not any(word in text for word in EXPERT)
    whole = render((found,), width=width, verbose=True)
    assert all(word in whole for word in ("fair bet", "Strongest", "Effort", "Clopper-Pearson"))


def test_every_line_of_long_inputs_bears_its_label():
    d1 = [float(i) for i in range(40)]
    long = samples.with_witness(samples.violation(), d1=d1, d2=[x + 0.5 for x in d1])
    lines = render((Result(samples.mechanism(), long),), width=60).splitlines()
    inputs = [
        line for line in lines if (line.startswith(("D1", "D2")) and "[" in line) or "... " in line or "." in line
    ]
    inputs = [line for line in inputs if line[:2] in ("D1", "D2") and "█" not in line and "runs" not in line]

    assert len(inputs) > 4
    assert [line[:2] for line in inputs] == ["D1", "D2"] * (len(inputs) // 2)


@pytest.mark.parametrize(
    ("d1", "d2", "words"),
    [
        ([{"age": 1}, {"age": 2}], [{"age": 1}], "D1 has 1 record more than D2"),
        (
            {"age": [1, 2], "sex": ["f", "m"]},
            {"age": [1, 2, 3, 4], "sex": list("fmfm")},
            "D2 has 2 records more than D1",
        ),
    ],
)
def test_records_are_counted_as_records(d1, d2, words):
    text = render((Result(samples.mechanism(), samples.with_witness(samples.violation(), d1=d1, d2=d2)),), width=120)

    assert words in text


def test_a_leak_by_an_exception_names_it():
    event = "type(output).__name__ == 'ValueError'"
    found = (Result(samples.mechanism(), samples.with_witness(samples.violation(), event=event)),)
    short, long = render(found), render(found, verbose=True)

    assert "P(it raises ValueError)" in short
    assert event not in short
    assert f"In Python: {event}" in long


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("folder", ["src", "packages/a-very-long-name-of-a-folder/and/another-one/below/it/src"])
def test_a_place_is_whole_and_first_whatever_the_name(width, folder):
    """So that it can be clicked on; a terminal that is too narrow for it breaks it itself."""
    long = replace(samples.mechanism("n" * 90), file=f"{folder}/release.py")
    text = render((Result(long, samples.violation()),), width=width)

    assert text.startswith(f"{folder}/release.py:5:5")
    assert "DP901" in text
    assert "n" * 40 in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_anytime_outcomes_fit_every_width(width):
    events = (
        Result(samples.mechanism(), samples.anytime_violation()),
        Result(samples.mechanism("fine", line=9), samples.ANYTIME_NO_VIOLATION),
    )
    text = render(events, width=width)
    assert widest(text) <= width
    assert "with probability 0.95" in " ".join(render(events, width=width, verbose=True).split())


def test_the_ledger_counts_everything_that_was_tried():
    anytime = render((Result(samples.mechanism(), samples.ANYTIME_NO_VIOLATION),), width=200)
    assert "at most 0.001 false alarms expected, over everything that was tried)" in anytime


def test_the_differing_entry_is_marked_without_colour():
    lines = render((samples.RESULTS[0],)).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("D1  "))
    column = lines[at].index("2.0")
    assert lines[at + 1].index("1.0", column) == column
    assert lines[at + 2][column : column + 3] == "^^^"
    assert lines[at + 2].count("^") == 3


def test_an_added_record_is_named():
    assert "D1 has 1 record more than D2" in render((samples.RECORDS,))


def test_with_delta_the_panel_compares_probabilities():
    text = render((samples.ROWS,))
    assert "is not (0.7, 1e-5)-private" in text
    assert "0.342 on D1, where 0.203 is allowed" in text


def test_findings_have_a_caret_under_their_place():
    lines = render((samples.FINDINGS[0],)).splitlines()
    at = next(i for i, line in enumerate(lines) if '@dp(epsilon="epsilon")' in line)
    column = lines[at].index('dp(epsilon="epsilon")') + 3
    assert lines[at - 1] == "src/release.py:4:5 DP001 unknown parameter epsilom"
    assert lines[at + 1].index("^") == column
    assert lines[at + 1].count("^") == 17


def test_a_span_is_in_view_on_a_very_long_line():
    line = "x = [" + "1, " * 200 + "bad, " + "1, " * 200 + "]"
    column = line.index("bad") + 1
    shown, marks = excerpt(line, Span(3, column, 3, column + 3), UNICODE, "red", 60)
    assert shown.plain[marks.plain.index("^") :].startswith("bad")
    assert marks.plain.count("^") == 3
    assert shown.cell_len <= 60


def test_a_span_beyond_the_line_is_marked_at_its_end():
    _, marks = excerpt("ab", Span(1, 9, 4, 2), UNICODE, "red", 60)
    assert marks.plain.endswith("^")


def test_an_ascii_output_gets_ascii():
    text = render(encoding="ascii")
    assert text.isascii()
    assert "o no violation found" in text
    assert "#" in text


def test_colour_on_a_terminal_and_none_under_no_color(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;31m" in render(force_terminal=True, color_system="standard", legacy_windows=False)
    monkeypatch.setenv("NO_COLOR", "1")
    text = render(force_terminal=True, color_system="standard", legacy_windows=False)
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", text)


def test_quiet_leaves_out_what_is_not_wrong():
    text = render(quiet=True)
    assert "fine" not in text
    assert "mechanisms" not in text
    for name in ("noisy_max", "Counter.release", "endless", "DP001"):
        assert name in text


def test_markup_in_the_users_text_is_printed_as_it_is():
    reason = "returns [bold]x[/bold] :smile:"
    text = render((Result(samples.mechanism(), replace(samples.UNTESTABLE, reason=reason)),))
    assert reason in text


def test_the_summary_does_not_promise_privacy():
    text = render((samples.RESULTS[6],))
    assert "does not mean private" in text
    assert text.count("private") == 1


@pytest.mark.parametrize(("share", "text"), [(0.0, ""), (1e-9, "▌"), (0.5, "██"), (1.0, "████"), (7.0, "████")])
def test_bars(share, text):
    assert bar(share, 4, UNICODE) == text
    assert bar(share, 4, ASCII).isascii()


def test_the_live_display_shows_mechanism_phase_and_what_is_left():
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=True, color_system=None, force_interactive=True)
    with LiveProgress(console) as live:
        for event in samples.EVENTS[:2]:
            live.show(event)
        live._progress.refresh()
        assert "noisy_max" in stream.getvalue()
        assert "selecting: 1k runs done, 599k left" in stream.getvalue()
        assert "0 of 11 mechanisms done" in stream.getvalue()
        stream.truncate(0)
        for event in samples.EVENTS[2:]:
            live.show(event)
        live._progress.refresh()
        assert "11 of 11 mechanisms done, 6 violations" in stream.getvalue()


def shown_live(width: int, *events) -> list[str]:
    """The lines of the display after these events."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=True, color_system=None, force_interactive=True)
    with LiveProgress(console) as live:
        for event in events:
            live.show(event)
        stream.truncate(0)
        stream.seek(0)
        live._progress.refresh()
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).replace("\r", "").strip("\n").splitlines()


def test_what_is_silenced_is_done_and_is_no_violation_of_the_live_display():
    first, second = samples.RESULTS[:2]
    refuted, line = shown_live(100, Plan((first.mechanism, second.mechanism)), Silenced(first), second)
    assert "2 of 2 mechanisms done, 1 violation" in line
    assert second.mechanism.qualname in refuted


def test_the_live_display_says_whose_repair_is_looked_for():
    """Verdicts are there by then, and what still takes time must not look like a check that hangs."""
    first = samples.RESULTS[0]
    events = [Plan((first.mechanism,)), first, Progress(first.mechanism, "looking for a repair", 0, 0)]
    refuted, overall, line = shown_live(100, *events)
    assert refuted.startswith(f"{first.mechanism.file}:{first.mechanism.span.line}:")
    assert "is not 0.7-private: at least" in refuted, "the point, before the repairs"
    assert "1 of 1 mechanisms done" in overall
    assert first.mechanism.qualname in line
    assert "looking for a repair " in line
    assert len(shown_live(100, *events, Repaired(first.mechanism, ()))) == 2


def test_the_live_display_shows_the_first_violations_alone():
    """A terminal is not high, and a display that is higher would flicker."""
    *refuted, overall = shown_live(100, *[samples.RESULTS[0]] * 20)
    assert len(refuted) == 8
    assert "20 violations" in overall


def step(runs: int, standing: Standing | None, name: str = "noisy_max") -> Progress:
    return Progress(samples.mechanism(name), "testing", runs, 10 * runs, standing)


def test_the_live_display_tells_the_standing_in_plain_words():
    _, line = shown_live(120, samples.EVENTS[0], step(1_234_567, samples.STANDING))
    assert "noisy_max" in line
    assert "1.23M runs" in line
    assert "epsilon at least 0.426, claimed 0.7" in line, "rounded down"
    assert "output[0] < 0.25" in line
    assert line.count("█") == 6, "0.62 of ten"
    _, line = shown_live(80, samples.EVENTS[0], step(1_234_567, samples.STANDING))
    assert "epsilon at least 0.426 so far" in line
    _, line = shown_live(80, samples.EVENTS[0], step(500, replace(samples.STANDING, lower=0.0, share=0.0)))
    assert "500 runs    nothing found so far" in line
    assert "█" not in line


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_of_the_live_display_ever_changes_its_width(width):
    long = replace(samples.STANDING, event="output == ['東京'] * 40 and " * 9, lower=12.3456, share=1.0)
    states = [
        (samples.EVENTS[0],),
        (samples.EVENTS[0], step(1, None)),
        (samples.EVENTS[0], step(123_456_789_012, long, "a_name_that_is_very_much_longer_than_others_are")),
        (samples.EVENTS[0], step(1, replace(samples.STANDING, event=""), "f"), samples.RESULTS[1]),
    ]
    lines = [line for events in states for line in shown_live(width, *events)]
    widths = {cell_len(line) for line in lines}
    assert len(widths) == 1, lines
    assert widths.pop() <= width - len("^C")


def test_the_live_display_answers_ctrl_c():
    stream = io.StringIO()
    with LiveProgress(Console(file=stream, width=80, force_terminal=True, color_system=None)) as live:
        live.show(samples.EVENTS[0])
        live.stopping()
        live.show(samples.RESULTS[1])
        stream.truncate(0)
        live._progress.refresh()
        assert "stopping; Ctrl-C again ends it at once" in stream.getvalue()


def test_the_live_display_is_silent_where_there_is_no_terminal():
    stream = io.StringIO()
    with LiveProgress(Console(file=stream, force_terminal=False)) as live:
        for event in samples.EVENTS:
            live.show(event)
    assert stream.getvalue().strip() == ""


def test_what_user_code_wrote_cannot_steer_the_terminal():
    failed = replace(samples.FAILED, reason="\x1b[2Jgone", detail="first\n\x1b]0;title\x07second")
    text = render((Result(samples.mechanism(), failed),))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert r"\x1b[2Jgone" in text
    assert [line.strip() for line in text.splitlines() if line.strip() == "first"] == ["first"]


def test_marks_stand_right_beside_wide_characters():
    """A wide character takes two columns, so `['東京', ` takes nine."""
    result = Result(samples.mechanism(), samples.violation(["東京", 20], ["東京", 3]))
    lines = render((result,)).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("D1  "))
    start = lines[at].index("[")
    assert lines[at + 2].index("^") == start + len("['") + 4 + len("', ")


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=200)
DATA = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=40) | st.dictionaries(st.text(max_size=9), inner, max_size=5)
)


@examples(60)
@given(DATA, DATA, st.text(max_size=120), st.integers(60, 200))
def test_any_data_and_event_fit_the_width(d1, d2, event, width):
    violation = samples.with_witness(samples.violation(event=event), d1=d1, d2=d2)
    assert widest(render((Result(samples.mechanism(), violation),), width=width)) <= width


def test_data_too_long_for_a_narrow_ascii_terminal_is_cut_in_ascii():
    violation = samples.violation(["x" * 300, "y"], ["x" * 299 + "z", "y"])
    text = render((Result(samples.mechanism("n" * 90), violation),), width=60, encoding="ascii")
    assert text.isascii()
    assert widest(text) <= 60
    assert "z'" in text, "the difference is in view"
