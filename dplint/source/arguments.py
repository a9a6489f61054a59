"""The arguments of a claim with their places, from a call `dp(...)` in the source or from a table in pyproject.toml.

What is wrong with a claim, and the parts of one that it is said of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dplint.claims import OBSERVABLE, Literal, Span
from dplint.config import ClaimTable, hint, nearest
from dplint.outcomes import Edit, Fix
from dplint.source.static_values import Names, NotStaticError, dotted_name, read_value
from dplint.source.text import Segment


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a claim: its code DP0xx, its place, what to write instead, and how an editor can do that."""

    code: str
    span: Span
    message: str
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """The value of one argument of a claim, and where it stands. entries: the values of a dict, by key.

    quoted: what stands between the quotes of a string that is written out, letter by letter as its value is. key: the
    same of the key that an entry of a dict has.
    """

    value: Literal
    span: Span
    quoted: Segment | None = None
    key: Segment | None = None
    entries: Mapping[str, Item] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problems:
    """Collects problems while a claim is read, so that one check reports all of them."""

    found: list[Problem] = field(default_factory=list)

    def add(self, code: str, span: Span, message: str, fix: Fix | None = None) -> None:
        """Note a problem."""
        self.found.append(Problem(code, span, message, fix))


def respelling(wrong: str, right: str | None, *places: Span) -> Fix | None:
    """The fix that puts the word that was meant in place of the wrong one; None if no word or no place is known.

    It is not safe: the nearest word is a guess.
    """
    if right is None or not places:
        return None
    return Fix(f'Replace "{wrong}" by "{right}"', tuple(Edit(place, right) for place in places), safe=False)


ARGUMENTS = (
    *("epsilon", "delta", "neighbors", "sensitivity", "data", "domain", "size", "args", "rng", "make", "observe"),
    "numerics",
    *("user", "labels"),
    *("rho", "mu", "renyi", "curve"),
    *("sample_rate", "steps"),
)
STABLE_ARGUMENTS = ("d_out", "d_in", "metric", "neighbors", "data", "domain", "size", "args", "make", "user", "labels")
KINDS: Mapping[str, tuple[str, ...]] = {"dp": ARGUMENTS, "stable": STABLE_ARGUMENTS}
"""What claims of each kind may say, by the name of their decorator."""

_INSTEAD: Mapping[str, str] = {
    "epsilon": 'a number, or a string with an expression over the parameters, such as "epsilon"',
    "delta": 'a number, or a string with an expression over the parameters, such as "delta"',
    "neighbors": 'the name of a relation, a function of the module, or "module:function"',
    "sensitivity": "a number",
    "data": "the parameter's name as a string, or a tuple of several",
    "domain": "(low, high), a list of categories, or a dict of those by column",
    "size": "an integer or a tuple of integers",
    "args": "a dict of values, lists of candidates or intervals (low, high)",
    "rng": "the parameter's name as a string",
    "make": 'a function or class of the module, or "module:function"',
    "observe": f"a list of {', '.join(OBSERVABLE)}, self.ATTRIBUTE",
    "numerics": '"real" or "machine"',
    "user": "the name of a column as a string",
    "labels": "the parameter's name as a string",
    "rho": 'a number, or a string with an expression over the parameters, such as "rho"',
    "mu": 'a number, or a string with an expression over the parameters, such as "mu"',
    "curve": 'a function of the module, or "module:function"',
    "renyi": "a pair (alpha, bound), a list of those, or a string with an expression in alpha",
    "sample_rate": "a number, the probability with which a step sees a record",
    "steps": "a whole number",
    "d_out": 'a number, or a string with an expression over the parameters, such as "high - low"',
    "d_in": "a number",
    "metric": "the name of a metric as a string",
}


_FUNCTIONS = frozenset({"neighbors", "make", "curve"})
"""Arguments that may be a function."""
_STRINGS = frozenset({"epsilon", "delta", "data", "rng", "labels", "d_out", "rho", "mu"})
"""Arguments that may be the name of a parameter, in quotes."""
_QUOTED = re.compile(r"""([rRuU]?(?P<quotes>'{3}|"{3}|'|"))(?P<text>.*)(?P=quotes)""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a claim that could be read. given: also those that were only meant. kind: of KINDS."""

    items: Mapping[str, Item]
    given: frozenset[str]
    kind: str = "dp"


def call_arguments(
    call: ast.Call, segment: Segment, names: Names, parameters: Collection[str], problems: Problems, kind: str = "dp"
) -> Arguments:
    """The arguments of `dp(...)`, or of another kind, that can be read; for the others a problem is noted.

    call: from parsing `segment` by itself. parameters: those of the function, for the hint to put one in quotes.
    """
    items: dict[str, Item] = {}
    known = KINDS[kind]
    given = {known[0]} if call.args else set()
    for positional in call.args:
        message = (
            f"{kind} takes no positional arguments: {ast.unparse(positional)}. Name it, as in {kind}({known[0]}=1.0)."
        )
        problems.add("DP017", _span(positional, segment), message)
    for keyword in call.keywords:
        name, node = keyword.arg, keyword.value
        given |= _meant(name, known)
        if name is None:
            message = f"**{ast.unparse(node)} cannot be read without running the code. Write the arguments out."
            problems.add("DP009", _span(keyword, segment), message)
        elif name not in known:
            fix = _respelt(name, keyword, segment, call, known)
            problems.add("DP001", _span(keyword, segment), _unknown(name, kind), fix)
        elif name in items:
            problems.add("DP001", _span(keyword, segment), f"{name} is given twice. Keep one of them.")
        else:
            try:
                read = _neighbors if name in _FUNCTIONS else _domain if name == "domain" else _item
                items[name] = read(node, segment, names)
            except NotStaticError as error:
                message = (
                    f"{name} cannot be read without running the code: {error.reason}. {_cure(node, name, parameters)}"
                )
                problems.add("DP009", _span(node, segment), message, _in_quotes(node, name, segment, parameters))
            except (RecursionError, MemoryError):
                problems.add("DP009", _span(node, segment), f"{name} is nested too deeply to be read.")
    return Arguments(items, frozenset(given), kind)


def table_arguments(table: ClaimTable, problems: Problems) -> Arguments:
    """The arguments that a table of pyproject.toml gives; `{low = .., high = ..}` stands for an interval."""
    items: dict[str, Item] = {}
    kind = "stable" if "d_out" in table.values else "dp"
    for name, raw in table.values.items():
        span = table.spans.get(name, table.span)
        if name not in KINDS[kind]:
            problems.add("DP001", span, _unknown(name, kind))
            continue
        try:
            items[name] = _table_item(raw, span)
        except NotStaticError as error:
            problems.add("DP009", span, f"{name} = {error.reason} is no value of a claim. Write {_INSTEAD[name]}.")
    return Arguments(items, frozenset().union(*(_meant(name, KINDS[kind]) for name in table.values)), kind)


def _meant(name: str | None, known: Sequence[str]) -> frozenset[str]:
    """The argument that a keyword stands for, misspelt or not; `**` may stand for all of them."""
    if name is None:
        return frozenset(known)
    near = nearest(name, known)
    return frozenset() if near is None else frozenset({near})


def _unknown(name: str, kind: str) -> str:
    return f"{kind} has no argument {name!r}. {hint(name, KINDS[kind], noun='its arguments')}"


def _respelt(name: str, keyword: ast.keyword, segment: Segment, call: ast.Call, known: Sequence[str]) -> Fix | None:
    """The fix of a misspelt argument, unless the right one is there as well."""
    near = nearest(name, known)
    written = ast.get_source_segment(segment.text, keyword) or ""
    if near in {other.arg for other in call.keywords} or not written.startswith(name):  # Python folds letters
        return None
    end = keyword.col_offset + len(name.encode())
    return respelling(name, near, segment.span(keyword.lineno, keyword.col_offset, keyword.lineno, end))


def _span(node: ast.expr | ast.keyword, segment: Segment) -> Span:
    end_line = node.end_lineno if node.end_lineno is not None else node.lineno
    end_byte = node.end_col_offset if node.end_col_offset is not None else node.col_offset
    return segment.span(node.lineno, node.col_offset, end_line, end_byte)


def _cure(node: ast.expr, name: str, parameters: Collection[str]) -> str:
    if isinstance(node, ast.Name) and node.id in parameters:
        return f'It is a parameter: put it in quotes, {name}="{node.id}".'
    return f"Write {_INSTEAD[name]}."


def _in_quotes(node: ast.expr, name: str, segment: Segment, parameters: Collection[str]) -> Fix | None:
    if not isinstance(node, ast.Name) or node.id not in parameters or name not in _STRINGS:
        return None
    return Fix(f"Put {node.id} in quotes", (Edit(_span(node, segment), f'"{node.id}"'),), safe=False)


def _quoted(node: ast.expr | None, segment: Segment) -> Segment | None:
    """What stands between the quotes, if that is, letter by letter, the value of a string."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    written = _QUOTED.fullmatch(ast.get_source_segment(segment.text, node) or "")
    if written is None or written["text"] != node.value:  # escapes, or strings side by side
        return None
    span = _span(node, segment)
    return Segment(node.value, span.line, span.column + written.start("text"))


def _item(node: ast.expr, segment: Segment, names: Names) -> Item:
    value = read_value(node, names)
    entries: dict[str, Item] = {}
    if isinstance(node, ast.Dict):
        for key, entry in zip(node.keys, node.values, strict=True):
            read = read_value(key, names) if key is not None else None
            if isinstance(read, str):
                entries[read] = replace(_item(entry, segment, names), key=_quoted(key, segment))
    elif isinstance(value, dict):
        entries = {key: Item(entry, _span(node, segment)) for key, entry in value.items()}
    return Item(value, _span(node, segment), _quoted(node, segment), entries=entries)


def _domain(node: ast.expr, segment: Segment, names: Names) -> Item:
    """A value, or the name of a table of the module as ":name"."""
    if isinstance(node, ast.Name) and node.id in names.frames:
        return Item(f":{node.id}", _span(node, segment))
    return _item(node, segment, names)


def _neighbors(node: ast.expr, segment: Segment, names: Names) -> Item:
    """A relation's name, or a function as "module:function", ":function" if it is the module's own."""
    span = _span(node, segment)
    dotted = dotted_name(node)
    if dotted is None or dotted in names.constants:
        return Item(read_value(node, names), span, _quoted(node, segment))
    first = dotted.partition(".")[0]
    if first in names.aliases:
        module, _, function = names.full_name(dotted).rpartition(".")
        if module:
            return Item(f"{module}:{function}", span)
        raise NotStaticError(f"{dotted}, which is a module")
    if first in names.bound:
        return Item(f":{dotted}", span)
    raise NotStaticError(f"{dotted}, which this module does not define")


def _table_item(raw: object, span: Span) -> Item:
    value = _table_value(raw)
    entries = {key: Item(entry, span) for key, entry in value.items()} if isinstance(value, dict) else {}
    return Item(value, span, entries=entries)


def _table_value(raw: object) -> Literal:
    match raw:
        case None | bool() | int() | float() | str():
            return raw
        case list():
            return [_table_value(entry) for entry in raw]
        case dict() if set(raw) == {"low", "high"} and all(isinstance(bound, int | float) for bound in raw.values()):
            return (raw["low"], raw["high"])
        case dict():
            return {str(key): _table_value(entry) for key, entry in raw.items()}
        case _:
            raise NotStaticError(str(raw))


def as_table(value: object) -> object:
    """A value as a table of pyproject.toml has it: an interval is a dict there."""
    match value:
        case (int() | float() as low, int() | float() as high) if isinstance(value, tuple):
            return {"low": low, "high": high}
        case dict():
            return {str(key): as_table(one) for key, one in value.items()}
        case list() | tuple():
            return [as_table(one) for one in value]
        case _:
            return value
