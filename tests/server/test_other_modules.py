"""What a mechanism takes from other modules: places in them bear their file, and a change of them makes all anew."""

import pytest

from tests.server.conftest import HEAD, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio]
NOISE = '"""Noise."""\n\n\ndef noisy(rng, value, epsilon):\n    return value + rng.laplace(scale=0.1 / epsilon)\n'
MECHANISM = """from noise_of_shop import noisy


@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [noisy(rng, c, epsilon) for c in counts]
"""


@pytest.mark.editor_with(settings={"jobs": 1, "deepen": False})
async def test_a_draw_in_another_module_is_shown_there_and_its_change_makes_the_verdict_anew(own_editor):
    editor = own_editor
    (editor.folder / "noise_of_shop.py").write_text(NOISE)
    editor.open("shop.py", HEAD + MECHANISM)

    (item,) = await editor.codes("shop.py", "DP901")
    (draw,) = [one for one in item.related_information if "laplace noise is drawn here" in one.message]
    assert draw.location.uri == editor.uri("noise_of_shop.py")
    assert (draw.location.range.start.line, draw.location.range.start.character) == (4, 19)

    (editor.folder / "noise_of_shop.py").write_text(NOISE.replace("0.1 / epsilon", "1 / epsilon"))
    editor.save("shop.py")
    # A busy machine may have too little time to tell, which is no violation.
    await editor.see("shop.py", lambda items: all(one.code == "DP909" for one in items))
    assert await editor.see_title("shop.py", "ε")


@pytest.mark.editor_with(settings={"jobs": 1, "deepen": False})
async def test_what_is_typed_in_a_helper_counts_and_is_run_once_it_is_saved(own_editor):
    """The finding about the claim's noise follows the text that stands in the editor; a verdict needs it on disk."""
    editor = own_editor
    editor.open("noise_of_shop.py", NOISE)
    editor.open("shop.py", HEAD + MECHANISM)
    await editor.codes("shop.py", "DP901")

    editor.type("noise_of_shop.py", "scale=0.1 / epsilon", "scale=0.1 * epsilon")
    found = await until(lambda: editor.everything("shop.py"), lambda items: any(one.code == "DP101" for one in items))
    assert not verdicts(found)
    await editor.see_title("shop.py", "not tested: noise_of_shop.py is not saved")
    editor.save("shop.py")
    await editor.see_title("shop.py", "not tested: noise_of_shop.py is not saved")
    assert not verdicts(await editor.everything("shop.py"))

    editor.save("noise_of_shop.py")
    await editor.see("shop.py", verdicts)


def verdicts(items):
    """Those about the text as it stands."""
    return [one for one in items if one.code == "DP901" and not one.data["stale"]]
