"""What an editor shows when the pointer rests on a mechanism: its promise in words, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dplint.claims import Claim, Mechanism
from dplint.inputs.forms import data_form
from dplint.outcomes import (
    BySource,
    CountedEvidence,
    Effort,
    Evidence,
    Failed,
    Finding,
    Measure,
    NoViolation,
    Outcome,
    Proved,
    Result,
    Underpowered,
    Untestable,
    Violation,
    Witness,
)
from dplint.report import compared, evidence_words, numerals, words
from dplint.report.difference import compare
from dplint.report.editor import cure
from dplint.report.literals import literal
from dplint.report.loss_words import losses_words
from dplint.report.markdown_text import block, code, escaped, plain, table
from dplint.report.promises import factor_words, neighbours_words
from dplint.report.proof_words import EXACT_ARITHMETIC, against_words, certificate_lines, proved_words
from dplint.report.ratios import is_certain, is_limit
from dplint.report.source_words import BY_SOURCE, how_sure, if_confirmed

_LONGEST = 400
"""Characters of one entry of the data: a hover can be scrolled, but should not have to be."""
_DETAIL_LINES = 20


def hover(
    mechanism: Mechanism,
    outcome: Outcome | None,
    state: str,
    explained_by: Sequence[Finding] = (),
    by_source: BySource | None = None,
) -> str:
    """Markdown about a mechanism.

    state: what goes on with it in a few words, as "testing, 41k runs"; may be empty. explained_by: what is seen in the
    source of a violation. by_source: what was computed without a run.
    """
    title = code(mechanism.qualname)
    paragraphs = [f"**{title}** · {plain(state)}" if state else f"**{title}**", _promise(mechanism)]
    if outcome is not None:
        verdict = _verdict(mechanism, outcome)
        paragraphs += ["---", *verdict[:1], *map(_reason, explained_by), *verdict[1:]]
    computed = [] if by_source is None else _by_source(by_source, mechanism)
    paragraphs += ["---", *computed] if computed else []
    return "\n\n".join(paragraphs)


def _promise(mechanism: Mechanism) -> str:
    """The claim in full sentences."""
    claim = mechanism.claim
    data = f" (the argument {code(mechanism.data)})" if mechanism.data else ""
    neighbours = neighbours_words(claim, scalar=data_form(mechanism) == "scalar")
    return (
        f"**Promises:** whoever sees the output can hardly tell whether the data{data} was D1 or a neighbour D2. "
        f"{_limit_of_claim(claim)} Two values of the data are neighbours if {plain(neighbours)}.  \n"
        f"Written as {code(words.claim_words(claim))}."
    )


def _limit_of_claim(claim: Claim) -> str:
    named = [
        f"{name} = {code(value)}"
        for name, value in (("ε", claim.epsilon), ("δ", claim.delta))
        if isinstance(value, str)
    ]
    times = "exp(ε)" if isinstance(claim.epsilon, str) else factor_words(claim.epsilon)
    delta = "δ" if isinstance(claim.delta, str) else numerals.short(claim.delta)
    more = f", apart from an additional probability of {delta}" if claim.delta else ""
    where = f", where {' and '.join(named)}" if named else ""
    return f"No set of outputs is more than {times} times as likely on D1 as on D2{more}{where}."


def _verdict(mechanism: Mechanism, outcome: Outcome) -> list[str]:
    match outcome:
        case Violation():
            return _violation(mechanism, outcome)
        case Proved():
            return _proved(mechanism, outcome)
        case NoViolation():
            notes = _notes(outcome.effort)
            return [
                f"**No violation found.** {_sentence(_capital(words.tried(mechanism, outcome)))}",
                f"*{words.NOT_PRIVATE}*",
                *notes,
            ]
        case Underpowered():
            said = _sentence(_capital(words.underpowered_words(mechanism, outcome)))
            return [
                f"**Tried too little to tell:** {said}",
                *_cure(mechanism, outcome),
                "This says nothing about privacy.",
                *_notes(outcome.effort),
            ]
        case Untestable():
            return [f"**Cannot be tested:** {_sentence(outcome.reason)}", *_cure(mechanism, outcome)]
        case Failed():
            said = f"**The test failed** ({outcome.kind.value}): {_sentence(outcome.reason)}"
            tail = "\n".join(outcome.detail.rstrip().splitlines()[-_DETAIL_LINES:])
            detail = ["\n".join(block(tail))] if tail else []
            return [said, *_cure(mechanism, outcome), *detail, "This says nothing about privacy."]
        case _:
            assert_never(outcome)


def _proved(mechanism: Mechanism, proved: Proved) -> list[str]:
    """What is proved, and why, line by line."""
    said = _capital(proved_words(proved, mechanism.claim.epsilon))
    # a bounded proof must not look like a full one, so its bound is as bold as the word
    bold = "Proved" if proved.scope.full else said.partition(",")[0]
    rest = _sentence(said.removeprefix(bold))
    losses = [_sentence(_capital(losses_words(proved.losses)))] if proved.losses else []
    return [
        f"**{plain(bold)}**{rest if rest.startswith(',') else f' {rest}'}",
        "\n".join(f"- {_sentence(line)}" for line in certificate_lines(proved.certificate)),
        *losses,
        f"*{EXACT_ARITHMETIC}*",
        *_notes(proved.effort),
    ]


def _by_source(known: BySource, mechanism: Mechanism) -> list[str]:
    """What was computed without a run: numbers, and that nobody has called the function."""
    losses = [_sentence(_capital(losses_words(known.losses)))] if known.losses else []
    if known.against is None and known.proved is not None:
        proved = plain(_sentence(_capital(proved_words(known.proved, mechanism.claim.epsilon))))
        lines = [f"- {_sentence(line)}" for line in certificate_lines(known.proved.certificate)]
        return [f"**{_capital(BY_SOURCE)}:** {proved}", "\n".join(lines), *losses, f"*{EXACT_ARITHMETIC}*"]
    if known.against is None:
        return [f"**By the source alone,** without a run: {losses[0]} *{EXACT_ARITHMETIC}*"] if losses else []
    violation = if_confirmed(known.against)
    return [
        f"**{_capital(BY_SOURCE)}:** {plain(words.lower_words(violation))}, where {plain(_claimed(violation))} is "
        "claimed.",
        _with_event(words.attacker(violation), words.observed(known.against.witness.observation)),
        "\n".join(table(_rows(violation))),
        f"**How sure:** {plain(how_sure(known.against))}",
        *losses,
    ]


def _violation(mechanism: Mechanism, violation: Violation) -> list[str]:
    found = violation.counterexample
    lower = plain(words.lower_words(violation))
    paragraphs = [
        f"**The promise is broken:** {lower}, where {plain(_claimed(violation))} is claimed.",
        _with_event(words.attacker(violation), words.observed(found.witness.observation)),
        "\n".join(table(_rows(violation))),
        _how_sure(violation),
    ]
    if violation.against is not None:
        proof = certificate_lines(violation.against.certificate)
        paragraphs.append(f"**Proved, too.** {plain(against_words(violation))}")
        paragraphs.append("\n".join(f"- {_sentence(line)}" for line in proof))
    if found.draws:
        paragraphs.append(_sentence(_capital(evidence_words.draws_of_a_run(found.draws))))
    if violation.losses:
        paragraphs.append(_sentence(_capital(losses_words(violation.losses))))
    if violation.strongest is not None:
        other, at = violation.strongest, violation.strongest.witness
        bound = ""
        if other.epsilon_lower is not None:
            bound = f"epsilon is {compared.shown(other.epsilon_lower, violation.epsilon_tested)} "
        where = f"D1 = {code(literal(at.d1))} and D2 = {code(literal(at.d2))}"
        paragraphs.append(f"**Strongest counterexample:** {bound}by {code(at.event)} on {where}.")
    if violation.confirmation is not None:
        paragraphs.append(f"**Confirmed** {evidence_words.confirmation(violation.confirmation)}.")
    again = words.reproduce(mechanism, words.seed_of(found))
    return [*paragraphs, f"**See it again:** {code(again)}", *_notes(violation.effort)]


def _claimed(violation: Violation) -> str:
    return words.promise(violation.epsilon_tested, violation.delta_tested)


def _rows(violation: Violation) -> list[tuple[str, str]]:
    found = violation.counterexample.witness
    one, two = _data(found)
    rows = [("D1", one), ("D2", two)]
    rows += [
        (f"argument {argument.name}", f"{code(literal(argument.value, _LONGEST))} ({plain(argument.why)})")
        for argument in found.arguments
    ]
    rows.append((words.observed_label(found.observation), code(words.observed(found.observation))))
    return [*rows, *_probabilities(violation.counterexample.evidence), *_limit(violation)]


def _probabilities(evidence: Evidence) -> list[tuple[str, str]]:
    if isinstance(evidence, CountedEvidence):
        one, two = (_counted(evidence, first=first) for first in (True, False))
        return [("P on D1", one), ("P on D2", two)]
    name = "P" if evidence.measure is Measure.PROBABILITY else "density"
    one, two = numerals.certified(evidence.p1), numerals.certified(evidence.p2)
    return [(f"{name} on D1", f"{one}, exact"), (f"{name} on D2", f"{two}, exact")]


def _data(found: Witness) -> tuple[str, str]:
    """D1 and D2 as spans of code, those of the entries that differ in bold."""
    sides = []
    cells = compare(found.d1, found.d2, _LONGEST)
    for first in (True, False):
        spans: list[str] = []
        rest = ""
        for one in cells:
            text = one.text1 if first else one.text2
            rest += one.before
            if text is None:  # a record that is missing here takes its comma with it
                rest = rest.rstrip(", ") + one.after if one.after != "," else rest
            elif one.differs:
                spans += [*_span(rest), f"**{code(text)}**"]
                rest = f"{one.after} "
            else:
                rest += f"{text}{one.after} "
        sides.append(" ".join([*spans, *_span(rest)]))
    return sides[0], sides[1]


def _span(text: str) -> list[str]:
    return [code(text.strip())] if text.strip() else []


def _counted(evidence: CountedEvidence, *, first: bool) -> str:
    p, interval = (evidence.p1, evidence.interval1) if first else (evidence.p2, evidence.interval2)
    places = numerals.decimals(interval)
    between = f"{interval.low:.{places}f} to {interval.high:.{places}f}"
    said = evidence_words.counted(evidence, first=first)
    return f"{p:.{places}f}, {between}, {said if evidence.coupled is not None else f'in {said}'}"


def _limit(violation: Violation) -> list[tuple[str, str]]:
    """What was found beside what the claim allows: a ratio, or for delta > 0 a probability on D1."""
    if is_certain(violation):
        return [("found", "on D2 this cannot happen at all")]
    if is_limit(violation):
        return [("found", "near this output the ratio of the densities grows without limit")]
    if violation.delta_tested:
        _, allowed = compared.probabilities(violation)
        return [("allowed on D1", f"{allowed}, with this probability on D2")]
    odds, allowed = compared.ratios(violation)
    return [("found", f"{odds} times as likely on D1 as on D2"), ("allowed", f"{allowed} times")]


def _how_sure(violation: Violation) -> str:
    effort, evidence = violation.effort, violation.counterexample.evidence
    if not isinstance(evidence, CountedEvidence):
        by = plain("; ".join(evidence.certified_by))
        return f"**How sure:** certain, as the evidence is exact ({by}). {EXACT_ARITHMETIC}"
    intervals = f"The intervals of P hold at {numerals.percent(evidence.confidence)} each."
    if evidence.coupled is not None:
        intervals += f" They are known {evidence_words.coupled(evidence.coupled, evidence)}."
    sure = numerals.percent(violation.confidence)
    said = (
        f"**How sure:** {sure}. If the promise were kept, a report like this one would "
        f"come up with probability at most {numerals.short(effort.alpha)}, counted over everything that was tried"
    )
    if (too_small := evidence_words.too_small(violation)) is not None:
        intervals += f" Too small: {plain(too_small)}."
    log_e_value = words.log_evidence(violation)
    if log_e_value is not None:
        said += f": a fair bet against the promise made its stake {evidence_words.e_value(log_e_value, effort.alpha)}"
    elif evidence.p_value is not None:
        said += f" (p-value {plain(numerals.p_value(evidence.p_value))})"
    return f"{said}. {intervals} It took {words.whole_effort_words(effort)}."


def _with_event(sentence: str, event: str) -> str:
    """A sentence of ours that holds the event between ticks, made safe."""
    before, _, after = sentence.partition(f"`{event}`")
    return escaped(before) + code(event) + escaped(after)


def _cure(mechanism: Mechanism, outcome: Outcome) -> list[str]:
    said = cure(Result(mechanism, outcome))
    return [f"**What helps:** {plain(said.removeprefix('What helps: '))}"] if said else []


def _notes(effort: Effort) -> list[str]:
    return ["\n".join(f"- {_sentence(note)}" for note in effort.notes)] if effort.notes else []


def _reason(finding: Finding) -> str:
    return f"**Line {finding.span.line} explains it:** {_sentence(finding.message)} ({finding.code})"


def _sentence(text: str) -> str:
    """Other people's words with a full stop."""
    shown = plain(text)
    return shown if shown.endswith((".", "!", "?")) else f"{shown}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
