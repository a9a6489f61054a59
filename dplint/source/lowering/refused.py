"""Refusals that have no place inside of a statement."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.program.nodes import Assign, For, Opaque, Statement
from dplint.program.opaque import opaque
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk


def with_refusals(found: Sequence[Unsupported], body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements, with those refusals around or in front of them that have no place inside."""
    if not found:
        return body
    inside = {node.refusal for node in walk(body) if isinstance(node, Opaque) and not node.follows}
    placeless = [refused for refused in dict.fromkeys(found) if refused not in inside]
    match body:
        case (Assign(value=value, span=span),) if placeless:
            body = (Opaque(placeless.pop(), (value,), (), False, span),)
        case (For(iterable=iterable, body=turn, span=span),) if placeless:
            body = (Opaque(placeless.pop(), (iterable,), (turn,), False, span),)
    return *map(opaque, placeless), *body
