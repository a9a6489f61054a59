"""What reports never show: an environment. What a checked function raises may hold one, its own or that of another."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

MASKED = "[not shown: of an environment]"
_SECRET = re.compile(
    r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|(^|_)(PASS|PAT|DSN|AUTH)(_|$)", re.IGNORECASE
)
_SHORTEST = 8
"""Characters of a value that are masked by themselves; shorter ones are in too many texts."""
_END = r"(?:\0|\\x00|\\0)"
_WHOLE = re.compile(
    rf"(?:[A-Za-z_]\w*=(?:(?!{_END}).)*{_END}){{2,}}(?:[A-Za-z_]\w*=\S*)?"  # as /proc has it, or the repr of that
    r"|environ\(\{.*?(?:\}\)|\Z)",  # as os.environ is printed
    re.DOTALL,
)


def without_environment(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The text without whole environments, and without values of variables that are named as secrets are."""
    text = _WHOLE.sub(MASKED, text)
    for name, value in environ.items():
        if _SECRET.search(name):
            for line in value.splitlines():
                if len(line) >= _SHORTEST and line in text:
                    text = text.replace(line, MASKED)
    return text
