"""DP103: several values are released, and the scale does not grow with their number."""

from __future__ import annotations

import math

from dplint.claims import Interval
from dplint.outcomes import Related
from dplint.rules.context import number_of_answers
from dplint.rules.costs import all_released, data_loops, loss_each, scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.releases import Form
from dplint.rules.flow.terms import Loop, Term, TermKind
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Vectors where all elements move, loops that stop at a number, and repeated releases of one value."""
    for noise in context.noises:
        loss = loss_each(context, noise)
        if loss is None:
            continue
        yield from _vector(context, noise, loss)
        yield from _until(context, noise, loss)
        yield from _again(context, noise, loss)


def _vector(context: Context, noise: Noise, loss: float) -> Reports:
    """One noisy value for each of the answers, all of which may move. The l1 scale is the business of DP501."""
    if not context.all_move or loss * context.most <= 1 or abs(loss - 1) < 1e-9:
        return
    if any(all_released(context, noise, met) for met in noise.meets):
        what = "one noisy value is released for each answer"
        yield from _report(context, noise, what, number_of_answers(context), None)


def _until(context: Context, noise: Noise, loss: float) -> Reports:
    """A loop over the answers that stops after so many reports."""
    if not context.all_move:
        return
    for met in noise.meets:
        if Form.TEST not in context.releases.of(met):
            continue
        for loop in data_loops(context, met):
            limit = _limit(context, loop)
            if limit is not None and 2 * loss * _largest(context, limit) > 1:
                what = f"up to {limit.name} answers above the threshold are reported"
                yield from _report(context, noise, what, limit.name, loop)
                return


def _largest(context: Context, limit: Term) -> float:
    """The largest value of a parameter that the claim allows."""
    spec = dict(context.mechanism.claim.args).get(limit.name)
    if isinstance(spec, Interval):
        return spec.high
    return context.roles.fixed.get(limit.name, math.inf)


def _limit(context: Context, loop: Loop) -> Term | None:
    """The parameter that a counter is compared with before the loop ends, unless the claim says that it is 1."""
    for guards in loop.exits:
        for guard in guards:
            if (
                guard.kind is not TermKind.COMPARISON
                or len(guard.args) != 2
                or context.exposed.has_draws(guard.args[1])
            ):
                continue
            for one, other in (guard.args, guard.args[::-1]):
                kinds = (TermKind.OPERATION, TermKind.LOOP, TermKind.CHOICE)
                counts = other.kind in kinds and one not in context.mentions
                named = one.kind is TermKind.SYMBOL and not one.name.startswith("<")
                if counts and named and context.roles.fixed.get(one.name) != 1:
                    return one
    return None


def _again(context: Context, noise: Noise, loss: float) -> Reports:
    """The same value with fresh noise, several times."""
    for met, raw in zip(noise.meets, noise.raw, strict=False):
        if Form.VALUE not in context.releases.of(met):
            continue
        for loop in context.graph.loops:
            inside = noise.draw.loops & loop.bit and not context.exposed.varies(raw) & loop.bit
            times = _times(loop) if inside else None
            if times is None or loop.exits:
                continue
            known = times.value if times.kind is TermKind.CONSTANT else context.roles.fixed.get(times.name)
            if isinstance(known, int | float) and loss * known <= 1:
                continue
            count = f"{known:g}" if isinstance(known, int | float) else times.name
            yield from _report(context, noise, f"the same value is released {count} times", count, loop)
            return


def _times(loop: Loop) -> Term | None:
    """How many rounds a loop over `range` has."""
    iterable = loop.iterable
    if iterable is None or not iterable.is_call("range") or len(iterable.args) != 1:
        return None
    times = iterable.args[0]
    number = times.kind is TermKind.CONSTANT and isinstance(times.value, int)
    return times if number or (times.kind is TermKind.SYMBOL and not times.name.startswith("<")) else None


def _report(context: Context, noise: Noise, what: str, number: str, loop: Loop | None) -> Reports:
    node = scale_node(noise, noise.ways[0])
    message = f"{what}, but the scale of the noise does not grow with their number: multiply it by {number}"
    related = [context.the_claim]
    if loop is not None:
        related.append(Related(context.span(loop.node), "the loop"))
    yield Report(node, message, tuple(related))


RULE = Rule("DP103", check)
