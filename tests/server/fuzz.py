"""Random edits of a document, such as nobody would make: the server must have the same text after each of them.

    python -m tests.server.fuzz [--edits 20000] [--seed 0] [--encoding utf-8 utf-16 utf-32]

Nothing of the texts is run. What is published must lie where it says, and be what a document that was opened with the
same text is told.
"""

import argparse
import ast
import heapq
import random
import re
import sys
import tempfile
import textwrap
from pathlib import Path

from tests.server.document_model import CODECS, Typed, cut_out, lines_of, offset_of, position_of
from tests.server.lsp_client import LspClient
from tests.server.processes import all_gone
from tests.server.storm import outline, twenty_mechanisms

SERVER = (sys.executable, str(Path(__file__).with_name("open_server.py")))
ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "fixtures").rglob("*.py")), *(Path(one.__file__) for one in (ast, heapq, textwrap))]
HALF = [
    "def f(",
    "@dp(",
    "@dp(epsilon=",
    "'",
    '"""',
    "(" * 30,
    "[",
    "}",
    "\\",
    "if x:",
    "  ",
    "lambda",
    "# dplint: dp(",
]
ODD = [
    "\r",
    "\r\n",
    "\n",
    "\t",
    "\f",
    "\v",
    "\x00",
    "\x85",
    "\u2028",
    "\u2029",
    "\ufeff",
    "\x1c",
    "😀",
    "👩‍👩‍👧",
    "𝔸",
    "é",
    "e\u0301",
    "中",
    "\ud83d",
]
CLAIM = '# dplint: dp(neighbors="😀𝔸é中", sensitivty=1, epsilon=0.7)\ndef odd_{}(rng, x):\n    return x  # 😀\n\n'
_MISSPELT = re.compile(r"dp has no argument '(\w+)'")
_EACH = 12
"""Edits between two looks at the diagnostics."""


class Fuzzer:
    """An editor whose user has gone mad, and a second document to compare with."""

    def __init__(self, client, document, chance):
        self.client = client
        self.document = document
        self.chance = chance
        self.pieces = [path.read_text(encoding="utf-8") for path in FILES]
        self.base = document.text
        self.largest = 2 * len(document.text) + 60_000
        self.compared = self.placed = 0

    def edit(self):
        """One edit, of one piece or several."""
        chance, text = self.chance, self.document.text
        choice = chance.random()
        if choice < 0.10 or len(text) > self.largest:
            return self.document.change([(None, None, self.fresh_text())])
        if choice < 0.16:
            return self.document.change(self.cut_and_paste(text))
        start = self.place(text)
        end = start if choice < 0.6 else self.place(text, start, start + chance.choice([1, 1, 2, 10, 300]))
        return self.document.replace(start, end, self.piece())

    def place(self, text, first=0, last=None):
        """An offset that an editor can name: not between the two characters of a line's end."""
        found = self.chance.randint(first, len(text) if last is None else min(last, len(text)))
        between = text[found - 1 : found + 1] == "\r\n"
        return found + between

    def piece(self):
        """Something to put in."""
        chance = self.chance
        match chance.randrange(6):
            case 0:
                return "".join(chance.choices(ODD, k=chance.randint(1, 4)))
            case 1:
                return chance.choice(HALF)
            case 2:
                return CLAIM.format(chance.randrange(9))
            case 3:
                return ""
            case 4:
                return chance.choice("abcdef(). =:\n")
            case _:
                source = chance.choice(self.pieces)
                start = chance.randrange(len(source))
                return source[start : start + chance.choice([1, 20, 400])]

    def cut_and_paste(self, text):
        start = self.place(text)
        end = self.place(text, start, start + 500)
        rest = text[:start] + text[end:]
        where = self.place(rest)
        return [(start, end, ""), (where, where, text[start:end])]

    def fresh_text(self):
        """A text that parses: that of the beginning, or a file; with other ends of lines, or with a mark."""
        text = self.chance.choice([self.base, self.base, self.chance.choice(self.pieces)])
        end = self.chance.choice(["\n", "\n", "\r\n", "\r"])
        return self.chance.choice(["", "", "\ufeff"]) + text.replace("\n", end)

    # what is compared

    def check_text(self):
        """The server has the editor's text, and so has pygls."""
        for text in self.client.request("test/text", self.document.name):
            assert text == self.document.text, (self.document.version, difference(text, self.document.text))

    def check_diagnostics(self):
        """They lie where they say, and are those of a document that was opened with this text."""
        uri = self.document.uri.replace("m.py", "other.py")
        other = Typed(uri, self.document.text, self.document.encoding)
        self.client.notify("textDocument/didOpen", other.opened)
        asked = [self.client.ask("textDocument/diagnostic", one.name) for one in (self.document, other)]
        found, expected = (self.client.answer(one)["items"] for one in asked)
        self.client.notify("textDocument/didClose", other.name)
        assert outline(found) == outline(expected), (self.document.version, self.document.text)
        for one in found:
            self.check_place(self.document.text, one)
        self.compared += len(found)

    def check_place(self, text, diagnostic):
        """Both ends are places of the text, and a word that is named stands there."""
        encoding, where = self.document.encoding, diagnostic["range"]
        for end in where.values():
            assert position_of(text, offset_of(text, end, encoding), encoding) == end, (diagnostic, text)
        named = _MISSPELT.match(diagnostic["message"])
        if named is not None:
            self.placed += 1
            assert cut_out(text, where, encoding).startswith(named[1]), (diagnostic, text)

    def ask_something(self):
        """A request about any place, also one that is not there."""
        line = self.chance.randrange(len(lines_of(self.document.text)) + 3)
        place = {"line": line, "character": self.chance.choice([0, 3, 40, 10**6])}
        where = {"start": place, "end": {"line": line + self.chance.randrange(9), "character": 1}}
        about = self.document.name
        asked = [
            ("textDocument/hover", {**about, "position": place}),
            ("textDocument/codeLens", about),
            ("textDocument/inlayHint", {**about, "range": where}),
            ("textDocument/codeAction", {**about, "range": where, "context": {"diagnostics": []}}),
        ]
        return self.client.ask(*self.chance.choice(asked))

    def reopen(self):
        """Close the document, and open it with the same text."""
        self.client.notify("textDocument/didClose", self.document.name)
        self.client.notify("textDocument/didOpen", self.document.opened)


def difference(found, expected):
    """Where two texts begin to differ."""
    at = next((at for at, pair in enumerate(zip(found, expected, strict=False)) if len(set(pair)) > 1), None)
    at = min(len(found), len(expected)) if at is None else at
    return f"at {at}: {found[at : at + 40]!r} for {expected[at : at + 40]!r}"


def fuzz(folder, *, encoding, edits, seed, text=None):
    """So many edits; how many diagnostics were compared, and of how many the place was checked by their words."""
    text = twenty_mechanisms(5) + CLAIM.format("base") if text is None else text
    with LspClient(folder, command=SERVER) as client:
        ready = client.initialize(pulls=True, encodings=(encoding,), options={"trusted": False})
        assert ready["capabilities"]["positionEncoding"] == encoding
        document = Typed((folder / "m.py").as_uri(), text, encoding)
        client.notify("textDocument/didOpen", document.opened)
        fuzzer, asked = Fuzzer(client, document, random.Random(seed)), []
        fuzzer.check_diagnostics()
        for number in range(edits):
            client.notify("textDocument/didChange", fuzzer.edit())
            document.texts.clear()
            fuzzer.check_text()
            if number % 7 == 0:
                asked.append(fuzzer.ask_something())
            if number % _EACH == 0 or number == edits - 1:
                fuzzer.check_diagnostics()
            if number % 97 == 0:
                fuzzer.reopen()
        for one in asked:
            client.answer(one)
        assert client.leave() == 0
        assert all_gone(client.mark) == []
        client.check()
        failures = [one.params for one in client.notifications("window/logMessage")]
        assert not failures, failures
        assert "Traceback" not in client.errors(), client.errors()
        return fuzzer.compared, fuzzer.placed


def main():
    """Fuzz, and say what was compared."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edits", type=int, default=20_000, help="for each encoding")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--encoding", nargs="+", choices=CODECS, default=list(CODECS))
    options = parser.parse_args()
    for encoding in options.encoding:
        with tempfile.TemporaryDirectory() as folder:
            found = fuzz(Path(folder), encoding=encoding, edits=options.edits, seed=options.seed)
        words = f"{encoding}: {options.edits:,} edits, {found[0]:,} diagnostics, {found[1]:,} of them by their words\n"
        sys.stdout.write(words)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
