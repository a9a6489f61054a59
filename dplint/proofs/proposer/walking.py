"""Runs of the checker on a sample of arguments and neighbours, along given decisions, and what they show as forms.

What a program means the checker's own runs say. Here arguments and records are known, and what is asked of answers is
decided by those of the sample. The proposer may be wrong, so nothing is lost by what both read alike.
"""

# ruff: noqa: ARG002 - a protocol is implemented, and not all of it is needed
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, TypeVar

import z3

from dplint.claims import Span
from dplint.program.nodes import Draw, For, Program, While
from dplint.proofs.checker import laws
from dplint.proofs.checker.bags import LENGTH
from dplint.proofs.checker.endless import Endless, EndlessWalk, Stage
from dplint.proofs.checker.expressions import Made
from dplint.proofs.checker.intervals import Between, Intervals
from dplint.proofs.checker.releases import Released, ReleasingWalk
from dplint.proofs.checker.values import (
    NOISY,
    NOWHERE,
    Cell,
    Entries,
    Grown,
    Items,
    Leaves,
    Live,
    Mask,
    Mixed,
    Series,
    Table,
    Value,
    Values,
    is_number,
    is_term,
    sort,
    term,
)
from dplint.proofs.checker.walking import Walk
from dplint.proofs.proposer.forms import Form, Key, NoProposal, named
from dplint.proofs.terms import NoNumber, NumbersOfTerms, Parts
from dplint.sites import DrawSite

_ANYTHING: Between = (1.0, 1.0)
_LONG = 7
"""How long data of any length is on a sample."""


class NoDecision(Exception):
    """The run asks for a decision that it was not given. options: how many ways there are."""

    def __init__(self, options: int) -> None:
        super().__init__(options)
        self.options = options


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition that noise or state has a part in, and how it came out."""

    span: Span
    holds: bool


@dataclass(slots=True)
class Drawn:
    """A draw: base is what it was added to first, without noise."""

    site: DrawSite
    distribution: str
    scale: Fraction
    base: Form | None = None

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.site.span


@dataclass(slots=True)
class Walked:
    """What a run has shown.

    conditions: forms that are >= 0 on its path, or > 0 where `strict` says so. equalities: whether forms are 0.
    watched: operands that have to be equal in both runs. asked: what was decided of noise. state: of a loop, where the
    next turn begins; None if none does. looked: whether it hangs on the numbers of the sample.
    """

    conditions: list[Form] = field(default_factory=list)
    strict: list[bool] = field(default_factory=list)
    draws: list[Drawn] = field(default_factory=list)
    equalities: list[tuple[Form, bool]] = field(default_factory=list)
    watched: list[Any] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    output: Any = None
    state: dict[str, Any] | None = None
    looked: bool = False


def numbers_of(sample: Mapping[Key, Fraction], parts: Parts | None = None) -> NumbersOfTerms:
    """The numbers of terms on a sample; 0 for variables that it does not name. parts: of what terms are made."""
    numbers = NumbersOfTerms(named(sample), {LENGTH.decl().name(): _LONG}, parts=parts)
    numbers.values.maps.append(defaultdict(int))
    return numbers


def at_sample(numbers: NumbersOfTerms, value: Value) -> Any:
    """The number that a term without noise is. Raises NoProposal."""
    try:
        return numbers.of(value)
    except NoNumber as error:
        raise NoProposal(str(error)) from None


class _Known:
    """Decides noise as it is told, and all else by the numbers of a sample. Implements `Decider`.

    asked: of which terms what numbers they are. A run does for all samples on which they are the same.
    """

    def __init__(self, decisions: Sequence[int], numbers: NumbersOfTerms, leaves: Leaves) -> None:
        self.numbers = numbers
        self.asked: list[tuple[z3.ExprRef, Any]] = []
        self._left, self._leaves = list(decisions), leaves

    def noisy(self, options: Sequence[z3.BoolRef]) -> int:
        """The next of the decisions. Raises NoDecision where there is none."""
        if not self._left:
            raise NoDecision(len(options))
        return self._left.pop(0)

    def argument(self, condition: z3.BoolRef) -> Mask:
        """Whether it holds."""
        return bool(self.at(condition))

    def assume(self, *facts: z3.BoolRef) -> None:
        """Nothing rests on them."""

    def certain(self, condition: z3.BoolRef) -> bool:
        """Whether it holds on the sample; of noise the checker will ask."""
        return self._leaves.noisy(condition) or bool(self.at(condition))

    def at(self, value: Value) -> Any:
        """The number that a term without noise is on the sample."""
        if not is_term(value):
            return value
        found = at_sample(self.numbers, value)
        self.asked.append((value, found))
        return found


class _Anywhere(Intervals):
    """Numbers that no machine finds too large, which the checker looks after."""

    def of(self, value: Value) -> Between:
        """One number, whatever it is."""
        return _ANYTHING


class _Sampled(Walk):
    """The part of a run that is on a sample."""

    decider: _Known

    def begin(self) -> None:
        """To be called before anything else."""
        self.intervals = _Anywhere()
        self.asked: list[Asked] = []
        self.sites: list[DrawSite] = []

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """As ever; what was decided of noise is written down."""
        before = len(self.conditions)
        holds = super().truth(value, active, span)
        if len(self.conditions) > before:
            self.asked.append(Asked(span, bool(holds)))
        return holds

    def decided(self, condition: Mask, active: Mask) -> Mask:
        """As ever; what data decides is known."""
        found = super().decided(condition, active)
        return found if isinstance(found, bool) else bool(self.decider.at(found))

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """As ever; which items there are is known."""
        part = super().subscript(value, index, active, span)
        if isinstance(part, Items) and not part.plain:
            there = [self.decider.at(guard) for guard in part.guards]
            part = Items.of(part.kind, [one for one, kept in zip(part.items, there, strict=True) if kept])
        return part

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """As ever; where draws were made is written down."""
        value = super().draw(node, parameters, size, active, site)
        self.sites += [site] * (len(self.draws) - len(self.sites))
        return value

    def walked(self, state: Values | None = None) -> Walked:
        """What the run has shown. state: what else it holds in the end."""
        asked = self.decider.asked.copy()
        shown, forms = Walked(asked=self.asked), _Forms(self)
        for condition in self.conditions:
            forms.note(shown, condition, holds=True)
        for drawn, site in zip(self.draws, self.sites, strict=True):
            base = None if drawn.base is None else forms.of(drawn.base)
            width = Fraction(1 if drawn.distribution == laws.RELEASE else self.decider.at(drawn.scale))
            if width <= 0:
                raise NoProposal("noise of this scale")
            shown.draws.append(Drawn(site, drawn.distribution, width, base))
        ends = [one for one in self.outputs if self.decider.at(one.mask)]
        if ends:
            kind, value = ends[0].kind, ends[0].value
            shown.output = (kind, forms.plain(value) if kind == "value" else None)
        shown.state = None if state is None else {name: forms.plain(value) for name, value in state.items()}
        shown.watched = forms.watched
        shown.looked = any("d" in self.leaves.of(term) for term, _ in self.decider.asked)
        self.decider.asked = asked  # what forms are read from is asked anew on each sample
        return shown


class SampleWalk(_Sampled, ReleasingWalk):
    """A run on data of known length. run: 1 or 2."""

    def __init__(
        self, run: int, decisions: Sequence[int], numbers: NumbersOfTerms, leaves: Leaves, program: Program
    ) -> None:
        super().__init__(run, _Known(decisions, numbers, leaves), leaves, program)
        self.begin()


class StageWalk(_Sampled, EndlessWalk):
    """One stage of a run on data of any length."""

    def __init__(
        self, run: int, decisions: Sequence[int], numbers: NumbersOfTerms, leaves: Leaves, stage: Stage
    ) -> None:
        super().__init__(run, _Known(decisions, numbers, leaves), leaves, stage, NOWHERE, {})
        self.begin()

    def entering_loop(self, node: For | While, iterable: Value, active: Mask, live: Live) -> None:
        """The first loop over the data is that of the certificate."""
        if isinstance(iterable, Endless) and self._loop == NOWHERE:
            self._loop = node.span
        super().entering_loop(node, iterable, active, live)

    def _forgotten(self, name: str, value: Value, span: Span) -> Value:
        if is_number(value):
            make = z3.Int if sort(value) == "int" else z3.Real
            self._differences = {**self._differences, name: make(f"d:D:{name}")}
        return super()._forgotten(name, value, span)

    @property
    def loop(self) -> Span | None:
        """Where the loop stands; None if the run has not come to it."""
        return None if self._frame is None else self._loop


OneRun = TypeVar("OneRun", SampleWalk, StageWalk)


class Runs(Generic[OneRun]):
    """Runs that were made, which do for other samples, too."""

    def __init__(self) -> None:
        self.leaves, self.parts = Leaves(), Parts()
        self._made: dict[object, list[tuple[OneRun, NoDecision | None]]] = {}

    def of(
        self, key: object, numbers: NumbersOfTerms, begun: Callable[[], OneRun], end: Callable[[OneRun], None]
    ) -> OneRun:
        """The run on a sample. key: what else tells it apart. begun, end: make one. Raises NoDecision as it does."""
        for run, open_end in self._made.get(key, ()):  # noqa: B007 - the one that does is used below
            if all(at_sample(numbers, term) == found for term, found in run.decider.asked):
                break
        else:
            run, open_end = begun(), None
            try:
                end(run)
            except NoDecision as asked:
                open_end = asked
            self._made.setdefault(key, []).append((run, open_end))
        if open_end is not None:
            raise open_end
        run.decider.numbers = numbers
        return run


class _Forms:
    """Terms of a run as forms. watched: the operands of what is not linear."""

    def __init__(self, run: _Sampled) -> None:
        self.watched: list[Any] = []
        self._decider, self._leaves, self._parts = run.decider, run.leaves, run.decider.numbers.parts
        self._draws = {drawn.number.get_id(): number for number, drawn in enumerate(run.draws)}
        self._seen: dict[int, tuple[z3.ExprRef, Form]] = {}

    def of(self, value: Value) -> Form:
        """A number as a form."""
        if not is_term(value):
            return Form.number(Fraction(value))
        known = self._seen.get(value.get_id())
        if known is None:
            known = self._seen[value.get_id()] = value, self._read(term(value))
        return known[1]

    def plain(self, value: Value) -> Any:
        """A value with forms for its numbers: lists, tuples and dicts are Python's."""
        match value:
            case Items(kind=kind, items=items, guards=guards):
                listed = [self.plain(one) for one, there in zip(items, guards, strict=True) if self._decider.at(there)]
                return tuple(listed) if kind == "tuple" else listed
            case Entries(keys=keys, values=values):
                return dict(zip(keys, map(self.plain, values), strict=True))
            case Table(columns=columns) | Made(columns=columns):
                return {name: self.plain(column) for name, column in columns}
            case Series(values=inner) | Mixed(number=inner) | Cell(number=inner) | Released(number=inner):
                return self.plain(inner)
            case Grown(since=since):
                return [Grown, *map(self.plain, since)]
            case z3.BoolRef():
                if not self._leaves.noisy(value):
                    return bool(self._decider.at(value))
                parts = self._parts.of(value).parts
                sides = len(parts) == 2 and all(isinstance(one, z3.ArithRef) for one in parts)
                return self.of(parts[0]).plus(self.of(parts[1]), -1) if sides else list(map(self.plain, parts))
            case bool():
                return value
        return self.of(value) if is_number(value) else value

    def note(self, shown: Walked, condition: z3.BoolRef, *, holds: bool) -> None:
        """A condition of the path, part by part. Raises NoProposal where the parts are not known."""
        _, kind, parts, _ = self._parts.of(condition)
        if kind == z3.Z3_OP_NOT:
            self.note(shown, parts[0], holds=not holds)
        elif kind == (z3.Z3_OP_AND if holds else z3.Z3_OP_OR):
            for part in parts:
                self.note(shown, part, holds=holds)
        elif self._leaves.noisy(condition):
            if len(parts) != 2 or not all(isinstance(one, z3.ArithRef) for one in parts):
                raise NoProposal("what is asked of noise has several parts")
            left, right = map(self.of, parts)
            if kind in (z3.Z3_OP_GE, z3.Z3_OP_GT):
                left, right = right, left
            form = right.plus(left, -1)
            if kind == z3.Z3_OP_EQ:
                self.watched.append(form)
                shown.equalities.append((form, holds))
            else:
                shown.conditions.append(form if holds else form.times(-1))
                shown.strict.append((kind in (z3.Z3_OP_LT, z3.Z3_OP_GT)) == holds)

    def _read(self, value: z3.ArithRef) -> Form:
        number = self._parts.of(value).number
        if number is not None:
            return Form.number(Fraction(number))
        leaves = self._leaves.of(value)
        if not leaves & (NOISY | {"d"}):
            return Form.number(Fraction(self._decider.at(value)))
        if not self._parts.of(value).parts:
            return Form({self._key(value): Fraction(1)})
        found = self._linear(value)
        if found is not None:
            return found
        if not leaves & NOISY:
            return Form.number(Fraction(self._decider.at(value)))
        self.watched.append([self.plain(part) for part in self._parts.of(value).parts])
        return Form.variable("u", len(self.watched))

    def _linear(self, value: z3.ArithRef) -> Form | None:
        """A sum, a product with a number, or one of two numbers; None for all else."""
        _, kind, parts, _ = self._parts.of(value)
        if kind == z3.Z3_OP_ITE:
            return None if self._leaves.noisy(parts[0]) else self.of(parts[1 if self._decider.at(parts[0]) else 2])
        if kind == z3.Z3_OP_TO_REAL:
            return self.of(parts[0])
        if kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS):
            total = self.of(parts[0]).times(-1 if kind == z3.Z3_OP_UMINUS else 1)
            for part in parts[1:]:
                total = total.plus(self.of(part), 1 if kind == z3.Z3_OP_ADD else -1)
            return total
        if kind not in (z3.Z3_OP_MUL, z3.Z3_OP_DIV):
            return None
        product = self.of(parts[0])
        for form in map(self.of, parts[1:]):
            one, other = (product, form) if form.constant is not None or kind == z3.Z3_OP_DIV else (form, product)
            if other.constant is None or (kind == z3.Z3_OP_DIV and not other.constant):
                return None
            product = one.times(1 / other.constant if kind == z3.Z3_OP_DIV else other.constant)
        return product

    def _key(self, variable: z3.ArithRef) -> Key:
        drawn = self._draws.get(variable.get_id())
        if drawn is not None:
            return "n", drawn
        kind, _, name = variable.decl().name().partition(":")
        if kind == "v":
            return "v", name
        return ("D", name[2:]) if name.startswith("D:") else (name[0], int(name[1:]))
