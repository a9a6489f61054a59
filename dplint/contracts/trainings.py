"""What the steps of an engine spend together, at most, for a delta.

With Poisson sampling all steps are normal mechanisms on samples, whose privacy losses are added up. Without it there is
no gain by sampling. What holds then is that a record which is left blank in its place is in one batch of each epoch, so
that an epoch is one normal mechanism (Chua et al., How private are DP-SGD implementations?, ICML 2024).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dplint.amounts import Amount, number
from dplint.claims import Claim, Fixed
from dplint.contracts.composing import Dominated, composed_epsilon_of
from dplint.contracts.engines import WITH_TARGET
from dplint.contracts.expressions import claimed, literal
from dplint.contracts.frames import Run
from dplint.contracts.tree import Part, Spend, Unclear
from dplint.contracts.values import Data, Engine

NOT_SAMPLED = "without Poisson sampling there is no bound for records that are added or removed"


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
    """What an engine spends. known: values of names. delta: above 0."""
    lacking = (Unclear(engine.file, engine.span, reason) for reason in _lacking(engine, known))
    reasons = (*engine.doubts, *lacking)
    if reasons:
        return Training(engine, delta, missing=reasons)
    amounts = (engine.turns, engine.noise, *engine.target)
    named = frozenset[str]().union(*(amount.names for amount in amounts if amount is not None)) & known.keys()
    words = "".join(f", with {name} = {float(known[name]):g}" for name in sorted(named))
    if engine.method == WITH_TARGET:
        epsilon, delta = (_value(amount, known) or Fraction(0) for amount in engine.target[:2])
        kept = Dominated(epsilon=float(epsilon), delta=float(delta))
        told = f"the target of its noise, for `{at(engine.target[2], known)}` epochs{words}"
        return Training(engine, delta, epsilon, kept, told)
    noise, count = _value(engine.noise, known) or Fraction(0), int(_value(engine.turns, known) or 0)
    batches = engine.loader.batches if engine.poisson else None
    kept = Dominated(mu=1 / float(noise), rate=1 / (batches or 1), times=count)
    counted = f"{count:,} steps at rate 1/{batches}" if batches else f"{count:,} epochs"
    spent = composed_epsilon_of((kept,), float(delta))
    too_much = Unclear(engine.file, engine.span, f"with so little noise {counted} spend too much to be added up")
    missing = () if spent is not None else (too_much,)
    return Training(engine, delta, spent, kept, f"noise multiplier {float(noise):g}, {counted}{words}", missing)


def at(amount: Amount, known: Mapping[str, Fraction]) -> Amount:
    """With numbers for names; as it is where it has no value for these."""
    try:
        return amount.at(known)
    except ZeroDivisionError:
        return amount


def _value(amount: Amount | None, known: Mapping[str, Fraction]) -> Fraction | None:
    return None if amount is None else at(amount, known).value


def _lacking(engine: Engine, known: Mapping[str, Fraction]) -> Iterator[str]:
    """What has to be known, and is not."""
    turns, asks = engine.turns, engine.method == WITH_TARGET
    if engine.optimizers[0].box.changed:
        yield "its optimizer is changed by hand"
    if engine.loader.batches is None and engine.poisson and not asks:
        yield (
            "how many batches the loader has is not known, and so are rate and steps: the number of records has to be "
            "written in the file, or as `size` in the claim, and `batch_size` as a number"
        )
    elif turns is None:
        yield "how often the loops around its steps turn is not known"
    elif turns.is_zero:
        yield "no step of its optimizer is seen here"
    else:
        yield from (_lacking_of_target if asks else _lacking_of_noise)(engine, turns, known)


def _lacking_of_noise(engine: Engine, turns: Amount, known: Mapping[str, Fraction]) -> Iterator[str]:
    count, noise = _value(turns, known), _value(engine.noise, known)
    if count is None or count.denominator != 1:
        yield f"how much `{turns}` is, which its steps hang on, is not known in numbers"
    if noise is None or noise <= 0:
        yield "its noise multiplier is not known in numbers, or is 0"


def _lacking_of_target(engine: Engine, turns: Amount, known: Mapping[str, Fraction]) -> Iterator[str]:
    target, made = [at(one, known) for one in engine.target], at(turns, known)
    if len(target) < 3 or target[0].value is None or target[1].value is None:
        yield "its target is not known in numbers"
    elif (target[2] - made).sign() not in (0, 1):
        yield f"its target is for `{target[2]}` epochs, and whether `{made}` are no more is not known"
    elif not engine.poisson:
        yield NOT_SAMPLED


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
        reason = "" if engine.poisson or engine.method == WITH_TARGET else NOT_SAMPLED
        if reason or not delta or not 0 < delta < 1:
            reason = (
                reason or "what an engine spends is counted in epsilon and a delta, which is not claimed in numbers"
            )
            run.unclear[Unclear(engine.file, engine.span, reason)] = None
            continue
        training = account(engine, known, delta)
        run.unclear |= dict.fromkeys(training.missing)
        if training.epsilon is not None and not training.missing:
            cost, records = (number(training.epsilon), number(training.delta)), engine.loader.records
            part = records.part if isinstance(records, Data) else Part()
            kept, words = training.kept, training.words
            yield Spend(engine.method, engine.file, engine.span, *cost, part, kept=kept, remark=words)
