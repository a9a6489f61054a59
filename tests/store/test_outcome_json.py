"""Outcomes come back from JSON exactly; documents that were changed are refused, or are those of another outcome."""

import json
import math
import types
import typing
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplint.outcomes import Failed, NoViolation, Proved, Untestable, Violation
from dplint.store import outcome_document, read_outcome
from tests.report.report_samples import ANYTIME_NO_VIOLATION, RESULTS, anytime_violation

KINDS = (Violation, NoViolation, Proved, Untestable, Failed)
NUMBERS = st.floats(allow_nan=False) | st.integers()
ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
PLAIN = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3)
    ),
    max_leaves=6,
)


def hints(made):
    found = typing.get_type_hints(made, localns={"Literal": typing.Any})
    return {field.name: found[field.name] for field in fields(made)}


def values(wanted):
    """Values of the type of a field."""
    inner = typing.get_args(wanted)
    if wanted is typing.Any:
        return PLAIN
    if typing.get_origin(wanted) is tuple:
        return st.lists(values(inner[0]), max_size=2).map(tuple) if ... in inner else st.tuples(*map(values, inner))
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        return st.one_of(*map(values, inner))
    if is_dataclass(wanted):
        return st.builds(wanted, **{name: values(kind) for name, kind in hints(wanted).items()})
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        return st.sampled_from(list(wanted))
    return {
        float: NUMBERS, int: st.integers(), str: st.text(max_size=8), bool: st.booleans(), types.NoneType: st.none(),
    }[wanted]  # fmt: skip


OUTCOMES = st.one_of(*map(values, KINDS))


def well_typed(wanted, value):
    """Whether the value is what the type says: checked by other code than the one that reads."""
    inner = typing.get_args(wanted)
    if wanted is typing.Any:
        return plain(value)
    if typing.get_origin(wanted) is tuple:
        kinds = [inner[0]] * len(value) if ... in inner else inner
        return type(value) is tuple and len(value) == len(kinds) and all(map(well_typed, kinds, value))
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        return any(well_typed(kind, value) for kind in inner)
    if is_dataclass(wanted):
        return type(value) is wanted and all(well_typed(k, getattr(value, n)) for n, k in hints(wanted).items())
    if wanted is float:
        return type(value) is int or (type(value) is float and not math.isnan(value))
    return type(value) is wanted


def plain(value):
    if type(value) in (list, tuple):
        return all(map(plain, value))
    if type(value) is dict:
        return all(plain(key) and plain(item) for key, item in value.items())
    return value is None or type(value) in (bool, int, str) or (type(value) is float and not math.isnan(value))


def through_json(document):
    return json.loads(json.dumps(document, allow_nan=False))


def same(one, other):
    """Equal, with the same types everywhere: 1, 1.0 and True are three."""
    return repr(one) == repr(other) and one == other


@settings(max_examples=300, deadline=None, derandomize=True)
@given(OUTCOMES)
def test_every_outcome_comes_back_as_it_was(outcome):
    assert same(read_outcome(through_json(outcome_document(outcome))), outcome)


@pytest.mark.parametrize(
    "outcome", [*(result.outcome for result in RESULTS), anytime_violation(), ANYTIME_NO_VIOLATION],
    ids=lambda outcome: type(outcome).__name__,
)  # fmt: skip
def test_the_samples_come_back(outcome):
    assert same(read_outcome(through_json(outcome_document(outcome))), outcome)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["inf", "f", "t"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["t", "d", "f", "x", "event", "runs"]), inner, max_size=2)
    ),
    max_leaves=8,
)


def places(document, path=()):
    """All paths to parts of a document."""
    yield path
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, item in items:
        yield from places(item, (*path, key))


def mutated(document, data):
    """A document with one thing in it changed, left out or added."""
    *path, last = data.draw(st.sampled_from([path for path in places(document) if path]))
    copy = through_json(document)
    parent = copy
    for step in path:
        parent = parent[step]
    match data.draw(st.sampled_from(["change", "drop", "add", "swap"])):
        case "change":
            parent[last] = data.draw(JSON)
        case "drop":
            del parent[last]
        case "add" if isinstance(parent, dict):
            parent[data.draw(st.text(max_size=5))] = data.draw(JSON)
        case "add":
            parent.append(data.draw(JSON))
        case "swap":
            keys = list(parent) if isinstance(parent, dict) else range(len(parent))
            other = data.draw(st.sampled_from(keys))
            parent[last], parent[other] = parent[other], parent[last]
    return copy


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(OUTCOMES, st.data())
def test_a_changed_document_is_refused_or_is_that_of_another_outcome(outcome, data):
    """What can be read is well typed, and is written as the very document that was read."""
    document = mutated(outcome_document(outcome), data)
    found = read_outcome(document)
    if found is not None:
        assert any(well_typed(kind, found) for kind in KINDS)
        assert repr(sorted_keys(outcome_document(found))) == repr(sorted_keys(document))


def sorted_keys(document):
    if isinstance(document, dict):
        return {key: sorted_keys(document[key]) for key in sorted(document)}
    return [sorted_keys(item) for item in document] if isinstance(document, list) else document


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    JSON | st.fixed_dictionaries({"outcome": st.sampled_from(["violation", "failed", "untestable"]) | JSON, "x": JSON})
)
def test_any_other_document_is_none(document):
    assert read_outcome(document) is None


WHOLE = outcome_document(anytime_violation())


def with_counterexample(**fields):
    return {**WHOLE, "counterexample": {**WHOLE["counterexample"], **fields}}


@pytest.mark.parametrize(
    "document",
    [
        {**WHOLE, "outcome": "no-violation"},
        {**WHOLE, "code": None},
        {**WHOLE, "epsilon_lower": math.nan},
        {**WHOLE, "epsilon_lower": math.inf},
        {**WHOLE, "epsilon_lower": True},
        {**WHOLE, "epsilon_lower": "1.0"},
        {**WHOLE, "epsilon_lower": {"f": "nan"}},
        {**WHOLE, "evidence": "hearsay"},
        {**WHOLE, "tested": {"t": []}},
        with_counterexample(count1=5.0),
        with_counterexample(count1=True),
        with_counterexample(interval1=[0.1]),
        with_counterexample(interval1=[0.1, 0.2, 0.3]),
        with_counterexample(event=None),
        with_counterexample(d1={"d": [[[1], 2]]}),
        with_counterexample(d1={"d": [[1, 2], [True, 3]]}),
        with_counterexample(d1={"t": [1], "d": []}),
        with_counterexample(d1={}),
        {key: value for key, value in WHOLE.items() if key != "strongest"},
    ],
)
def test_documents_that_are_nearly_right(document):
    assert read_outcome(WHOLE) == anytime_violation()
    assert read_outcome(document) is None


def test_a_document_that_is_nested_without_end_is_none():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert read_outcome(with_counterexample(d1=deep)) is None


@pytest.mark.parametrize("value", [math.nan, [math.nan], {1: math.nan}, object(), {1, 2}, b"x", 1j])
def test_what_json_cannot_hold_is_an_error(value):
    found = replace(anytime_violation().counterexample, d1=value)
    with pytest.raises(ValueError, match="no document"):
        outcome_document(replace(anytime_violation(), counterexample=found))
