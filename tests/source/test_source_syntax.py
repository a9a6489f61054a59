"""Python's own parser, where another thread builds a tree at the same moment."""

import ast

import pytest

from dplint.syntax import parse_expression, parse_text

parse = ast.parse


@pytest.fixture
def lost_count(monkeypatch):
    """`ast.parse` ends twice as CPython 3.11 ends it when two threads build trees at once."""
    ends = [SystemError("AST constructor recursion depth mismatch (before=171, after=65)")] * 2

    def interrupted(text, mode="exec"):
        if ends:
            raise ends.pop()
        return parse(text, mode=mode)

    monkeypatch.setattr(ast, "parse", interrupted)


@pytest.mark.usefixtures("lost_count")
def test_a_text_is_read_in_spite_of_another_thread():
    assert ast.dump(parse_text("x = 1")) == ast.dump(parse("x = 1"))


@pytest.mark.usefixtures("lost_count")
def test_an_expression_is_read_in_spite_of_another_thread():
    assert ast.dump(parse_expression("a + 1")) == ast.dump(parse("a + 1", mode="eval").body)


def test_a_text_that_is_no_python_is_not_tried_for_ever(monkeypatch):
    def never(text, mode="exec"):
        raise SystemError("mismatch")

    monkeypatch.setattr(ast, "parse", never)
    with pytest.raises(SystemError, match="mismatch"):
        parse_text("x = 1")
    with pytest.raises(SystemError, match="mismatch"):
        parse_expression("x")


@pytest.mark.parametrize("parser", [parse_text, parse_expression])
def test_errors_of_the_syntax_are_those_of_python(parser):
    with pytest.raises(SyntaxError):
        parser("x =")
