"""Claims in comments: `# dplint: dp(...)` or `# dplint: stable(...)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from dplint.claims import Span
from dplint.source.arguments import KINDS
from dplint.source.ignore_comments import ignore_start
from dplint.source.targets import Target
from dplint.source.text import Segment
from dplint.syntax import parse_expression

_MARK = re.compile(r"#+\s*dplint\s*:\s*")
_CLAIM = re.compile(r"(?:dp|stable)\b")
_OTHERS = re.compile(r"(?:ignore|noqa|skip|off|on|disable|enable)\b")


@dataclass(frozen=True, slots=True)
class ClaimComment:
    """A comment that makes a claim. call: None if the text is no call, and then `error` says why. kind: as `KINDS`."""

    span: Span
    segment: Segment
    call: ast.Call | None
    error: str
    kind: str = "dp"


def claim_comment(text: str, span: Span) -> ClaimComment | None:
    """The claim that a comment makes, or fails to make; None if it is a comment of another kind."""
    mark = _MARK.match(text)
    if mark is None or _OTHERS.match(text, mark.end()):
        return None
    body = text[mark.end() : ignore_start(text)].rstrip()
    segment = Segment(body, span.line, span.column + mark.end())
    if not _CLAIM.match(body):
        return ClaimComment(span, segment, None, f"{body!r} is neither dp(...), stable(...) nor ignore[...]")
    try:
        call = parse_expression(body)
    except SyntaxError as error:
        return ClaimComment(span, segment, None, f"it does not parse ({error.msg})")
    except (ValueError, RecursionError, MemoryError):
        return ClaimComment(span, segment, None, "it does not parse")
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KINDS:
        return ClaimComment(span, segment, call, "", call.func.id)
    return ClaimComment(span, segment, None, "it is not a call dp(...)")


class CommentTargets:
    """Which function a comment stands above."""

    def __init__(self, targets: Iterable[Target], lines: tuple[str, ...]) -> None:
        self._targets = targets
        self._lines = lines

    @cached_property
    def _starts(self) -> Mapping[int, Target]:
        return {line: target for target in self._targets for line in target.starts}

    def below(self, comment: Span) -> Target | None:
        """The function whose decorator or `def` follows the comment, with nothing but other comments in between."""
        if not self._is_comment(comment.line):
            return None
        line = comment.line + 1
        while self._is_comment(line):
            line += 1
        return self._starts.get(line)

    def _is_comment(self, line: int) -> bool:
        return line <= len(self._lines) and self._lines[line - 1].lstrip().startswith("#")
