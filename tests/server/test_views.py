"""What the views of an editor are given: a counterexample with what explains it, its outputs, a curve."""

import asyncio

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import HEAD, RIGHT, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]
FIXED = WRONG.replace('"epsilon", neighbors', "0.5, neighbors").replace("counts, epsilon)", "counts)")
FIXED = FIXED.replace("0.1 / epsilon", "0.1 / 0.5")
SLOW = RIGHT.replace("    return", "    import time\n    time.sleep(0.01)\n    return")


async def violated(editor, name, text=HEAD + WRONG):
    editor.open(name, text)
    await editor.see_title(name, "violated")
    return [editor.uri(name), "histogram"]


async def test_a_counterexample_comes_with_what_explains_it(editor):
    where = await violated(editor, "explained.py")

    answer = await editor.run("dplint.showCounterexample", *where)
    view = answer["view"]
    assert answer["verdict"] == "violation"
    assert view["event"] == answer["counterexample"]["witness"]["event"]
    assert view["limit"]["found"] > view["limit"]["allowed"] > 1
    assert any(cell["differs"] and cell["text"][0] != cell["text"][1] for cell in view["data"])
    counted = answer["counterexample"]["evidence"]
    assert [p["value"] for p in view["probabilities"]] == [counted["p1"], counted["p2"]]
    assert "def test_histogram_privacy" in view["test"]["text"]
    assert view["test"]["uri"] == (editor.folder / "tests" / "test_histogram_privacy.py").as_uri()
    assert view["test"]["exists"] is False
    assert view["bound"]["lower"] > view["bound"]["claimed"]


async def test_the_line_at_fault_is_the_draw_and_can_be_opened(editor):
    where = await violated(editor, "fault.py")

    view = (await editor.run("dplint.showCounterexample", *where))["view"]
    (draw,) = [place for place in view["places"] if "noise is drawn here" in place["message"]]
    lines = (HEAD + WRONG).split("\n")
    assert draw["text"] == lines[5].strip()
    assert (draw["line"], draw["range"]["start"]["line"]) == (6, 5)
    cut = lines[5][draw["range"]["start"]["character"] : draw["range"]["end"]["character"]]
    assert cut == "rng.laplace(scale=0.1 / epsilon)"
    assert view["source"]["fault"] == 6
    assert view["source"]["lines"][6 - view["source"]["firstLine"]] == lines[5]


async def test_the_fix_of_the_cause_comes_with_it(editor):
    where = await violated(editor, "mend.py", HEAD + WRONG.replace("0.1 / epsilon", "epsilon"))

    cause, *others = (await editor.run("dplint.showCounterexample", *where))["view"]["places"]
    assert (cause["code"], cause["fix"]["title"]) == ("DP101", "Divide the sensitivity by epsilon")
    assert cause["fix"]["version"] == editor.versions["mend.py"]
    (edit,) = cause["fix"]["edits"]
    assert (edit["range"], edit["newText"]) == (cause["range"], "1 / epsilon")
    assert [place["fix"] for place in others] == [None] * len(others)


async def test_what_explains_the_violation_is_the_fault_before_any_other_finding(editor):
    unlike = WRONG.replace("    return", "    print(counts)\n    return")
    where = await violated(editor, "printed.py", HEAD + unlike)

    answer = await editor.run("dplint.showCounterexample", *where)
    codes = [place["code"] for place in answer["view"]["places"] if place["code"]]
    (reason,) = answer["explained_by"]
    assert codes == [reason["code"], "DP209"]
    assert answer["view"]["source"]["fault"] == answer["view"]["places"][0]["line"] == reason["line"] == 7


@pytest.mark.nightly
async def test_the_bound_is_kept_as_it_has_grown(editor):
    where = await violated(editor, "growth.py")
    await editor.run("dplint.testDeeper", *where)
    await editor.see_title("growth.py", "testing")
    await editor.see_title("growth.py", "test deeper")

    view = (await editor.run("dplint.showCounterexample", *where))["view"]
    bounds = [lower for _, lower in view["growth"]]
    assert len(bounds) > 1
    assert bounds == sorted(bounds)
    assert bounds[-1] <= view["bound"]["lower"]
    assert [runs for runs, _ in view["growth"]] == sorted(runs for runs, _ in view["growth"])


async def test_the_outputs_of_both_sides_are_drawn_from_runs_of_their_own(editor):
    where = await violated(editor, "outputs.py")
    view = (await editor.run("dplint.showCounterexample", *where))["view"]

    drawn = await editor.run("dplint.showOutputs", *where)
    bars = drawn["bars"] + drawn["others"]
    assert drawn["kind"] == "numbers"
    for side in (0, 1):
        assert sum(bar["counts"][side] for bar in bars) == drawn["runs"][side] == 20_000
        share = sum(bar["inside"][side] for bar in bars) / drawn["runs"][side]
        # five standard deviations of a share of 20,000 runs, and of the one that it is compared with
        assert abs(share - view["probabilities"][side]["value"]) < 5 * 0.0051 + 0.02
    assert view["event"].startswith(drawn["measure"])


async def test_without_a_counterexample_the_outputs_say_so(editor):
    editor.open("fine.py", HEAD + RIGHT)
    await editor.see_title("fine.py", "nothing found")

    assert await editor.run("dplint.showCounterexample", editor.uri("fine.py"), "histogram") is None
    answer = await editor.run("dplint.showOutputs", editor.uri("fine.py"), "histogram")
    assert answer == {"error": "There is no counterexample of histogram as it stands now, and no pair was computed."}
    gone = await editor.run("dplint.showOutputs", editor.uri("never_opened.py"), "histogram")
    assert gone == {"error": "The file is not open in the editor any more."}


async def test_a_curve_rejects_the_claim_of_a_wrong_mechanism_and_is_told_in_words(editor):
    where = await violated(editor, "curve.py", HEAD + FIXED)

    curve = await editor.run("dplint.showCurve", *where)
    (line,) = curve["lines"]
    assert line["claimed"] == 0.5
    # The loss is 1 / 0.2 = 5, of which the quick test knows a part: the curve goes beyond that.
    bound = (await editor.run("dplint.showCounterexample", *where))["view"]["bound"]["lower"]
    assert line["points"][0]["epsilon"] < 0.5 < 1.49 * bound < line["points"][-1]["epsilon"]
    assert all(point["rejected"] for point in line["points"] if point["epsilon"] < 4)
    assert not any(point["rejected"] for point in line["points"] if point["epsilon"] > 5.5)
    assert line["words"].endswith("the claim is rejected too")


async def test_the_worst_input_is_searched_for_and_shown_as_a_page(editor):
    """A histogram with noise of scale 0.2 and sensitivity 1: a loss of 5, which is seen at once."""
    where = await violated(editor, "worst.py", HEAD + FIXED)

    found = await editor.run("dplint.worst", *where)
    assert found["loss"][0] == pytest.approx(5.0, abs=1e-6)
    assert found["refutes"]
    gone = await editor.run("dplint.worst", editor.uri("never_opened.py"), "histogram")
    assert gone == {"error": "The file is not open in the editor any more."}


async def test_a_curve_is_about_the_text_as_it_stands(editor):
    where = await violated(editor, "unsaved.py", HEAD + FIXED)
    editor.type("unsaved.py", "0.1 / 0.5", "1 / 0.5")

    answer = await editor.run("dplint.showCurve", *where)
    assert "error" not in answer, answer
    (line,) = answer["lines"]
    # Now the loss is 0.5: what lies well below is rejected, what lies well above is not.
    assert all(point["rejected"] for point in line["points"] if point["epsilon"] < 0.4)
    assert not any(point["rejected"] for point in line["points"] if point["epsilon"] > 0.6)


async def test_a_curve_shows_how_far_it_is_and_can_be_cancelled(editor):
    editor.open("slow_curve.py", HEAD + SLOW)
    await editor.see_title("slow_curve.py", "testing")
    before = set(editor.client.progress_reports)
    asked = asyncio.ensure_future(editor.run("dplint.showCurve", editor.uri("slow_curve.py"), "histogram"))

    def reports():
        found = editor.client.progress_reports.items()
        return [(token, report) for token, reports in found if token not in before for report in reports]

    seen = await until(reports, lambda found: any("sweeping histogram" in (one.message or "") for _, one in found))
    token = next(token for token, one in seen if "sweeping" in (one.message or ""))
    editor.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token))
    assert await asked == {"error": "The curve was cancelled."}
    await editor.run("dplint.stop", editor.uri("slow_curve.py"), "histogram")


async def test_nothing_is_run_for_a_view_while_dplint_is_paused(editor):
    where = await violated(editor, "paused_view.py")
    await editor.run("dplint.pause")

    for command in ("dplint.showOutputs", "dplint.showCurve"):
        assert "paused" in (await editor.run(command, *where))["error"]
    assert (await editor.run("dplint.showCounterexample", *where))["view"]["uri"] == where[0]
    await editor.run("dplint.resume")
