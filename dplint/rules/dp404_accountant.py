"""DP404: an accountant whose assumptions do not hold: Poisson sampling, and a delta far below one over the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from dplint.claims import Fixed
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, inside
from dplint.rules.training import LOADERS, called


@dataclass(frozen=True, slots=True)
class Accountant:
    """A function that takes Poisson sampling for granted. rate: names of its argument that holds the sampling rate.

    position: where that stands if it is given without a name. asked: the argument that says whether batches are drawn
    so, where there is one.
    """

    rate: tuple[str, ...]
    position: int | None = None
    asked: str = ""


ACCOUNTANTS: Mapping[tuple[str, str], Accountant] = {
    ("opacus", "step"): Accountant(("sample_rate",)),
    ("opacus", "compute_rdp"): Accountant(("q",)),
    ("opacus", "get_noise_multiplier"): Accountant(("sample_rate",)),
    ("tensorflow_privacy", "compute_rdp"): Accountant(("q",), 0),
    ("tensorflow_privacy", "compute_dp_sgd_privacy"): Accountant(("batch_size",), 1),
    ("tensorflow_privacy", "compute_noise"): Accountant(("batch_size",), 1),
    ("dp_accounting", "PoissonSampledDpEvent"): Accountant(("sampling_probability",), 0),
    ("prv_accountant", "PoissonSubsampledGaussianMechanism"): Accountant(("sampling_probability",), 1),
    ("autodp", "AmplificationBySampling"): Accountant((), asked="PoissonSampling"),
}
"""By package and name."""

_OWN_BATCHES = ("sampler", "batch_sampler")
_PRIVATE_LOADERS = frozenset({"make_private", "make_private_with_epsilon", "from_data_loader"})
_PERMUTATIONS = frozenset({"permutation", "permuted", "shuffle"})


def check(context: Context) -> Reports:
    """Poisson accounting with other batches, the same switched off by name, and a delta that one record can have."""
    calls = [(term, *called(term)) for term in context.graph.terms if isinstance(term.node, cst.Call)]
    yield from _switched_off(context, calls)
    accountants = [term for term, _, _ in calls if assumes_poisson(term)]
    if accountants:
        batches = _batches(context, calls)
        if batches is not None:
            node = accountants[0].node
            assert node is not None
            message = (
                "this accounting is for batches that every record joins by a coin of its own (Poisson sampling), and "
                "the batches here are of a fixed size: draw `rng.random(n) < rate`, or account for the sampling that "
                "is done"
            )
            yield Report(node, message, context.related([(batches.node, "the batches")]))
    yield from _large_delta(context)


def _switched_off(context: Context, calls: list[tuple[Term, str, str]]) -> Reports:
    for term, package, name in calls:
        asked = term.argument("poisson_sampling")
        if package == "opacus" and name in _PRIVATE_LOADERS and _is_false(asked):
            message = (
                "without Poisson sampling the engine trains on the batches of the loader as they are, and still "
                "accounts for Poisson sampling: leave poisson_sampling out, or do not use its epsilon"
            )
            yield Report(term.node, message, (context.the_claim,))


def _is_false(term: Term | None) -> bool:
    return term is not None and term.kind is TermKind.CONSTANT and term.value is False


def assumes_poisson(term: Term) -> bool:
    """Whether a call accounts for Poisson sampling with a rate below one."""
    known = ACCOUNTANTS.get(called(term))
    if known is None:
        return False
    if known.asked:
        given = term.argument(known.asked)
        return given is None or not _is_false(given)
    rate = term.argument(*known.rate)
    if rate is None and known.position is not None and len(term.args) > known.position:
        rate = term.args[known.position] if not term.keys[known.position] else None
    return rate is not None and not (rate.kind is TermKind.CONSTANT and rate.value in (1, 1.0))


def _batches(context: Context, calls: list[tuple[Term, str, str]]) -> Term | None:
    """Where batches of a fixed size are made from the data, None if that is nowhere to be seen."""
    wrapped = any(package == "opacus" and name in _PRIVATE_LOADERS for _, package, name in calls)
    for term in context.graph.terms:
        loader = term.kind is TermKind.CALL and term.value in LOADERS and term.argument(*_OWN_BATCHES) is None
        if (loader and not wrapped and _is_of_data(term)) or _is_fixed_choice(context, term) or _is_shuffled(term):
            return term
        if _is_window(term) or _is_batched(term):
            return term
    return None


def _is_fixed_choice(context: Context, term: Term) -> bool:
    """Whether so many records are chosen as was fixed before: not as many as a binomial draw says."""
    if term.kind is not TermKind.DRAW or term.name != "choice":
        return False
    size = term.argument("size")
    given = size is not None and not (size.kind is TermKind.CONSTANT and size.value is None)
    return given and size is not None and not context.exposed.has_draws(size) and _is_of_data(term)


def _is_shuffled(term: Term) -> bool:
    drawn = term.kind is TermKind.DRAW and term.name == "permutation"
    made = term.kind is TermKind.CALL and called(term)[1] in _PERMUTATIONS
    return (drawn or made) and _is_of_data(term)


def _is_batched(term: Term) -> bool:
    """Whether it is `dataset.shuffle(...).batch(64)`."""
    return term.is_call("batch") and any(one.name == "shuffle" for one in inside(term))


def _is_window(term: Term) -> bool:
    """Whether it is a piece of the data from here to there, in a loop: `values[start : start + 64]`."""
    if not term.is_operation("[]") or len(term.args) != 2:
        return False
    window = term.args[1]
    bounds = window.args if window.is_operation("slice") else []
    return len(bounds) >= 2 and _is_of_data(term.args[0]) and any(one.name == "<index>" for one in inside(bounds[0]))


def _is_of_data(term: Term) -> bool:
    return any(one.kind is TermKind.DATA for one in inside(term))


def _large_delta(context: Context) -> Reports:
    """A delta in the claim that is as large as one over the largest number of records that is tried."""
    if not context.on_records or context.guessed:
        return
    delta = _delta(context)
    if delta is not None and context.mechanism.claim.size and delta * context.most >= 1:
        message = (
            f"delta {delta:g} lets a mechanism publish one of {context.most} records as it is: claim a delta far below "
            "one over the number of records"
        )
        yield Report(context.mechanism.claim_span, message)


def _delta(context: Context) -> float | None:
    claim = context.mechanism.claim
    if not isinstance(claim.delta, str):
        return float(claim.delta)
    given = dict(claim.args).get(claim.delta)
    if isinstance(given, Fixed) and isinstance(given.value, int | float):
        return float(given.value)
    parameter = context.mechanism.parameter(claim.delta)
    try:
        return float(parameter.default) if parameter is not None and parameter.default is not None else None
    except ValueError:
        return None


RULE = Rule("DP404", check, opt_in=True, foretells=False)
