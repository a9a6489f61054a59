"""Random mechanisms, as source text: the templates of `grammar`, filled at random and nested. All of them end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from dplint_conformance.grammar import ALIASES, EXITS, EXPRESSIONS, START, STATEMENTS, Templates
from dplint_conformance.grammar_modules import CLASSES, HELPERS, IMPORTS

_HOLE = re.compile(r"<(\w+)>")


@st.composite
def mechanisms(draw: st.DrawFn) -> str:
    """A module with a helper function and the mechanism `made(rng, queries, epsilon)`."""
    helper = _Filler(draw, STATEMENTS, helper=False).block(1, 3, loop=False)
    body = _Filler(draw, STATEMENTS, helper=True).block(3, 8, loop=False)
    return "\n".join(
        [
            IMPORTS,
            CLASSES,
            "def _helper(rng, epsilon):",
            "    queries = [epsilon, 1]",
            *_indented(START),
            *_indented(helper),
            "    return x\n\n",
            "def made(rng, queries, epsilon):",
            *_indented(START),
            *_indented(body),
            "    return (out, x, y, flag, s, m, xs, a, b, cell.x, cell.seen, t, cost.weight, cost.more,",
            "        dict(groups), d, len(tally), sorted(heap),",
            "        mark.total, [len(one) for one in seen.values()], state,",
            "        model.centre, sorted(pool), grid)",
        ]
    )


@st.composite
def aliases(draw: st.DrawFn) -> str:
    """A module with a mechanism in which several names hold the same lists and arrays."""
    body = _Filler(draw, (ALIASES, STATEMENTS[1][:5]), helper=False).block(1, 4, loop=False)
    return "\n".join(
        [
            f"{IMPORTS}TABLE = [3, 4]\n",
            CLASSES,
            HELPERS,
            "def made(rng, queries, epsilon):",
            *_indented(START),
            "    ys = [5]\n    rows = [[6], [7, 8]]",
            *_indented(body),
            "    return out, xs, ys, rows, a, b, list(TABLE)",
        ]
    )


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.strip("\n").splitlines()]


class _Filler:
    """Fills the holes of templates. statements: simple and compound ones. helper: whether `_helper` may be called."""

    def __init__(self, draw: Callable[[Any], Any], statements: Templates, *, helper: bool) -> None:
        self._draw = draw
        self._statements = statements
        self._helper = helper

    def block(self, depth: int, most: int, *, loop: bool) -> str:
        """One to `most` statements; loop: whether they stand in a loop."""
        return "\n".join(self._statement(depth, loop) for _ in range(self._draw(st.integers(1, most))))

    def _statement(self, depth: int, loop: bool) -> str:
        simple, compound = self._statements
        template = self._choice(simple if depth == 0 or self._draw(st.integers(0, 2)) else compound)
        lines = []
        for line in template.splitlines():
            kind = line.strip().strip("<>")
            if kind in ("block", "loop"):
                inner = self.block(depth - 1, 3, loop=loop or kind == "loop")
                lines += [line[: line.index("<")] + one for one in inner.splitlines()]
            elif kind == "exit":
                lines += _indented(self._fill(self._choice([*(["break", "continue"] if loop else []), *EXITS]), 1))
            else:
                lines.append(self._fill(line.replace("<depth>", str(depth)), 2))
        return "\n".join(lines)

    def _fill(self, template: str, depth: int) -> str:
        return _HOLE.sub(lambda hole: self._expression(hole[1], depth), template)

    def _expression(self, kind: str, depth: int) -> str:
        simple, compound = EXPRESSIONS[kind]
        options = compound if compound and depth > 0 and self._draw(st.booleans()) else simple
        return self._fill(self._choice(options), depth - 1)

    def _choice(self, options: Sequence[str]) -> str:
        allowed = options if self._helper else [option for option in options if "_helper(" not in option]
        chosen: str = self._draw(st.sampled_from(allowed))
        return chosen
