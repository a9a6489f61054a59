"""Functions of the standard library that change a list, as the statements that they are: `heapq.heappush(heap, x)`.

Each is written out where it is called, with the variables of the list and of the items, in the same order of
comparisons as CPython has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import libcst as cst

from dplint.program.nodes import Assign, Constant, Expression, Name, Statement
from dplint.source.bindings import bound_names
from dplint.source.lowering.reader import Reader
from dplint.source.walking import nodes_below

_UP = """
parent = heap[place]
while place > 0:
    above = (place - 1) >> 1
    if not parent < heap[above]:
        break
    heap[place] = heap[above]
    place = above
heap[place] = parent
"""
_DOWN = """
moved = heap[place]
below = 2 * place + 1
while below < len(heap):
    if below + 1 < len(heap) and not heap[below] < heap[below + 1]:
        below += 1
    heap[place] = heap[below]
    place = below
    below = 2 * place + 1
heap[place] = moved
"""
_WITHIN = _UP.replace("place > 0", "place > first")


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.strip().splitlines())


_TEMPLATES: Mapping[str, tuple[Sequence[str], str]] = {
    "heapq.heappush": (["item"], f"heap.append(item)\nplace = len(heap) - 1\n{_UP}"),
    "heapq.heappop": (
        [],
        f"given = heap.pop()\nif heap:\n    last = given\n    given = heap[0]\n    heap[0] = last\n    place = 0\n"
        f"{_indented(_DOWN)}{_indented(_UP)}",
    ),
    "heapq.heapreplace": (["item"], f"given = heap[0]\nheap[0] = item\nplace = 0\n{_DOWN}{_UP}"),
    "heapq.heappushpop": (
        ["item"],
        f"given = item\nif heap and heap[0] < item:\n    given = heap[0]\n    heap[0] = item\n    place = 0\n"
        f"{_indented(_DOWN)}{_indented(_UP)}",
    ),
    "heapq.heapify": (
        [],
        "for first in reversed(range(len(heap) // 2)):\n    place = first\n" + _indented(_DOWN) + _indented(_WITHIN),
    ),
}
"""What each takes beside the list, and what it does; it gives what `given` is, if that is assigned."""


class Templates:
    """Lowers calls of such functions. block: lowers the statements of a suite."""

    def __init__(self, reader: Reader, block: Callable[[cst.BaseSuite], tuple[Statement, ...]]) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._block = block
        reader.register({cst.Call: self._called})
        reader.register_iterable(cst.Call, self._called)

    def _called(self, node: cst.Call) -> Expression | None:
        template = _TEMPLATES.get(self._scope.canonical(node.func) or "")
        if template is None or any(one.keyword or one.star for one in node.args):
            return None
        words, text = template
        if len(node.args) != len(words) + 1:
            return None
        heap, span = self._reader.exactly(node.args[0].value), self._reader.span(node)
        if not isinstance(heap, Name):
            raise self._reader.refuse("a heap without a name", node.args[0], "give the list a name of its own")
        body = cst.ensure_type(cst.parse_module(f"def made():\n{_indented(text)}").body[0], cst.FunctionDef).body
        for one in nodes_below(body):
            self._scope.placed(one, node)
        renamed = self._scope.rename({*words, *bound_names(body)}) | {"heap": heap.id}
        before = tuple(
            Assign((Name(renamed[word], span),), self._reader.expression(one.value), span)
            for word, one in zip(words, node.args[1:], strict=True)
        )
        self._scope.renamed.append(renamed)
        try:
            done = self._block(body)
        finally:
            self._scope.renamed.pop()
        given = Name(renamed["given"], span) if "given" in renamed else Constant(None, span)
        return self._reader.staged((*before, *done), given, span)
