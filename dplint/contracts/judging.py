"""Compares what the parts of a mechanism spend with what it claims.

Losses of calls on the same records add up, epsilon and delta each, also where a call is chosen in view of what earlier
ones gave; of calls on disjoint parts only the dearest counts (Dwork and Roth, The Algorithmic Foundations of
Differential Privacy, 2014, theorem 3.16; McSherry, Privacy Integrated Queries, 2009, theorem 4). This is an upper
bound that rests on the claims of the parts. Where a claim has a delta, a better bound than the sum may exist, so a sum
that is too large is not called overspent there.

The budgets of the mechanisms of one module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from dplint.amounts import ZERO, Amount, name, number
from dplint.claims import Categories, Fixed, Interval, Mechanism
from dplint.contracts.composing import composed_delta_of
from dplint.contracts.expressions import counted_in
from dplint.contracts.frames import Run
from dplint.contracts.objects import takes_object
from dplint.contracts.reading import read_spending
from dplint.contracts.tree import (
    Budget,
    Choice,
    Limit,
    Node,
    Repeat,
    Series,
    Spend,
    Standing,
    Unclear,
    composed_delta,
    disjoint_groups,
    spends,
    within,
)
from dplint.contracts.values import Public
from dplint.contracts.views import View
from dplint.source.module import ParsedModule
from dplint.source.project import ProjectIndex

_NOT_RHO = (
    "of claims by other definitions those in rho without a delta, in mu, and at one order are composed, by + - * /"
)
_NOT_MADE = "what is claimed is not made of parameters by + - * /"
_MOST = 64
"""More ways through a function, or values of its arguments, are not looked at."""
Total = Mapping[str, tuple[Amount, Amount] | None]
"""Epsilon and delta by the accountant that has allowed them, "" for none; None where there is no end to them."""


def judge(mechanism: Mechanism, tree: Node, run: Run) -> Budget:
    """What is known of the claim of a mechanism by the claims of its parts."""
    given = {one.name: Public(one.name, amount=name(one.name)) for one in mechanism.parameters}
    epsilon, delta = counted_in(mechanism.claim, mechanism.claim, given)
    unclear = list(run.unclear)
    found = Budget(mechanism, epsilon, delta, tree, Standing.UNDECIDED, limits=tuple(run.limits.values()))
    if not run.met:
        return replace(found, standing=Standing.LEAF)
    if epsilon is None or delta is None:
        reason = _NOT_RHO if mechanism.claim.promise else _NOT_MADE
        return replace(found, unclear=(*unclear, Unclear(mechanism.file, mechanism.claim_span, reason)))
    limits = {label: limit for label, limit in run.limits.items() if label not in run.broken}
    over = _over(mechanism, tree, (epsilon, delta), limits)
    ways = _ways(tree, frozenset(limits))
    totals = None if ways is None else [_bounds(way, limits) for way in ways]
    shown = None if totals is None or not all(totals) else tuple(options[0] for options in totals)
    found = replace(found, totals=shown)
    if over is not None:
        leaf, spent, at = over
        words = tuple((one, str(number(value))) for one, value in sorted(at.items()))
        unclear_ones = tuple(unclear)
        return replace(found, standing=Standing.OVERSPENT, unclear=unclear_ones, over=leaf, spent=spent, at=words)
    if unclear or totals is None or not all(totals):
        if not unclear:
            reason = "how often this is repeated is not known, or there are too many ways through it"
            unclear.append(Unclear(mechanism.file, mechanism.span, reason))
        return replace(found, unclear=tuple(unclear))
    for leaf in spends(tree):
        allowed = leaf.accountant in limits  # which refuses negative numbers itself
        if not allowed and not all(_never_negative(mechanism, one) for one in (leaf.epsilon, leaf.delta)):
            reason = f"what {leaf.name} is given may be negative, which is no budget that another part could have"
            return replace(found, unclear=(Unclear(leaf.file, leaf.span, reason),))
    claim = (epsilon, delta)
    kept = [next((one for one in options if _keeps(mechanism, one, claim)), None) for options in totals]
    known = tuple(one for one in kept if one is not None)
    if len(known) == len(kept):
        return replace(found, standing=Standing.WITHIN, totals=known)
    return _by_composing(found, mechanism, run)


def _by_composing(found: Budget, mechanism: Mechanism, run: Run) -> Budget:
    """What is known where the sums are not within the claim."""
    tree, epsilon, delta = found.tree, found.epsilon, found.delta
    assert epsilon is not None
    assert delta is not None
    composed = None if mechanism.claim.promise else _composed(mechanism, tree, run, (epsilon, delta))
    if composed is not None:
        together, claimed_delta = composed
        found = replace(found, composed=together)
        if together <= claimed_delta:
            return replace(found, standing=Standing.WITHIN)
    reason = "whether the sum is within the claim depends on the arguments, or needs more than adding up"
    if composed is not None:
        reason = f"composed, the claims of its parts show no delta below {together:.4g} with this epsilon"
    return replace(found, unclear=(Unclear(mechanism.file, mechanism.claim_span, reason),))


def _composed(
    mechanism: Mechanism, tree: Node, run: Run, claim: tuple[Amount, Amount]
) -> tuple[float, Fraction] | None:
    """The delta that the parts keep together at the epsilon of the claim, and that of the claim, where all are numbers.

    The least of what is known: of epsilons and deltas the best that follows; of mu, rho and samples see `composing`.
    """
    fixed = {
        one: values[0] for one, spec in mechanism.claim.args if isinstance(spec, Fixed) and (values := _values(spec))
    }
    calls = None if run.limits else _calls(tree, number(1))
    try:
        claimed_here = [one.at(fixed).value for one in claim]
        turns = [times.at(fixed).value for _, times in calls or ()]
        parts = [(leaf, leaf.epsilon.at(fixed).value, leaf.delta.at(fixed).value) for leaf, _ in calls or ()]
    except ZeroDivisionError:
        return None
    epsilon, delta = claimed_here
    whole = [int(one) for one in turns if one is not None and one.denominator == 1 and one >= 0]
    if not parts or len(whole) < len(parts) or epsilon is None or delta is None or delta == 0:
        return None
    pairs = [(e, d, times) for (_, e, d), times in zip(parts, whole, strict=True) if e is not None and d is not None]
    kept = [(leaf.kept, times) for (leaf, *_), times in zip(parts, whole, strict=True) if times]
    laws = [replace(law, times=law.times * times) for law, times in kept if law is not None]
    options = [
        composed_delta(pairs, epsilon) if len(pairs) == len(parts) else None,
        composed_delta_of(laws, float(epsilon)) if len(laws) == len(kept) else None,
    ]
    found = min((one for one in options if one is not None), default=None)
    return None if found is None else (found, delta)


def _calls(node: Node, times: Amount) -> list[tuple[Spend, Amount]] | None:
    """All calls, and how often each is made; None if an answer may decide which are made, or how often."""
    match node:
        case Spend():
            return [(node, times)]
        case Series(items=items):
            inner = [_calls(one, times) for one in items]
            return None if any(one is None for one in inner) else [call for one in inner for call in one or ()]
        case Repeat(times=Amount() as turns, whole=True, body=body):
            return _calls(body, times * turns)
    return None


def _ways(node: Node, accountants: frozenset[str]) -> list[Total] | None:
    """What the ways through a tree cost at most; None if there are too many, or no bound."""
    match node:
        case Spend():
            label = node.accountant if node.accountant is not None and node.accountant in accountants else ""
            return [{label: (node.epsilon, node.delta)}]
        case Choice(branches=branches):
            each = [_ways(one, accountants) for one in branches]
            found = [way for inner in each for way in inner or ()]
            return found if None not in each and len(found) <= _MOST else None
        case Repeat():
            inner = _ways(node.body, accountants)
            return None if inner is None else [_repeated(one, node) for one in inner]
        case Series(items=items):
            return _after_another(items, accountants)


def _repeated(total: Total, node: Repeat) -> Total:
    if node.disjoint:
        return total
    times = node.times
    return {
        label: None if cost is None or times is None else (times * cost[0], times * cost[1])
        for label, cost in total.items()
    }


def _after_another(items: tuple[Node, ...], accountants: frozenset[str]) -> list[Total] | None:
    leaves = [one for one in items if isinstance(one, Spend)]
    groups = disjoint_groups(leaves)
    found: list[Total] = []
    for group in groups:
        ways: list[Total] = [{}]
        for one in items:
            if isinstance(one, Spend) and one not in group:
                continue
            inner = _ways(one, accountants)
            if inner is None or len(ways) * len(inner) > _MOST:
                return None
            ways = [_added(way, further) for way in ways for further in inner]
        found += ways
    return found if len(found) <= _MOST else None


def _added(one: Total, other: Total) -> Total:
    found = dict(one)
    for label, cost in other.items():
        known = found.get(label, (ZERO, ZERO))
        found[label] = None if cost is None or known is None else (known[0] + cost[0], known[1] + cost[1])
    return found


def _bounds(way: Total, limits: Mapping[str, Limit]) -> list[tuple[Amount, Amount]]:
    """Upper bounds of what one way costs: by adding up, or by what accountants allow."""
    options: list[list[tuple[Amount, Amount]]] = []
    for label, cost in way.items():
        known = [cost] if cost is not None else []
        limit = limits.get(label)
        if limit is not None and limit.epsilon is not None:
            if limit.exact and cost is not None:
                known.append((limit.epsilon, cost[1]))
            if limit.delta is not None:
                known.append((limit.epsilon, limit.delta))
        options.append(known)
    found = []
    for chosen in product(*options):
        total = (ZERO, ZERO)
        for epsilon, delta in chosen:
            total = (total[0] + epsilon, total[1] + delta)
        found.append(total)
    return found


def _keeps(mechanism: Mechanism, total: tuple[Amount, Amount], claim: tuple[Amount, Amount]) -> bool:
    """Whether a total is within the claim for all arguments that the claim speaks of."""
    return all(_never_negative(mechanism, have - spent) for have, spent in zip(claim, total, strict=True))


def _never_negative(mechanism: Mechanism, left: Amount) -> bool:
    """Whether an amount is 0 or more for all arguments that the claim speaks of; where nothing is said, above 0."""
    specs = {argument: spec for argument, spec in mechanism.claim.args if argument in left.names}
    ranges: dict[str, list[Fraction]] = {}
    for argument, spec in specs.items():
        values = _values(spec)
        if values is None:
            return False
        ranges[argument] = values
    signed = any(min(values) < 0 for values in ranges.values())
    if not signed and left.sign() in (0, 1):
        return True
    # Along an interval an amount of degree 1 is smallest at an end, if its bottom does not change.
    intervals = [argument for argument, spec in specs.items() if isinstance(spec, Interval)]
    if any(left.degree(one) > 1 or not _steady(left, one) for one in intervals):
        return False
    points = (dict(zip(ranges, point, strict=True)) for point in product(*ranges.values()))
    return all(_sign_at(left, point) in (0, 1) for point in points)


def _sign_at(amount: Amount, point: Mapping[str, Fraction]) -> int | None:
    """The sign of an amount for these arguments; None if it has none there."""
    try:
        return amount.at(point).sign()
    except ZeroDivisionError:
        return None


def _steady(left: Amount, argument: str) -> bool:
    """Whether the bottom does not depend on an argument."""
    return all(one != argument for monomial in left.bottom for one, _ in monomial)


def _values(spec: Fixed | Categories | Interval) -> list[Fraction] | None:
    raw: tuple[object, ...]
    match spec:
        case Fixed(value=value):
            raw = (value,)
        case Categories(values=values):
            raw = values
        case Interval(low=low, high=high):
            raw = (low, high)
    if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in raw):
        return None
    return [Fraction(str(one)) for one in raw]


# what is certainly too much


def _over(
    mechanism: Mechanism, tree: Node, claim: tuple[Amount, Amount], limits: Mapping[str, Limit]
) -> tuple[Spend, Amount, dict[str, Fraction]] | None:
    """The call at which the parts claim more than the whole, what they spend up to there, and for which arguments."""
    epsilon, delta = claim
    for chain in _chains(tree):
        counted = [(leaf, times) for leaf, times in chain if _counts(leaf, epsilon, limits)]
        for part in {leaf.part for leaf, _ in counted}:
            spent = ZERO
            for leaf, times in counted:
                if not within(part, leaf.part):
                    continue
                if delta.is_zero and leaf.delta.sign() == 1:
                    return leaf, leaf.delta, {}
                # Over several steps a part may lose less: a count moves by 1 where a record is replaced.
                spent = spent + times * leaf.epsilon / number(leaf.factor)
                point = _exceeding(mechanism, spent - epsilon) if delta.is_zero else None
                if point is not None:
                    return leaf, spent, {n: v for n, v in point.items() if n in (spent - epsilon).names}
    return None


def _exceeding(mechanism: Mechanism, over: Amount) -> dict[str, Fraction] | None:
    """Arguments that the claim speaks of for which an amount is above 0, None if none are found."""
    return next((point for point in _points(mechanism) if _sign_at(over, point) == 1), None)


def _counts(leaf: Spend, epsilon: Amount, limits: Mapping[str, Limit]) -> bool:
    """Whether what a call spends is certain to count: its size is known, and no accountant stops it before."""
    limit = limits.get(leaf.accountant or "")
    allowed = limit is None or limit.epsilon is None or (limit.epsilon - epsilon).sign() == 1
    return leaf.part.exact and not leaf.most and leaf.epsilon.sign() == 1 and allowed


def _points(mechanism: Mechanism) -> Iterator[dict[str, Fraction]]:
    """Arguments that the claim speaks of: none in particular, then those that it names, then the defaults."""
    known: dict[str, list[Fraction]] = {}
    for argument, spec in mechanism.claim.args:
        values = _values(spec)
        if values is not None:
            known[argument] = values
    if not known:
        yield {}
    for place, point in enumerate(product(*known.values())):
        if place < _MOST and known:
            yield dict(zip(known, point, strict=True))
    fixed = {one: values[0] for one, values in known.items()}
    for parameter in mechanism.parameters:
        if parameter.name not in fixed and parameter.default is not None:
            try:
                fixed[parameter.name] = Fraction(parameter.default)
            except (ValueError, ZeroDivisionError):
                continue
    yield fixed


def _chains(node: Node) -> list[list[tuple[Spend, Amount]]]:
    """Calls that all happen in one run, with how often: those under no condition, and one branch of one choice."""
    match node:
        case Spend():
            return [[(node, number(1))]]
        case Choice(branches=branches):
            return [[], *(chain for one in branches for chain in _chains(one))][:_MOST]
        case Repeat():
            return [_turned(node)]
        case Series(items=items):
            plain = [_chains(one)[0] for one in items]
            found = [[leaf for chain in plain for leaf in chain]]
            for place, one in enumerate(items):
                found += [
                    [leaf for calls in (*plain[:place], chain, *plain[place + 1 :]) for leaf in calls]
                    for chain in _chains(one)[1:]
                ]
            return found[:_MOST]


def _turned(node: Repeat) -> list[tuple[Spend, Amount]]:
    """The calls of a loop that is never cut short."""
    if node.times is None or not node.whole or node.times.sign() != 1:
        return []
    return [
        (leaf, times if any("#" in one.left + one.right for one in leaf.part.conditions) else times * node.times)
        for leaf, times in _chains(node.body)[0]
    ]


class Contracts:
    """What the claims of a module say of one another. Nothing is read before it is asked for.

    project: where functions of other modules are looked for; it knows afterwards which files an answer rests on.
    """

    def __init__(
        self, module: ParsedModule, file: str, mechanisms: Sequence[Mechanism], project: ProjectIndex | None = None
    ) -> None:
        # What a training claims is of all its steps, and says nothing of one call.
        self._make = (module, file, [one for one in mechanisms if one.claim.training is None], project)
        self._known: dict[str, Budget] = {}

    @cached_property
    def _view(self) -> View:
        return View(*self._make)

    def budget(self, mechanism: Mechanism) -> Budget:
        """What one of the mechanisms spends. A method of an object that is not understood has no parts."""
        if mechanism.qualname not in self._known:
            self._known[mechanism.qualname] = self._read(mechanism)
        return self._known[mechanism.qualname]

    def _read(self, mechanism: Mechanism) -> Budget:
        if mechanism.claim.training is not None:
            return self._without_parts(mechanism, ())
        node, owner = self._view.function(mechanism), self._view.owner(mechanism)
        if owner is None and node is not None and ("." in mechanism.qualname and takes_object(node)):
            node = None
        reason: tuple[Unclear, ...] = ()
        if node is not None:
            try:
                return judge(mechanism, *read_spending(mechanism, node, self._view, owner))
            except RecursionError:  # nobody writes this, but a machine may
                reason = (Unclear(mechanism.file, mechanism.span, "this is nested too deeply to be followed"),)
        return self._without_parts(mechanism, reason)

    def _without_parts(self, mechanism: Mechanism, reason: tuple[Unclear, ...]) -> Budget:
        given = {one.name: Public(one.name, amount=name(one.name)) for one in mechanism.parameters}
        epsilon, delta = counted_in(mechanism.claim, mechanism.claim, given)
        standing = Standing.UNDECIDED if reason else Standing.LEAF
        return Budget(mechanism, epsilon, delta, Series(), standing, unclear=reason)
