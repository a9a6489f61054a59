"""What functions of `math` do on values by lane; entries of the table (`table`)."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import numpy as np

from .kinds import ARRAY, NONE
from .lanes import PerLane, tracer
from .recording import nameable, operation_named
from .table import DECLINED, TABLE, entry, to_float


def _math(function: Any, on_rows: Callable[[Any], Any], outside: Optional[Callable[[Any], Any]] = None) -> None:
    """A function of `math` of one number. outside: where it raises, of the numbers that count."""

    def call_(value: Any) -> Any:
        rows = tracer.raw(value)
        if value.form == ARRAY or rows.dtype == object or value.kinds is not None:
            return DECLINED
        rows = rows.astype(np.float64)
        active = rows if tracer.mask is None else rows[tracer.mask]
        if not np.isfinite(active).all() or (outside is not None and outside(active).any()):
            return DECLINED
        found = on_rows(rows)
        return PerLane(found)

    TABLE[nameable(function, f"math.{function.__name__}")] = operation_named(f"math.{function.__name__}")(call_)


_TOO_LARGE = 709.7
_math(math.exp, np.exp, lambda rows: rows > _TOO_LARGE)
_math(math.expm1, np.expm1, lambda rows: rows > _TOO_LARGE)
_math(math.sqrt, np.sqrt, lambda rows: rows < 0)
_math(math.log, np.log, lambda rows: rows <= 0)
_math(math.log2, np.log2, lambda rows: rows <= 0)
_math(math.log10, np.log10, lambda rows: rows <= 0)
_math(math.log1p, np.log1p, lambda rows: rows <= -1)
for _name, _ufunc in (("sin", np.sin), ("cos", np.cos), ("atan", np.arctan), ("tanh", np.tanh)):
    _math(getattr(math, _name), _ufunc)
for _name in ("isnan", "isinf", "isfinite"):

    def _told(value: Any, name: str = _name) -> Any:
        rows = tracer.raw(value)
        if value.form == ARRAY or rows.dtype == object or (value.kinds is not None and (value.kinds == NONE).any()):
            return DECLINED
        return PerLane(getattr(np, name)(rows.astype(np.float64)))

    TABLE[nameable(getattr(math, _name), f"math.{_name}")] = operation_named(f"math.{_name}")(_told)


@entry(math.copysign)
def _copysign(size: Any, sign: Any) -> Any:
    parts = [to_float(one) if isinstance(one, PerLane) else one for one in (size, sign)]
    if any(one is DECLINED or not isinstance(one, (PerLane, float, int)) for one in parts):
        return DECLINED
    rows = [tracer.rows(one) if isinstance(one, PerLane) else float(one) for one in parts]
    return PerLane(np.copysign(rows[0], rows[1]))


@entry(divmod)
def _divmod(value: Any, other: Any) -> Any:
    return DECLINED if isinstance(value, (str, bytes)) else divmod(value, other)


@entry(pow)
def _pow(base: Any, exponent: Any, *modulo: Any) -> Any:
    return DECLINED if modulo else base**exponent
