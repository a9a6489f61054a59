"""Identifiers are those that the compiler sees: CPython's own code objects are the reference."""

import ast
import types

import libcst as cst
import pytest

from dplint.source.files import ImportPlace
from dplint.source.identifiers import name_as_compiled, written
from dplint.source.module import parse_module
from dplint.source.walking import nodes_below
from dplint.syntax import parse_text

CLASS = """
class _C(__Base):
    import __a
    from m import __y as __z
    def f(self, __p, *, __q=1, **__r):
        g(__kw=1)
        try:
            pass
        except E as __e:
            pass
        match v:
            case D(__attr=__cap, other=[*__star]):
                pass
            case {"a": 1, **__rest}:
                pass
            case __w:
                pass
        [__i for __i in v]
        lambda __l: __l
        x.__at = x.__at2 + x.__dunder__ + __dunder__
        class __K(__B, metaclass=__M):
            __in = 1
        class ___:
            __free = 1
        @__dec
        def __fn():
            nonlocal __p
        (__wal := 3)
        global __glob
        __glob = f"{__fs} {x.__fa!r:{__fw}}"
        __ann: int = 1
    @__dec2
    async def __g(self, a=__default):
        await __aw
"""
EQUAL = """
ｋ = 1
def ﬁrst(ℌ, ｐ=ｋ):
    global ｇ
    ｇ = ℌ.ａttr + f(ｗord=ｐ)
    return [ｉ for ｉ in ﬁrst]
"""
PLACE = ImportPlace(__import__("pathlib").Path("/p"), __import__("pathlib").Path("/p"), "m", False)


def compiled(code):
    """All names that the compiler has made of a text."""
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names |= compiled(inner)
        elif isinstance(inner, tuple):
            names |= {one for one in inner if isinstance(one, str)}
    return {name for name in names if not name.startswith(".") and not (name[:2] == name[-2:] == "__")}


def of_ast(tree):
    names = set()
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg", "rest", "module", "asname"):
            names |= {value} if isinstance(value := getattr(node, field, None), str) else set()
        for field in ("names", "kwd_attrs"):
            names |= {one for one in getattr(node, field, ()) if isinstance(one, str)}
    return names


def of_libcst(text):
    tree = cst.parse_module(text)
    name_as_compiled(tree, text)
    assert written(tree, tree) == text
    return {str(node.value) for node in nodes_below(tree) if isinstance(node, cst.Name)}


@pytest.mark.parametrize("text", [CLASS, EQUAL], ids=["private names", "names that are equal by NFKC"])
@pytest.mark.parametrize("read", [lambda text: of_ast(parse_text(text)), of_libcst], ids=["ast", "LibCST"])
def test_names_are_those_of_the_compiler(text, read):
    """Texts stay as they are: the name of a class beside its variable, and the list of what an import is asked for."""
    real, ours = compiled(compile(text, "m", "exec")), read(text)

    assert real - ours <= {"_C.f.<locals>.__K", "__y"}
    assert {one for one in ours if "__" in one and one[-2:] != "__"} <= real
    assert {one for one in ours if not one.isascii()} == set()


def test_positions_are_those_of_the_source():
    text = "class C:\n    def f(self, ﬁ):\n        return self.__k + ﬁ * __k\n"
    module = parse_module(text, PLACE)
    names = [one for one in nodes_below(module.tree) if isinstance(one, cst.Name)]
    lines = text.splitlines()
    shown = [lines[(at := module.span(one)).line - 1][at.column - 1 : at.end_column - 1] for one in names]

    assert shown == ["C", "f", "self", "ﬁ", "self", "__k", "ﬁ", "__k"]
    assert [one.value for one in names] == ["C", "f", "self", "fi", "self", "_C__k", "fi", "_C__k"]
