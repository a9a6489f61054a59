"""Hints at draws by what is known: nothing reassures where the claim is broken, and proofs are told where they hold."""

from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check.assigned import Moved, assigned_lines
from dplint.check.buffers import BufferReader
from dplint.claims import Metric, Stability
from dplint.config import Settings
from dplint.outcomes import Effort, NotRefuted, OutputPair, Range, Scope, Sizes
from dplint.server.configuration import EditorSettings, FileSettings
from dplint.server.documents import Document, Text
from dplint.server.lenses import hints, visible_findings
from dplint.sites import DrawSite
from tests.report.evidence_samples import NOTHING_FOUND, SVT_PROOF
from tests.report.report_samples import anytime_violation

TEXT = """from dplint import dp


@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon):
    threshold = rng.laplace(scale=2 / epsilon)
    return [q + rng.laplace(scale=4 / epsilon) >= threshold for q in queries]
"""
PATH = Path("/project/above.py")


def document(text=TEXT):
    settings = Settings()
    found = Document(PATH.as_uri(), PATH, Text(text), 1, FileSettings(EditorSettings(), settings, None, None))
    found.take(BufferReader().read(PATH, text, settings), found.text, 1, found.revision)
    return found


def proof(at, moved=0):
    """The proof of a sample, with its shifts at the draws of another text, or some lines below."""
    spans = [replace(one.span, line=one.span.line + moved, end_line=one.span.end_line + moved) for one in at]
    shifts = tuple(
        replace(shift, site=DrawSite(span)) for shift, span in zip(SVT_PROOF.certificate.shifts, spans, strict=False)
    )
    assert len(shifts) == 2
    return replace(SVT_PROOF, certificate=replace(SVT_PROOF.certificate, shifts=shifts))


@pytest.mark.parametrize(
    ("known", "labels"),
    [
        (lambda _: None, ["ε/2", "ε/4"]),
        (lambda _: NOTHING_FOUND.outcome, ["ε/2", "ε/4"]),
        (lambda _: anytime_violation(), ["ε/2?", "ε/4?"]),
        (proof, ["ε/2 ✓", "ε/4 ✓"]),
        (lambda shares: proof(shares, moved=1), ["ε/2", "ε/4"]),
    ],
    ids=["nothing", "nothing-found", "violated", "proved", "proved-elsewhere"],
)
def test_hints_follow_the_verdict(known, labels):
    shown = document()
    (view,) = shown.views
    shown.states["above"].outcome = known(view.shares)

    found = hints(shown, 1, 99)
    assert [one.label for one in found] == labels
    for one in found:
        assert one.tooltip.startswith("Proof: the noise of line") == ("✓" in one.label)
        assert one.tooltip.startswith("The claim is broken") == ("?" in one.label)


STEP = """from dplint import stable


@stable(d_out=10, neighbors="add-remove", domain=(0.0, 10.0))
def total(
    rows,
):
    return sum(rows)
"""


def test_how_far_a_record_moves_a_function_without_noise_stands_behind_its_head():
    shown = document(STEP)
    assert hints(shown, 1, 99) == []
    pair = OutputPair(d1=[], d2=[10.0], arguments=(), output1="0", output2="10.0", distance=10.0)
    (view,) = shown.views
    effort, stability = Effort(method="pairs", pairs=3), view.mechanism.claim.stable
    shown.states["total"].outcome = NotRefuted(furthest=pair, stability=stability, d_out=10.0, effort=effort)
    (hint,) = hints(shown, 1, 99)
    assert (hint.label, hint.position.line, hint.position.character) == ("Δ ≥ 10", 4, len("def total("))
    assert "not ruled out" in hint.tooltip
    assert hints(shown, 6, 99) == []


PIPELINE = """from dplint import dp


@dp(epsilon=1, neighbors="add-remove", domain=(0.0, 10.0))
def noisy_total(rows, rng):
    held = [min(row, 5.0) for row in rows]
    total = sum(held)  # at most 5 each
    return total + rng.laplace(scale=5)
"""
EVERY = Scope(
    relation="add-remove",
    neighbors="add-remove",
    sensitivity=1.0,
    sizes=Sizes(smallest=0, largest=None),
    arguments=(),
    epsilon=Range(low=1.0, high=1.0),
)


@pytest.mark.parametrize(
    ("distance", "within", "label"), [(5.0, EVERY, "Δ = 5"), (5.0, None, "Δ ≥ 5"), (0.0, None, None)]
)
def test_how_far_neighbours_move_what_a_line_assigns_stands_behind_it(distance, within, label):
    shown = document(PIPELINE)
    (view,), state = shown.views, shown.states["noisy_total"]
    _, total, _ = assigned_lines(PIPELINE, view.mechanism)
    pair = OutputPair(d1=[], d2=[10.0], arguments=(), output1="0", output2="5.0", distance=distance)
    found = NotRefuted(
        furthest=pair if distance else None,
        stability=Stability(1.0, None, Metric.ABSOLUTE),
        d_out=None,
        effort=Effort(method="pairs", pairs=3),
        within=within,
    )
    state.lines, state.moved, state.lined_at = [], [Moved(total, found)], view.mechanism.span.line
    moved = [one for one in hints(shown, 1, 99) if one.label.startswith("Δ")]
    assert [one.label for one in moved] == ([] if label is None else [label])
    for one in moved:
        assert (one.position.line, one.position.character) == (6, len("    total = sum(held)"))
        assert ("not ruled out" in one.tooltip) == (within is None)
        assert ("Proved" in one.tooltip) == (within is not None)
    # The function stands further down, and its lines with it.
    lower = document(f"\n\n{PIPELINE}")
    lower.states["noisy_total"] = state
    assert [one.position.line for one in hints(lower, 1, 99) if one.label.startswith("Δ")] == [8] * len(moved)


@pytest.mark.parametrize(
    ("distance", "label", "words"),
    [
        (5.0, "ε = 1", "by Δ ≥ 5, and all of ε pays for 5."),
        (15.0, "ε = 1 ⚠ Δ ≥ 15", "by Δ ≥ 15, and all of ε pays for 5."),
    ],
)
def test_a_draw_is_held_against_what_it_is_added_to(distance, label, words):
    claim = 'neighbors="add-remove"'
    shown = document(PIPELINE.replace(claim, f"{claim}, sensitivity=5"))
    (view,), state = shown.views, shown.states["noisy_total"]
    *_, added = assigned_lines(shown.text.text, view.mechanism)
    assert added.name == "total"
    pair = OutputPair(d1=[], d2=[10.0], arguments=(), output1="0", output2="5.0", distance=distance)
    stability, effort = Stability(1.0, None, Metric.ABSOLUTE), Effort(method="pairs", pairs=3)
    found = NotRefuted(furthest=pair, stability=stability, d_out=None, effort=effort)
    state.lines, state.moved, state.lined_at = [], [Moved(added, found)], view.mechanism.span.line
    (hint,) = hints(shown, 1, 99)
    assert hint.label == label
    assert words in hint.tooltip
    short = [one.message for one in visible_findings(shown) if one.code == "DP914"]
    assert short == (
        []
        if distance == 5.0
        else [
            "neighbours move what this noise is added to by 15, and at this scale all of epsilon pays for 5",
        ]
    )
    # Beside a proof it is not said: the claim holds, however far this value is moved.
    state.outcome = SVT_PROOF
    assert not [one for one in visible_findings(shown) if one.code == "DP914"]


def test_a_violation_of_an_earlier_text_does_not_reassure_either_and_a_proof_of_one_says_nothing():
    shown = document()
    (view,) = shown.views
    shown.states["above"].older = anytime_violation()
    assert [one.label for one in hints(shown, 1, 99)] == ["ε/2?", "ε/4?"]
    shown.states["above"].older = proof(view.shares)
    assert [one.label for one in hints(shown, 1, 99)] == ["ε/2", "ε/4"]


def test_what_was_broken_before_a_change_is_not_said_to_be_broken_now():
    shown = document()
    shown.states["above"].older = anytime_violation()
    for one in hints(shown, 1, 99):
        assert one.label.endswith("?")
        assert one.tooltip.startswith("The claim was broken before your last change, so this draw may cost more")
