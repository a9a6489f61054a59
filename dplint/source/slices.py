"""A module cut into the statements of its top level: what belongs together, and what may be left out.

Reading a module with LibCST takes a fifth of a millisecond a line. Whoever reads it again after every key, or wants to
know whether what a mechanism is made of has changed, looks at slices instead: `ast` finds them some forty times faster.
"""

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dplint.source.statements import CLAIM, tell
from dplint.source.text import split_lines
from dplint.syntax import parse_text

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_DYNAMIC = frozenset({"globals", "locals", "vars", "eval", "exec", "getattr", "__import__", "importlib", "modules"})
"""Whoever uses these may reach a function without writing its name."""


@dataclass(frozen=True, slots=True)
class Slice:
    """One statement of the top level, or several on one line.

    first, last: its lines, counted from 1, with decorators and the comments right above it.
    function: the name of a function that may be left out where nobody mentions it; None for all that runs on import,
    imports, or says what names mean. names: what it mentions. body: the same without decorators and comments.
    renames: names that imports and assignments in it give to something, with the words for that. binds: the names that
    it gives a value, if that is all it does; None if it may do more.
    inert: it does not run on import.
    """

    first: int
    last: int
    text: str
    function: str | None
    names: frozenset[str]
    body: frozenset[str]
    renames: tuple[tuple[str, frozenset[str]], ...] = ()
    binds: frozenset[str] | None = None
    inert: bool = False


@dataclass(frozen=True)
class Slices:
    """The slices of a text, in their order."""

    lines: tuple[str, ...]
    """With their ends."""
    parts: tuple[Slice, ...]

    def at(self, line: int) -> int | None:
        """The number of the slice that the line is part of, None between slices."""
        return next((number for number, part in enumerate(self.parts) if part.first <= line <= part.last), None)

    @cached_property
    def loose(self) -> tuple[tuple[int, str], ...]:
        """The lines that are part of no slice and not blank: comments, with their numbers."""
        inside = {line for part in self.parts for line in range(part.first, part.last + 1)}
        return tuple((n, line) for n, line in enumerate(self.lines, 1) if n not in inside and not line.isspace())

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        named: dict[str, list[int]] = {}
        for number, part in enumerate(self.parts):
            if part.function is not None:
                named.setdefault(part.function, []).append(number)
        return named

    @cached_property
    def _standing(self) -> frozenset[int]:
        """What always belongs along: all that is no function to be left out, and what it mentions.

        So do functions that make claims about others.
        """
        return self._with_mentioned(number for number, part in enumerate(self.parts) if self._stands(part))

    def _stands(self, part: Slice) -> bool:
        return part.function is None or not self._claims.isdisjoint(part.body)

    def _with_mentioned(self, numbers: Iterable[int]) -> frozenset[int]:
        found = frozenset(numbers)
        return found | self._mentioned(number for number in found if not self.parts[number].inert)

    @cached_property
    def _asides(self) -> dict[int, frozenset[str]]:
        """What always belongs along, and yet matters only to those who bear or mention one of the names given here.

        These are the names that it gives a value and, where it may make a claim, the functions that it mentions.
        """
        found = {}
        for number, part in enumerate(self.parts):
            if self._claims.isdisjoint(part.names):
                if part.binds is not None:
                    found[number] = part.binds
            elif self._stands(part) and (part.function is not None or part.binds is not None):
                # Half of a decorator, as it is typed, for one.
                meant = self._meant(part.names - self._claims)
                if meant is not None:
                    found[number] = _borne(part) | (part.binds or frozenset()) | meant
        return found

    def _meant(self, names: frozenset[str]) -> frozenset[str] | None:
        """Of these names, those that the text gives something, and what that may be; None if nobody can tell."""
        means: dict[str, frozenset[str]] = {}
        unclear = _DYNAMIC
        for part in self.parts:
            for name in part.binds or ():
                means[name] = means.get(name, frozenset()) | part.names
            if part.function is None and part.binds is None:
                unclear |= part.names
        while more := frozenset[str]().union(*(means.get(name, frozenset()) for name in names)) - names:
            names |= more
        return names & (self._named.keys() | means.keys()) if names.isdisjoint(unclear) else None

    @cached_property
    def _firm(self) -> frozenset[int]:
        """All that always belongs along, apart from asides."""
        asides = self._asides
        return self._with_mentioned(n for n, part in enumerate(self.parts) if n not in asides and self._stands(part))

    def concerning(self, number: int) -> frozenset[int]:
        """The slices without which a slice would be read otherwise; places and suggestions set aside."""
        found = self._firm | self._with_mentioned([number])
        while not (names := self._borne_or_mentioned(found)) & _DYNAMIC:
            more = [n for n, given in self._asides.items() if n not in found and not given.isdisjoint(names)]
            if not more:
                return found
            found |= self._with_mentioned(more)
        return found | self._standing

    def _borne_or_mentioned(self, numbers: Iterable[int]) -> frozenset[str]:
        parts = [self.parts[number] for number in numbers]
        return frozenset[str]().union(*(part.names | _borne(part) for part in parts))

    def digest(self, numbers: Iterable[int]) -> str:
        """Of every character of these slices."""
        return hashlib.sha256(b"".join(_exact(self.parts[number].text) for number in sorted(numbers))).hexdigest()

    def _mentioned(self, numbers: Iterator[int]) -> frozenset[int]:
        todo, reached = list(numbers), set[int]()
        while todo:
            part = self.parts[todo.pop()]
            # Of two definitions of a name, the last one counts, so each is part of the other.
            names = part.names if part.function is None else part.names | {part.function}
            for name in self._named if names & _DYNAMIC else names & self._named.keys():
                new = [number for number in self._named[name] if number not in reached]
                reached.update(new)
                todo += new
        return frozenset(reached)

    def reach(self, numbers: Collection[int]) -> frozenset[int]:
        """These slices, what they mention, what that mentions, and so on; and all that always belongs along."""
        return self._standing | frozenset(numbers) | self._mentioned(iter(numbers))

    @cached_property
    def _claims(self) -> frozenset[str]:
        """The names that may mean `dp`, or the package that has it."""
        words, renames = {"dp", "stable", "dplint"}, [one for part in self.parts for one in part.renames]
        while more := {name for name, origin in renames if not words.isdisjoint(origin)} - words:
            words |= more
        return frozenset(words)

    @cached_property
    def speaking(self) -> frozenset[int]:
        """The slices that may make a claim, or be claimed by one of these; tables of pyproject.toml set aside."""
        return self._standing | {n for n, part in enumerate(self.parts) if not self._claims.isdisjoint(part.names)}

    def only(self, numbers: Collection[int], *, stubs: bool = False) -> str:
        """The text with all others blank, on the same lines. stubs: with their names, each as a function.

        The lines of what is left out are those of one string: parsers are much faster with that than with lines.
        """
        lines = list(self.lines)
        gaps: list[tuple[int, int, str]] = []
        for number, part in enumerate(self.parts):
            if part.function is None or number in numbers:
                continue
            if gaps and not stubs and all(map(str.isspace, lines[gaps[-1][1] : part.first - 1])):
                gaps[-1] = (gaps[-1][0], part.last, "")
            else:
                gaps.append((part.first, part.last, f"def {part.function}(): " if stubs else ""))
        for gap in gaps:
            _leave_out(lines, *gap)
        return "".join(lines)

    def fingerprint(self, number: int | None, *, exact: bool = False) -> str:
        """A digest of all that a slice is made of, wherever it stands; None for what always belongs along.

        Functions that it cannot reach do not change it, nor do comments (but for claims) and the layout of the text.
        What is reached in other ways than by name, through another module for one, is not seen.
        exact: of every character, and of what does not run on import.
        """
        standing = self._exact if exact else self._active
        if number is None:
            return standing.hex()
        digest = _exact if exact else _meaning
        parts = [digest(self.parts[number].text), standing]
        parts += (digest(self.parts[one].text) for one in self._besides(number))
        return hashlib.sha256(b"".join(parts)).hexdigest()

    def _besides(self, number: int) -> list[int]:
        """What a slice reaches beside what always belongs along."""
        return sorted(self._mentioned(iter([number])) - self._standing - {number})

    def places(self, number: int) -> tuple[int, ...]:
        """The lines of all nodes of which the fingerprint of a slice is made: as many, in the same order, for the same.

        Empty where a slice does not parse by itself.
        """
        standing = [one for one in sorted(self._standing) if not self.parts[one].inert]
        places: list[int] = []
        for one in (number, *standing, *self._besides(number)):
            part = self.parts[one]
            lines = _lines_in(part.text)
            if lines is None:
                return ()
            places += (part.first + line for line in lines)
        return tuple(places)

    @cached_property
    def _exact(self) -> bytes:
        return hashlib.sha256(b"".join(_exact(self.parts[one].text) for one in sorted(self._standing))).digest()

    @cached_property
    def _active(self) -> bytes:
        parts = [self.parts[number] for number in sorted(self._standing)]
        return hashlib.sha256(b"".join(_meaning(part.text) for part in parts if not part.inert)).digest()


@lru_cache(maxsize=4096)
def _lines_in(text: str) -> tuple[int, ...] | None:
    """Where nodes of a slice begin and end, counted from its first line; None if it does not parse by itself."""
    try:
        nodes = [node for node in ast.walk(parse(text)) if isinstance(node, ast.stmt | ast.expr | ast.arg)]
    except SyntaxError:
        return None
    return tuple(line - 1 for node in nodes for line in (node.lineno, node.end_lineno or node.lineno))


def _borne(part: Slice) -> frozenset[str]:
    return frozenset() if part.function is None else frozenset({part.function})


def _exact(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


@lru_cache(maxsize=4096)
def _meaning(text: str) -> bytes:
    """A digest of the statements of a slice, and of the claims in its comments."""
    try:
        told = ast.dump(parse(text)) + "\0".join(CLAIM.findall(text))
    except SyntaxError:  # a slice that means something else without the lines around it
        told = text
    return _exact(told)


def parse(text: str) -> ast.Module:
    """The tree of a text, without warnings.

    Raises:
        SyntaxError: the text is not Python. Other text that `ast` cannot take (null bytes, too deep) raises it too.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_text(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from None


def slice_module(text: str) -> Slices:
    """Cut a module into slices.

    Raises:
        SyntaxError: as `parse`.
    """
    tree = parse(text)
    lines = _LINE.findall(text)
    groups: list[tuple[int, int, list[ast.stmt]]] = []
    for statement in tree.body:
        starts = [item.lineno for item in getattr(statement, "decorator_list", ())]
        first, last = min([statement.lineno, *starts]), statement.end_lineno or statement.lineno
        if groups and groups[-1][1] >= first:
            before = groups.pop()
            groups.append((before[0], max(before[1], last), [*before[2], statement]))
        else:
            groups.append((_with_comments(lines, first, groups[-1][1] if groups else 0), last, [statement]))
    return Slices(tuple(lines), tuple(_slice(lines, *group) for group in groups))


def _with_comments(lines: list[str], first: int, before: int) -> int:
    while first - 1 > before and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return first


def _slice(lines: list[str], first: int, last: int, statements: list[ast.stmt]) -> Slice:
    text = "\n".join(line.rstrip("\r\n") for line in lines[first - 1 : last])
    told = tell(text, statements)
    return Slice(first, last, text, told.function, told.names, told.body, told.renames, told.binds, told.inert)


def _leave_out(lines: list[str], first: int, last: int, head: str) -> None:
    """Put a statement without a meaning in place of these lines, behind the head."""
    for index in range(first - 1, last):
        lines[index] = _blank(lines, index)
    if first == last:
        lines[first - 1] = f"{head}pass{lines[first - 1]}"
    else:
        lines[first - 1] = f'{head}"""{lines[first - 1]}'
        lines[last - 1] = f'"""{lines[last - 1]}'


def _blank(lines: Sequence[str], index: int) -> str:
    r"""A line with nothing in it. Right after a lone \r, a \n would be the second half of one end of a line."""
    line = lines[index]
    ending = line[len(line.rstrip("\r\n")) :]
    return f" {ending}" if ending == "\n" and index and lines[index - 1].endswith("\r") else ending


@dataclass(frozen=True, slots=True)
class Broken:
    """Lines that do not parse and were left out. line, message: where and why, None where it is not known."""

    first: int
    last: int
    line: int | None
    message: str


_MOST_BROKEN = 8


def slice_what_parses(text: str) -> tuple[Slices, tuple[Broken, ...]]:
    """The slices of a text that is being typed: the parts of its top level that do not parse are left out.

    Raises:
        SyntaxError: so much does not parse that nothing can be said.
    """
    lines = _LINE.findall(text)
    broken: list[Broken] = []
    while True:
        try:
            return slice_module("".join(lines)), tuple(broken)
        except SyntaxError as error:
            found = _part_around(split_lines("".join(lines)), error.lineno or 0)
            if len(broken) == _MOST_BROKEN or found is None:
                raise
            first, last = found
            broken.append(Broken(first, last, error.lineno, error.msg))
            for index in range(first - 1, min(last, len(lines))):
                lines[index] = _blank(lines, index)


def _part_around(lines: tuple[str, ...], line: int) -> tuple[int, int] | None:
    """The lines from the last beginning of a statement at or before the line to the next beginning after it."""
    if not 1 <= line <= len(lines):
        return None
    first = line
    while first > 1 and not _begins(lines[first - 1]):
        first -= 1
    while first > 1 and lines[first - 2].startswith("@"):
        first -= 1
    last = line
    while last < len(lines) and not (_begins(lines[last]) and not lines[last - 1].startswith("@")):
        last += 1
    return (first, last) if any(text.strip() for text in lines[first - 1 : last]) else None


def _begins(line: str) -> bool:
    return bool(line) and not line[0].isspace() and line[0] not in "#)]}"
