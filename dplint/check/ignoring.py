"""Comments added that silence what is reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dplint.check.static import original_of, static_view
from dplint.config import Settings, shown
from dplint.outcomes import CheckError, Finding, Result, Underpowered, Unstable, Untestable, Violation
from dplint.source.edits import Original, apply_edits, replace_content
from dplint.source.ignore_edits import ignore_edit, ignore_function_edit
from dplint.source.suppressions import find_suppressions
from dplint.source.useless_ignores import USELESS


@dataclass(frozen=True, slots=True)
class IgnoredFile:
    """A file with comments for all these problems; `write` puts the text into it."""

    file: str
    original: Original
    text: str
    problems: tuple[Finding | Result, ...]

    def write(self) -> None:
        """Put the text into the file. Raises OSError if that cannot be done."""
        replace_content(self.original, self.original.encode(self.text))


def can_be_ignored(problem: Finding | Result) -> bool:
    """Whether a comment can silence it: no failed audit, nothing in pyproject.toml, and no comment for a comment."""
    if isinstance(problem, Finding):
        return problem.code != USELESS and not problem.file.endswith(".toml")
    return isinstance(problem.outcome, Violation | Underpowered | Unstable | Untestable)


def ignore_in_file(path: Path, problems: Sequence[Finding | Result], settings: Settings) -> IgnoredFile | CheckError:
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
    return IgnoredFile(file, original, text, tuple(problems))


def _code(result: Result) -> str:
    assert isinstance(result.outcome, Violation | Untestable)
    return result.outcome.code
