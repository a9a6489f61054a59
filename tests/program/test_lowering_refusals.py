"""One look finds every construct that stands in the way, each once, and nothing that only follows from another."""

from pathlib import Path

import libcst as cst
import pytest
from program_tools import module_text

from dplint.program.walk import obstacle
from dplint.program.walk import refusals as refusals_of
from dplint.source.lowering import lower
from dplint.source.read import read_source


def refusals(source: str, folder: Path) -> list[tuple[str, str]]:
    """The constructs with the text at their places."""
    text = module_text(source)
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    read = read_source(path, file="module.py", table={})
    (found,) = read.mechanisms
    assert isinstance(found.node, cst.FunctionDef)
    assert read.module is not None
    program = lower(found.node, read.module, found.mechanism)
    told = refusals_of(program)
    assert obstacle(program) == next(iter(told), None)
    lines = text.splitlines()
    return [(one.construct, lines[one.span.line - 1][one.span.column - 1 :]) for one in told]


def body(text: str) -> str:
    return f"def made(rng, queries, epsilon):\n    {text}"


@pytest.mark.parametrize(
    ("text", "constructs"),
    [
        ("return {1} + queries.frob() + (lambda: 1)", ["a set", "the method frob", "a lambda"]),
        ("if [{1}]:\n        return [{2}][0]\n    elif [{3}]:\n        pass", ["a set"] * 3),
        ("for x in {1}:\n        x.frob()", ["a set", "the method frob"]),
        ("for x.y in queries:\n        x.frob()", ["an assignment to an attribute", "the method frob"]),
        ("while [{1}]:\n        queries.frob()\n    return [{2}][0]", ["a set", "the method frob", "a set"]),
        ("x = [{1}]\n    y = [{2}]\n    return 3", ["a set", "a set"]),
        (
            "try:\n        x = [{1}]\n    except ValueError:\n        {2}\n    finally:\n        {3}",
            ["try", *["a set"] * 3],
        ),
        ("try:\n        x = [{1}]\n    finally:\n        pass", ["try", "a set"]),
        ("return [{1} for q in {2} if [{3}]]", ["a set"] * 3),
        ("return unheard({1} + 2, queries.frob())", ["a call of unheard", "a set", "the method frob"]),
        ("return max(unheard(unheard_of()))", ["a call of unheard", "a call of unheard_of"]),
        ("x = [1]\n    for q in x:\n        x.append({2})", ["a change of x while looping over it", "a set"]),
        (
            "g = h = np.random.default_rng(3)\n    return g.laplace() + g.frob()",
            [
                *["a generator that is assigned something else"] * 2,
                *("a call of numpy.random.default_rng", *["a generator with a seed"] * 2),
            ],
        ),
    ],
)
def test_every_refused_construct_is_found(text: str, constructs: list[str], tmp_path: Path) -> None:
    assert [construct for construct, _ in refusals(body(text), tmp_path)] == constructs


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("f = (lambda x: x, 1)[0]\n    return f(1)", "a lambda"),
        ("@unheard\n    def f(x):\n        return x\n    return f(f(1))", "a nested function"),
        ("with open('f') as file:\n        return file.read()", "with"),
        ("x = unheard(1)\n    return x.frob().frab()", "a call of unheard"),
    ],
)
def test_what_follows_from_a_refusal_is_not_one_more(text: str, construct: str, tmp_path: Path) -> None:
    assert [found for found, _ in refusals(body(text), tmp_path)] == [construct]


def test_helper_functions_are_looked_through_once(tmp_path: Path) -> None:
    source = """
    def helper(x):
        return {x}


    def made(rng, queries):
        return helper(1), helper({2}), [{3}][0]
    """

    assert refusals(source, tmp_path) == [
        ("a set", "{x}"),
        ("a set", "{2}), [{3}][0]"),
        ("a set", "{3}][0]"),
    ]


def test_a_name_that_a_block_binds_is_no_import(tmp_path: Path) -> None:
    source = """
    with open("f") as max:
        pass


    def made(rng, queries):
        return max(queries)
    """

    assert [construct for construct, _ in refusals(source, tmp_path)] == ["a call of max"]
