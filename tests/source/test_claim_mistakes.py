"""Each code DP0xx: a wrong claim, the exact text that is at fault, and a right claim that looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.claims import Span
from dplint.codes import CODES
from dplint.outcomes import Severity
from dplint.source.read import SourceFile, read_source

HEADER = """\
import math
import numpy as np
from dplint import dp
from elsewhere import RATE, make_pairs

EPS = 0.5
TWICE = 1
TWICE = 2
ANSWERS = ["yes", "no"]


def pairs():
    yield [1], [2]


"""


def read(text: str) -> SourceFile:
    return read_source(Path("claims_under_test.py"), file="claims_under_test.py", text=text)


def decorated(arguments: str, signature: str) -> SourceFile:
    return read(f"{HEADER}@dp({arguments})\ndef mechanism({signature}):\n    return 0\n")


def excerpt(source: SourceFile, span: Span) -> str:
    """The text of a range, found without the code under test; all ranges here lie on one line."""
    assert span.line == span.end_line
    return source.text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


Q = "queries, epsilon"
B = "epsilon=1, domain={'id': (1, 5), 'age': (0, 9)}"
L = f"{B}, neighbors='any', labels='epsilon'"
MISTAKES = [
    ("DP001", "epsilon=1.0, neighbours='linf'", Q, "neighbours='linf'", "epsilon=1.0, neighbors='linf'"),
    ("DP001", "epsilon=1.0, epsilon=2.0", Q, "epsilon=2.0", "epsilon=1.0"),
    ("DP005", f"{B}, user='id', neighbors='any'", Q, "'id'", f"{B}, user='id', neighbors='add-remove'"),
    ("DP010", f"{B}, user='ib', neighbors='add-remove'", Q, "'ib'", f"{B}, user='id', neighbors='add-remove'"),
    ("DP007", f"{B}, labels='y', neighbors='add-remove'", Q, "'y'", f"{B}, labels='epsilon', neighbors='add-remove'"),
    ("DP007", f"{B}, labels='queries', neighbors='any'", Q, "'queries'", f"{B}, labels='epsilon', neighbors='any'"),
    ("DP013", f"{L}, args={{'epsilon': 1}}", Q, "1", f"{B}, neighbors='any', args={{'epsilon': 1}}"),
    ("DP010", "epsilon=1, domain=(0, 1), neighbors='any', labels='epsilon'", Q, "'epsilon'", L),
    ("DP007", f"{B}, data=('queries', 'y'), neighbors='any'", Q, "('queries', 'y')", f"{B}, neighbors='any'"),
    ("DP010", f"{B}, data=('queries', 'epsilon'), neighbors='any'", Q, "('queries', 'epsilon')",
     f"{B}, neighbors='any'"),
    ("DP002", "", Q, "@dp()", "epsilon=1"),
    ("DP002", "delta=0.1", Q, "@dp(delta=0.1)", "epsilon=1, delta=0.1"),
    ("DP003", "epsilon=0", Q, "0", "epsilon=0.001"),
    ("DP003", "epsilon=-1.5", Q, "-1.5", "epsilon=+1.5"),
    ("DP003", "epsilon=math.inf", Q, "math.inf", "epsilon=math.sqrt(2)"),
    ("DP003", "epsilon=1e400", Q, "1e400", "epsilon=1e300"),
    ("DP003", "epsilon=True", Q, "True", "epsilon=1"),
    ("DP003", "epsilon=None", Q, "None", "epsilon='epsilon'"),
    ("DP003", "epsilon='1 - 1'", Q, "'1 - 1'", "epsilon='2 - 1'"),
    ("DP003", "epsilon='epsilon', args={'epsilon': -1}", Q, "'epsilon'", "epsilon='epsilon', args={'epsilon': 1}"),
    ("DP003", "epsilon='epsilon', args={'epsilon': [1, 0]}", Q, "'epsilon'",
     "epsilon='epsilon', args={'epsilon': [1]}"),
    ("DP004", "epsilon=1, delta=1", Q, "1", "epsilon=1, delta=0.999"),
    ("DP004", "epsilon=1, delta=-1e-9", Q, "-1e-9", "epsilon=1, delta=0"),
    ("DP004", "epsilon=1, delta=[0.1]", Q, "[0.1]", "epsilon=1, delta=0.1"),
    ("DP005", "epsilon=1, neighbors='linff'", Q, "'linff'", "epsilon=1, neighbors='linf'"),
    ("DP005", "epsilon=1, neighbors='add_remove'", Q, "'add_remove'", "epsilon=1, neighbors='l1'"),
    ("DP005", "epsilon=1, neighbors=2", Q, "2", "epsilon=1, neighbors='l2'"),
    ("DP005", "epsilon=1, neighbors='module:'", Q, "'module:'", "epsilon=1, neighbors='module:function'"),
    ("DP006", "epsilon=1, neighbors='any'", "x", "'any'", "epsilon=1, neighbors='any', domain=(0, 1)"),
    ("DP006", "epsilon=1, neighbors='add-remove'", "x", "'add-remove'",
     "epsilon=1, neighbors='add-remove', domain=ANSWERS"),
    ("DP006", "epsilon=1, neighbors='replace-one', domain=None", "x", "'replace-one'", "epsilon=1, neighbors='linf'"),
    ("DP007", "epsilon='epsilom'", Q, "'epsilom'", "epsilon='epsilon'"),
    ("DP007", "epsilon=1, delta='d'", Q, "'d'", "epsilon=1, delta='epsilon / 10'"),
    ("DP007", "epsilon=1, data='query'", Q, "'query'", "epsilon=1, data='queries'"),
    ("DP007", "epsilon=1, data=0", Q, "0", "epsilon=1, data=None"),
    ("DP007", "epsilon=1, rng='gen'", "queries, g", "'gen'", "epsilon=1, rng='g'"),
    ("DP007", "epsilon=1, data='g', rng='g'", "queries, g", "'g'", "epsilon=1, data='queries', rng='g'"),
    ("DP007", "epsilon=1, args={'M': 1}", "queries, N", "1", "epsilon=1, args={'N': 1}"),
    ("DP008", "epsilon='epsilon +'", Q, "'epsilon +'", "epsilon='epsilon + 1'"),
    ("DP008", "epsilon='epsilon // 2'", Q, "'epsilon // 2'", "epsilon='epsilon / 2'"),
    ("DP008", "epsilon='open(epsilon)'", Q, "'open(epsilon)'", "epsilon='exp(epsilon)'"),
    ("DP008", "epsilon='sum(queries)'", Q, "'sum(queries)'", "epsilon='len(queries)'"),
    ("DP008", "epsilon='1 / 0'", Q, "'1 / 0'", "epsilon='1 / 2'"),
    ("DP008", "epsilon='len(x)', neighbors='add-remove', domain=(0, 1)", "x", "'len(x)'",
     "epsilon='len(x)', neighbors='replace-one', domain=(0, 1)"),
    ("DP008", "epsilon='rng'", "rng, q", "'rng'", "epsilon='1'"),
    ("DP009", "epsilon=compute()", Q, "compute()", "epsilon=math.log(3)"),
    ("DP009", "epsilon=RATE", Q, "RATE", "epsilon=EPS"),
    ("DP009", "epsilon=TWICE", Q, "TWICE", "epsilon=EPS * 2"),
    ("DP009", "epsilon=epsilon", Q, "epsilon", "epsilon='epsilon'"),
    ("DP009", "epsilon=f'{EPS:.1f}'", Q, "f'{EPS:.1f}'", "epsilon=EPS"),
    ("DP009", "**OPTIONS", Q, "**OPTIONS", "epsilon=1"),
    ("DP009", "epsilon=1, neighbors=lambda: 1", Q, "lambda: 1", "epsilon=1, neighbors=pairs"),
    ("DP009", "epsilon=1, neighbors=nowhere", Q, "nowhere", "epsilon=1, neighbors=make_pairs"),
    ("DP009", "epsilon=1, domain={'a', 'b'}, neighbors='any'", Q, "{'a', 'b'}",
     "epsilon=1, domain=['a', 'b'], neighbors='any'"),
    ("DP009", "epsilon=9**9**9", Q, "9**9**9", "epsilon=9**2"),
    ("DP009", "epsilon=math.log(0)", Q, "math.log(0)", "epsilon=math.log(2)"),
    ("DP010", "epsilon=1, domain=(2, 1)", Q, "(2, 1)", "epsilon=1, domain=(1, 2)"),
    ("DP010", "epsilon=1, domain=[]", Q, "[]", "epsilon=1, domain=[1]"),
    ("DP010", "epsilon=1, neighbors='any', domain=[1, 'a']", Q, "[1, 'a']",
     "epsilon=1, neighbors='any', domain=['1', 'a']"),
    ("DP010", "epsilon=1, domain=(0, math.inf)", Q, "(0, math.inf)", "epsilon=1, domain=(0, math.pi)"),
    ("DP010", "epsilon=1, domain=(0, 1, 2)", Q, "(0, 1, 2)", "epsilon=1, domain=[0, 1, 2]"),
    ("DP010", "epsilon=1, domain='(0, 1)'", Q, "'(0, 1)'", "epsilon=1, domain=(0, 1)"),
    ("DP010", "epsilon=1, neighbors='any', domain={'a': (3, 2)}", Q, "{'a': (3, 2)}",
     "epsilon=1, neighbors='any', domain={'a': (2, 3)}"),
    ("DP010", "epsilon=1, neighbors='any', domain={}", Q, "{}", "epsilon=1, neighbors='any', domain={'a': ['x', 'y']}"),
    ("DP010", "epsilon=1, neighbors='any', domain=[7]", Q, "[7]", "epsilon=1, neighbors='any', domain=[7, 8]"),
    ("DP010", "epsilon=1, domain={'a': (0, 1)}", Q, "{'a': (0, 1)}",
     "epsilon=1, neighbors='add-remove', domain={'a': (0, 1)}"),
    ("DP011", "epsilon=1, size=0", Q, "0", "epsilon=1, size=1"),
    ("DP011", "epsilon=1, size=(5, -5)", Q, "(5, -5)", "epsilon=1, size=(5, 5)"),
    ("DP011", "epsilon=1, size=[]", Q, "[]", "epsilon=1, size=[5]"),
    ("DP011", "epsilon=1, size=2.0", Q, "2.0", "epsilon=1, size=2"),
    ("DP011", "epsilon=1, size=True", Q, "True", "epsilon=1, size=None"),
    ("DP012", "epsilon=1, sensitivity=0", Q, "0", "epsilon=1, sensitivity=0.5"),
    ("DP012", "epsilon=1, sensitivity=-math.inf", Q, "-math.inf", "epsilon=1, sensitivity=EPS"),
    ("DP012", "epsilon=1, sensitivity='1'", Q, "'1'", "epsilon=1, sensitivity=1"),
    ("DP013", "epsilon=1, args={'N': (5, 1)}", "queries, N", "(5, 1)", "epsilon=1, args={'N': (1, 5)}"),
    ("DP013", "epsilon=1, args={'N': []}", "queries, N", "[]", "epsilon=1, args={'N': [1]}"),
    ("DP013", "epsilon=1, args={'N': (1, 2, 3)}", "queries, N", "(1, 2, 3)", "epsilon=1, args={'N': [(1, 2, 3)]}"),
    ("DP013", "epsilon=1, args={'queries': [1]}", "queries, N", "[1]", "epsilon=1, data='N', args={'queries': [1]}"),
    ("DP013", "epsilon=1, args={'rng': 1}", "queries, rng", "1", "epsilon=1, args={}"),
    ("DP013", "epsilon=1, args=[('N', 1)]", "queries, N", "[('N', 1)]", "epsilon=1, args={'N': None}"),
    ("DP013", "epsilon=1, args={'more': 1}", "queries, **more", "1", "epsilon=1"),
    ("DP017", "1.0", Q, "1.0", "epsilon=1.0"),
    ("DP021", "epsilon=1, observe='print'", Q, "'print'", "epsilon=1, observe='stdout'"),
    ("DP021", "epsilon=1, observe=['logging', 3]", Q, "['logging', 3]", "epsilon=1, observe=('logging', 'files')"),
    ("DP021", "epsilon=1, observe=['self.mean']", Q, "['self.mean']", "epsilon=1, observe=['arguments']"),
    ("DP022", "epsilon=1, numerics='float'", Q, "'float'", "epsilon=1, numerics='machine'"),
    ("DP022", "epsilon=1, numerics=64", Q, "64", "epsilon=1, numerics='real'"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "wrong", "signature", "at", "right"), MISTAKES)
def test_a_wrong_claim_is_one_finding_at_its_place(code: str, wrong: str, signature: str, at: str, right: str) -> None:
    source = decorated(wrong, signature)
    assert [finding.code for finding in source.findings] == [code]
    finding = source.findings[0]
    assert excerpt(source, finding.span) == at
    assert finding.function == "mechanism"
    assert finding.severity is Severity.ERROR
    assert source.mechanisms == ()


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: f"{case[0]}-{case[4]}")
def test_its_right_look_alike_is_clean(case: tuple[str, str, str, str, str]) -> None:
    source = decorated(case[4], case[2])
    assert source.findings == ()
    assert [found.mechanism.qualname for found in source.mechanisms] == ["mechanism"]


@pytest.mark.parametrize("rows", ["[(0, 0), (0, 1), (1, 1)]", "[{'a': 1}, {'a': 2}]", "[[0, 1], [1, 0]]"])
def test_a_list_of_rows_is_told_how_columns_are_written(rows: str) -> None:
    (finding,) = decorated(f"epsilon=1, neighbors='add-remove', domain={rows}", "rows").findings

    assert finding.code == "DP010"
    assert 'records of several values have columns: write {"first": [0, 1], "second": (0, 9)}' in finding.message


@pytest.mark.parametrize("epsilon", ["self.epsilon", "self.budget.total", "cls.epsilon"])
def test_an_epsilon_of_an_object_is_told_how_the_object_is_made(epsilon: str) -> None:
    (finding,) = decorated(f"epsilon='{epsilon} / 2'", Q).findings

    assert finding.code == "DP008"
    told = f"'{epsilon}' may not stand in a claim, since the object is not there yet: write the number"
    assert told in finding.message


def test_an_epsilon_of_a_constructor_is_told_how_the_object_is_made() -> None:
    source = read(
        "from dplint import dp\nclass C:\n    def __init__(self, eps): 0\n"
        "    @dp(epsilon='eps')\n    def f(self, q): 0\n"
    )
    (finding,) = source.findings

    assert finding.code == "DP007"
    assert "The object is made with what the claim says: write a number here." in finding.message


def test_two_claims_are_reported_at_the_second() -> None:
    source = read("from dplint import dp\n@dp(epsilon=1)\n# dplint: dp(epsilon=2)\ndef f(q): ...\n")
    assert [(item.code, excerpt(source, item.span)) for item in source.findings] == [
        ("DP014", "# dplint: dp(epsilon=2)")
    ]
    assert "line 2" in source.findings[0].message
    assert source.mechanisms == ()


@pytest.mark.parametrize(
    "comment",
    [
        "# dplint: dp(epsilon=1",
        "# dplint: dp",
        "# dplint: dp(epsilon=1) + 1",
        "# dplint: pd(epsilon=1)",
    ],
)
def test_a_comment_that_does_not_parse(comment: str) -> None:
    source = read(f"{comment}\ndef f(q): ...\n")
    assert [(item.code, excerpt(source, item.span)) for item in source.findings] == [("DP015", comment)]
    assert source.findings[0].function == "f"


@pytest.mark.parametrize(
    "text",
    [
        "# dplint: dp(epsilon=1)\n\ndef f(q): ...\n",
        "# dplint: dp(epsilon=1)\nx = 1\n",
        "def f(q): ...\n# dplint: dp(epsilon=1)\n",
        "def f(q):  # dplint: dp(epsilon=1)\n    ...\n",
        "# dplint: dp(epsilon=1)\nclass F: ...\n",
    ],
)
def test_a_comment_above_no_function(text: str) -> None:
    source = read(text)
    assert [(item.code, item.function) for item in source.findings] == [("DP015", None)]
    assert excerpt(source, source.findings[0].span) == "# dplint: dp(epsilon=1)"


@pytest.mark.parametrize("text", ["x = '# dplint: dp('\n", "# see dplint: it is nice\n", "# dplint: ignore[DP101]\n"])
def test_other_text_is_no_claim(text: str) -> None:
    source = read(text)
    assert source.findings == ()
    assert source.module is not None


@pytest.mark.parametrize(
    ("signature", "at"), [("", "f"), ("rng", "f"), ("*, gen: np.random.Generator", "f"), ("**options", "f")]
)
def test_a_function_without_data(signature: str, at: str) -> None:
    source = read(f"import numpy as np\nfrom dplint import dp\n@dp(epsilon=1)\ndef f({signature}): ...\n")
    assert [(item.code, excerpt(source, item.span)) for item in source.findings] == [("DP018", at)]


@pytest.mark.parametrize(
    ("statement", "at"),
    [
        ("promise = dp(epsilon=1)", "dp(epsilon=1)"),
        ("f = dp(epsilon=1)(print)", "dp(epsilon=1)"),
        ("@dp(epsilon=1)\nclass C: ...", "dp(epsilon=1)"),
        ("@dp\nclass C: ...", "@dp"),
        ("f = dp(epsilon=1)(*functions)", "dp(epsilon=1)"),
        ("half = partial(dp, delta=0.5)", "partial(dp, delta=0.5)"),
    ],
)
def test_a_claim_on_no_function(statement: str, at: str) -> None:
    source = read(f"from dplint import dp\n{statement}\n")
    assert [(item.code, excerpt(source, item.span)) for item in source.findings] == [("DP019", at)]


def test_a_bare_decorator_lacks_epsilon() -> None:
    source = read("from dplint import dp\n@dp\ndef f(q): ...\n")
    assert [(item.code, excerpt(source, item.span)) for item in source.findings] == [("DP002", "@dp")]


def test_all_mistakes_of_one_claim_are_reported() -> None:
    source = decorated("epsilon=0, delta=2, size=0, sensitivity=-1", Q)
    assert [finding.code for finding in source.findings] == ["DP003", "DP004", "DP011", "DP012"]


def test_places_in_a_claim_of_several_lines_after_wide_characters() -> None:
    source = read('from dplint import dp\n@dp(\n    data="ä😀", epsilon=0,\n)\ndef f(q): ...\n')
    assert [(item.code, item.span) for item in source.findings] == [
        ("DP007", Span(3, 10, 3, 14)),
        ("DP003", Span(3, 24, 3, 25)),
    ]


def test_hints_name_the_nearest_right_name() -> None:
    assert "'neighbors'" in decorated("epsilon=1, neighbours='l1'", Q).findings[0].message
    assert "'add-remove'" in decorated("epsilon=1, neighbors='add_remove'", Q).findings[0].message
    assert "'epsilon'" in decorated("epsilon='epsilom'", Q).findings[0].message
    assert 'epsilon="epsilon"' in decorated("epsilon=epsilon", Q).findings[0].message


def test_every_code_that_a_claim_can_have_is_in_the_table() -> None:
    codes = [f"DP{number:03}" for number in (*range(1, 20), 21, 22)]
    assert set(codes) < set(CODES)
    assert {case[0] for case in MISTAKES} | {"DP014", "DP015", "DP016", "DP018", "DP019"} == set(codes)
