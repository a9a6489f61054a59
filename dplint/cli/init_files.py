"""What `dplint init` writes: texts from texts. What is there stays to the letter; where that cannot be, None."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence

from dplint.config import PROFILES, ProfileName

HOOK = """\
- repo: local
  hooks:
    - id: dplint
      name: dplint
      entry: dplint check --profile commit --no-progress --format concise
      language: system
      types_or: [python, jupyter]
      require_serial: true
"""
BASELINE = ".dplint-baseline.json"
_REPOS = re.compile(r"^repos:[ \t]*(?:#.*)?$", re.MULTILINE)
_TOP = re.compile(r"^[^\s#-]", re.MULTILINE)
_ITEM = re.compile(r"^(?P<indent> *)- repo:", re.MULTILINE)


def section_text(profile: ProfileName, exclude: Sequence[str]) -> str:
    """The table of settings. A profile and no budget: the hook has a profile of its own, and a budget would win."""
    lines = [
        "[tool.dplint]",
        f'profile = "{profile}"  # {PROFILES[profile].budget:g} s for each mechanism',
        f'baseline = "{BASELINE}"  # what is known: `dplint check --write-baseline`',
    ]
    if exclude:
        lines.append(f"exclude = [{', '.join(json.dumps(one, ensure_ascii=False) for one in exclude)}]")
    return "".join(f"{line}\n" for line in lines)


def with_section(text: str, section: str) -> str | None:
    """A pyproject.toml with the table at its end; None where it has one, or cannot be extended so."""
    end = "\r\n" if "\r\n" in text else "\n"
    ended = text if not text or text.endswith("\n") else text + end
    changed = f"{ended}{end if ended else ''}{section.replace(chr(10), end)}"
    try:
        before, after = tomllib.loads(text), tomllib.loads(changed)
        new = after.get("tool", {}).pop("dplint")
    except (tomllib.TOMLDecodeError, RecursionError, KeyError, AttributeError, TypeError):
        return None
    if "tool" not in before and not after["tool"]:
        del after["tool"]
    return changed if after == before and new else None


def with_hook(text: str) -> str | None:
    """A .pre-commit-config.yaml with our hook at the end of its list; None where it has one, or has another form."""
    if not text.strip():
        return f"repos:\n{_indented(HOOK, 2)}"
    start, items = _REPOS.search(text), list(_ITEM.finditer(text))
    if "dplint" in text or start is None or not items or _TOP.search(text, start.end()) is not None:
        return None
    indents = {len(item["indent"]) for item in items}
    if len(indents) > 1:
        return None
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{ended}{_indented(HOOK, indents.pop())}"


def _indented(text: str, width: int) -> str:
    return "".join(f"{' ' * width}{line}\n" for line in text.splitlines())
