"""The certificate at the lines of the draws: by how much each one moves, when, and what that costs at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import z3

from dplint.amounts import Polynomial
from dplint.claims import Mechanism, Span
from dplint.outcomes import Decision, Linear, Shift, ShiftCase
from dplint.program.nodes import Compare, Draw, Program
from dplint.program.printing import Writer, printed, text_of
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import walk
from dplint.proofs.alignment import LoopCertificate, Move
from dplint.proofs.checker.costs import ONE, Ratio, ratio_of
from dplint.proofs.checker.inputs import claimed
from dplint.proofs.checker.values import NotProved
from dplint.proofs.proposer.forms import NoProposal
from dplint.proofs.proposer.loops import LoopProposal, Turn
from dplint.proofs.proposer.walking import Asked
from dplint.sites import DrawSite

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
