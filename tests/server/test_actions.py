"""Code actions: what they do to the text, and that it helps."""

import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.patience import patience
from tests.server.conftest import HEAD, RIGHT, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]


def titled(found, part):
    (action,) = [action for action in found if part in action.title]
    return action


async def test_a_misspelt_parameter_is_mended(editor):
    editor.open("mend.py", HEAD + WRONG.replace('"epsilon"', '"epsilom"', 1))
    (item,) = await editor.codes("mend.py", "DP007")

    action = titled(await editor.actions("mend.py", item), "epsilon")
    assert action.kind == lsp.CodeActionKind.QuickFix
    editor.apply("mend.py", action)
    assert editor.texts["mend.py"] == HEAD + WRONG
    await editor.see("mend.py", lambda items: "DP007" not in {one.code for one in items})


async def test_the_fix_of_a_rule_mends_the_mechanism(editor):
    editor.open("scale.py", HEAD + WRONG.replace("0.1 / epsilon", "epsilon"))
    await editor.codes("scale.py", "DP901")
    (item,) = [one for one in await editor.everything("scale.py") if one.code == "DP101"]
    assert item.code_description.href.endswith("DP101.md")
    (verdict,) = await editor.codes("scale.py", "DP901")
    assert any(one.message.startswith("DP101: ") for one in verdict.related_information)

    fixes = [one for one in await editor.actions("scale.py", item) if getattr(one, "is_preferred", False)]
    editor.apply("scale.py", titled(fixes, ""))
    assert editor.texts["scale.py"] == HEAD + RIGHT
    editor.save("scale.py")
    await editor.see_title("scale.py", "nothing found")
    assert not await editor.everything("scale.py")


@pytest.mark.parametrize("where", ["here", "in this function"])
async def test_a_verdict_is_silenced(editor, where):
    name = f"ignore_{where[:2]}.py"
    editor.open(name, HEAD + WRONG)
    (item,) = await editor.codes(name, "DP901")

    editor.apply(name, titled(await editor.actions(name, item), f"Ignore DP901 {where}"))
    assert "# dplint: ignore[DP901]" in editor.texts[name]
    await editor.codes(name)


async def test_what_could_not_be_checked_cannot_be_silenced(editor):
    editor.open("crash.py", HEAD + "\n@dp(epsilon=1.0)\ndef crash(counts):\n    import os\n    os._exit(3)\n")
    (item,) = await editor.codes("crash.py", "DP905")

    assert not [action for action in await editor.actions("crash.py", item) if "Ignore" in action.title]


async def test_a_counterexample_becomes_a_test_that_fails_until_it_is_mended(editor):
    editor.open("leaky.py", HEAD + WRONG)
    (item,) = await editor.codes("leaky.py", "DP901")

    action = titled(await editor.actions("leaky.py", item), "Write the counterexample to tests/")
    create, write = action.edit.document_changes
    path = editor.folder / "tests" / create.uri.rpartition("/")[2]
    assert create.uri == write.text_document.uri == path.as_uri()
    path.parent.mkdir(exist_ok=True)
    path.write_text(write.edits[0].new_text)
    assert pytest_in(editor.folder, path) == 1
    (editor.folder / "leaky.py").write_text(HEAD + RIGHT)
    assert pytest_in(editor.folder, path) == 0
    # A file that is there is not written again.
    assert not [one for one in await editor.actions("leaky.py", item) if "Write" in one.title]


def to_path(uri):
    return Path(uri.removeprefix("file://"))


def pytest_in(folder, path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    return subprocess.run(command, check=False, cwd=folder, capture_output=True, timeout=patience(300)).returncode


async def test_a_counterexample_is_shown_as_a_test(editor):
    editor.open("shown.py", HEAD + WRONG)
    (item,) = await editor.codes("shown.py", "DP901")

    assert titled(await editor.actions("shown.py", item), "Show the counterexample as a pytest test")
    answer = await editor.run("dplint.copyTest", editor.uri("shown.py"), "histogram")
    assert "def test_" in answer["text"]
    (opened,) = [one for one in editor.client.shown_documents if one.uri.endswith(answer["fileName"])]
    assert to_path(opened.uri).read_text() == answer["text"]


async def test_a_claim_is_added_to_a_function_that_draws_noise(editor):
    function = "def release(rng, counts, epsilon):\n    return [c + rng.laplace(scale=1 / epsilon) for c in counts]\n"
    editor.open("claimless.py", f'"""A module."""\n\nimport numpy as np\n\n\n{function}')

    action = titled(await editor.actions("claimless.py", line=5), "Add a claim to release")
    editor.apply("claimless.py", action)
    assert editor.texts["claimless.py"].split("\n")[:6] == [
        '"""A module."""',
        "",
        "import numpy as np",
        "from dplint import dp",
        "",
        "",
    ]
    assert '@dp(epsilon="epsilon", neighbors="l1")\ndef release' in editor.texts["claimless.py"]
    await editor.see_title("claimless.py", "claims ε = epsilon")
    found = await editor.actions("claimless.py", line=7)
    assert not [one for one in found if "claim" in one.title]


async def test_no_claim_is_offered_where_noise_meets_no_data(editor):
    editor.open("noise.py", "import numpy as np\n\n\ndef main():\n    print(3 + np.random.laplace())\n")

    assert not await editor.actions("noise.py", line=3)


async def test_no_claim_is_offered_where_noise_is_no_protection_of_anything(editor):
    """Random weights and jitter meet data as noise does, but nothing there is called an epsilon."""
    weights = "def train(x, y):\n    w = np.random.normal(size=2)\n    return w - x.T @ (x @ w - y)\n"
    jitter = "def jittered(values):\n    return [v + np.random.normal(0, 0.01) for v in values]\n"
    editor.open("models.py", f"import numpy as np\n\n\n{weights}\n\n{jitter}")

    for line in (3, 8):
        assert not await editor.actions("models.py", line=line)


async def test_only_the_kinds_that_are_asked_for(editor):
    editor.open("kinds.py", HEAD + WRONG.replace('"epsilon"', '"epsilom"', 1))
    (item,) = await editor.codes("kinds.py", "DP007")

    assert await editor.actions("kinds.py", item, only=["quickfix"])
    assert not await editor.actions("kinds.py", item, only=["source.organizeImports"])


async def test_a_finding_that_explains_a_violation_is_one_problem_with_it(editor):
    editor.open("one_thing.py", HEAD + WRONG.replace("0.1 / epsilon", "epsilon"))
    await editor.codes("one_thing.py", "DP901")

    found = {item.code: item for item in await editor.everything("one_thing.py")}
    verdict, finding = found["DP901"], found["DP101"]
    assert (verdict.severity, finding.severity) == (lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Hint)
    assert f"; line {finding.range.start.line + 1}: the scale of this laplace noise" in verdict.message
    assert verdict.related_information[0].location.range == finding.range
    assert finding.message.endswith("explains why histogram breaks its claim")

    # Mended from either end, and without the violation the finding counts again.
    for item in (verdict, finding):
        (mend,) = [one for one in await editor.actions("one_thing.py", item) if getattr(one, "is_preferred", None)]
        assert mend.title == "Divide the sensitivity by epsilon"
    editor.type("one_thing.py", "[c +", "[1 + c +")
    await editor.see("one_thing.py", lambda items: any(item.code == "DP901" and item.severity == 3 for item in items))
    (again,) = [item for item in await editor.everything("one_thing.py") if item.code == "DP101"]
    assert again.severity == lsp.DiagnosticSeverity.Error


LEAK = (
    HEAD
    + """
def blurred(values):
    return sum(values)


@dp(epsilon=1.0, neighbors="l1")
def leak(counts, rng):
    total = blurred(counts)
    print(total)
    return total + rng.laplace(scale=1.0)
"""
)


async def test_a_value_is_called_public_or_a_helper_noise(editor):
    """The comment goes where the value gets its name, and the finding is gone; the name goes into pyproject.toml."""
    editor.open("leak.py", LEAK)
    items = await until(lambda: editor.everything("leak.py"), lambda items: "DP209" in {one.code for one in items})
    item = next(one for one in items if one.code == "DP209")
    assert [one.message for one in item.related_information][:3:2] == ["the data", "`total`"]
    found = await editor.actions("leak.py", item)

    noise = titled(found, "`leak.blurred` adds noise")
    ((address, (edit,)),) = noise.edit.changes.items()
    assert address.endswith("/pyproject.toml")
    assert edit.new_text == 'known-noise = ["leak.blurred"]\n'

    editor.apply("leak.py", titled(found, "`total` is public"))
    assert "    total = blurred(counts)  # dplint: public\n" in editor.texts["leak.py"]
    await until(lambda: editor.everything("leak.py"), lambda items: "DP209" not in {one.code for one in items})


SCORED = (
    HEAD
    + """
import numpy as np


def squeezed(values, low, high):
    return [low if value < low else high if value > high else value for value in values]


@dp(epsilon=1.0, neighbors="linf")
def best(scores, rng):
    kept = squeezed(scores, -2.5, 10)
    weights = np.exp(np.asarray(kept) / 2)
    return int(rng.choice(len(scores), p=weights / weights.sum()))
"""
)


async def test_a_value_is_called_clipped(editor):
    """With the numbers of its own line, where rules miss a bound; and the finding is gone."""
    editor.open("best.py", SCORED)
    items = await until(lambda: editor.everything("best.py"), lambda items: "DP210" in {one.code for one in items})
    item = next(one for one in items if one.code == "DP210")
    found = await editor.actions("best.py", item)
    assert not [one for one in found if "is public" in one.title]

    editor.apply("best.py", titled(found, "`kept` is clipped to [-2.5, 10]"))
    assert "    kept = squeezed(scores, -2.5, 10)  # dplint: clips [-2.5, 10]\n" in editor.texts["best.py"]
    await until(lambda: editor.everything("best.py"), lambda items: "DP210" not in {one.code for one in items})
