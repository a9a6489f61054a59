"""`# dplint: ignore[...]`: which lines it is for, what it silences, and when it is useless."""

import pytest
from suppression_tools import CLAIMED, FAILED, FILE, UNTESTABLE, commented, finding, nothing_found, results

from dplint.source.suppressions import find_suppressions


def silenced_lines(text, code="DP101"):
    """The lines in which a finding of the code would be silenced."""
    found = find_suppressions(text, FILE)
    return {n for n in range(1, text.count("\n") + 2) if found.silences(finding(n, code))}


def marked(text):
    """The text without its marks `|`, and the lines that have one at their beginning."""
    lines = text.split("\n")
    return "\n".join(line.removeprefix("|") for line in lines), {
        n for n, line in enumerate(lines, start=1) if line.startswith("|")
    }


PLACES = {
    "end of a line": """\
x = 1
|y = 2  # dplint: ignore[DP101]
z = 3
""",
    "after another comment": """\
|x = 1  # noqa: E501  # dplint: ignore[DP101] it is public
y = 2
""",
    "end of a statement": """\
|x = f(
|    1,
|)  # dplint: ignore[DP101]
y = 1
""",
    "inside a statement": """\
x = f(
|    1,  # dplint: ignore[DP101]
    2,
)
""",
    "own line inside a statement": """\
x = f(
|    # dplint: ignore[DP101]
|    1,
    2,
)
""",
    "joined lines inside a statement": '''\
x = f(
|    """
|    """,  # dplint: ignore[DP101]
    2,
)
''',
    "backslash": """\
|x = 1 + \\
|    2  # dplint: ignore[DP101]
""",
    "above a statement": """\
x = 1
|# dplint: ignore[DP101]
|# another comment
|y = f(
|    2,
|)
z = 3
""",
    "above a blank line": """\
|# dplint: ignore[DP101]

x = 1
""",
    "above a function": """\
x = 1
|# another comment
|# dplint: ignore[DP101]
|# another comment
|@a
|@b(
|    1)
|def f():
|    x = 1
|
|    def g():
|        pass
|    return x
# tail
y = 1
""",
    "between decorators": """\
|@a
|# dplint: ignore[DP101]
|def f():
|    pass
x = 1
""".replace("|@a", "@a"),
    "above a method": """\
class A:
    x = 1
|    # dplint: ignore[DP101]
|    async def f(self):
|        pass
    def g(self):
        pass
""",
    "above a class": """\
|# dplint: ignore[DP101]
|class A:
    x = 1
""",
    "above the head of a block": """\
|# dplint: ignore[DP101]
|if x:
    y = 1
""",
    "in the head of a function": """\
|def f(
|    x,
|):  # dplint: ignore[DP101]
    return x
""",
    "behind a claim": """\
|# dplint: dp(epsilon=1.0)  # dplint: ignore[DP101]
def f(x):
    return x
""",
    "in a string": """\
x = "# dplint: ignore[DP101]"
y = '''
# dplint: ignore[DP101]
'''
""",
    "quoted in a comment": """\
x = 1  # write "# dplint: ignore[DP101]"
""",
    "in tabs": """\
if x:
|	# dplint: ignore[DP101]
|	def f():
|		return 1
	y = 2
""",
    "two at once": """\
|# dplint: ignore[DP9]  # dplint: ignore[DP101]
|x = 1
""",
    "small letters and blanks": """\
|x = 1  #dplint:ignore [ dp4, dp1 ]
""",
    "at the end": """\
x = 1
|# dplint: ignore[DP101]""",
}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("name", PLACES)
def test_lines_of_a_comment(name, end):
    text, lines = marked(PLACES[name])
    found = find_suppressions(text.replace("\n", end), FILE)

    assert {n for n in range(1, text.count("\n") + 2) if found.silences(finding(n))} == lines


def test_a_byte_order_mark_moves_nothing():
    assert silenced_lines("\ufeffx = 1  # dplint: ignore[DP101]\ny = 2\n") == {1}


def test_a_text_that_does_not_parse_keeps_the_comments_before_the_error():
    assert silenced_lines("x = 1  # dplint: ignore[DP101]\ny = (2\n") == {1}


@pytest.mark.parametrize(
    ("words", "silenced"),
    [
        ("ignore[DP101]", {"DP101"}),
        ("ignore[DP1]", {"DP101", "DP102"}),
        ("ignore[DP10,DP2]", {"DP101", "DP102", "DP201"}),
        ("ignore[DP101,]", {"DP101"}),
        ("ignore", set()),
        ("ignore[]", set()),
        ("ignore[DP]", set()),
        ("ignore[E501]", set()),
        ("ignore[DP101", set()),
        ("noqa", set()),
        ("disable[DP101]", set()),
    ],
)
def test_codes_of_a_comment(words, silenced):
    found = find_suppressions(f"x = 1  # dplint: {words}\n", FILE)

    assert {code for code in ("DP101", "DP102", "DP201") if found.silences(finding(1, code))} == silenced


def test_other_files_are_let_through():
    found = find_suppressions("x = 1  # dplint: ignore[DP016]\n", FILE)

    assert not found.silences(finding(1, "DP016", file="pyproject.toml"))


def test_items_keep_their_order():
    items = [finding(3), finding(1), finding(2)]
    kept, silenced = find_suppressions("x = 1  # dplint: ignore[DP101]\n\n\n", FILE).silence(items)

    assert (kept, silenced) == ([items[0], items[2]], [items[1]])


# verdicts


@pytest.mark.parametrize(
    ("place", "silenced"),
    [("above", [True, False]), ("decorator", [True, False]), ("head", [True, False]), ("body", [False, False]),
     ("lambda", [False, True])],
)  # fmt: skip
def test_verdicts_are_silenced_where_the_function_begins(place, silenced):
    text = commented(place)
    found = find_suppressions(text, FILE)

    assert [found.silences(result) for result in results(text, UNTESTABLE)] == silenced


def test_verdicts_of_a_claim_in_a_comment_are_silenced_in_its_line():
    text = "# dplint: dp(epsilon=1.0)  # dplint: ignore[DP904]\ndef f(rng, queries): ...\n"
    (result,) = results(text, UNTESTABLE)

    assert find_suppressions(text, FILE).silences(result)


@pytest.mark.parametrize("outcome", [FAILED, nothing_found()])
def test_what_failed_or_has_no_code_is_never_silenced(outcome):
    text = commented("above", "DP9")

    assert find_suppressions(text, FILE).silence(results(text, outcome))[1] == []


# silencing is no change of the source


@pytest.mark.parametrize("place", ["above", "decorator", "head", "body"])
def test_silencing_keeps_the_digest_and_with_it_the_seed(place):
    plain = CLAIMED.format(above="# above").replace(f"  # {place}\n", "\n")
    text = commented(place)

    assert [r.mechanism.digest for r in results(text, FAILED)] == [r.mechanism.digest for r in results(plain, FAILED)]


def test_other_comments_and_strings_that_look_like_one_are_part_of_the_digest():
    text = CLAIMED.format(above="")
    digests = {
        results(text.replace("return queries", end, 1), FAILED)[0].mechanism.digest
        for end in ("return queries", "return queries # x", "'# dplint: ignore[DP1]'", "'# dplint: ignore[DP2]'")
    }

    assert len(digests) == 4
