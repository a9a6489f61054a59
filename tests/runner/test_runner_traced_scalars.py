"""Scalars of NumPy by lane with numbers of Python: the same values and types as by Python alone."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

from dplint.tracing.lanes import NUMPY, PerLane, tracer
from dplint.tracing.operators import OPERATORS, UFUNCS

ROWS = [
    np.array([0, 1, -3, 7, 2**40]),
    np.array([True, False, True, True, False]),
    np.array([0.5, -2.0, 0.0, 3.0, 1e300]),
]
OTHERS = [0, 1, -2, 5, 2**33, True, False, 0.5, -3.0]


@pytest.mark.parametrize("name", UFUNCS)
def test_a_scalar_of_numpy_and_a_number_of_python(name):
    """Where Python raises in all lanes, so do lanes; where it does in some, they part, which is looked at elsewhere."""

    def run():
        for rows, other, turned in itertools.product(ROWS, OTHERS, (False, True)):
            operation = OPERATORS[name]
            alone, failed = [], 0
            for one in rows:
                try:
                    alone.append(operation(*((other, one) if turned else (one, other))))
                except (TypeError, ValueError, OverflowError, ZeroDivisionError):
                    failed += 1
            if failed:
                continue
            value = PerLane(rows.copy(), NUMPY)
            found = operation(*((other, value) if turned else (value, other)))
            shown = [
                (type(one), repr(one))
                for one in (tracer.items(found) if isinstance(found, PerLane) else [found] * len(rows))
            ]
            assert shown == [(type(one), repr(one)) for one in alone], (name, rows, other, turned)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tracer.run(run, len(ROWS[0]), lambda *_: True)
