"""A parsed module: the LibCST tree, positions, and what the names of its top level mean.

What the star imports of a module bind, as far as they are of modules of its project.

The modules of a project that are imported with one of its modules, read by their top levels.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import libcst as cst

from dplint.claims import Literal, Span
from dplint.source.bindings import find_names
from dplint.source.files import ImportPlace, followed
from dplint.source.identifiers import Positions, may_be_long, name_as_compiled, parse_folded
from dplint.source.static_values import Names
from dplint.source.text import split_lines, without_tabs
from dplint.source.top_level import StarNames, TopLevel, text_of, top_level, top_level_of
from dplint.syntax import parse_text

_MARK = re.compile(r"\bimport[ \t]*\*")
_DEEPEST_STAR = 4
"""Star imports of star imports."""
_STANDARD = frozenset({"collections", "itertools", "math", "random", "typing"})
_HARMLESS = frozenset({"dplint", "numpy.random"})
"""Libraries whose names are known, and those that bind nothing that modules of a project call so."""


@dataclass(frozen=True, slots=True)
class Stars:
    """names: each name that stars bind, with the full name of what it stands for; of several stars the last has a say.

    sources: the module of the star, by name. through: all modules that stars lead to. unknown: one whose star may bind
    any name, None if all names are known.
    """

    names: StarNames = ()
    sources: tuple[tuple[str, str], ...] = ()
    through: tuple[str, ...] = ()
    unknown: str | None = None

    @property
    def certain(self) -> StarNames | None:
        """The names, if there are no others."""
        return self.names if self.unknown is None else None


def stars_in(
    text: str, package: str, source: Callable[[str], tuple[Path, Path, bytes] | None], depth: int = 0
) -> Stars:
    """The names that star imports in a text bind; none where what comes after may bind them to something else.

    package: that relative imports of the module start from. source: finds modules, as `ProjectIndex.source` does.
    Nothing is raised: what cannot be read is unknown.
    """
    if _MARK.search(text) is None:
        return Stars()
    names: dict[str, str] = {}
    sources: dict[str, str] = {}
    through: list[str] = []
    unknown: str | None = None
    for star in top_level(text, package).stars:
        through.append(star)
        found = source(star) if depth < _DEEPEST_STAR else None
        inner = None if found is None else text_of(found[2])
        if star in _STANDARD and found is None:
            for name in dir(importlib.import_module(star)):
                names.pop(name, None)
        elif found is None or inner is None:
            if star not in _HARMLESS:
                names, unknown = {}, unknown or star
        else:
            within = star if found[1].name == "__init__.py" else star.rpartition(".")[0]
            below = stars_in(inner, within, source, depth + 1)
            through += below.through
            top = top_level(inner, within, below.certain)
            if top.public is None or top.anything or below.unknown is not None:
                unknown = unknown or star
            listed = top.public or frozenset()
            given = {name: (top.imports or {}).get(name, f"{star}.{name}") for name in top.bound & listed}
            names |= {name: full for name, full in below.names if name in listed and name not in top.bound} | given
            sources |= dict.fromkeys(names.keys() - sources.keys(), star)
    return Stars(tuple(names.items()), tuple(sources.items()), tuple(through), unknown)


_NO_STARS = Stars()
_DEEPEST = 100
"""Brackets in brackets. LibCST's native parser ends the process on far deeper nesting."""
_LONGEST = 1000
"""Operators, calls and attributes in one expression: nested as deeply, and slow to parse from some thousands on."""
# Texts are matched by runs of characters: the engine keeps a hundred bytes for each turn of a repeated group.
_TOKEN = re.compile(
    r"""(?P<skip>\#[^\r\n]*|\\\r?\n"""
    r"""|'{3}[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*'{3}|"{3}[^\\"]*(?:(?:\\.|"(?!""))[^\\"]*)*"{3}"""
    r"""|'[^\\'\r\n]*(?:\\.[^\\'\r\n]*)*'|"[^\\"\r\n]*(?:\\.[^\\"\r\n]*)*")"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<next>[,;=])|(?P<end>[\r\n])"""
    r"""|(?P<link>[-+*/%@&|^~<>.]|\b(?:and|or|not|if|lambda|await)\b)""",
    re.DOTALL,
)
_ELIFS = re.compile(r"^[ \t\f]*elif\b", re.MULTILINE)
_MOST_ELIFS = 2000
_NOISE = re.compile(r"^(?:parser|tokenizer) error: (?:error at \d+:\d+: )?")


class ParseError(Exception):
    """Text that does not parse, with the line where that shows."""

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class ParsedModule:
    """What later steps need of a module that has claims.

    positions: of every node, as LibCST counts them; `span` gives ours. lines: the text without line ends.
    shifts: characters at the beginning of a line that LibCST drops; only form feeds can make it do so.
    names: what names mean to claims. aliases: what the top level imports (`np` -> `numpy`, `ln` -> `math.log`), with
    `AMBIGUOUS` in place of a guess. A constant that is a list or a dict is as the source wrote it; that it is never
    changed in place is not promised.
    functions: those of the module's top level whose name is bound once. calls: what other such names are given, where
    that is a call. stars: what its star imports bind.
    """

    tree: cst.Module
    positions: Positions
    lines: tuple[str, ...]
    place: ImportPlace
    names: Names
    aliases: Mapping[str, str]
    functions: Mapping[str, cst.FunctionDef]
    calls: Mapping[str, cst.Call]
    shifts: Mapping[int, int]
    stars: Stars

    @property
    def constants(self) -> Mapping[str, Literal]:
        """Names that are assigned exactly once, at the module's top level, to a value that can be read."""
        return self.names.constants

    @property
    def prefix(self) -> str:
        """What the names of its functions begin with in programs of its mechanisms."""
        return ""

    def span(self, node: cst.CSTNode) -> Span:
        """The range of a node, without the whitespace and comments around it."""
        top, left, end, right = self.positions[node]
        first, last = self.shifts.get(top, 0), self.shifts.get(end, 0)
        return Span(top, left + 1 + first, end, right + 1 + last)


def parse_module(text: str, place: ImportPlace, stars: Stars = _NO_STARS) -> ParsedModule:
    """Parse the text of a module. stars: what its star imports bind.

    Raises:
        ParseError: the text is not Python, or nested so deeply that it cannot be read.
    """
    _refuse_deep_nesting(text)
    try:
        tree = _parsed(text)
    except cst.ParserSyntaxError as error:
        raise _syntax_error(text, error) from None
    except UnicodeError:
        raise ParseError(None, "does not parse: it holds characters that are no text (lone surrogates)") from None
    except MemoryError:
        raise ParseError(None, "takes more memory to read than there is for it") from None
    except Exception as error:
        raise ParseError(None, f"does not parse: {error}") from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of LibCST's native parser; it derives from BaseException
            raise
        raise ParseError(None, f"does not parse: {error}") from None
    lines = split_lines(text)
    shifts = _dropped(lines, split_lines(tree.code)) if "\f" in text else {}
    name_as_compiled(tree, text)
    try:
        found = find_names(tree, place, stars.names)
    except RecursionError:
        raise ParseError(None, "has expressions or blocks that are nested too deeply to be read") from None
    positions = Positions(tree, text)
    names = found.names, found.aliases, found.functions, found.calls
    return ParsedModule(tree, positions, lines, place, *names, shifts, stars)


def _parsed(text: str) -> cst.Module:
    """The tree; of a text that only CPython accepts, because it indents by tabs here and by spaces there, too."""
    folded = parse_folded(text) if may_be_long(text) else None
    if folded is not None:
        return folded
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError:
        levelled = without_tabs(text)
        if levelled is None:
            raise
        return cst.parse_module(levelled)


def _dropped(lines: tuple[str, ...], kept: tuple[str, ...]) -> dict[int, int]:
    pairs = enumerate(zip(lines, kept, strict=False), start=1)
    return {number: len(line) - len(rest) for number, (line, rest) in pairs if len(line) > len(rest)}


def _refuse_deep_nesting(text: str) -> None:
    links = [0]  # of the expression at each depth of brackets
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "open":
                links.append(0)
            case "next":
                links[-1] = 0
            case "end" if len(links) == 1:
                links[-1] = 0
            case "close" | "link":
                if token.lastgroup == "close" and len(links) > 1:
                    links.pop()
                links[-1] += 1
            case _:
                continue
        if len(links) > _DEEPEST + 1:
            raise ParseError(_line(text, token.start()), f"has more than {_DEEPEST} brackets inside one another")
        if links[-1] > _LONGEST:
            raise ParseError(
                _line(text, token.start()), f"has an expression of more than {_LONGEST} operators or calls"
            )
    if len(_ELIFS.findall(text)) > _MOST_ELIFS:
        raise ParseError(None, f"has more than {_MOST_ELIFS} branches elif")


def _line(text: str, offset: int) -> int:
    return len(split_lines(text[:offset]))


def _syntax_error(text: str, error: cst.ParserSyntaxError) -> ParseError:
    """Python's own message where it refuses the text too: its place is the better one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse_text(text)
    except SyntaxError as found:
        return ParseError(found.lineno or error.raw_line, f"does not parse: {found.msg}")
    except (ValueError, RecursionError, MemoryError):
        pass
    return ParseError(error.raw_line, f"does not parse: {_NOISE.sub('', error.message)}")


ImportedAlong: TypeAlias = "dict[tuple[str, ...], tuple[tuple[TopLevel, ...], Mapping[str, str]]]"
"""What `imported_along` gives for a module, by the further ones: it is the same for all mechanisms of the module."""


def imported_along(
    home: ParsedModule, roots: Iterable[Path], others: Collection[str]
) -> tuple[tuple[TopLevel, ...], Mapping[str, str]]:
    """The top levels of the home module, which is the first, and of all that are imported with it or with the others.

    And the files of these, with their digests.
    """
    place, files = home.place, dict[str, str]()
    found = [top_level("\n".join(home.lines), place.package)]
    imported: dict[Path, tuple[str, ...]] = {}

    def imports(file: Path, name: str) -> tuple[str, ...]:
        if file not in imported:
            package = name if file.name == "__init__.py" else name.rpartition(".")[0]
            files[str(file)], top = top_level_of(file, package)
            found.append(top)
            imported[file] = top.imported
        return imported[file]

    for _ in followed([place.module.rpartition(".")[0], *found[0].imported, *others], roots, imports):
        pass
    return tuple(found), files
