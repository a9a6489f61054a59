"""Python source for people: literals, calls and conditions, laid out as `ruff format` would by its own defaults."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from itertools import groupby, pairwise

from dplint.claims import Literal
from dplint.program import literals

WIDTH = 88
_INDENT = "    "
_REPEATED = 3
"""So many equal items in a row are worth `[1.0] * 3`, if the list is too long for its line."""
_SPLITTING = (("and",), ("<", "<=", ">", ">=", "==", "!=", "in", "not", "is"), ("+", "-"))
"""Operators at which a long condition is split, the loosest first."""
_WORDS = ("and", "or", "not", "in", "is", "if", "else")


def literal_code(value: Literal) -> str:
    """The value on one line. Raises ValueError for what is no literal."""
    return literals.literal_code(value, _text)


def assignment(name: str, value: Literal) -> list[str]:
    """`name = value`, on as many lines as it takes."""
    head = f"{name} = "
    line = head + literal_code(value)
    if len(line) <= WIDTH:
        return [line]
    short = head + _repeated(value)
    return [short] if len(short) <= WIDTH else _laid_out(head, value, "", "")


def call(head: str, function: str, arguments: Sequence[str], indent: str) -> list[str]:
    """`head function(arguments)`, on as many lines as it takes."""
    line = f"{indent}{head}{function}({', '.join(arguments)})"
    if len(line) <= WIDTH or not arguments:
        return [line]
    inner = indent + _INDENT
    one = inner + ", ".join(arguments)
    if len(one) <= WIDTH:
        return [f"{indent}{head}{function}(", one, f"{indent})"]
    lines = [f"{inner}{argument}," for argument in arguments]
    # an argument that is still too long would be broken up in ways that nobody would want to read
    skip = "  # fmt: skip" if max(map(len, lines)) > WIDTH else ""
    return [f"{indent}{head}{function}(", *lines, f"{indent}){skip}"]


def condition(head: str, expression: str, indent: str) -> list[str]:
    """`head(expression)`, on as many lines as it takes."""
    line = f"{indent}{head}({expression})"
    if len(line) <= WIDTH:
        return [line]
    inner = indent + _INDENT
    lines = [inner + part for part in _split(expression, WIDTH - len(inner))]
    skip = "  # fmt: skip" if max(map(len, lines)) > WIDTH else ""
    return [f"{indent}{head}(", *lines, f"{indent}){skip}"]


def event_code(event: str) -> str | None:
    """The event with its strings as `ruff format` quotes them; None if it is no expression over `output` alone."""
    # Whoever waits for an editor to start need not wait for the nodes of programs.
    from dplint.program.parsing import NotAnExpression, parse  # noqa: PLC0415
    from dplint.program.printing import printed  # noqa: PLC0415
    from dplint.program.walk import mentions  # noqa: PLC0415

    try:
        tree = parse(event, frozenset(["output"]))
    except NotAnExpression:
        return None
    return printed(tree, _text) if mentions(tree, "output") else None


def _text(value: str) -> str:
    """In double quotes, unless that would take more escapes."""
    single = repr(value)
    if single[0] == '"' or value.count('"') > value.count("'"):
        return single
    return '"' + single[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'


def _repeated(value: Literal) -> str:
    """A list with its repetitions as products: `[2.0] + [1.0] * 9`."""
    if not isinstance(value, list):
        return literal_code(value)
    parts: list[str] = []
    single: list[str] = []
    for text, group in groupby(map(literal_code, value)):
        times = len(list(group))
        if times < _REPEATED:
            single += [text] * times
            continue
        if single:
            parts.append(f"[{', '.join(single)}]")
            single = []
        parts.append(f"[{text}] * {times}")
    if single:
        parts.append(f"[{', '.join(single)}]")
    return " + ".join(parts)


def _laid_out(head: str, value: Literal, indent: str, comma: str) -> list[str]:
    """A value that is too long for its line, one item a line."""
    line = f"{indent}{head}{literal_code(value)}{comma}"
    if len(line) <= WIDTH or not isinstance(value, list | tuple | dict) or not value:
        return [line]
    opening, closing = {list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}")}[type(value)]
    inner = indent + _INDENT
    items = (
        [(f"{literal_code(key)}: ", item) for key, item in value.items()]
        if isinstance(value, dict)
        else [("", item) for item in value]
    )
    lines = [line for start, item in items for line in _laid_out(start, item, inner, ",")]
    return [f"{indent}{head}{opening}", *lines, f"{indent}{closing}{comma}"]


def _split(expression: str, width: int) -> list[str]:
    """The expression in parts that begin with an operator, at the loosest operators first, as far as needed."""
    parts = [expression]
    for operators in _SPLITTING:
        parts = [part for long in parts for part in ([long] if len(long) <= width else _split_at(long, operators))]
    return parts


def _split_at(text: str, operators: Sequence[str]) -> list[str]:
    """The text, divided in front of these operators where they stand outside all brackets and between two operands."""
    depth, cuts, after_operand = 0, [0], False
    for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
        word = token.string
        if word in operators and depth == 1 and after_operand:
            cuts.append(token.start[1] - 1)
        if token.type == tokenize.OP:
            depth += (word in "([{") - (word in ")]}")
        is_operand = token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING) and word not in _WORDS
        after_operand = is_operand or word in (")", "]", "}")
    cuts.append(len(text))
    return [text[start:stop].strip() for start, stop in pairwise(cuts)]
