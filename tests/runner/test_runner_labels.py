"""Labels that a function takes apart from the other columns: the last column, row by row, in the form it wants."""

from dataclasses import replace

import pytest

from dplint.claims import Columns, Fixed, Interval, Parameter, Receiver
from dplint.runner.client import DataValue, SampleRequest

pytestmark = pytest.mark.process
ROWS = [{"a": 1.0, "b": 2.0, "label": 0}, {"a": 3.0, "b": 4.0, "label": 1}]
SEEN = """
import numpy as np
import pandas as pd

def m(X{x}, y{y}):
    return [type(X).__name__, type(y).__name__, list(np.shape(X)), np.asarray(X).tolist(), list(y)]
"""


@pytest.mark.parametrize(
    ("x", "y", "form", "types"),
    [
        (": np.ndarray", ": np.ndarray", "matrix", ("ndarray", "ndarray")),
        (": pd.DataFrame", ": pd.Series", "frame", ("DataFrame", "Series")),
        (": list[list]", ": list[int]", "list of lists", ("list", "list")),
    ],
)
def test_forms(shared_runner, write, x, y, form, types):
    mechanism = write(SEEN.format(x=x, y=y))
    mechanism = replace(mechanism, data="X", claim=replace(mechanism.claim, apart=(("y", "label"),)))
    shared_runner.load(mechanism)
    datas = (DataValue(ROWS, form=form), DataValue(ROWS[:0], form=form))
    request = SampleRequest(datas=datas, arguments={}, runs=1, block=1, seed=(1, ()))
    both, empty = (next(iter(batch.outputs())) for batch in shared_runner.sample(request))

    assert both == [*types, [2, 2], [[1.0, 2.0], [3.0, 4.0]], [0, 1]]
    assert (empty[:2], empty[3:]) == ([*types], [[], []])


@pytest.mark.parametrize(
    ("parameters", "form", "expected"),
    [
        ("a, b", "list", ["list", "list", [1.0, 3.0], [2.0, 4.0]]),
        ("a, b", "matrix", ["ndarray", "ndarray", [1.0, 3.0], [2.0, 4.0]]),
        ("a: list, b: np.ndarray", "list", ["list", "ndarray", [1.0, 3.0], [2.0, 4.0]]),
        ("a, b", "frame", ["Series", "ndarray", [1.0, 3.0], [2.0, 4.0]]),
    ],
)
def test_columns_of_the_same_names(shared_runner, write, parameters, form, expected):
    source = f"import numpy as np\n\ndef m({parameters}):\n"
    mechanism = write(source + "    return [type(a).__name__, type(b).__name__, list(a), list(b)]\n")
    columns = Columns((("a", Interval(0.0, 9.0, integer=False)), ("b", Interval(0.0, 9.0, integer=False))))
    claim = replace(mechanism.claim, domain=columns, data="a", apart=(("b", "b"),))
    shared_runner.load(replace(mechanism, data="a", claim=claim))
    rows = [{"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 4.0}]
    datas = (DataValue(rows, form=form), DataValue([], form=form))
    request = SampleRequest(datas=datas, arguments={}, runs=1, block=1, seed=(1, ()))
    both, empty = (next(iter(batch.outputs())) for batch in shared_runner.sample(request))

    assert both == expected
    assert empty == [*expected[:2], [], []]


@pytest.mark.parametrize(
    ("rows", "kept", "expected"),
    [([1, 2], 0, ["torch.int64", [1, 2]]), ([1.0, 2.0], 0, ["torch.float32", [1.0, 2.0]])],
)
def test_tensors(shared_runner, write, rows, kept, expected):
    pytest.importorskip("torch")
    mechanism = write("import torch\n\ndef m(x):\n    return [str(x.dtype), x.tolist()]\n")
    shared_runner.load(replace(mechanism, data="x"))
    datas = (DataValue(rows, form="tensor"), DataValue(rows[:kept], form="tensor"))
    both, empty = (
        next(iter(batch.outputs()))
        for batch in shared_runner.sample(SampleRequest(datas=datas, arguments={}, runs=1, block=1, seed=(1, ())))
    )

    assert (both, empty) == (expected, [expected[0], []])


def test_an_object_gets_its_data_and_what_else_it_needs_by_name(shared_runner, write):
    source = """
class C:
    def __init__(self, limits, rows):
        limits.append(len(rows))
        self.limits, self.rows = limits, rows

    def f(self):
        return [self.limits, self.rows]
"""
    mechanism = write(source, "C.f")
    receiver = Receiver(":C", True, Parameter("rows"), None, ("limits",), (("limits", [7]),))
    shared_runner.load(replace(mechanism, data="make.rows", receiver=receiver))
    request = SampleRequest(datas=(DataValue([1, 2]),), arguments={}, runs=2, block=2, seed=(1, ()))
    (batch,) = shared_runner.sample(request)

    assert list(batch.outputs()) == [[[7, 2], [1, 2]]] * 2  # each run has a list of its own


def test_arguments_by_name(shared_runner, write):
    source = "import enum\nclass Kind(enum.Enum):\n    SUM = 3\nLIMITS = [1]\n\ndef m(x, kind, limits):\n"
    mechanism = write(source + "    limits.append(kind.value)\n    return [kind is Kind.SUM, limits]\n")
    specs = (("kind", Fixed(":Kind.SUM")), ("limits", Fixed(":LIMITS")))
    shared_runner.load(replace(mechanism, data="x", claim=replace(mechanism.claim, args=specs)))
    arguments = {"kind": ":Kind.SUM", "limits": ":LIMITS"}
    request = SampleRequest(datas=(DataValue([1]),), arguments=arguments, runs=2, block=2, seed=(1, ()))
    (batch,) = shared_runner.sample(request)

    assert list(batch.outputs()) == [[True, [1, 3]]] * 2
