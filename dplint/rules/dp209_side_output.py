"""DP209: data leaves by another way than the return value."""

from __future__ import annotations

from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import RELEASES, exposed_sinks
from dplint.rules.rule import Context, Report, Reports, Rule, TermKind

_WAYS = {
    "print": "is printed",
    "log": "is logged",
    "raise": "is part of this exception",
    "attribute": "is kept in an attribute",
    "write": "is written to a file or a plot",
}


def check(context: Context) -> Reports:
    """Exact data in prints, logs, messages of exceptions, attributes and files."""
    for exposure in (Exposure.VALUE, Exposure.SELECTION):
        for sink, witness in exposed_sinks(context, tuple(_WAYS), exposure):
            if context.guessed and (sink.kind == "raise" or (sink.kind == "attribute" and _has_answer(context))):
                continue  # a check of arguments; what the object remembers, where the answer is what is released
            message = (
                f"exact data {_WAYS[sink.kind]} here, and leaves the mechanism without noise: leave it out, or use the "
                "noisy value"
            )
            way = context.way(context.exposed.way(sink.term), sink.node, _WAYS[sink.kind].removeprefix("is "))
            yield Report(sink.node, message, context.claim_and((witness.node, "where it comes from")), way=way)


def _has_answer(context: Context) -> bool:
    """Whether it returns something that it has computed."""
    plain = (TermKind.CONSTANT, TermKind.SYMBOL)
    return any(sink.kind in RELEASES and sink.term.kind not in plain for sink in context.graph.sinks)


RULE = Rule("DP209", check, foretells=False)
