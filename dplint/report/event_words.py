"""Events in words that a person reads at once: "it raises ValueError", "the second number in the text is at least 10".

Where there are no better words, an event is shown as the Python expression that it is.
"""

from __future__ import annotations

import math

from dplint.outcomes import Observation, OutputEvent
from dplint.report import numerals

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
    from dplint.program.nodes import BoolOp, Compare, Constant, ListDisplay, Name  # noqa: PLC0415

    match tree:
        case BoolOp("and", operands):
            parts = [_words(operand) for operand in operands]
            # "an exception" says no more than its message does
            kept = [part for part in parts if part and not (part == "it raises an exception" and len(parts) > 1)]
            return " and ".join(kept) if kept and all(parts) else None
        case Compare(left, ("==",), (Constant(str() as text),)):
            return _of_type(text) if _is_type(left) else f"its message is {text!r}" if _is_message(left) else None
        case Compare(left, ("in",), (ListDisplay((Constant(str() as name),)),)) if _is_type(left):
            return _of_type(name)
        case Compare(Name("output"), ("is",), (Constant(None),)):
            return "it returns None"
        case Compare(left, (operator,), (Constant(int() | float() as limit),)) if operator in _COMPARED:
            measured = _measure(left)
            return measured and f"{measured} is {_COMPARED[operator]} {_limit(limit)}"
    return "it raises an exception" if _is_exception_at_all(tree) else None


def _of_type(name: str) -> str:
    return f"it raises {name}" if _is_exception(name) else f"it returns {_article(name)}"


def _is_type(tree: object) -> bool:
    """Whether this is the name of the output's type."""
    return _is_of_output(tree, "type-name")


def _is_message(tree: object) -> bool:
    """Whether this is the output as a text, as which events write the message of an exception."""
    return _is_of_output(tree, "str")


def _is_of_output(tree: object, function: str) -> bool:
    from dplint.program.nodes import Call, Name  # noqa: PLC0415

    return isinstance(tree, Call) and tree.function == function and isinstance(tree.arguments[0], Name)


def _is_exception_at_all(tree: object) -> bool:
    from dplint.program.nodes import Call, Constant  # noqa: PLC0415

    if not isinstance(tree, Call) or not _is_of_output(tree, "isinstance"):
        return False
    return [one.value for one in tree.arguments[1:] if isinstance(one, Constant)] == ["Exception"]


def _measure(tree: object) -> str | None:
    """What is compared, in words, for what reads badly in Python: numbers in a text, and its length."""
    from dplint.program.nodes import Call, Constant, Name, Subscript  # noqa: PLC0415

    match tree:
        case Subscript(Call("numbers-in", (Name("output"),)), Constant(int() as place)):
            return f"the {_ordinal(place)} number in the text"
        case Subscript(Call("numbers-in", (text,)), Constant(int() as place)) if _is_message(text):
            return f"the {_ordinal(place)} number in its message"
        case Call("len", (text,)) if _is_message(text):
            return "the length of its message"
    return None


def _ordinal(place: int) -> str:
    if place == -1:
        return "last"
    return _ORDINALS[place] if 0 <= place < len(_ORDINALS) else f"{place + 1}th"


def _limit(value: float) -> str:
    return numerals.exact(value) if math.isfinite(value) else str(value)


def _is_exception(name: str) -> bool:
    return name.endswith(("Error", "Exception", "Interrupt", "Warning", "Exit", "Iteration"))


def _article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
