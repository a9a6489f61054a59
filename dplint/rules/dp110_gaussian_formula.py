"""DP110: the formula of the Gaussian mechanism, but for a factor, a root or the logarithm."""

from __future__ import annotations

import re
from fractions import Fraction

from dplint.claims import SENSITIVITY_NAME
from dplint.rules.costs import logarithm_of_delta, plain_ways, scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.scales import EPSILON, Algebra, Monomial
from dplint.rules.flow.terms import Term, TermKind, reached
from dplint.rules.rule import Context, Report, Reports, Rule

_HALF = Fraction(1, 2)
_CLIP = re.compile(r"clip|^C$")


def check(context: Context) -> Reports:
    """Scales of normal noise that are like sensitivity * sqrt(2 * log(1.25 / delta)) / epsilon, and are not."""
    algebra = Algebra(lambda term: _key(context, term), context.mentions.__contains__)
    for noise in context.noises:
        if noise.draw.name != "normal" or not noise.meets:
            continue
        for way in (algebra.ways(noise.top) or ()) if noise.ways else ():
            what = _mistake(context, noise, way) if way.power(EPSILON) == -1 else None
            node = scale_node(noise, way)
            if what is not None:
                message = (
                    f"this is the formula of the Gaussian mechanism, but {what}: "
                    "use sensitivity * sqrt(2 * log(1.25 / delta)) / epsilon"
                )
                yield Report(node, message, (context.the_claim,))
                break


def _key(context: Context, term: Term) -> str | None:
    """Parameters by their names, also where the claim gives them a value."""
    if context.is_epsilon(term):
        return EPSILON
    return term.name if term.kind is TermKind.SYMBOL and not term.name.startswith("<") else None


def _mistake(context: Context, noise: Noise, way: Monomial) -> str | None:
    """What is wrong with a scale, where it has an epsilon below the line and nothing else that could explain it."""
    logarithms = [key for key in way.others if _is_logarithm(context, key)]
    powers = {key: way.power(key) for key in way.others if _is_sensitivity(key)}
    if len(logarithms) > 1:
        return None
    if logarithms:
        if 0 < way.power(logarithms[0]) < _HALF:
            return "the logarithm stands under two roots"
        wrong = next((key for key, power in powers.items() if power not in (0, 1)), None)
        if wrong is not None and way.power(logarithms[0]) == _HALF:
            return f"`{wrong}` stands in it {'squared' if powers[wrong] > 1 else 'under the root'}"
        known = {*logarithms, *powers} == way.others
        if known and way.power(logarithms[0]) == _HALF and abs(way.coefficient - 1) < 1e-9:
            return "the 2 under the root is missing"
        return None
    if plain_ways(context, noise) is not None:
        return None  # a number over epsilon, which DP105 reckons with
    if powers and set(powers) == way.others and set(powers.values()) == {1} and _has_delta_only_by_name(context, noise):
        return "log(1.25 / delta) is missing"
    return None


def _is_logarithm(context: Context, key: str) -> bool:
    """Whether a key stands for `log(1.25 / delta)`."""
    if not key.startswith("#"):
        return False
    term = context.graph.terms[int(key[1:])]
    return term.name == "log" and logarithm_of_delta(term) is not None


def _is_sensitivity(key: str) -> bool:
    last = key.rpartition(".")[2]
    return SENSITIVITY_NAME.search(last) is not None or _CLIP.search(last) is not None


def _has_delta_only_by_name(context: Context, noise: Noise) -> bool:
    """Whether the function is given a delta that neither the scale nor what decides about it depends on."""
    deltas = {one.name for one in context.mechanism.parameters if one.name in context.roles.deltas}
    return bool(deltas) and not any(one.name in deltas for one in reached([noise.draw], Term.inputs))


RULE = Rule("DP110", check, outside=True)
