"""What a mechanism takes from other modules: places in them bear their file, and a change of them makes all anew."""

import pytest

from tests.server.conftest import HEAD

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
