"""Lines of what is known from an earlier check, where they are now."""

from __future__ import annotations

from dataclasses import replace

from dplint.check.cells import moved
from dplint.claims import Span
from dplint.outcomes import BranchCover, Taken
from dplint.sites import DrawSite
from tests.report.evidence_samples import SVT_PROOF

LINES = {5: 9, 6: 12, 7: 13}


def test_spans_of_the_own_file_and_of_no_other():
    site = DrawSite(Span(5, 3, 6, 9), (Span(7, 1, 7, 4), Span(5, 1, 5, 2, "helpers.py")))

    assert moved(site, LINES) == replace(site, span=Span(9, 3, 12, 9), calls=(Span(13, 1, 13, 4), site.calls[1]))


def test_lines_that_are_numbers_and_those_in_sentences():
    scope = replace(SVT_PROOF.scope, never_run=(5, 8, 7))
    notes = ("lines 5, 6 and 8 of it at line 7", "line 5 of helpers.py", 'File "m.py", line 5, in f')
    proof = replace(SVT_PROOF, scope=scope, effort=replace(SVT_PROOF.effort, notes=notes))

    there = moved(proof, LINES)

    assert there.scope.never_run == (9, 8, 13)
    assert there.effort.notes == ("lines 5, 6 and 8 of it at line 13", *notes[1:])
    assert moved(proof, {}) == proof


def test_branches_of_the_own_file():
    here = BranchCover(line=5, file="", taken=Taken.BOTH, told_apart=False, impossible=())

    assert moved((here, replace(here, file="helpers.py")), LINES) == (
        replace(here, line=9),
        replace(here, file="helpers.py"),
    )
