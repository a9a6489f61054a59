"""A storm: somebody types faster than anybody can, in a file with twenty mechanisms, while these are tested."""

import random
import re
import time

from tests.server.document_model import Typed, cut_out

HEAD = "import math\nfrom dplint import dp\n"
KINDS = [
    # The wrong ones are refuted in a moment, so that a storm of three seconds sees verdicts.
    """
@dp(epsilon=0.7, neighbors="l1")
def wrong_histogram(rng, counts):
    noisy = [count + rng.laplace(scale=0.2) for count in counts]
    return noisy
""",
    """
@dp(epsilon=0.7, neighbors="linf")
def right_max(rng, queries):
    noisy = [query + rng.laplace(scale=2 / 0.7) for query in queries]
    return noisy.index(max(noisy))
""",
    """
@dp(epsilon=0.7, neighbors="linf")
def bare_threshold(rng, queries):
    threshold = rng.laplace(scale=2 / 0.7)
    return [query >= threshold for query in queries]
""",
    """
@dp(epsilon=0.7, neighbors="l1")
def right_histogram(rng, counts):
    noisy = [count + rng.laplace(scale=1 / 0.7) for count in counts]
    return noisy
""",
    """
# dplint: dp(epsilon=0.7, neighbors="l1", sensitivty=1)
def misspelt(rng, counts):
    noisy = [count + rng.laplace(scale=1 / 0.7) for count in counts]
    return noisy
""",
]
_INSIDE = ["    spare = [1, 2]\n", "\n", "    # a note\n", '    "words"\n', "    spare = (1,\n             2)\n"]
_BETWEEN = ["\n", "# a note by itself\n", "def spare(x):\n    return x\n", "SPARE = 3\n", "\n\n"]
_BODY = re.compile(r"^    (?=noisy|return|threshold)", re.MULTILINE)
_DEF = re.compile(r"^(?:@dp|# dplint)", re.MULTILINE)


def twenty_mechanisms(count=20):
    """The text of a module with so many mechanisms, right and wrong by turns, and with a claim that is misspelt."""
    found = [HEAD]
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        found.append(re.sub(r"^def (\w+)", rf"def \1_{number:02}", kind, flags=re.MULTILINE))
    return "\n".join(found)


def keys(document, seed):
    """Bursts of edits without end, each edit as parameters of `didChange`; behind each burst the text is Python."""
    chance = random.Random(seed)
    while True:
        match chance.randrange(6):
            case 0:
                yield _change_number(document, chance)
            case 1:
                yield _move_function(document, chance)
            case found:
                yield _type_line(document, chance, inside=found > 3)


def _type_line(document, chance, *, inside):
    places = [one.start() for one in (_BODY if inside else _DEF).finditer(document.text)]
    at, words = chance.choice(places), chance.choice(_INSIDE if inside else _BETWEEN)
    for index, key in enumerate(words):
        yield document.replace(at + index, at + index, key)
    if chance.random() < 0.7:
        for index in reversed(range(len(words))):
            yield document.replace(at + index, at + index + 1, "")


def _change_number(document, chance):
    numbers = list(re.finditer(r"(?<=scale=)\d", document.text))
    found = chance.choice(numbers)
    yield document.replace(found.start(), found.end(), "")
    yield document.replace(found.start(), found.start(), chance.choice("123"))


def _move_function(document, chance):
    """Cut and paste, as two edits."""
    starts = [one.start() for one in _DEF.finditer(document.text)]
    first = chance.randrange(len(starts) - 1)
    text = document.text[starts[first] : starts[first + 1]]
    yield document.replace(starts[first], starts[first + 1], "")
    where = chance.choice([one.start() for one in _DEF.finditer(document.text)])
    yield document.replace(where, where, text)


def requests(document, chance):
    """A request about some place, as an editor makes them all the time."""
    line = chance.randrange(document.text.count("\n"))
    start, end = {"line": line, "character": 0}, {"line": line, "character": 8}
    return chance.choice(
        [
            ("textDocument/codeLens", document.name),
            ("textDocument/hover", {**document.name, "position": end}),
            ("textDocument/inlayHint", {**document.name, "range": {"start": {"line": 0, "character": 0}, "end": end}}),
            (
                "textDocument/codeAction",
                {**document.name, "range": {"start": start, "end": end}, "context": {"diagnostics": []}},
            ),
        ]
    )


def storm(client, document, *, edits, seconds, seed, each=3, pulls=False):
    """Send so many edits at an even pace, to the end of the last burst, and a request with every third one; these."""
    chance, began = random.Random(seed + 1), time.monotonic()
    asked, number = [], 0
    typing = keys(document, seed)
    while number < edits:
        for edit in next(typing):
            time.sleep(max(0.0, began + number * seconds / edits - time.monotonic()))
            client.notify("textDocument/didChange", edit)
            if number % each == 0:
                asked.append(client.ask(*requests(document, chance)))
            if pulls and number % (4 * each) == 0:
                asked.append(client.ask("textDocument/diagnostic", document.name))
            number += 1
    return asked


def misplaced(document, published):
    """What is wrong in published diagnostics: versions that go back, and places where a name is not."""
    found, last = [], 0
    for one in published:
        version = one.params.get("version")
        if version is None or not last <= version <= document.version:
            found.append(f"version {version} after {last}")
            continue
        last = version
        found += wrong_places(document, version, one.params["diagnostics"])
    return found


def wrong_places(document: Typed, version, diagnostics):
    """Verdicts that do not cover the name of their function in exactly that text; the same of misspelt claims."""
    found = []
    for one in diagnostics:
        covered = cut_out(document.texts[version], one["range"], document.encoding)
        code, name = one.get("code"), (one.get("data") or {}).get("function")
        wanted = name if code and code.startswith("DP9") else "sensitivty" if code == "DP001" else ""
        if not covered or wanted is None or wanted not in covered:
            found.append(f"{code} of {name} in version {version} covers {covered!r}")
    return found


def outline(diagnostics):
    """What must be the same however a text came about: verdicts by their place, findings and errors in full."""
    return sorted(
        (
            one["range"]["start"]["line"],
            one["range"]["start"]["character"],
            one["range"]["end"]["line"],
            one["range"]["end"]["character"],
            one.get("code") or "",
            "" if (one.get("code") or "").startswith("DP9") else one["message"],
            one["severity"],
        )
        for one in diagnostics
    )
