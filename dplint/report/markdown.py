"""Documents as Markdown, and what an editor shows when the pointer rests on a mechanism."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from dplint import outcomes as out
from dplint.claims import Claim, Mechanism, Promise
from dplint.definitions import ORDER, claimed_amounts, definition_named, implied, most_epsilon, promise_words
from dplint.expressions import ExpressionError, expression_parameters
from dplint.inputs.forms import data_form
from dplint.report import document as doc
from dplint.report import editor, numerals, words
from dplint.report.documents import document
from dplint.report.editor import BY_SOURCE, HOW_SURE, if_confirmed
from dplint.report.event_words import losses_words
from dplint.report.format import no_source
from dplint.report.markdown_text import block as code_block
from dplint.report.markdown_text import cell, code, plain, table
from dplint.report.proof_words import EXACT_ARITHMETIC, proved_words
from dplint.report.repair_words import repair_words
from dplint.report.stability_words import NOT_STABLE
from dplint.report.words import limit_words, neighbours_words

_ROOM = 100
"""Columns of the data: a hover can be scrolled, but should not have to be."""


def hover(
    mechanism: Mechanism,
    outcome: out.Outcome | None,
    state: str,
    explained_by: Sequence[out.Finding] = (),
    by_source: out.BySource | None = None,
    repairs: Sequence[out.Repair] = (),
) -> str:
    """Markdown about a mechanism.

    state: what goes on with it in a few words, as "testing, 41k runs"; may be empty. explained_by: what is seen in the
    source of a violation. by_source: what was computed without a run. repairs: of a violation.
    """
    title = code(mechanism.qualname)
    paragraphs = [f"**{title}** · {plain(state)}" if state else f"**{title}**"]
    if outcome is not None:
        result = out.Result(mechanism, outcome, explained_by=tuple(explained_by))
        paragraphs += [*paragraphs_of(document(result, no_source, room=_ROOM)), *_caveats(mechanism, outcome), "---"]
    told = [f"- {plain(repair_words(one))}" for one in repairs]
    paragraphs += ["**Repairs**", "\n".join(told), "---"] if told else []
    computed = [] if by_source is None else list(_by_source(by_source, mechanism))
    paragraphs += [*computed, "---"] if computed else []
    return "\n\n".join([*paragraphs, _promise(mechanism)])


def paragraphs_of(told: doc.Document) -> Iterator[str]:
    """The head in bold, and the blocks below it; lines of source are left out, as the reader has them."""
    mark = f"{told.head.code} " if told.head.code else ""
    yield f"**{mark}{inline(told.head.said)}**"
    for tabular, blocks in groupby(told.body, key=lambda block: isinstance(block, doc.Sides | doc.Chart | doc.Facts)):
        if tabular:
            yield "\n".join(table([row for block in blocks for row in _rows(block)]))
        else:
            yield from (text for block in blocks for text in _paragraph(block))
    if told.notes:
        yield "\n".join(f"- {_sentence(plain(note))}" for note in told.notes)


def _rows(block: doc.Block) -> Iterator[tuple[str, str]]:
    match block:
        case doc.Sides(lines):
            yield from ((line.label, _side(line.pieces)) for line in lines)
        case doc.Chart(measure, of, bars):
            yield "event", inline(of)
            for bar in bars:
                yield f"{measure} on {bar.label}", bar.number + (f", {plain(bar.remark)}" if bar.remark else "")
        case doc.Facts(pairs):
            yield from ((name, inline(said)) for name, said in pairs)


def _paragraph(block: doc.Block) -> Iterator[str]:
    match block:
        case doc.Say():
            yield _sentence(inline(tuple(map(_for_editors, block.located))))
        case doc.Items(lines):
            yield "\n".join(f"- {_sentence(inline(line))}" for line in lines)
        case doc.Table(head, rows):
            told = [map(plain, head), ["---"] * len(head), *(map(_cell, row) for row in rows)]
            yield "\n".join(f"| {' | '.join(line)} |" for line in told)
        case doc.Verbatim(lines):
            yield "\n".join(code_block("\n".join(lines)))


def _cell(text: str) -> str:
    return cell(code(text)) if text else ""


def inline(said: doc.Inline) -> str:
    """A sentence with its code and what is strong in it."""
    found = []
    for piece in said:
        if isinstance(piece, doc.Code):
            found.append(code(piece))
        elif piece.strip():
            before, after = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
            shown = plain(piece)
            found.append(
                f"{' ' * bool(before)}{f'**{shown}**' if isinstance(piece, doc.Strong) else shown}{' ' * bool(after)}"
            )
        else:
            found.append(" ")
    return "".join(found)


def _for_editors(piece: str) -> str:
    """Options of the command line as settings of an editor, outside of commands."""
    return piece if isinstance(piece, doc.Code) else editor.in_settings(piece)


def _side(pieces: Sequence[tuple[str, bool]]) -> str:
    """A line of the data as spans of code, those of the entries that differ in bold."""
    spans, rest = list[str](), ""
    for text, differs in (*pieces, ("", True)):
        if not differs:
            rest += text
            continue
        spans += [code(" ".join(rest.split()))] if rest.strip() else []
        spans += [f"**{code(text)}**"] if text else []
        rest = ""
    return " ".join(spans)


def _promise(mechanism: Mechanism) -> str:
    """The claim in full sentences."""
    claim = mechanism.claim
    data = f" (the argument {code(mechanism.data)})" if mechanism.data else ""
    neighbours = neighbours_words(claim, scalar=data_form(mechanism) == "scalar")
    if claim.stable is not None:
        return (
            f"**Promises:** values of the data{data} that are {numerals.exact(claim.stable.d_in)} apart give outputs "
            f"that are at most {code(str(claim.stable.d_out))} apart ({claim.stable.metric}), and there is no noise. "
            f"Two values of the data are neighbours if {plain(neighbours)}.  \n"
            f"Written as {code(words.claim_words(claim))}."
        )
    return (
        f"**Promises:** whoever sees the output can hardly tell whether the data{data} was D1 or a neighbour D2. "
        f"{_limit_of_claim(claim)} Two values of the data are neighbours if {plain(neighbours)}.  \n"
        f"Written as {code(words.claim_words(claim))}."
    )


_AT = (1e-3, 1e-6, 1e-9)
"""Deltas at which it is told what epsilon follows from a claim by another definition."""


def _limit_of_promise(promise: Promise) -> str:
    """What follows as epsilon and delta, at three deltas where it is numbers, else as an expression at one."""
    definition = definition_named(promise.kind)
    said = f"{code(promise_words(promise))} is a claim in {definition.called} ({definition.source})"
    if promise.function is not None:
        return f"{code(promise_words(promise))} is a function of the project, which says δ for each ε."
    texts = [one for one in promise.amounts if isinstance(one, str)]
    names = sorted(frozenset[str]().union(*map(expression_parameters, texts)) - {ORDER})
    if texts and not promise.of_all_orders:
        epsilon, delta = implied(promise)
        said += f"; with δ = {code(str(delta))}, ε = {code(str(epsilon))} follows from it"
    try:
        amounts = claimed_amounts(promise, dict.fromkeys(names, 1.0)).amounts
    except ExpressionError:
        return f"{said}."
    follow = [(most_epsilon(definition, amounts, delta), delta) for delta in _AT]
    points = [f"ε = {epsilon:.4g} with δ = {delta:g}" for epsilon, delta in follow if math.isfinite(epsilon)]
    if not points:
        return f"{said}."
    at = f", for {' and '.join(f'{code(name)} = 1' for name in names)}," if names else ""
    return f"{said}; {', '.join(points)}{at} follow from it."


def _limit_of_claim(claim: Claim) -> str:
    if claim.promise is not None:
        return _limit_of_promise(claim.promise)
    values = (("ε", claim.epsilon), ("δ", claim.delta))
    named = [f"{name} = {code(value)}" for name, value in values if isinstance(value, str)]
    where = f", where {' and '.join(named)}" if named else ""
    return f"No set of outputs is more than {limit_words(claim.epsilon, claim.delta)}{where}."


def _caveats(mechanism: Mechanism, outcome: out.Outcome) -> list[str]:
    """What was tried before nothing was found, and what a verdict does not mean."""
    match outcome:
        case out.NoViolation():
            return [_sentence(plain(words.tried(mechanism, outcome))), f"*{words.NOT_PRIVATE}*"]
        case out.Underpowered():
            return [_sentence(plain(words.underpowered_words(mechanism, outcome))), "This says nothing about privacy."]
        case out.Proved():
            return [f"*{EXACT_ARITHMETIC}*"]
        case out.Violation() if words.is_exact(outcome) or outcome.against is not None:
            return [f"*{EXACT_ARITHMETIC}*"]
        case out.Violation() | out.Unstable():
            return []
        case out.NotRefuted():
            return [f"*{NOT_STABLE}*"]
    return ["This says nothing about privacy."]


def _by_source(known: out.BySource, mechanism: Mechanism) -> Iterator[str]:
    """What was computed without a run: numbers, and that nobody has called the function."""
    bold = f"**{BY_SOURCE[:1].upper()}{BY_SOURCE[1:]}:**"
    losses = [_sentence(plain(losses_words(known.losses)))] if known.losses else []
    if known.against is not None:
        told = document(out.Result(mechanism, if_confirmed(known.against)), no_source, room=_ROOM)
        head, *rest = paragraphs_of(told)
        yield from (f"{bold} {head}", *rest, f"**How sure:** {plain(HOW_SURE)}", *losses)
    elif known.proved is not None:
        proved = plain(proved_words(known.proved, mechanism.claim.epsilon))
        yield from (f"{bold} {_sentence(proved)}", *losses, f"*{EXACT_ARITHMETIC}*")
    elif losses:
        yield f"**By the source alone,** without a run: {losses[0]} *{EXACT_ARITHMETIC}*"


def _sentence(markdown: str) -> str:
    """With a full stop."""
    return markdown if markdown.endswith((".", "!", "?")) else f"{markdown}."
