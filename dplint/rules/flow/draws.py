"""Reads draws, and the generators that they come from.

Draws with the factors that they are multiplied by, and the places where they are added to data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import libcst as cst

from dplint.distributions import SIZE, DrawSignature, ShiftCost, distributions
from dplint.program.calls import word_of
from dplint.rules.flow.exposure import Exposed
from dplint.rules.flow.reading import Arguments, TermReader, is_sequence
from dplint.rules.flow.scales import Algebra, Monomial
from dplint.rules.flow.terms import DrawTerm, Term, TermKind
from dplint.rules.flow.vocabulary import (
    DISTRIBUTIONS,
    FUNCTION_DRAWS,
    GENERATOR_NAME,
    GENERATORS,
    METHOD_DRAWS,
    UNMISTAKABLE,
    only_checks,
)

_IN_PLACE = {"normal_": "torch.normal"}
"""Methods of tensors that fill them with draws, and the functions whose arguments they have."""
_FOREIGN = frozenset({"normal", "laplace", "gumbel"})
_FOREIGN_MODULE = re.compile(r"(?:^|\.)random$|^mindspore\.ops(?:\.|$)")
_FOREIGN_PARAMETERS = {"mean": "loc", "loc": "loc", "stddev": "scale", "std": "scale", "scale": "scale"}


class Draws:
    """Makes terms of draws, and of generators."""

    def __init__(self, reader: TermReader) -> None:
        self._reader = reader
        self._make = reader.make

    def draw(self, signature: DrawSignature, draw: DrawTerm, node: cst.Call, given: Arguments) -> Term:
        """The term of a draw; its arguments bear the canonical names of the parameters."""
        keys: list[str] = []
        terms: list[Term] = []
        for name, term in zip(signature.called(given.keys()), given.all(), strict=True):
            argument = signature.argument(name)
            keys.append((argument.parameter if argument is not None else None) or name or "?")
            terms.append(self._one_over(term) if argument is not None and argument.inverse else term)
        plain = [argument for argument in node.args if not argument.star]
        nodes = {key: argument.value for key, argument in zip(keys, plain, strict=False)}
        implied = [*((one.parameter, one.default) for one in signature.parameters), *signature.fixed]
        for key, default in implied:
            if key is not None and key not in keys and isinstance(default, int | float):
                keys.append(key)
                terms.append(self._reader.constant(default, None))
        sized = any(
            (key in (SIZE, "like", "sample_shape") and not (one.kind is TermKind.CONSTANT and one.value is None))
            or (key == "loc" and is_sequence(one))
            for key, one in zip(keys, terms, strict=True)
        )
        return self._make(
            TermKind.DRAW,
            signature.distribution,
            node,
            terms,
            keys=keys,
            value=replace(draw, sized=draw.sized or sized, nodes=nodes),
        )

    def by_function(self, full: str, node: cst.Call, given: Arguments) -> Term:
        """The term of a draw by a function that is known."""
        return self.draw(FUNCTION_DRAWS[full], DrawTerm("module", full, None, False), node, given)

    def _one_over(self, rate: Term) -> Term:
        return self._make(TermKind.OPERATION, "/", rate.node, [self._reader.constant(1.0, None), rate])

    def noise(self, source: str, name: str, node: cst.CSTNode, args: list[Term], keys: list[str]) -> Term:
        """The term of a call that adds noise in a way that is not known in detail; of one that only checks, not."""
        if only_checks(name):
            return self._make(TermKind.CALL, word_of(name), node, args, keys=keys, value=name)
        return self._make(TermKind.DRAW, source, node, args, keys=keys, value=DrawTerm(source, name, None, sized=True))

    def generator(self, canonical: str, node: cst.Call, given: Arguments) -> Term:
        """The term of a generator that is made here."""
        if len(given.positional) == 1 and given.positional[0].kind is TermKind.GENERATOR:
            inner = given.positional[0]
            if inner.value == "parameter" or canonical == "numpy.random.default_rng":
                return inner
        return self._make(
            TermKind.GENERATOR, GENERATORS[canonical], node, given.all(), keys=given.keys(), value=canonical
        )

    def method_draw(self, receiver: Term, path: str | None, name: str, node: cst.Call, given: Arguments) -> Term | None:
        """A draw by a method, None if it is none."""
        if receiver.kind is TermKind.GENERATOR:
            if name in METHOD_DRAWS:
                source = "parameter" if receiver.value == "parameter" else "local"
                return self.draw(METHOD_DRAWS[name], DrawTerm(source, f".{name}", receiver, False), node, given)
            if name == "spawn":
                return receiver
            return self._make(TermKind.SYMBOL, f"<{name}>", node)
        if receiver.kind is TermKind.CALL and receiver.value in DISTRIBUTIONS and name in ("sample", "rsample"):
            shape = DrawTerm("module", str(receiver.value), None, bool(given.all()))
            signature = DISTRIBUTIONS[str(receiver.value)]
            return self.draw(signature, shape, node, Arguments(named=_parameters(receiver, signature)))
        if name == "rvs" and _is_law(receiver):
            return self._frozen(receiver, node, given)
        if name in _IN_PLACE:
            return self.draw(FUNCTION_DRAWS[_IN_PLACE[name]], DrawTerm("module", f".{name}", None, True), node, given)
        full = f"{receiver.name}.{name}"
        if receiver.kind is TermKind.SYMBOL and full in FUNCTION_DRAWS:
            return self.by_function(full, node, given)
        named_so = path is not None and GENERATOR_NAME.search(path.rpartition(".")[2]) is not None
        drawing = METHOD_DRAWS.get(name)
        sure = name in UNMISTAKABLE or (named_so and drawing is not None and _is_telling(drawing))
        if receiver.kind is TermKind.SYMBOL and drawing is not None and sure:
            return self.draw(drawing, DrawTerm("attribute", f".{name}", receiver, False), node, given)
        return None

    def foreign(self, canonical: str, node: cst.Call, given: Arguments) -> Term | None:
        """A draw of a module for random numbers that is not known, by names alone; None if it is none."""
        module, _, name = canonical.rpartition(".")
        if name not in _FOREIGN or _FOREIGN_MODULE.search(module) is None:
            return None
        terms = {"loc": self._reader.constant(0.0, None), "scale": self._reader.constant(1.0, None)}
        terms |= {_FOREIGN_PARAMETERS[key]: term for key, term in given.named.items() if key in _FOREIGN_PARAMETERS}
        draw = DrawTerm("module", canonical, None, sized=True)
        return self._make(TermKind.DRAW, name, node, list(terms.values()), keys=list(terms), value=draw)

    def _frozen(self, law: Term, node: cst.Call, given: Arguments) -> Term:
        """A draw of a distribution of SciPy that was given its parameters before; `rvs` takes size and generator."""
        if law.kind is TermKind.CHOICE:
            draws = [self._frozen(one, node, given) for one in law.args]
            return self._make(TermKind.CHOICE, law.name, node, draws, conditions=list(law.conditions))
        full = f"{law.value}.rvs"
        signature = FUNCTION_DRAWS[full]
        named = dict(zip(signature.called(given.keys(), (SIZE, "random_state")), given.all(), strict=True))
        return self.by_function(full, node, Arguments([], _parameters(law, signature) | named))


def _is_law(term: Term) -> bool:
    """Whether it is a distribution of SciPy with its parameters, or one of several."""
    if term.kind is TermKind.CHOICE:
        return bool(term.args) and all(map(_is_law, term.args))
    return term.kind is TermKind.CALL and f"{term.value}.rvs" in FUNCTION_DRAWS


def _is_telling(signature: DrawSignature) -> bool:
    """Whether a method of that name draws if it is called on something that is named like a generator.

    `sample` and `choices` are also what models do that generate, and `f` and `power` may be anything.
    """
    return signature.method not in ("sample", "choices", "f", "power")


def _parameters(law: Term, signature: DrawSignature) -> dict[str, Term]:
    """What a distribution was given when it was made, before it is drawn from."""
    return dict(zip(signature.called(law.keys), law.args, strict=True))


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
            if user.is_operation(("*", "/", "neg")) and not _shows(user, exposed):
                known = known and top is term  # not a factor of what several values were made of
                top = user if top is term else top
                pending.append(user)
            elif user.is_operation("*") and is_around_one(term):
                meets.append(user)  # x * (1 + noise) is x + x * noise
                raw += (one for one in user.args if one is not term and exposed.of(one))
            elif user.is_operation(("+", "-")):
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


def is_around_one(term: Term) -> bool:
    """Whether it is a constant, other than 0, with something added: what a value is multiplied by to blur it."""
    constants = (one for one in term.args if one.kind is TermKind.CONSTANT and one.value)
    return term.is_operation(("+", "-")) and any(constants)


def _shows(term: Term, exposed: Exposed) -> bool:
    return any(exposed.of(one) for one in term.args)


def _keeps(term: Term) -> bool:
    """Whether a term has the noise unchanged in it: a list of draws, or one of them."""
    if term.kind is TermKind.CONTAINER:
        return term.name in ("tuple", "list", "comp", "append")
    return term.is_operation("[]") or term.is_call(("zip", "enumerate", "float", "round", "int", "array", "list"))
