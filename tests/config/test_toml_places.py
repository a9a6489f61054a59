"""Where keys stand, for any TOML: what a generated text was written with is found again."""

from hypothesis import given
from hypothesis import strategies as st

from dplint.claims import Span
from dplint.config.document import key_places, place
from tests.examples import examples

NAMES = st.from_regex(r"[a-z_-]{1,3}", fullmatch=True) | st.sampled_from(["[x]", "a.b", "#", "=", "a = 1", "'", ""])
TRAPS = ["[t]", "a = 1", "[", "]", "{", "}", "#", "'", "''", "= [", "x", ""]
"""Lines of a string that look like something else."""


def quoted(name):
    return name if name.isalpha() else f'"{name}"'


@st.composite
def strings(draw):
    lines = draw(st.lists(st.sampled_from(TRAPS), max_size=4))
    match draw(st.sampled_from(["basic", "literal", "long", "long literal"])):
        case "basic":
            return '"' + "".join(lines) + draw(st.sampled_from(['\\"', "\\\\", ""])) + '"'
        case "literal":
            return "'" + "".join(lines).replace("'", "") + "\\'"
        case "long":
            return '"""' + "\n".join(lines) + draw(st.sampled_from(['"', '""', '\\"""', "\\\\", ""])) + '"""'
        case "long literal":
            return "'''" + "\n".join(lines).replace("'", "") + draw(st.sampled_from(["'", "''", "\\", '"""'])) + "'''"


ATOMS = st.sampled_from(["1", "true", "0.5", "2026-01-01"]) | strings()
GAPS = st.sampled_from(["", " ", "\n", "  # ] ''' [t]\n", "\n\n"])
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.lists(st.tuples(GAPS, inner, GAPS), max_size=3).map(
        lambda items: "[" + ",".join("".join(item) for item in items) + "]"
    ),
    max_leaves=5,
)


@st.composite
def texts(draw):
    """A TOML text, and the line and the column of every key in it."""
    text, found = "", {}

    def write(path, statement):
        nonlocal text
        text += draw(st.sampled_from(["", "\n", "# a = 1\n", "\t\n", '# """\n']))
        indent = draw(st.sampled_from(["", "  ", "\t"]))
        found[path] = (text.count("\n") + 1, len(indent) + 1)
        text += indent + statement + draw(st.sampled_from(["\n", "  \n", " # [t] '\n"]))

    names = draw(st.lists(NAMES, max_size=6, unique=True))
    tables = draw(st.integers(0, len(names)))
    for name in names[tables:]:
        write((name,), f"{quoted(name)} = {draw(VALUES)}")
    for table in names[:tables]:
        write((table,), draw(st.sampled_from(["[{}]", "[ {} ]", "[[{}]]", "[[ {} ]]"])).format(quoted(table)))
        for name in draw(st.lists(NAMES, max_size=3, unique=True)):
            write((table, name), f"{quoted(name)}={draw(VALUES)}")
    return text, found


@examples(300)
@given(texts())
def test_every_key_is_found_where_it_was_written(written):
    text, found = written
    places = key_places(text)
    assert {path: (span.line, span.column) for path, span in places.items()} == found


def test_dotted_and_inline_keys_and_ends_of_lines():
    text = 'a = 1\n[t]\n"x y" . z = 2\n[t."u.v"] # c\n  w = """\nw = 3\n"""\n[[list]]\n'
    assert key_places(text + 'i = {j = 1, k.l = [\n]} # c\n"b#" = "]" # c') == {
        ("a",): Span(1, 1, 1, 6),
        ("t",): Span(2, 1, 2, 4),
        ("t", "x y"): Span(3, 1, 3, 14),
        ("t", "x y", "z"): Span(3, 1, 3, 14),
        ("t", "u.v"): Span(4, 1, 4, 10),
        ("t", "u.v", "w"): Span(5, 3, 5, 10),
        ("list",): Span(8, 1, 8, 9),
        ("list", "i"): Span(9, 1, 9, 20),
        ("list", "i", "j"): Span(9, 1, 9, 20),
        ("list", "i", "k"): Span(9, 1, 9, 20),
        ("list", "i", "k", "l"): Span(9, 1, 9, 20),
        ("list", "b#"): Span(11, 1, 11, 11),
    }


def test_a_key_without_a_place_has_that_of_the_table_around_it():
    places = key_places("[tool.dplint]\njobs = 2\n")
    assert place(places, ("tool", "dplint", "jobs")) == Span(2, 1, 2, 9)
    assert place(places, ("tool", "dplint", "seed", "deep")) == Span(1, 1, 1, 14)
    assert place(places, ("other",)) is None
