"""Hints at draws by what is known: nothing reassures where the claim is broken, and proofs are told where they hold."""

from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check.buffers import BufferReader
from dplint.config import Settings
from dplint.outcomes import Effort, NotRefuted, OutputPair
from dplint.server.configuration import EditorSettings, FileSettings
from dplint.server.documents import Document, Text
from dplint.server.lenses import hints
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
