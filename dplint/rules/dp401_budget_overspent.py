"""DP401: more is spent than the claim promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from dplint.claims import EPSILON_NAME
from dplint.contracts.tree import OPPOSITE, Standing
from dplint.rules.context import rounded_up
from dplint.rules.costs import as_meant, is_whole_vector, loss_each, moves_fully, scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.releases import Form
from dplint.rules.flow.scales import EPSILON
from dplint.rules.flow.terms import DrawTerm, Sink, Term, TermKind
from dplint.rules.raw_sinks import RELEASES
from dplint.rules.rule import Context, Report, Reports, Rule

_SLACK = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class _Spent:
    """What one draw costs, as a multiple of the claim's epsilon. raw: the data that it protects."""

    cost: float
    draw: Term
    raw: tuple[Term, ...]


def check(context: Context) -> Reports:
    """Single releases that cost more than the claim, and several that do so together."""
    if context.roles.factor is None or context.guessed:
        return
    if context.budget is not None and context.budget.standing in (Standing.WITHIN, Standing.OVERSPENT):
        return  # the claims of its parts decide: DP407
    told: set[Term] = set()
    for noise in context.noises:
        report = _single(context, noise)
        if report is not None:
            told.add(noise.draw)
            yield report
    known = _known(context)
    if len(known) < 2:
        return
    found: dict[Term, list[_Spent]] = {}
    for sink in context.graph.sinks:
        if sink.kind in RELEASES:
            spent = [one for one in _dearest(sink.term, known, found) if one.draw not in told]
            report = _together(context, spent, sink)
            if report is not None:
                yield report
                return


def _single(context: Context, noise: Noise) -> Report | None:
    """One noisy value with too little noise: an answer that is released, or one that decides on the largest."""
    loss = loss_each(context, noise)
    if loss is None or not noise.shift.downward:
        return None
    for met, raw in zip(noise.meets, noise.raw, strict=False):
        forms = context.releases.of(met)
        if Form.VALUE in forms and loss > _SLACK and moves_fully(context, raw):
            cost, what = loss, "the value that is released here"
        elif (
            Form.CHOSEN in forms
            and len(forms) == 1
            and context.move_apart
            and 2 * loss > _SLACK
            and _one_for_each(context, noise, raw)
        ):
            cost, what = 2 * loss, "a choice among answers that may all move either way"
        else:
            continue
        node = scale_node(noise, noise.ways[0])
        by = rounded_up(cost)
        message = f"with this scale {what} costs {cost:.3g} times the epsilon of the claim: multiply the scale by {by}"
        return Report(node, message, (context.the_claim,))
    return None


def _one_for_each(context: Context, noise: Noise, raw: Term) -> bool:
    """Whether every answer has a draw of its own."""
    return bool(noise.draw.loops) or (
        noise.source.sized and (raw.kind is TermKind.DATA or is_whole_vector(context, raw))
    )


def _known(context: Context) -> dict[Term, _Spent]:
    """What each noisy value costs, as far as that is known."""
    found: dict[Term, _Spent] = {}
    for noise in context.noises:
        loss = loss_each(context, noise)
        if loss is not None and noise.shift.downward:
            for met, raw in zip(noise.meets, noise.raw, strict=False):
                if moves_fully(context, raw):
                    found[met] = _Spent(loss, noise.draw, (raw,))
    for draw in context.exposed.draws:
        if isinstance(draw.value, DrawTerm) and draw.value.source in ("library", "unknown"):
            shown = tuple(one for one in draw.args if context.exposed.of(one))
            cost = _given_budget(context, draw)
            if shown and cost is not None:
                found[draw] = _Spent(cost, draw, shown)
    return found


def _given_budget(context: Context, draw: Term) -> float | None:
    """The share of the claim's epsilon that is handed to a function."""
    factor = context.roles.factor or 1.0
    for one in draw.args:
        way = context.algebra.single(one) if one in context.mentions else None
        if way is not None and way.exact and not way.others and way.power(EPSILON) == 1:
            return way.coefficient / factor
    value = context.roles.value
    if value is None:
        return None
    for name, one in zip(draw.keys, draw.args, strict=False):
        way = context.algebra.single(one) if EPSILON_NAME.match(name) else None
        if way is not None and way.exact and not way.powers and way.coefficient > 0:
            return 1 / as_meant(value / way.coefficient)
    return None


def _dearest(term: Term, known: Mapping[Term, _Spent], found: dict[Term, list[_Spent]]) -> list[_Spent]:
    """The releases in a value; of several ways to make it, those of the dearest. found: what was worked out before."""
    if term in known:
        return [known[term]]
    if term not in found:
        found[term] = []  # in a circle
        parts = [_dearest(one, known, found) for one in term.args]
        if term.kind is TermKind.CHOICE:
            found[term] = max(parts, key=lambda spent: sum(one.cost for one in spent), default=[])
        else:
            found[term] = list({one.draw: one for part in parts for one in part}.values())
    return found[term]


def _together(context: Context, spent: list[_Spent], sink: Sink) -> Report | None:
    """Several releases of the same records whose costs add up to more than the claim."""
    group = list(spent)
    for one in spent:
        group = [other for other in group if other is one or one not in group or not _disjoint(context, one, other)]
    total = sum(one.cost for one in group)
    if len(group) < 2 or total <= _SLACK:
        return None
    node: cst.CSTNode = group[-1].draw.node or sink.node
    related = context.related((one.draw.node, f"spends {one.cost:.3g} of the claim's epsilon") for one in group)
    message = (
        f"{len(group)} releases of the same data spend {total:.3g} times the epsilon of the claim together: give each "
        "a share of epsilon, or claim their sum"
    )
    return Report(node, message, (context.the_claim, *related))


def _disjoint(context: Context, one: _Spent, two: _Spent) -> bool:
    """Whether two releases may be of parts that no record is in both of."""
    if context.on_vectors:
        return any(raw.kind is not TermKind.CALL for raw in (*one.raw, *two.raw)) and one.raw != two.raw
    values = [_counted(raw) for raw in (one.raw[0], two.raw[0])]
    if None not in values and values[0] != values[1]:
        return True
    first, second = (_conditions(raw) for raw in (one.raw[0], two.raw[0]))
    return any(_excludes(a, b) for a in first for b in second)


def _counted(term: Term) -> str | None:
    """The constant that is counted in the data, as in `rows.count("x")`."""
    counts = term.is_call("count") and len(term.args) == 2
    return repr(term.args[1].value) if counts and term.args[1].kind is TermKind.CONSTANT else None


def _conditions(term: Term) -> list[Term]:
    """The conditions under which a record counts."""
    inner = term.args[0] if term.kind is TermKind.CALL and term.args else term
    while inner.kind in (TermKind.EXIT, TermKind.LOOP) and inner.args:
        inner = inner.args[-1]
    return inner.conditions


def _excludes(one: Term, two: Term) -> bool:
    """Whether two comparisons may never hold together: other constants, or the other side of the same one."""
    if one.kind is not TermKind.COMPARISON or two.kind is not TermKind.COMPARISON:
        return True  # not understood, and so perhaps
    if one.name == two.name:
        return one.name == "=="
    return two.name in OPPOSITE.get(one.name, ()) or "in" in (one.name, two.name) or "==" in (one.name, two.name)


RULE = Rule("DP401", check, error_if_refuted=True)
