"""Reads one source file: its mechanisms, what is wrong with its claims, and why it could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dplint.claims import Mechanism
from dplint.config import ClaimTable
from dplint.contents import content
from dplint.outcomes import CheckError, Finding
from dplint.source.files import ImportPlace, import_place
from dplint.source.notebooks import text_of
from dplint.source.text import DecodeError

if TYPE_CHECKING:
    import libcst as cst

    from dplint.source.module import ImportedAlong, ParsedModule

MARK = "dplint"
"""A file without this text, and without a table in pyproject.toml, has no claims and is not parsed."""


@dataclass(frozen=True, slots=True)
class Found:
    """A mechanism and its function in the tree."""

    mechanism: Mechanism
    node: cst.FunctionDef | cst.Lambda


@dataclass(frozen=True, slots=True)
class SourceFile:
    """What is in a file. module: None if it was not parsed, because it has no claims or because of the errors.

    files: others that the claims and star imports name, with digests of what is in them. along: what its mechanisms
    share.
    """

    file: str
    path: Path
    text: str
    mechanisms: tuple[Found, ...] = ()
    findings: tuple[Finding, ...] = ()
    errors: tuple[CheckError, ...] = ()
    module: ParsedModule | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    along: ImportedAlong = field(default_factory=dict, compare=False)


def read_source(
    path: Path,
    *,
    file: str,
    text: str | None = None,
    table: Mapping[str, ClaimTable] | None = None,
    without_claims: bool = False,
    place: ImportPlace | None = None,
) -> SourceFile:
    """The mechanisms of a file, in their order, and what is wrong with its claims.

    file: the path as it is shown. text: what to read in place of the file's content, for instance an unsaved buffer.
    table: the claims in pyproject.toml (`Settings.mechanisms`); those for other modules are ignored.
    without_claims: parse a file also if nothing in it can be a claim. place: how the file is imported, where its path
    does not tell, as in an installed package.
    A file that cannot be read or parsed yields an error in `errors`; nothing is raised. That a module is importable
    is not promised.
    """
    path = path.absolute()
    place = place or import_place(path)
    tables = [entry for entry in (table or {}).values() if entry.module == place.module]
    if text is None:
        try:
            raw = content(path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            return _failed(file, path, "", None, f"cannot be read: {reason}")
        if MARK.encode() not in raw and not tables and not without_claims:
            return SourceFile(file, path, raw.decode("utf-8", "replace"))
        try:
            text = text_of(path, raw)
        except DecodeError as error:
            return _failed(file, path, "", error.line, error.message)
    text = text.removeprefix("\ufeff")
    if MARK not in text and not tables and not without_claims:
        return SourceFile(file, path, text)
    return _parse(path, file, text, tables, place)


def _parse(path: Path, file: str, text: str, tables: list[ClaimTable], place: ImportPlace) -> SourceFile:
    # LibCST takes a fifth of a second to import, which files without claims must not cost.
    from dplint.source.discover import discover  # noqa: PLC0415
    from dplint.source.module import ParseError, parse_module  # noqa: PLC0415
    from dplint.source.project import ProjectIndex  # noqa: PLC0415

    try:
        index = ProjectIndex(place)
        module = parse_module(text, place, index.stars(text, place.package))
        files = dict(index.files)
        mechanisms, findings = discover(module, file, path, tables, files)
    except ParseError as error:
        return _failed(file, path, text, error.line, error.message)
    except RecursionError:
        return _failed(file, path, text, None, "has expressions or blocks that are nested too deeply to be read")
    found = tuple(Found(mechanism, node) for mechanism, node in mechanisms)
    return SourceFile(file, path, text, found, tuple(findings), (), module, files)


def _failed(file: str, path: Path, text: str, line: int | None, message: str) -> SourceFile:
    return SourceFile(file, path, text, errors=(CheckError(file, line, message),))
