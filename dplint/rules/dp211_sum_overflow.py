"""DP211: a sum in a type of numbers that the claimed data can overflow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dplint.claims import Interval
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule, Term, TermKind

_LIMITS: Mapping[str, tuple[float, float]] = {
    **{f"int{bits}": (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1) - 1) for bits in (8, 16, 32)},
    **{f"uint{bits}": (0.0, 2.0**bits - 1) for bits in (8, 16, 32)},
    "float16": (-65504.0, 65504.0),
    "float32": (-3.4028234663852886e38, 3.4028234663852886e38),
}
"""Of 64 bits nothing is said: integers of that size are rare in claims."""
_ALIASES: Mapping[str, str] = {
    **{f"{letter}{size}": f"{kind}{8 * size}" for letter, kind in (("i", "int"), ("u", "uint")) for size in (1, 2, 4)},
    "f2": "float16",
    "f4": "float32",
    "half": "float16",
    "single": "float32",
    "intc": "int32",
    "byte": "int8",
    "ubyte": "uint8",
    "short": "int16",
    "ushort": "uint16",
    "uintc": "uint32",
}
_SUMS = frozenset({"sum", "cumsum", "nansum"})
_MADE = frozenset({"array", "asarray", "astype", "fromiter", "ascontiguousarray", "ravel", "flatten", "copy", "list"})


@dataclass(frozen=True, slots=True)
class _Summed:
    """What is added up: the type that its elements have, None if Python's or 64 bits, and the bounds of each."""

    dtype: str | None
    low: float
    high: float


def check(context: Context) -> Reports:
    """Sums whose type ends before what the claim's domain and size can add up to."""
    claim = context.mechanism.claim
    if not isinstance(claim.domain, Interval) or not claim.size:
        return
    count = max(claim.size) + context.records_come_and_go
    for term in context.graph.terms:
        if not term.is_call(_SUMS) or not term.args:
            continue
        summed = _summed(term.args[0], claim.domain)
        if summed is None:
            continue
        dtype = _dtype(term.argument("dtype")) or _own_dtype(term, summed)
        if dtype is None:
            continue
        least, most = _LIMITS[dtype]
        low, high = count * min(summed.low, 0.0), count * max(summed.high, 0.0)
        if low < least or high > most:
            reached, limit = (high, most) if high > most else (low, least)
            fate = "is infinite" if dtype.startswith("float") else "begins again at the other end"
            message = (
                f"{count} values within the claim add up to {reached:g}, and {dtype} ends at {limit:g}, where the sum "
                f"{fate}: add up with `dtype=np.int64` or `np.float64`, or with Python's integers"
            )
            yield Report(term.node, message, (context.the_claim,))


def _own_dtype(term: Term, summed: _Summed) -> str | None:
    """The type that a sum has if it names none. NumPy adds small integers up in 64 bits, Python in their own type."""
    small = summed.dtype is not None and summed.dtype.startswith("float")
    return summed.dtype if small or term.value == "sum" else None


def _summed(term: Term, domain: Interval) -> _Summed | None:
    """What the elements of a value are; None if they are not just the data, clipped or in another type."""
    match term.kind:
        case TermKind.DATA if term.value != "scalar":
            return _Summed(None, domain.low, domain.high)
        case TermKind.CALL if term.name in _MADE and term.args:
            inner = _summed(term.args[0], domain)
            named = term.argument("dtype") or (term.args[1] if term.name == "astype" and len(term.args) > 1 else None)
            if inner is None or named is None:
                return inner
            return _Summed(_dtype(named), inner.low, inner.high)
        case TermKind.CALL if term.name == "clip" and len(term.args) == 3:
            inner = _summed(term.args[0], domain)
            bounds = [one.value for one in term.args[1:]]
            if inner is None or not all(isinstance(one, int | float) for one in bounds):
                return inner
            low, high = (float(one) for one in bounds if isinstance(one, int | float))
            return _Summed(inner.dtype, max(inner.low, low), min(inner.high, high))
    return None


def _dtype(term: Term | None) -> str | None:
    """The small type of numbers that a value names, None if it names none."""
    if term is None:
        return None
    name = term.value if isinstance(term.value, str) and term.kind is TermKind.CONSTANT else term.name
    name = name.lstrip("<>=|").rpartition(".")[2]
    name = _ALIASES.get(name, name)
    return name if name in _LIMITS else None


RULE = Rule("DP211", check, disprovable=False, effects=ANY_EFFECT)
