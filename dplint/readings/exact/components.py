"""Programs whose output is a tuple of independent parts: each is walked alone, and the law of the whole is a product.

Two sparse vectors on ten answers each have 56 forms of output, and both together 3,136, with a path for each of them.
Where no statement that makes one part of the output has a variable in common with those that make another one, their
draws are independent, and so are the parts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from dplint.program.nodes import (
    Assign,
    AugAssign,
    CallFunction,
    Comprehension,
    Expression,
    For,
    If,
    ItemTarget,
    ListDisplay,
    Name,
    Node,
    Opaque,
    Program,
    Raise,
    Return,
    Statement,
    Target,
    TupleDisplay,
    TupleTarget,
    Update,
    While,
)
from dplint.program.walk import walk
from dplint.readings.exact.laws import FormLaw, Term, law_key
from dplint.readings.exact.outputs import joined_form
from dplint.readings.exact.terms import ZERO
from dplint.readings.exact.weights import Direction, Limits, direction

Law = Mapping[Hashable, FormLaw]


@dataclass(frozen=True, slots=True)
class Components:
    """programs: each returns a tuple of some neighbouring elements of the output, in order. kind: of the output."""

    programs: tuple[Program, ...]
    kind: type


def components_of(program: Program) -> Components | None:
    """The independent parts of an unfolded program; None where there is one alone, or none that can split paths."""
    statements, last = program.body[:-1], program.body[-1] if program.body else None
    if not isinstance(last, Return) or not isinstance(last.value, TupleDisplay | ListDisplay):
        return None
    if len(last.value.elements) < 2:
        return None
    if any(isinstance(node, Raise | Opaque) for node in walk(program)):
        return None
    if any(isinstance(node, Return) for node in walk(statements)):
        return None
    parts = _parts(statements, last.value.elements)
    if sum(any(map(_splits, (*body, *made))) for body, made in parts) < 2:
        return None
    programs = tuple(
        replace(program, body=(*body, replace(last, value=TupleDisplay(elements, last.value.span))))
        for body, elements in parts
    )
    return Components(programs, tuple if isinstance(last.value, TupleDisplay) else list)


def _parts(
    statements: Sequence[Statement], elements: Sequence[Expression]
) -> list[tuple[list[Statement], tuple[Expression, ...]]]:
    """Statements with the neighbouring elements that they make; one part alone where they have to stay together."""
    nodes: list[Node] = [*statements, *elements]
    written = {name for node in walk(statements) for name in _written(node)}
    groups: list[tuple[set[str], set[int]]] = []
    for index, one in enumerate(nodes):
        names, members = {node.id for node in walk(one) if isinstance(node, Name)} & written, {index}
        apart = []
        for group in groups:
            if group[0] & names:
                names |= group[0]
                members |= group[1]
            else:
                apart.append(group)
        groups = [*apart, (names, members)]
    count = len(statements)
    made = sorted((members for _, members in groups if max(members) >= count), key=max)
    # What makes no element is walked with the first part, for it may be refused, or raise an exception.
    made[0].update(*(members for _, members in groups if max(members) < count))
    found: list[tuple[list[Statement], tuple[Expression, ...]]] = []
    for members in made:
        places = sorted(member - count for member in members if member >= count)
        if places != list(range(places[0], places[-1] + 1)):
            return [(list(statements), tuple(elements))]
        body = [statements[member] for member in sorted(members) if member < count]
        found.append((body, tuple(elements[place] for place in places)))
    return found


def _written(node: Node) -> set[str]:
    """The variables that a statement assigns or changes; those of a comprehension are its own."""
    match node:
        case Assign(targets=targets):
            return set().union(*map(_names, targets))
        case AugAssign(target=target) | For(target=target):
            return _names(target)
        case Update(name=name):
            return {name.id}
    return set()


def _names(target: Target) -> set[str]:
    match target:
        case Name(id=name):
            return {name}
        case TupleTarget(elements=elements):
            return set().union(*map(_names, elements))
        case ItemTarget(name=name):
            return {name.id}
    return set()


def _splits(part: Node) -> bool:
    """Whether it may take several ways: else a product would save nothing."""
    return any(isinstance(node, If | For | While | CallFunction | Comprehension) for node in walk(part))


def product_law(laws: Sequence[Law], kind: type) -> dict[Hashable, FormLaw]:
    """The law of an output of independent parts."""
    found: dict[Hashable, FormLaw] = {}
    for forms in itertools.product(*[law.values() for law in laws]):
        sizes = [one.size for one in forms]
        form = joined_form([one.form for one in forms], kind, sizes, [len(one.terms[0].latents) for one in forms])
        inverse = tuple(
            (*[ZERO] * sum(sizes[:part]), *row, *[ZERO] * sum(sizes[part + 1 :]))
            for part, one in enumerate(forms)
            for row in one.inverse
        )
        for terms in itertools.product(*[one.terms for one in forms]):
            term = _joined(terms, sizes)
            key = law_key(form, inverse, term.functions)
            if key not in found:
                found[key] = FormLaw(form, inverse)
            found[key].terms.append(term)
    return found


def _joined(terms: Sequence[Term], sizes: Sequence[int]) -> Term:
    limits: dict[Direction, Limits] = {}
    for part, term in enumerate(terms):
        before = sum(sizes[:part])
        for where, bounds in term.limits.items():
            limits[direction((before + index, a) for index, a in where)] = bounds
    return Term(
        number=math.prod((term.number for term in terms[1:]), start=terms[0].number),
        functions=tuple(function for term in terms for function in term.functions),
        limits=limits,
        latents=tuple(latent for term in terms for latent in term.latents),
    )
