"""What is tested when: under the cursor first, deeper while nobody types, never what nobody needs any more."""

import re

import pytest

from tests.server.conftest import HEAD, RIGHT, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio]
SLOW = RIGHT.replace("    return", "    import time\n    time.sleep(0.005)\n    return")
CRAWLS = SLOW.replace("sleep(0.005)", "sleep(0.03 + 1e-9 * rng.random())")
"""It sleeps by its noise, so that each run does."""


def states(titles):
    """What is said of each mechanism."""
    return [title.partition("· ")[2] for title in titles if title.startswith("claims ε")]


@pytest.mark.editor_with(settings={"jobs": 1, "deepen": False})
async def test_what_the_cursor_stands_in_comes_first(own_editor):
    editor = own_editor
    names = ["first", "second", "third", "fourth"]
    editor.open("order.py", HEAD + "".join(SLOW.replace("histogram", name) for name in names))
    await until(lambda: editor.titles("order.py"), lambda found: states(found)[0].startswith("testing"))

    line = editor.texts["order.py"].split("\n").index("def fourth(rng, counts, epsilon):")
    await editor.actions("order.py", line=line)
    seen = await until(lambda: editor.titles("order.py"), lambda found: not states(found)[3].startswith("waiting"))
    assert states(seen)[1] == states(seen)[2] == "waiting"


@pytest.mark.editor_with(settings={"jobs": 1})
async def test_while_nobody_types_it_goes_deeper_and_makes_room_for_who_waits(own_editor):
    editor = own_editor
    editor.open("idle.py", HEAD + RIGHT)
    await editor.see_title("idle.py", "nothing found")
    await editor.see_title("idle.py", "· testing")

    # The deeper pass takes seconds, and there is one worker.
    editor.open("urgent.py", HEAD + RIGHT.replace("1 / epsilon", "0.1 / epsilon"))
    await editor.codes("urgent.py", "DP901")
    titles = await editor.see_title("idle.py", "nothing found")
    assert runs(titles[0]) > 0


def runs(title):
    text = title.partition("found in ")[2].partition(" runs")[0]
    return float(text.rstrip("kMG")) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(text[-1], 1)


@pytest.mark.editor_with(settings={"jobs": 1, "deepen": False})
async def test_a_key_in_a_function_ends_its_test_at_once(own_editor):
    editor = own_editor
    slower = SLOW.replace("0.005", "0.02")
    editor.open("key.py", HEAD + slower)
    await editor.see_title("key.py", "testing")

    editor.type("key.py", "sleep(0.02)", "sleep(0.021)")
    assert states(await editor.titles("key.py")) == ["not tested yet"]
    editor.save("key.py")
    await editor.see_title("key.py", "testing")
    editor.type("key.py", HEAD, HEAD + "\n")
    assert states(await editor.titles("key.py"))[0].startswith("testing")


@pytest.mark.editor_with(settings={"jobs": 1})
async def test_what_is_too_slow_for_the_quick_pass_gets_a_longer_one_before_it_is_a_problem(own_editor):
    editor = own_editor
    editor.open("crawls.py", HEAD + CRAWLS)

    def runs(titles):
        found = re.search(r"tried too little to tell: ([\d,]+) runs", titles[0])
        return int(found[1].replace(",", "")) if found else 0

    first = runs(await editor.see_title("crawls.py", "tried too little to tell"))
    assert await editor.problems("crawls.py") == []
    await until(lambda: editor.titles("crawls.py"), lambda titles: runs(titles) > first)


@pytest.mark.editor_with(settings={"jobs": 1, "deepen": False})
async def test_where_no_longer_pass_follows_too_little_is_a_problem(own_editor):
    editor = own_editor
    editor.open("crawls.py", HEAD + CRAWLS)
    (item,) = await editor.codes("crawls.py", "DP909")
    assert "was used up" in item.message
