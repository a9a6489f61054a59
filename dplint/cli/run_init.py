"""`dplint init`: settings, the pre-commit hook, claims, a baseline, one question at a time. What is there is kept.

What `dplint init` writes: texts from texts. What is there stays to the letter; where that cannot be, None.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from dplint.check.suggesting import SuggestedFile, suggest_paths
from dplint.cli.overrides import settings_by_file
from dplint.config import PROFILES, ProfileName, find_pyproject, shown
from dplint.contents import content
from dplint.outcomes import CheckError
from dplint.report import numerals
from dplint.report.suggestions import entry
from dplint.source.files import is_project

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


_MOST_SHOWN = 10
_SURE = "high"


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do. shown: what would be written. default: the answer of who says nothing."""

    question: str
    shown: str
    default: bool
    do: Callable[[], str]


def run_init(folder: Path, *, yes: bool, accept: bool) -> int:
    """Ask, and do what is wanted; the exit code, 2 where something could not be read or written.

    yes: every question has its default. accept: that of the baseline is yes. Where nobody can be asked, it is only told
    what would be done.

    Raises:
        click.UsageError: the folder is none.
    """
    if not folder.is_dir():
        raise click.UsageError(f"'{folder}' is no folder: name the one that holds your project.")
    root = next((one for one in (folder.absolute(), *folder.absolute().parents) if is_project(one)), folder.absolute())
    asked = sys.stdin.isatty() and sys.stdout.isatty() and not yes
    code = 0
    for step in _steps(root, asked=asked, accept=accept):
        if isinstance(step, str):
            click.echo(step)
            continue
        click.echo(f"\n{step.question}\n{step.shown}", nl=False)
        if not (asked or yes):
            click.echo("Would be done." if step.default else "Would not be done, unless you say so.")
            continue
        if not asked and not step.default:
            click.echo("Not done: that is for you to say.")
        elif not asked or click.confirm("Do it?", default=step.default):
            try:
                click.echo(step.do())
            except OSError as error:
                click.echo(f"It could not be written: {error.strerror or error}", err=True)
                code = 2
    if not (asked or yes):
        click.echo("\nNothing was changed: answer in a terminal, or take every default with --yes.")
    else:
        click.echo("\nNow: dplint check")
    return code


def _steps(root: Path, *, asked: bool, accept: bool) -> Iterator[Step | str]:
    """What to do, or to say, one after another: what was done before counts."""
    yield _settings(root, asked=asked)
    yield _hook(root)
    yield from _claims(root)
    yield from _baseline(root, accept=accept)


def _settings(root: Path, *, asked: bool) -> Step | str:
    path = root / "pyproject.toml"
    before = _text(path)
    if before is None:
        return f"{shown(path)} cannot be read, and is kept."
    profile: ProfileName = "ci"
    exclude: list[str] = []
    known = find_pyproject(root)
    if with_section(before, section_text(profile, exclude)) is None:
        return f"{shown(known or path)} has settings of dplint, or cannot be extended, and is kept."
    if asked:
        efforts = ", ".join(f"{name}: {one.budget:g} s" for name, one in PROFILES.items())
        question = f"How much effort for each mechanism ({efforts})?"
        profile = click.prompt(question, type=click.Choice(list(PROFILES)), default=profile, show_choices=False)
        given = click.prompt("Which files or folders to leave out, by patterns with commas?", default="none")
        exclude = [] if given == "none" else [one.strip() for one in given.split(",") if one.strip()]
    section = section_text(profile, exclude)
    text = with_section(before, section) or ""
    # a pyproject.toml that is new changes how pip builds what has a setup.py alone
    default = path.exists() or not (root / "setup.py").exists()
    what = f"{'Add settings to' if path.exists() else 'Make'} {shown(path)}:"
    return Step(what, section, default, lambda: _write(path, text))


def _hook(root: Path) -> Step | str:
    path = root / ".pre-commit-config.yaml"
    if not (root / ".git").exists():
        return f"{shown(root)} is no repository of git: no hook for pre-commit."
    before = _text(path)
    if before is not None and "dplint" in before:
        return f"{shown(path)} knows dplint, and is kept."
    text = None if before is None else with_hook(before)
    if text is None:
        return f"{shown(path)} has a form of its own, and is kept. The hook would be:\n{HOOK}"
    what = f"{'Add a hook to' if path.exists() else 'Make'} {shown(path)}, so that pre-commit checks each commit:"
    return Step(what, HOOK, True, lambda: _write(path, text))


def _claims(root: Path) -> Iterator[Step | str]:
    settings = settings_by_file(root, {})
    if isinstance(settings, CheckError):
        yield f"{settings.file}: {settings.message}"
        return
    found = [one for one in suggest_paths([root], settings) if isinstance(one, SuggestedFile)]
    everything = [(file, one) for file in found for one in file.suggestions if one.function is not None]
    sure = [(file, one) for file, one in everything if str(one.confidence) == _SURE]
    if sure:
        shown_ones = "".join(entry(file, one) for file, one in sure[:_MOST_SHOWN])
        more = f"and {len(sure) - _MOST_SHOWN} more\n" if len(sure) > _MOST_SHOWN else ""
        what = f"Write {numerals.count(len(sure), 'claim')} that the source is clear about:"
        yield Step(what, shown_ones + more, True, lambda: _write_claims(sure))
    left = len(everything) - len(sure)
    if left:
        yield f"\n{numerals.count(left, 'claim')} less certain: look at `dplint suggest`."
    if not everything:
        yield "No function without a claim was found that adds noise to data."


def _baseline(root: Path, *, accept: bool) -> Iterator[Step]:
    """Where the settings name one, as those that were written now do."""
    settings = settings_by_file(root, {})
    if isinstance(settings, CheckError) or settings.base.baseline is None or Path(settings.base.baseline).exists():
        return
    path = Path(settings.base.baseline)
    what = f"Check now, and write what is found into {shown(path)}, so that only what is new is reported:"
    check = ("check", shown(root), "--profile", "commit", "--format", "concise")
    yield Step(what, f"dplint {shlex.join(check)} --write-baseline\n", accept, lambda: _accept(check))


def _accept(check: Sequence[str]) -> str:
    """What is found is shown before it is known; the second check answers from the cache."""
    dplint = click.get_current_context().find_root().command
    dplint.main(list(check), standalone_mode=False)
    dplint.main([*check, "--write-baseline"], standalone_mode=False)
    return "What was shown is known from now on. Mend it, and write the baseline again."


def _write_claims(sure: Sequence[tuple[SuggestedFile, object]]) -> str:
    files = {file.file: file for file, _ in sure}
    for name, file in files.items():
        file.write([one for one in file.suggestions if any(other is one for at, other in sure if at.file == name)])
    return f"{numerals.count(len(sure), 'claim')} written in {numerals.count(len(files), 'file')}."


def _text(path: Path) -> str | None:
    """What is in the file, as it is there; empty if there is none; None if it cannot be read."""
    try:
        return content(path).decode("utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError):
        return None


def _write(path: Path, text: str) -> str:
    path.write_bytes(text.encode())
    return f"Written: {shown(path)}."
