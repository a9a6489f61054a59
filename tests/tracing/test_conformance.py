"""The cases of the conformance suite through a runner: lanes agree with the function on the same draws, or refuse.

A few each time, all of them at night. What is refused keeps state between runs, or draws in a way that no lanes can.
"""

import collections
import inspect
import re
import sys

import pytest

from dplint.runner.client import DataValue, NotTracedError, Runner, SampleRequest
from dplint_conformance import all_cases
from dplint_conformance.harness import function_of
from tests.examples import one_in
from tests.runner.conftest import described

pytestmark = pytest.mark.process
RUNS = 40
REFUSED = (
    *("which later runs go on from", "for later runs", "go on from what others have left"),
    "Generator.shuffle of more than the items",
)
_BY_SOURCE = collections.defaultdict(list)
for _case in all_cases():
    _BY_SOURCE[_case.source].append(_case)
FILES = list(_BY_SOURCE.values())


@pytest.fixture(scope="module")
def runner():
    with Runner(sys.executable, deadline=60, memory_mib=1500) as runner:
        yield runner


@pytest.mark.parametrize("cases", one_in(9, FILES), ids=lambda cases: cases[0].name)
def test_lanes_agree_with_cases_of_the_suite(cases, runner, tmp_path):
    path = tmp_path / f"{re.sub('[^a-z]', '', cases[0].name)}_traced.py"
    source = "\n".join([cases[0].source, "import inspect as _inspect", *map(called, cases)])
    path.write_text(source)
    for case in cases:
        runner.load(described(path, f"traced_{case.name}", source=source))
        try:
            runner.sample(SampleRequest((DataValue(0.0, "scalar"),), {}, RUNS, seed=(7, ()), replayed=RUNS))
        except NotTracedError as reason:
            if not any(known in str(reason) for known in REFUSED):
                raise AssertionError(f"{case.name}: {reason}") from reason


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
