"""Findings while one types and verdicts when one saves: neither erases the other, and both are of the text as it is."""

import pytest

from tests.server.conftest import HEAD, RIGHT, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]
MISSPELT = WRONG.replace('"epsilon"', '"epsilom"', 1)


async def test_a_finding_comes_with_the_text_and_goes_with_it(editor):
    editor.open("finding.py", HEAD + MISSPELT)

    (item,) = await editor.codes("finding.py", "DP007")
    assert (item.range.start.line, item.severity, item.source) == (3, 1, "dplint")
    assert item.code_description.href.endswith("DP007.md")
    editor.type("finding.py", "epsilom", "epsilon")
    await editor.see("finding.py", lambda items: "DP007" not in {item.code for item in items})


async def test_a_violation_is_shown_at_the_function(editor):
    editor.open("verdict.py", HEAD + WRONG)

    (item,) = await editor.codes("verdict.py", "DP901")
    assert (item.range.start.line, item.range.start.character, item.range.end.character) == (4, 4, 13)
    assert item.severity == 1
    assert item.message.startswith("`histogram` is not ")
    assert "times as likely; " in item.message
    related = [one.message for one in item.related_information]
    assert related[0].startswith("DP401: ")
    assert related[1] == "the claim that is broken"
    assert any("laplace noise is drawn here" in text for text in related)


async def test_a_verdict_moves_with_its_function_and_a_finding_beside_it_changes_nothing(editor):
    editor.open("both.py", HEAD + WRONG)
    (before,) = await editor.codes("both.py", "DP901")

    editor.type("both.py", HEAD, HEAD + "\n\n# note\n")
    await editor.see("both.py", lambda items: [item.range.start.line for item in items] == [7])
    editor.type("both.py", "# note\n", MISSPELT.replace("histogram", "other"))
    items = await editor.codes("both.py", "DP007", "DP901")
    verdict = next(item for item in items if item.code == "DP901")
    assert verdict.message == before.message.replace("line 6", "line 12")
    editor.type("both.py", "epsilom", "epsilon")
    (after,) = await editor.codes("both.py", "DP901")
    assert after.message == verdict.message


async def test_a_changed_function_is_marked_at_once_and_tested_when_it_is_saved(editor):
    editor.open("changed.py", HEAD + WRONG)
    (before,) = await editor.codes("changed.py", "DP901")

    editor.type("changed.py", "scale=0.1 / epsilon", "scale=1 / epsilon")
    (stale,) = await editor.see("changed.py", lambda items: items and items[0].severity == 3)
    # What explained it is not known to be there still.
    assert stale.message == f"before your last change: {before.message.partition('; line')[0]}"
    assert await editor.see_title("changed.py", "changed since it was tested")
    editor.save("changed.py")
    await editor.codes("changed.py")
    await editor.see_title("changed.py", "nothing found")


async def test_undoing_a_change_brings_the_verdict_back_without_a_test(editor):
    editor.open("undo.py", HEAD + WRONG)
    (before,) = await editor.codes("undo.py", "DP901")

    editor.type("undo.py", "scale=0.1 / epsilon", "scale=0.2 / epsilon")
    await editor.see("undo.py", lambda items: items and items[0].severity == 3)
    editor.type("undo.py", "scale=0.2 / epsilon", "scale=0.1 / epsilon")
    (after,) = await editor.see("undo.py", lambda items: items and items[0].severity == 1)
    assert after == before


async def test_the_text_in_the_editor_is_tested_and_not_the_file(editor):
    editor.open("unsaved.py", HEAD + RIGHT)
    await editor.see_title("unsaved.py", "nothing found")

    editor.type("unsaved.py", "scale=1 / epsilon", "scale=0.1 / epsilon")
    editor.save("unsaved.py", write=False)
    await editor.codes("unsaved.py", "DP901")


async def test_a_helper_is_part_of_what_is_tested(editor):
    helper = "\ndef noise(rng, epsilon):\n    return rng.laplace(scale=1 / epsilon)\n"
    stranger = "\ndef stranger():\n    return 1\n"
    editor.open(
        "helper.py", HEAD + helper + stranger + RIGHT.replace("rng.laplace(scale=1 / epsilon)", "noise(rng, epsilon)")
    )
    await editor.see_title("helper.py", "nothing found")

    editor.type("helper.py", "return 1\n", "return 2\n")
    await editor.see("helper.py", lambda items: not items)
    assert any("nothing found" in title for title in await editor.titles("helper.py"))
    editor.type("helper.py", "scale=1 / epsilon", "scale=0.1 / epsilon")
    await editor.see_title("helper.py", "changed since it was tested")
    editor.save("helper.py")
    await editor.codes("helper.py", "DP901")


async def test_what_a_module_imports_is_part_of_what_is_tested(editor):
    (editor.folder / "noise_of_mine.py").write_text("def scale(epsilon):\n    return 1 / epsilon\n")
    text = "from noise_of_mine import scale\n" + HEAD + RIGHT.replace("1 / epsilon", "scale(epsilon)")
    editor.open("importing.py", text)
    await editor.see_title("importing.py", "nothing found")

    editor.open("noise_of_mine.py", "def scale(epsilon):\n    return 0.1 / epsilon\n")
    editor.save("noise_of_mine.py")
    await editor.codes("importing.py", "DP901")


async def test_a_finding_in_a_function_of_another_module_goes_when_that_is_saved(editor):
    noise = "import numpy as np\n\ndef add_noise(x, epsilon):\n    return x + np.random.laplace(0, 1 * epsilon)\n"
    (editor.folder / "noise_elsewhere.py").write_text(noise)
    text = (
        "from dplint import dp\nfrom noise_elsewhere import add_noise\n\n"
        '@dp(epsilon="epsilon", neighbors="l1")\ndef total(values, epsilon):\n'
        "    return add_noise(sum(values), epsilon)\n"
    )
    editor.open("calling.py", text)
    shown = lambda wanted: until(  # noqa: E731
        lambda: editor.everything("calling.py"), lambda items: wanted == any(one.code == "DP101" for one in items)
    )
    await shown(True)

    editor.open("noise_elsewhere.py", noise.replace("1 * epsilon", "1 / epsilon"))
    editor.save("noise_elsewhere.py")
    await shown(False)


async def test_what_does_not_parse_is_said_and_the_rest_is_read(editor):
    editor.open("broken.py", HEAD + WRONG + "\n\ndef other(:\n    pass\n")

    (error,) = await editor.codes("broken.py", "None")
    assert error.range.start.line == 8
    assert "does not parse" in error.message
    assert await editor.titles("broken.py") == ["claims ε = epsilon · not tested: the file does not parse"]
    editor.type("broken.py", "def other(:", "def other():")
    editor.save("broken.py")
    await editor.codes("broken.py", "DP901")
    editor.type("broken.py", "def other():", "def other(:")
    await editor.codes("broken.py", "DP901", "None")


async def test_untestable_and_failed_are_told_apart_from_clean(editor):
    method = (
        "\nclass Counter:\n    def __init__(self, size):\n        pass\n\n"
        "    @dp(epsilon=1.0)\n    def release(self, counts):\n        return counts\n"
    )
    crash = "\n@dp(epsilon=1.0)\ndef crash(counts):\n    import os\n    os._exit(3)\n"
    editor.open("cannot.py", HEAD + method + crash)

    items = await editor.codes("cannot.py", "DP904", "DP905")
    severities = {item.code: item.severity for item in items}
    assert severities == {"DP904": 2, "DP905": 1}
    assert "exit code 3" in next(item.message for item in items if item.code == "DP905")


async def test_an_ignore_comment_silences_a_verdict_and_a_useless_one_is_told(editor):
    editor.open("silent.py", HEAD + WRONG)
    await editor.codes("silent.py", "DP901")

    editor.type("silent.py", "counts, epsilon):", "counts, epsilon):  # dplint: ignore[DP901]")
    await editor.codes("silent.py")
    assert any("violated" in title for title in await editor.titles("silent.py"))
    editor.type("silent.py", "scale=0.1 / epsilon", "scale=1 / epsilon")
    editor.save("silent.py")
    (useless,) = await editor.codes("silent.py", "DP020")
    assert "DP901" in useless.message


async def test_hints_are_asked_for_again_when_there_is_a_verdict(editor):
    """They say whether the noise is proved to suffice, or a claim broken: not only what the text says."""
    before = editor.client.refreshes.count("workspace/inlayHint/refresh")
    editor.open("hinted.py", HEAD + WRONG)
    await editor.codes("hinted.py", "DP901")

    # once for the text, once for the verdict
    await until(lambda: editor.client.refreshes.count("workspace/inlayHint/refresh"), lambda now: now >= before + 2)


async def test_a_closed_document_shows_nothing(editor):
    editor.open("closed.py", HEAD + WRONG)
    await editor.codes("closed.py", "DP901")

    editor.close("closed.py")
    await editor.see("closed.py", lambda items: not items)


async def test_an_editor_that_pulls_is_never_pushed_and_told_to_ask_again(editor):
    editor.open("channel.py", HEAD + WRONG)
    await editor.codes("channel.py", "DP901")

    pushed = editor.uri("channel.py") in editor.client.diagnostics
    assert pushed != editor.pulls
    assert ("workspace/diagnostic/refresh" in editor.client.refreshes) == editor.pulls
    provider = editor.client.result.capabilities.diagnostic_provider
    assert (provider is not None) == editor.pulls


async def test_positions_are_in_the_units_of_the_editor(editor):
    """The client speaks UTF-16, in which the emoji counts twice."""
    editor.open(
        "emoji.py", HEAD + '\n\n@dp(data="😀😀", epsilon="epsilom")\ndef release(rng, counts, epsilon):\n    return 0\n'
    )

    items = await editor.codes("emoji.py", "DP007", "DP007")
    epsilom = next(item for item in items if "epsilom" in item.message)
    line = editor.texts["emoji.py"].split("\n")[epsilom.range.start.line]
    start = len(line[: line.index("epsilom")].encode("utf-16-le")) // 2
    assert epsilom.range.start.character <= start < epsilom.range.end.character
    assert abs(epsilom.range.start.character - start) <= 1


UNPROVED = """
@dp(epsilon="epsilon", neighbors="linf", size=1)
def rounded(rng, answers, epsilon):
    return round(answers[0]) + rng.laplace(scale=2 / epsilon)
"""


async def test_what_lacks_the_proof_that_is_asked_for_is_marked(editor):
    editor.configure(requireProof="full")
    editor.open("unproved.py", HEAD + UNPROVED)

    (item,) = await editor.codes("unproved.py", "DP910")
    assert item.severity == 1
    assert "asks for a proof" in item.message
    editor.configure()
    await editor.codes("unproved.py")
