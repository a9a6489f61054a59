"""An output that the exact losses name can be asked for in runs, whatever types its numbers have."""

import math
import sys

import numpy as np
import pytest

from dplint.audit.exact.pairs import observation_of, output_text
from dplint.audit.exact.procedure import exact_procedures
from dplint.audit.procedures import audit, carry_out
from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.events.printed import PrintedEvent
from dplint.jobs import AuditJob, AuditSettings
from dplint.outcomes import Violation

OUTPUTS = [
    ([np.float64(-10.033311132253989), 0.5], "[-10.033311132253989, 0.5]"),
    ((np.int64(3), [np.bool_(True)]), "(3, [True])"),
    ({"mean": np.float32(0.25), "n": 4}, "{'mean': 0.25, 'n': 4}"),
]


@pytest.mark.parametrize(("output", "written"), OUTPUTS)
def test_numbers_of_numpy_are_written_as_those_of_python(output, written):
    assert output_text(output) == written, "NumPy 2 writes np.float64(0.5), which is no literal"
    assert observation_of(output).expression == f"output == {written}"


@pytest.mark.parametrize(
    "output",
    [
        *(output for output, _ in OUTPUTS),
        {"a": 1, "b": [0.5, (True, None)], 3: {None: "it's"}},
        {},
        (None, math.inf),
        (-math.inf,),
        [[math.inf], {"low": -math.inf}],
        "a\nb",
        None,
    ],
)
def test_runs_can_be_asked_for_it(output):
    event = PrintedEvent(observation_of(output).expression)

    assert event.holds(output)
    assert not event.holds([output])


@pytest.mark.parametrize("output", [math.nan, [1, math.nan], {"a": (math.nan,)}])
def test_what_holds_nan_equals_no_output(output):
    assert observation_of(output) is None


DICT = """
import numpy as np
from dplint import dp


@dp(epsilon=1.0, neighbors="linf", size=2)
def counts(rng, xs: list[int]):
    p = 1 - np.exp(-2.0)
    return {"a": xs[0] + rng.geometric(p) - rng.geometric(p), "limit": float("inf")}
"""


@pytest.mark.parametrize("text", [f"output == {10**400}", f"output < -{10**400}"])
def test_an_event_about_a_number_that_no_float_is(text):
    assert PrintedEvent(text).measures[0].thresholds == ()


OVERFLOW = """
import numpy as np
from dplint import dp


@dp(epsilon=1.0, neighbors="linf", size=2)
def large(rng, xs: list[int]):
    p = 1 - np.exp(-2.0)
    return (xs[0] + rng.geometric(p) - rng.geometric(p)) * 1e308 * 10
"""


@pytest.mark.process
@pytest.mark.parametrize("source", [OVERFLOW, OVERFLOW.replace("1e308", "1e200"), OVERFLOW.replace("1e308", "1e18")])
def test_very_large_numbers_end_no_audit(tmp_path, source):
    (tmp_path / "module.py").write_text(source)
    (target,) = load_file(tmp_path / "module.py", Settings())
    settings = AuditSettings(
        method="anytime", exact_seconds=1.0, max_runs=100_000, budget=1e6, seed=1, interpreter=sys.executable
    )
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings)

    assert isinstance(carry_out(job, lambda *_: None).outcome, Violation)


@pytest.mark.process
def test_a_dict_of_discrete_noise_is_refuted_and_confirmed(tmp_path):
    """Twice the epsilon, on a dict: its probabilities are computed, and runs are asked for the dict that shows it."""
    (tmp_path / "module.py").write_text(DICT)
    (target,) = load_file(tmp_path / "module.py", Settings())
    settings = AuditSettings(method="anytime", exact_seconds=2.0, seed=1, interpreter=sys.executable)
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings)

    outcome = audit(job, lambda *_: None, exact_procedures()).outcome

    assert isinstance(outcome, Violation)
    assert outcome.counterexample.witness.event.startswith("output == {'a': ")
    assert outcome.confirmation.agrees
