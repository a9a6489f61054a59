"""Code lenses, inlay hints, hovers, commands, progress: what is shown of a mechanism, and what can be done about it."""

import asyncio
import re

import pytest
from lsprotocol import types as lsp

from tests.patience import patience
from tests.server.conftest import HEAD, RIGHT, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]
SLOW = RIGHT.replace("    return", "    import time\n    time.sleep(0.01)\n    return")


async def test_the_state_is_told_above_the_function_and_what_can_be_done(editor):
    editor.open("lens.py", HEAD + WRONG)

    titles = await editor.see_title("lens.py", "violated")
    assert titles[0].startswith("claims ε = epsilon · violated: ε ≥ ")
    assert re.search(r" at 99.9%, where (0.2|0.7|1.5) is claimed$", titles[0]), "the claim itself names no number"
    assert titles[1:] == ["show counterexample", "test deeper"]
    lens = (await editor.lenses("lens.py"))[0]
    assert lens.range.start.line == 4
    assert list(lens.command.arguments) == [editor.uri("lens.py"), "histogram"]


async def test_a_right_mechanism_is_never_called_private(editor):
    editor.open("right.py", HEAD + RIGHT)

    titles = await editor.see_title("right.py", "nothing found")
    assert titles[0].startswith("claims ε = epsilon · nothing found in ")
    assert " runs" in titles[0]
    words = await editor.hover("right.py", "histogram(rng")
    assert "does not mean private" in words


async def test_a_test_that_runs_is_shown_and_can_be_stopped(editor):
    editor.open("slow.py", HEAD + SLOW)

    titles = await editor.see_title("slow.py", "testing")
    assert titles[-1] == "stop"
    await editor.run("dplint.stop", editor.uri("slow.py"), "histogram")
    assert await editor.titles("slow.py") == ["claims ε = epsilon · stopped", "test now"]
    await editor.run("dplint.test", editor.uri("slow.py"), "histogram")
    await editor.see_title("slow.py", "testing")
    await editor.run("dplint.stop", editor.uri("slow.py"), "histogram")


async def test_a_deeper_test_makes_more_runs(editor):
    editor.open("deeper.py", HEAD + WRONG)
    (before,) = [title for title in await editor.see_title("deeper.py", "violated") if "violated" in title]

    await editor.run("dplint.testDeeper", editor.uri("deeper.py"), "histogram")
    await editor.see_title("deeper.py", "testing")
    titles = await editor.see_title("deeper.py", "test deeper")
    assert bound(titles[0]) > bound(before)


def bound(title):
    return float(title.partition("ε ≥ ")[2].split()[0])


async def test_an_editor_may_ask_where_mechanisms_are(editor):
    uri = editor.open("where.py", HEAD + WRONG + "\n\nX = 1\n" + RIGHT.replace("histogram", "right"))
    await editor.see_title("where.py", "violated")

    wrong, right = await editor.run("dplint.mechanisms", uri)
    lines = editor.texts["where.py"].split("\n")
    for found, name in ((wrong, "histogram"), (right, "right")):
        assert found["function"] == name
        assert lines[found["first"]].startswith("@dp")
        assert lines[found["first"] + 1].startswith(f"def {name}")
        assert "return" in lines[found["last"]]
    assert wrong["violated"]
    assert not right["violated"]
    assert "violated" in wrong["state"]
    assert await editor.run("dplint.mechanisms", editor.uri("nowhere.py")) == []


async def test_progress_is_shown_and_its_cancel_button_works(editor):
    editor.open("progress.py", HEAD + SLOW)

    def reports():
        return [(token, report) for token, found in editor.client.progress_reports.items() for report in found]

    await editor.see_title("progress.py", "testing")
    await until(reports, lambda found: any("histogram" in (one.message or "") for _, one in found))
    token = reports()[-1][0]
    editor.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token))
    await editor.see_title("progress.py", "stopped")
    await until(
        reports, lambda found: any(isinstance(one, lsp.WorkDoneProgressEnd) for name, one in found if name == token)
    )


async def test_pausing_stops_everything_and_is_visible(editor):
    await editor.run("dplint.pause")
    editor.open("paused.py", HEAD + WRONG)
    assert await editor.titles("paused.py") == ["claims ε = epsilon · not tested: dplint is paused"]

    await editor.run("dplint.test", editor.uri("paused.py"), "histogram")
    await until(lambda: editor.shown, lambda texts: any("dplint is paused" in text for text in texts))
    await editor.run("dplint.resume")
    await editor.codes("paused.py", "DP901")


async def test_each_draw_shows_what_it_spends(editor):
    shares = (
        "\n@dp(epsilon='epsilon', neighbors='l1', sensitivity=2.0)\n"
        "def shares(rng, counts, epsilon, scale):\n"
        "    half = epsilon / 2\n"
        "    a = counts[0] + rng.laplace(scale=2 / half)\n"
        "    b = counts[1] + rng.laplace(scale=1 / epsilon)\n"
        "    c = counts[2] + rng.laplace(scale=4.0)\n"
        "    d = counts[3] + rng.laplace(scale=scale)\n"
        "    e = counts[4] + rng.normal(scale=1 / epsilon)\n"
        "    return [a, b, c, d, e]\n"
    )
    editor.open("shares.py", HEAD + shares)
    hints = await hints_of(editor, "shares.py")

    # It is broken, which may be known by now.
    labels = [(hint.position.line, hint.label.rstrip("?")) for hint in hints]
    assert labels == [(6, "ε/2"), (7, "2ε"), (8, "ε = 0.5 ⚠ DP106")]
    line = editor.texts["shares.py"].split("\n")[6]
    assert hints[0].position.character == len(line)
    assert "Δ/b" in hints[0].tooltip


async def test_no_hint_reassures_on_the_draws_of_a_broken_mechanism(editor):
    """Noise of half the budget, and the counts beside it as they are."""
    first, _, _ = RIGHT.partition("    return")
    rest = "    x = rng.laplace(scale=2 / epsilon)\n    return [*counts, counts[0] + x]\n"
    editor.open("broken.py", HEAD + first + rest)
    await editor.codes("broken.py", "DP901")

    hints = await hints_of(editor, "broken.py")
    assert [hint.label for hint in hints] == ["ε/2?"]
    assert hints[0].tooltip.startswith("The claim is broken")


async def test_how_far_a_record_moves_stands_beside_the_lines_of_a_mechanism(editor):
    """Once it has a verdict. Each entry is held at 5, so that one more record moves their sum by 5."""
    body = (
        "    held = [min(row, 5.0) for row in rows]\n    total = sum(held)\n    return total + rng.laplace(scale=5)\n"
    )
    claim = 'from dplint import dp\n\n\n@dp(epsilon=1, neighbors="add-remove", domain=(0.0, 10.0))\n'
    editor.open("lines.py", f"{claim}def noisy(rows: list, rng):\n{body}")
    async with asyncio.timeout(patience(60)):
        while len(found := [one for one in await hints_of(editor, "lines.py") if one.label.startswith("Δ")]) < 2:
            await asyncio.sleep(0.2)
    # In a second or two a proof may not have been found yet: then the pair alone is told.
    labels = [(one.position.line, one.label.replace("=", "≥")) for one in found]
    assert labels == [(5, "Δ rows ≥ 1"), (6, "Δ ≥ 5")]


async def hints_of(editor, name):
    where = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    return await editor.client.text_document_inlay_hint_async(
        lsp.InlayHintParams(lsp.TextDocumentIdentifier(editor.uri(name)), where)
    )


async def test_the_hover_of_a_violation_is_a_table(editor):
    editor.open("hover.py", HEAD + WRONG)
    await editor.codes("hover.py", "DP901")

    words = await editor.hover("hover.py", "histogram(rng")
    for part in ("D1", "D2", "|", "--seed", "99.9%"):
        assert part in words
    assert "\n\nline 6: " in words
    assert await editor.hover("hover.py", "dp(epsilon") == words
    assert await editor.hover("hover.py", "import numpy") is None


async def test_the_hover_of_a_code_in_a_comment_is_its_page(editor):
    editor.open("comment.py", HEAD + "x = 1  # dplint: ignore[DP901]\n")

    words = await editor.hover("comment.py", "DP901")
    assert words.startswith("# DP901")
    assert await editor.hover("comment.py", "dplint: ignore") is None


async def test_the_counterexample_is_shown_as_a_page(editor):
    editor.open("page.py", HEAD + WRONG)
    await editor.codes("page.py", "DP901")

    document = await editor.run("dplint.showCounterexample", editor.uri("page.py"), "histogram")
    assert document["verdict"] == "violation"
    assert document["counterexample"]["witness"]["d1"] != document["counterexample"]["witness"]["d2"]


async def test_commands_about_nothing_say_so(editor):
    await editor.run("dplint.test", editor.uri("nowhere.py"), "nobody")
    await until(lambda: editor.shown, lambda texts: any("no mechanism nobody" in text for text in texts))
    assert await editor.run("dplint.showCounterexample", editor.uri("nowhere.py"), "nobody") is None
