"""Events in words that a person reads at once: "it raises ValueError", "the second number in the text is at least 10".

Where there are no better words, an event is shown as the Python expression that it is.

Losses that were computed exactly, in words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dplint.outcomes import Bounds, LargestLoss, Observation, OutputEvent, PairLoss
from dplint.outcomes.counterexample import is_exception_name
from dplint.report import numerals
from dplint.report.literals import literal, printable

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COMPARED = {">=": "at least", "<": "less than", ">": "more than", "<=": "at most", "==": "exactly"}


def event_words(observation: Observation) -> str | None:
    """What is observed as a clause, e.g. "it raises ValueError"; None where Python says it best."""
    if not isinstance(observation, OutputEvent):
        return None
    # Whoever waits for an editor to start need not wait for the nodes of programs.
    from dplint.program.parsing import NotAnExpression, parse  # noqa: PLC0415

    try:
        tree = parse(observation.expression, frozenset(["output"]))
    except NotAnExpression:
        return None
    return _words(tree)


def _words(tree: object) -> str | None:
    """The words for a condition or a conjunction of them; None if there are none for a part of it."""
    from dplint.program.nodes import BoolOp, Call, Compare, Constant, ListDisplay, Name  # noqa: PLC0415
    from dplint.program.printing import printed  # noqa: PLC0415

    match tree:
        case BoolOp("and", (guard, Compare(left, ("==",), (Constant(str() as name),)), *rest)) if _is_exception_at_all(
            guard
        ) and _is_type(left):
            parts = [f"it raises {name}", *map(_words, rest)]
            return " and ".join(part for part in parts if part) if all(parts) else None
        case BoolOp("and", operands):
            parts = [_words(operand) for operand in operands]
            # "an exception" says no more than its message does
            kept = [part for part in parts if part and not (part == "it raises an exception" and len(parts) > 1)]
            return " and ".join(kept) if kept and all(parts) else None
        case Compare(left, ("==",), (Constant(str() as text),)):
            return _of_text(left, text)
        case Compare(Constant(str() as name), ("in",), (Call("attribute.files", (Name("output"),)),)):
            return f"it writes {name!r}"
        case Compare(left, ("in",), (ListDisplay((Constant(str() as name),)),)) if _is_type(left):
            return _of_type(name)
        case Compare(left, ("!=",), (right,)) if (text := printed(left)) == printed(right):
            # Only NaN differs from itself.
            return "the output is NaN" if _is_output(left) else f"{_measure(left) or text} is NaN"
        case Compare(left, ("is",), (Constant(None),)) if _is_output(left):
            return "it returns None"
        case Compare(Call("len", (Call("attribute.logging", (Name("output"),)),)), ("==",), (Constant(0),)):
            return "it logs nothing"
        case Compare(left, (operator,), (Constant(int() | float() as limit),)) if operator in _COMPARED:
            measured = _measure(left)
            return measured and f"{measured} is {_COMPARED[operator]} {_limit(limit)}"
    return "it raises an exception" if _is_exception_at_all(tree) else None


def _of_text(left: object, text: str) -> str | None:
    """The words for what equals a text."""
    if _is_type(left):
        return _of_type(text)
    if _is_message(left):
        return f"its message is {text!r}"
    if shown := _shown(left):
        return f"{shown} is {text!r}" if text else f"{shown} is empty"
    return None


def _of_type(name: str) -> str:
    return f"it raises {name}" if is_exception_name(name) else f"it returns {_article(name)}"


def _is_type(tree: object) -> bool:
    """Whether this is the name of the output's type."""
    return _is_of_output(tree, "type-name")


def _is_message(tree: object) -> bool:
    """Whether this is the output as a text, as which events write the message of an exception."""
    return _is_of_output(tree, "str")


def _is_of_output(tree: object, function: str) -> bool:
    from dplint.program.nodes import Call  # noqa: PLC0415

    return isinstance(tree, Call) and tree.function == function and _is_output(tree.arguments[0])


def _is_output(tree: object) -> bool:
    """Whether this is what the function returns, or raises; beside other things that it shows, if it shows any."""
    from dplint.program.nodes import Call, Name  # noqa: PLC0415

    match tree:
        case Name("output") | Call("attribute.returned", (Name("output"),)):
            return True
    return False


def _shown(tree: object) -> str | None:
    """What a run shows besides what it returns, if the claim asks for that."""
    from dplint.program.nodes import Call, Constant, Name, Subscript  # noqa: PLC0415

    match tree:
        case Call("attribute.stdout", (Name("output"),)):
            return "what it prints"
        case Call("attribute.stderr", (Name("output"),)):
            return "what it prints to stderr"
        case Subscript(Call("attribute.files", (Name("output"),)), Constant(str() as name)):
            return f"what it writes to {name!r}"
        case Subscript(Call("attribute.logging", (Name("output"),)), Constant(int() as place)):
            return f"its {_ordinal(place)} log record"
    return None


def _is_exception_at_all(tree: object) -> bool:
    from dplint.program.nodes import Call, Constant  # noqa: PLC0415

    if not isinstance(tree, Call) or not _is_of_output(tree, "isinstance"):
        return False
    return [one.value for one in tree.arguments[1:] if isinstance(one, Constant)] == ["Exception"]


def _measure(tree: object) -> str | None:
    """What is compared, in words, for what reads badly in Python: numbers in a text, and its length."""
    from dplint.program.nodes import Call, Constant, Name, Subscript  # noqa: PLC0415

    match tree:
        case Subscript(Call("numbers-in", (text,)), Constant(int() as place)):
            owner = "the text" if _is_output(text) else "its message" if _is_message(text) else _shown(text)
            return owner and f"the {_ordinal(place)} number in {owner}"
        case Call("len", (Call("attribute.logging" | "attribute.files" as channel, (Name("output"),)),)):
            return f"the number of its {'log records' if channel == 'attribute.logging' else 'files'}"
        case Call("len", (text,)):
            owner = "its message" if _is_message(text) else _shown(text)
            return owner and f"the length of {owner}"
    return None


def _ordinal(place: int) -> str:
    if place == -1:
        return "last"
    return _ORDINALS[place] if 0 <= place < len(_ORDINALS) else f"{place + 1}th"


def _limit(value: float) -> str:
    return numerals.exact(value) if math.isfinite(value) else str(value)


def _article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


_DIGITS = 4


def losses_words(losses: Sequence[LargestLoss]) -> str:
    """The loss that comes nearest to its claim with its place, then those at other values; empty if there are none."""
    if not losses:
        return ""
    nearest = _nearest(losses)
    words = (
        f"largest loss on {numerals.count(nearest.pairs, 'pair')}: {_size(nearest)} of {_allowed(nearest.pair)}, "
        f"at {_place(nearest.pair)}, in exact arithmetic"
    )
    others = [f"{_size(one)} of {_allowed(one.pair)}" for one in losses if one is not nearest]
    return f"{words}; at other values {', '.join(others)}" if others else words


def largest_title(losses: Sequence[LargestLoss]) -> str:
    """The loss that comes nearest to its claim, in a few words: "exact: 0.4997 of 0.5"; empty if none was computed."""
    if not losses:
        return ""
    nearest = _nearest(losses)
    return f"exact: {_size(nearest)} of {numerals.claimed(nearest.pair.claimed)}"


def _nearest(losses: Sequence[LargestLoss]) -> LargestLoss:
    return max(losses, key=lambda one: one.pair.loss.low / one.pair.claimed)


def _allowed(pair: PairLoss) -> str:
    allowed = f"{numerals.claimed(pair.claimed)} claimed"
    return f"{allowed} with delta = {numerals.short(pair.delta)}" if pair.delta else allowed


def _size(largest: LargestLoss) -> str:
    """The largest loss of all computed pairs lies between that of the pair that is shown and `high`."""
    return numerals.certified(Bounds(largest.pair.loss.low, largest.high), _DIGITS)


def _place(pair: PairLoss) -> str:
    arguments = "".join(f", {one.name} = {literal(one.value)}" for one in pair.arguments)
    where = "" if pair.where is None else f", by {printable(pair.where.expression)}"
    return f"D1 = {literal(pair.d1)}, D2 = {literal(pair.d2)}{arguments}{where}"
