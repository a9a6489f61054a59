"""What the source of one file says, with nothing run: to compare it before and after an edit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from dplint.check.checking import check_text
from dplint.config import Settings, shown
from dplint.outcomes import CheckError, Finding, Silenced
from dplint.source.edits import Original, read_original
from dplint.source.text import DecodeError

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


def static_view(path: Path, raw: bytes, settings: Settings) -> StaticView:
    """Read a text as if it were the content of the file."""
    findings: list[Finding] = []
    silenced: list[Finding] = []
    readable = True
    for event in check_text(raw, path, replace(settings, static_only=True, cache=False)):
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
