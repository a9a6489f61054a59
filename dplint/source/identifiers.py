"""Identifiers in a LibCST tree as the compiler sees them: normalised (NFKC), and private names of classes mangled.

LibCST keeps what is written: `ｋ` beside `k`, which are one name, and `__k` in a class C, which is `_C__k`. So the
names of a tree are put right once, where a text becomes a tree, and all that reads names sees those of `dplint.syntax`.
"""

from __future__ import annotations

import unicodedata

import libcst as cst
from libcst._nodes.internal import CodegenState

from dplint.source.walking import children
from dplint.syntax import mangled, may_mangle


class Identifier(str):
    """A name as the compiler sees it. written: as the source has it."""

    written: str

    def __new__(cls, name: str, written: str) -> Identifier:
        """As above."""
        made = super().__new__(cls, name)
        made.written = written
        return made

    def __reduce__(self) -> tuple[type[Identifier], tuple[str, str]]:
        """How it is copied and pickled."""
        return Identifier, (str(self), self.written)


def name_as_compiled(tree: cst.Module, text: str) -> None:
    """Change the names of a tree that was just made of the text, in place, to those that the compiler sees."""
    if text.isascii() and not may_mangle(text):
        return
    todo: list[tuple[cst.CSTNode, str | None]] = [(tree, None)]
    while todo:
        node, owner = todo.pop()
        if isinstance(node, cst.Name):
            _rename(node, owner)
        own, others = _names_of_its_own(node)
        todo += [(one, others if one is own else owner) for one in children(node)]


def _names_of_its_own(node: cst.CSTNode) -> tuple[cst.CSTNode | None, str | None]:
    """The part of a node in which another class is around names, and that class; None where no name is mangled."""
    match node:
        case cst.ClassDef(name=cst.Name(value=name), body=part):
            return part, _normal(name)
        case cst.Arg(keyword=cst.Name() as part) | cst.MatchKeywordElement(key=part):
            return part, None
        case cst.ImportAlias(name=cst.Attribute() as part) | cst.ImportFrom(module=cst.Attribute() as part):
            return part, None
    return None, None


def written(tree: cst.Module, node: cst.CSTNode) -> str:
    """The source of a node, with names as they are written."""
    state = _Writing(tree.default_indent, tree.default_newline)
    node._codegen(state)
    return "".join(state.tokens)


def unmangled(name: str) -> str:
    """The name that a function or class has for itself, in its qualified name: no class around it changes that."""
    return _normal(name.written) if isinstance(name, Identifier) else name


def length(token: str) -> int:
    """How long a token is in the source."""
    return len(token.written if isinstance(token, Identifier) else token)


class _Writing(CodegenState):
    def add_token(self, value: str) -> None:
        self.tokens.append(value.written if isinstance(value, Identifier) else value)


def _normal(name: str) -> str:
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _rename(node: cst.Name, owner: str | None) -> None:
    name = mangled(_normal(node.value), owner)
    if name != node.value:
        object.__setattr__(node, "value", Identifier(name, node.value))
