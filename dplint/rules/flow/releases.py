"""In which form noisy values leave a function: themselves, as the largest of several, as the answer to a test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from dplint.rules.flow.exposure import Exposed
from dplint.rules.flow.terms import Sink, Term, TermKind, innermost, inside
from dplint.rules.flow.vocabulary import SELECTIONS


class Form(Enum):
    """How a value takes part in what is released."""

    VALUE = "value"
    MAXIMUM = "maximum"
    """As the largest or smallest of several, or as one of the sorted ones."""
    TEST = "test"
    """As the answer to a comparison, one of several that are reported."""
    CHOSEN = "chosen"
    """As what decided on an index."""
    OTHER = "other"


_SAME = frozenset(
    {"float", "int", "round", "list", "tuple", "array", "item", "tolist", "copy", "str", "f-string", "abs", "clip"}
    | {"astype", "reversed", "enumerate", "zip", "bool", "squeeze", "flatten", "ravel", "dict"}
)
_ENDS = frozenset({"max", "min", "sorted", "sort", "nlargest", "nsmallest", "topk", "partition", "msort"})
_PLACES = frozenset({"argmax", "argmin", "argsort", "index"})
_STORES = frozenset({"append", "store", "comp", "dictcomp", "yields", "insert", "add", "update", "extend"})


@dataclass(frozen=True, slots=True)
class Release:
    """A form in which a term is released. where: the term that gives it this form. sink: where it leaves."""

    form: Form
    where: Term
    sink: Sink


@dataclass(frozen=True, slots=True)
class _Step:
    term: Term
    form: Form
    where: Term
    stored: bool


class Releases:
    """For every term the forms in which it is released by return or yield."""

    def __init__(self, exposed: Exposed, sinks: Iterable[Sink]) -> None:
        self._exposed = exposed
        self._found: dict[Term, dict[Form, Release]] = {}
        for sink in sinks:
            if sink.kind in ("return", "yield"):
                self._walk(sink)

    def of(self, term: Term) -> dict[Form, Release]:
        """The forms in which a term is released."""
        return self._found.get(term, {})

    def _walk(self, sink: Sink) -> None:
        seen: set[tuple[Term, Form, bool]] = set()
        pending = [_Step(sink.term, Form.VALUE, sink.term, sink.kind == "yield")]
        while pending:
            step = pending.pop()
            if (step.term, step.form, step.stored) in seen:
                continue
            seen.add((step.term, step.form, step.stored))
            self._found.setdefault(step.term, {}).setdefault(step.form, Release(step.form, step.where, sink))
            if step.term.kind is not TermKind.DRAW:
                pending += self._next(step)

    def _next(self, step: _Step) -> Iterable[_Step]:
        term = step.term
        match term.kind:
            case TermKind.CONTAINER:
                stored = step.stored or term.name in _STORES
                args = term.args[: term.value[1]] if isinstance(term.value, tuple) else term.args
                yield from (_Step(one, step.form, step.where, stored) for one in args)
                yield from self._decided(term.conditions, term, Form.TEST if step.form is Form.VALUE else step.form)
            case TermKind.LOOP | TermKind.EXIT | TermKind.CHOICE:
                yield from self._choice(step)
            case TermKind.OPERATION:
                yield from self._operation(step)
            case TermKind.COMPARISON:
                yield from self._comparison(step)
            case TermKind.CALL:
                yield from self._call(step)
            case TermKind.ELEMENT:
                yield _Step(term.args[0], step.form, step.where, step.stored)

    def _decided(self, conditions: Iterable[Term], where: Term, form: Form) -> Iterable[_Step]:
        for one in conditions:
            if one.kind is not TermKind.LENGTH and self._exposed.has_draws(one):
                yield _Step(one, form, where, True)

    def _choice(self, step: _Step) -> Iterable[_Step]:
        term = step.term
        containers = any(one.kind is TermKind.CONTAINER for one in term.args)
        for one in term.args:
            largest = step.form is Form.VALUE and any(_is_largest(one, condition) for condition in term.conditions)
            form, where = (Form.MAXIMUM, term) if largest else (step.form, step.where)
            yield _Step(one, form, where, step.stored)
        if step.form in (Form.VALUE, Form.MAXIMUM) and term.kind is TermKind.CHOICE:
            yield from self._decided(term.conditions, term, Form.TEST if containers or step.stored else Form.CHOSEN)

    def _comparison(self, step: _Step) -> Iterable[_Step]:
        form = step.form
        if form in (Form.VALUE, Form.TEST):
            first, second = step.term.args[0], step.term.args[-1]
            form = Form.TEST if step.stored else Form.OTHER
            if len(step.term.args) == 2 and (carries(second, first) or carries(first, second)):
                form = Form.CHOSEN
        for one in step.term.args:
            yield _Step(one, form, step.term, step.stored)

    def _operation(self, step: _Step) -> Iterable[_Step]:
        term, form = step.term, step.form
        if term.name == "[]":
            parts = _parts(term)
            if parts is not None:
                part, others = parts
                yield _Step(part, form, step.where, step.stored)
                for one in others:
                    yield _Step(one, Form.CHOSEN, term, step.stored)
                return
            index = term.args[1:]
            best = any(_selects(one, term.args[0]) for one in index)
            if form is Form.VALUE and best:
                yield _Step(term.args[0], Form.MAXIMUM, term, step.stored)
            else:
                yield _Step(term.args[0], form, step.where, step.stored)
            for one in index:
                yield _Step(one, Form.CHOSEN, term, step.stored)
            return
        noisy = [one for one in term.args if self._exposed.has_draws(one) and self._exposed.depends(one)]
        noise = [one for one in term.args if self._exposed.is_noise(one)]
        running = any(one.kind is TermKind.LOOP and term in one.args for one in term.args) and step.stored
        if form in (Form.VALUE, Form.MAXIMUM) and (len(noisy) + len(noise) > 1 or not noisy) and not running:
            form = Form.OTHER
        for one in term.args:
            yield _Step(one, form, step.where, step.stored)

    def _call(self, step: _Step) -> Iterable[_Step]:
        term, form = step.term, step.form
        where = step.where
        if (term.name in SELECTIONS and term.name not in _ENDS) or term.name == "next":
            form, where = Form.CHOSEN, term
        elif term.name in _ENDS and form in (Form.VALUE, Form.MAXIMUM):
            noisy = [one for one in term.args if self._exposed.has_draws(one)]
            if len(term.args) == 1 or term.name not in ("max", "min") or len(noisy) > 1 or term.keys[0] != "":
                form, where = Form.MAXIMUM, term
        elif term.name not in _SAME and form is not Form.CHOSEN:
            form, where = Form.OTHER, term
        for one in term.args:
            yield _Step(one, form, where, step.stored)


def carries(variable: Term, value: Term) -> bool:
    """Whether a variable may hold the value from an earlier round."""
    kept = (TermKind.LOOP, TermKind.CHOICE, TermKind.EXIT)
    return value is not variable and value in inside(variable, lambda one: one.kind in kept)


def _is_largest(value: Term, condition: Term) -> bool:
    """Whether a condition compares the value with what the same variable held before."""
    if condition.is_operation(("or", "and", "not")):
        return any(_is_largest(value, one) for one in condition.args)
    if condition.kind is not TermKind.COMPARISON or len(condition.args) != 2 or value not in condition.args:
        return False
    other = condition.args[1] if condition.args[0] is value else condition.args[0]
    return carries(other, value)


def _selects(index: Term, container: Term) -> bool:
    """Whether an index is that of the largest value in the container itself."""
    computed = (TermKind.CALL, TermKind.OPERATION)
    place = innermost(index, lambda one: one.kind in computed and not one.is_call(_PLACES))
    return place.is_call(_PLACES) and place.args[:1] == [container]


def _parts(term: Term) -> tuple[Term, list[Term]] | None:
    """For `max(pairs)[1]` and its like: the part of the winning tuple, and the parts that decided on it."""
    index, base = term.args[1], term.args[0]
    if len(term.args) != 2 or index.kind is not TermKind.CONSTANT or not isinstance(index.value, int):
        return None
    largest = base.is_call(("max", "min")) and len(base.args) == 1
    at = base.is_operation("[]") and _is_number(base.args[1])
    if not largest and not at and base.kind is not TermKind.ELEMENT:
        return None
    record = _record(base.args[0])
    if record is None or not -len(record.args) <= index.value < len(record.args):
        return None
    return record.args[index.value], [one for one in record.args if one is not record.args[index.value]]


def _is_number(term: Term) -> bool:
    return term.kind is TermKind.CONSTANT and isinstance(term.value, int)


def _record(container: Term) -> Term | None:
    """The tuple that a list of tuples is made of, sorted or not."""
    for _ in range(10):
        if container.is_call(_ENDS | _SAME) and container.args:
            container = container.args[0]
        elif container.kind in (TermKind.EXIT, TermKind.LOOP, TermKind.CHOICE):
            container = container.args[-1]
        elif container.is_container("sort"):
            container = container.args[0]
        elif container.is_container(("comp", "append")):
            element = container.args[0] if container.name == "comp" else container.args[-1]
            return element if element.is_container("tuple") else None
        else:
            return None
    return None
