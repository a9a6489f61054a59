"""A text that is no Python as it stands, somewhere: what is known of untouched functions stays, and nothing is run."""

import pytest

from tests.server.conftest import HEAD, WRONG

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]
OTHER = "\n\ndef other(x):\n    return [x, (x)]\n"


async def verdict(editor, name):
    (item,) = [one for one in await editor.problems(name) if one.code == "DP901"]
    return item.message, item.data["stale"], item.severity


@pytest.mark.parametrize(
    ("old", "new"),
    [("other(x)", "other(x"), ("(x)]", "(x]"), ("return [x", 'return """[x'), ("return [x", "return = [x")],
    ids=["head", "bracket", "text", "statement"],
)
@pytest.mark.parametrize("behind", [True, False], ids=["behind", "before"])
async def test_a_syntax_error_elsewhere_keeps_the_verdict_and_so_does_its_undoing(editor, request, old, new, behind):
    name = f"broken_{request.node.name.partition('[')[2].strip(']').replace('-', '_')}.py"
    editor.open(name, HEAD + (WRONG + OTHER if behind else OTHER + "\n" + WRONG))
    await editor.codes(name, "DP901")
    before, (title, *_) = await verdict(editor, name), await editor.titles(name)

    editor.type(name, old, new)
    editor.save(name)
    assert await verdict(editor, name) == before
    assert (await editor.titles(name))[0] == title
    editor.type(name, new, old)
    editor.save(name)
    assert await verdict(editor, name) == before
    assert (await editor.titles(name))[0] == title
