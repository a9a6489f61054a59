"""Programs as text: what is written means what the source means, and everything that stands in the way is shown."""

import ast
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from dplint.check.programs import obstacles, read_programs
from dplint.config import Settings
from dplint.program.nodes import Program, Return
from dplint.program.printing import text_of
from dplint.report.program import print_programs
from dplint.report.program_lines import function_lines, program_lines, programs_json, writer_of
from tests.examples import examples

HEADER = 'import numpy\nimport math\nfrom dplint import dp\n\n\n@dp(epsilon=1.0, neighbors="linf")\n'
EXPRESSIONS = [
    "a + b * c - (a - (b - c))",
    "(a ** b) ** c + a ** b ** c + a ** -b + (-a) ** b",
    "(-1) ** a - -1 + - -a",
    "a / (b / c) / (a * b) % c // (a % b)",
    "not (a and b) or (a or b) and not c",
    "not a == b",
    "(not a) == b",
    "(a < b) < c",
    "a < b <= c != a",
    "a if b else c if a else b",
    "(a if b else c) if (a if b else c) else b",
    "(a if b else c) + 1",
    "[x + a for x in b if x > 0 if x < 9 for y in c]",
    "[x for x in (b if a else c) if (a if b else c)]",
    "all(x > a for x in b)",
    "a[b][c + 1][1:][:-1][::2][1, 2][a:b:c]",
    "(a + b)[0]",
    "(a, (b,), [])",
    "{'k': a, 1: (b, c)}",
    "a in b and a not in c or a is None or b is not None",
    "numpy.clip(a, 0, b + 1).sum(axis=0)",
    "sorted([a, b], reverse=True)",
    "a & b | c ^ a << 2 >> 1 | ~a",
    "'tab\\t and \"quotes\"' + a",
    "f'{a} of {b + 1}{{}}'",
    "(1.5).item()",
    "a @ b",
]


def programs(tmp_path: Path, text: str, function: str | None = None):
    path = tmp_path / "module.py"
    path.write_text(text, encoding="utf-8")
    return read_programs(path, function, Settings())


def program(tmp_path: Path, body: str, parameters: str = "rng, a, b, c", before: str = "") -> Program:
    head, _, claim = HEADER.partition("\n\n\n")
    found = programs(tmp_path, f"{head}\n\n\n{before}\n\n\n{claim}def made({parameters}):\n    {body}\n")
    (target,) = found.targets
    assert isinstance(target.lowered, Program), target.lowered
    return target.lowered


def test_a_helper_of_another_module_is_shown_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "noise.py").write_text("\n\ndef noisy(rng, x):\n    return frob(x) + rng.laplace(scale=x)\n")
    text = HEADER.replace("import math\n", "import math\nfrom noise import noisy\n", 1)
    found = programs(tmp_path, f"{text}def made(rng, a):\n    return noisy(rng, a)\n")
    console = Console(file=io.StringIO(), width=200)
    print_programs(found, console, lambda file, line: Path(file).read_text().split("\n")[line - 1])
    shown = console.file.getvalue()

    file = str(tmp_path / "noise.py")
    assert f"3 │ def noise.noisy(x):  # {file}" in shown
    assert "unsupported a call of frob\n4 │     return frob(x) + rng.laplace(scale=x)" in shown
    (document,) = json.loads(programs_json(found))["programs"]
    assert document["file"] != file
    assert [(one["file"], one["line"]) for one in document["unsupported"]] == [(file, 4)]
    (tmp_path / "noise.py").write_text("\n\ndef noisy(rng, x):\n    return x + rng.laplace(scale=x)\n")
    found = programs(tmp_path, f"{text}def made(rng, a):\n    return noisy(rng, a)\n")
    (document,) = json.loads(programs_json(found))["programs"]
    assert [one["file"] for one in document["program"]["functions"]] == [file]
    assert [(one["file"], one["line"]) for one in document["program"]["draws"]] == [(file, 4)]


def written(lowered: Program) -> str:
    (statement,) = lowered.body
    assert isinstance(statement, Return)
    return text_of(writer_of("rng").expression(statement.value))


def meaning(text: str) -> str:
    return ast.dump(ast.parse(text, mode="eval"))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_is_written_as_python_would_read_it(expression: str, tmp_path: Path) -> None:
    assert meaning(written(program(tmp_path, f"return {expression}"))) == meaning(expression)


names = st.sampled_from(["a", "b", "c", "1", "2.5"])
operators = st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", "<", "==", "and", "or"])
EXPRESSION = st.recursive(
    names,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, operators, inner),
        st.builds("(not {})".format, inner),
        st.builds("(- {})".format, inner.filter(lambda text: not text[0].isdigit())),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("{}[{}]".format, inner.filter(lambda text: not text[0].isdigit()), inner),
    ),
    max_leaves=10,
)


@examples(60)
@given(expression=EXPRESSION)
def test_parentheses_stand_where_they_must(tmp_path_factory, expression: str) -> None:
    lowered = program(tmp_path_factory.getbasetemp(), f"return {expression}")

    # The lowering joins (a and b) and c to a and b and c, which means the same.
    assert meaning(written(lowered)) == meaning(_joined(expression))


def _joined(expression: str) -> str:
    class Join(ast.NodeTransformer):
        def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
            self.generic_visit(node)
            values = []
            for value in node.values:
                same = isinstance(value, ast.BoolOp) and type(value.op) is type(node.op)
                values += value.values if same else [value]
            return ast.BoolOp(node.op, values)

    return ast.unparse(Join().visit(ast.parse(expression, mode="eval")))


def test_a_draw_says_where_it_is_made_and_names_its_parameters(tmp_path: Path) -> None:
    body = "return rng.laplace(a, 2), numpy.random.exponential(b, size=3), numpy.random.RandomState().rand()"
    text = written(program(tmp_path, body))

    assert text == ("(rng.laplace(loc=a, scale=2), numpy.random.exponential(scale=b, size=3), RandomState().random())")


def test_the_lines_are_the_statements_with_their_numbers(tmp_path: Path) -> None:
    body = '''"""About it."""
    total, (d, e) = 0, a
    for i, x in enumerate(b):
        if x > 1:
            total += x
        elif x < 0:
            continue
        else:
            break
    else:
        out = []
        out.append(total)
    while True:
        raise ValueError("so", 2)
    counts = {"k": 1}
    counts["k"] = helper(rng, c, y=2)
    pass'''
    before = "def helper(rng, x, y=1):\n    return x + rng.normal(scale=y)"
    lowered = program(tmp_path, body, before=before)
    lines = [(line.number, "    " * line.depth + text_of(line.code)) for line in program_lines(lowered)]
    first = lowered.span.line
    source = (tmp_path / "module.py").read_text().splitlines()

    assert [text for _, text in lines] == [
        "def made(a, b, c):",
        "    total, (d, e) = (0, a)",
        "    for i, x in enumerate(b):",
        "        if x > 1:",
        "            total += x",
        "        elif x < 0:",
        "            continue",
        "        else:",
        "            break",
        "    else:",
        "        out = []",
        "        out.append(total)",
        "    while True:",
        "        raise ValueError('so', 2)",
        "    counts = {'k': 1}",
        "    counts['k'] = helper(x=c, y=2)",
    ]
    unnumbered = {"        else:", "    else:"}
    for number, text in lines[1:]:
        assert (number is None) == (text in unnumbered)
        if number is not None:
            assert source[number - 1].split()[0][:6] == text.split()[0][:6]
    assert lines[0][0] == first
    (helper,) = lowered.functions
    assert [(line.number, text_of(line.code)) for line in function_lines(helper, lowered.rng)] == [
        (source.index("def helper(rng, x, y=1):") + 1, "def helper(x, y):"),
        (source.index("def helper(rng, x, y=1):") + 2, "return x + rng.normal(scale=y, loc=0.0)"),
    ]


BAD = f"""{HEADER}def made(rng, queries, epsilon):
    names = 1j
    best = rng.laplace() + queries.frobnicate(lambda q: q)
    return best
"""


def shown(found, file: str) -> str:
    lines = Path(file).read_text().splitlines()
    console = Console(file=io.StringIO(), width=100)
    print_programs(found, console, lambda _, number: lines[number - 1])
    return console.file.getvalue()


def test_every_refused_construct_is_shown_with_its_place_and_a_way_out(tmp_path: Path) -> None:
    text = shown(programs(tmp_path, BAD), str(tmp_path / "module.py"))

    assert "8 \N{BOX DRAWINGS LIGHT VERTICAL}     names = <a complex number>\n" in text
    assert "Every run will call the function: 2 constructs must be written in another way." in text
    assert ":8:13 unsupported a complex number" in " ".join(text.split())
    assert "8 │     names = 1j\n  │             ^^\n  instead: compute with its real and imaginary part\n" in text
    assert "queries.frobnicate(lambda q: q)\n  │                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n" in text


def test_a_long_line_goes_whole_into_a_pipe_and_in_parts_to_a_terminal(tmp_path: Path) -> None:
    terms = " + ".join(f"rng.laplace(scale={scale})" for scale in range(1, 9))
    found = programs(tmp_path, f"{HEADER}def made(rng, queries):\n    return {terms}\n")
    terminal = Console(file=io.StringIO(), width=80, force_terminal=True, no_color=True, color_system=None)
    print_programs(found, terminal, lambda _, number: None)
    (whole,) = [line for line in shown(found, str(tmp_path / "module.py")).splitlines() if line.startswith("8")]
    lines = terminal.file.getvalue().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("8"))
    parts = [line.partition("\N{BOX DRAWINGS LIGHT VERTICAL}")[2].strip() for line in lines[first:-1]]

    assert "scale=8" in whole
    assert len(parts) > 2
    assert all(len(line) <= 80 for line in lines[first:])
    assert " ".join(parts).split() == whole.partition("\N{BOX DRAWINGS LIGHT VERTICAL}")[2].split()


def test_a_long_constant_is_shortened(tmp_path: Path) -> None:
    text = written(program(tmp_path, "return TABLE[a]", before=f"TABLE = {list(range(100))}"))

    assert text.startswith("[0, 1, 2, ")
    assert text.endswith(", 98, 99][a]")
    assert "..." in text


def test_a_change_that_no_reading_follows_is_shown_below_the_program(tmp_path: Path) -> None:
    found = programs(tmp_path, f"{HEADER}def made(rng, queries):\n    queries[0] = 1\n    return queries\n")
    text = shown(found, str(tmp_path / "module.py"))
    (target,) = found.targets

    assert isinstance(target.lowered, Program)
    assert [refused.span.line for refused in obstacles(target)] == [8]
    assert "8 │     queries[0] = 1\n" in text
    assert "a change in place of queries" in " ".join(text.split())


def test_the_document_has_lines_draws_and_refusals(tmp_path: Path) -> None:
    text = f"{HEADER}def fine(rng, queries):\n    return [q + rng.laplace(scale=3) for q in queries]\n\n\n"
    claim = '@dp(epsilon=1.0, neighbors="linf")\n'
    found = json.loads(programs_json(programs(tmp_path, text + claim + BAD.removeprefix(HEADER))))
    fine, made = found["programs"]

    assert [line["text"] for line in fine["program"]["lines"]] == [
        "def fine(queries):",
        "return [q + rng.laplace(scale=3, loc=0.0) for q in queries]",
    ]
    (draw,) = fine["program"]["draws"]
    assert (draw["distribution"], draw["parameters"]) == ("laplace", {"scale": "3", "loc": "0.0"})
    assert (draw["line"], draw["column"], draw["source"], draw["family"]) == (8, 17, "rng", "generator")
    assert made["program"] is None
    assert [refused["construct"] for refused in made["unsupported"]] == ["a complex number", "the method frobnicate"]
    assert made["unsupported"][0]["instead"] == "compute with its real and imaginary part"


def test_a_function_without_a_claim_is_an_error_that_names_one_with(tmp_path: Path) -> None:
    found = programs(tmp_path, BAD + "\n\ndef mode(x):\n    return x\n", "mode")
    (error,) = found.errors

    assert not found.targets
    assert "mode bears no claim" in error.message
    assert "'made'" in error.message
