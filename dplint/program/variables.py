"""The variables of a program. Several may stand for one name of the source; a number in brackets tells them apart."""

from __future__ import annotations


def numbered(name: str, number: int) -> str:
    """Another variable of that name; no name in Python looks so."""
    return f"{name}[{number}]"


def in_source(variable: str) -> str:
    """What the source calls a variable."""
    return variable.partition("[")[0]
