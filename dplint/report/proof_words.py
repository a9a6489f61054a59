"""Proofs in words: what one covers, by which shifts it holds, and that it stands against a violation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from dplint import outcomes as out
from dplint.claims import MOST_OWN_PAIRS, Categories, Fixed
from dplint.report import numerals
from dplint.report.literals import literal, printable
from dplint.sites import noise_words

EXACT_ARITHMETIC = (
    "What is proved or computed exactly holds in exact arithmetic: how floats are rounded in the code is not modelled."
)
IN_EXACT_ARITHMETIC = "in exact arithmetic"
_WHERE_WORDS_SUFFICE = "where 64 bits suffice"
_MOST_LINES = 5
_MOST_SHIFTS = 12
"""Lines of a certificate that people read; the JSON report has all."""


def verdict_words(scope: out.Scope) -> str:
    """The verdict of a proof: "proved", or what it is limited to, as "proved up to n = 5"."""
    limits = [_sizes(scope.sizes)] if scope.sizes is not None and scope.sizes.largest is not None else []
    limits += [_pairs(scope.pairs)] if scope.pairs is not None else []
    limits += [_WHERE_WORDS_SUFFICE] if scope.word_sized else []
    return " ".join(["proved", *limits, *(["one way"] if scope.direction is not out.Direction.BOTH else [])])


def proved_words(proved: out.Proved, claimed: float | str) -> str:
    """What is proved, without the name of the mechanism: "proved for every length, any epsilon > 0, ..."."""
    scope = proved.scope
    less = "" if proved.epsilon_upper == claimed else f": epsilon is at most {_bound(proved.epsilon_upper)} there"
    return f"proved {scope_words(scope)}{less}"


def spend_words(proved: out.Proved) -> str:
    """What a mechanism spends: "spends at most epsilon / 4, tight", "spends between 0.61 and 1 of epsilon"."""
    spend, most = out.spend_of(proved), _bound(proved.epsilon_upper)
    assert spend is not None
    delta = "" if spend.delta is None else f"; or all of epsilon, with delta = {spend.delta:g}"
    if spend.tight:
        return f"spends at most {most}, tight{delta}"
    if spend.low == 0 or spend.high is None:
        return f"spends at most {most}{delta}"
    return f"spends between {math.floor(spend.low * 1000) / 1000:g} and {spend.high:.4g} of the claim{delta}"


def scope_words(scope: out.Scope) -> str:
    """All that a proof covers: "for every length, any epsilon > 0, N in 1..5, in exact arithmetic"."""
    direction = {
        out.Direction.BOTH: [],
        out.Direction.LARGER_FIRST: ["only from the larger neighbour to the smaller one"],
        out.Direction.SMALLER_FIRST: ["only from the smaller neighbour to the larger one"],
    }[scope.direction]
    promised = [scope.promised] if scope.promised else [_range("epsilon", scope.epsilon)]
    noise = scope.epsilon.high > 0  # else it is a claim of stability
    values = [*(promised if noise else []), *(_argument(one) for one in scope.arguments)]
    parts = [
        _data(scope),
        *direction,
        *dict.fromkeys(values),
        *([f"delta = {_bound(scope.delta)}"] if scope.delta and not isinstance(scope.delta, str) else []),
        IN_EXACT_ARITHMETIC,
    ]
    assumed = ", and that ".join(map(printable, scope.assumptions))
    taken = f"; it is taken for granted that {assumed}" if assumed else ""
    rest = "" if scope.full else "; nothing is proved of anything else"
    return ", ".join(parts) + taken + _never_run(scope.never_run) + rest


def _never_run(lines: Sequence[int]) -> str:
    """Which lines the proof knows from reading alone."""
    if not lines:
        return ""
    named = [str(line) for line in lines[:_MOST_LINES]] + ["..."] * (len(lines) > _MOST_LINES)
    return f"; line{'s' * (len(lines) > 1)} {', '.join(named)} {'were' if len(lines) > 1 else 'was'} never run"


def certificate_lines(certificate: out.Certificate) -> list[str]:
    """Why it holds, line by line: the argument, the shift of each draw, the cost, and what has checked it."""
    shifts = [shift_words(shift, certificate.shifts) for shift in certificate.shifts[:_MOST_SHIFTS]]
    more = len(certificate.shifts) - len(shifts)
    costs = "" if certificate.cost == "0" else f"all draws together cost at most {cost_words(certificate.cost)}; "
    return [
        f"{certificate.method}: {printable(certificate.words)}",
        *shifts,
        *([f"and {numerals.count(more, 'more shift')}"] if more else []),
        f"{costs}checked by {', '.join(certificate.checked_by)}",
    ]


def shift_words(shift: out.Shift, among: Sequence[out.Shift] = ()) -> str:
    """One shift: "the noise of line 9 moves by 1 (at most 1/2 of epsilon)"."""
    noise = noise_words(shift.site, [one.site for one in among])
    if shift.every_turn:
        noise += ", and there in every turn" if shift.site.turns else " in every turn"
    cases = ", ".join(_case(case) for case in shift.cases)
    return f"{noise} moves by {cases} (at most {cost_words(shift.cost)})"


def linear_words(number: out.Linear) -> str:
    """A number that depends on the inputs, as one would write it: "1 - (D2[i] - D1[i])"."""
    text = "" if number.constant == "0" and number.terms else number.constant
    for variable, coefficient in number.terms:
        size, negative = coefficient.removeprefix("-"), coefficient.startswith("-")
        name = variable if variable.isidentifier() else f"({variable})"
        term = name if size == "1" else f"{size} * {name}"
        sign = ("-" if negative else "") if not text else (" - " if negative else " + ")
        text = f"{text}{sign}{term}"
    return text


def against_words(violation: out.Violation) -> str:
    """That a claim is refuted and proved at once, why that may be, and what to do about it."""
    proof = violation.against
    assert proof is not None
    found = violation.counterexample.evidence
    chance = (
        f", or chance, of a probability of at most {numerals.short(violation.effort.alpha)}"
        if isinstance(found, out.CountedEvidence)
        else ""
    )
    return (
        f"The same claim is {proved_words(proof, proof.epsilon_upper)}. One of the two is an error of dplint, please "
        f"report it; unless the violation is the work of rounded floats, which the proof does not model{chance}."
    )


def _sizes(sizes: out.Sizes) -> str:
    """The lengths of the data: "for every length", "up to n = 5", "for n = 3 to 5"."""
    if sizes.largest is None:
        return "for every length" + (f" from {sizes.smallest} on" if sizes.smallest > 0 else "")
    if sizes.smallest == sizes.largest:
        return f"for n = {sizes.largest}"
    return f"up to n = {sizes.largest}" if sizes.smallest <= 1 else f"for n = {sizes.smallest} to {sizes.largest}"


def _data(scope: out.Scope) -> str:
    if scope.pairs is not None:
        return _pairs(scope.pairs)
    whole = "for all data" if scope.sizes is None else _sizes(scope.sizes)
    return f"{whole} {_WHERE_WORDS_SUFFICE}" if scope.word_sized else whole


def _pairs(pairs: Sequence[object]) -> str:
    """The pairs of a claim with a neighbour function: "for the 3 pairs of the claim"."""
    first = "first " if len(pairs) == MOST_OWN_PAIRS else ""
    return f"for the {first}{numerals.count(len(pairs), 'pair')} of the claim"


def _argument(argument: out.ArgumentScope) -> str:
    match argument.values:
        case Fixed(value=value):
            return f"{argument.name} = {literal(value)}"
        case Categories(values=values) if any(isinstance(value, out.OtherText) for value in values):
            return f"any text {argument.name}"
        case Categories(values=values):
            return f"{argument.name} in {literal(list(values))}"
        case out.Range():
            return _range(argument.name, argument.values)
        case _:
            assert_never(argument.values)


def _range(name: str, values: out.Range) -> str:
    """The values of a parameter: "any epsilon > 0", "epsilon = 0.7", "N in 1..5", "0 <= p <= 1"."""
    low, high = numerals.exact(values.low), numerals.exact(values.high)
    if values.low == values.high:
        return f"{name} = {low}"
    whole = "any whole " if values.integer else "any "
    if math.isinf(values.low):
        return f"{whole}{name}" + ("" if math.isinf(values.high) else f" <= {high}")
    if math.isinf(values.high):
        return f"{whole}{name} {'>' if values.above else '>='} {low}"
    if values.integer and not values.above:
        return f"{name} in {low}..{high}"
    return f"{low} {'<' if values.above else '<='} {name} <= {high}"


def _case(case: out.ShiftCase) -> str:
    taken = decisions_words(case.when)
    return linear_words(case.by) + (f" if {taken}" if taken else "")


def decisions_words(decisions: Sequence[out.Decision]) -> str:
    """How conditions came out: "`noisy > best` and not `found`"; empty for none."""
    return " and ".join(f"{'' if one.holds else 'not '}`{printable(one.condition)}`" for one in decisions)


def cost_words(cost: str) -> str:
    """A share of the claimed epsilon: "epsilon", "1/2 of epsilon"."""
    return "epsilon" if cost == "1" else f"{cost} of epsilon"


def _bound(value: float | str) -> str:
    return value if isinstance(value, str) else numerals.short(value)
