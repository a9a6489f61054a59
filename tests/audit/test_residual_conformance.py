"""The cases of the conformance suite by residual programs: operations agree with the function on the same draws.

A few each time, all of them at night. Those that cannot be told as operations are listed in `called_cases`.
"""

import collections
import inspect
import re
import sys

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes, WrongTranslation
from dplint.runner.client import DataValue, Runner
from dplint_conformance import all_cases
from dplint_conformance.harness import function_of
from tests.audit.called_cases import CALLED, TOO_LARGE
from tests.examples import one_in
from tests.runner.conftest import described

pytestmark = pytest.mark.process
RUNS = 40
DATA = DataValue(0.0, "scalar")
_BY_SOURCE = collections.defaultdict(list)
for _case in all_cases():
    _BY_SOURCE[_case.source].append(_case)
FILES = list(_BY_SOURCE.values())


@pytest.fixture(scope="module")
def runner():
    with Runner(sys.executable, deadline=60, memory_mib=1500) as runner:
        yield runner


@pytest.mark.parametrize("cases", one_in(9, FILES), ids=lambda cases: cases[0].name)
def test_operations_agree_with_cases_of_the_suite(cases, runner, tmp_path):
    path = tmp_path / f"{re.sub('[^a-z]', '', cases[0].name)}_residual.py"
    source = "\n".join([cases[0].source, "import inspect as _inspect", *map(called, cases)])
    path.write_text(source)
    for case in (case for case in cases if case.name not in TOO_LARGE):
        mechanism = described(path, f"traced_{case.name}", source=source)
        runner.load(mechanism)
        runs = ResidualRuns(runner, mechanism)
        try:
            runs.check([DATA], {}, RUNS, np.random.SeedSequence(7))
            runs.sample(DATA, {}, 10 * RUNS, np.random.SeedSequence(8))  # by forks
        except NotOnLanes as reason:
            if isinstance(reason, WrongTranslation) or case.name not in CALLED:
                raise AssertionError(f"{case.name}: {reason}") from reason


def test_what_is_listed_is_in_the_suite():
    assert {case.name for case in all_cases()} >= CALLED | TOO_LARGE


def called(case):
    """A function of one data value that calls the case."""
    parameters = inspect.signature(function_of(case)).parameters
    given = [f"{name}={value!r}" for name, value in case.arguments.items() if is_needed(parameters[name])]
    annotation = re.search(rf"def {case.name}\(rng: ([\w.]+)", case.source)
    rng = ["rng" + (f": {annotation[1]}" if annotation else "")] if "rng" in parameters else []
    passed = ["rng=rng"] if rng else []
    return (
        f"def traced_{case.name}({', '.join([*rng, 'data_'])}):\n"
        f"    out_ = {case.name}({', '.join([*passed, *given])})\n"
        "    return list(out_) if _inspect.isgenerator(out_) else out_\n"
    )


def is_needed(parameter):
    return parameter.default is inspect.Parameter.empty
