"""Looks for a proof of a claim: the proposer proposes, the checker decides, and its counterexamples go back.

What the checker knew against a certificate, as another sample for the proposer.

Why there is no proof, in words: what could not be followed, and on which line.

Proposer and checker read programs of any kind, and may fail in any way at what neither of them was written for. Where
that was is known to the evaluator, which was at a node of the program then: the innermost one is looked for in the
traceback, rather than passed down to every operation.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import TracebackType
from typing import Any, TypeAlias

import z3

from dplint.claims import Categories, Columns, Domain, Interval, Mechanism, Span
from dplint.outcomes import Scope
from dplint.program.building import NOWHERE
from dplint.program.nodes import CallFunction, Draw, Expression, For, Program
from dplint.program.printing import Writer, text_of
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import walk
from dplint.proofs.alignment import (
    ANY,
    BoundedCertificate,
    Case,
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
from dplint.proofs.checker.values import NotProved, number_in
from dplint.proofs.proposer.bounded import Memory, NoMoves, ShapeProposal
from dplint.proofs.proposer.ends import most_moved, shares
from dplint.proofs.proposer.forms import Key, NoProposal
from dplint.proofs.proposer.loops import LoopProposal
from dplint.proofs.proposer.samples import argument_samples
from dplint.proofs.wording import Hint, output_words, plain
from dplint.relations import Neighbourhood, relation_of
from dplint.sites import lines_words

Values: TypeAlias = Mapping[str, Fraction]
"""Of the checker's variables, by their names."""


@dataclass(frozen=True, slots=True)
class Against:
    """Arguments and neighbours: numbers of a vector with their moves, or records; neither where they are not known."""

    arguments: dict[str, Any]
    numbers: dict[Key, Fraction] = field(default_factory=dict)
    records: tuple[Any, Any] | None = None


def values_in(model: z3.ModelRef) -> dict[str, Fraction]:
    """What the variables of data and arguments are in a model, by their names."""
    values = {}
    for declared in model.decls():
        name = declared.name()
        if declared.arity() == 0 and name[0] in "dav":
            found = model[declared]
            if z3.is_algebraic_value(found):
                found = found.approx(20)
            known = Fraction(int(z3.is_true(found))) if z3.is_bool(found) else number_in(found)
            if known is not None:
                values[name] = known
    return values


def sample_of(mechanism: Mechanism, scope: Scope, shape: Shape, case: Case, model: z3.ModelRef) -> Against:
    """What a model of z3 says of the checker's variables."""
    values = values_in(model)
    arguments = argument_samples(scope, case)[0]
    for name, simplest in arguments.items():
        value = values.get(f"a:{name}", simplest)
        arguments[name] = int(value) if isinstance(simplest, int) and isinstance(value, Fraction) else value
    numbers: dict[Key, Fraction] = {}
    for name, value in values.items():
        kind, _, rest = name.partition(":")
        if kind == "d" and rest[:1] in "qe" and rest[1:].isdigit():
            numbers[rest[0], int(rest[1:])] = value
    definition = relation_of(mechanism.claim).definition
    if definition not in (Neighbourhood.ONE_MORE, Neighbourhood.ONE_REPLACED) or shape.size == ANY:
        return Against(arguments, numbers)
    return Against(arguments, records=_records(mechanism.claim.domain, shape, values))


def _records(domain: Domain | None, shape: Shape, values: Values) -> tuple[Any, Any] | None:
    if domain is None:
        return None
    one = [_record(domain, f"d:q{k}", values) for k in range(shape.size)]
    action, _, place = shape.edit.partition(" ")
    other = [] if action == "remove" else [_record(domain, "d:r", values)]
    at = int(place)
    return one, one[:at] + other + one[at + (action != "add") :]


def _record(domain: Domain, name: str, values: Values) -> Any:
    """The record whose variables begin with the name; where nothing depends on it, any."""
    if isinstance(domain, Columns):
        return {key: _record(column, f"{name}.{key}", values) for key, column in domain.columns}
    value = values.get(name)
    if isinstance(domain, Categories):
        if value is None:
            return domain.values[0]
        for one in domain.values:
            if isinstance(one, int | float) and Fraction(repr(float(one))) == value:
                return one
        return domain.values[int(value)]
    assert isinstance(domain, Interval)
    least = Fraction(repr(float(domain.low))) if value is None else value
    return int(least) if domain.integer else least


REFUSALS = (NotProved, NoProposal, UnsupportedConstruct)
"""What the two parts say themselves."""
FAILURES = (
    *(*REFUSALS, z3.Z3Exception),
    *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError),
)
"""What neither of the two understands may fail in any way; that is no proof, and nothing more."""
_MOST = 60


def why(error: Exception, program: Program) -> str:
    """What could not be followed, with its line where one is known."""
    place = next(_places(error.__traceback__), None)
    if isinstance(error, UnsupportedConstruct):
        refused = error.unsupported
        unplaced = refused.span == NOWHERE and place is not None
        return f"{refused.construct} at {place.words}" if unplaced and place is not None else str(error)
    if isinstance(error, REFUSALS):
        return f"{error}, at {place.words}" if place is not None else f"{error}{_noise(error, program)}"
    if place is None:
        return "the search for proofs does not follow this program"
    return f"the search for proofs does not follow {_code(program, place)} at {place.words}"


def _noise(error: Exception, program: Program) -> str:
    """The lines of the noise, where certain data and arguments are against how it was to move."""
    drawn = [node.span for node in walk(program) if isinstance(node, Draw)]
    return f", with the noise of {lines_words(drawn)}" if isinstance(error, Refuted) and drawn else ""


def _places(traceback: TracebackType | None) -> Iterator[Span]:
    """Where in the program it was, innermost first."""
    frames = []
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    for frame in reversed(frames):
        for name in ("span", "node", "statement", "drawn"):
            found = frame.f_locals.get(name)
            span = found if isinstance(found, Span) else getattr(found, "span", None)
            if isinstance(span, Span) and span != NOWHERE:
                yield span


def _code(program: Program, place: Span) -> str:
    for node in walk(program):
        if isinstance(node, Expression) and node.span == place:
            text = text_of(Writer(program.rng).expression(node))
            return f"`{text}`" if len(text) <= _MOST else f"`{text[:_MOST]}...`"
    return "what is done"


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
        loops = () if scope.sizes is not None else _loops(program)
        check_outcomes(program, mechanism, scope, [*loops, None], pause)
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
    known = claim.promise is None and not isinstance(claim.epsilon, str) and not isinstance(claim.delta, str)
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
    case, proposal = given.case, ShapeProposal(program, mechanism, shape, given, pause, memory)
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
