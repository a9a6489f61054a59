"""The search for the best proof of a claim within some time: for every length if there is one, else for few."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from dplint.claims import Claim, Mechanism
from dplint.inputs.forms import data_form
from dplint.outcomes import Certificate, Effort, Proved, Range, Scope, Sizes
from dplint.program.nodes import Program
from dplint.proofs.alignment import BoundedCertificate, OwnPairs
from dplint.proofs.checker.by_record import for_one_record
from dplint.proofs.checker.currency import follows
from dplint.proofs.checker.data_forms import in_known_form
from dplint.proofs.checker.differences import with_differences
from dplint.proofs.checker.exclusive import with_one_draw
from dplint.proofs.checker.growing import with_counters
from dplint.proofs.checker.inputs import RANGE
from dplint.proofs.checker.missing import with_known_values
from dplint.proofs.checker.observed import with_all_that_is_observed
from dplint.proofs.checker.outcomes import spelled_out
from dplint.proofs.checker.postprocessing import without_postprocessing
from dplint.proofs.checker.releases import released, with_releases
from dplint.proofs.checker.seeds import FRESH, as_without_seed
from dplint.proofs.checker.subsampling import Sampled, claim_follows, speaks_of, without_sampling
from dplint.proofs.proposer.currency import inner_claims
from dplint.proofs.proposer.ends import claims_of_samples, ends
from dplint.proofs.proving import (
    NoProof,
    chooses,
    prove_bounded,
    prove_choices,
    prove_every_length,
    prove_gaussian,
    prove_outcomes,
    prove_places,
    prove_stable,
    tosses_coins,
)
from dplint.proofs.scopes import scopes
from dplint.proofs.wording import (
    Hint,
    bounded_certificate,
    choices_certificate,
    gaussian_certificate,
    loop_certificate,
    loop_shifts,
    on_promises,
    outcomes_certificate,
    places_certificate,
    promised,
    stable_certificate,
)
from dplint.relations import DataKind, relation_of

_WITH_DELTA = "the claim has a delta that is neither a number nor an argument, which no proof here can show"
Found = TypeVar("Found")
LARGEST = 5
"""Bounded proofs go up to this length of the data."""
_NAMED = 8
"""And up to this one where the claim names the sizes that it speaks of, none of which is larger."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search has found. reason: why there is no proof, or none for more. hint: where no moves do.

    programs: those that were proved in place of the whole one, of which they are the beginning. inner: the claim that
    was proved, from which the one by another definition follows; None for a claim of epsilon.
    """

    proof: Proved | None
    reason: str = ""
    hint: Hint | None = None
    programs: tuple[Program, ...] = ()
    inner: Claim | None = None

    @property
    def settled(self) -> bool:
        """Whether there is a proof that leaves nothing to try."""
        return self.proof is not None and self.proof.scope.settled


class _OutOfTime(Exception):
    """The seconds are over."""


@dataclass(frozen=True)
class _Limits:
    """What a search may take: it is called often, and raises. full: no proof is wanted that leaves lengths out."""

    pause: Callable[[], None]
    end: float
    full: bool

    def __call__(self) -> None:
        self.pause()
        if time.process_time() > self.end:
            raise _OutOfTime


def search(
    program: Program,
    mechanism: Mechanism,
    seconds: float,
    pause: Callable[[], None] = lambda: None,
    pairs: OwnPairs | None = None,
    *,
    full: bool = False,
) -> Search:
    """The best proof that is found in so many seconds of this process. pause: called often; it may raise.

    full: none is looked for of some lengths of data alone, but of those that the claim names.

    pairs: of the claim's own neighbour function; there is no proof for what is no neighbour in any other way.

    Time in which other processes have the processors does not count, so that a busy machine finds what an idle one
    does; a limit of the whole audit is for `pause` to keep. Single questions to z3 are bounded by its steps.
    """
    of_claim = partial(_of_claim, program, pause=pause, pairs=pairs, full=full)
    return (of_claim if mechanism.claim.promise is None else partial(_of_promise, of_claim))(mechanism, seconds)


def _of_promise(of_claim: Callable[[Mechanism, float], Search], mechanism: Mechanism, seconds: float) -> Search:
    """Of a claim by another definition: by a claim from which the checker knows that it follows."""
    claim, last = mechanism.claim, Search(None, "no rule is known here that proves such a claim")
    inner = [one for one in inner_claims(claim) if follows(claim, one)]
    for one in inner:
        last = of_claim(replace(mechanism, claim=one), seconds / len(inner))
        if last.proof is not None:
            return replace(last, proof=promised(last.proof, claim, one), inner=one)
    return replace(last, hint=None)


def _of_claim(
    program: Program,
    mechanism: Mechanism,
    seconds: float,
    *,
    pause: Callable[[], None],
    pairs: OwnPairs | None,
    full: bool,
) -> Search:
    known = with_all_that_is_observed(as_without_seed(program), mechanism)
    known = with_differences(with_counters(with_releases(known)))
    known, changed = with_known_values(*in_known_form(known, mechanism))
    limits = _Limits(pause, time.process_time() + seconds, full)
    found = _within(known, changed, seconds, limits, pairs)
    if found.proof is not None:
        found = replace(found, proof=on_promises(found.proof, released(known), (FRESH,) if known.seeded else ()))
    # A hint is of the data that the claim speaks of.
    return found if changed.claim == mechanism.claim else replace(found, hint=None)


def _within(program: Program, mechanism: Mechanism, seconds: float, ticked: _Limits, pairs: OwnPairs | None) -> Search:
    """The same of data in a form that the checker knows."""
    found = Search(None, f"no proof was found in {seconds:g} s")
    try:
        if mechanism.claim.stable is not None:
            return _stable(program, mechanism, ticked)
        found = _search(program, mechanism, pairs, ticked)
        if not found.settled:
            found = _with_one_draw(program, mechanism, pairs, ticked) or found
        if found.settled:
            return found
        # Where these fail, the whole may still keep its claim: so what was found of the whole stands.
        sampled = _sampled(program, mechanism, ticked)
        if found.proof is not None:
            return sampled if sampled is not None and sampled.settled else found
        doubted = found.hint is not None
        return _before_postprocessing(program, mechanism, pairs, ticked, doubted=doubted) or sampled or found
    except _OutOfTime:
        return found


def _with_one_draw(program: Program, mechanism: Mechanism, pairs: OwnPairs | None, ticked: _Limits) -> Search | None:
    """A proof for the program with one draw where a run makes one of two of one law."""
    moved = None if mechanism.claim.promise else with_one_draw(program, mechanism.claim.epsilon)
    found = _search(moved, mechanism, pairs, ticked, program) if moved is not None else None
    return found if found is not None and found.proof is not None and not found.reason else None


def _before_postprocessing(
    program: Program, mechanism: Mechanism, pairs: OwnPairs | None, ticked: _Limits, *, doubted: bool
) -> Search | None:
    """A proof for the program without its end, if that only works on private values.

    doubted: whether there is no shift for some data; then a proof for shorter data alone is none.
    """
    for place, inner in ends(program):
        programs = without_postprocessing(program, mechanism, place, inner)
        proofs: list[Proved] = []
        for shorter in programs:
            found = _search(shorter, mechanism, pairs, ticked, program)
            proof = found.proof
            if proof is None or (proofs and not covers(proof.scope, proofs[0].scope)) or (doubted and found.reason):
                break
            proofs.append(proof)
        if proofs and len(proofs) == len(programs):
            line = programs[0].body[-1].span.line
            first = proofs[0].certificate
            words = f"what else is from line {line} on only works on private values; of these, {first.words}"
            return Search(replace(proofs[0], certificate=replace(first, words=words)), programs=tuple(programs))
    return None


def covers(scope: Scope, other: Scope) -> bool:
    """Whether a scope leaves out nothing of another one."""
    if scope.sizes is None or other.sizes is None or replace(scope, sizes=other.sizes) != other:
        return scope == other
    least, most = other.sizes.smallest, other.sizes.largest
    longest = scope.sizes.largest
    return scope.sizes.smallest <= least and (longest is None or (most is not None and most <= longest))


def _sampled(program: Program, mechanism: Mechanism, ticked: _Limits) -> Search | None:
    """A proof for the program on all records, of which chance chooses some."""
    claim = mechanism.claim
    sampled = without_sampling(program, table=data_form(mechanism) == "frame")
    for inner in claims_of_samples(claim, sampled.rate) if sampled is not None else ():
        if sampled is None or not claim_follows(claim, inner, sampled):
            continue
        proof = _search(sampled.program, replace(mechanism, claim=inner), None, ticked).proof
        if proof is not None and speaks_of(proof.scope):
            return Search(_of_all(proof, claim, inner, sampled))
    return None


def _of_all(proof: Proved, claim: Claim, inner: Claim, sampled: Sampled) -> Proved:
    """The proof for a sample as one for all records."""
    scope = replace(proof.scope, delta=claim.delta, sizes=Sizes(0, None))
    if not isinstance(claim.epsilon, str):
        scope = replace(scope, epsilon=Range(low=float(claim.epsilon), high=float(claim.epsilon)))
    kept = f"epsilon = {inner.epsilon}" if isinstance(inner.epsilon, str) else f"epsilon = {inner.epsilon:.6g}"
    words = f"of the records {float(sampled.rate)!r} are chosen by chance; of those, {kept}: {proof.certificate.words}"
    certificate = replace(proof.certificate, words=words)
    return replace(proof, scope=scope, certificate=certificate, epsilon_upper=claim.epsilon)


def _search(
    program: Program,
    mechanism: Mechanism,
    pairs: OwnPairs | None,
    ticked: _Limits,
    of: Program | None = None,
) -> Search:
    """By what is quickest and says most. of: what the program is made of, whose arguments it has. Raises _OutOfTime."""
    whole = of or program
    if relation_of(mechanism.claim).definition is None and not pairs:
        if mechanism.claim.user is not None:
            return Search(None, "the checker knows single records, and not all records of a user")
        return Search(None, f"the pairs of {mechanism.claim.neighbors} are objects of which only the text is known")
    promise = mechanism.claim.promise
    if promise is not None and promise.kind == RANGE and not chooses(program):
        return Search(None, "there is no choice by weights whose losses have a range")
    if mechanism.claim.delta != 0.0 or (promise is not None and promise.kind != RANGE):
        return _by_length(program, whole, mechanism, prove_gaussian, gaussian_certificate, pairs, ticked)
    if chooses(program):
        return _by_length(program, whole, mechanism, prove_choices, choices_certificate, pairs, ticked)
    if tosses_coins(program):
        return _outcomes(program, whole, mechanism, pairs, ticked)
    longer = _every_length(program, whole, mechanism, ticked) if has_length(mechanism) else None
    if longer is None and ticked.full and has_length(mechanism) and mechanism.claim.size is None:
        return Search(None, "no proof for every length was found")
    return longer or _bounded(program, whole, mechanism, pairs, ticked)


def _every_length(program: Program, whole: Program, mechanism: Mechanism, ticked: _Limits) -> Search | None:
    """By the turns of a loop, or because the data is only gathered; None if neither does."""
    every = scopes(whole, mechanism, Sizes(0, None))
    vectors = every if relation_of(mechanism.claim).data is DataKind.VECTOR else []
    for scope in vectors:
        found = prove_every_length(program, mechanism, scope, ticked)
        if not isinstance(found, NoProof):
            shifts = loop_shifts(found.proposal, found.certificate)
            return Search(_proved(mechanism, scope, loop_certificate(found.certificate, shifts)))
    for scope in vectors:
        if prove_places(program, mechanism, scope, ticked) is None:
            return Search(_proved(mechanism, scope, places_certificate()))
    for scope in every:
        gathered = prove_bounded(program, mechanism, scope, ticked)
        if not isinstance(gathered, NoProof):
            return Search(_proved(mechanism, scope, bounded_certificate(program, gathered)))
    return None


def _largest(mechanism: Mechanism) -> int:
    """The longest data to look at. A claim that names sizes says nothing of longer data, that of the larger side."""
    sizes = mechanism.claim.size
    if sizes is None:
        return LARGEST
    named = max(sizes) + (relation_of(mechanism.claim).same_size is not True)
    return named if named <= _NAMED else LARGEST


def has_length(mechanism: Mechanism) -> bool:
    """Whether the data is of different lengths."""
    kind = relation_of(mechanism.claim).data
    return kind not in (DataKind.VALUE, DataKind.ANYTHING) and data_form(mechanism) != "scalar"


def _outcomes(
    program: Program, whole: Program, mechanism: Mechanism, pairs: OwnPairs | None, ticked: _Limits
) -> Search:
    """By the exact probabilities of all outcomes, in the first scope that does."""
    last = Search(None, _WITH_DELTA)
    sizes = Sizes(0, None) if for_one_record(spelled_out(program), mechanism) is not None else None
    for scope in scopes(whole, mechanism, sizes, pairs):
        found = prove_outcomes(program, mechanism, scope, ticked)
        if found is None:
            return Search(_proved(mechanism, scope, outcomes_certificate(of_records=sizes is not None)))
        last = Search(None, found.reason, found.hint)
    return last


def _stable(program: Program, mechanism: Mechanism, ticked: _Limits) -> Search:
    """Of a function without noise: for every length, else for those that the claim names."""
    sizes, last = mechanism.claim.size, Search(None, "there is no scope for it")
    lengths = [Sizes(0, None), *([Sizes(min(sizes), max(sizes))] if sizes and max(sizes) <= _NAMED else [])]
    for one in lengths if has_length(mechanism) else [None]:
        for scope in scopes(program, mechanism, one):
            found = prove_stable(program, mechanism, scope, ticked)
            if found is None:
                return Search(_proved(mechanism, scope, stable_certificate()))
            last = Search(None, found.reason)
    return last


def _by_length(
    program: Program,
    whole: Program,
    mechanism: Mechanism,
    prove: Callable[[Program, Mechanism, Scope, Callable[[], None]], NoProof | Found],
    certificate: Callable[[Found], Certificate],
    pairs: OwnPairs | None,
    ticked: _Limits,
) -> Search:
    """For every length, or for all lengths up to the last one that works."""
    sized = has_length(mechanism)
    last = Search(None, _WITH_DELTA)
    for scope in scopes(whole, mechanism, Sizes(0, None)) if sized else []:
        found = prove(program, mechanism, scope, ticked)
        if not isinstance(found, NoProof):
            return Search(_proved(mechanism, scope, certificate(found)))
    for scope in scopes(whole, mechanism, Sizes(1, 1) if sized else None, pairs):
        reached, reason, told = 0, "", None
        for size in range(1, _largest(mechanism) + 1 if sized else 2):
            ticked()
            found = prove(program, mechanism, replace(scope, sizes=Sizes(size, size)) if sized else scope, ticked)
            if isinstance(found, NoProof):
                reason = f"for {_values(size)}: {found.reason}" if sized else found.reason
                reached = 0 if found.refuted else reached  # a claim in doubt: nothing is said of shorter data
                break
            reached, told = size, certificate(found)
        # Of data that is shorter than a claim that names sizes speaks of, nothing need be said.
        if reached >= (_least(mechanism) if sized else 1) and told is not None:
            shown = replace(scope, sizes=Sizes(1, reached)) if sized else scope
            return Search(_proved(mechanism, shown, told), reason)
        last = Search(None, reason)
    return last


def _bounded(program: Program, whole: Program, mechanism: Mechanism, pairs: OwnPairs | None, ticked: _Limits) -> Search:
    """For all lengths up to LARGEST, or up to the one that the time allows; in the first scope that does."""
    sized = has_length(mechanism)
    last, told = Search(None, _WITH_DELTA), None
    # Of data that is shorter than a claim that names sizes speaks of, nothing need be true.
    for least in dict.fromkeys((1, _least(mechanism) if sized else 1)):
        for scope in scopes(whole, mechanism, Sizes(least, least) if sized else None, pairs):
            found = prove_bounded(program, mechanism, scope, ticked)
            if isinstance(found, NoProof):
                last = Search(None, found.reason, found.hint)
            elif not sized or _largest(mechanism) == least:
                return Search(_proved(mechanism, scope, bounded_certificate(program, found)))
            else:
                last = _longer(program, mechanism, scope, found, ticked)
                if last.proof is not None:
                    return last
        told = told or last
    return told or last


def _least(mechanism: Mechanism) -> int:
    """The shortest data to look at, where the claim names it."""
    sizes = mechanism.claim.size
    return 1 if sizes is None or max(sizes) > LARGEST else max(1, min(sizes))


def _longer(program: Program, mechanism: Mechanism, scope: Scope, shown: BoundedCertificate, ticked: _Limits) -> Search:
    """What is proved for one length, for more.

    Where no shift does for some length, the claim is in doubt, and nothing is said of shorter data. Where time or z3
    does not suffice, what was proved before stands.
    """
    least = scope.sizes.smallest if scope.sizes is not None else 1
    certificate, reached, reason = None if least == 1 else shown, least, ""
    try:
        for size in range(least + 1, _largest(mechanism) + 1):
            found = prove_bounded(program, mechanism, replace(scope, sizes=Sizes(size, size)), ticked)
            if isinstance(found, NoProof):
                reason = f"for {_values(size)}: {found.reason}"
                if found.hint is not None or found.refuted:
                    return Search(None, reason, found.hint)
                break
            certificate, reached = found, size
    except _OutOfTime:
        reason = f"the time was over before {_values(reached + 1)}"
    if certificate is None:
        return Search(None, reason)
    proof = _proved(mechanism, replace(scope, sizes=Sizes(least, reached)), bounded_certificate(program, certificate))
    return Search(proof, reason)


def _values(size: int) -> str:
    return "1 value" if size == 1 else f"{size} values"


def _proved(mechanism: Mechanism, scope: Scope, certificate: Certificate) -> Proved:
    return Proved(
        scope=scope,
        certificate=certificate,
        epsilon_upper=mechanism.claim.epsilon,
        effort=Effort(method="proof", looks=0, alpha=0.0),
    )
