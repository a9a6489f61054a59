"""How the data is used before noise meets it: as one value, a vector of answers, or records; and what a record is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dplint.claims import Literal, Parameter
from dplint.rules.flow.terms import Graph, Term, TermKind
from dplint.rules.flow.vocabulary import AGGREGATES, CLIPS, SELECTIONS
from dplint.rules.suggesting.budget import Budget, Surroundings
from dplint.rules.suggesting.data_choice import parameter_of, touching
from dplint.rules.suggesting.noise_uses import UNCHANGED, NoiseUse, Way, ancestors

_SCALARS = frozenset({"int", "float", "bool", "str"})
_GROUPS = frozenset({"Counter", "histogram", "bincount", "value_counts", "groupby", "count", "unique", "crosstab"})
_SUMS = frozenset({"sum", "mean", "dot", "norm", "var", "std", "prod", "cumsum", "fsum"})
_SELECTING = SELECTIONS | {"max", "argmax", "argmin", "max-by", "min-by", "index"}
_VECTOR_NAME = re.compile(
    r"counts?$|hist|scores?$|s$|vec|arr|grad|weights|matrix|answers|x$|X$|data|table|update|param|tensor|theta"
)
_ANSWERS = re.compile(
    r"^(?:quer(?:y|ies)|answers|counts|(?:\w+_)?scores|utilit(?:y|ies)|qualit(?:y|ies)|hist(?:ogram)?|noisy_\w+)$"
)
"""Names of vectors of answers, also where these are added up."""
_SEQUENCE = re.compile(r"list|tuple|Sequence|Iterable|ndarray|NDArray|array|Series|DataFrame|Tensor|dict|set")
_BOUNDS_NAME = re.compile(r"^(?:(?:data|value|input|clip(?:ping)?)_)?(?:bounds|range)(?:_[xX])?$")
"""Who says how large a record may be has records, however they are used."""
_SIZE = re.compile(r"\.(?:shape|ndim|size)$|^(?:shape|ndim|size)$")
_SELECTS = re.compile(r"exponential_mech|Exponential$|Exponential\.|permute_and_flip|PermuteAndFlip|noisy_max")
"""Libraries' choices of the best one."""
_COIN_DOMAIN: list[Literal] = [0, 1]
_GUESSED_HIGH = 100
_MEANS = frozenset({"mean", "var", "std", "nanmean", "nanvar", "nanstd", "average"})
_ENDS = frozenset({"min", "max", "nanmin", "nanmax", "any", "all", "abs", "values", "to_numpy", "ravel", "flatten"})
_FITS = re.compile(r"^_?(?:partial_)?fit(?:_|$)|^_?train(?:_|$)")
"""Names of functions to which records are handed, whatever becomes of them there."""
_LEAST_WIDTH = 0.1
"""What is narrower is a tolerance, and no range of values."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a claim may say of the data.

    relation: the name of a relation. domain: None where the relation needs none, or the annotation says it. doubts:
    what is uncertain, in words.
    """

    relation: str
    domain: Literal = None
    sensitivity: float | None = None
    doubts: tuple[str, ...] = ()
    args: tuple[tuple[str, Literal], ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """The terms between data and noise, and what stands in them."""

    data: str
    parameter: Parameter | None
    uses: Sequence[NoiseUse]
    way: Sequence[Term]
    elements: frozenset[Term]
    given: set[str]
    graph: Graph

    @property
    def annotation(self) -> str:
        return (self.parameter.annotation or "").strip("\"'") if self.parameter is not None else ""

    def calls(self, names: frozenset[str]) -> bool:
        return any(one.kind is TermKind.CALL and one.name in names for one in self.way)

    @property
    def counts(self) -> bool:
        return any(one.kind is TermKind.LENGTH for one in self.way) or self.calls(_GROUPS)

    @property
    def sums(self) -> bool:
        """Whether values are added up, not only counted."""
        added = [one for one in self.way if one.kind is TermKind.CALL and one.name in _SUMS and one.args]
        added = [one for one in added if not _counts_only(one.args[0])]
        return bool(added) or (not self.counts and not self.calls(_SUMS))

    @property
    def aggregates(self) -> bool:
        """Whether many values become one before noise is added."""
        running = any(one.kind is TermKind.LOOP and one in self.way for one in self.graph.terms)
        return self.calls(AGGREGATES) or self.counts or (running and bool(self.elements))


def _counts_only(term: Term) -> bool:
    """Whether each element is a number that has nothing to do with the record, or a truth."""
    element = term.args[0] if term.kind is TermKind.CONTAINER and term.name == "comp" else term
    return element.kind in (TermKind.CONSTANT, TermKind.COMPARISON)


def read_usage(
    data: str, uses: Sequence[NoiseUse], graph: Graph, around: Surroundings, budget: Budget, docstring: str
) -> Usage:
    """How these uses have the data."""
    given = {one.name for one in around.parameters} | {"self"}
    parameter = next((one for one in around.parameters if one.name == data), None)
    way = touching(data, (one for use in uses for one in use.operands), given)
    seen = _Seen(data, parameter, uses, way, frozenset(_elements(way)), given, graph)
    if all(use.way is Way.COIN for use in uses):
        return _of_coins(seen, around)
    records = seen.aggregates or any(_BOUNDS_NAME.match(one.name) for one in around.parameters)
    records = records or _FITS.search(around.function) is not None or "DataFrame" in seen.annotation
    if not records and all(use.way is Way.LIBRARY for use in uses):
        return _of_answers(seen, around, budget, selected=_is_selected(uses, graph))
    if records and not _is_scalar_annotation(seen.annotation) and not _ANSWERS.search(data):
        return _of_records(seen, around, budget, docstring)
    return _of_answers(seen, around, budget, selected=_is_selected(uses, graph))


def _elements(way: Sequence[Term]) -> Iterator[Term]:
    """What a loop over the data gives, and the data's elements by index."""
    known = set(way)
    for one in way:
        if one.kind is TermKind.ELEMENT or (one.name == "[]" and one.args[0] in known):
            yield one


def _is_scalar_annotation(annotation: str) -> bool:
    return {part.strip() for part in annotation.split("|")} <= _SCALARS and bool(annotation)


# one value, locally


def _of_coins(seen: _Seen, around: Surroundings) -> Usage:
    domain = _compared(seen) or _asserted(seen)
    doubts: tuple[str, ...] = ()
    if domain is None and not re.search(r"\bbool\b|Literal", seen.annotation):
        value = around.value(seen.data)
        domain = [False, True] if isinstance(value, bool) or "not" in {one.name for one in seen.way} else _COIN_DOMAIN
        doubts = (f"nothing says what values `{seen.data}` may have: {domain} is a guess",)
    if _SEQUENCE.search(seen.annotation) or any(_is_data(one.args[0], seen) for one in seen.elements if one.args):
        return Usage("replace-one", domain, doubts=doubts)
    return Usage("any", domain, doubts=doubts)


def _is_data(term: Term, seen: _Seen) -> bool:
    """Whether a term is the data itself, and nothing of another length that was made of it, as a unary code is."""
    while term.kind is not TermKind.SYMBOL:
        kept = term.kind in (TermKind.CALL, TermKind.ELEMENT, TermKind.EXIT, TermKind.CHOICE) or term.name == "[]"
        if not kept or not term.args or (term.kind is TermKind.CALL and term.name not in UNCHANGED):
            return False
        term = term.args[0]
    return parameter_of(term, seen.given) == seen.data


# a vector of answers, or one


def _is_selected(uses: Sequence[NoiseUse], graph: Graph) -> bool:
    """Whether the noisy values are there to choose the largest or smallest of."""
    if any(use.way is Way.WEIGHTS or _SELECTS.search(str(getattr(use.draw.value, "spelling", ""))) for use in uses):
        return True
    users = graph.users()
    pending = [use.meets for use in uses]
    seen = set(pending)
    while pending:
        one = pending.pop()
        for user in users.get(one, ()):
            if one not in user.args:
                continue  # it decides, and is not chosen
            if user.kind is TermKind.CALL and user.name in _SELECTING:
                return True
            if user.kind in (TermKind.CONTAINER, TermKind.EXIT, TermKind.LOOP, TermKind.CHOICE) and user not in seen:
                seen.add(user)
                pending.append(user)
    return False


def _of_answers(seen: _Seen, around: Surroundings, budget: Budget, *, selected: bool) -> Usage:
    sensitivity = budget.sensitivity if budget.sensitivity not in (None, 1.0) else None
    if selected and _is_among_candidates(seen):
        doubt = f"nothing says what values `{seen.data}` may have: (0.0, 1.0) is a guess"
        each = seen.elements or _SEQUENCE.search(seen.annotation)
        return Usage("replace-one" if each else "any", (0.0, 1.0), doubts=(doubt,))
    if selected or any(use.meets.kind is TermKind.COMPARISON for use in seen.uses):
        return Usage("linf")
    several = seen.elements or _SEQUENCE.search(seen.annotation) or _is_sized(seen)
    normal = any(use.draw.name in ("normal", "gauss") for use in seen.uses)
    if _is_scalar_annotation(seen.annotation):
        args: list[tuple[str, Literal]] = []
        bounds = _clipped(seen, around, args) or _asserted(seen)
        if bounds is not None:
            return Usage("any", bounds, args=tuple(args))
        return Usage("l1", sensitivity=sensitivity, doubts=_of_number(sensitivity))
    if several:
        return Usage("l2" if normal else "l1", sensitivity=sensitivity, doubts=_of_number(sensitivity))
    name = seen.data.rpartition(".")[2]
    if _VECTOR_NAME.search(name):
        doubt = f"`{name}` is taken for a vector of answers; if it is one number, annotate it `{name}: float`"
        return Usage("l2" if normal else "l1", sensitivity=sensitivity, doubts=(doubt,))
    width = budget.sensitivity or 1.0
    doubt = f"`{name}` is taken for one number, which neighbours move by {width:g} at most"
    return Usage("any", (0.0, float(width)), doubts=(doubt,))


def _is_among_candidates(seen: _Seen) -> bool:
    """Whether a choice is made by the distance of each candidate, which is public, to the one value that is private."""
    for one in ancestors(operand for use in seen.uses for operand in use.operands):
        if one.kind is TermKind.OPERATION and one.name == "-" and len(one.args) == 2:
            first, second = one.args
            for value, other in ((first, second), (second, first)):
                grid = other.name in ("linspace", "arange") or other.kind is TermKind.ELEMENT
                if value in seen.way and grid and other not in seen.way:
                    return True
    return False


def _of_number(sensitivity: float | None) -> tuple[str, ...]:
    """A factor of the noise need not be what the data moves by: it may be the very mistake."""
    return () if sensitivity is None else (f"sensitivity={sensitivity:g} is what the noise is enough for",)


def _is_sized(seen: _Seen) -> bool:
    """Whether there is more noise than one number."""
    return any(getattr(use.draw.value, "sized", False) and use.way is Way.ADDED for use in seen.uses) and not any(
        use.draw.argument("loc") is not None and use.draw is use.meets for use in seen.uses
    )


# records


def _of_records(seen: _Seen, around: Surroundings, budget: Budget, docstring: str) -> Usage:
    relation = "replace-one" if _is_size_public(seen) else "add-remove"
    args: list[tuple[str, Literal]] = []
    domain: Literal = _columns(seen) or _given_bounds(around, args) or _clipped(seen, around, args)
    domain = domain or _compared(seen) or _asserted(seen)
    doubts: list[str] = []
    if domain is None:
        domain = _told(seen.data, docstring)
    if domain is None and not re.search(r"\bbool\b|Literal", seen.annotation):
        around_it = _thresholds(seen)
        if around_it is not None:
            domain = around_it
            doubts.append(
                f"nothing says what a record of `{seen.data}` may be: {domain} is around what it is compared with"
            )
        elif re.search(r"\bstr\b", seen.annotation):
            domain = ["a", "b", "c"]
            doubts.append(f"nothing says what a record of `{seen.data}` may be: {domain} is a guess")
        elif seen.sums:
            high = budget.sensitivity or 1.0
            domain = (0.0, float(high))
            doubts.append(f"nothing bounds a record of `{seen.data}`: {domain} is what the noise is enough for")
        else:
            domain = (0, _GUESSED_HIGH)
            doubts.append(f"nothing says what a record of `{seen.data}` may be: {domain} is a guess")
    elif isinstance(domain, dict):
        doubts.append("what the columns hold is a guess")
    return Usage(relation, domain, doubts=tuple(doubts), args=tuple(args))


def _is_size_public(seen: _Seen) -> bool:
    """Whether the number of records is used where no noise is: a mean divides by it, a scale is proportional to it."""
    measured = set(ancestors(one for use in seen.uses for one in use.measure))
    if any(_counts_records(one, seen) for one in measured) or seen.calls(_MEANS):
        return True
    spellings = [str(getattr(use.draw.value, "spelling", "")) for use in seen.uses if use.way is Way.LIBRARY]
    if any(one.rpartition(".")[2] in _MEANS for one in spellings):
        return True
    return any(
        one.name == "/" and len(one.args) == 2 and any(_counts_records(two, seen) for two in ancestors(one.args[1:]))
        for one in seen.way
    )


def _counts_records(term: Term, seen: _Seen) -> bool:
    """Whether a term is the number of records: the length of the data, or of what has one entry for each of them."""
    return term.kind is TermKind.LENGTH and _is_value(term.args[0], seen)


def _is_value(term: Term, seen: _Seen) -> bool:
    """Whether a term is the data, one of its records, a column, or the largest or smallest of those."""
    for _ in range(20):
        if term.kind is TermKind.SYMBOL:
            return parameter_of(term, seen.given) == seen.data
        clipped = term.kind is TermKind.CALL and CLIPS.search(term.name.rpartition(".")[2]) is not None
        plain = term.kind is TermKind.CALL and term.name in UNCHANGED | _ENDS
        kept = term.kind in (TermKind.ELEMENT, TermKind.EXIT) or term.name in ("[]", "neg")
        if not (clipped or plain or kept) or not term.args:
            return False
        term = term.args[0]
    return False


def _clipped(seen: _Seen, around: Surroundings, args: list[tuple[str, Literal]]) -> Literal:
    """The bounds that values are clipped to; parameters among them get values."""
    for one in seen.way:
        if one.kind is not TermKind.CALL:
            continue
        bounds: list[Term] = []
        if CLIPS.search(one.name.rpartition(".")[2]) and len(one.args) >= 3:
            bounds = list(one.args[1:3])
        elif one.name in ("min", "max", "minimum", "maximum") and len(one.args) == 2:
            inner = next(
                (two for two in one.args if two.kind is TermKind.CALL and two.name[:3] in ("max", "min")), None
            )
            outer = next((two for two in one.args if two is not inner and two not in seen.way), None)
            other = next((two for two in inner.args if two not in seen.way), None) if inner is not None else None
            bounds = [] if outer is None or other is None else [outer, other]
        values = [_bound(two, around, args, index) for index, two in enumerate(bounds)]
        known = [value for value in values if value is not None]
        if len(known) == 2 and abs(known[0] - known[1]) >= _LEAST_WIDTH:
            return (min(known), max(known))
    return None


def _given_bounds(around: Surroundings, args: list[tuple[str, Literal]]) -> Literal:
    """Bounds that a caller hands over as one argument, which gets 0 and 1; None if there is no such parameter."""
    for one in around.parameters:
        if _BOUNDS_NAME.match(one.name) and not isinstance(around.value(one.name), tuple):
            args.append((one.name, (0.0, 1.0)))
            return (0.0, 1.0)
    return None


def _bound(term: Term, around: Surroundings, args: list[tuple[str, Literal]], index: int) -> float | None:
    """The value of a bound; a parameter without one is given 0 as the lower one and 1 as the upper one."""
    if term.kind is TermKind.OPERATION and term.name == "neg":
        value = _bound(term.args[0], around, args, 1)
        return None if value is None else -value
    if term.kind is TermKind.CONSTANT and isinstance(term.value, int | float) and not isinstance(term.value, bool):
        return term.value
    if term.kind is TermKind.SYMBOL:
        known = around.value(term.name)
        if isinstance(known, int | float) and not isinstance(known, bool):
            return known
        if around.is_parameter(term.name):
            given = float(index)
            if (term.name, given) not in args:
                args.append((term.name, given))
            return given
    return None


def _compared(seen: _Seen) -> list[Literal] | None:
    """The values that an element is compared with, and one more."""
    texts: dict[str, None] = {}
    for one in ancestors(seen.way):
        if (
            one.kind is TermKind.COMPARISON
            and one.name in ("==", "!=", "in")
            and any(two in seen.way for two in one.args)
        ):
            for two in one.args:
                if two.kind is TermKind.CONSTANT and isinstance(two.value, str):
                    texts[two.value] = None
    if not texts:
        return None
    return [*texts, "other" if "other" not in texts else "another"]


def _columns(seen: _Seen) -> dict[str, Literal] | None:
    """The columns that are asked for by name."""
    found: dict[str, Literal] = {}
    compared: list[Literal] = list(_compared(seen) or ())
    own = {
        one.args[1].value
        for one in seen.graph.terms
        if one.kind is TermKind.CONTAINER and one.name == "store" and len(one.args) == 3
    }
    for one in seen.way:
        if one.kind is TermKind.OPERATION and one.name == "[]" and len(one.args) == 2 and one.args[0] in seen.way:
            key = one.args[1].value if one.args[1].kind is TermKind.CONSTANT else None
            if isinstance(key, str) and key not in own:
                found[key] = compared or (0, _GUESSED_HIGH)
    return found or None


def _asserted(seen: _Seen) -> Literal:
    """The bounds that an `assert`, or an `if` with a `raise`, keeps values to."""
    numbers: list[float] = []
    for sink in seen.graph.sinks:
        if sink.kind != "raise":
            continue
        for one in ancestors(sink.guards):
            orders = one.kind is TermKind.COMPARISON and any(set(name) & set("<>") for name in one.name.split())
            if orders and any(_is_value(two, seen) and not _SIZE.search(two.name) for two in one.args):
                values = [two.value for two in one.args if two.kind is TermKind.CONSTANT]
                numbers += [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    if not numbers or max(numbers) - min(numbers) < _LEAST_WIDTH:
        return None
    return (min(numbers), max(numbers))


def _thresholds(seen: _Seen) -> tuple[int, int] | None:
    """Whole numbers around those that elements are compared with."""
    numbers = [
        two.value
        for one in ancestors(seen.way)
        if one.kind is TermKind.COMPARISON and any(_is_value(three, seen) for three in one.args)
        for two in one.args
        if two.kind is TermKind.CONSTANT and isinstance(two.value, int | float) and not isinstance(two.value, bool)
    ]
    if not numbers or max(map(abs, numbers)) > 10**9:
        return None
    low, high = min(0, *map(int, numbers)), max(1, *map(int, numbers))
    return (2 * low, 2 * high)


def _told(data: str, docstring: str) -> Literal:
    """A range that the docstring gives: "ages: between 0 and 120", "values in [0, 1]"."""
    number = r"(-?\d+(?:\.\d+)?)"
    for line in docstring.splitlines():
        if re.search(rf"\b{re.escape(data)}\b", line):
            found = re.search(rf"(?:between|in|within|from)\s*[\[(]?\s*{number}\s*(?:,|and|to)\s*{number}", line)
            if found is not None:
                low, high = ((float(one) if "." in one else int(one)) for one in found.groups())
                return (low, high) if low < high else None
    return None
