"""For each construct that the lowering names: a function that has it, and the same as the advice says to write it.

A row of `rewrites/constructs.txt` begins with `### construct`. Then comes the body of a mechanism, or a whole module,
and behind `---` what is written instead; "none" where nothing is, as the advice then has to say ("no rewrite: ..."). In
`rewrites/lines.txt`, of what the tables of advice name, all of that is in one line. `rewrites/head.txt` begins each
module.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "rewrites"


class Row(NamedTuple):
    """A construct, a module with it, and one without it; None where there is no way to write it."""

    construct: str
    before: str
    after: str | None


def rows() -> list[Row]:
    """All rows."""
    blocks = (FOLDER / "constructs.txt").read_text(encoding="utf-8").removeprefix("### ").split("\n### ")
    found = []
    for block in blocks:
        construct, _, text = block.partition("\n")
        before, _, after = text.partition("\n---\n")
        found.append(_row(construct, before, after))
    for line in (FOLDER / "lines.txt").read_text(encoding="utf-8").splitlines():
        construct, before, after = line.split(" | ")
        found.append(_row(construct, before.replace("; ", "\n"), after.replace("; ", "\n")))
    return found


def _row(construct: str, before: str, after: str) -> Row:
    written = None if after.strip() == "none" else _module(after.strip("\n"))
    return Row(construct, _module(before.strip("\n")), written)


def _module(text: str) -> str:
    head = (FOLDER / "head.txt").read_text(encoding="utf-8") + "\n\n"
    if "def made(" in text:
        return head + text
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return f'{head}@dp(epsilon="epsilon", neighbors="linf")\ndef made(rng, queries, epsilon):\n{body}'
