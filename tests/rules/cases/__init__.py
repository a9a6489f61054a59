"""The examples of a rule: one bad and one good on its page, and further ones here, a file for each rule.

A further example begins at a line `# bad` or `# good`, behind which may stand what it is about: code as users write it,
whose names are its own, with or without the imports at the head of the file.
"""

from __future__ import annotations

import re
from pathlib import Path

from dplint.codes import CODES
from dplint.rules import Rule

FOLDER = Path(__file__).parent
_MARK = re.compile(r"^# (bad|good)(?:: .*)?\n", re.MULTILINE)


def bad(rule: Rule) -> tuple[str, ...]:
    """All that the rule has to flag, that of its page first."""
    return _on_page(rule, "Bad") + _further(rule, "bad")


def good(rule: Rule) -> tuple[str, ...]:
    """All in which it must not see anything."""
    return _on_page(rule, "Good") + _further(rule, "good")


def _on_page(rule: Rule, heading: str) -> tuple[str, ...]:
    return tuple(re.findall(rf"^## {heading}\n\n```python\n(.*?)^```", CODES[rule.code].markdown, re.M | re.S))


def _further(rule: Rule, kind: str) -> tuple[str, ...]:
    file = FOLDER / f"{rule.code.lower()}.py"
    if not file.exists():
        return ()
    _, *marked = _MARK.split(file.read_text(encoding="utf-8"))
    return tuple(text for mark, text in zip(marked[::2], marked[1::2], strict=True) if mark == kind)
