"""What canaries have shown of a training: in words, and as a picture of the bound over releases."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import TrainingBound
from dplint.report import numerals
from dplint.report.curve import promise_svg
from dplint.report.document import Block, Code, Document, Head, Items, Say, Table
from dplint.report.words import claim_words, effort_words

_NO_PROOF = "a lower bound: what was not told by these canaries may be told by others"


def training_document(bound: TrainingBound) -> Document:
    """The bound beside the claim, how it grew, and what it rests on."""
    mechanism, points = bound.mechanism, _points(bound)
    delta = f" with delta = {numerals.short(bound.claimed_delta)}" * (
        bound.claimed_mu is None and bound.claimed_delta > 0
    )
    held = f"{_sign(bound)} = {numerals.lower_bound(points[-1][1])} at least{delta}"
    verdict = f"{_allowed(bound)}: {'more than that' if bound.refutes else 'not refuted'}"
    sure = f"with {numerals.percent(bound.confidence)} confidence"
    said = (Code(mechanism.qualname), f" spends {held}, {sure}: {verdict}")
    kind = "violation" if bound.refutes else "info"
    head = Head.at(mechanism.file, mechanism.span, bound.code, said, kind, path=mechanism.path)
    body: list[Block] = [Items(tuple((words,) for words in (*_bounds(bound), *_rests(bound))))]
    if len(points) > 1:
        most = max(points[-1][1], bound.held_against) or 1.0
        rows = tuple((f"{int(releases):,}", numerals.lower_bound(value)) for releases, value in points)
        title = f"{_sign(bound)} at least, {_allowed(bound)}"
        body.append(Table(("releases", title), rows, tuple(min(1.0, value / most) for _, value in points)))
    how = f"claimed: {claim_words(mechanism.claim)}; {effort_words(bound.effort)}; seed {bound.effort.seed}"
    return Document(head, (*body, Say((how,), "dim")), tuple(Say((note,)) for note in bound.effort.notes))


def training_svg(bound: TrainingBound) -> str:
    """The bound over releases, and the claim."""
    points, claimed = _points(bound), bound.held_against
    line = [(0.0, claimed), (points[-1][0], claimed)]
    sign = "ε" if bound.claimed_mu is None else "μ"
    return promise_svg(bound.mechanism.qualname, (line, _allowed(bound)), (points, "at least"), ("releases", sign))


def _points(bound: TrainingBound) -> list[tuple[float, float]]:
    """What is known from so many releases on."""
    points, most = dict[float, float](), 0.0
    for look in bound.looks:
        points[float(look.releases)] = most = max(most, bound.bound(look))
    return list(points.items())


def _allowed(bound: TrainingBound) -> str:
    return f"{numerals.claimed(bound.held_against)} claimed"


def _sign(bound: TrainingBound) -> str:
    return "epsilon" if bound.claimed_mu is None else "mu"


def _bounds(bound: TrainingBound) -> Iterator[str]:
    """Of epsilon, whatever the training does; and if its noise is normal, where that is more."""
    best = max(bound.looks, key=lambda look: look.epsilon)
    told = f"{best.right[0]:,} of {best.made[0]:,} guesses right"
    yield f"epsilon = {numerals.lower_bound(best.epsilon)} at least, whatever the noise: {told}"
    if not bound.claimed_delta:
        return
    best = max(bound.looks, key=lambda look: look.mu)
    mu = f"mu{' of a step' if bound.mechanism.claim.training else ''} = {numerals.lower_bound(best.mu)}"
    told = f"{mu}, {best.right[1]:,} of {best.made[1]:,} guesses right"
    yield f"epsilon = {numerals.lower_bound(best.normal_epsilon)} at least, if its noise is normal: {told}"
    if bound.claimed_mu is None and not bound.refutes and best.normal_epsilon > bound.claimed:
        yield "if its noise is normal, that is more than is claimed; say so with --normal"


def _rests(bound: TrainingBound) -> Iterator[str]:
    scored = "by what each moves without noise" if bound.learnt else "by the project's own score"
    each = "each step" if bound.mechanism.claim.training else "the training"
    canaries = numerals.count(bound.canaries, "canary", "canaries")
    yield f"{canaries}, each in {each} with probability 1/2, independently; scored {scored}"
    if bound.left_out:
        yield f"{bound.left_out:,} more were left out: they move little, or what others move"
    if not bound.whole:
        yield f"ended early, after {numerals.count(bound.looks[-1].releases, 'release')}"
    yield _NO_PROOF
