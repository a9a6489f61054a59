"""The formats of a check's report, found by themselves: each is a module of this package, with `FORMAT` in it.

The names are those of the files, so that a list of them imports nothing, and nobody pays for a format but who uses it.
"""

from __future__ import annotations

import importlib
import pkgutil

from dplint.config.validate import nearest
from dplint.report.format import Format

DEFAULT = "rich"


class UnknownFormatError(ValueError):
    """There is no format of that name; the text says which there are."""


class FormatError(Exception):
    """A file among the formats that holds none, or one of another name."""


def format_names() -> tuple[str, ...]:
    """All names, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def require_format(name: str) -> None:
    """Nothing, if there is a format of that name; it is not imported.

    Raises:
        UnknownFormatError: there is none.
    """
    names = format_names()
    if name not in names:
        near = nearest(name, names)
        meant = "" if near is None else f" Did you mean {near!r}?"
        raise UnknownFormatError(f"{name!r} is not one of {', '.join(map(repr, names))}.{meant}")


def format_of(name: str) -> Format:
    """The format of that name, imported now.

    Raises:
        UnknownFormatError: there is none.
        FormatError: its file has no `FORMAT`, or one of another name.
    """
    require_format(name)
    module = f"{__name__}.{name}"
    found = getattr(importlib.import_module(module), "FORMAT", None)
    if not isinstance(found, Format) or found.name != name:
        raise FormatError(f'{module} has no format of its name: it must have FORMAT = Format("{name}", ...)')
    return found
