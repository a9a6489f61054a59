"""DP503: what is clipped is an average over records, and the noise is for clipping each of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dplint.claims import Interval
from dplint.rules.costs import scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.scales import EPSILON, Monomial
from dplint.rules.flow.terms import Loop, Term, TermKind, innermost, inside
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule

_MEANS = frozenset({"mean", "sum", "median", "dot"})
_SAME = frozenset({"array", "list", "tuple", "float", "copy", "astype", "stack", "asarray"})
_SPLITS = frozenset({"array_split", "split", "reshape", "batched", "chunks", "DataLoader"})
_SLACK = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class _Clip:
    """A value that is kept within bounds. width: how far apart those are. parts: by what the value is divided later."""

    term: Term
    inner: Term
    low: Term | None
    high: Term
    width: Monomial
    parts: tuple[Term, ...]


def check(context: Context) -> Reports:
    """Noise on a clipped average, or on a sum of some, that is smaller than the width of the clip asks for."""
    if not context.on_records:
        return
    for noise in context.noises:
        for raw in noise.raw:
            clip = _clipped(context, raw)
            if clip is None or not _of_many(context, clip.inner) or _is_idle(context, clip):
                continue
            report = _too_little(context, noise, clip)
            if report is not None:
                yield report
                break


def _too_little(context: Context, noise: Noise, clip: _Clip) -> Report | None:
    """How many times too small the noise is, where that is known."""
    needed: Monomial | None = clip.width
    for part in clip.parts:
        by = context.algebra.single(part)
        needed = needed.times(by, -1) if needed is not None and by is not None else None
    if needed is None or not noise.ways:
        return None
    least = min(noise.ways, key=lambda way: way.coefficient)
    share = least.times(needed, -1)
    share = share.times(Monomial(context.roles.factor or 1.0)) if share is not None else None
    if share is None or share.coefficient <= 0:
        return None
    divided = [key for key in share.others if share.power(key) < 0 and _counts(context, noise, key)]
    few = not divided and share.coefficient < _SLACK and _is_known(noise, share)
    if not divided and not few:
        return None
    node = scale_node(noise, least)
    if divided:
        what = "and the noise is divided by their number as if each were clipped"
    else:
        what = f"and the noise is {1 / share.coefficient:.3g} times too small for that"
    message = (
        f"one record can move a clipped average from one end of the clip to the other, {what}: clip each record "
        "before they are added up"
    )
    return Report(node, message, context.claim_and((clip.term.node, "where it is clipped")))


def _is_known(noise: Noise, share: Monomial) -> bool:
    """Whether nothing is in the scale that might make up for it; a Gaussian's own factors do not."""
    if not share.others:
        return share.exact and share.power(EPSILON) == -1
    return noise.draw.name == "normal" and all(share.power(key) > 0 for key in share.others)


def _counts(context: Context, noise: Noise, key: str) -> bool:
    """Whether a key is the number of records: the length of the data, or what its sum is divided by."""
    if key == "len":
        return True
    for raw in noise.raw:
        for term in inside(raw):
            if term.is_operation("/") and len(term.args) == 2:
                by = context.algebra.single(term.args[1])
                if by is not None and by.powers == {key: Fraction(1)} and not context.exposed.of(term.args[1]):
                    return _of_many(context, term.args[0])
    return False


# what is clipped


def _clipped(context: Context, raw: Term) -> _Clip | None:
    """The clip that a value is made by, also in each round of a sum; None if there is none."""
    term, parts = raw, list[Term]()
    for _ in range(20):
        clip = _clip(context, term, tuple(parts))
        if clip is not None:
            return clip
        inner: Term | None = None
        if term.is_operation("/") and context.exposed.of(term.args[0]):
            parts.append(term.args[1])
            inner = term.args[0]
        elif _is_sum(term):
            inner = term.args[0]
        elif term.kind is TermKind.LOOP and len(term.args) == 2:
            inner = _added(term)
        if inner is None:
            return None
        term = inner
    return None


def _is_sum(term: Term) -> bool:
    """Whether it is a sum of the rounds of its first argument, or that argument itself."""
    if term.kind is TermKind.CALL:
        return term.name in ("sum", *_SAME) and bool(term.args)
    return term.kind is TermKind.EXIT or (term.kind is TermKind.CONTAINER and isinstance(term.value, tuple))


def _added(head: Term) -> Term | None:
    """What a loop adds to a variable in each round."""
    step = head.args[1]
    if step.is_operation("+") and head in step.args:
        return step.args[1] if step.args[0] is head else step.args[0]
    return None


def _clip(context: Context, term: Term, parts: tuple[Term, ...]) -> _Clip | None:
    if term.is_call("clip") and len(term.args) == 3:
        inner, low, high = term.args
        width = _width(context, low, high)
        return None if width is None else _Clip(term, inner, low, high, width, parts)
    if term.is_call(("max", "min")) and len(term.args) == 2:
        return _by_ends(context, term, parts)
    return _by_norm(context, term, parts)


def _by_ends(context: Context, term: Term, parts: tuple[Term, ...]) -> _Clip | None:
    """`max(low, min(value, high))`, in any order."""
    outer = [one for one in term.args if not context.exposed.of(one)]
    nested = [one for one in term.args if one.is_call(("max", "min")) and len(one.args) == 2]
    if len(outer) != 1 or len(nested) != 1 or nested[0].name == term.name:
        return None
    ends = [one for one in nested[0].args if not context.exposed.of(one)]
    inner = [one for one in nested[0].args if context.exposed.of(one)]
    if len(ends) != 1 or len(inner) != 1:
        return None
    low, high = (outer[0], ends[0]) if term.name == "max" else (ends[0], outer[0])
    width = _width(context, low, high)
    return None if width is None else _Clip(term, inner[0], low, high, width, parts)


def _by_norm(context: Context, term: Term, parts: tuple[Term, ...]) -> _Clip | None:
    """`value * min(1, bound / norm)` and `value / max(1, norm / bound)`: within a ball, which is twice as wide."""
    if not term.is_operation(("*", "/")) or len(term.args) != 2:
        return None
    names = ("min",) if term.name == "*" else ("max",)
    sides = [(0, 1), (1, 0)] if term.name == "*" else [(0, 1)]
    for first, second in sides:
        inner, factor = term.args[first], term.args[second]
        if factor.is_call(names) and len(factor.args) == 2:
            ratio = next((one for one in factor.args if one.is_operation("/")), None)
            if ratio is None or not any(one.is_call("norm") for one in inside(ratio)):
                continue
            bound = ratio.args[0] if term.name == "*" else ratio.args[1]
            way = context.algebra.single(bound)
            if way is not None and not context.exposed.of(bound):
                width = way.times(Monomial(2.0))
                return None if width is None else _Clip(term, inner, None, bound, width, parts)
    return None


def _width(context: Context, low: Term, high: Term) -> Monomial | None:
    """How far apart the bounds are, where both are of one kind, or one is zero."""
    one, two = context.algebra.single(high), context.algebra.single(low)
    if one is None or not one.coefficient > 0 or context.exposed.of(high):
        return None
    if low.kind is TermKind.CONSTANT and low.value in (0, 0.0):
        return one
    if low.is_operation("neg") and two is not None and two.powers == one.powers:
        return one.times(Monomial(1 + abs(two.coefficient) / one.coefficient))
    if two is not None and one.powers == two.powers and one.exact and two.exact and one.coefficient > two.coefficient:
        return Monomial(one.coefficient - two.coefficient, one.powers)
    return None


# what it is clipped of


def _of_many(context: Context, term: Term) -> bool:
    """Whether a value is made of several records, none of which was clipped before."""
    for _ in range(20):
        if term.is_operation(("/", "*", "neg")) and term.args:
            shown = [one for one in term.args if context.exposed.of(one)]
            if len(shown) != 1:
                return False
            term = shown[0]
        elif term.kind is TermKind.EXIT and term.args:
            term = term.args[0]
        elif term.kind is TermKind.LOOP and len(term.args) == 2:
            step = _added(term)
            return step is not None and any(_is_record(one) for one in inside(step)) and not _has_clip(step)
        elif term.is_call(_MEANS) and term.args:
            return _are_records(term.args[0]) and not _has_clip(term.args[0])
        elif term.is_call(_SAME) and term.args:
            term = term.args[0]
        else:
            return False
    return False


def _are_records(term: Term) -> bool:
    """Whether a value is a sequence of records: all of them, a piece, or what is computed of each."""

    def passes(one: Term) -> bool:
        return one.is_call(_SAME) or (one.is_operation("[]") and one.args[1].name in ("slice", "<", ">"))

    whole = innermost(term, passes)
    match whole.kind:
        case TermKind.DATA:
            return whole.value == "sequence"
        case TermKind.CONTAINER if isinstance(whole.value, tuple):
            return any(_is_record(one) for one in inside(whole.args[0]))
        case TermKind.ELEMENT:
            return any(one.is_call(_SPLITS) for one in inside(whole))
    return False


def _is_record(term: Term) -> bool:
    """Whether a term is one record, in a loop over them."""
    looped = term.kind is TermKind.ELEMENT and isinstance(term.value, Loop)
    return looped and any(one.kind is TermKind.DATA for one in inside(term.args[0]))


def _has_clip(term: Term) -> bool:
    names = ("clip", "norm", "max", "min", "maximum", "minimum", "tanh", "sign")
    return any(
        one.kind in (TermKind.CALL, TermKind.COMPARISON) and (one.name in names or one.kind is TermKind.COMPARISON)
        for one in inside(term)
    )


def _is_idle(context: Context, clip: _Clip) -> bool:
    """Whether every record lies within the bounds anyway, as the claim's domain says."""
    domain = context.mechanism.claim.domain
    along_axis = clip.inner.kind is TermKind.CALL and len(clip.inner.args) > 1
    if not isinstance(domain, Interval) or (clip.low is None and along_axis):
        return False  # the norm of a vector has other bounds than its coordinates
    high = context.algebra.single(clip.high)
    low = None if clip.low is None else context.algebra.single(clip.low)
    if high is None or high.powers or not high.exact:
        return False
    least = -high.coefficient if low is None else low.coefficient
    if clip.low is not None and clip.low.is_operation("neg"):
        least = -abs(least)
    return domain.high <= high.coefficient and domain.low >= least


RULE = Rule("DP503", check, effects=ANY_EFFECT)
