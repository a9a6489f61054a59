"""Suggests claims for files and texts, and makes sure that they are claims that dplint accepts.

The edits that write suggested claims into a text, as decorators or as comments.

Trials of claims that are suggested: each is audited as if it were written in its file, and says what came of it. A
guessed claim is refuted by what its author would have to accept: not by exceptions, and not by lengths, which may come
of data that is none. That a trial finds nothing says nothing, and takes no doubt away.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dplint.check.checking import check_text
from dplint.check.fixing import original_of
from dplint.check.unreadable import does_not_parse, with_old_ones_together
from dplint.claims import Span
from dplint.collecting import rarely_collected
from dplint.config import ConfigError, Settings, SettingsByFile, shown
from dplint.contents import content
from dplint.outcomes import CheckError, Edit, Failed, Proved, Result, Untestable, Violation
from dplint.source.callers import Callers
from dplint.source.edits import Original, apply_edits, replace_content
from dplint.source.files import Exclusions, find_files, is_support_file
from dplint.source.notebooks import cell_name, is_notebook
from dplint.source.read import read_source
from dplint.source.slices import parse, slice_module
from dplint.source.text import split_lines

if TYPE_CHECKING:
    from dplint.rules.suggesting.suggestion import Suggestion


_HEAD = re.compile(r"\s*(?:@|def\b|async\b)")


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim that could be added to a function, and the edits that add it."""

    function: str
    claim: str
    edits: tuple[Edit, ...]


def may_be_head(text: str, line: int) -> bool:
    """Whether a line may be the head of a function. Editors ask at every step of the cursor, so this is quick."""
    lines = split_lines(text)
    return 1 <= line <= len(lines) and _HEAD.match(lines[line - 1]) is not None


def claim_edits(text: str, suggestions: Sequence[Suggestion], *, decorate: bool | None = None) -> tuple[Edit, ...]:
    """The edits that put these claims above their functions; suggestions for lines in no function are left out.

    decorate: as decorators, with the import that they need, or as comments; None for decorators where the module
    imports dplint already, so that nothing comes to depend on dplint that did not.

    Raises:
        SyntaxError: the text does not parse.
    """
    tree, lines = parse(text), split_lines(text)
    end = "\r\n" if "\r\n" in text else "\n"
    spelling, importing = _spelling(tree, lines, end)
    wanted = [one for one in suggestions if one.function is not None]
    if not wanted:
        return ()
    if decorate is None:
        decorate = importing is None
    before = f"@{spelling}" if decorate else "# dplint: "
    edits: dict[int, str] = {}
    for one in wanted:
        indent = _indent(lines[one.first - 1])
        doubts = [f"{indent}# To be checked: {' '.join(doubt.split())}{end}" for doubt in one.doubts]
        edits[one.first] = f"{''.join(doubts)}{indent}{before}{one.text}{end}"
    if decorate and importing is not None:
        line = importing.span.line
        if importing.span.column == 1:
            edits[line] = importing.text + edits.get(line, "")
        else:
            return (importing, *(_insertion(at, new) for at, new in sorted(edits.items())))
    return tuple(_insertion(at, new) for at, new in sorted(edits.items()))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _spelling(tree: ast.Module, lines: tuple[str, ...], end: str) -> tuple[str, Edit | None]:
    """How the module spells `dp` ("" or "dplint."), and the edit that imports it where it does not yet."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "dplint" and not node.level:
            if any(alias.name in ("dp", "*") and alias.asname in (None, "dp") for alias in node.names):
                return "", None
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "dplint":
                    return f"{alias.asname or 'dplint'}.", None
    line = _after_imports(tree)
    if line > len(lines):
        last = Span(len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
        return "", Edit(last, f"{end}from dplint import dp{end}")
    return "", _insertion(line, f"from dplint import dp{end}")


def _after_imports(tree: ast.Module) -> int:
    """The line below the imports with which the module begins, or below its docstring."""
    line = 1
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (is_text or isinstance(node, ast.Import | ast.ImportFrom)):
            break
        line = (node.end_lineno or node.lineno) + 1
    return line


def _insertion(line: int, text: str) -> Edit:
    return Edit(Span(line, 1, line, 1), text)


_WORDS = re.compile(rb"laplac|gauss|normal|random|noise|rand|privacy|opendp|pydp|opacus", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SuggestedFile:
    """The claims that one file could have. file: as it is shown. original: the file as it was read."""

    file: str
    original: Original
    suggestions: tuple[Suggestion, ...]

    def place(self, line: int) -> tuple[str, int]:
        """The file and the line; in a notebook the cell, and the line there."""
        if self.original.notebook is None:
            return self.file, line
        number, there = self.original.notebook.place(line)
        return cell_name(self.file, number), there

    def edits(self, chosen: Sequence[Suggestion]) -> tuple[Edit, ...]:
        """The edits that write some of them into the file."""
        return claim_edits(self.original.text, chosen)

    def text(self, chosen: Sequence[Suggestion]) -> str:
        """The text with some of them in it."""
        return apply_edits(self.original.text, self.edits(chosen))

    def write(self, chosen: Sequence[Suggestion]) -> None:
        """Put some of them into the file. Raises OSError if that cannot be done."""
        replace_content(self.original, self.original.encode(self.text(chosen)))


def suggest_paths(paths: Sequence[Path], settings: SettingsByFile) -> Iterator[SuggestedFile | CheckError]:
    """What could be claimed in the files under the paths; files without noise are left out.

    So are tests, plots, simulations, experiments, attacks and benchmarks in folders, to judge by their names, unless
    the file is named. A file that is named and does not parse is an error, whatever is in it.
    """
    return with_old_ones_together(_suggested(paths, settings))


def _suggested(paths: Sequence[Path], settings: SettingsByFile) -> Iterator[SuggestedFile | CheckError]:
    found = find_files(paths, exclude=Exclusions(settings))
    yield from found.errors
    named = {path.absolute() for path in paths}
    callers = Callers()
    for path in found.files:
        if is_support_file(path, named):
            continue
        try:
            own = settings.of_file(path)
        except ConfigError as error:
            yield CheckError(error.file, error.line, error.message)
            continue
        one = _suggest_file(path, own, callers) or (does_not_parse(path) if path.absolute() in named else None)
        if one is not None:
            yield one


def _suggest_file(path: Path, settings: Settings, callers: Callers) -> SuggestedFile | CheckError | None:
    original = original_of(path)
    if isinstance(original, CheckError):
        return None if is_notebook(path.name) and not _speaks_of_noise(path) else original
    if _WORDS.search(original.raw) is None:
        return None
    found = suggest_text(path, original.text, settings, callers)
    if isinstance(found, CheckError):
        return found
    return SuggestedFile(shown(path), original, found) if found else None


def _speaks_of_noise(path: Path) -> bool:
    """Whether a notebook that cannot be read, because it is empty or of an old format, could have been of interest."""
    try:
        return _WORDS.search(content(path)) is not None
    except OSError:
        return True


def suggest_text(
    path: Path, text: str, settings: Settings, callers: Callers | None = None
) -> tuple[Suggestion, ...] | CheckError:
    """What could be claimed in a text that stands for a file, the surest first; or why it cannot be read.

    callers: what calls in the project pass; by default those in the text alone.
    """
    # LibCST takes a fifth of a second to import.
    from dplint.rules.flow.vocabulary import scope_of  # noqa: PLC0415
    from dplint.rules.suggesting.suggesting import suggest  # noqa: PLC0415
    from dplint.source.project import ProjectIndex  # noqa: PLC0415

    with rarely_collected():
        source = read_source(path, file=shown(path), text=text, table=settings.mechanisms, without_claims=True)
        if source.module is None:
            return source.errors[0] if source.errors else ()
        project = ProjectIndex(source.module.place)
        scope = scope_of(source.module, frozenset(settings.known_noise), project)
        found = suggest(scope, text, [id(one.node) for one in source.mechanisms], callers)
    bearing = {finding.function for finding in source.findings if finding.code.startswith("DP0")}
    left = [one for one in found if one.function not in bearing]
    return _accepted(path, text, left, settings, callers or Callers(elsewhere=False))


def _accepted(
    path: Path, text: str, found: Sequence[Suggestion], settings: Settings, callers: Callers
) -> tuple[Suggestion, ...]:
    """The suggestions; what dplint would have to say of the claim itself becomes a doubt."""
    edits = claim_edits(text, found) if found else ()
    if not edits:
        return tuple(found)
    changed = apply_edits(text, edits)
    source = read_source(path, file=shown(path), text=changed, table=settings.mechanisms)
    told = {one.function: one.message for one in source.findings if one.code.startswith("DP0")}
    asked = (callers.asked(one.mechanism, changed) for one in source.mechanisms)
    why = {one.qualname: one.untestable for one in asked}
    return tuple(sorted((_with_doubt(one, told, why) for one in found), key=lambda one: (len(one.doubts), one.span)))


def _with_doubt(one: Suggestion, told: dict[str | None, str], why: dict[str, str | None]) -> Suggestion:
    if one.function in told:
        return replace(one, doubts=(*one.doubts, told[one.function]))
    untestable = why.get(one.function or "")
    return replace(one, doubts=(*one.doubts, f"it could not be tested as it is: {untestable}")) if untestable else one


def new_claim(path: Path, text: str, line: int, settings: Settings) -> NewClaim | None:
    """A claim for the function whose head is in the line, as a decorator; None if none is to be suggested there.

    What is little more than a guess, of code that calls nothing an epsilon, is left to `dplint suggest`: random weights
    and jitter are noise on data, too.

    Only the statement of the top level around the line is read, with what it mentions.
    """
    from dplint.rules.suggesting.suggestion import Confidence  # noqa: PLC0415

    try:
        slices = slice_module(text)
    except SyntaxError:
        return None
    number = slices.at(line)
    if number is None:
        return None
    found = suggest_text(path, slices.only(slices.reach([number])), settings)
    if isinstance(found, CheckError):
        return None
    here = next((one for one in found if one.function is not None and one.first <= line <= one.head), None)
    if here is None or here.function is None or (here.confidence is Confidence.LOW and not here.named):
        return None
    return NewClaim(here.function.rpartition(".")[2], here.text, claim_edits(text, [here], decorate=True))


_LENGTH = re.compile(r"\blen\(|\bNone\b")


def tried(file: SuggestedFile, settings: SettingsByFile) -> SuggestedFile:
    """The suggestions of a file with what a trial of each says. User code is run, as in a check."""
    chosen = [one for one in file.suggestions if one.function is not None and not one.without_epsilon]
    if not chosen:
        return file
    raw = file.original.encode(file.text(chosen))
    without = SettingsByFile.fixed(replace(settings.of_file(file.original.path), cache=False, repairs=False))
    events = list(check_text(raw, file.original.path, without))
    results = {one.mechanism.qualname: one for one in events if isinstance(one, Result)}
    broken = next((one.message for one in events if isinstance(one, CheckError)), None)
    told = (_told(one, results.get(one.function or ""), broken) for one in file.suggestions)
    return replace(file, suggestions=tuple(told))


def _told(one: Suggestion, result: Result | None, broken: str | None) -> Suggestion:
    match None if result is None else result.outcome:
        case Proved():
            return replace(one, trial="proved under this claim")
        case Violation() as found:
            event = found.counterexample.witness.event
            if found.counterexample.witness.observation.of_exceptions or _LENGTH.search(event):
                return replace(one, trial=f"undecided: runs differ in `{event}`, which may come of data that is none")
            return replace(one, trial=f"refuted under the claim that dplint guessed, by `{event}`")
        case Failed(reason=reason) | Untestable(reason=reason):
            return replace(one, sketch=True, doubts=(*one.doubts, f"a trial could not run it: {reason}"))
        case None:
            return one if broken is None else replace(one, trial=f"not tried: {broken}")
    return replace(one, trial="a trial found no violation, which proves nothing")
