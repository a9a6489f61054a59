"""What files hold, as digests: whether what was read from them before is still so."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

MISSING, FOLDER = "", "folder"


def content_of(file: Path) -> bytes | None:
    """The bytes of a file, None where there is none that can be read."""
    try:
        return file.read_bytes()
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
