"""The cases of the conformance suite by residual programs: operations agree with the function on the same draws.

A few each time, all of them at night. What cannot be told as operations is refused, and runs in the runner.
"""

import re
import sys

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.runner.client import DataValue, NotTracedError, Runner
from dplint.runner.residual import NotResidual
from tests.examples import one_in
from tests.runner.conftest import described
from tests.tracing.test_conformance import FILES, called

pytestmark = pytest.mark.process
RUNS = 40
DATA = DataValue(0.0, "scalar")


class Alone(ResidualRuns):
    """Without the runner in their place."""

    def _go_on_in_the_runner(self):
        raise NotResidual("it runs in the runner")


@pytest.fixture(scope="module")
def runner():
    with Runner(sys.executable, deadline=60, memory_mib=1500) as runner:
        yield runner


@pytest.mark.parametrize("cases", one_in(18, FILES), ids=lambda cases: cases[0].name)
def test_operations_agree_with_cases_of_the_suite(cases, runner, tmp_path):
    path = tmp_path / f"{re.sub('[^a-z]', '', cases[0].name)}_residual.py"
    source = "\n".join([cases[0].source, "import inspect as _inspect", *map(called, cases)])
    path.write_text(source)
    for case in cases:
        mechanism = described(path, f"traced_{case.name}", source=source)
        runner.load(mechanism)
        runs = Alone(runner, mechanism)
        try:
            runs.check([DATA], {}, RUNS, np.random.SeedSequence(7))
            runs.sample(DATA, {}, 10 * RUNS, np.random.SeedSequence(8))  # by forks
        except (NotResidual, NotTracedError):
            continue
