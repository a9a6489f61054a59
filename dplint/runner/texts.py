"""Numbers for texts, so that arrays hold them."""

from __future__ import annotations

from typing import Dict, List


class TextNumbers:
    """Numbers for the texts of an audit, the same in every batch. texts: by their numbers; nobody else changes it."""

    def __init__(self) -> None:
        self._numbers: Dict[str, int] = {}
        self.texts: List[str] = []

    def number(self, text: str) -> int:
        """The number of a text; a new text gets the next one."""
        found = self._numbers.get(text)
        if found is None:
            text = str(text)
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found

    def copy(self) -> TextNumbers:
        """The same numbers, to which others may be added."""
        found = TextNumbers()
        found._numbers, found.texts = dict(self._numbers), list(self.texts)
        return found
