"""Events on outputs of every shape: what arrays say of them is what Python says of the printed text on the output."""

import collections
import datetime
import decimal
import enum
import fractions
import io
import json
import pathlib
import re
import types

import numpy as np
import pandas as pd
import pytest
from event_tools import batch_of

from dplint.events.counting import EventCounter
from dplint.events.printed import PrintedEvent
from dplint.events.split_runs import discover_grids
from dplint.events.texts import TextReader
from dplint.runner.flatten import Raised
from dplint.runner.texts import TextNumbers

RUNS = 200
START = datetime.datetime(2024, 5, 17, 12)


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Summary:
    def __init__(self, low, high):
        self.low = low
        self._high = high


class Slotted:
    __slots__ = ("__hidden", "shown")

    def __init__(self, shown, hidden):
        self.shown = shown
        self.__hidden = hidden


SHAPES = {
    "decimal": (lambda x, y, n: decimal.Decimal(x), "float(output)"),
    "fraction": (lambda x, y, n: fractions.Fraction(2 * n + 1, 4 << n % 2), "output.denominator"),
    "enum": (lambda x, y, n: list(Colour)[n % 2], "output.name"),
    "datetime": (lambda x, y, n: START + datetime.timedelta(hours=x), "output.timestamp()"),
    "date": (lambda x, y, n: START.date() + datetime.timedelta(days=n), "output.toordinal()"),
    "timedelta": (lambda x, y, n: datetime.timedelta(hours=x), "output.total_seconds()"),
    "datetime64": (lambda x, y, n: np.datetime64("2024-05-17", "s") + n, "float(output.astype('int64'))"),
    "bytes": (lambda x, y, n: bytes([n, 200, 3]), "output[0]"),
    "textual bytes": (lambda x, y, n: b"ab" if n % 2 else b"c", "output.decode()"),
    "object": (lambda x, y, n: Summary(x, y), "output._high"),
    "two attributes": (lambda x, y, n: Summary(x, y), "min([output._high, output.low]) "),
    "slots": (lambda x, y, n: Slotted(x, y), "output._Slotted__hidden"),
    "tuple keys": (lambda x, y, n: {("a", 1): x, None: y}, "output[('a', 1)]"),
    "float keys": (lambda x, y, n: {x: "a"}, "list(output)[0]"),
    "key with a dot": (lambda x, y, n: {".x": x, "y": y}, "output['.x']"),
    "dict of numbers": (lambda x, y, n: {"a": x, "b": y}, "sum(list(output.values()))"),
    "set": (lambda x, y, n: {n, 100}, "sorted(output)[0]"),
    "matrix": (lambda x, y, n: np.array([[x, 1.0], [y, 2.0]]), "output[1][0]"),
    "whole matrix": (lambda x, y, n: np.array([[x, 1.0], [y, 2.0]]), "max(output.ravel())"),
    "frame": (lambda x, y, n: pd.DataFrame({"a": [x, y]}), "output.to_dict('list')['a'][1]"),
    "index": (lambda x, y, n: pd.DataFrame({"a": [1]}, index=[x]), "list(output.index)[0]"),
    "series": (lambda x, y, n: pd.Series([x, y], index=[5, 6]), "list(output)[0]"),
    "labels": (lambda x, y, n: pd.Series([x, y], index=["a", "b"]), "output.to_dict()['a']"),
    "mapping": (lambda x, y, n: types.MappingProxyType({"a": x}), "list(output.values())[0]"),
    "file": (lambda x, y, n: io.StringIO("ab" if n % 2 else "c"), "output.getvalue()"),
    "path": (lambda x, y, n: pathlib.PurePosixPath("ab" if n % 2 else "c"), "str(output)"),
    "text": (lambda x, y, n: f"{n % 2} is {x}; {y}", "re.findall("),
    "words": (lambda x, y, n: f"{'some' if n % 2 else 'no'} {x}", "re.sub("),
    "length of text": (lambda x, y, n: f"{x:.2f}" if n % 2 else f"{x:.5f}", "len(output)"),
    "some texts without numbers": (lambda x, y, n: f"at {x}" if n % 3 else "nothing", "re.findall("),
    "json": (lambda x, y, n: json.dumps({"a": x, "b": [y]}), "json.loads(output)['b'][0]"),
    "some json": (lambda x, y, n: json.dumps({"a": x}) if n % 3 else f"no {x}", "json.loads(output)['a']"),
    "message": (lambda x, y, n: ValueError(f"at {x}") if n % 2 else x, "re.findall("),
    "counter": (lambda x, y, n: collections.Counter(a=n, b=1), "output['a']"),
    "range of a list": (lambda x, y, n: [x, y, 0.5], "max(output) - min(output)"),
    "range of an array": (lambda x, y, n: np.array([x, y, 0.5]), "max(map(float, output)) - min(map(float, output))"),
    "range of attributes": (lambda x, y, n: Triple(x, y, x * y), "max([output.a, output.b, output.c]) - min(["),
    "time of day": (lambda x, y, n: datetime.time(n), "output.isoformat()"),
    "complex": (lambda x, y, n: complex(x, y), "output.imag"),
    "tensor": (lambda x, y, n: Tensor(np.array([x, y])), "output[1]"),
    "single tensor": (lambda x, y, n: Tensor(np.array(x)), "output.item()"),
    "returned and printed": (lambda x, y, n: Observed(x, f"sum {y}"), "re.findall("),
}


class Tensor:
    """As much of a tensor of torch as outputs are looked at through."""

    def __init__(self, values):
        self._values = values
        self.shape = values.shape

    def __getitem__(self, index):
        return self._values[index]

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values.tolist())

    def tolist(self):
        return self._values.tolist()

    def item(self):
        return self._values.item()


Triple = collections.namedtuple("Triple", "a b c")
Observed = collections.namedtuple("Observed", "returned stdout")


def holds(event, outputs):
    code = compile(event.expression(), "event", "eval")
    return [int(bool(eval(code, {"json": json, "re": re, "output": output}))) for output in outputs]


@pytest.mark.parametrize("shape", SHAPES)
def test_arrays_and_python_agree_on_every_shape(shape):
    make, expression = SHAPES[shape]
    rng = np.random.default_rng(7)
    outputs = [
        make(float(x), float(y), int(n))
        for x, y, n in zip(*rng.normal(size=(2, RUNS)), rng.integers(0, 20, RUNS), strict=True)
    ]
    texts = TextNumbers()
    reader = TextReader(texts)
    batch = reader.read(batch_of(outputs))
    grids = discover_grids([batch], [], texts)
    events = [grid.event(i) for grid in grids for i in range(0, grid.size, max(1, grid.size // 12))]
    counter = EventCounter(events, 2, texts)
    for side in range(2):
        counter.add(side, reader.read(batch_of(outputs[side::2])))

    assert any(expression in event.expression() for event in events), sorted({e.expression() for e in events})
    seen = batch_of(outputs).likenesses()
    for event, hits in zip(events, counter.hits(), strict=True):
        truth = holds(event, outputs)
        assert hits == [sum(truth[0::2]), sum(truth[1::2])], event.expression()
        printed = PrintedEvent(event.expression())
        assert [int(printed.holds(output)) for output in seen] == truth, event.expression()


def test_what_is_raised_is_seen_beside_what_is_printed():
    rng = np.random.default_rng(7)
    outputs = [
        Observed(Raised(ValueError(f"at {x}")) if n else x, "")
        for x, n in zip(*rng.normal(size=(2, RUNS)) > 0, strict=True)
    ]
    texts = TextNumbers()
    batch = batch_of(outputs)
    events = [grid.event(i) for grid in discover_grids([batch], [], texts) for i in range(grid.size)]
    counter = EventCounter(events, 1, texts)
    counter.add(0, batch)
    found = {event.expression(): hits[0] for event, hits in zip(events, counter.hits(), strict=True)}

    raised = sum(isinstance(output.returned, Raised) for output in outputs)
    assert found["type(output.returned).__name__ == 'ValueError'"] == raised
    printed = PrintedEvent("type(output.returned).__name__ == 'ValueError'")
    assert sum(map(printed.holds, batch.likenesses())) == raised
    assert any("str(output.returned) == 'at True'" in event for event in found)
