"""Draws with the factors that they are multiplied by, and the places where they are added to data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dplint.distributions import ShiftCost, distributions
from dplint.rules.flow.exposure import Exposed
from dplint.rules.flow.scales import Algebra, Monomial
from dplint.rules.flow.terms import DrawTerm, Term, TermKind

SCALED: Mapping[str, ShiftCost] = {
    name: one.shift
    for name, one in distributions().items()
    if one.noise and one.is_location_scale and one.shift is not None and one.shift.kind != "bounded"
}
"""Noise whose scale says what a shift of a draw costs: in proportion to it, or without bound (Gaussian noise)."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A draw. top: with its factors. ways: the scale of that, empty where it is not known.

    meets: where it is added to data that shows, or the draw itself if that is at its centre. raw: that data.
    """

    draw: Term
    top: Term
    ways: tuple[Monomial, ...]
    meets: tuple[Term, ...]
    raw: tuple[Term, ...]

    @property
    def scale(self) -> Term | None:
        """The scale that the draw itself is given."""
        return self.draw.argument("scale")

    @property
    def shift(self) -> ShiftCost:
        """What it costs to move the draw."""
        return SCALED[self.draw.name]

    @property
    def source(self) -> DrawTerm:
        """Where its randomness comes from."""
        assert isinstance(self.draw.value, DrawTerm)
        return self.draw.value


def find_noises(exposed: Exposed, algebra: Algebra, users: Mapping[Term, list[Term]]) -> list[Noise]:
    """All draws of a distribution with a scale."""
    return [_noise(draw, exposed, algebra, users) for draw in exposed.draws if draw.name in SCALED]


def _noise(draw: Term, exposed: Exposed, algebra: Algebra, users: Mapping[Term, list[Term]]) -> Noise:
    centre = draw.argument("loc")
    if centre is not None and exposed.of(centre):
        return Noise(draw, draw, algebra.ways(draw) or (), (draw,), (centre,))
    top = draw
    known = True
    meets: list[Term] = []
    raw: list[Term] = []
    pending = [draw]
    seen = {draw}
    while pending:
        term = pending.pop()
        for user in users.get(term, ()):
            if user in seen:
                continue
            seen.add(user)
            if user.kind is TermKind.OPERATION and user.name in ("*", "/", "neg") and not _shows(user, exposed):
                known = known and top is term  # not a factor of what several values were made of
                top = user if top is term else top
                pending.append(user)
            elif user.kind is TermKind.OPERATION and user.name in ("+", "-"):
                others = [one for one in user.args if one is not term]
                shown = [one for one in others if exposed.of(one)]
                if shown:
                    meets.append(user)
                    raw += shown
                else:
                    pending.append(user)  # a noisy threshold, for instance
            elif user.kind in (TermKind.CHOICE, TermKind.ELEMENT, TermKind.EXIT) or _keeps(user):
                pending.append(user)
    return Noise(draw, top, algebra.ways(top) or () if known else (), tuple(meets), tuple(raw))


def _shows(term: Term, exposed: Exposed) -> bool:
    return any(exposed.of(one) for one in term.args)


def _keeps(term: Term) -> bool:
    """Whether a term has the noise unchanged in it: a list of draws, or one of them."""
    if term.kind is TermKind.CONTAINER:
        return term.name in ("tuple", "list", "comp", "append")
    return (term.kind is TermKind.OPERATION and term.name == "[]") or (
        term.kind is TermKind.CALL and term.name in ("zip", "enumerate", "float", "round", "int", "array", "list")
    )
