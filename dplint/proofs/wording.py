"""Certificates of the checker as those of reports: what moves where, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dplint.outcomes import Certificate, Proved, Shift
from dplint.program.nodes import Draw, Program
from dplint.program.walk import walk
from dplint.proofs.alignment import (
    ANY,
    BoundedCertificate,
    GaussianCertificate,
    LoopCertificate,
    Move,
)
from dplint.sites import lines_words

METHOD = "randomness alignment"
CHECKED_BY = (
    "dplint's checker with z3: the run on D2 gives the same on every path, and the shifts cost the claim at most"
)
GAUSSIAN = "Gaussian mechanism"
GAUSSIAN_SQUARES = "epsilon^2 / (2 ln(1.25 / delta))"
CURVE_BY = "dplint's checker with z3, and the exact curve of Balle and Wang (2018, theorem 8) in interval arithmetic"
GAUSSIAN_BY = "dplint's checker with z3, by theorem A.1 of Dwork and Roth (2014)"
OUTCOMES = "exact probabilities"
OUTCOMES_BY = "dplint's checker, which tries all decisions of every coin on all pairs of neighbours"
CHOICES = "exponential mechanism"
CHOICES_BY = "dplint's checker with z3, which compares the weights of all items in both runs"
STABLE = "both runs, side by side"
STABLE_BY = "dplint's checker with z3, which compares both runs without noise"
_MOST_WORDS = 4


def bounded_certificate(program: Program, found: BoundedCertificate) -> Certificate:
    """Moves path by path are too many to be read: how many paths there are, and how noise moves."""
    groups = [group for _, _, one in found.groups for group in one]
    paths = len(groups)
    noise = f"the noise of {lines_words(node.span for node in walk(program) if isinstance(node, Draw))}"
    moves = _moves(move for group in groups for move in group.moves)
    shapes = [shape for shape, _, _ in found.groups]
    own = any(shape.edit.startswith("pair") for shape in shapes)
    data = "these pairs" if own else "data of any length" if shapes[-1].size == ANY else "the longest data"
    counted = "the only path" if paths == 1 else f"each of {paths:,} paths of {data}"
    words = f"on {counted} {noise} moves by {moves}" if moves else "no noise has to move: neighbours give the same"
    return Certificate(method=METHOD, words=words, shifts=(), cost="1", checked_by=(CHECKED_BY,))


def loop_certificate(found: LoopCertificate, shifts: tuple[Shift, ...] = ()) -> Certificate:
    """What moves in front of the loop, in a turn and after it, and what pays for it. shifts: the same, draw by draw."""
    parts = [
        ("in front of the loop", found.before),
        ("in a turn", [move for group in found.turns for move in group.moves]),
        ("after the loop", [move for group in found.after for move in group.moves]),
    ]
    moved = [f"{where} noise moves by {_moves(moves)}" for where, moves in parts if _moves(moves)]
    counters = " and ".join(dict.fromkeys(name for name, _, _ in found.potential.counters))
    paid = f"what `{counters}` counts" if counters else "what the data moves" if found.potential.used else "a constant"
    told = "" if shifts else f": {'; '.join(moved) or 'none'}"
    words = (
        f"one turn of the loop of {found.loop.words} keeps both runs alike, whatever came before, and {paid} "
        f"pays for the shifts{told}"
    )
    return Certificate(method=METHOD, words=words, shifts=shifts, cost="1", checked_by=(CHECKED_BY,))


def places_certificate() -> Certificate:
    """The noise of one place moves, and the proof is one for each place."""
    words = (
        "for each place that may be given, its noise moves by a constant and all other noise by 0; the number there "
        "stays ahead of those that it was ahead of"
    )
    return Certificate(method=METHOD, words=words, shifts=(), cost="1", checked_by=(CHECKED_BY,))


def gaussian_certificate(found: GaussianCertificate) -> Certificate:
    """All noise moves alike, whatever was drawn."""
    exact = found.mu is not None
    most = "those by which normal noise may move for this epsilon and delta" if exact else GAUSSIAN_SQUARES
    words = (
        "whatever is drawn, all noise moves by as much as the number that it is added to, the other way; the squares "
        f"of these moves, each over its sigma, add up to {most} at most"
    )
    checked_by = CURVE_BY if exact else GAUSSIAN_BY
    return Certificate(method=GAUSSIAN, words=words, shifts=(), cost="1", checked_by=(checked_by,))


def choices_certificate(_found: object = None) -> Certificate:
    """Nothing moves: the weights of both runs are compared."""
    words = (
        "no item is more than e^epsilon times likelier to be chosen: the logarithm of its weight, less that of any "
        "other, moves by epsilon at most, and what follows is the same"
    )
    return Certificate(method=CHOICES, words=words, shifts=(), cost="1", checked_by=(CHOICES_BY,))


def stable_certificate() -> Certificate:
    """There is no noise, and nothing to pay for."""
    words = (
        "what is made of each record that both neighbours have is the same, and what the outputs differ in, by the "
        "records that one has of its own, is no more than is claimed"
    )
    return Certificate(method=STABLE, words=words, shifts=(), cost="0", checked_by=(STABLE_BY,))


def outcomes_certificate() -> Certificate:
    """Nothing moves: the checker alone has worked out how likely all outcomes are."""
    words = "no outcome is more than e^epsilon times likelier for a value than for any of its neighbours"
    return Certificate(method=OUTCOMES, words=words, shifts=(), cost="1", checked_by=(OUTCOMES_BY,))


def on_promises(proof: Proved, functions: Sequence[str], others: Sequence[str] = ()) -> Proved:
    """A proof that rests on the claims of these functions of libraries, and takes other things for granted."""
    granted = (*proof.scope.assumptions, *others)
    proof = replace(proof, scope=replace(proof.scope, assumptions=granted))
    if not functions:
        return proof
    promised = tuple(f"{name} keeps its claim" for name in functions)
    words = f"what {' and '.join(functions)} give is the same in both runs, at the cost that is claimed of each call"
    beside = f"; {proof.certificate.words}" if "moves by" in proof.certificate.words else ""
    certificate = replace(proof.certificate, words=words + beside)
    taken = (*proof.scope.assumptions, *promised)
    return replace(proof, scope=replace(proof.scope, assumptions=taken), certificate=certificate)


def _moves(moves: Iterable[Move] | Sequence[Move]) -> str:
    """The moves that there are, such as "1 or 1 - d"."""
    found = list(dict.fromkeys(_move(move) for move in moves))
    if found in ([], ["0"]):
        return ""
    shown = found[:_MOST_WORDS] + ([f"{len(found) - _MOST_WORDS} others"] if len(found) > _MOST_WORDS else [])
    told = " (d: by how much the number grows to which it is added)" if any("d" in one for one in shown) else ""
    return (" or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]) + told


def _move(move: Move) -> str:
    text = "" if not move.constant and (move.offsets or move.rises) else str(move.constant)
    for _, factor in move.offsets:
        size = "" if abs(factor) == 1 else f"{abs(factor)} * "
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        text += f"{sign}{size}d"
    for _, factor in move.rises:
        size = "" if abs(factor) == 1 else f"{abs(factor)} * "
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        text += f"{sign}{size}max(d, 0)"
    return text
