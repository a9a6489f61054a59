"""The document of a violation: what is broken and by how much, the cause, two inputs, one event, two probabilities.

Evidence in words: what counts, draws, models and plain runs show.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dplint import outcomes as out
from dplint.claims import Numerics
from dplint.definitions import Promised
from dplint.outcomes import Confirmation, CountedEvidence, Counterexample, CoupledRuns, DrawLoss, ExampleDraw, Violation
from dplint.report import numerals, words
from dplint.report.answers import branch_words
from dplint.report.document import Bar, Block, Chart, Code, Facts, Inline, Items, Say, Source, ticked
from dplint.report.event_words import event_words, losses_words
from dplint.report.fingerprints import SourceLine
from dplint.report.literals import literal, printable
from dplint.report.numerals import allowed_probability, estimates, is_certain, is_limit, measure_of
from dplint.report.proof_words import EXACT_ARITHMETIC, against_words, certificate_lines, verdict_words
from dplint.report.repair_words import repair_blocks, repair_words, without_advice
from dplint.report.spelled_calls import calls, sides
from dplint.sites import noise_words

_MOST_DRAWS = 8


def e_value(log_e_value: float, alpha: float) -> str:
    """An e-value beside the one that is needed: "310,000, where 1,000 refutes the claim"."""
    return f"{numerals.times(log_e_value)}, where {numerals.times(-math.log(alpha))} refutes the claim"


def strongest(found: Counterexample, claimed: float) -> str:
    """The counterexample with the highest lower bound, on one line."""
    bound = "" if found.epsilon_lower is None else f"epsilon {numerals.shown(found.epsilon_lower, claimed)} "
    where = f"D1 = {literal(found.witness.d1)}, D2 = {literal(found.witness.d2)}"
    return f"{bound}by {printable(found.witness.event)} on {where}"


def draws_of_a_run(draws: Sequence[ExampleDraw]) -> str:
    """What the draws were in one run with the event: "in one such run the noise of line 12 was -1.3, ..."."""
    sites = [one.site for one in draws]
    told = [f"{noise_words(one.site, sites)} was {_noise(one)}" for one in draws[:_MOST_DRAWS]]
    more = f", and {len(draws) - len(told):,} more" if len(draws) > len(told) else ""
    return f"in one such run {numerals.listing(told)}{more}"


def confirmation(given: Confirmation) -> str:
    """What plain runs of the user's own function showed."""
    shares = [numerals.short(count / given.runs) for count in (given.count1, given.count2)]
    calls = f"{numerals.count(given.runs, 'call')} of the function itself with each of D1 and D2"
    if given.agrees:
        return f"by {calls}: {shares[0]} and {shares[1]}"
    return f"not by {calls}: {shares[0]} and {shares[1]} do not fit the counts above"


def counted(evidence: CountedEvidence, *, first: bool) -> str:
    """What a probability comes from: "310 of 2,000 runs", or a model and the runs beside it."""
    count, runs = (evidence.count1, evidence.runs1) if first else (evidence.count2, evidence.runs2)
    if evidence.coupled is None:
        return f"{count:,} of {numerals.count(runs, 'run')}"
    differ = evidence.coupled.differ1 if first else evidence.coupled.differ2
    return f"by a model, wrong in {differ:,} of {numerals.count(runs, 'run')}"


def coupled(given: CoupledRuns, evidence: CountedEvidence) -> str:
    """How a model confirms: by runs of its own, and by runs of the function beside it."""
    noise = " with noise that brings the model into the event" if given.given else ""
    runs = numerals.count(given.model_runs, "run") if given.model_runs else "computed probabilities"
    return (
        f"by {runs} of a model of the noise on either side, and "
        f"{numerals.count(evidence.runs1, 'coupled run')} of the function itself on D1{noise} and {evidence.runs2:,} "
        f"on D2, of which {given.differ1 + given.differ2:,} differed from the model; the bounds allow for that"
    )


def why_too_small(violation: Violation) -> str | None:
    """Which noise is too small, and what it should be; None where that is not known."""
    evidence = violation.counterexample.evidence
    if not isinstance(evidence, CountedEvidence) or evidence.coupled is None or not evidence.coupled.losses:
        return None
    losses, epsilon = evidence.coupled.losses, violation.epsilon_tested
    total = sum(one.loss for one in losses)
    if total <= epsilon:
        return None
    if len(losses) == 1 and losses[0].draws == 1:
        enough = losses[0].moved / epsilon
        return f"{_draw(losses[0])}: a scale of at least {numerals.short(enough)} would keep epsilon = {epsilon:g}"
    more = f", and {len(losses) - _MOST_DRAWS} more places" if len(losses) > _MOST_DRAWS else ""
    told = f"{numerals.listing([_draw(one) for one in losses[:_MOST_DRAWS]])}{more}"
    return (
        f"{told}{f'; together {numerals.short(total)}' if len(losses) > 1 else ''}: "
        f"scales {numerals.short(total / epsilon)} times as large would keep epsilon = {epsilon:g}"
    )


def _draw(one: DrawLoss) -> str:
    which = "the noise" if one.draws == 1 else f"each of {one.draws} draws"
    moved, scale = numerals.short(one.moved), numerals.short(one.scale)
    loss = f"{numerals.short(one.loss)}{'' if one.draws == 1 else ' in all'}"
    return f"{which} of line {one.line} hides a change of {moved} by scale {scale}, a loss of {loss}"


def _noise(draw: ExampleDraw) -> str:
    return numerals.short(draw.value) if isinstance(draw.value, float) else literal(draw.value)


IN_MACHINE_NUMBERS = "violation in machine numbers"


_MUCH = math.log(1e30)
"""A larger e-value says no more to anybody."""


def title(name: str, violation: out.Violation) -> Inline:
    """What is broken, and by how much: "release is not 0.7-private: at least 0.805"."""
    machine = " in machine numbers" if violation.numerics is Numerics.MACHINE else ""
    proof = f", yet {verdict_words(violation.against.scope)}" if violation.against is not None else ""
    return Code(name), f" is not {private(violation)}{machine}: {least(violation)}{proof}"


def private(violation: out.Violation) -> str:
    """The claim that is broken, in the field's short form: "0.7-private", "(0.7, 1e-5)-private", "0.125-zCDP"."""
    if violation.broken is not None:
        return Promised(violation.broken.kind, violation.broken.claimed).short
    epsilon, delta = numerals.exact(violation.epsilon_tested), violation.delta_tested
    return f"({epsilon}, {numerals.short(delta)})-private" if delta else f"{epsilon}-private"


def least(violation: out.Violation) -> str:
    """What epsilon is at least: "at least 0.805", "no finite epsilon holds"."""
    return words.lower_words(violation).removeprefix("epsilon is ")


def limit(violation: out.Violation) -> str:
    """What was found beside what is allowed, and how sure it is: "4.0 times as likely; 2.01 is allowed"."""
    if violation.broken is not None and violation.broken.order is not None:
        return divergence_words(violation.broken)
    if is_limit(violation):
        _, allowed = numerals.ratios(violation)
        said = "the nearer the output comes to it, the likelier on D1, without limit"
        said += "" if violation.delta_tested else f"; {allowed} times as likely is allowed"
    elif violation.delta_tested:
        one, allowed = numerals.probabilities(violation)
        said = f"{'impossible on D2: ' * is_certain(violation)}{one} on D1, where {allowed} is allowed"
    elif is_certain(violation):
        _, allowed = numerals.ratios(violation)
        said = f"impossible on D2; {allowed} times as likely is allowed"
    else:
        odds, allowed = numerals.ratios(violation)
        further = ", more the further out, without limit" * numerals.is_tail(violation)
        said = f"{odds} times as likely{further}; {allowed} is allowed"
    sure = "exact" if words.is_exact(violation) else f"{numerals.percent(violation.confidence)} confidence"
    return f"{said} ({sure})"


def divergence_words(broken: out.Broken) -> str:
    """Which Renyi divergence refutes the claim, and what is allowed."""
    promised, order = Promised(broken.kind, broken.claimed), broken.order
    assert order is not None
    allowed = dict(promised.definition.orders(broken.claimed))[order]
    found = broken.divergence or 0.0
    least = "infinite" if math.isinf(found) else f"{numerals.beyond(found, allowed)}"
    return (
        f"the Renyi divergence of order {order:g} is {least}, and {numerals.short(allowed)} is allowed (exact); "
        "much of it comes from this event, which need not refute the claim by itself"
    )


def chances(violation: out.Violation) -> str:
    """The event with both numbers: "`output < 0.5` has probability 0.342 on D1 and 0.101 on D2"."""
    observation, evidence = violation.counterexample.witness.observation, violation.counterexample.evidence
    clause = event_words(observation)
    event = f"that {clause}" if clause else f"`{violation.counterexample.witness.event}`"
    one, two = numbers(evidence)
    return f"{event} has {measure_of(evidence).value} {one} on D1 and {two} on D2"


def seen(violation: out.Violation) -> str:
    """The event, both numbers, and what is allowed, as a sentence."""
    said = chances(violation)
    return f"{said[:1].upper()}{said[1:]}: {limit(violation)}."


def numbers(evidence: out.Evidence) -> tuple[str, str]:
    """Both numbers, in as many digits as are known and tell them apart."""
    if isinstance(evidence, out.CountedEvidence):
        places = [numerals.decimals(one) for one in (evidence.interval1, evidence.interval2)]
        two = f"{evidence.p2:.{places[1]}f}" if evidence.count2 or evidence.coupled else "0"
        return f"{evidence.p1:.{places[0]}f}", two
    for digits in range(3, 16):
        one, two = numerals.certified(evidence.p1, digits), numerals.certified(evidence.p2, digits)
        if one != two and not ({one, two} & _ranges(evidence)):
            return one, two
    return numerals.certified(evidence.p1), numerals.certified(evidence.p2)


def _ranges(evidence: out.ExactEvidence) -> set[str]:
    """Numbers as they are shown where too little is known of them for three digits, or in which these just turn."""
    return {numerals.certified(one, 3) for one in (evidence.p1, evidence.p2) if not _is_number(one)}


def _is_number(bounds: out.Bounds) -> bool:
    return numerals.short(bounds.low) == numerals.short(bounds.high)


def violation_body(
    result: out.Result, violation: out.Violation, source: SourceLine, repeat: str = "", room: int = 90
) -> Iterator[Block]:
    """What everybody reads. source: gives lines of files. repeat: options of a replay. room: columns of the inputs."""
    mechanism = result.mechanism
    yield from _causes(result, violation, source)
    yield sides(mechanism, violation.counterexample.witness, violation.effort.notes, room)
    yield chart(violation)
    yield Say(ticked(limit(violation)))
    yield from _remarks(violation)
    yield from repair_blocks(result.repairs)
    if not words.is_exact(violation):  # which comes again by itself
        yield Say(("again: ", Code(words.reproduce(mechanism, violation, repeat))), "again")


def chart(violation: out.Violation) -> Chart:
    """The event, and a bar for either side."""
    found = violation.counterexample
    evidence, observation = found.evidence, found.witness.observation
    ends: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)
    remarks = ("", "")
    if isinstance(evidence, out.CountedEvidence):
        ends = tuple((one.low, one.high) for one in (evidence.interval1, evidence.interval2))  # type: ignore[assignment]
        remarks = counted(evidence, first=True), counted(evidence, first=False)
    bars = zip(("D1", "D2"), numbers(evidence), estimates(evidence), remarks, ends, strict=True)
    measure = "density" if measure_of(evidence) is out.Measure.DENSITY else "P"
    return Chart(measure, event(observation), tuple(Bar(*one) for one in bars), _allowed(violation))


def event(observation: out.Observation) -> Inline:
    """What is observed: words where they are better than Python."""
    clause = event_words(observation)
    if clause:
        return (clause,)
    if isinstance(observation, out.SingleOutput):
        return (Code(f"output == {observation.value!r}"),)
    return (Code(observation.expression),)


def facts(result: out.Result, violation: out.Violation, repeat: str = "") -> list[tuple[str, str]]:
    """How sure it is and how to see it again, as pairs of a name and a sentence. repeat: options that this needs."""
    found, evidence = violation.counterexample, violation.counterexample.evidence
    pairs = [("How sure", _how_sure(violation))]
    log_e_value = words.log_evidence(violation)
    if log_e_value is not None:
        more = "more than " if log_e_value > _MUCH else ""
        stake = e_value(min(log_e_value, _MUCH), violation.effort.alpha)
        pairs.append(("Evidence", f"a fair bet against the promise made its stake {more}{stake}"))
    elif isinstance(evidence, out.CountedEvidence) and evidence.p_value is not None:
        pairs.append(("Evidence", f"p-value {numerals.p_value(evidence.p_value)}"))
    if isinstance(evidence, out.CountedEvidence) and evidence.coupled is not None:
        pairs.append(("Found", coupled(evidence.coupled, evidence)))
    if (too_small := why_too_small(violation)) is not None:
        pairs.append(("Too small", too_small))
    if violation.confirmation is not None:
        pairs.append(("Confirmed", confirmation(violation.confirmation)))
    if violation.strongest is not None:
        other = strongest(violation.strongest, violation.epsilon_tested)
        pairs.append(("Strongest counterexample", other))
    if found.draws:
        pairs.append(("Draws", draws_of_a_run(found.draws)))
    if violation.losses:
        pairs.append(("Exact losses", losses_words(violation.losses)))
    pairs.append(("Effort", words.whole_effort_words(violation.effort)))
    return [*pairs, ("See it again", words.reproduce(result.mechanism, violation, repeat))]


def mended_by(finding: out.Finding) -> str:
    """The option that applies its fix."""
    safe = finding.fix is not None and finding.fix.safe
    return f"`--fix{'' if safe else ' --unsafe-fixes'}` mends it"


def way_of(finding: out.Finding) -> Iterator[Block]:
    """How a value comes to the place of a finding, one line a step."""
    steps = []
    for one in finding.way:
        # What a step gives is seen in its line, where that is known.
        said = f" ({one.message})" if one.text and not one.message.startswith("`") else one.message * (not one.text)
        steps.append((f"{one.span.words}: ", *([Code(one.text)] if one.text else []), *ticked(said)))
    if steps:
        yield Items(tuple(steps))


def _causes(result: out.Result, violation: out.Violation, source: SourceLine) -> Iterator[Block]:
    """The line of the first cause with a sentence on it; of others the sentence; or else the line of the function.

    Where there is a repair, which is judged, it takes the place of what the rule advises.
    """
    for i, finding in enumerate(result.explained_by):
        mends = f"{finding.code}, {mended_by(finding)}" if finding.fixable and not result.repairs else finding.code
        said = without_advice(finding.message) if result.repairs else finding.message
        where = f"line {finding.span.line}, too: " if i else ""
        if i == 0:
            yield Source(source(finding.file, finding.span.line), finding.span)
        yield Say(ticked(f"{where}{said} ({mends})"), "cause", None if i else finding.span.line, spare=i > 0)
        yield from way_of(finding) if i == 0 else ()
    if not result.explained_by:
        yield Source(source(result.mechanism.file, result.mechanism.span.line), result.mechanism.span)
    if (too_small := why_too_small(violation)) is not None:
        yield Say(ticked(too_small), "cause")


def in_machine_numbers(violation: out.Violation) -> str:
    """In which numbers the claim is broken, and what is known of it in real ones."""
    return f"{IN_MACHINE_NUMBERS}; {violation.in_real_numbers}"


def _remarks(violation: out.Violation) -> Iterator[Block]:
    """What takes from the verdict, or adds to it."""
    if violation.numerics is Numerics.MACHINE:
        yield Say(ticked(in_machine_numbers(violation)))
    if violation.against is not None:
        yield Say(ticked(against_words(violation)), "cause")
    if violation.confirmation is not None and not violation.confirmation.agrees:
        yield Say(ticked(f"confirmed {confirmation(violation.confirmation)}"))


def violation_more(result: out.Result, violation: out.Violation, repeat: str) -> Iterator[Block]:
    """What only some ask for: the claim, how sure it is, what was tried, and the proof that stands against it."""
    mechanism, found = result.mechanism, violation.counterexample
    pairs: list[tuple[str, Inline]] = [("Claim", (Code(words.claim_words(mechanism.claim)),))]
    if event_words(found.witness.observation):
        pairs.append(("In Python", (Code(found.witness.event),)))
    pairs += [(f"Argument {one.name}", (Code(literal(one.value)), f" {one.why}")) for one in found.witness.arguments]
    evidence = found.evidence
    if isinstance(evidence, out.CountedEvidence):
        sure = f"Clopper-Pearson, {numerals.percent(evidence.confidence)} each"
        both = ((evidence.p1, evidence.interval1), (evidence.p2, evidence.interval2))
        one, two = (numerals.probability(value, interval) for value, interval in both)
        pairs.append(("Intervals", (f"D1 {one}, D2 {two} ({sure})",)))
    elif isinstance(evidence.infinite, out.Impossible):
        likely = f"probability {numerals.certified(evidence.infinite.mass, 3)} on D1"
        pairs += [("Outputs like it", (likely,))] if evidence.measure is out.Measure.DENSITY else []
    elif evidence.infinite is not None:
        orders = f"t^{evidence.infinite.order1} on D1 and t^{evidence.infinite.order2} on D2"
        pairs.append(("Near it", (f"at a distance t from this output the densities are like {orders}",)))
    typed = calls(mechanism, found.witness, violation.effort.notes)
    pairs += [(f"Call on D{i}", (Code(one),)) for i, one in enumerate(typed or (), start=1)]
    known = facts(result, violation, repeat)
    known = known if words.is_exact(violation) else known[:-1]
    pairs += [(f"Repair {i}", ticked(repair_words(one))) for i, one in enumerate(result.repairs, start=1)]
    yield Facts((*pairs, *((name, ticked(said)) for name, said in known)))
    if violation.against is not None:
        yield Items(tuple(ticked(f"proof: {line}") for line in certificate_lines(violation.against.certificate)))
    if violation.effort.branches:
        yield Items(tuple((branch_words(one),) for one in violation.effort.branches))
    raised = [one for one in result.explained_by if one.raised]
    if raised:
        said = ", ".join(f"{one.code} in line {one.span.line}" for one in raised)
        yield Say((f"{said}: an error since the audit has refuted the claim",))


def _how_sure(violation: out.Violation) -> str:
    evidence = violation.counterexample.evidence
    if not isinstance(evidence, out.CountedEvidence):
        return f"certain, as the evidence is exact ({'; '.join(evidence.certified_by)}). {EXACT_ARITHMETIC}"
    return (
        f"{numerals.percent(violation.confidence)}: if the promise were kept, a report like this would come up "
        f"with probability at most {numerals.short(violation.effort.alpha)}, counted over everything that was tried"
    )


def _allowed(violation: out.Violation) -> float | None:
    """What the claim allows on D1; None where the numbers are densities of which it says nothing."""
    evidence = violation.counterexample.evidence
    if violation.broken is not None and violation.broken.order is not None:
        return None
    if measure_of(evidence) is out.Measure.DENSITY:
        return math.exp(violation.epsilon_tested) * estimates(evidence)[1] if not violation.delta_tested else None
    return allowed_probability(violation)
