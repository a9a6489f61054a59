"""Suggested claims as text for people, and as JSON for others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dplint.report import numerals
from dplint.report.json_evidence import file_json

if TYPE_CHECKING:
    from dplint.check.suggesting import SuggestedFile
    from dplint.rules.suggesting.suggestion import Suggestion

LEVELS = ("high", "medium", "low", "unknown")
Found = Sequence["tuple[SuggestedFile, Suggestion]"]
"""Suggestions with the files that they are for, in the order in which they are to be read."""


def ranked(files: Iterable[SuggestedFile]) -> Found:
    """All suggestions, the surest first, those that are as sure by file and line."""
    found = [(file, one) for file in files for one in file.suggestions]
    return sorted(found, key=lambda pair: (LEVELS.index(pair[1].confidence), pair[0].file, pair[1].first))


def entry(file: SuggestedFile, one: Suggestion) -> str:
    """One suggestion: where, how sure, the claim, and what is uncertain of it."""
    name = one.function or "(no function)"
    where, line = file.place(one.span.line)
    lines = [f"{where}:{line}: {name} [{one.confidence}]", f"    {one.text}"]
    lines += [f"    ? {doubt}" for doubt in one.doubts]
    lines += [f"    = {one.trial}"] if one.trial else []
    return "".join(f"{line}\n" for line in lines)


def summary(found: Found, hidden: int = 0) -> str:
    """What was found, in a sentence, and what to do with it. hidden: less sure ones that were not asked for."""
    left = f" {numerals.count(hidden, 'less certain suggestion')} not shown." if hidden else ""
    if not found:
        return f"No function without a claim was found that adds noise to data.{left}\n"
    by = Counter(str(one.confidence) for _, one in found)
    parts = ", ".join(f"{by[level]} {level}" for level in LEVELS if by[level])
    noun = numerals.count(len(found), "claim")
    advice = "A line with ? is a guess: correct it before you trust a verdict."
    return f"{noun} suggested, by confidence: {parts}.{left} {advice}\n"


def suggestions_json(found: Found, errors: Sequence[tuple[str, int | None, str]]) -> str:
    """A document with all suggestions; places count from 1, columns in code points.

    `claim` is the text to write, `arguments` its arguments as they are written, `confidence` "high", "medium",
    "low" or "unknown", `function` null for lines that stand in no function, and `trial` null where nothing was tried.
    """
    document = {
        "version": 1,
        "suggestions": [
            {
                **file_json(file.place(one.span.line)[0]),
                "line": file.place(one.span.line)[1],
                "column": one.span.column,
                "function": one.function,
                "data": one.data,
                "confidence": str(one.confidence),
                "claim": one.text,
                "arguments": one.arguments,
                "uncertain": list(one.doubts),
                "trial": one.trial or None,
            }
            for file, one in found
        ],
        "errors": [{"file": file, "line": line, "message": message} for file, line, message in errors],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
