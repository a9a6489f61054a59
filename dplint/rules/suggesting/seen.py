"""What stands between data and noise, and what of it is data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dplint.claims import Parameter
from dplint.rules.flow.terms import Graph, Term, TermKind
from dplint.rules.flow.vocabulary import AGGREGATES, CLIPS
from dplint.rules.suggesting.data_choice import parameter_of
from dplint.rules.suggesting.noise_uses import UNCHANGED, NoiseUse

_GROUPS = frozenset({"Counter", "histogram", "bincount", "value_counts", "groupby", "count", "unique", "crosstab"})
_SUMS = frozenset({"sum", "mean", "dot", "norm", "var", "std", "prod", "cumsum", "fsum"})
_TABLE = re.compile(r"DataFrame|Dataset|\bTable\b|^(?:typing\.)?[lL]ist\[(?:typing\.)?[dD]ict\b")
TABLE_NAME = re.compile(r"(?:^|_)(?:df|dataframe|data_frame)$")
"""Names of tables."""
_ENDS = frozenset({"min", "max", "nanmin", "nanmax", "any", "all", "abs", "values", "to_numpy", "ravel", "flatten"})


@dataclass(frozen=True, slots=True)
class Seen:
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
        """What the parameter is annotated with, or nothing."""
        return (self.parameter.annotation or "").strip("\"'") if self.parameter is not None else ""

    @property
    def is_table(self) -> bool:
        """Whether the data is a table, by its annotation or its name."""
        return _TABLE.search(self.annotation) is not None or TABLE_NAME.search(self.data) is not None

    def calls(self, names: frozenset[str]) -> bool:
        """Whether a function of one of these names stands in between."""
        return any(one.kind is TermKind.CALL and one.name in names for one in self.way)

    @property
    def counts(self) -> bool:
        """Whether values are counted."""
        return any(one.kind is TermKind.LENGTH for one in self.direct) or self.calls(_GROUPS)

    @property
    def direct(self) -> list[Term]:
        """The terms in between that values are made of, and not only chosen by."""
        way, found = set(self.way), dict.fromkeys(one for use in self.uses for one in use.operands)
        for one in (pending := list(found)):
            values = one.args[:1] if one.name == "[]" else one.args if one.kind is not TermKind.DRAW else []
            new = [two for two in values if two in way and two not in found]
            found |= dict.fromkeys(new)
            pending += new
        return [one for one in found if one in way]

    @property
    def sums(self) -> bool:
        """Whether values are added up, not only counted."""
        added = [one for one in self.way if one.kind is TermKind.CALL and one.name in _SUMS and one.args]
        added = [one for one in added if not _counts_only(one.args[0])]
        return bool(added) or (not self.counts and not self.calls(_SUMS))

    @property
    def is_queried(self) -> bool:
        """Whether a query that the caller gives, a function or an object, is asked of the whole data."""
        calls = [one for one in self.way if one.kind is TermKind.CALL and one.args]
        given = [one for one in calls if one.value == one.name and (one.name in self.given or one.name == "element")]
        given += [one for one in calls if str(one.value)[:1] == "." and self._is_other(one.args[0])]
        return any(parameter_of(arg, self.given) == self.data for one in given for arg in one.args)

    def _is_other(self, term: Term) -> bool:
        return term.kind is TermKind.SYMBOL and parameter_of(term, self.given) not in (None, self.data)

    @property
    def aggregates(self) -> bool:
        """Whether many values become one before noise is added."""
        way = set(self.way)
        running = any(one.kind is TermKind.LOOP and one in way and not _collects(one) for one in self.graph.terms)
        return self.calls(AGGREGATES) or self.counts or (running and bool(self.elements))


def _collects(loop: Term) -> bool:
    """Whether each round only puts a value of its own into a list or dict, and adds nothing up."""
    backs = [way for back in loop.args[1:] for way in (back.args if back.kind is TermKind.CHOICE else [back])]
    for back in backs:
        if back is loop:
            continue
        stored = back.kind is TermKind.CONTAINER and back.name in ("store", "append") and back.args[0] is loop
        if not stored or any(one is loop for one in _but_for(back)):
            return False
    return len(loop.args) > 1


def _but_for(store: Term) -> Iterator[Term]:
    """What a value that is stored is made of, but for what stood at its own place: `row[key] + noise` in `row[key]`."""
    pending, seen = list(store.args[1:]), set(store.args[1:])
    while pending:
        one = pending.pop()
        yield one
        own = one.name == "[]" and len(store.args) == 3 and one.args == [store.args[0], store.args[1]]
        new = [two for two in one.inputs() if one.kind is not TermKind.DRAW and not own and two not in seen]
        seen.update(new)
        pending += new


def _counts_only(term: Term) -> bool:
    """Whether each element is a number that has nothing to do with the record, or a truth."""
    element = term.args[0] if term.kind is TermKind.CONTAINER and term.name == "comp" else term
    return element.kind in (TermKind.CONSTANT, TermKind.COMPARISON)


def counts_records(term: Term, seen: Seen) -> bool:
    """Whether a term is the number of records: the length of the data, or of what has one entry for each of them."""
    return term.kind is TermKind.LENGTH and is_value(term.args[0], seen)


def is_value(term: Term, seen: Seen) -> bool:
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


def holds_values(term: Term, seen: Seen) -> bool:
    """Whether a term is made of values of the data, and not only of how many there are."""
    pending, known = [term], {term}
    while pending:
        one = pending.pop()
        if parameter_of(one, seen.given) == seen.data:
            return True
        new = [other for other in one.inputs() if other not in known and one.kind is not TermKind.LENGTH]
        known.update(new)
        pending += new
    return False
