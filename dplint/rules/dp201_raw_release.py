"""DP201: data is released without noise on some path."""

from __future__ import annotations

from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import RELEASES, exposed_sinks, shows_categories
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Values that are returned or yielded and that exact data went into."""
    name = context.mechanism.qualname.rpartition(".")[2]
    if context.guessed and name.startswith("_") and not name.endswith("__"):
        return  # a step on the way: its caller may add the noise, and nobody promises anything of it
    for sink, witness in exposed_sinks(context, RELEASES, Exposure.VALUE):
        if shows_categories(context, sink):
            continue  # DP203 speaks of those
        what = "returned" if sink.kind == "return" else "yielded"
        message = f"exact data is {what} here without any noise: add noise before it leaves the mechanism"
        related = context.claim_and((witness.node, "where it comes from"))
        yield Report(sink.node, message, related, way=context.way(context.exposed.way(sink.term), sink.node, what))


RULE = Rule("DP201", check, error_if_refuted=True)
