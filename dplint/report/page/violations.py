"""A violation on the page: what was observed on which two inputs, how likely it is on each, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dplint.claims import Mechanism, Span
from dplint.inputs.forms import data_form
from dplint.outcomes import Bounds, CountedEvidence, Evidence, Finding, LargestLoss, Result, Violation, Witness
from dplint.report import compared, evidence_words, numerals, words
from dplint.report.counterexample_view import facts, headline, promise_words
from dplint.report.difference import compare, rows
from dplint.report.event_words import event_words
from dplint.report.explaining import raised_words
from dplint.report.fingerprints import SourceLine
from dplint.report.frames import frames
from dplint.report.literals import literal
from dplint.report.page import pictures
from dplint.report.page.markup import Markup, bullets, paragraphs, prose, table, tag, together
from dplint.report.proof_words import against_words, certificate_lines
from dplint.report.ratios import is_certain, is_limit
from dplint.source.cell_names import split_cell

_COLUMNS = 96
_LONGEST = 200


def violation_card(result: Result, source: SourceLine, repeat: str, anchor: str) -> Markup:
    """Everything that is known of one violation."""
    mechanism, violation = result.mechanism, result.outcome
    assert isinstance(violation, Violation)
    witness = violation.counterexample.witness
    return tag(
        "article",
        tag(
            "h3",
            tag("span", words.verdict(violation), class_="verdict violation"),
            tag("code", mechanism.qualname),
            tag("span", f"{violation.code} {where(mechanism.file, mechanism.span)}", class_="place"),
        ),
        tag("p", f"{headline(result.mechanism, violation)}.", class_="lead"),
        *(explanation(finding, source) for finding in result.explained_by),
        excerpt(source(mechanism.file, mechanism.span.line), mechanism.span) if not result.explained_by else None,
        paragraphs([promise_words(violation, mechanism.claim, scalar=data_form(mechanism) == "scalar")]),
        _inputs(mechanism, witness),
        _observed(violation),
        pictures.probabilities(violation),
        tag("p", _legend(violation), class_="place"),
        _numbers(violation),
        tag("p", prose(words.attacker(violation)), class_="lead"),
        _proof(violation),
        definitions([("epsilon", pictures.epsilon_words(violation)), *facts(result, violation, repeat)]),
        losses_table(violation.losses),
        bullets(violation.effort.notes),
        id=anchor,
        class_="card",
        data_kind="violation",
        data_file=split_cell(mechanism.file)[0],
    )


def where(file: str, span: Span) -> str:
    """`file:line:column`."""
    return f"{file}:{span.line}:{span.column}"


def excerpt(line: str | None, span: Span) -> Markup | None:
    """A line of source with what is meant marked; None where the line is not to be had."""
    if line is None:
        return None
    shown = line.rstrip().replace("\t", " ")
    start = min(span.column - 1, len(shown))
    end = span.end_column - 1 if span.end_line == span.line else len(shown)
    number = tag("span", f"{span.line} ", class_="number")
    return tag("pre", number, shown[:start], tag("mark", shown[start:end]), shown[end:], class_="source")


def explanation(finding: Finding, source: SourceLine) -> Markup:
    """A finding that explains a violation, with its line."""
    said = f"explained by {finding.code}: {finding.message}{raised_words(finding)}"
    return together(tag("p", prose(said)), excerpt(source(finding.file, finding.span.line), finding.span))


def definitions(pairs: Sequence[tuple[str, str]]) -> Markup:
    """Names and what there is to say."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", prose(said))) for name, said in pairs))


def losses_table(losses: Sequence[LargestLoss]) -> Markup | None:
    """The largest exact loss for each value of the claim; None where none was computed."""
    if not losses:
        return None
    head = ("claimed", "", "largest exact loss", "D1", "D2", "arguments", "shown by", "pairs")
    return tag("div", tag("h4", "Exact losses"), table(head, map(_loss, losses)), class_="wide")


def _loss(loss: LargestLoss) -> list[str]:
    pair = loss.pair
    delta = f", delta = {numerals.short(pair.delta)}" if pair.delta else ""
    return [
        f"{numerals.exact(pair.claimed)}{delta}",
        pictures.exact_loss(loss),
        numerals.certified(Bounds(pair.loss.low, loss.high), 4),
        tag("code", literal(pair.d1)),
        tag("code", literal(pair.d2)),
        words.arguments_words(pair.arguments),
        "" if pair.where is None else tag("code", words.observed(pair.where)),
        f"{loss.pairs:,}",
    ]


def _inputs(mechanism: Mechanism, witness: Witness) -> Markup:
    """D1 and D2 below each other, aligned, or in one table, with what differs marked; then the arguments."""
    lines: list[str | None] = []
    tables = frames(mechanism, witness.d1, witness.d2, _COLUMNS)
    for label, line in _sides(witness) if tables is None else ((row.label, tables.pieces(row)) for row in tables.rows):
        pieces = (tag("mark", text) if differs else text for text, differs in line)
        lines += [tag("span", f"{label:<6}", class_="number"), *pieces, "\n"]
    if tables is not None and tables.more:
        lines.append(f"and {numerals.count(tables.more, 'row')} more\n")
    arguments = [
        [tag("code", one.name), tag("code", literal(one.value, _LONGEST)), one.why] for one in witness.arguments
    ]
    return together(
        tag("pre", *lines, class_="data"),
        table(("argument", "value", "why"), arguments) if arguments else None,
    )


def _sides(witness: Witness) -> Iterator[tuple[str, Iterable[tuple[str, bool]]]]:
    """Lines of D1 and D2 by turns, in pieces, each with whether it differs."""
    for row in rows(compare(witness.d1, witness.d2, _LONGEST), _COLUMNS):
        for label, first in (("D1", True), ("D2", False)):
            yield label, row.side(first=first)


def _observed(violation: Violation) -> Markup:
    observation = violation.counterexample.witness.observation
    said = event_words(observation)
    python = tag("code", words.observed(observation))
    label = tag("strong", f"{words.observed_label(observation)} ")
    return tag("p", label, *([said, ", in Python "] if said else []), python)


def _legend(violation: Violation) -> str:
    """What the lines of the picture are."""
    dashed = "dashed: the most that the claim allows on D1, with what is on D2"
    return dashed if words.is_exact(violation) else f"{dashed}; ranges: the intervals"


def _numbers(violation: Violation) -> Markup:
    """What the picture shows, as text."""
    evidence = violation.counterexample.evidence
    one, two = _probability(evidence, first=True), _probability(evidence, first=False)
    limit = None
    if is_certain(violation):
        limit = "on D2 this cannot happen at all"
    elif is_limit(violation):
        limit = "near this output the ratio of the densities grows without limit"
    elif not violation.delta_tested:
        odds, allowed = compared.ratios(violation)
        limit = f"{odds} times as likely on D1 as on D2, where {allowed} times is allowed"
    return definitions([("on D1", one), ("on D2", two), *([("ratio", limit)] if limit else [])])


def _probability(evidence: Evidence, *, first: bool) -> str:
    if not isinstance(evidence, CountedEvidence):
        return f"{numerals.certified(evidence.p1 if first else evidence.p2)}, exact"
    p, interval = (evidence.p1, evidence.interval1) if first else (evidence.p2, evidence.interval2)
    sure = numerals.percent(evidence.confidence)
    return f"{numerals.probability(p, interval)} ({sure} confidence), {evidence_words.counted(evidence, first=first)}"


def _proof(violation: Violation) -> Markup | None:
    """The proof that stands against the violation, as large as that."""
    if violation.against is None:
        return None
    lines = bullets(certificate_lines(violation.against.certificate))
    return tag("div", tag("p", prose(against_words(violation)), class_="lead"), lines, class_="against")


def mechanism_name(mechanism: Mechanism) -> Markup:
    """The function and its place."""
    return together(tag("code", mechanism.qualname), tag("div", where(mechanism.file, mechanism.span), class_="place"))
