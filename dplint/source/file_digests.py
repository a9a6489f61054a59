"""What files hold, as digests: whether what was read from them before is still so.

What somebody has typed into a file and not saved stands for the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from dplint.contents import content

MISSING, FOLDER = "", "folder"
_UNSAVED: dict[Path, bytes] = {}


def hold(file: Path, text: str | None) -> bool:
    """From now on, in this process, that text stands for a file, None for what is on disk; whether they differ."""
    _UNSAVED.pop(file, None)
    if text is None or (content_of(file) or b"").decode("utf-8", "replace").removeprefix("\ufeff") == text:
        return False
    _UNSAVED[file] = text.encode("utf-8", "replace")
    return True


def is_unsaved(file: Path) -> bool:
    """Whether a text stands for the file that is not on disk."""
    return file in _UNSAVED


def content_of(file: Path) -> bytes | None:
    """The bytes of a file, None where there is none that can be read."""
    if (unsaved := _UNSAVED.get(file)) is not None:
        return unsaved
    try:
        return content(file)
    except (OSError, ValueError):
        return None


def digest_of(raw: bytes | None) -> str:
    """A digest of what `content_of` gives."""
    return MISSING if raw is None else hashlib.sha256(raw).hexdigest()


def same_files(files: Mapping[str, str]) -> bool:
    """Whether these paths still hold what has these digests."""
    return all(digest_at(Path(file)) == digest for file, digest in files.items())


def digest_at(path: Path) -> str:
    """A digest of what is at a path: a file, a folder, whatever is in it, or nothing."""
    return FOLDER if path.is_dir() else digest_of(content_of(path))
