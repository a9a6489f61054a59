"""What a command would change in a file, as a unified diff."""

from __future__ import annotations

import difflib

from dplint.source.edits import Original
from dplint.source.notebooks import as_written


def difference(file: str, original: Original, text: str) -> str:
    """The difference to another text of the file; of a notebook between its cells, with magics as they are written."""
    before, after = original.text, text
    if original.notebook is not None:
        before, after = as_written(before), as_written(after)
    made = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{file}", f"b/{file}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made)
