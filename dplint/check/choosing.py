"""One function of a file alone: FILE::FUNCTION and FILE:LINE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dplint.check.loading import LoadedFile
from dplint.claims import Mechanism
from dplint.outcomes import CheckError, Finding


@dataclass(frozen=True, slots=True)
class Choice:
    """What is wanted of one file: the function of a qualified name, or the one around a line, counted from 1."""

    path: Path
    wanted: str | int

    def takes(self, mechanism: Mechanism) -> bool:
        """Whether it is this one."""
        if isinstance(self.wanted, str):
            return mechanism.qualname == self.wanted
        first = min(mechanism.span.line, mechanism.claim_span.line)
        return first <= self.wanted < mechanism.span.line + len(mechanism.source_lines)

    def words(self) -> str:
        """What was asked for, as it was written."""
        return f"{self.wanted}" if isinstance(self.wanted, str) else f"line {self.wanted}"


def chosen_of(loaded: LoadedFile, choices: Sequence[Choice]) -> LoadedFile:
    """What is in the file of the functions that are wanted, and an error for each choice that nothing fits.

    A file that nobody has chosen from is left as it is.
    """
    mine = [one for one in choices if one.path.resolve() == Path(loaded.file).resolve()]
    if not mine or loaded.errors:
        return loaded
    pending = tuple(one for one in loaded.pending if any(choice.takes(one.mechanism) for choice in mine))
    names = {one.mechanism.qualname for one in pending} | {str(one.wanted) for one in mine}
    findings = tuple(one for one in loaded.findings if one.function in names)
    bearers = ", ".join(one.mechanism.qualname for one in loaded.pending) or "none"
    errors = [
        CheckError(loaded.file, None, f"{one.words()} bears no claim that can be tested; functions that do: {bearers}")
        for one in mine
        if not _fits(one, pending, findings)
    ]
    return replace(loaded, pending=pending, findings=findings, errors=tuple(errors))


def _fits(choice: Choice, pending: Sequence[object], findings: Sequence[Finding]) -> bool:
    mechanisms = (getattr(one, "mechanism", None) for one in pending)
    return any(isinstance(one, Mechanism) and choice.takes(one) for one in mechanisms) or any(
        one.function == choice.wanted for one in findings
    )
