"""Findings mended in their files: each fix is tried, the file is read again, and nothing else may have changed.

What the source of one file says, with nothing run: to compare it before and after an edit.

Comments added that silence what is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from dplint.check.checking import check_text
from dplint.check.choosing import Choice
from dplint.config import Settings, shown
from dplint.outcomes import CheckError, Finding, Result, Silenced, Underpowered, Unstable, Untestable, Violation
from dplint.source.edits import Original, OverlapError, apply_edits, read_original, replace_content
from dplint.source.suppressions import USELESS, find_suppressions, ignore_edit, ignore_function_edit
from dplint.source.text import DecodeError

Item = TypeVar("Item", bound=Finding | Result)
Key: TypeAlias = tuple[str, str, str | None, str]
_LINE = re.compile(r"\bline \d+")


@dataclass(frozen=True, slots=True)
class StaticView:
    """The findings of a text that are reported, those that are silenced, and whether it could be read."""

    findings: tuple[Finding, ...]
    silenced: tuple[Finding, ...]
    readable: bool

    def keys(self) -> Counter[Key]:
        """All findings without their places, which an edit elsewhere in the file may move."""
        return Counter(key(finding) for finding in (*self.findings, *self.silenced))


def key(finding: Finding) -> Key:
    """What a finding says, wherever it stands."""
    return finding.file, finding.code, finding.function, _LINE.sub("line", finding.message)


def original_of(path: Path) -> Original | CheckError:
    """A file that is to be edited, as it is on disk."""
    try:
        return read_original(path)
    except OSError as error:
        return CheckError(shown(path), None, f"cannot be read: {error.strerror or error}")
    except DecodeError as error:
        return CheckError(shown(path), error.line, error.message)


def static_view(path: Path, raw: bytes, settings: Settings, choices: Sequence[Choice] = ()) -> StaticView:
    """Read a text as if it were the content of the file. choices: the functions that are wanted, all without one."""
    findings: list[Finding] = []
    silenced: list[Finding] = []
    readable = True
    for event in check_text(raw, path, replace(settings, static_only=True, cache=False), choices=choices):
        match event:
            case Finding():
                findings.append(event)
            case Silenced(item=Finding() as item):
                silenced.append(item)
            case CheckError():
                readable = False
            case _:
                pass
    return StaticView(tuple(findings), tuple(silenced), readable)


_CLAIM = ("DP00", "DP01")
"""Codes of claims that are wrong; what bears one is no mechanism yet."""
_ROUNDS = 20
"""Fixes may overlap, and mending one thing may let another one be mended; but somewhere it has to end."""


@dataclass(frozen=True, slots=True)
class EditedFile(Generic[Item]):
    """What becomes of one file.

    text: the text with the edits in it. done: what is mended by them, or silenced. refused: findings whose fix is left
    out, because it would have changed what else is found in the file.
    """

    file: str
    original: Original
    text: str
    done: tuple[Item, ...]
    refused: tuple[Finding, ...] = ()

    def write(self) -> None:
        """Put the text into the file. Raises OSError if that cannot be done."""
        replace_content(self.original, self.original.encode(self.text))


def fix_file(
    path: Path, settings: Settings, choices: Sequence[Choice] = (), *, unsafe: bool
) -> EditedFile[Finding] | CheckError | None:
    """Mend in memory what can be mended in a file; None if there is nothing to mend.

    Only findings that are reported are mended: not what a comment or the settings silence. choices: the functions in
    which something is to be mended; all without one. unsafe: also by fixes that may change what the code was meant to
    do.
    """
    original = original_of(path)
    if isinstance(original, CheckError):
        return original
    file = shown(path)
    view = static_view(path, original.raw, settings)
    chosen = static_view(path, original.raw, settings, choices) if choices else view
    functions = {one.function for one in chosen.findings}
    text, fixed, refused = original.text, list[Finding](), dict[object, Finding]()
    for _ in range(_ROUNDS):
        todo = [
            one
            for one in view.findings
            if one.function in functions and _is_open(one, file, unsafe=unsafe) and _identity(one) not in refused
        ]
        if not todo or not view.readable:
            break
        for wave in (_apart(todo), todo[:1]):
            step = _try(original, text, view, wave, settings)
            if step is not None:
                text, view = step
                fixed += wave
                refused.clear()  # what met one of these may now be mended
                break
        else:
            refused[_identity(todo[0])] = todo[0]
    if not fixed and not refused:
        return None
    return EditedFile(file, original, text, tuple(fixed), tuple(refused.values()))


def _is_open(finding: Finding, file: str, *, unsafe: bool) -> bool:
    return finding.file == file and finding.fix is not None and (unsafe or finding.fix.safe)


def _identity(finding: Finding) -> object:
    return key(finding), finding.fix and tuple(edit.text for edit in finding.fix.edits)


def _apart(findings: Sequence[Finding]) -> list[Finding]:
    """As many as can be mended at once, from the first on: those whose edits do not meet."""
    chosen: list[Finding] = []
    for finding in findings:
        spans = [edit.span for one in chosen if one.fix is not None for edit in one.fix.edits]
        mine = [edit.span for edit in finding.fix.edits] if finding.fix is not None else []
        # whole lines, since what stands beside one another may belong together
        if all(a.end_line < b.line or b.end_line < a.line for a in spans for b in mine):
            chosen.append(finding)
    return chosen


def _try(
    original: Original, text: str, view: StaticView, wave: Sequence[Finding], settings: Settings
) -> tuple[str, StaticView] | None:
    """The text with these findings mended, and what is found in it; None if that is anything but them less."""
    edits = [edit for finding in wave if finding.fix is not None for edit in finding.fix.edits]
    try:
        changed = apply_edits(text, edits)
        raw = original.encode(changed)
    except (OverlapError, UnicodeEncodeError, OSError):
        return None
    after = static_view(original.path, raw, settings)
    mended = {finding.fix for finding in wave}
    # of two findings with one fix, both are gone after it
    gone = Counter(key(finding) for finding in view.findings if finding.fix in mended)
    expected = view.keys()
    expected.subtract(gone)
    # Once a claim is right, the rules have a mechanism to look at, and may well find something there.
    opened = {finding.function for finding in wave if finding.code.startswith(_CLAIM)}
    new = after.keys() - expected
    same = +(expected - after.keys()) == Counter() and all(function in opened for _, _, function, _ in new)
    return (changed, after) if after.readable and same else None


def can_be_ignored(problem: Finding | Result) -> bool:
    """Whether a comment can silence it: no failed audit, nothing in pyproject.toml, and no comment for a comment."""
    if isinstance(problem, Finding):
        return problem.code != USELESS and not problem.file.endswith(".toml")
    return isinstance(problem.outcome, Violation | Underpowered | Unstable | Untestable)


def ignore_in_file(
    path: Path, problems: Sequence[Finding | Result], settings: Settings
) -> EditedFile[Finding | Result] | CheckError:
    """The file with a comment for each of the problems, which are all in it and can be ignored.

    A finding is silenced in its line, a verdict for its function. An error if the comments would not do that.
    """
    original = original_of(path)
    if isinstance(original, CheckError):
        return original
    file = shown(path)
    text = original.text
    findings = [one for one in problems if isinstance(one, Finding)]
    results = [one for one in problems if isinstance(one, Result)]
    # Comments at the ends of lines move no line, so they come first; those above functions from below upwards.
    for finding in findings:
        text = apply_edits(text, [ignore_edit(text, finding.span.line, finding.code)])
    for result in sorted(results, key=lambda one: one.mechanism.span, reverse=True):
        text = apply_edits(text, [ignore_function_edit(text, result.mechanism, _code(result))])
    try:
        raw = original.encode(text)
    except UnicodeEncodeError as error:
        return CheckError(file, None, f"cannot be changed: {error}")
    before, after = static_view(path, original.raw, settings), static_view(path, raw, settings)
    left = sum(one.code != USELESS for one in after.findings)
    meant = sum(one.code != USELESS for one in before.findings) - len(findings)
    quiet = find_suppressions(text, file)
    if not after.readable or left > max(0, meant) or len(quiet.comments) < 1:
        return CheckError(file, None, "cannot be given comments that silence all that is reported; it is left as it is")
    return EditedFile(file, original, text, tuple(problems))


def _code(result: Result) -> str:
    assert isinstance(result.outcome, Violation | Untestable)
    return result.outcome.code
