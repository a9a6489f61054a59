"""The hint that names what the user probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, None if none is much like it.

    Of two that share as much with it, the one that has more of that in the same place, or else the first.
    """
    folded = {name.lower().replace("-", "_"): name for name in known}
    wanted = word.lower().replace("-", "_")
    found = difflib.get_close_matches(wanted, folded, n=8, cutoff=0.6)

    places = {name: place for place, name in enumerate(folded)}

    def likeness(name: str) -> tuple[float, int, int]:
        in_place = sum(map(str.__eq__, name, wanted))
        return difflib.SequenceMatcher(None, name, wanted).ratio(), in_place, -places[name]

    return folded[max(found, key=likeness)] if found else None


def hint(word: str, known: Iterable[str], *, noun: str) -> str:
    """A sentence that names the nearest known word, or, where none is near, all of them."""
    names = list(known)
    near = nearest(word, names)
    if near is not None:
        return f"Did you mean {near!r}?"
    return f"{noun[:1].upper()}{noun[1:]}: {', '.join(names)}." if names else f"There are no {noun}."
