"""Reading a buffer part by part gives what reading it whole gives, however it was edited before."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check.buffers import BufferReader
from dplint.check.loading import rule_findings, target_of
from dplint.claims import Span
from dplint.config import ClaimTable, Settings, shown
from dplint.program.nodes import Program
from dplint.source.read import read_source
from dplint.source.slices import slice_module, slice_what_parses
from tests.examples import one_in

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    *sorted((ROOT / "fixtures" / "statdp").glob("*.py")),
    *sorted((ROOT / "fixtures" / "realistic").rglob("*.py")),
    *sorted((ROOT / "fixtures" / "dpsniper").glob("*.py")),
    *sorted((ROOT / "fixtures" / "arguments").glob("*.py")),
]
SETTINGS = Settings()


def whole(path, text, settings=SETTINGS):
    """What reading everything at once gives."""
    source = read_source(path, file=str(path), text=text, table=settings.mechanisms)
    targets = [target_of(source, found) for found in source.mechanisms]
    return targets, [*source.findings, *rule_findings(source, source.mechanisms, settings)]


def check(reader, path, text, settings=SETTINGS):
    loaded = reader.read(path, text, settings)
    targets, findings = whole(path, text, settings)
    file = {"file": str(path)}
    seen = [replace(view.mechanism, **file) for view in loaded.views]
    assert seen == [target.mechanism for target in targets]
    assert not loaded.errors
    for finding in loaded.findings:
        assert finding.file.endswith((path.name, "pyproject.toml"))
    shape = lambda found: sorted((one.span, one.code, one.message.replace(str(path), "F")) for one in found)  # noqa: E731
    mine = [replace(one, message=one.message.replace(module_name_of(path), "F")) for one in loaded.findings]
    assert shape(mine) == shape(findings)
    for view, target in zip(loaded.views, targets, strict=True):
        assert (view.obstacle is None) == isinstance(target.program, Program)
        if view.obstacle is not None:
            assert view.obstacle == target.program
    return loaded


def module_name_of(path):
    return shown(path)


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT / "fixtures")) for path in FILES])
def test_a_fixture_reads_the_same_in_parts(path):
    reader = BufferReader()
    text = path.read_text()

    first = check(reader, path, text)
    assert reader.read(path, text, SETTINGS) == first


def pieces():
    found = []
    for path in FILES:
        slices = slice_module(path.read_text())
        found += [part.text for part in slices.parts]
    return found


PIECES = pieces()
ODD = [
    "def twice():\n    import math\n    return math",
    "def sets_a_global():\n    global SIZE\n    SIZE = 3",
    "# dplint: dp(epsilon=1.0)\ndef claimed(x):\n    return x",
    "# dplint: dp(epsilon=1.0)",
    "N = 3",
    'if __name__ == "__main__":\n    N = 4\n    print(N)',
    "class Keeper:\n    @dp(epsilon=1.0)\n    def release(self, x):\n        return x",
    "from dplint import dp",
    "import numpy as np",
    "@dp(epsilon=EPS)\ndef constant(x):\n    return helper(x)",
    "EPS = 0.5",
    "EPS = 2 * N",
    "N = OTHER",
    "OTHER: float = 0.25",
    "SPARE",
    "EPS += 1",
    "(N := 7)",
    "helper = lambda x: x",
    "@dp(epsilon='epsilom')\ndef suggests(x, epsilon):\n    return x",
    "def helper(x):\n    return x + np.random.laplace(scale=2.0)",
    "@dp(epsilon='epsilon', neighbors=':pairs')\ndef pairwise(x, epsilon):\n    return x",
    "def pairs():\n    yield 1, 2",
    "x = dp(epsilon=1.0)(helper)",
    "noisy = dp(epsilon=1.0)(lambda x: x)",
    "@dp(epsilom=1.0)\ndef misspelt(x):\n    return x",
    "import dplint as words",
    "@words.dp(epsilon=1.0)\ndef by_module(x):\n    return x",
    "from dplint import dp as promise",
    "promise = dp",
    "@promise(epsilon=1.0)\ndef by_another_name(x):\n    return x",
    "def applies(x):\n    return promise(epsilon=1.0)(helper)(x)",
    "def plain(x):\n\n    return helper(x)\n\n\ndef plainer(x): return 2",
    "try:\n    from dplint import dp as vow\nexcept ImportError:\n    pass",
    "def vowed(x):\n    return vow(epsilon=1.0)(plain)",
    "de@dp(epsilon=1.0)\ndef glued(x):\n    return helper(x)",
    "N@dp(epsilon=1.0)(helper)",
    "dp(epsilon=1.0)(plain)",
    "alias = plain",
    "other = alias",
    "dp(epsilon=1.0)(other)",
    "N = 3@dp(epsilon=1.0)",
    "if N:\n    alias = helper",
    "def half(x):\n    r@dp(epsilon=1.0)(helper)",
    "def aliased(x):\n    dp(epsilon=1.0)(x)\n\n\naliased(helper)",
    "@register\n@dp(epsilon=1.0)\ndef decorated(x):\n    return x",
    "",
]


@pytest.mark.parametrize("seed", one_in(4, range(40)))
def test_after_edits_it_reads_the_same_in_parts(seed):
    """Statements are put in, taken out, moved and changed; what was read before must never show."""
    chance = random.Random(seed)
    path = ROOT / "buffer_under_test.py"
    reader = BufferReader()
    statements = ["from dplint import dp", "import numpy as np", *chance.sample(PIECES, 4), *chance.sample(ODD, 8)]
    for _ in range(12):
        at = chance.randrange(len(statements) + 1)
        match chance.randrange(5):
            case 0:
                statements.insert(at, chance.choice(ODD))
            case 1:
                statements.insert(at, chance.choice(PIECES))
            case 2 if len(statements) > 3:
                statements.pop(min(at, len(statements) - 1))
            case 3:
                statements.insert(at, "\n" * chance.randrange(4) + "# a comment by itself\n")
            case _:
                at = min(at, len(statements) - 1)
                statements[at] = statements[at].replace("epsilon", chance.choice(["epsilon", "eps"]), 1)
        text = chance.choice(["\n", "\r\n"]).join(chance.choice(["\n\n", "\n"]).join(statements).split("\n"))
        try:
            slice_module(text)
        except SyntaxError:
            continue
        assert check(reader, path, text) == BufferReader().read(path, text, SETTINGS)


def test_a_claim_in_pyproject_is_read_with_its_function():
    path = ROOT / "buffer_under_test.py"
    span = Span(3, 1, 3, 9)
    tables = {
        name: ClaimTable(name, {"epsilon": 1.0}, "pyproject.toml", span)
        for name in ("buffer_under_test:release", "buffer_under_test:missing")
    }
    settings = Settings(mechanisms=tables)
    reader = BufferReader()

    text = "def other(x):\n    return x\n\ndef release(x):\n    return x\n"
    first = check(reader, path, text, settings)
    assert [view.mechanism.qualname for view in first.views] == ["release"]
    assert [finding.code for finding in first.findings] == ["DP201", "DP016"]
    check(reader, path, text.replace("return x", "return x + 1"), settings)
    check(reader, path, text.replace("release", "missing"), settings)


def test_what_does_not_parse_is_left_out_and_said():
    path = ROOT / "buffer_under_test.py"
    good = "from dplint import dp\n\n@dp(epsilon=1.0)\ndef right(x):\n    return x\n\n"
    loaded = BufferReader().read(path, good + "@dp(epsilon=2.0)\ndef typing(x:\n    return (\n\nN = 3\n", SETTINGS)

    assert [view.mechanism.qualname for view in loaded.views] == ["right"]
    assert len(loaded.errors) == 1
    assert loaded.errors[0].line in (8, 9)  # Python's versions differ
    assert "does not parse" in loaded.errors[0].message


@pytest.mark.parametrize("cut", one_in(4, range(0, 1200, 7)))
def test_half_a_file_never_breaks_it(cut):
    text = FILES[0].read_text()[: 600 + cut]
    loaded = BufferReader().read(FILES[0], text, SETTINGS)

    whole_reading = BufferReader().read(FILES[0], FILES[0].read_text(), SETTINGS)
    complete = [view.mechanism for view in whole_reading.views if view.last < text.count("\n") - 1]
    assert [view.mechanism for view in loaded.views][: len(complete)] == complete


def test_source_keys_follow_what_a_mechanism_is_made_of():
    text = (
        "from dplint import dp\nN = 3\n\ndef helper(x):\n    return x\n\ndef stranger(x):\n    return x\n\n"
        "@dp(epsilon=1.0)\ndef release(x):\n    return helper(x)\n"
    )

    def source_key(changed):
        (view,) = BufferReader().read(ROOT / "b.py", changed, SETTINGS).views
        return view.source_key

    same = [
        text.replace("stranger(x):\n    return x", "stranger(x):\n    return -x"),
        "\n\n# note\n\n" + text,
        text.replace("return helper(x)", "return helper( x )  # as it is"),
    ]
    other = [
        text.replace("N = 3", "N = 4"),
        text.replace("return x\n\ndef s", "return -x\n\ndef s"),
        text.replace("helper(x)\n", "-helper(x)\n"),
        text + "\nN += 1\n",
    ]
    assert {source_key(one) for one in same} == {source_key(text)}
    assert source_key(text) not in {source_key(one) for one in other}


def test_a_main_block_is_no_part_of_a_mechanism():
    base = "from dplint import dp\n\ndef main():\n    pass\n\n@dp(epsilon=1.0)\ndef release(x):\n    return x\n\n"
    texts = [f'{base}if __name__ == "__main__":\n    main()\n', f'{base}if __name__ == "__main__":\n    print(1)\n']
    source_keys = {BufferReader().read(ROOT / "b.py", text, SETTINGS).views[0].source_key for text in texts}

    assert len(source_keys) == 1


def test_slices_keep_every_line_where_it_is():
    for path in FILES:
        text = path.read_text()
        slices = slice_module(text)
        reduced = slices.only(slices.reach([]))
        assert len(reduced.split("\n")) == len(text.split("\n"))
        assert slices.only(range(len(slices.parts))) == text


def test_what_is_left_out_leaves_all_lines_in_place_whatever_they_end_with():
    claim = "# dplint: dp(epsilon=1.0, misspelt=2)\rdef release(x):\n    return x\n"
    for text in (
        f"\r]\nx = 1\n{claim}",
        f"x = 1\r]\n\n]\r\n\r)\ny = 2\n{claim}",
        f"def plain():\r    y\r\n\n\n{claim}\rdef other(): 1\n",
    ):
        (finding,) = BufferReader().read(ROOT / "b.py", f"from dplint import dp\r{text}", SETTINGS).findings
        before = re.split("\r\n|\r|\n", text[: text.index("# dplint")])
        assert finding.span.line == len(before) + 1


def test_slicing_what_is_typed_ends():
    for text in ("(" * 50, "def f(:\n" * 30, '"""', "\x00", "x = (\n" * 20, "@\n@\n@\n", "\\"):
        try:
            slice_what_parses(text)
        except SyntaxError:
            continue
