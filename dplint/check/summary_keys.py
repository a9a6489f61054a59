"""What the content of a file's summary depends on: its bytes, the claims and settings for it, and dplint itself."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import dplint
from dplint.config import Settings, asked_for
from dplint.source.places import import_place

_READERS = ("source", "rules", "relations", "program", "codes", "config", "claims.py", "outcomes", "expressions.py")


def summary_key(path: Path, raw: bytes, settings: Settings) -> str:
    """A digest under which the summary of a file with this content is known."""
    place = import_place(path)
    tables = [table for table in settings.mechanisms.values() if table.module == place.module]
    told = (
        dplint.__version__,
        _reader(),
        place.module,
        place.is_package,
        tables,
        asked_for(settings),
        settings.known_noise,
        settings.all_functions,
    )
    return hashlib.sha256(repr(told).encode("utf-8", "replace") + b"\0" + raw).hexdigest()


@cache
def _reader() -> str:
    """A digest of dplint's own files that read and judge, which in a checkout change without a new version."""
    home = Path(dplint.__file__).parent
    files = (
        file for name in _READERS for file in ([home / name] if name.endswith(".py") else (home / name).rglob("*.py"))
    )
    seen = sorted((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    return hashlib.sha256(repr(seen).encode()).hexdigest()
