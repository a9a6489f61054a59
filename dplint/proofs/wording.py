"""Certificates of the checker as those of reports: what moves where, in a sentence.

Where a proof fails: neighbours and arguments that an audit may try first.

The certificate at the lines of the draws: by how much each one moves, when, and what that costs at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from dplint.amounts import Polynomial
from dplint.claims import Claim, Literal, Mechanism, Span
from dplint.definitions import promise_words
from dplint.outcomes import Certificate, Decision, Linear, Proved, Shift, ShiftCase
from dplint.program.nodes import Compare, Draw, Program
from dplint.program.printing import Writer, printed, text_of
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import walk
from dplint.proofs.alignment import (
    ANY,
    BoundedCertificate,
    GaussianCertificate,
    LoopCertificate,
    Move,
)
from dplint.proofs.checker.costs import ONE, Ratio, ratio_of
from dplint.proofs.checker.inputs import RANGE, claimed
from dplint.proofs.checker.values import Entries, Items, NotProved, Table, is_term
from dplint.proofs.proposer.forms import Key, NoProposal
from dplint.proofs.proposer.loops import LoopProposal, Turn
from dplint.proofs.proposer.walking import Asked, at_sample, numbers_of
from dplint.sites import DrawSite, lines_words

METHOD = "randomness alignment"
CHECKED_BY = (
    "dplint's checker with z3: the run on D2 gives the same on every path, and the shifts cost the claim at most"
)
GAUSSIAN = "Gaussian mechanism"
GAUSSIAN_SQUARES = "epsilon^2 / (2 ln(1.25 / delta))"
CURVE_BY = "dplint's checker with z3, and the exact curve of Balle and Wang (2018, theorem 8) in interval arithmetic"
GAUSSIAN_BY = "dplint's checker with z3, by theorem A.1 of Dwork and Roth (2014)"
NORMAL_BY = (
    "dplint's checker with z3, by what Gaussian noise that moves so far keeps (Dong, Roth and Su 2022, theorem 1; of "
    "discrete noise Canonne, Kamath and Steinke 2020, theorem 4)"
)
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
    same = f"on {data} no noise has to move: neighbours give the same there"
    words = f"on {counted} {noise} moves by {moves}" if moves else same
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


def promised(proof: Proved, claim: Claim, inner: Claim) -> Proved:
    """The proof of a claim from which one by another definition follows, as a proof of that one."""
    assert claim.promise is not None
    words, said, checked_by = promise_words(claim.promise), proof.certificate.words, proof.certificate.checked_by
    if inner.promise is None or inner.promise.kind == RANGE:
        kept = inner.epsilon if isinstance(inner.epsilon, str) else f"{inner.epsilon:.6g}"
        shown = f"epsilon = {kept} with no delta is" if inner.promise is None else f"losses in a range of {kept} are"
        said = f"{shown} shown, from which {words} follows: {said}"
    else:
        limit = "mu^2" if inner.promise.kind == "mu" else "2 * rho"
        followed = "" if inner.promise == claim.promise else f", with {promise_words(inner.promise)}"
        said, checked_by = said.replace(GAUSSIAN_SQUARES, limit) + followed, (NORMAL_BY,)
    cost = proof.certificate.cost if inner.promise is None else "0"  # which would be shares of an epsilon
    certificate = replace(proof.certificate, words=said, checked_by=checked_by, cost=cost)
    return replace(
        proof,
        scope=replace(proof.scope, promised=words),
        certificate=certificate,
        epsilon_upper=claim.epsilon,
    )


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


def outcomes_certificate(*, of_records: bool) -> Certificate:
    """Nothing moves: the checker alone has worked out how likely all outcomes are. of_records: of each by itself."""
    words = "no outcome is more than e^epsilon times likelier for a value than for any of its neighbours"
    if of_records:
        words = "each record is worked on by itself, and of one record no outcome is more than e^epsilon times likelier"
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


@dataclass(frozen=True, slots=True)
class Hint:
    """Neighbours and arguments, as numbers that a program can be called with."""

    first: Literal
    second: Literal
    arguments: Mapping[str, Literal]


def plain(value: Any, numbers: Mapping[Key, Fraction] | None = None) -> Literal:
    """A value of the checker on a sample as Python's own. numbers: of the variables in it."""
    if isinstance(value, list | tuple):
        return [plain(one, numbers) for one in value]
    if isinstance(value, Items):
        return plain(value.items, numbers)
    if isinstance(value, Entries):
        return {key: plain(one, numbers) for key, one in zip(value.keys, value.values, strict=True)}
    if isinstance(value, Table):
        return {name: plain(column, numbers) for name, column in value.columns}
    if is_term(value):
        value = Fraction(at_sample(numbers_of(numbers or {}), value))
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    found: Literal = value
    return found


def output_words(output: Any) -> str:
    """What a run of the proposer gives, with "..." for what is noisy: "D1 gives [True, ...]"."""
    kind, value = output if isinstance(output, tuple) and len(output) == 2 else ("value", output)
    return f"D1 gives {_shown(value)}" if kind == "value" else f"D1 ends with {kind}"


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        inside = ", ".join(map(_shown, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_shown(one)}" for key, one in value.items()) + "}"
    if hasattr(value, "at"):
        return "..." if value.constant is None else str(value.constant)
    return repr(value) if value is None or isinstance(value, bool | int | float | str) else "..."


_D = "D2[i] - D1[i]"


class _NoWords(Exception):
    """A shift that has no short expression."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a draw moves where these conditions come out so."""

    asked: tuple[Asked, ...]
    by: Linear


Ways: TypeAlias = dict[DrawSite, list[_Way]]


def loop_shifts(proposal: LoopProposal, certificate: LoopCertificate) -> tuple[Shift, ...]:
    """The shifts of a certificate for every length, draw by draw; empty where one of them has no short expression."""
    if certificate.downward is not None:
        return ()
    moves = {("turn", group.path): group.moves for group in certificate.turns}
    moves |= {("exit", group.path): group.moves for group in certificate.after}
    before: Ways = {}
    turns: Ways = {}
    after: Ways = {}
    try:
        for turn in proposal.turns:
            if turn.stage == "enter":
                ended = not turn.runs.draws  # by `if k < 1: raise ...`, before anything was drawn
                _collect(before, before, turn, 0, () if ended else certificate.before, certificate)
            elif (turn.stage, turn.runs.decisions) in moves:
                own = moves[turn.stage, turn.runs.decisions]
                _collect(turns, after, turn, turn.first.before, own, certificate)
        known = [(before, False), (turns, True), (after, False)]
        return tuple(
            _shift(proposal.program, proposal.mechanism, site, ways, every_turn)
            for table, every_turn in known
            for site, ways in table.items()
        )
    except (
        _NoWords,
        NotProved,
        NoProposal,
        UnsupportedConstruct,
        z3.Z3Exception,
        KeyError,
        ValueError,
        ArithmeticError,
    ):
        # The proof stands without them: its sentence tells the same.
        return ()


def _collect(
    inside: Ways, outside: Ways, turn: Turn, first: int, moves: Sequence[Move], certificate: LoopCertificate
) -> None:
    """Adds the draws of a path to those inside and outside of the loop; a `break` leads from one to the other."""
    for drawn, move in zip(turn.runs.draws[first:], moves, strict=True):
        if len(drawn.site.turns) > 1:
            raise _NoWords
        table = inside if drawn.site.turns else outside
        site = replace(drawn.site, turns=())
        way = _Way(tuple(turn.first.walked.asked), _linear(move, turn, first, certificate))
        if way not in table.setdefault(site, []):
            table[site].append(way)


def _linear(move: Move, turn: Turn, first: int, certificate: LoopCertificate) -> Linear:
    """A move by what the present number of the data moves."""
    constant, coefficient = move.constant, Fraction(0)
    kept = dict(certificate.differences)
    for number, factor in move.offsets:
        for (kind, name), value in turn.runs.offsets[first + number].factors.items():
            difference = kept.get(name)
            if kind == "e":
                coefficient += factor * value
            elif kind == "D" and difference is not None:
                constant += factor * value * difference
            else:
                raise _NoWords
    return Linear(str(constant), ((_D, str(coefficient)),) if coefficient else ())


def _shift(program: Program, mechanism: Mechanism, site: DrawSite, ways: Sequence[_Way], every_turn: bool) -> Shift:
    node = next(one for one in walk(program) if isinstance(one, Draw) and one.span == site.span)
    scale = printed(dict(node.parameters)["scale"])
    most = max(
        abs(Fraction(way.by.constant)) + sum(abs(Fraction(c)) for _, c in way.by.terms) * _fraction(mechanism)
        for way in ways
    )
    return Shift(
        site=site,
        distribution=node.distribution,
        scale=scale,
        cases=tuple(_cases(program, list(ways), 0)),
        cost=_cost(mechanism, scale, most),
        every_turn=every_turn,
    )


def _fraction(mechanism: Mechanism) -> Fraction:
    return Fraction(repr(float(mechanism.claim.sensitivity)))


def _cases(program: Program, ways: list[_Way], place: int, taken: tuple[Decision, ...] = ()) -> list[ShiftCase]:
    """One case for each way to move, by the conditions that tell them apart."""
    if all(way.by == ways[0].by for way in ways):
        return [ShiftCase(ways[0].by, taken)]
    if any(len(way.asked) <= place for way in ways) or len({way.asked[place].span for way in ways}) > 1:
        raise _NoWords
    found: list[ShiftCase] = []
    for holds in (True, False):
        some = [way for way in ways if way.asked[place].holds is holds]
        alone = len(some) == len(ways)
        span = ways[0].asked[place].span
        new = taken if alone else (*taken, Decision(span, _condition(program, span), holds))
        found += _cases(program, some, place + 1, new) if some else []
    return found


def _condition(program: Program, span: Span) -> str:
    for node in walk(program):
        if isinstance(node, Compare) and node.span == span:
            return text_of(Writer(program.rng).expression(node))
    raise _NoWords


def _cost(mechanism: Mechanism, scale: str, most: Fraction) -> str:
    """What one such draw costs at most, in shares of epsilon."""
    data = str(mechanism.data)
    names = {one.name: z3.Real(one.name) for one in mechanism.parameters if one.name not in (data, mechanism.rng)}
    try:
        width = ratio_of(claimed(scale, names, data, None)) * ratio_of(
            claimed(mechanism.claim.epsilon, names, data, None)
        )
    except SyntaxError:
        raise _NoWords from None
    return _ratio_words(ONE.times(most) * width.inverse())


def _ratio_words(ratio: Ratio) -> str:
    """For instance "1/2" or "1 / (2 * N)"."""
    known, top_of, bottom_of = ratio.value.value, ratio.value.top, ratio.value.bottom
    if known is not None:
        return str(known)
    if len(top_of) == 1:
        ((names, factor),) = top_of.items()
        top = _polynomial_words({names: Fraction(factor.numerator)})
        bottom = _polynomial_words({key: value * factor.denominator for key, value in bottom_of.items()})
        return f"{top} / {bottom if bottom.isidentifier() else f'({bottom})'}"
    return f"({_polynomial_words(top_of)}) / ({_polynomial_words(bottom_of)})"


def _polynomial_words(polynomial: Polynomial) -> str:
    parts = []
    for names, factor in polynomial.items():
        shown = [str(factor)] if factor != 1 or not names else []
        parts.append(" * ".join([*shown, *(name for name, power in names for _ in range(power))]))
    return " + ".join(parts)
