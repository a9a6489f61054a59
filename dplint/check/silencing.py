"""What the comments of the checked files silence, and which of them silence nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from dplint.check.judging import judged
from dplint.check.loading import LoadedFile
from dplint.claims import Mechanism
from dplint.config import Settings
from dplint.outcomes import Finding, Result, Silenced
from dplint.source.suppressions import Item, Suppressions, find_suppressions
from dplint.source.useless_ignores import useless


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

    def finding(self, finding: Finding, settings: Settings) -> Finding | Result | Silenced:
        """The finding as it counts, or that it is silenced."""
        return self._item(finding.file, finding, settings)

    def result(self, result: Result, settings: Settings) -> Finding | Result | Silenced:
        """The verdict as it counts, or that it is silenced."""
        return self._item(result.mechanism.file, result, settings)

    def useless(self, mechanisms: Collection[Mechanism]) -> Iterator[Finding | Result | Silenced]:
        """The comments that silenced nothing, once all has been judged. mechanisms: those that were to be audited."""
        for file in self._files.values():
            if file.readable:
                audited = None if file.settings.static_only else mechanisms
                for finding in useless(file.suppressions, file.items, audited):
                    yield judged(finding, file.settings)

    def _item(self, name: str, item: Item, settings: Settings) -> Finding | Result | Silenced:
        """The settings come first: what they leave out is of no interest to anybody, but it is what a comment meant."""
        file = self._files.get(name)
        found = judged(item, settings)
        if file is None:
            return found
        file.items.append(item)
        if isinstance(found, Silenced) or not file.suppressions.silences(item):
            return found
        return Silenced(found)
