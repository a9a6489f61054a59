"""Looks for a proof of a claim: the proposer proposes, the checker decides, and its counterexamples go back."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from dplint.claims import Mechanism, Span
from dplint.outcomes import Scope
from dplint.program.nodes import CallFunction, Draw, For, Program
from dplint.program.walk import walk
from dplint.proofs.alignment import (
    BoundedCertificate,
    GaussianCertificate,
    LoopCertificate,
    Moves,
    Shape,
)
from dplint.proofs.checker.bounded import BoundedCheck
from dplint.proofs.checker.choices import check_choices
from dplint.proofs.checker.coins import COINS
from dplint.proofs.checker.gaussian import Unbounded, check_gaussian
from dplint.proofs.checker.inputs import Given, directions
from dplint.proofs.checker.known import Refuted
from dplint.proofs.checker.loops import check_direction, check_loop
from dplint.proofs.checker.outcomes import Likelier, check_outcomes, spelled_out
from dplint.proofs.checker.places import check_places
from dplint.proofs.checker.stable import check_stable
from dplint.proofs.checker.values import NotProved
from dplint.proofs.counterexamples import sample_of
from dplint.proofs.failures import FAILURES, why
from dplint.proofs.hints import Hint, output_words, plain
from dplint.proofs.proposer.bounded import Memory, NoMoves, ShapeProposal
from dplint.proofs.proposer.forms import NoProposal
from dplint.proofs.proposer.gaussian import most_moved, shares
from dplint.proofs.proposer.loops import LoopProposal
from dplint.proofs.proposer.samples import argument_samples
from dplint.sites import lines_words

_TURNS = 24
_TIMES = (Fraction(1), Fraction(2))
"""How many times an item's own move the draw at the place of an extreme moves."""
Pause: TypeAlias = Callable[[], None]
"""Called now and then; may raise to end the search."""


@dataclass(frozen=True, slots=True)
class NoProof:
    """Why there is none.

    hint: neighbours and arguments on which the proof fails. refuted: whether the checker knew data and arguments
    against the last that was proposed.
    """

    reason: str
    hint: Hint | None = None
    refuted: bool = False


def prove_bounded(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Pause = lambda: None
) -> BoundedCertificate | NoProof:
    """A certificate that the checker has accepted for all of the scope, or why there is none."""
    try:
        check = BoundedCheck(program, mechanism, scope, pause)
        found = []
        memory: Memory = {}
        for shape, given in check.open:
            pause()
            found.append((shape, given.case, _shown(program, mechanism, scope, shape, given, check, memory, pause)))
        check.finish()
    except NoMoves as hint:
        return _without_moves(mechanism, hint)
    except FAILURES as error:
        return NoProof(why(error, program), refuted=isinstance(error, Refuted))
    return BoundedCertificate(tuple(found))


def tosses_coins(program: Program) -> bool:
    """Whether all that a program draws are coins and whole numbers, and there are some."""
    drawn = {node.distribution for node in walk(program) if isinstance(node, Draw)}
    return bool(drawn) and drawn <= COINS


def chooses(program: Program) -> bool:
    """Whether all that a program draws is a choice by weights."""
    drawn = [node for node in walk(program) if isinstance(node, Draw)]
    return bool(drawn) and all(one.distribution == "choice" and "p" in dict(one.parameters) for one in drawn)


def prove_outcomes(program: Program, mechanism: Mechanism, scope: Scope, pause: Pause = lambda: None) -> NoProof | None:
    """None if the checker has shown the claim by the exact probabilities of all outcomes, else why it has not."""
    try:
        check_outcomes(program, mechanism, scope, [*_loops(program), None], pause)
    except Likelier as error:
        given = {name: plain(value) for name, value in argument_samples(scope, error.case)[0].items()}
        hint = Hint(plain(error.first), plain(error.second), given)
        return NoProof(f"{error}, for D1 = {error.first!r} and D2 = {error.second!r}", hint)
    except FAILURES as error:
        return NoProof(why(error, program))
    return None


def _loops(program: Program) -> Iterator[Span]:
    """Loops of the function's own block in which noise is drawn, and comprehensions, which the checker makes loops."""
    for node in spelled_out(program).body:
        if isinstance(node, For) and any(isinstance(one, Draw | CallFunction) for one in walk(node)):
            yield node.span


def prove_gaussian(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Pause = lambda: None
) -> GaussianCertificate | NoProof:
    """A certificate for a claim with a delta that the checker has accepted, or why there is none."""
    claim = mechanism.claim
    known = not isinstance(claim.epsilon, str) and not isinstance(claim.delta, str)
    certificate = GaussianCertificate(mu=most_moved(float(claim.epsilon), float(claim.delta)) if known else None)
    proposed: dict[str, Iterator[Fraction]] = {}
    try:
        while True:
            pause()
            try:
                check_gaussian(program, mechanism, scope, certificate)
            except Unbounded as wanted:
                text = wanted.cost.sexpr()
                share = next(proposed.setdefault(text, shares(wanted.cost)), None)
                if share is None:
                    raise
                certificate = replace(certificate, shares=tuple({**dict(certificate.shares), text: share}.items()))
            else:
                return certificate
    except FAILURES as error:
        return NoProof(why(error, program))


def prove_choices(program: Program, mechanism: Mechanism, scope: Scope, pause: Pause = lambda: None) -> NoProof | None:
    """None if the checker has shown the claim by how much likelier any item is chosen, else why it has not."""
    try:
        check_choices(program, mechanism, scope, pause)
    except FAILURES as error:
        return NoProof(why(error, program), refuted=isinstance(error, Refuted))
    return None


def prove_stable(program: Program, mechanism: Mechanism, scope: Scope, pause: Pause = lambda: None) -> NoProof | None:
    """None if the checker has shown that outputs of neighbours are as near as is claimed, with no noise."""
    try:
        check_stable(program, mechanism, scope, pause)
    except FAILURES as error:
        return NoProof(why(error, program), refuted=isinstance(error, Refuted))
    return None


@dataclass(frozen=True, slots=True)
class LoopProof:
    """A certificate that the checker has accepted, and what proposed it."""

    certificate: LoopCertificate
    proposal: LoopProposal


def prove_every_length(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Pause = lambda: None
) -> LoopProof | NoProof:
    """A certificate for data of every length that the checker has accepted, or why there is none."""
    try:
        found, *more = [_for_direction(program, mechanism, scope, one, pause) for one in directions(mechanism)]
        if more:
            found = replace(found, certificate=replace(found.certificate, downward=more[0].certificate))
            check_loop(program, mechanism, scope, found.certificate)
    except FAILURES as error:
        return NoProof(why(error, program))
    return found


def prove_places(program: Program, mechanism: Mechanism, scope: Scope, pause: Pause = lambda: None) -> NoProof | None:
    """None if the checker has shown the claim of the place of an extreme of any number of noisy numbers."""
    last = ""
    for times in _TIMES:
        pause()
        try:
            check_places(program, mechanism, scope, times)
        except FAILURES as error:
            last = why(error, program)
        else:
            return None
    return NoProof(last)


def _for_direction(program: Program, mechanism: Mechanism, scope: Scope, direction: str, pause: Pause) -> LoopProof:
    """A certificate for neighbours in one direction, which the checker has accepted. Raises as the two parts do."""
    proposal = LoopProposal(program, mechanism, scope, direction)
    accumulators = [name for name in proposal.numbers if name not in proposal.whole] if proposal.summed else []
    first: NotProved | NoProposal | None = None
    for free in ((), *((name,) for name in accumulators), *itertools.combinations(accumulators, 2)):
        pause()
        try:
            certificate = proposal.solve(free)
            check_direction(program, mechanism, scope, certificate, direction)
        except (NotProved, NoProposal) as error:
            first = first or error
        else:
            return LoopProof(certificate, proposal)
    assert first is not None
    raise first


def _shown(
    program: Program,
    mechanism: Mechanism,
    scope: Scope,
    shape: Shape,
    given: Given,
    check: BoundedCheck,
    memory: Memory,
    pause: Pause,
) -> tuple[Moves, ...]:
    """Moves for one shape in one case, which the checker has accepted."""
    case, proposal = given.case, ShapeProposal(program, mechanism, shape, given, memory)
    for arguments in argument_samples(scope, case):
        proposal.sample(arguments)
    for turn in range(_TURNS):
        pause()
        moves = proposal.moves()
        try:
            check.show(shape, case, moves)
        except Refuted as counterexample:
            if turn == _TURNS - 1:
                raise
            against = sample_of(mechanism, scope, shape, case, counterexample.model)
            proposal.refuted(counterexample.decisions, against.arguments, against.numbers, against.records)
        else:
            return moves
    raise AssertionError("unreachable")


def _without_moves(mechanism: Mechanism, failed: NoMoves) -> NoProof:
    """Which output, of which neighbours, on which lines: and the same as a hint."""
    runs, sample, data = failed.runs, failed.runs.sample, str(mechanism.data)
    one, two = (plain(side[data], sample.numbers) for side in (sample.first, sample.second))
    given = {name: plain(value, sample.numbers) for name, value in sample.first.items() if name != data}
    noise = f"for the noise of {lines_words(drawn.span for drawn in runs.draws)}" if runs.draws else ""
    where = f"where {output_words(runs.output)}, for D1 = {one} and D2 = {two}"
    reason = " ".join(filter(None, [str(failed), noise, where]))
    return NoProof(reason, Hint(one, two, given))
