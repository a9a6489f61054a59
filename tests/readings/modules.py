"""Random modules of odd Python, with a second module beside them: the templates of `odd_grammar`, filled.

Ordinary statements between them are those of the conformance suite.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from dplint_conformance import grammar, grammar_modules
from dplint_conformance.strategy import _Filler
from tests.readings.odd_grammar import ALL, EXPRESSIONS, FORMS, IMPORTS, LISTS, SCALARS, START, Odd

_NAME = re.compile(r"<name:(\w)(\w*)@?>")
_DOMAINS = dict(
    zip(FORMS, ["(0, 9)", "(0, 9)", *2 * ['{"age": (0, 9), "sex": ["m", "f"]}'], "(0.0, 9.0)"], strict=True)
)


@dataclass(frozen=True)
class Written:
    """The text of the module `first` with the mechanism `name`, that of `second`, and the form of the data."""

    first: str
    second: str
    name: str
    form: str
    parts: tuple[Odd, ...] = ()

    def __str__(self) -> str:
        return f"# first.py\n{self.first}\n# second.py\n{self.second}"


class _Odd(_Filler):
    """Fills the holes of odd templates."""

    def _expression(self, kind: str, depth: int) -> str:
        simple, compound = EXPRESSIONS[kind]
        options = compound if compound and depth > 0 and self._draw(st.booleans()) else simple
        return self._fill(self._choice(options), depth - 1)

    def filled(self, template: str, number: int) -> str:
        text = _NAME.sub(lambda hole: self._spelt(hole[1], hole[0]), template)
        return self._fill(re.sub(r"(?<=\w)@", str(number), text), 1)

    def _spelt(self, first: str, hole: str) -> str:
        rest = hole.removeprefix(f"<name:{first}").removesuffix(">")
        return self._draw(st.sampled_from(_spellings(first))) + rest


def _spellings(letter: str) -> list[str]:
    """The letter, and others that NFKC makes the same."""
    base = 0x1D41A if letter.islower() else 0x1D400
    wide = chr(ord(letter) - ord("!") + 0xFF01)
    bold = chr(base + ord(letter.lower()) - ord("a"))
    assert {unicodedata.normalize("NFKC", one) for one in (wide, bold)} == {letter}
    return [letter, wide, bold]


@st.composite
def modules(draw: st.DrawFn, parts: Sequence[Odd] = ALL) -> Written:
    """A module whose mechanism returns a list of what its odd parts have come to."""
    form = draw(st.sampled_from([form for form in FORMS if any(form in one.forms for one in parts)]))
    ordinary = form == LISTS and draw(st.integers(0, 3)) == 3
    odd = _Odd(draw, ((), ()), helper=False)
    of_form = [one for one in parts if form in one.forms]
    chosen = draw(st.lists(st.sampled_from(of_form), min_size=1, max_size=3))
    before, after, second, body = [], [], [], [START]
    for number, one in enumerate(chosen):
        for lines, template in ((before, one.before), (after, one.after), (second, one.second), (body, one.body)):
            lines.append(odd.filled(template, number))
    if ordinary:
        before.append(grammar_modules.CLASSES)
        body[0] = f"queries = list(data)\n{grammar.START.strip()}\nout = []"
        place = draw(st.integers(1, len(body)))
        body.insert(place, _Filler(draw, grammar.STATEMENTS, helper=False).block(1, 3, loop=False))
    body.append("return out")
    imports = grammar_modules.IMPORTS + IMPORTS if ordinary else IMPORTS
    relation = "linf" if form == SCALARS else "add-remove"
    claim = f'# dplint: dp(epsilon="epsilon", neighbors="{relation}", domain={_DOMAINS[form]})'
    method = not ordinary and draw(st.integers(0, 3)) == 3
    function = [
        claim,
        f"def made({'self, ' if method else ''}rng, data: {form}, epsilon):",
        *_indented("\n".join(body)),
    ]
    if method:
        function = ["class Holder:", *_indented("\n".join(function))]
    first = "\n".join([imports, *before, "", *function, "", *after, ""])
    return Written(first, "\n".join(second) + "\n", "Holder.made" if method else "made", form, tuple(chosen))


def _indented(text: str) -> list[str]:
    return textwrap.indent(text, "    ").splitlines()
