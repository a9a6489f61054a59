"""What is computed by the source alone: at pauses in typing, where nothing is trusted, too, and never a verdict."""

import math

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import HEAD, RIGHT, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio]
COMPUTED = "[tool.dplint]\nproofs = false\nepsilons = [0.5]\n"
WORDS = "by the source alone, not confirmed by a run"
UNTRUSTED = pytest.mark.editor_with(options={"trusted": False}, pyproject=COMPUTED)
TITLE = "claims ε = epsilon · not tested: the workspace is not trusted"


def marked(editor, text):
    """The text with a line at the top that leaves a mark if it is executed."""
    mark = editor.folder / "was_run"
    return mark, HEAD + f"open({str(mark)!r}, 'w').close()\n" + text


@UNTRUSTED
async def test_an_untrusted_workspace_is_told_what_the_source_shows_and_nothing_is_run(own_editor):
    """Noise of scale 0.1 / 0.5 under a number that moves by 1: a loss of 5."""
    mark, text = marked(own_editor, WRONG)
    own_editor.open("evil.py", text)

    (item,) = await own_editor.codes("evil.py", "DP901")
    assert item.message.startswith(f"{WORDS}: `histogram` is not 0.5-private: at least ")
    assert item.severity == lsp.DiagnosticSeverity.Warning
    found = item.data["bySource"]
    assert (found["confirmed"], found["epsilon_tested"], found["evidence"]["kind"]) == (False, 0.5, "exact")
    one, two = (sum(found["evidence"][side]) / 2 for side in ("p1", "p2"))
    assert math.log(one / two) == pytest.approx(found["epsilon_lower"], abs=1e-9)
    assert 0.5 < found["epsilon_lower"] <= 5 + 1e-9
    (title, show) = await own_editor.titles("evil.py")
    assert title.startswith("claims ε = epsilon · ε ≥ ")
    assert title.endswith(WORDS)
    assert show == "show counterexample"
    hover = await own_editor.hover("evil.py", "histogram(rng")
    assert f"**{WORDS.capitalize()}:**" in hover
    assert "is allowed (exact)" in hover
    assert "**The promise is broken:**" not in hover
    answer = await own_editor.run("dplint.showCounterexample", own_editor.uri("evil.py"), "histogram")
    assert (answer["confirmed"], answer["evidence"], answer["view"]["unconfirmed"]) == (False, found["evidence"], WORDS)
    shown = [probability["interval"] for probability in answer["view"]["probabilities"]]
    assert shown == [found["evidence"][side] for side in ("p1", "p2")]
    assert "noise is drawn here" in " ".join(place["message"] for place in answer["view"]["places"])
    assert answer["view"]["test"] is None
    outputs = await own_editor.run("dplint.showOutputs", own_editor.uri("evil.py"), "histogram")
    assert outputs["error"].startswith("Nothing of histogram has been run")
    (mechanism,) = await own_editor.run("dplint.mechanisms", own_editor.uri("evil.py"))
    assert (mechanism["violated"], mechanism["unconfirmed"]) == (False, True)
    assert not mark.exists()


@pytest.mark.editor_with(options={"trusted": False}, pyproject="[tool.dplint]\nepsilons = [0.5]\n")
async def test_a_proof_needs_no_trust(own_editor):
    """No verdict: that the program is the function is what a run would show."""
    mark, text = marked(own_editor, RIGHT)
    own_editor.open("right.py", text)

    (title,) = await own_editor.see_title("right.py", "proved")
    assert title == f"{TITLE} (proved for every length {WORDS})"
    hover = await own_editor.hover("right.py", "histogram(rng")
    assert f"**{WORDS.capitalize()}:** proved for every length, " in hover, hover
    (mechanism,) = await own_editor.run("dplint.mechanisms", own_editor.uri("right.py"))
    assert not mechanism["violated"]
    assert not mark.exists()


@UNTRUSTED
async def test_what_keeps_its_claim_has_its_largest_loss_and_no_problem(own_editor):
    mark, text = marked(own_editor, RIGHT)
    own_editor.open("fine.py", text)

    await own_editor.see_title("fine.py", f"{TITLE} (exact: 0.5 of 0.5)")
    assert await own_editor.problems("fine.py") == []
    assert "**By the source alone,** without a run: largest loss on" in await own_editor.hover("fine.py", "histogram(")
    assert not mark.exists()


PAIRS = """
def some_pairs():
    return [([1.0], [2.0])]


@dp(epsilon=0.5, neighbors=some_pairs)
def histogram(rng, counts):
    return [count + rng.laplace(scale=0.1) for count in counts]
"""
LARGE = WRONG.replace("    return", "    counts = counts + [0] * 10 ** 10\n    return")
ENDLESS = WRONG.replace("    return", "    huge = 9 ** 9 ** 9\n    return")


@UNTRUSTED
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PAIRS, id="pairs of the user's own"),
        pytest.param(LARGE, id="more memory than there is"),
        pytest.param(ENDLESS, id="arithmetic without end", marks=pytest.mark.nightly),
    ],
)
async def test_what_would_have_to_be_run_or_takes_too_much_says_nothing(own_editor, text):
    mark, whole = marked(own_editor, text)
    own_editor.open("odd.py", whole)
    own_editor.open("after.py", HEAD + WRONG)

    await own_editor.codes("after.py", "DP901")
    assert await own_editor.problems("odd.py") == []
    assert not mark.exists()


@pytest.mark.editor_with(pyproject=COMPUTED)
async def test_a_pause_in_typing_is_enough_and_an_edit_undone_needs_none(own_editor):
    own_editor.open("typed.py", HEAD + RIGHT)
    await own_editor.see_title("typed.py", "nothing found")
    own_editor.type("typed.py", "scale=1 /", "scale=0.1 /")

    (item,) = await own_editor.codes("typed.py", "DP901")
    assert item.data["bySource"]["confirmed"] is False
    own_editor.type("typed.py", "scale=0.1 /", "scale=1 /")
    await own_editor.codes("typed.py")
    assert "nothing found" in (await own_editor.titles("typed.py"))[0]
    own_editor.type("typed.py", "scale=1 /", "scale=0.1 /")
    # What is pushed comes when it comes; who asks is answered from what was known before.
    await (own_editor.problems("typed.py") if own_editor.pulls else own_editor.codes("typed.py", "DP901"))
    assert [one.code for one in await own_editor.problems("typed.py")] == ["DP901"]


@pytest.mark.editor_with(pyproject=COMPUTED)
async def test_the_audit_confirms_it_and_takes_its_place(own_editor):
    own_editor.open("typed.py", HEAD + RIGHT)
    await own_editor.see_title("typed.py", "nothing found")
    own_editor.type("typed.py", "scale=1 /", "scale=0.1 /")
    await own_editor.codes("typed.py", "DP901")
    own_editor.save("typed.py")

    (item,) = await until(
        lambda: own_editor.problems("typed.py"), lambda items: items and "bySource" not in items[0].data
    )
    assert (item.code, item.severity) == ("DP901", lsp.DiagnosticSeverity.Error)
    assert WORDS not in item.message


@UNTRUSTED
async def test_a_comment_silences_it(own_editor):
    own_editor.open("silent.py", HEAD + WRONG.replace("epsilon):\n", "epsilon):  # dplint: ignore[DP901]\n", 1))

    await own_editor.see_title("silent.py", WORDS)
    assert await own_editor.problems("silent.py") == []


@pytest.mark.editor_with(options={"trusted": False})
async def test_where_exact_losses_are_turned_off_nothing_is_computed(own_editor):
    own_editor.open("off.py", HEAD + WRONG)
    own_editor.open("on.py", HEAD + WRONG)
    await own_editor.see_title("off.py", TITLE)
    assert await own_editor.problems("off.py") == []


@UNTRUSTED
async def test_a_helper_of_another_module_that_is_mended_mends_what_is_shown(own_editor):
    helper = "def scale_of(epsilon):\n    return {} / epsilon\n"
    (own_editor.folder / "helper.py").write_text(helper.format(0.1))
    text = HEAD + "from helper import scale_of\n" + WRONG.replace("scale=0.1 / epsilon", "scale=scale_of(epsilon)")
    own_editor.open("uses.py", text)
    await own_editor.codes("uses.py", "DP901")
    own_editor.open("helper.py", helper.format(0.1))
    own_editor.type("helper.py", "0.1", "1.0")
    own_editor.save("helper.py")
    await own_editor.codes("uses.py")
    await own_editor.see_title("uses.py", "exact: 0.5 of 0.5")
