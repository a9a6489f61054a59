"""`python -m dplint.codes` writes docs/codes.md, the list of all codes, to the standard output."""

import sys

from dplint.codes.document import document

sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
sys.stdout.write(document())
