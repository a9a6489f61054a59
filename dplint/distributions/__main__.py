"""`python -m dplint.distributions` writes docs/distributions.md, the list of all, to the standard output."""

from __future__ import annotations

import sys

from .registry import document

sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
sys.stdout.write(document())
