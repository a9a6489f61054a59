"""Whether the length of a value shows something of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dplint.rules.flow.columns import is_left_join
from dplint.rules.flow.dicts import has_fixed_keys, is_dict, one_for_one, states_before, whole_of
from dplint.rules.flow.terms import Term, TermKind, reached
from dplint.rules.flow.vocabulary import AGGREGATES, EXTREMES, PICKS, SAME_LENGTH, SELECTIONS

_RANK = {None: 0, "size": 1, "value": 2}
_PRODUCTS = frozenset({"matmul", "dot"})
"""Products of matrices, which have as many rows as the first."""
_JOINED = frozenset({"concatenate", "concat", "hstack", "vstack", "column_stack", "row_stack", "stack"})
"""Functions that put arrays beside or behind each other, as many rows as these have."""
_OF_TWO = frozenset({"numpy.maximum", "numpy.minimum", "numpy.fmax", "numpy.fmin"})
"""Functions of two arrays, number by number."""
_KNOWN = ("numpy.", "math.", "builtins.", "statistics.", "itertools.", "collections.")
"""Modules of which all that matters is in the vocabulary."""


class Lengths:
    """Answers for the terms of one graph. depends: whether a term depends on the data."""

    def __init__(self, depends: Callable[[Term], bool], *, private_size: bool) -> None:
        self._depends = depends
        self._private = private_size
        self._known: dict[Term, str | None] = {}

    def forget(self) -> None:
        """Start again, after `depends` has changed its mind."""
        self._known.clear()

    def exposure(self, term: Term) -> str | None:
        """None: the length is public; "size": it is that of the whole data, and private; "value": it tells more."""
        if term in self._known:
            return self._known[term]
        self._known[term] = None  # in a circle: as the rest says
        self._known[term] = found = self._find(term)
        return found

    def _worst(self, terms: Iterable[Term]) -> str | None:
        return max((self.exposure(term) for term in terms), key=_RANK.__getitem__, default=None)

    def _find(self, term: Term) -> str | None:  # noqa: C901, PLR0912 - one case a kind
        if term.kind is TermKind.DATA:
            if term.value == "scalar":
                return "value"
            return "size" if self._private else None
        if not self._depends(term):
            return None
        match term.kind:
            case TermKind.CONTAINER:
                return self._container(term)
            case TermKind.CHOICE if one_for_one(term) is not term:
                return self.exposure(one_for_one(term))
            case TermKind.LOOP | TermKind.CHOICE | TermKind.EXIT:
                roots = _roots(term)
                if roots is not None:
                    return self._worst(roots)
                if any(self._depends(one) for one in term.conditions if one.kind is not TermKind.LENGTH):
                    return "value"
                sizes = [one.args[0] for one in term.conditions if one.kind is TermKind.LENGTH]
                return self._worst([*term.args, *sizes])
            case TermKind.OPERATION:
                return self._operation(term)
            case TermKind.ELEMENT:
                return None if self.exposure(term.args[0]) is None else "value"
            case TermKind.CALL if (term.name in _PRODUCTS and len(term.args) == 2) or is_left_join(term):
                return self.exposure(term.args[0])
            case TermKind.CALL if term.name in SAME_LENGTH or term.name == "zip" or self._is_column(term):
                return self._worst(term.args)
            case TermKind.CALL if term.value in _OF_TWO and len(term.args) == 2:
                return self._operation(term)
            case TermKind.CALL if term.name in _JOINED and term.args and term.args[0].name in ("tuple", "list"):
                return self._worst(term.args[0].args)
            case TermKind.CALL if term.name in AGGREGATES and _is_along_an_axis(term):
                return self.exposure(term.args[0])
            case TermKind.CALL if term.name == "range":
                return max(map(self._count, term.args), key=_RANK.__getitem__, default=None)
            case TermKind.DRAW:
                size, centre = term.argument("size"), term.argument("loc", "x")
                if size is not None:
                    return self._count(size)
                return None if centre is None else self.exposure(centre)
            case TermKind.CALL if _keeps_length(term):
                return self._worst(term.args)
            case _:
                return "value"

    def _count(self, number: Term) -> str | None:
        """What a number shows that is the length of something else."""
        if not self._depends(number):
            return None
        return self.exposure(number.args[0]) if number.kind is TermKind.LENGTH else "value"

    def _is_column(self, term: Term) -> bool:
        """Whether it is an attribute or an elementwise function, such as `people.age` or `numpy.exp(x)`."""
        return len(term.args) == 1 and term.name not in AGGREGATES and term.name not in EXTREMES

    def _operation(self, term: Term) -> str | None:
        if term.name == "@":
            return self.exposure(term.args[0])
        if term.name != "[]":
            numbers = [one for one in term.args if one.kind is TermKind.LENGTH or _is_total(one)]
            return self._worst(one for one in term.args if one not in numbers)
        index = term.args[1] if len(term.args) == 2 else None
        if index is None or self._depends(index):
            return "value"
        if index.value == 0 and term.args[0].kind is TermKind.CALL and term.args[0].name.startswith("histogram"):
            bins = edges_of(term.args[0])
            return "value" if bins is not None and self._depends(bins) else None
        column = index.kind is TermKind.CONSTANT and isinstance(index.value, str)
        part = column or index.name == "slice" or term.args[0].kind is TermKind.DATA
        return self.exposure(term.args[0]) if part else "value"

    def _container(self, term: Term) -> str | None:
        if isinstance(term.value, tuple):
            sizes = [one.args[0] for one in term.args[term.value[1] :]]
            return "value" if any(map(self._depends, term.conditions)) else self._worst(sizes)
        if term.name in ("tuple", "list", "dict", "object"):
            return None
        if term.name == "starred":
            return self._worst(one for one, key in zip(term.args, term.keys, strict=True) if key == "*")
        if term.name in ("set", "setcomp", "yields"):
            return "value"
        if term.name in ("append", "insert", "sort", "reverse", "pop", "appendleft"):
            return self.exposure(term.args[0])
        if term.name == "store":
            keyed = any(self._depends(one) for one in term.args[1:-1])
            return "value" if keyed and _grows(term.args[0]) else self.exposure(term.args[0])
        return self._worst(term.args)


def edges_of(histogram: Term) -> Term | None:
    """What a call of `numpy.histogram` says of its bins, None if nothing."""
    bins = histogram.argument("bins")
    if bins is None and len(histogram.args) > 1 and not histogram.keys[1]:
        bins = histogram.args[1]
    return bins


def _is_total(term: Term) -> bool:
    """Whether it is one number, made of all there is."""
    return term.is_call(("sum", "mean", "max", "min", "std", "norm")) and len(term.args) == 1


def _is_along_an_axis(term: Term) -> bool:
    """Whether there is one number for each row, or for each column."""
    axis = term.argument("axis")
    return axis is not None and axis.kind is TermKind.CONSTANT and axis.value is not None


def _keeps_length(term: Term) -> bool:
    """Whether a function that is not known gives as much as it is given: nothing says that it picks or counts."""
    unknown = isinstance(term.value, str) and not term.value.startswith(_KNOWN)
    return unknown and term.name not in AGGREGATES | EXTREMES | SELECTIONS | PICKS


def _roots(term: Term) -> list[Term] | None:
    """What a variable was before, if since then elements of a list were replaced and nothing else."""
    # An element of an element is stored into the whole: `rows` in `rows[i][0] = x`.
    states = reached([whole_of(term)], lambda one: map(whole_of, states_before(one)))
    roots = [one for one in states if not states_before(one)]
    return roots if len(roots) == 1 and not _grows(roots[0]) else None


def _grows(term: Term) -> bool:
    """Whether a store may make it longer: into a dict whose keys were not there before."""
    return is_dict(term) and not has_fixed_keys(term)


def is_edges(term: Term) -> bool:
    """Whether it is the second result of `numpy.histogram`, the edges, where those or their range are given."""
    if term.name != "[]" or term.args[0].kind is not TermKind.CALL or not term.args[0].name.startswith("histogram"):
        return False
    index = term.args[1]
    return index.kind is TermKind.CONSTANT and index.value in (1, 2) and has_edges(term.args[0])


def has_edges(histogram: Term) -> bool:
    """Whether a call of `numpy.histogram` says where the bins lie."""
    if histogram.argument("range") is not None:
        return True
    bins = edges_of(histogram)
    return bins is not None and not (bins.kind is TermKind.CONSTANT and isinstance(bins.value, int | str))
