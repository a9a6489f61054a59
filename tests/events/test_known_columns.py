"""What a feature says of lists of numbers without its expression is what the expression says."""

from __future__ import annotations

import pytest
from event_tools import batch_of
from hypothesis import given
from hypothesis import strategies as st

from dplint.events import on_tables
from dplint.events.columns import Key, ValueClass
from dplint.events.families.count import Count
from dplint.events.families.hamming import Hamming
from dplint.events.places import Place
from dplint.events.table_values import TableValues
from dplint.events.tables import tables_of
from dplint.program.building import constant
from dplint.runner.texts import TextNumbers
from tests.examples import examples

NUMBERS = st.sampled_from([0, 1, 2, True, False, 0.0, -0.0, 1.0, 2.5, float("inf"), float("nan")])
OUTPUTS = st.lists(NUMBERS, max_size=4) | st.lists(NUMBERS, max_size=4).map(tuple) | st.lists(NUMBERS | st.none())
KEYS = st.sampled_from([0.0, 1.0, 2.5, 7.0]).map(lambda value: Key(ValueClass.NUMBER, value, constant(value)))


@pytest.mark.parametrize("nested", [False, True])
@examples(150)
@given(st.lists(OUTPUTS, min_size=1, max_size=12), st.lists(KEYS, max_size=5), KEYS)
def test_known_columns_are_those_of_the_expression(nested, outputs, reference, key):
    texts = TextNumbers()
    place = Place((1,)) if nested else Place(())
    features = Hamming(place, reference=tuple(reference)), Count(place, key=key)
    for table in tables_of([batch_of([(0, one) if nested else one for one in outputs])], texts, len(outputs)):
        values = TableValues(table, texts)
        for feature in features:
            found, truth = feature.known(values), on_tables.column(feature._plan, None, values)
            if found is not None:
                assert (found.values + 0 * truth.values).tolist() == (truth.values + 0 * found.values).tolist()
                assert set(found.classes.tolist()) == set(truth.classes.tolist()) == {ValueClass.NUMBER}
            else:
                assert "None" in repr(outputs) or "nan" in repr(outputs)
