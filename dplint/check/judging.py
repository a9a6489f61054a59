"""What the settings of its file make of a finding or a verdict: whether it is reported, and how much it counts.

The setting `require-proof`: what is not proved is a finding.

What the comments of the checked files silence, and which of them silence nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from dplint import outcomes as out
from dplint.check.loading import LoadedFile
from dplint.claims import Mechanism
from dplint.config import Settings, is_reported, level_of
from dplint.source.suppressions import Item, Suppressions, code_of, find_suppressions, useless


def judged(item: out.Finding | out.Result, settings: Settings) -> out.Finding | out.Result | out.Silenced:
    """The item as it counts, or that the settings leave it out. A failed audit is never left out, nor made less of."""
    code = code_of(item)
    if code is None:
        return item
    if not is_reported(code, settings):
        return out.Silenced(item, out.SilencedBy.SETTINGS)
    level = level_of(code, settings.severity)
    return item if level is None else replace(item, severity=out.Severity(level))


CODE = "DP910"
_NO_PROOF = "no proof"
"""So begins the note of an audit that says why."""


def unproved(mechanism: Mechanism, outcome: out.Outcome, settings: Settings) -> out.Finding | None:
    """That a mechanism lacks the proof that the settings ask for; None if it has it, or is reported for worse."""
    if settings.require_proof == "no":
        return None
    match outcome:
        case out.Violation() | out.Failed() | out.Unstable():
            return None
        case out.Proved(scope=scope) if scope.full or settings.require_proof == "bounded":
            return None
        case out.Proved():
            message = (
                "this is proved for a part of the claim only, and require-proof asks for all of it: "
                "what the proof leaves out stands in its scope"
            )
        case out.NoViolation() | out.Underpowered() | out.NotRefuted() | out.Untestable():
            message = f"this is not proved, and require-proof asks for a proof: {_reason(outcome, settings)}"
    return out.Finding(
        mechanism.file, mechanism.span, mechanism.qualname, CODE, out.Severity.ERROR, message, foretells=False
    )


def _reason(outcome: out.NoViolation | out.Underpowered | out.NotRefuted | out.Untestable, settings: Settings) -> str:
    if isinstance(outcome, out.Untestable):
        return outcome.reason
    if not settings.proofs:
        return "none was looked for, as proofs = false"
    if settings.method != "anytime" or settings.runs is not None:
        return "none was looked for, as that takes the method anytime with a budget in seconds"
    told = (note.partition(": ")[2] for note in outcome.effort.notes if note.startswith(_NO_PROOF))
    return next(told, "none was found in the time that the budget leaves")


@dataclass(slots=True)
class _File:
    suppressions: Suppressions
    settings: Settings
    readable: bool
    items: list[Item] = field(default_factory=list)


class Silencing:
    """Judges, for one check, all that is found in its files: by their comments, and by their settings."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}

    def enter(self, loaded: LoadedFile) -> None:
        """Take note of the comments of a file, before what was found in it is judged."""
        suppressions = find_suppressions(loaded.text, loaded.file)
        if suppressions.comments:
            self._files[loaded.file] = _File(suppressions, loaded.settings, readable=not loaded.errors)

    def finding(self, finding: out.Finding, settings: Settings) -> out.Finding | out.Result | out.Silenced:
        """The finding as it counts, or that it is silenced."""
        return self._item(finding.file, finding, settings)

    def result(self, result: out.Result, settings: Settings) -> out.Finding | out.Result | out.Silenced:
        """The verdict as it counts, or that it is silenced."""
        return self._item(result.mechanism.file, result, settings)

    def useless(self, mechanisms: Collection[Mechanism]) -> Iterator[out.Finding | out.Result | out.Silenced]:
        """The comments that silenced nothing, once all has been judged. mechanisms: those that were to be audited."""
        for file in self._files.values():
            if file.readable:
                audited = None if file.settings.static_only else mechanisms
                for finding in useless(file.suppressions, file.items, audited):
                    yield judged(finding, file.settings)

    def _item(self, name: str, item: Item, settings: Settings) -> out.Finding | out.Result | out.Silenced:
        """The settings come first: what they leave out is of no interest to anybody, but it is what a comment meant."""
        file = self._files.get(name)
        found = judged(item, settings)
        if file is None:
            return found
        file.items.append(item)
        if isinstance(found, out.Silenced) or not file.suppressions.silences(item):
            return found
        return out.Silenced(found)
