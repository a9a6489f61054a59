"""Where a proof fails: neighbours and arguments that an audit may try first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dplint.claims import Literal
from dplint.proofs.checker.values import Entries, Items, Table, is_term
from dplint.proofs.proposer.forms import Key
from dplint.proofs.proposer.walking import at_sample, numbers_of


@dataclass(frozen=True, slots=True)
class Hint:
    """Neighbours and arguments, as numbers that a program can be called with."""

    first: Literal
    second: Literal
    arguments: Mapping[str, Literal]


def plain(value: Any, numbers: Mapping[Key, Fraction] | None = None) -> Literal:
    """A value of the checker on a sample as Python's own. numbers: of the variables in it."""
    if isinstance(value, list | tuple):
        return [plain(one, numbers) for one in value]
    if isinstance(value, Items):
        return plain(value.items, numbers)
    if isinstance(value, Entries):
        return {key: plain(one, numbers) for key, one in zip(value.keys, value.values, strict=True)}
    if isinstance(value, Table):
        return {name: plain(column, numbers) for name, column in value.columns}
    if is_term(value):
        value = Fraction(at_sample(numbers_of(numbers or {}), value))
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    found: Literal = value
    return found


def output_words(output: Any) -> str:
    """What a run of the proposer gives, with "..." for what is noisy: "D1 gives [True, ...]"."""
    kind, value = output if isinstance(output, tuple) and len(output) == 2 else ("value", output)
    return f"D1 gives {_shown(value)}" if kind == "value" else f"D1 ends with {kind}"


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        inside = ", ".join(map(_shown, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_shown(one)}" for key, one in value.items()) + "}"
    if hasattr(value, "at"):
        return "..." if value.constant is None else str(value.constant)
    return repr(value) if value is None or isinstance(value, bool | int | float | str) else "..."
