"""Findings mended in their files: each fix is tried, the file is read again, and nothing else may have changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dplint.check.static import StaticView, key, original_of, static_view
from dplint.config import Settings, shown
from dplint.outcomes import CheckError, Finding
from dplint.source.edits import Original, OverlapError, apply_edits, replace_content

_CLAIM = ("DP00", "DP01")
"""Codes of claims that are wrong; what bears one is no mechanism yet."""
_ROUNDS = 20
"""Fixes may overlap, and mending one thing may let another one be mended; but somewhere it has to end."""


@dataclass(frozen=True, slots=True)
class FixedFile:
    """What became of one file.

    text: the text with the fixes in it. fixed: the findings that are mended. refused: those whose fix is left out,
    because it would have changed what else is found in the file.
    """

    file: str
    original: Original
    text: str
    fixed: tuple[Finding, ...]
    refused: tuple[Finding, ...]

    def write(self) -> None:
        """Put the text into the file. Raises OSError if that cannot be done."""
        replace_content(self.original, self.original.encode(self.text))


def fix_file(path: Path, settings: Settings, *, unsafe: bool) -> FixedFile | CheckError | None:
    """Mend in memory what can be mended in a file; None if there is nothing to mend.

    Only findings that are reported are mended: not what a comment or the settings silence. unsafe: also by fixes that
    may change what the code was meant to do.
    """
    original = original_of(path)
    if isinstance(original, CheckError):
        return original
    file = shown(path)
    view = static_view(path, original.raw, settings)
    text, fixed, refused = original.text, list[Finding](), dict[object, Finding]()
    for _ in range(_ROUNDS):
        todo = [one for one in view.findings if _is_open(one, file, unsafe=unsafe) and _identity(one) not in refused]
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
    return FixedFile(file, original, text, tuple(fixed), tuple(refused.values()))


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
