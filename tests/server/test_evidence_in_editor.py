"""Exact evidence and proofs in an editor. A cache made by hand holds them, so that the server runs nothing."""

from dataclasses import replace

import pytest
from lsprotocol import types as lsp

from dplint.check.continuing import finish, resume
from dplint.check.loading import Target, audit_settings, load_targets
from dplint.check.mechanism_keys import MechanismKeys
from dplint.config import load_settings
from dplint.jobs import AuditJob
from dplint.outcomes import Sizes, StopReason
from dplint.workers.messages import Done
from tests.report import evidence_samples as samples
from tests.server.conftest import HEAD, RIGHT, until

pytestmark = [pytest.mark.asyncio, pytest.mark.process]
NAME = "known.py"
TEXT = HEAD + RIGHT
OWN = pytest.mark.editor_with(options={"status": True, "panel": True})


def know(editor, outcome):
    """Write the outcome into the cache, as if an earlier check had come to it, and open the file."""
    path = editor.folder / NAME
    path.write_text(TEXT)
    settings = load_settings(editor.folder, {"profile": "editor"})
    (target,) = [one for one in load_targets([path], settings) if isinstance(one, Target)]
    job = AuditJob(
        mechanism=target.mechanism, program=target.program, settings=audit_settings(settings, target.mechanism)
    )
    finish(resume(job, MechanismKeys()), Done(outcome, {}))
    editor.open(NAME, TEXT)
    return [editor.uri(NAME), "histogram"]


def statuses(editor):
    told = []
    editor.client.feature("dplint/status")(lambda params: told.append(params))  # noqa: PLW0108 - it is marked
    return told


@OWN
async def test_a_proof_is_told_above_the_function_and_in_the_hover(own_editor):
    told = statuses(own_editor)
    # Of a scope that the checker finds again for this function.
    scope = replace(samples.INDEX_PROOF.scope, relation="l1", neighbors="l1", sizes=Sizes(0, None))
    know(own_editor, replace(samples.INDEX_PROOF, scope=scope))

    titles = await own_editor.see_title(NAME, "proved")
    assert titles == ["claims ε = epsilon · ✓ proved for every length", "show proof", "test deeper"]
    hover = await own_editor.hover(NAME, "histogram(rng")
    assert "**`histogram` is proved for every length, any epsilon \\> 0" in hover
    assert "moves by" not in hover, "that is for the view of the proof"
    assert "how floats are rounded in the code is not modelled" in hover
    assert await own_editor.problems(NAME) == []
    last = (await until(lambda: told, lambda found: found and found[-1].proved == 1))[-1]
    assert (last.provedInPart, last.violations, last.noViolation) == (0, 0, 0)


@OWN
async def test_a_bounded_proof_bears_its_bound(own_editor):
    told = statuses(own_editor)
    # Of a scope that the checker finds again for this function.
    know(
        own_editor,
        replace(samples.INDEX_PROOF, scope=replace(samples.INDEX_PROOF.scope, relation="l1", neighbors="l1")),
    )

    titles = await own_editor.see_title(NAME, "proved")
    assert titles[0] == "claims ε = epsilon · ◐ proved up to n = 5"
    assert "**`histogram` is proved up to n = 5, any epsilon" in await own_editor.hover(NAME, "histogram(rng")
    last = (await until(lambda: told, lambda found: found and found[-1].provedInPart == 1))[-1]
    assert last.proved == 0


@OWN
async def test_an_exact_violation_is_a_problem_and_has_a_view(own_editor):
    where = know(own_editor, samples.LIMIT.outcome)

    (item,) = await own_editor.codes(NAME, "DP901")
    assert item.severity == lsp.DiagnosticSeverity.Error
    assert "the likelier on D1, without limit; 2.01 times as likely is allowed (exact)" in item.message
    title = "claims ε = epsilon · violated: no finite ε, where 0.7 is claimed"
    assert (await own_editor.titles(NAME))[:2] == [title, "show counterexample"]
    answer = await own_editor.run("dplint.showCounterexample", *where)
    view = answer["view"]
    assert (view["measure"], view["event"], view["limit"]["found"]) == ("density", "output == 1.0", "inf")
    assert [one["count"] for one in view["probabilities"]] == [None, None]
    assert view["bound"]["certain"] is True
    assert view["test"]["fileName"] == "test_histogram_privacy.py"


@OWN
async def test_a_violation_and_a_proof_are_shown_as_both(own_editor):
    where = know(own_editor, samples.CONFLICT.outcome)

    (item,) = await own_editor.codes(NAME, "DP907")
    assert "The same claim is proved for every length" in item.message
    assert "error of dplint" in item.message
    assert (await own_editor.titles(NAME))[0].endswith(" at 99.9%, where 0.7 is claimed, yet proved")
    hover = await own_editor.hover(NAME, "histogram(rng")
    assert "**DP907 `histogram` is not 0.7-private: at least 0.7004, yet proved**" in hover
    assert "The same claim is proved for every length" in hover
    proof = (await own_editor.run("dplint.showCounterexample", *where))["view"]["proof"]
    assert "The same claim is proved for every length" in proof["text"]


@OWN
async def test_exact_losses_stand_beside_what_was_tried(own_editor):
    outcome = samples.NOTHING_FOUND.outcome
    know(own_editor, replace(outcome, effort=replace(outcome.effort, stop=StopReason.NOTHING_LEFT)))

    titles = await own_editor.see_title(NAME, "nothing found")
    assert titles[0] == "claims ε = epsilon · nothing found in 2.1M runs (exact: 0.8473 of 1)"
    hover = await own_editor.hover(NAME, "histogram(rng")
    assert "largest loss on 2 pairs: 0.8473 of 1 claimed" in hover
    assert "![claimed: δ over ε](data:image/svg+xml;base64," in hover


async def test_an_editor_that_may_not_show_images_gets_none(own_editor):
    outcome = samples.NOTHING_FOUND.outcome
    know(own_editor, replace(outcome, effort=replace(outcome.effort, stop=StopReason.NOTHING_LEFT)))

    await own_editor.see_title(NAME, "nothing found")
    hover = await own_editor.hover(NAME, "histogram(rng")
    assert "largest loss on 2 pairs" in hover
    assert "data:image" not in hover
