"""HTML from text that may be anybody's: whatever is not markup already is escaped, so that nothing can be forgotten."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable

from dplint.report.literals import printable

_EMPTY = frozenset({"circle", "input", "line", "meta", "polyline", "rect"})


class Markup(str):
    """HTML that is ready. Only functions of this file make it."""

    __slots__ = ()


def tag(name: str, /, *children: str | None, **attributes: str | float | bool | None) -> Markup:
    """An element. Children are escaped unless they are markup, and None is left out.

    attributes: `class_` stands for class, `data_kind` for data-kind. True is an attribute without a value; False and
    None are left out.
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY and not children:
        return Markup(f"<{name}{given}>" if name in ("input", "meta") else f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{together(*children)}</{name}>")


def together(*children: str | None) -> Markup:
    """Children one after another, without an element around them."""
    return Markup("".join(text(child) for child in children if child is not None))


def text(anything: str) -> Markup:
    """Text escaped, control characters as Python writes them; markup as it is."""
    return anything if isinstance(anything, Markup) else Markup(html.escape(printable(anything)))


def table(head: Iterable[str], rows: Iterable[Iterable[str]], **attributes: str) -> Markup:
    """A table with a line of titles."""
    titles = tag("tr", *(tag("th", title, scope="col") for title in head))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    return tag("table", tag("thead", titles), tag("tbody", *body), **attributes)


def decimal(value: float) -> str:
    """A coordinate of a picture."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rounded_up(value: float) -> float:
    """The least of 1, 2, 4, 8 times a power of ten that is not below a positive number: its quarters are short."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in (1.0, 2.0, 4.0, 8.0) if value <= step * power), 10.0 * power)


def raw(trusted: str) -> Markup:
    """Text of dplint's own files, for the elements style and script, whose content HTML does not unescape."""
    return Markup(trusted)


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(printable(str(value)))}"'
