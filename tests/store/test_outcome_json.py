"""Outcomes come back from JSON exactly; documents that were changed are refused, or are those of another outcome."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.outcomes import Outcome
from dplint.store import outcome_document, read_outcome
from tests.examples import examples
from tests.report.evidence_samples import EVERY_KIND
from tests.report.report_samples import ANYTIME_NO_VIOLATION, RESULTS, anytime_violation
from tests.report.report_samples import with_witness as with_data
from tests.store.typed_values import broken, same, through_json, values, well_typed

OUTCOMES = values(Outcome)


@examples(300)
@given(OUTCOMES)
def test_every_outcome_comes_back_as_it_was(outcome):
    assert same(read_outcome(through_json(outcome_document(outcome))), outcome)


@pytest.mark.parametrize(
    "outcome", [*(result.outcome for result in (*RESULTS, *EVERY_KIND)), anytime_violation(), ANYTIME_NO_VIOLATION],
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


@examples(400)
@given(OUTCOMES, st.data())
def test_a_changed_document_is_refused_or_is_that_of_another_outcome(outcome, data):
    """What can be read is well typed, and is written as the very document that was read."""
    document = mutated(outcome_document(outcome), data)
    found = read_outcome(document)
    if found is not None:
        assert well_typed(Outcome, found)
        assert repr(sorted_keys(outcome_document(found))) == repr(sorted_keys(document))


def sorted_keys(document):
    if isinstance(document, dict):
        return {key: sorted_keys(document[key]) for key in sorted(document)}
    return [sorted_keys(item) for item in document] if isinstance(document, list) else document


@examples(100)
@given(OUTCOMES)
def test_a_dropped_key_an_extra_key_and_another_type_are_refused_wherever_they_are(outcome):
    for document in broken(Outcome, outcome_document(outcome)):
        assert read_outcome(document) is None


@examples(300)
@given(JSON | st.tuples(st.sampled_from(["Violation", "Failed", "Untestable", "str"]) | JSON, JSON).map(list))
def test_any_other_document_is_none(document):
    assert read_outcome(document) is None


NAME, FIELDS = WHOLE = outcome_document(anytime_violation())


def with_fields(**changed):
    return [NAME, {**FIELDS, **changed}]


def with_counterexample(**changed):
    return with_fields(counterexample={**FIELDS["counterexample"], **changed})


def with_witness(**changed):
    return with_counterexample(witness={**FIELDS["counterexample"]["witness"], **changed})


def with_evidence(kind="CountedEvidence", **changed):
    return with_counterexample(evidence=[kind, {**FIELDS["counterexample"]["evidence"][1], **changed}])


@pytest.mark.parametrize(
    "document",
    [
        FIELDS,
        [NAME],
        [NAME, FIELDS, None],
        ["NoViolation", FIELDS],
        ["Counterexample", FIELDS["counterexample"]],
        [[NAME], FIELDS],
        with_fields(code="DP901"),
        with_fields(epsilon_lower=math.nan),
        with_fields(epsilon_lower=math.inf),
        with_fields(epsilon_lower=True),
        with_fields(epsilon_lower="1.0"),
        with_fields(epsilon_lower={"f": "nan"}),
        with_fields(epsilon_lower={"f": "inf", "t": []}),
        with_fields(tested={"t": []}),
        with_evidence("ExactEvidence"),
        with_evidence("hearsay"),
        with_evidence(count1=5.0),
        with_evidence(count1=True),
        with_evidence(interval1={"low": 0.1}),
        with_evidence(interval1=[0.1, 0.2]),
        with_witness(observation=None),
        with_witness(observation=["OutputEvent", {"expression": None}]),
        with_witness(observation={"expression": "output < 1"}),
        with_witness(d1={"d": [[[1], 2]]}),
        with_witness(d1={"d": [[1, 2], [True, 3]]}),
        with_witness(d1={"t": [1], "d": []}),
        with_witness(d1={}),
        [NAME, {key: value for key, value in FIELDS.items() if key != "strongest"}],
    ],
)
def test_documents_that_are_nearly_right(document):
    assert read_outcome(WHOLE) == anytime_violation()
    assert read_outcome(document) is None


def test_a_document_that_is_nested_without_end_is_none():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert read_outcome(with_witness(d1=deep)) is None


@pytest.mark.parametrize("value", [math.nan, [math.nan, 1.0], {"age": math.nan}, (math.inf, math.nan)])
def test_data_may_be_no_numbers(value):
    document = outcome_document(with_data(anytime_violation(), d1=value))
    text = json.dumps(document, allow_nan=False)
    assert repr(read_outcome(json.loads(text)).counterexample.witness.d1) == repr(value)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", 1j])
def test_what_json_cannot_hold_is_an_error(value):
    with pytest.raises(ValueError, match="no document"):
        outcome_document(with_data(anytime_violation(), d1=value))
