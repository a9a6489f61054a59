"""Events in words that a person reads at once: "raises ValueError", "the second number in the text is at least 10".

Where there are no better words, an event is shown as the Python expression that it is.
"""

from __future__ import annotations

import math

from dplint.outcomes import Observation, OutputEvent
from dplint.report import numerals

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_AT_LEAST = {">=": "at least", "<": "less than", ">": "more than", "<=": "at most"}


def event_words(observation: Observation) -> str | None:
    """What is observed as a clause about the function, e.g. "raises ValueError"; None where Python says it best."""
    if not isinstance(observation, OutputEvent):
        return None
    # Whoever waits for an editor to start need not wait for the nodes of programs.
    from dplint.program.parsing import NotAnExpression, parse  # noqa: PLC0415

    try:
        tree = parse(observation.expression, frozenset(["output"]))
    except NotAnExpression:
        return None
    return _Words().of(tree)


class _Words:
    """Puts trees into words; None for those that have none."""

    def of(self, tree: object) -> str | None:
        """The words for a condition or a conjunction of them."""
        from dplint.program.nodes import BoolOp, Call, Compare, Constant, Name  # noqa: PLC0415

        match tree:
            case BoolOp("and", operands):
                parts = [self.of(operand) for operand in operands]
                kept = [part for part in parts if part]
                return " and ".join(kept) if len(kept) == len(parts) else None
            case Compare(Call("type-name", (Name("output"),)), ("==",), (Constant(str() as name),)):
                return f"raises {name}" if _is_exception(name) else f"returns {_article(name)}"
            case Call("isinstance", (Name("output"), Constant("Exception"))):
                return "raises an exception"
            case Compare(Call("str", (Name("output"),)), ("==",), (Constant(str() as text),)):
                return f"says {text!r}"
            case Compare(Name("output"), ("is",), (Constant(None),)):
                return "returns None"
            case Compare(left, (operator,), (Constant(int() | float() as limit),)) if operator in _AT_LEAST:
                measured = _measure(left)
                return measured and f"{measured} is {_AT_LEAST[operator]} {_limit(limit)}"
        return None


def _measure(tree: object) -> str | None:
    """What is compared, in words, for what reads badly in Python: the numbers in a text."""
    from dplint.program.nodes import Call, Constant, Name, Subscript  # noqa: PLC0415

    match tree:
        case Subscript(Call("numbers-in", (text,)), Constant(int() as place)):
            where = "the text" if text == Name("output", text.span) else "the message" if _is_message(text) else None
            return where and f"the {_ordinal(place)} number in {where}"
    return None


def _is_message(tree: object) -> bool:
    from dplint.program.nodes import Call, Name  # noqa: PLC0415

    return isinstance(tree, Call) and tree.function == "str" and isinstance(tree.arguments[0], Name)


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
