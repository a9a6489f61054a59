"""DP115: arithmetic after the clip moves records further than the noise pays for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from dplint.claims import Interval
from dplint.rules.costs import plain_ways
from dplint.rules.flow.draws import Noise
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind

_ROUNDED = 1.01
_COPIES = frozenset({"float", "array", "asarray", "astype", "list"})


@dataclass(frozen=True, slots=True)
class _Held:
    """What a value of one record lies between. clipped: between what it lay right behind the last clip. after: the
    first arithmetic behind that.
    """

    low: float
    high: float
    clipped: tuple[float, float] | None = None
    after: Term | None = None

    def moved(self, low: float, high: float, term: Term) -> _Held:
        """The same after some arithmetic."""
        return replace(self, low=low, high=high, after=self.after or term)


def check(context: Context) -> Reports:
    """Sums of clipped values, with noise for the clip alone."""
    if not context.on_records or context.roles.factor is None:
        return
    for noise in context.noises:
        for raw in noise.raw:
            held = _sum(context, raw)
            if held is None or held.clipped is None or held.after is None:
                continue
            scale, bound, moved = (
                _paid(context, noise),
                _moves(context, *held.clipped),
                _moves(context, held.low, held.high),
            )
            if scale is not None and bound <= scale * _ROUNDED < moved / _ROUNDED and moved < math.inf:
                message = (
                    f"a record is clipped so that it moves the sum by {bound:g}, and moves it by {moved:g} after this; "
                    f"the noise pays for {scale:g}: clip after the arithmetic, or make noise for {moved:g}"
                )
                yield Report(held.after.node, message, context.claim_and((raw.node, "the sum")))


def _paid(context: Context, noise: Noise) -> float | None:
    """How far a sum may move by the scale of its noise, with Laplace noise; None where that is not known."""
    ways = plain_ways(context, noise)
    if ways is None or noise.draw.name != "laplace" or context.roles.factor is None:
        return None
    return min(way.coefficient for way in ways) * context.roles.factor


def _moves(context: Context, low: float, high: float) -> float:
    """How far a sum moves by one value between these."""
    return max(abs(low), abs(high)) if context.records_come_and_go else high - low


def _sum(context: Context, term: Term) -> _Held | None:
    """What a record brings into a sum, perhaps with a factor in front of it; None if it is none."""
    if term.is_operation(("*", "/")):
        return _arithmetic(context, term, _sum)
    if term.is_call("sum") and len(term.args) == 1:
        return _value(context, term.args[0])
    return _sum(context, term.args[0]) if term.is_call(_COPIES) and term.args else None


def _value(context: Context, term: Term) -> _Held | None:
    """What a value of one record lies between; None where that is not known."""
    match term.kind, term.name:
        case TermKind.DATA | TermKind.ELEMENT, _:
            domain = context.mechanism.claim.domain
            return _Held(domain.low, domain.high) if isinstance(domain, Interval) else _Held(-math.inf, math.inf)
        case TermKind.CONTAINER, _ if isinstance(term.value, tuple) and term.args and not term.conditions:
            return _value(context, term.args[0])
        case TermKind.OPERATION, "[]" if len(term.args) == 2 and term.args[1].kind is TermKind.CONSTANT:
            return _value(context, term.args[0])
        case TermKind.OPERATION, "+" | "-" | "*" | "/" | "**":
            return _arithmetic(context, term, _value)
        case TermKind.CALL, "clip" if len(term.args) == 3:
            return _clipped(_value(context, term.args[0]), term.args[1].number_written, term.args[2].number_written)
        case TermKind.CALL, "min" | "max" | "minimum" | "maximum" if len(term.args) == 2:
            inner, end = _value(context, term.args[0]), term.args[1].number_written
            if inner is None or end is None:
                return None
            upper = term.name.startswith("min")
            return _clipped(inner, None if upper else end, end if upper else None)
        case TermKind.CALL, name if name in _COPIES and term.args:
            return _value(context, term.args[0])
    return None


def _clipped(held: _Held | None, low: float | None, high: float | None) -> _Held | None:
    """Held between these; None for an end that stays."""
    if held is None:
        return None
    ends = max(held.low, -math.inf if low is None else low), min(held.high, math.inf if high is None else high)
    return _Held(*ends, clipped=ends) if ends[0] <= ends[1] else None


def _arithmetic(context: Context, term: Term, of: Callable[[Context, Term], _Held | None]) -> _Held | None:
    """What a value and a number give; None for anything else."""
    if len(term.args) != 2:
        return None
    one, other = term.args
    turned = one.number_written is not None and term.name in ("+", "*")
    inner, number = (other, one.number_written) if turned else (one, other.number_written)
    held = None if number is None else of(context, inner)
    if held is None or number is None:
        return None
    if not (math.isfinite(held.low) and math.isfinite(held.high)):
        return held if held.clipped is None else None
    return _ends(held, term, number)


def _ends(held: _Held, term: Term, number: float) -> _Held | None:
    match term.name:
        case "+" | "-":
            moved = number if term.name == "+" else -number
            return held.moved(held.low + moved, held.high + moved, term)
        case "*" | "/" if term.name == "*" or number:
            factor = number if term.name == "*" else 1 / number
            low, high = sorted((held.low * factor, held.high * factor))
            return held.moved(low, high, term)
        case "**" if number in (2, 3):
            ends = sorted((held.low**number, held.high**number))
            inside = number == 2 and held.low < 0 < held.high
            return held.moved(0.0 if inside else ends[0], ends[1], term)
    return None


RULE = Rule("DP115", check, error_if_refuted=True)
