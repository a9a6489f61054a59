"""What the steps of an engine spend together, at most, for a delta.

With Poisson sampling all steps are normal mechanisms on samples, whose privacy losses are added up. Without it there is
no gain by sampling. What holds then is that a record which is left blank in its place is in one batch of each epoch, so
that an epoch is one normal mechanism (Chua et al., How private are DP-SGD implementations?, ICML 2024).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dplint.amounts import ZERO, Amount, number
from dplint.claims import Claim, Fixed
from dplint.contracts.composing import Dominated, composed_epsilon_of
from dplint.contracts.engines import WITH_TARGET
from dplint.contracts.expressions import claimed, literal
from dplint.contracts.frames import Run
from dplint.contracts.tree import Part, Spend, Unclear
from dplint.contracts.values import Data, Engine

_BATCHES = (
    "how many batches the loader has is not known, and so are rate and steps: the number of records has to be written "
    "in the file, or as `size` in the claim, and `batch_size` as a number"
)
_NO_DELTA = "what an engine spends is counted in epsilon and a delta, which is not claimed in numbers"
_NOT_SAMPLED = "without Poisson sampling there is no bound for records that are added or removed"


@dataclass(frozen=True, slots=True)
class Training:
    """What one engine spends.

    epsilon: at most, for `delta`; None where that is not known, for the reasons in `missing`. kept: the same as one
    part. words: how it comes to that.
    """

    engine: Engine
    delta: Fraction
    epsilon: Fraction | None = None
    kept: Dominated | None = None
    words: str = ""
    missing: tuple[Unclear, ...] = ()


def account(engine: Engine, known: Mapping[str, Fraction], delta: Fraction) -> Training:
    """What an engine spends. known: values of names. delta: above 0, and below 1."""
    lacking = _lacking(engine, known)
    if engine.doubts or lacking:
        lacks = (Unclear(engine.file, engine.span, lacking),) if lacking else ()
        return Training(engine, delta, missing=(*engine.doubts, *lacks))
    amounts = [amount for amount in (engine.turns, engine.noise, *engine.target) if amount is not None]
    names = sorted(frozenset[str]().union(*(amount.names for amount in amounts)) & known.keys())
    words = "".join(f", with {name} = {float(known[name]):g}" for name in names)
    if engine.method == WITH_TARGET:
        epsilon, delta = (_value(amount, known) for amount in engine.target[:2])
        kept = Dominated(epsilon=float(epsilon), delta=float(delta))
        told = f"the target of its noise, for `{at(engine.target[2], known)}` epochs{words}"
        return Training(engine, delta, epsilon, kept, told)
    noise, count = float(_value(engine.noise, known)), math.ceil(_value(engine.turns, known))
    batches = engine.loader.batches if engine.poisson else None
    kept = Dominated(mu=1 / noise, rate=1 / (batches or 1), times=count)
    counted = f"{count:,} steps at rate 1/{batches}" if batches else f"{count:,} epochs"
    spent = composed_epsilon_of((kept,), float(delta))
    too_much = Unclear(engine.file, engine.span, f"with so little noise {counted} spend too much to be added up")
    missing = () if spent is not None else (too_much,)
    return Training(engine, delta, spent, kept, f"noise multiplier {noise:g}, {counted}{words}", missing)


def at(amount: Amount, known: Mapping[str, Fraction]) -> Amount:
    """With numbers for names; as it is where it has no value for these."""
    try:
        return amount.at(known)
    except ZeroDivisionError:
        return amount


def _value(amount: Amount | None, known: Mapping[str, Fraction]) -> Fraction:
    """As a number; 0 where it is none, of which nothing here may be."""
    return (at(amount, known).value if amount is not None else None) or Fraction(0)


def _lacking(engine: Engine, known: Mapping[str, Fraction]) -> str:
    """What has to be known, and is not; empty if all is."""
    asks, turns = engine.method == WITH_TARGET, engine.turns
    epsilon, delta, epochs = engine.target if len(engine.target) == 3 else (ZERO, ZERO, ZERO)
    made, most = ZERO if turns is None else at(turns, known), at(epochs, known)
    checks = (
        (engine.optimizers[0].box.changed, "its optimizer is changed by hand"),
        (engine.loader.batches is None and engine.poisson and not asks, _BATCHES),
        (turns is None, "how often the loops around its steps turn is not known"),
        (made.value is not None and made.value <= 0, "no step of its optimizer is seen here"),
        (not asks and made.value is None, f"how much `{turns}` is, which its steps hang on, is not known in numbers"),
        (not asks and _value(engine.noise, known) <= 0, "its noise multiplier is not known in numbers, or is 0"),
        (asks and not (_value(epsilon, known) and _value(delta, known)), "its target is not known in numbers"),
        (
            asks and (most - made).sign() not in (0, 1),
            f"its target is for `{most}` epochs, and whether `{made}` are no more is not known",
        ),
        (asks and not engine.poisson, _NOT_SAMPLED),
    )
    return next((reason for lacks, reason in checks if lacks), "")


def fixed_numbers(claim: Claim) -> dict[str, Fraction]:
    """The arguments that a claim fixes, where they are numbers."""
    amounts = [(name, literal(spec.value).amount) for name, spec in claim.args if isinstance(spec, Fixed)]
    return {name: amount.value for name, amount in amounts if amount is not None and amount.value is not None}


def paid(run: Run) -> Iterator[Spend]:
    """What a function with a claim spends by its engines, one part for each."""
    known = fixed_numbers(run.claim)
    claim = claimed(run.claim.delta, {name: literal(float(value)) for name, value in known.items()})
    delta = None if claim is None or run.claim.promise is not None else claim.value
    for engine in run.engines.values():
        sampled = engine.poisson or engine.method == WITH_TARGET
        if delta is None or not 0 < delta < 1 or not sampled:
            reason = _NO_DELTA if sampled else _NOT_SAMPLED
            run.unclear[Unclear(engine.file, engine.span, reason)] = None
            continue
        training = account(engine, known, delta)
        run.unclear |= dict.fromkeys(training.missing)
        if training.epsilon is not None:
            cost, records = (number(training.epsilon), number(training.delta)), engine.loader.records
            part = records.part if isinstance(records, Data) else Part()
            kept, words = training.kept, training.words
            yield Spend(engine.method, engine.file, engine.span, *cost, part, kept=kept, remark=words)
