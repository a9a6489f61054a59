"""The edits that silence a code: after them the finding is silenced, and the code means what it meant."""

import ast
from pathlib import Path

import pytest
from source_edits import apply

from dplint.claims import Span
from dplint.outcomes import Finding, Result, Severity, Untestable
from dplint.source.read import read_source
from dplint.source.suppressions import find_suppressions, ignore_edit, ignore_function_edit

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILE = "module.py"


def read(text):
    return read_source(Path(FILE), file=FILE, text=text)


def same_meaning(before, after):
    return ast.dump(ast.parse(before)) == ast.dump(ast.parse(after))


def at(line, code):
    return Finding(FILE, Span(line, 1, line, 2), None, code, Severity.WARNING, "wrong")


LINES = [
    # the text, the line, what becomes of it
    ("x = 1\n", 1, "x = 1  # dplint: ignore[DP101]\n"),
    ("x = 1", 1, "x = 1  # dplint: ignore[DP101]"),
    ("x = 1 \t\r\ny\r\n", 1, "x = 1  # dplint: ignore[DP101]\r\ny\r\n"),
    ("x = 1  # noqa: E501\n", 1, "x = 1  # noqa: E501  # dplint: ignore[DP101]\n"),
    ("x = 1  # dplint: ignore[DP2]\n", 1, "x = 1  # dplint: ignore[DP2, DP101]\n"),
    ("x = 1  # dplint: ignore[DP2] why # noqa\n", 1, "x = 1  # dplint: ignore[DP2, DP101] why # noqa\n"),
    ("x = 1  # dplint: ignore[DP101]\n", 1, "x = 1  # dplint: ignore[DP101]\n"),
    ("x = 1  # dplint: ignore\n", 1, "x = 1  # dplint: ignore  # dplint: ignore[DP101]\n"),
    ("x = '# dplint: ignore[DP2]'\n", 1, "x = '# dplint: ignore[DP2]'  # dplint: ignore[DP101]\n"),
    ("x = '''\n# dplint: ignore[DP2]\n'''\n", 2, "x = '''\n# dplint: ignore[DP2]\n'''  # dplint: ignore[DP101]\n"),
    ("x = '''\n'''.a('''\n''')\n", 1, "x = '''\n'''.a('''\n''')  # dplint: ignore[DP101]\n"),
    ("x = 1 + \\\n  2 + \\\n  3\n", 1, "x = 1 + \\\n  2 + \\\n  3  # dplint: ignore[DP101]\n"),
    ("x = 1 + \\\r  '''\r''' + \\\r  3", 1, "x = 1 + \\\r  '''\r''' + \\\r  3  # dplint: ignore[DP101]"),
    ("f(\n  1,\n  2)\n", 2, "f(\n  1,  # dplint: ignore[DP101]\n  2)\n"),
    ("f(\n  1,\n  2)\n", 1, "f(  # dplint: ignore[DP101]\n  1,\n  2)\n"),
    ("x = f'''{a}\n{b}'''; y = 1\n", 1, "x = f'''{a}\n{b}'''; y = 1  # dplint: ignore[DP101]\n"),
    ("# dplint: dp(epsilon=1)\ndef f(): 0\n", 1,
     "# dplint: dp(epsilon=1)  # dplint: ignore[DP101]\ndef f(): 0\n"),
    ("\ufeffx = 1\n", 1, "\ufeffx = 1  # dplint: ignore[DP101]\n"),
    ("if x:\n\ty = 'é'\n", 2, "if x:\n\ty = 'é'  # dplint: ignore[DP101]\n"),
]  # fmt: skip
FUNCTIONS = [
    ("x\ndef f():\n    return 1\n", 2, "x\n# dplint: ignore[DP101]\ndef f():\n    return 1\n"),
    ("x\ndef f():\n    return 1\n", 3, "x\n# dplint: ignore[DP101]\ndef f():\n    return 1\n"),
    ("def f():\r\n    return 1\r\n", 2, "# dplint: ignore[DP101]\r\ndef f():\r\n    return 1\r\n"),
    ("def f(): return 1", 1, "# dplint: ignore[DP101]\ndef f(): return 1"),
    ("x\r\nclass A:\r\n\t@a(\r\n\t1)\r\n\tasync def f(): return 1", 5,
     "x\r\nclass A:\r\n\t# dplint: ignore[DP101]\r\n\t@a(\r\n\t1)\r\n\tasync def f(): return 1"),
    ("# note\n# dplint: dp(epsilon=1)\n@a\ndef f(): 0\n", 2,
     "# note\n# dplint: dp(epsilon=1)\n# dplint: ignore[DP101]\n@a\ndef f(): 0\n"),
    ("# dplint: ignore[DP2] why\n# note\n@a\ndef f(): 0\n", 4,
     "# dplint: ignore[DP2, DP101] why\n# note\n@a\ndef f(): 0\n"),
    ("# dplint: dp(epsilon=1)  # dplint: ignore[DP2]\ndef f(): 0\n", 2,
     "# dplint: dp(epsilon=1)  # dplint: ignore[DP2]\n# dplint: ignore[DP101]\ndef f(): 0\n"),
    ("# dplint: ignore[DP2]\n\ndef f(): 0\n", 3, "# dplint: ignore[DP2]\n\n# dplint: ignore[DP101]\ndef f(): 0\n"),
    ("def f():\n    def g():\n        0\n    return g\n", 3,
     "def f():\n    # dplint: ignore[DP101]\n    def g():\n        0\n    return g\n"),
    ("def f():\n    def g():\n        0\n    return g\n", 4,
     "# dplint: ignore[DP101]\ndef f():\n    def g():\n        0\n    return g\n"),
    ("x = f(\n  1)\n", 2, "# dplint: ignore[DP101]\nx = f(\n  1)\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "after"), LINES)
def test_a_comment_for_a_line(text, line, after):
    edit = ignore_edit(text, line, "DP101")

    assert apply_with_mark(text, edit) == after
    assert find_suppressions(after, FILE).silences(at(line, "DP101"))


@pytest.mark.parametrize(("text", "line", "after"), FUNCTIONS)
def test_a_comment_for_a_function(text, line, after):
    edit = ignore_function_edit(text, line, "DP101")

    assert apply(text, edit) == after
    moved = line + (after.count("\n") - text.count("\n"))
    assert find_suppressions(after, FILE).silences(at(moved, "DP101"))


def apply_with_mark(text, edit):
    """A byte order mark is no character of the text that editors count in."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + apply(text.removeprefix(mark), edit)


# all findings of all fixtures, made by breaking their claims

BREAKS = [
    ("epsilon=", "epsilom="),
    ("neighbors=", "neighbours="),
    ("dp(", "dp(1, "),
    ('epsilon="epsilon"', 'epsilon="epsilom"'),
]
SPECIAL = '''\
from dplint import dp

class Outer:
	@dp(
		epsilon="epsilon", neighbors="linf",  # noqa: E501
		args={
			"mode": [1,
			2],
		}
	)
	@staticmethod
	async def method(queries, epsilon, mode):
		"""@dp(epsilon="epsilon")

		# dplint: ignore[DP001]
		"""
		# a comment
		# dplint: dp(epsilon="epsilon", neighbors="linf")
		# another one
		@other(
			1)
		def inner(queries, epsilon):
			return queries
		@dp(epsilon="epsilon", \\
			neighbors="linf", data="""queries""", \\
			delta="""(0
			* epsilon)""")
		def innermost(queries, epsilon): return f"""{queries}
{epsilon}"""
		return inner

f = dp(epsilon="epsilon")(lambda queries, epsilon: [
	queries,
])
dp(epsilon="epsilon", neighbors="linf")(
	lambda queries, epsilon: queries
)'''


def variants(text):
    return [text.rstrip("\r\n"), text.replace("\n", "\r\n"), text.replace("    ", "\t")]


def texts():
    """Every file broken in one way and in one form, three of four at night only, and the special one in all."""
    files = [path for path in sorted(FIXTURES.rglob("*.py")) if not path.name.startswith("syntax_")]
    for number, path in enumerate(files):
        text = path.read_text()
        breaks = [(right, wrong) for right, wrong in BREAKS if right in text]
        if "dplint" in text and breaks:
            right, wrong = breaks[number % len(breaks)]
            marks = [pytest.mark.nightly] if number % 4 else []
            yield pytest.param(variants(text.replace(right, wrong))[number % 3], id=f"{path.stem}-{wrong}", marks=marks)
    for right, wrong in BREAKS:
        for number, text in enumerate(variants(SPECIAL.replace(right, wrong))):
            yield pytest.param(text, id=f"special-{number}-{wrong}")


def check_silenced(before, findings, edit, finding):
    """The finding is silenced after the edit, wherever it stands now, and nothing else has changed."""
    after = apply(before, edit)
    source = read(after)
    kept, silenced = find_suppressions(after, FILE).silence(source.findings)
    moved = after.count("\n") - before.count("\n")
    same = [one for one in silenced if (one.code, one.message) == (finding.code, finding.message)]
    assert any(one.span.line in (finding.span.line, finding.span.line + moved) for one in same)
    assert len(kept) + len(silenced) == len(findings)
    assert same_meaning(before, after)
    assert (after.count("\r\n") == after.count("\n")) == (before.count("\r\n") == before.count("\n"))


@pytest.mark.parametrize("broken", list(texts()))
def test_after_the_edit_the_finding_is_silenced(broken):
    findings = read(broken).findings
    assert findings
    for finding in findings:
        for make in (ignore_edit, ignore_function_edit):
            check_silenced(broken, findings, make(broken, finding.span.line, finding.code), finding)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_after_the_edit_the_verdict_is_silenced(end):
    text = SPECIAL.replace("\n", end)
    mechanisms = [found.mechanism for found in read(text).mechanisms]
    assert len(mechanisms) == 5
    for number, mechanism in enumerate(mechanisms):
        for edit in (ignore_edit(text, mechanism.span.line, "DP904"), ignore_function_edit(text, mechanism, "DP904")):
            after = apply(text, edit)
            silences = find_suppressions(after, FILE).silences
            found = read(after).mechanisms
            assert silences(Result(found[number].mechanism, Untestable(reason="so")))
            others = [one.mechanism for one in found if one.mechanism.qualname != mechanism.qualname]
            outer = [one for one in others if not one.qualname.startswith(f"{mechanism.qualname}.")]
            assert not any(silences(Result(one, Untestable(reason="so"))) for one in outer)
            assert same_meaning(text, after)
