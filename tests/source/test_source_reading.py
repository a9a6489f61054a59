"""Reading never crashes, costs nothing where there is no claim, and says where a file is broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from dplint.claims import Span
from dplint.source.read import SourceFile, read_source
from dplint.source.text import Segment, split_lines
from tests.examples import examples

CLAIMED = (
    "import math\nfrom dplint import dp\nN = 3\n\n@dp(epsilon='eps', domain=(0, N), args={'k': [1, 2]})\n"
    "def f(q, eps, *, k=1):\n    '''text'''\n    return [x + eps for x in q]\n\n\nclass C:\n\t@staticmethod\n"
    '\t# dplint: dp(epsilon=math.log(3), neighbors="any", size=(1, 2))\n\tdef g(x: bool): return x\n\n'
    "h = dp(epsilon=1.0)(lambda q: '😀')\n"
)


def on_disk(folder: Path, raw: bytes) -> SourceFile:
    path = folder / "m.py"
    path.write_bytes(raw)
    return read_source(path, file="m.py")


# never a crash


@examples(150, suppress_health_check=list(HealthCheck))
@given(
    start=st.integers(0, len(CLAIMED)),
    length=st.integers(0, 12),
    insert=st.one_of(
        st.text(max_size=6),
        st.text("()[]{}'\"\\#:,=@*-+. \t\n\r\f\0\ufeff", max_size=6),
        st.sampled_from(
            ["lambda:", "dp(", "**", "# dplint: dp(", "epsilon=", "not ", "async ", "\ud800", "@dp\n", "if 1:\n"]
        ),
    ),
)
def test_mutated_text_never_crashes(start: int, length: int, insert: str) -> None:
    text = CLAIMED[:start] + insert + CLAIMED[start + length :]
    source = read_source(Path("m.py"), file="m.py", text=text)
    lines = split_lines(source.text)
    if source.errors:
        assert source.mechanisms == ()
        assert all(error.line is None or 1 <= error.line <= len(lines) + 1 for error in source.errors)
    spans = [finding.span for finding in source.findings]
    spans += [span for found in source.mechanisms for span in (found.mechanism.span, found.mechanism.claim_span)]
    for span in spans:
        assert 1 <= span.line <= span.end_line <= len(lines)
        assert 1 <= span.column <= len(lines[span.line - 1]) + 1
        assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1
        assert (span.line, span.column) < (span.end_line, span.end_column)


@examples(100)
@given(st.binary(max_size=60))
def test_any_bytes_after_a_mark_never_crash(raw: bytes) -> None:
    folder = Path(__file__).parent
    source = read_source(folder / "m.py", file="m.py", text=(b"# dplint\n" + raw).decode("latin-1"))
    assert source.errors or source.module is not None


NESTED = 30_000


@pytest.mark.parametrize(
    "expression",
    [
        "(" * NESTED, "[" * 200 + "]" * 200, "-" * NESTED + "1", "not " * NESTED + "1", "lambda: " * NESTED + "1",
        "1" + "+1" * 900, "1" + "+1" * NESTED, "1" + " and 1" * NESTED, "a" + ".b" * NESTED, "a" + "()" * NESTED,
        "(1" + "\n**1" * NESTED + ")", "1 if 1 else " * NESTED + "1", "1" + "\\\n + 1" * NESTED,
    ],
    ids=str.split("brackets closed signs nots lambdas sum sums ands attributes calls powers choices lines"),
)  # fmt: skip
def test_deep_nesting_is_an_error_not_the_end_of_the_process(expression: str) -> None:
    source = read_source(Path("m.py"), file="m.py", text=f"# dplint\n\nx = {expression}\n")
    assert len(source.errors) == 1
    line = source.errors[0].line
    assert line is None or line >= 3


def test_long_tables_and_chains_of_branches() -> None:
    table = "# dplint\nx = [" + "-1.5, a.b(2) + 1,\n" * 400 + "]\n"
    assert read_source(Path("m.py"), file="m.py", text=table).errors == ()
    branches = "# dplint\nif a:\n    b\n" + "elif a:\n    b\n" * 2500
    assert len(read_source(Path("m.py"), file="m.py", text=branches).errors) == 1


def test_brackets_in_strings_and_comments_do_not_nest() -> None:
    many = "(" * 500
    source = read_source(Path("m.py"), file="m.py", text=f'# dplint {many}\nx = \'{many}\'\ny = """\n{many}\'\n"""\n')
    assert source.errors == ()


# errors with their place


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("# dplint\n\ndef f(:\n    pass\n", 3, "syntax"),
        ("# dplint\nx = (1,\n\ny = 2\n", 2, "never closed"),
        ("# dplint\nif 1:\n    x\n  y\n", 4, "indent"),
        ("# dplint\nx = 'a\n", 2, "unterminated"),
        ("# dplint\nx = \ud800\n", None, "surrogates"),
    ],
)
def test_text_that_does_not_parse(text: str, line: int | None, words: str) -> None:
    source = read_source(Path("m.py"), file="shown/m.py", text=text)
    (error,) = source.errors
    assert (error.file, error.line) == ("shown/m.py", line)
    assert words in error.message
    assert source.module is None


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (b"# dplint\n\nx = '\xff'\n", 3, "utf-8"),
        (b"# dplint \xff\n", 1, "utf-8"),
        (b"# dplint\r\rx = '\xff'\r", 3, "utf-8"),
        (b"# coding: martian\n# dplint\n", 1, "martian"),
        (b"# coding: ascii\n# dplint \xc3\xa4\n", 2, "ascii"),
        (b"\xef\xbb\xbf# coding: latin-1\n# dplint\n", 1, "decoded"),
    ],
)
def test_bytes_that_cannot_be_decoded(tmp_path: Path, raw: bytes, line: int, words: str) -> None:
    (error,) = on_disk(tmp_path, raw).errors
    assert error.line == line
    assert words in error.message


def test_cookies_and_marks_are_obeyed(tmp_path: Path) -> None:
    claim = "# dplint: dp(epsilon=1)\ndef f(q): 'ä'\n"
    for raw in (f"# coding: latin-1\n{claim}".encode("latin-1"), b"\xef\xbb\xbf" + claim.encode()):
        source = on_disk(tmp_path, raw)
        assert source.errors == ()
        assert source.mechanisms[0].mechanism.source_lines == ("def f(q): 'ä'",)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (error,) = read_source(tmp_path / "missing.py", file="missing.py").errors
    assert (error.file, error.line) == ("missing.py", None)
    assert read_source(tmp_path, file=".").errors


def test_a_buffer_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("x = 1\n")
    source = read_source(tmp_path / "m.py", file="m.py", text="# dplint: dp(epsilon=1)\ndef f(q): ...\n")
    assert [found.mechanism.path for found in source.mechanisms] == [str(tmp_path / "m.py")]


# no claim, no cost


def test_a_file_without_a_claim_is_not_parsed(tmp_path: Path) -> None:
    source = on_disk(tmp_path, b"def f(:\n\xff")
    assert (source.errors, source.module) == ((), None)


@pytest.mark.process
@pytest.mark.parametrize(("content", "parsed"), [("import d_plint\n", False), ("import dplint\n", True)])
def test_libcst_is_imported_only_for_claims(tmp_path: Path, content: str, *, parsed: bool) -> None:
    (tmp_path / "m.py").write_text(content)
    code = (
        "import sys; from pathlib import Path; from dplint.source.read import read_source; import dplint.source.files\n"
        "source = read_source(Path(sys.argv[1]), file='m.py')\n"
        "print('libcst' in sys.modules, source.module is not None)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "m.py")]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.split() == [str(parsed), str(parsed)]


def test_positions_of_a_segment_count_code_points() -> None:
    segment = Segment("dp(x='😀', y=1,\n  z='ä')", 7, 5)
    assert segment.span(1, 3, 1, 11) == Span(7, 8, 7, 13)
    assert segment.span(2, 2, 2, 8) == Span(8, 3, 8, 8)
