"""Draw sites: where in the source, and when in an execution, a mechanism draws noise. Plain frozen data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dplint.claims import Span

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True, slots=True, order=True)
class DrawSite:
    """One draw of one execution, told by its place and not by how many draws came before it.

    span: the call that draws, e.g. `rng.laplace(scale=2)`. calls: the calls of helper functions that lead to it,
    outermost first; empty for a draw in the mechanism's own body. turns: the turn of each loop around the draw and
    around those calls, outermost first, counting from 0; a comprehension is a loop. A call that draws an array is one
    site.

    Two executions of the same mechanism that take the same decisions have the same sites. Executions that differ may
    have different ones, and nothing is promised about their order.
    """

    span: Span
    calls: tuple[Span, ...] = ()
    turns: tuple[int, ...] = ()


def all_calls(site: DrawSite) -> tuple[Span, ...]:
    """The calls that lead to a draw, those of functions that a program has read into their callers included."""
    found = (place for span in (*site.calls, site.span) for place in (*span.calls, span.place))
    return tuple(Span(*place) for place in found)[:-1]


def noise_words(site: DrawSite, among: Iterable[DrawSite] = ()) -> str:
    """The draw for people: "the noise of line 12 in the third turn", "the noise of line 3 of shop/noise.py
    (called in line 12)".

    among: the sites that are spoken of beside it. If another one begins in the same line, the column is told as well.
    """
    shared = any(_line(one.span) == _line(site.span) and one.span.column != site.span.column for one in among)
    column = f", column {site.span.column}" if shared else ""
    file = f" of {site.span.file}" if site.span.file else ""
    called = f" (called in {_lines(all_calls(site))})" if all_calls(site) else ""
    turns = f" in {turn_words(site.turns)}" if site.turns else ""
    return f"the noise of line {site.span.line}{column}{file}{called}{turns}"


def lines_words(spans: Iterable[Span]) -> str:
    """The lines of several places for people: "line 12", "lines 12, 16, line 3 of shop/noise.py"."""
    lines = sorted({_line(span) for span in spans})
    words = []
    for file in dict.fromkeys(file for file, _ in lines):
        numbers = [str(line) for other, line in lines if other == file]
        words.append(
            f"{'line' if len(numbers) == 1 else 'lines'} {', '.join(numbers)}" + (f" of {file}" if file else "")
        )
    return ", ".join(words)


def turn_words(turns: tuple[int, ...]) -> str:
    """Turns of loops for people, counted from 1: "the third turn", "the second turn, and there the first"."""
    first, *inner = [_ordinal(turn + 1) for turn in turns]
    return ", and there ".join([f"the {first} turn", *(f"the {one}" for one in inner)])


def _lines(calls: tuple[Span, ...]) -> str:
    return ", then ".join(call.words for call in calls)


def _line(span: Span) -> tuple[str, int]:
    return span.file, span.line


def _ordinal(number: int) -> str:
    """For instance "third", "11th", "22nd"."""
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
