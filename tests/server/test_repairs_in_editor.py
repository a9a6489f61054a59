"""A violation is mended by one key: refuted, repaired, saved, green."""

import pytest

from tests.server.conftest import HEAD, RIGHT, WRONG

pytestmark = [
    pytest.mark.process,
    pytest.mark.asyncio,
    pytest.mark.editor_with(settings={"jobs": 2, "deepen": False}, pyproject="[tool.dplint]\n"),
]
SPARE = WRONG.replace("0.1 / epsilon", "4 / epsilon")


def titled(found, part):
    (action,) = [action for action in found if part in action.title]
    return action


async def test_refuted_repaired_saved_and_green(own_editor):
    editor = own_editor
    editor.open("mended.py", HEAD + WRONG)
    await editor.see_title("mended.py", "repair, proved")

    # A comment above moves the function down, and the repair with it.
    editor.type("mended.py", "from dplint import dp\n", "from dplint import dp\n\n# counts of visits\n")
    await editor.see_title("mended.py", "repair, proved")
    (item,) = [one for one in await editor.everything("mended.py") if one.code == "DP901"]
    action = titled(await editor.actions("mended.py", item), "(proved")
    assert action.title.startswith("Multiply the scale by 10")
    editor.apply("mended.py", action)
    assert editor.texts["mended.py"] == (HEAD + RIGHT).replace(
        "from dplint import dp\n", "from dplint import dp\n\n# counts of visits\n"
    )
    editor.save("mended.py")
    await editor.see_title("mended.py", "✓ proved for every length")
    assert not await editor.everything("mended.py")


async def test_noise_to_spare_is_a_hint_with_its_edit(own_editor):
    editor = own_editor
    editor.open("spare.py", HEAD + SPARE)
    found = await editor.see("spare.py", lambda items: any("multiply the scale" in one.message for one in items))
    (item,) = [one for one in found if one.code == "DP912"]
    assert item.message.startswith("this is more noise than it claims: it spends at most epsilon / 4 of epsilon")
    editor.apply("spare.py", titled(await editor.actions("spare.py", item), "Multiply the scale by"))
    assert editor.texts["spare.py"] == HEAD + RIGHT
