"""How far it is known what a value is made of: calls that cannot be read stop what could be said of all behind them.

Which calls are known to draw nothing and to pass on what they are given; of the others nothing is said.
"""

from __future__ import annotations

import builtins
from enum import Enum
from typing import Protocol

import libcst as cst

from dplint.program.calls import MEANINGS, functions, methods, words
from dplint.rules.flow.terms import Graph, Loop, StoreGuards, Term, TermKind, innermost
from dplint.rules.flow.vocabulary import MODEL_PARTS, SIZES, UPDATES, named, only_checks

_MODULES = tuple(
    named(
        """
        bisect. builtins. collections. copy. datetime. decimal. fractions. functools. hashlib. heapq. itertools.
        jax.numpy. json. math. numpy. operator. pandas. polars. re. scipy.special. scipy.stats. statistics. tensorflow.
        torch. zlib.
        """
    )
)
_UNREAD_MODULES = (".random.", ".nn.", ".keras.", ".distributions.", ".optim.", ".data.", ".models.", ".rvs")
"""Parts of names of these modules in which there are draws, or objects that may do anything."""
_UNREAD = named("eval exec getattr vars globals locals open input super")
_SPELLED = methods() | SIZES | UPDATES
_METHODS = (
    _SPELLED
    | MODEL_PARTS
    | frozenset(MEANINGS)
    | named(
        """
    abs add add_prefix add_suffix agg aggregate alias all any apply applymap argmax argmin argsort as_integer_ratio
    asfreq assign astype at backfill between bfill byte casefold cast cat clamp clip collect combine_first conj copy
    corr count cov cpu cuda cummax cummin cumprod cumsum decode degree describe detach diagonal diff digest
    hexdigest difference div divide dot double drop drop_duplicates dropna dt duplicated edges element_size encode
    eq exp expand expandtabs explode extract ffill fill fill_null fillna first flatten float float32 floor floordiv
    fromkeys ge get get_group group_by groupby gt half head hist iat idxmax idxmin iloc int interpolate intersection
    is_monotonic isalnum isdisjoint isin isna isnull issubset issuperset items iterrows itertuples join keys kurt
    kurtosis last le loc log log1p long lookup lt map mask masked_fill matmul max mean median melt merge min mm mod
    mode most_common mul multiply nanmean nansum ne neg neighbors nlargest nodes norm notna notnull nsmallest nth
    number_of_edges number_of_nodes numel numpy nunique partition pct_change permute pipe pivot pivot_table pow prod
    product quantile query rank ravel real reindex rename repeat resample reset_index reshape rfind rolling round
    rpartition rsplit scatter select select_dtypes set_index shift sigmoid skew softmax sort sort_index sort_values
    sorted split sqrt square squeeze stack std str sub subtract sum swapaxes swaplevel symmetric_difference t T tail
    take tanh to to_dict to_frame to_list to_numpy to_pandas to_period to_records to_string to_timestamp tolist topk
    transform transpose truediv truncate type unbind union unique unsqueeze unstack value_counts values var view
    where with_columns xs
    """
    )
)
"""Of arrays, tables, tensors, graphs, texts and containers."""
_GIVEN_FUNCTIONS = words("applies") | words("wraps") | named("agg aggregate pipe reduce partial apply transform")
_AS_CONTAINERS = named("f-string format print")


def is_container(term: Term) -> bool:
    """Whether a value shows each of its parts as it is."""
    return term.kind is TermKind.CONTAINER or term.is_call(_AS_CONTAINERS)


def is_unread(term: Term) -> bool:
    """Whether nobody can say what a call does with what it is given: it may add noise, or give something public."""
    if term.kind is TermKind.DRAW:
        return term.name == "unknown"
    if term.kind is not TermKind.CALL or isinstance(term.node, cst.Attribute):
        return False
    given = term.args[1:] if str(term.value).startswith(".") else term.args
    if term.name.rpartition(".")[2] in _GIVEN_FUNCTIONS and any(map(_is_unread_function, given)):
        return True
    if not isinstance(term.value, str):  # what reading it has made of something else
        return term.name == "functools.reduce"
    full = term.value
    if only_checks(full):
        return False
    if full.startswith("."):
        # of an object of which nothing is known, a method of this name may be another one
        other = bool(term.args) and term.args[0].kind is TermKind.SYMBOL
        return full[1:] not in (_SPELLED | MODEL_PARTS if other else _METHODS)
    if "." not in full:
        return (full in _UNREAD or not hasattr(builtins, full)) and full not in _AS_CONTAINERS
    return not _is_of_a_known_module(full)


def _is_of_a_known_module(full: str) -> bool:
    if full in functions():
        return True
    return full.startswith(_MODULES) and not any(part in full for part in _UNREAD_MODULES)


def _is_unread_function(term: Term) -> bool:
    """Whether a value may be a function that is not read, as `self.perturb` is."""
    if term.kind is not TermKind.SYMBOL:
        return False
    known = "." not in term.name and hasattr(builtins, term.name)
    return not known and not _is_of_a_known_module(term.name) and "." in term.name


_ALL_OF_A_LIST = frozenset({"enumerate", "items", "keys", "list", "reversed", "sorted", "tuple", "zip"})
_UNIFORM = frozenset({"random", "uniform", "integers"})
_ROUNDS = 12


class Known(Enum):
    """How far it is known what a value is made of."""

    WHOLE = 0
    PARTLY = 1
    """Some of its parts, or what it is in some cases, is not known."""
    UNKNOWN = 2


class _Flow(Protocol):
    """What has been found of draws and data."""

    def depends(self, term: Term) -> bool:
        """Whether a value depends on the data."""

    def draws_of(self, term: Term) -> list[Term]:
        """The draws that a value depends on."""


class Certainty:
    """What is known of the terms of a graph. guessed: there is no claim, and so nothing that says what the data is."""

    def __init__(self, graph: Graph, flow: _Flow, *, guessed: bool) -> None:
        self._flow = flow
        self._guessed = guessed
        self._known: dict[Term, Known] = {}
        for _ in range(_ROUNDS):
            before = dict(self._known)
            for term in graph.terms:
                self._known[term] = max(self.of(term), self._found(term), key=_rank)
            if before == self._known:
                break

    def of(self, term: Term) -> Known:
        """How far a value is known."""
        return self._known.get(term, Known.WHOLE)

    def is_coin(self, condition: Term) -> bool:
        """Whether it is noise, or a uniform number is compared with whatever: a value is chosen by its probability."""
        if not self._flow.depends(condition):
            return bool(self._flow.draws_of(condition))
        if condition.is_operation(("and", "or", "not")):
            return any(map(self.is_coin, condition.args))
        return condition.kind is TermKind.COMPARISON and self._is_drawn_evenly(condition)

    def _found(self, term: Term) -> Known:
        """How far a value is known, by what is known of what it is made of."""
        if term.kind is TermKind.DRAW:
            return Known.UNKNOWN if is_unread(term) else Known.WHOLE
        parts = [self.of(one) for one in term.args]
        worst = max(parts, key=_rank, default=Known.WHOLE)
        if term.kind in (TermKind.LOOP, TermKind.EXIT):
            return worst
        stops = is_unread(term) or any(self.of(one) is not Known.WHOLE for one in term.conditions)
        if stops or (self._guessed and self._is_by_chance(term)):
            return Known.UNKNOWN
        if term.kind is TermKind.CHOICE:
            left_out = self._guessed and self._leaves_places_out(term)
            return worst if left_out or all(one is worst for one in parts) else Known.PARTLY
        if term.kind is TermKind.LENGTH:
            return worst if worst is Known.UNKNOWN else Known.WHOLE
        if term.name == "store" and term.kind is TermKind.CONTAINER:
            return Known.UNKNOWN if self._hides_how_much(term) else max(parts[1:], key=_rank)
        if is_container(term):
            return min(worst, Known.PARTLY, key=_rank)
        return Known.UNKNOWN if worst is not Known.WHOLE else worst

    def _is_by_chance(self, term: Term) -> bool:
        """Whether a coin decides what it is, or a uniform number and weights of the data which part of something."""
        if term.kind is TermKind.CHOICE:
            return any(map(self.is_coin, term.conditions))
        if isinstance(term.value, StoreGuards):
            return any(map(self.is_coin, term.value.guards))
        places = term.args[1:] if term.name == "[]" else []
        return any(self._flow.depends(one) and self._is_drawn_evenly(one) for one in places)

    def _hides_how_much(self, store: Term) -> bool:
        """Whether nobody can say how much of a container is left of what it was.

        A coin decides what is replaced, as in a randomised response, or all columns that there are may be named.
        """
        guards = store.value.guards if isinstance(store.value, StoreGuards) else ()
        if any(map(self.is_coin, guards)):
            return True
        *places, value = store.args[1:]
        named = all(isinstance(one.value, int) or one.name == "slice" or _is_given(one) for one in places)
        return self._guessed and named and bool(self._flow.draws_of(value))

    def _leaves_places_out(self, choice: Term) -> bool:
        """Whether it is a container in which one more place is replaced or not, and no data decides which."""
        stores = [one for one in choice.args if one.is_container("store")]
        held = {one.args[0] for one in stores}
        rest = held.union(stores).issuperset(choice.args)
        return bool(stores) and rest and not any(map(self._flow.depends, choice.conditions))

    def _is_drawn_evenly(self, term: Term) -> bool:
        """Whether uniform numbers are all the randomness in a value."""
        draws = self._flow.draws_of(term)
        return bool(draws) and _UNIFORM.issuperset(one.name for one in draws)


def _is_given(place: Term) -> bool:
    """Whether a caller or the types of columns say which place it is, and so may name all that there are."""
    named = place.args[0] if place.kind is TermKind.ELEMENT and place.args else place
    named = innermost(named, lambda one: one.is_call(_ALL_OF_A_LIST))
    return named.kind is TermKind.SYMBOL and not isinstance(named.value, Loop)


def _rank(known: Known) -> int:
    return known.value
