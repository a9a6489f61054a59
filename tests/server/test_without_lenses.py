"""For editors that show no lenses: the same by code actions, commands and symbols."""

import ast

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import HEAD, RIGHT, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]
SLOW = RIGHT.replace("    return", "    import time\n    time.sleep(0.01)\n    return")


def titles(actions):
    return [one.title for one in actions]


async def run(editor, actions, title):
    (action,) = [one for one in actions if one.title == title]
    command = ast.literal_eval(action.command)  # pytest-lsp reads an action without an edit as a command
    return await editor.run(command["command"], *command["arguments"])


async def test_what_lenses_do_is_offered_at_the_head_of_a_mechanism(editor):
    editor.open("acts.py", HEAD + WRONG)
    (item,) = await editor.codes("acts.py", "DP901")

    for line in (3, 4):  # the claim and the name
        found = await editor.actions("acts.py", line=line)
        assert {"Show counterexample: histogram", "Test deeper: histogram"} <= set(titles(found))
    assert not [one for one in titles(await editor.actions("acts.py", line=5)) if "histogram" in one]
    found = await editor.actions("acts.py", item)
    assert {"Explain DP901", "Show counterexample: histogram"} <= set(titles(found))
    assert [one for one in titles(found) if one.startswith("Write the counterexample to tests/")]
    assert (await run(editor, found, "Show counterexample: histogram"))["verdict"] == "violation"
    page = await run(editor, found, "Explain DP901")
    assert page["text"].startswith("# DP901")
    assert [one for one in editor.client.shown_documents if one.uri.endswith("DP901.md")]


async def test_the_mechanism_under_the_cursor_is_tested_and_stopped(editor):
    """Where an editor asks for actions or a hover, there its cursor is."""
    editor.open("cursor.py", HEAD + SLOW.replace("histogram", "first") + SLOW.replace("histogram", "second"))
    await until(lambda: editor.titles("cursor.py"), lambda found: found.count("stop") == 2)
    for name in ("first", "second"):
        await editor.run("dplint.stop", editor.uri("cursor.py"), name)
    await editor.hover("cursor.py", "second(rng")
    await editor.run("dplint.test")

    lines = editor.texts["cursor.py"].split("\n")
    line = next(n for n, text in enumerate(lines) if text.startswith("def second"))
    await until(lambda: editor.actions("cursor.py", line=line), lambda found: "Stop: second" in titles(found))
    first = await editor.actions("cursor.py", line=4)
    assert "Test now: first" in titles(first)
    assert "Stop: first" not in titles(first)
    await editor.hover("cursor.py", "second(rng")
    await editor.run("dplint.stop")
    assert "Test now: second" in titles(await editor.actions("cursor.py", line=line))


async def test_commands_are_about_the_mechanism_under_the_cursor(editor):
    editor.open("shown.py", HEAD + WRONG + RIGHT.replace("histogram", "right"))
    await editor.codes("shown.py", "DP901")
    await editor.see_title("shown.py", "nothing found")

    await editor.hover("shown.py", "histogram(rng")
    assert (await editor.run("dplint.showCounterexample"))["verdict"] == "violation"
    assert "def test_" in (await editor.run("dplint.copyTest"))["text"]
    await editor.hover("shown.py", "right(rng")
    assert await editor.run("dplint.showCounterexample") is None
    assert await editor.run("dplint.showProof") is None
    for text in ("There is no counterexample of right.", "There is no proof of right."):
        await until(lambda: editor.shown, lambda texts, text=text: text in texts)


async def test_a_file_that_does_not_parse_is_told_where_all_are_tested(editor):
    editor.open("half.py", HEAD + WRONG + "\n\ndef other(:\n")
    await editor.see("half.py", lambda items: any("nothing here is tested until" in one.message for one in items))
    await editor.run("dplint.testAll")
    await until(lambda: editor.shown, lambda texts: "half.py is not tested: the file does not parse." in texts)


async def test_mechanisms_are_symbols_with_their_state(editor):
    uri = editor.open("symbols.py", HEAD + WRONG + "\n\nclass Other:\n    pass\n" + RIGHT.replace("histogram", "right"))
    asked = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(uri))
    wrong, right = await editor.client.text_document_document_symbol_async(asked)
    lines = editor.texts["symbols.py"].split("\n")
    for symbol, name in ((wrong, "histogram"), (right, "right")):
        assert symbol.name == name
        assert lines[symbol.range.start.line].startswith("@dp")
        assert lines[symbol.selection_range.start.line].startswith(f"def {name}")
        assert "return" in lines[symbol.range.end.line]
        assert symbol.range.end.character == len(lines[symbol.range.end.line])
    assert [wrong.detail, right.detail] == await states(editor, uri)


async def states(editor, uri):
    return [one["state"] for one in await editor.run("dplint.mechanisms", uri)]


async def test_all_safe_fixes_at_once(editor):
    inverted = WRONG.replace("0.1 / epsilon", "epsilon")
    editor.open("all.py", HEAD + inverted + inverted.replace("histogram", "second"))
    await editor.see_title("all.py", "claims")

    (action,) = await editor.actions("all.py", only=["source.fixAll"])
    assert action.kind == "source.fixAll.dplint"
    editor.apply("all.py", action)
    assert editor.texts["all.py"].count("scale=1 / epsilon") == 2
    assert not await editor.actions("all.py", only=["source.fixAll"])


async def test_keys_and_values_of_a_claim_are_offered_and_explained(editor):
    uri = editor.open("claim.py", HEAD + "\n@dp(epsilon=1.0, \ndef f(rng, counts):\n    return counts\n")
    place = {"text_document": lsp.TextDocumentIdentifier(uri), "position": lsp.Position(3, 17)}

    items = await editor.client.text_document_completion_async(lsp.CompletionParams(**place))
    assert "neighbors=" in [one.label for one in items]
    help_ = await editor.client.text_document_signature_help_async(lsp.SignatureHelpParams(**place))
    assert help_.signatures[0].label.startswith("dp(epsilon=None, ")
    assert (await editor.hover("claim.py", "epsilon=")).startswith("`epsilon`: A number, or an expression")
