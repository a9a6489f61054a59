"""A badge: the gravest that a JSON report tells, as a small picture. It never says more than the report does."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from dplint.report import numerals

_LETTER, _PAD, _HEIGHT = 6.0, 7, 20
_NAME = "dplint"
_RED, _ORANGE, _GREEN, _BLUE, _GREY = "#b3262b", "#a35a00", "#2a7a2f", "#1a5fb4", "#5c6068"


class BadgeError(ValueError):
    """The text is no JSON report of a whole check; says why."""


def badge_words(report: str) -> tuple[str, str]:
    """What the badge says of a JSON report, and its colour.

    Raises:
        BadgeError: the text is no JSON report, or that of a shard.
    """
    try:
        document: Any = json.loads(report)
        counts = {name: int(document["summary"][name]) for name in _COUNTED}
        errors = sum(one["severity"] == "error" for one in document["findings"])
        shard = "shard" in document
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadgeError("is no JSON report of `dplint check`") from None
    if shard:
        raise BadgeError("is the report of one shard: a badge is of a whole check")
    return _words(counts, errors)


_COUNTED = (
    "mechanisms",
    "violations",
    "proved",
    "no_violation",
    "underpowered",
    "untestable",
    "failed",
    "errors",
    "silenced",
    "baseline",
)


def _words(counts: dict[str, int], findings: int) -> tuple[str, str]:
    mechanisms, proved = counts["mechanisms"], counts["proved"]
    unchecked, untold = counts["failed"] + counts["errors"], counts["underpowered"] + counts["untestable"]
    if unchecked:
        return f"{unchecked} not checked", _RED
    if counts["violations"]:
        return numerals.count(counts["violations"], "violation"), _RED
    if findings:
        return numerals.count(findings, "finding"), _ORANGE
    if not mechanisms:
        return "no claims", _GREY
    if untold:
        return f"{untold} of {mechanisms} not tested", _GREY
    known = counts["silenced"] + counts["baseline"]
    if proved == mechanisms and not known:
        return f"{proved} proved", _GREEN
    more = [f"{proved} of {mechanisms} proved"] if proved else []
    return ", ".join(["no violation found", *more] if not known else [f"{known} silenced, no other found"]), _BLUE


def badge(report: str) -> str:
    """The picture, as SVG that needs nothing else.

    Raises:
        BadgeError: as `badge_words` does.
    """
    said, colour = badge_words(report)
    left, right = _width(_NAME), _width(said)
    title = escape(f"{_NAME}: {said}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img" '
        f'aria-label="{title}">\n'
        f"<title>{title}</title>\n"
        f'<clipPath id="c"><rect width="{left + right}" height="{_HEIGHT}" rx="3"/></clipPath>\n'
        f'<g clip-path="url(#c)"><rect width="{left}" height="{_HEIGHT}" fill="#3c4048"/>'
        f'<rect x="{left}" width="{right}" height="{_HEIGHT}" fill="{colour}"/></g>\n'
        f'<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">'
        f"{_text(_NAME, 0, left)}{_text(said, left, right)}</g>\n</svg>\n"
    )


def _width(text: str) -> int:
    return round(len(text) * _LETTER) + 2 * _PAD


def _text(text: str, left: int, width: int) -> str:
    """Fitted into its width, whatever font a reader has."""
    return f'<text x="{left + _PAD}" y="14" textLength="{width - 2 * _PAD}">{escape(text)}</text>'
