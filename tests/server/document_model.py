"""Text synchronisation as the protocol has it, written a second time and naively: what the server is compared with."""

import io
from dataclasses import dataclass, field

CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""Of each encoding of positions: how Python writes it, and the bytes of a unit."""


def lines_of(text):
    """The lines with their ends, which are \\n, \\r\\n and \\r, and no others; the last one may be empty."""
    found = io.StringIO(text, newline="").readlines()
    return found if found and not found[-1].endswith(("\n", "\r")) else [*found, ""]


def units(text, encoding):
    """The length of a text."""
    codec, width = CODECS[encoding]
    return len(text.encode(codec, "surrogatepass")) // width


def position_of(text, offset, encoding):
    """The position of a place."""
    before = lines_of(text[:offset])
    # A text that ends between the two characters of a line's end is on the line that they end.
    if offset and text[offset - 1] == "\r" and text[offset : offset + 1] == "\n":
        before = [*before[:-2], before[-2]]
    return {"line": len(before) - 1, "character": units(before[-1], encoding)}


def offset_of(text, position, encoding):
    """The place of a position; beyond the end of a line it is that end, inside of a character it is its beginning."""
    lines = lines_of(text)
    if position["line"] >= len(lines):
        return len(text)
    line = lines[position["line"]].rstrip("\r\n")
    start = sum(map(len, lines[: position["line"]]))
    column = 0
    while column < len(line) and units(line[: column + 1], encoding) <= position["character"]:
        column += 1
    return start + column


def cut_out(text, where, encoding):
    """The text of a range."""
    return text[offset_of(text, where["start"], encoding) : offset_of(text, where["end"], encoding)]


@dataclass
class Typed:
    """A document as the editor has it. Every edit gives the parameters of `didChange`; texts: of each version."""

    uri: str
    text: str
    encoding: str = "utf-16"
    version: int = 1
    texts: dict = field(default_factory=dict)

    def __post_init__(self):
        self.texts[self.version] = self.text

    @property
    def opened(self):
        """The parameters of `didOpen`."""
        document = {"uri": self.uri, "languageId": "python", "version": self.version, "text": self.text}
        return {"textDocument": document}

    @property
    def name(self):
        """The parameters of whatever is about the whole document."""
        return {"textDocument": {"uri": self.uri}}

    def replace(self, start, end, new):
        """Replace a piece of the text by another."""
        return self.change([(start, end, new)])

    def change(self, pieces):
        """Replace several pieces, one after the other, as one change; None in place of an offset: the whole text."""
        changes = []
        for start, end, new in pieces:
            if start is None:
                changes.append({"text": new})
                self.text = new
                continue
            where = {
                "start": position_of(self.text, start, self.encoding),
                "end": position_of(self.text, end, self.encoding),
            }
            changes.append({"range": where, "text": new})
            self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        self.texts[self.version] = self.text
        return {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": changes}
