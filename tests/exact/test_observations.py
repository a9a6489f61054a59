"""An output that the exact losses name can be asked for in runs, whatever types its numbers have."""

import numpy as np
import pytest

from dplint.audit.exact.pairs import observation_of, output_text
from dplint.events.printed import PrintedEvent

OUTPUTS = [
    ([np.float64(-10.033311132253989), 0.5], "[-10.033311132253989, 0.5]"),
    ((np.int64(3), [np.bool_(True)]), "(3, [True])"),
    ({"mean": np.float32(0.25), "n": 4}, "{'mean': 0.25, 'n': 4}"),
]


@pytest.mark.parametrize(("output", "written"), OUTPUTS)
def test_numbers_of_numpy_are_written_as_those_of_python(output, written):
    assert output_text(output) == written, "NumPy 2 writes np.float64(0.5), which is no literal"
    assert observation_of(output).expression == f"output == {written}"


@pytest.mark.parametrize("output", [output for output, _ in OUTPUTS[:2]])
def test_runs_can_be_asked_for_it(output):
    assert PrintedEvent(observation_of(output).expression).holds(output)
