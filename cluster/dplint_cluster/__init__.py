"""Audits on a cluster of Dask; `dplint check --cluster` loads it."""

from __future__ import annotations

from pathlib import Path

from dplint.workers.installed import code_digest


def digest() -> str:
    """Of the code of dplint and of this package, which must be the same on all machines."""
    return f"{code_digest()}{code_digest(Path(__file__).parent)}"
