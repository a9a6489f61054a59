"""Certificates of the checker as those of reports: what moves where, in words and as data."""

from __future__ import annotations

from dplint.claims import Span
from dplint.outcomes import Certificate
from dplint.program.nodes import Draw, Program
from dplint.program.walk import walk
from dplint.proofs.alignment import BoundedCertificate

METHOD = "randomness alignment"
CHECKED_BY = "dplint's checker with z3: along every path the outputs are equal, and the shifts cost the claim at most"


def bounded_certificate(program: Program, found: BoundedCertificate) -> Certificate:
    """Moves path by path are too many to be read: how many there are, and in which lines noise moves at all."""
    groups = [group for _, _, one in found.groups for group in one]
    paths = sum(len(group.paths) for group in groups)
    moved = any(move.constant or move.offsets for group in groups for move in group.moves)
    lines = sorted({span.line for span in _draws(program)})
    where = (
        f"the noise of {'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines))}" if lines else "no noise"
    )
    words = (
        f"on each of the {paths:,} paths of a run on {'data of the largest size' if found.groups else 'the data'}, "
        f"{where} moves by what the path needs"
        if moved
        else "no noise has to move, since neighbours give the same"
    )
    return Certificate(method=METHOD, words=words, shifts=(), cost="1", checked_by=(CHECKED_BY,))


def _draws(program: Program) -> list[Span]:
    return [node.span for node in walk(program) if isinstance(node, Draw)]
