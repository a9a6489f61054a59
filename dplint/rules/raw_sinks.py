"""What several rules share: values that leave a mechanism and still show the data.

Categories that occur in the data and show in the output: as rounds of a loop, keys of a dict, rows of a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from dplint.rules.context import Context
from dplint.rules.flow.columns import COUNTED, rows_of_a_join
from dplint.rules.flow.dicts import (
    has_all_categories,
    has_fixed_keys,
    is_dict,
    lists_categories,
    lists_unobserved,
    root_of,
    states_before,
)
from dplint.rules.flow.exposure import Exposure, says_public
from dplint.rules.flow.terms import Loop, Sink, Term, TermKind, innermost, inside, reached

RELEASES = ("return", "yield")
_BEHIND_TESTS = (Exposure.SELECTION, Exposure.SIZE)
"""What propose-test-release may release once a noisy test has passed; delta is for the case that it should not have."""


def exposed_sinks(context: Context, kinds: tuple[str, ...], exposure: Exposure) -> Iterator[tuple[Sink, Term]]:
    """Sinks whose value shows the data in this way, with the witness; those behind a coin are left out."""
    for sink in context.graph.sinks:
        if is_tested_answer(context, sink) or (exposure in _BEHIND_TESTS and is_behind_test(context, sink)):
            continue
        if any(map(says_public, sink.guards)) or context.tells_itself(sink.node):
            continue
        if sink.kind in kinds and not context.exposed.is_random(sink.guards):
            witness = context.exposed.of(sink.term).get(exposure)
            if witness is not None:
                yield sink, witness


def is_tested_answer(context: Context, sink: Sink) -> bool:
    """Whether it is an answer of few that a noisy test has let through, as propose-test-release does it."""
    return is_behind_test(context, sink) and _is_answer(sink.term)


def is_behind_test(context: Context, sink: Sink) -> bool:
    """Whether it leaves only where a noisy test has passed, and the claim has a delta for where it should not have."""
    return context.has_delta and context.exposed.is_tested(sink.guards)


def _is_answer(term: Term) -> bool:
    """Whether a value is the answer to a comparison, which far from its border all neighbours give, too."""
    term = innermost(term, lambda one: one.is_call(("int", "bool", "float", "str")) and len(one.args) == 1)
    if term.kind is TermKind.CHOICE:
        return all(map(_is_answer, term.args))
    return term.kind in (TermKind.COMPARISON, TermKind.CONSTANT)


def is_released(context: Context, term: Term) -> bool:
    """Whether the value has a part in what is returned; outside of functions, in what gets noise."""
    goals = {sink.term for sink in context.graph.sinks}
    if context.outside:
        goals = {one for noise in context.noises for one in noise.raw}
    return any(one in goals for one in reached([term], context.users_of))


CATEGORIES = COUNTED | {"groupby", "drop_duplicates"}
_INNER = frozenset({"sorted", "list", "tuple", "array", "reversed", "enumerate", "items", "values", "index", "tolist"})
_RELEASES = ("return", "yield")
_ROWS_STAY = frozenset(
    {"clip", "round", "rint", "astype", "abs", "maximum", "minimum", "items", "values", "tolist", "to_dict", "to_numpy"}
    | {"to_frame", "to_list", "rename", "reset_index", "sort_index", "sort_values", "array", "asarray", "dict", "list"}
    | {"fillna", "fill_null", "unstack", "sort", "with_columns", "assign"}
    | {"argmax", "argmin", "nlargest", "nsmallest"}
)
"""Calls that keep the rows of a table or array, or give some of them by their names."""
_EXACT = frozenset({Exposure.VALUE, Exposure.BRANCH, Exposure.SELECTION})
_TABLES = frozenset({"crosstab", "pivot_table"})
_GROUPED = frozenset({"size", "count", "sum", "mean", "agg", "aggregate", "nunique"})
_ROWS_OF_GROUPS = frozenset({"head", "tail", "nth", "sample", "filter", "transform"})


def released_categories(context: Context) -> Iterator[Term]:
    """Where the output learns which categories occur."""
    for loop in context.graph.loops:
        source = _exact_categories(context, loop)
        if context.guessed and not any(met.loops & loop.bit for noise in context.noises for met in noise.meets):
            continue  # no value of a category gets noise there: they may be what is chosen among
        if source is not None and any(
            _shows(context, sink) and _rounds_show(sink.term, loop) for sink in context.graph.sinks
        ):
            yield source
    found = (_counted(context, sink.term) for sink in context.graph.sinks if sink.kind in _RELEASES)
    yield from dict.fromkeys(one for one in found if one is not None)


def groups_by_categories(counts: Term) -> bool:
    """Whether groups are counted by columns that list their categories: since pandas 3, those that occur are left.

    `df.groupby(pd.cut(df["age"], bins)).size()`; before, `observed=False` was the default.
    """
    groups = innermost(counts, lambda one: not one.is_call("groupby"))
    if not groups.args or groups.argument("observed") is not None:
        return False
    table, *others = groups.args
    by = groups.argument("by") or next(iter(others), None)
    return by is not None and all(lists_categories(one) for one in _columns_grouped_by(table, by))


def _columns_grouped_by(table: Term, by: Term) -> Iterator[Term]:
    """What a table is grouped by; for the name of a column, what `assign` has made it."""
    for one in by.args if by.kind is TermKind.CONTAINER else [by]:
        assigned = table.argument(one.value) if isinstance(one.value, str) and table.name == "assign" else None
        yield assigned or one


def categories_of(context: Context, loop: Loop) -> Term | None:
    """The categories that occur in the data, if a loop runs over those; None otherwise."""
    source = None if loop.iterable is None else innermost(loop.iterable, lambda one: one.is_call(_INNER))
    if source is None or not _is_value(context, source):
        return None
    if (store := _store_of_a_value(context, source)) is not None:
        return store
    if source.is_call("value_counts") and not _counts_rows(context, source):
        return None
    named = source.is_call(CATEGORIES)
    return source if named or source.is_container(("set", "setcomp")) else None


def shows_categories(context: Context, sink: Sink) -> bool:
    """Whether a loop over the categories that occur fills what is released here."""
    return any(_exact_categories(context, one) and _rounds_show(sink.term, one) for one in context.graph.loops)


def _exact_categories(context: Context, loop: Loop) -> Term | None:
    """The categories that a loop runs over, unless those that a noisy threshold lets through are paid by delta."""
    source = categories_of(context, loop)
    paid = source is not None and context.mechanism.claim.delta != 0 and _is_thresholded(context, loop)
    return None if paid else source


def _shows(context: Context, sink: Sink) -> bool:
    exposures = context.exposed.of(sink.term)
    return sink.kind in _RELEASES and not exposures.keys().isdisjoint(_EXACT)


def _rounds_show(term: Term, loop: Loop) -> bool:
    """Whether a container that the loop fills is in the value."""
    kinds = (TermKind.CONTAINER, TermKind.EXIT, TermKind.LOOP, TermKind.CHOICE, TermKind.CALL)
    return any(
        _is_filled_by(one, loop) for one in inside(term, lambda one: one.kind in kinds or one.is_operation("[]"))
    )


def _is_filled_by(container: Term, loop: Loop) -> bool:
    if container.kind is TermKind.CONTAINER and isinstance(container.value, tuple) and loop in container.value[0]:
        return True
    return bool(container.loops & loop.bit) and container.is_container(("append", "store", "update", "add", "insert"))


def _is_thresholded(context: Context, loop: Loop) -> bool:
    """Whether a noisy value is tested in the loop, as the release of unknown categories with delta does it."""
    for term in context.graph.terms:
        if term.kind is TermKind.COMPARISON and term.loops & loop.bit and context.exposed.has_draws(term):
            return True
    return False


def _store_of_a_value(context: Context, term: Term) -> Term | None:
    """The store into a dict that was empty, under a key that the data has: `counts[word] += 1`."""
    if term.kind not in (TermKind.LOOP, TermKind.EXIT, TermKind.CHOICE, TermKind.CONTAINER) or not is_dict(term):
        return None
    if context.exposed.depends(root_of(term)) or has_fixed_keys(term):
        return None
    states = reached([term], lambda one: one.args[:1] if one.kind is TermKind.CONTAINER else states_before(one))
    stores = (one for one in states if one.is_container("store") and len(one.args) == 3)
    return next((one for one in stores if _is_value(context, one.args[1])), None)


def _is_value(context: Context, term: Term) -> bool:
    return Exposure.VALUE in context.exposed.of(term)


def _counted(context: Context, term: Term) -> Term | None:
    """The table of counts whose rows a noisy value still has: `df["city"].value_counts() + noise`."""

    def follow(one: Term) -> Iterator[Term]:
        rows = states_before(one)
        if one.kind is TermKind.OPERATION and one.name != "[]":
            rows = one.args
        elif one.kind in calls:
            rows = rows_of_a_join(one) if one.name == "merge" else one.args[: one.name in _ROWS_STAY]
        return filter(context.exposed.depends, rows)

    calls = (TermKind.CALL, TermKind.LENGTH)
    whole = list(reached([term], follow)) if context.exposed.has_draws(term) else []
    if not any(one.is_operation(("+", "-")) or one.is_container("store") for one in whole):
        return None
    return next((one for one in whole if one.kind in calls and one.args and _counts_rows(context, one)), None)


def _counts_rows(context: Context, call: Term) -> bool:
    """Whether a call counts or adds up what occurs in the data, a row for each category."""
    table = call.args[0]
    if call.name in _TABLES:
        named = call.argument("index")
        by = table if named is None or named.kind is TermKind.CONSTANT else named
        listed = has_all_categories(by) or lists_unobserved(call) or "dropna" in call.keys
        return _is_value(context, by) and not listed
    counts = call.name == "value_counts" or call.name in _GROUPED
    if not counts or not _is_value(context, table) or has_all_categories(table):
        return False
    grouped = call.name == "value_counts"
    for _ in range(50):
        if table.kind is TermKind.CALL and table.args:
            if not grouped and table.name in _GROUPED | _ROWS_OF_GROUPS:
                return False  # one number for all groups, or for all rows that were kept of each
            grouped = grouped or table.name == "groupby"
        elif not table.is_operation("[]"):
            break
        table = table.args[0]
    return grouped
