"""Python's own way of doing things, as functions of one lane's objects that leave their operands as they are."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from dplint.claims import Span
from dplint.program.meaning import keywords_of
from dplint.program.refusals import unsupported


def without_nan(function: Callable[..., Any], span: Span) -> Callable[..., Any]:
    """A comparison of containers, which refuses NaN: Python asks first whether two items are the same object."""

    def call(*given: Any) -> Any:
        if any(_holds_nan(item) for item in given):
            raise unsupported("a comparison of lists that hold NaN", span, "compare the numbers one by one")
        return function(*given)

    return call


def _holds_nan(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any((isinstance(item, float) and math.isnan(item)) or _holds_nan(item) for item in value)
    return False


def get_item(value: Any, index: Any) -> Any:
    """`value[index]`."""
    return value[index]


def set_item_of(value: Any, index: Any, item: Any) -> Any:
    """A copy after `value[index] = item`."""
    changed = copy.copy(value)
    changed[index] = item
    return changed


def updating(method: str) -> Callable[..., Any]:
    """A function that gives a copy after a method has changed it."""

    def update(value: Any, *arguments: Any) -> Any:
        changed = copy.copy(value)
        getattr(changed, method)(*arguments)
        return changed

    return update


def with_keywords(function: Callable[..., Any], positional: int, names: tuple[str, ...]) -> Callable[..., Any]:
    """The function as one of positional arguments only: the last of them are the keywords of these names."""
    if not names:
        return function

    def call(*given: Any) -> Any:
        return function(*given[:positional], **keywords_of(dict(zip(names, given[positional:], strict=True))))

    return call


@lru_cache(maxsize=64)
def unpacking(count: int) -> Callable[[Any], Any]:
    """A function that unpacks its argument into a tuple; Python itself says what is wrong if it cannot."""
    names = ", ".join(f"item{position}" for position in range(count))
    scope: dict[str, Any] = {}
    exec(f"def unpack(value):\n    ({names},) = value\n    return ({names},)", scope)
    function: Callable[[Any], Any] = scope["unpack"]
    return function
