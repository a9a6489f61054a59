"""Programs for people: the lowered lines beside their numbers, and the constructs that stand in the way."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from dplint.check.loading import Target
from dplint.check.programs import Programs, obstacles
from dplint.claims import Mechanism
from dplint.program.nodes import Draw, Program
from dplint.program.printing import TokenKind
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk
from dplint.report import numerals, words
from dplint.report.document import Document, Head, Say, Source
from dplint.report.fingerprints import SourceLine
from dplint.report.literals import printable
from dplint.report.program_lines import Line, function_lines, once_each, program_lines
from dplint.report.style import Glyphs, glyphs
from dplint.report.terminal import print_document, print_finding

_STYLES = {
    TokenKind.PLAIN: "",
    TokenKind.KEYWORD: "bold blue",
    TokenKind.CONSTANT: "green",
    TokenKind.FUNCTION: "cyan",
    TokenKind.DRAW: "bold magenta",
    TokenKind.OPAQUE: "bold yellow",
}
_FAMILIES = {
    "generator": "a numpy.random.Generator",
    "legacy": "a numpy.random.RandomState",
    "python": "a random.Random",
    "scipy": "a random_state of scipy.stats",
}
_REFUSED = "bold yellow"


def print_programs(programs: Programs, console: Console, source: SourceLine) -> None:
    """Print what is wrong with the claims and the file, then every mechanism."""
    characters = glyphs(console.encoding)
    for finding in programs.findings:
        print_finding(finding, console, source)
    for error in programs.errors:
        print_finding(error, console, source)
    for target in programs.targets:
        _print_head(target.mechanism, console)
        _print_program(target.lowered, console, characters)
        _print_obstacles(target, console, source)


def generator_words(program: Program) -> str:
    """The generator parameter and its kind; empty if no draw of the mechanism is made from it."""
    families = (node.family for node in walk(program) if isinstance(node, Draw) and node.generator == "argument")
    family = next(families, None)
    return f"{program.rng}: {_FAMILIES[family]}" if family is not None else ""


def _print_head(mechanism: Mechanism, console: Console) -> None:
    place = f"{mechanism.file}:{mechanism.span.line}:{mechanism.span.column}"
    claim = words.claim_words(mechanism.claim)
    console.print(Text.assemble((mechanism.qualname, "bold"), f"  {place}  ({claim})"), soft_wrap=True)


def _print_program(program: Program, console: Console, characters: Glyphs) -> None:
    about = [f"data: {program.data}"] if program.data is not None else []
    about += [text] if (text := generator_words(program)) else []
    console.print(Text(f"  {characters.dot}  ".join(about), style="dim"), soft_wrap=True)
    console.print()
    blocks = [program_lines(program), *(function_lines(function, program.rng) for function in once_each(program))]
    width = max(len(str(line.number)) for block in blocks for line in block if line.number is not None)
    for block in blocks:
        _print_lines(block, width, console, characters)
        console.print()


def _print_lines(lines: Sequence[Line], width: int, console: Console, characters: Glyphs) -> None:
    """Into a pipe each line goes whole; a terminal gets long ones in parts, which begin further to the right."""
    for line in lines:
        number = "" if line.number is None else str(line.number)
        code = Text.assemble(*((printable(text), _STYLES[kind]) for text, kind in line.code))
        room = max(20, console.width - width - 3 - 4 * (line.depth + 2))
        parts = code.wrap(console, room) if console.is_terminal else [code]
        for position, part in enumerate(parts):
            gutter = (f"{number if position == 0 else '':>{width}} {characters.gutter} ", "bold blue")
            indent = "    " * (line.depth + (2 if position else 0))
            console.print(Text.assemble(gutter, indent, part), soft_wrap=True)


def _print_obstacles(target: Target, console: Console, source: SourceLine) -> None:
    found = obstacles(target)
    if not found:
        return
    if isinstance(target.program, Unsupported):
        constructs = numerals.count(len(found), "construct")
        say = f"Every run will call the function: {constructs} must be written in another way."
    else:
        say = f"{numerals.count(len(found), 'place')} of it will be refused where a run comes to it:"
    console.print(Text(say, style=_REFUSED))
    console.print()
    for refused in found:
        print_document(_refused(refused, target.mechanism.file, source), console)
        console.print()


def _refused(refused: Unsupported, own_file: str, source: SourceLine) -> Document:
    span, file = refused.span, refused.span.within(own_file)
    head = Head.at(file, span, "unsupported", (printable(refused.construct),), "warning")
    hint = (Say(("instead: ", printable(refused.hint)), "cure"),) if refused.hint else ()
    return Document(head, (Source(source(file, span.line), span), *hint))
