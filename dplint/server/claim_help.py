"""Help while a claim is written: which keys there are, what they mean, and which values one may take.

It goes by the text as it is typed, which is no Python yet, from the bracket of `dp(` to the cursor.

Hovers: a mechanism and what is known of it, and the page of a code.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from lsprotocol import types as lsp

from dplint.check.editor_model import MechanismView
from dplint.claims import Span
from dplint.codes import page
from dplint.decorator import dp
from dplint.relations.registry import relation_named, relation_names
from dplint.report.editor import share_words
from dplint.report.markdown import hover as hover_text
from dplint.report.promise_picture import promise_picture
from dplint.server.documents import Document, Text
from dplint.server.lenses import Mode, result_of, state_title
from dplint.server.mechanism_state import MechanismState

TRIGGERS = ("(", ",", '"', "'", "=")
_BEGIN = re.compile(r"(?:@|#\s*dplint:\s*)(?:[\w.]+\.)?dp\(")
_DOCUMENTED = re.compile(r"^ {4}(\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", re.MULTILINE)
_KEY = re.compile(r"\s*(\w+)\s*=\s*(.*)", re.DOTALL)
_HEAD = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(([^)]*)", re.MULTILINE)
_NAME = re.compile(r"(?:^|,)\s*\**([^\W\d]\w*)")
_MOST_LINES = 30
"""Of a claim, and of what stands between it and its function."""
_WORDS = {
    "observe": {
        "stdout": "what is printed",
        "stderr": "what is written to the standard error",
        "logging": "what is logged",
        "files": "files that are written",
        "arguments": "arguments that the function may change in place",
    },
    "numerics": {"machine": "about the numbers that the machine has", "real": "about real numbers"},
}
"""Keys that take one of some words, or several of them."""
_NAMING = ("epsilon", "delta", "data", "rng", "labels")
"""Keys whose value is a text that names parameters of the function."""


@cache
def key_words() -> dict[str, str]:
    """What each key of a claim means, in one line, as the documentation of the decorator says it."""
    found: dict[str, str] = {}
    for names, words in _DOCUMENTED.findall(inspect.cleandoc(dp.__doc__ or "").replace("\n", "\n    ")):
        said = " ".join(words.split())
        found.update(dict.fromkeys(names.split(", "), f"{said[:1].upper()}{said[1:]}"))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Inside of a claim. used: the keys that are there. key: of the value that is being written, None before one.

    quote: the one that is open, "" outside of text. parameters: of the function that the claim is about.
    """

    used: frozenset[str]
    key: str | None
    quote: str
    parameters: tuple[str, ...]


def completions(text: Text, position: lsp.Position) -> list[lsp.CompletionItem]:
    """What may be written here, nothing outside of a claim."""
    place = _place(text, position)
    if place is None:
        return []
    if place.key is None:
        return [_key_item(key, words) for key, words in key_words().items() if key not in place.used]
    return list(_values(place))


def signature(text: Text, position: lsp.Position) -> lsp.SignatureHelp | None:
    """The keys of a claim, the one in hand among them; None outside of a claim."""
    place = _place(text, position)
    if place is None:
        return None
    words = key_words()
    labels = [_label(one) for one in inspect.signature(dp).parameters.values()]
    parameters = [lsp.ParameterInformation(label, words[label.partition("=")[0]]) for label in labels]
    names = list(inspect.signature(dp).parameters)
    first = next((n for n, name in enumerate(names) if name not in place.used), 0)
    active = names.index(place.key) if place.key in names else first
    shown = lsp.SignatureInformation(f"dp({', '.join(labels)})", parameters=parameters, active_parameter=active)
    return lsp.SignatureHelp([shown], active_signature=0, active_parameter=active)


def key_at(text: Text, position: lsp.Position) -> tuple[str, lsp.Range] | None:
    """The key of a claim at a place, and where it stands; None if there is none."""
    line = text.line(position.line)
    column = text.offset(position) - text.starts[position.line] if position.line < len(text.starts) else 0
    for found in re.finditer(r"\b(\w+)\s*=(?!=)", line):
        start = text.starts[position.line] + found.start()
        end = start + len(found[1])
        if found.start() <= column <= found.end(1) and found[1] in key_words():
            before = _place(text, text.position(start))
            if before is not None and before.key is None:
                return found[1], lsp.Range(text.position(start), text.position(end))
    return None


def _key_item(key: str, words: str) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        f"{key}=", kind=lsp.CompletionItemKind.Property, detail=words, insert_text=f"{key}=", filter_text=key
    )


def _label(parameter: inspect.Parameter) -> str:
    default = parameter.default
    return parameter.name if default is inspect.Parameter.empty else f"{parameter.name}={default!r}"


def _values(place: _Place) -> Iterator[lsp.CompletionItem]:
    for label, words in _offered(place).items():
        text = label if place.quote else f'"{label}"'
        yield lsp.CompletionItem(
            text, kind=lsp.CompletionItemKind.Value, detail=words, filter_text=text, insert_text=text
        )


def _offered(place: _Place) -> Mapping[str, str]:
    """What the value of a key may be, each with what it means."""
    if place.key == "neighbors":
        told = ((name, relation_named(name).neighbours) for name in relation_names())
        return {
            name: f"Two are neighbours if {words.replace('{sensitivity}', 'the sensitivity')}" for name, words in told
        }
    if place.key in _NAMING:
        return dict.fromkeys(place.parameters, "a parameter of the function")
    if place.key == "args":
        words = "a parameter of the function: a value, a list of candidates, or (low, high)"
        return dict.fromkeys(place.parameters, words)
    return _WORDS.get(place.key or "", {})


def _place(text: Text, position: lsp.Position) -> _Place | None:
    """Where in a claim a position is; None outside of one."""
    end = text.offset(position)
    first = text.starts[max(0, min(position.line, len(text.starts) - 1) - _MOST_LINES)]
    begins = list(_BEGIN.finditer(text.text, first, end))
    if not begins:
        return None
    arguments, quote, depth = _split(text.text[begins[-1].end() : end])
    if depth < 0:
        return None
    keys = [_KEY.match(one) for one in arguments]
    key, last = keys[-1], arguments[-1]
    if key is None and not re.fullmatch(r"[\s#]*\w*", last):
        return None
    after = text.text[end : text.starts[min(len(text.starts) - 1, position.line + _MOST_LINES)] or None]
    used = {found[1] for found in keys[:-1] if found} | set(re.findall(r"\b(\w+)\s*=(?!=)", after.partition("\n")[0]))
    return _Place(
        used=frozenset(used & key_words().keys()),
        key=None if key is None else key[1],
        quote=quote,
        parameters=_parameters(after),
    )


def _split(inside: str) -> tuple[list[str], str, int]:
    """The arguments up to the cursor, the quote that is open there, and how deep in brackets; -1 behind the claim."""
    arguments, quote, depth = [""], "", 0
    for character in inside:
        if quote:
            quote = "" if character in (quote, "\n") else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth < 0:
                return arguments, "", depth
        elif character == "," and not depth:
            arguments.append("")
            continue
        arguments[-1] += character
    return arguments, quote, depth


def _parameters(after: str) -> tuple[str, ...]:
    """The names of the parameters of the function that the claim stands above."""
    found = _HEAD.search(after)
    if found is None:
        return ()
    inside = re.sub(r"\[[^\]]*\]", "", found[1])
    return tuple(name for name in _NAME.findall(inside) if name not in ("self", "cls"))


_CODE = re.compile(r"\bDP\d{3}\b")


def hover(document: Document, position: lsp.Position, mode: Mode, *, images: bool = False) -> lsp.Hover | None:
    """What there is to say about a place: a code in a comment, a draw, or a mechanism at its name or its claim.

    images: whether the editor shows those that stand in the text itself.
    """
    line, column = document.text.place(position)
    code = _code_at(document, line, column)
    if code is not None:
        return code
    key = key_at(document.text, position)
    if key is not None:
        name, where = key
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, f"`{name}`: {key_words()[name]}"), where)
    for view in document.views:
        for share in view.shares:
            inside = not share.span.file and _within(share.span, line, column)
            if inside and (share.of_claim is not None or share.epsilon is not None):
                return _markdown(share_words(share, view.mechanism.claim), document, share.span)
    for view, state in document.mechanism_states():
        for span in (view.mechanism.span, view.mechanism.claim_span):
            if _within(span, line, column):
                told = _mechanism(document, view, state, mode)
                claim, name = view.mechanism.claim, view.mechanism.qualname
                picture = promise_picture(name, claim, state.outcome, state.shown_by_source) if images else ""
                return _markdown(f"{told}\n\n{picture}" if picture else told, document, span)
    return None


def engine_hover(document: Document, position: lsp.Position, notes: Iterable[tuple[Span, str]]) -> lsp.Hover | None:
    """What the engine spends that is made at a place."""
    line, column = document.text.place(position)
    here = (_markdown(text, document, span) for span, text in notes if _within(span, line, column))
    return next(here, None)


def _mechanism(document: Document, view: MechanismView, state: MechanismState, mode: Mode) -> str:
    result = result_of(document, view.mechanism.qualname)
    reasons = () if result is None else result.explained_by
    return hover_text(
        view.mechanism,
        state.outcome,
        state_title(document, view, state, mode),
        reasons,
        state.shown_by_source,
        state.repairs or (),
    )


def _code_at(document: Document, line: int, column: int) -> lsp.Hover | None:
    """The page of a code that stands in a comment."""
    text = document.text.line(line - 1)
    if "#" not in text:
        return None
    for found in _CODE.finditer(text, text.index("#")):
        if found.start() < column <= found.end() + 1 and (known := page(found.group())) is not None:
            return _markdown(known.markdown, document, Span(line, found.start() + 1, line, found.end() + 1))
    return None


def _within(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _markdown(text: str, document: Document, span: Span) -> lsp.Hover:
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), document.text.range(span))
