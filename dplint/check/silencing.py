"""What the comments of the checked files silence, and which of them silence nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from dplint.claims import Mechanism
from dplint.outcomes import Finding, Result, Silenced
from dplint.source.read import SourceFile
from dplint.source.suppressions import Item, Suppressions, find_suppressions
from dplint.source.useless_ignores import useless


@dataclass(slots=True)
class _File:
    suppressions: Suppressions
    readable: bool
    items: list[Item] = field(default_factory=list)


class Silencing:
    """Judges, for one check, all that is found in its files."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}

    def enter(self, source: SourceFile) -> None:
        """Take note of the comments of a file, before what was found in it is judged."""
        suppressions = find_suppressions(source.text, source.file)
        if suppressions.comments:
            self._files[source.file] = _File(suppressions, readable=not source.errors)

    def finding(self, finding: Finding) -> Finding | Silenced:
        """The finding, or that it is silenced."""
        return Silenced(finding) if self._silences(finding.file, finding) else finding

    def result(self, result: Result) -> Result | Silenced:
        """The verdict, or that it is silenced."""
        return Silenced(result) if self._silences(result.mechanism.file, result) else result

    def useless(self, mechanisms: Collection[Mechanism] | None) -> Iterator[Finding]:
        """The comments that silenced nothing, once all has been judged. mechanisms: None if nothing was audited."""
        for file in self._files.values():
            if file.readable:
                yield from useless(file.suppressions, file.items, mechanisms)

    def _silences(self, name: str, item: Item) -> bool:
        file = self._files.get(name)
        if file is None:
            return False
        file.items.append(item)
        return file.suppressions.silences(item)
