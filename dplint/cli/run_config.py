"""`dplint config`: the settings that hold for a file, and where each of them comes from.

`dplint clean`: remove the caches of projects.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from dplint.check.continuing import cache_root, is_in_project
from dplint.cli.output import report_stream, say
from dplint.cli.overrides import layers, overrides
from dplint.cli.run_check import require_path
from dplint.config import ConfigError, Loaded, SettingsByFile, choose_interpreter, shown
from dplint.config.schema import schema_text
from dplint.config.validate import CHECKS
from dplint.report import numerals
from dplint.runner import fence
from dplint.runner.hosts import named_places
from dplint.source.files import SKIPPED_FOLDERS, import_place
from dplint.store import NAME, clean, refusal


def run_config(path: Path, options: Mapping[str, Any]) -> int:
    """Print the settings, and return the exit code: 2 if they are wrong.

    Raises:
        click.ClickException: there is no such path, or an option or a variable of the environment is wrong.
    """
    if options["schema"]:
        with report_stream(None) as stream:
            stream.write(schema_text())
        return 0
    require_path(path)
    folder = path if path.is_dir() else path.parent
    try:
        loaded = SettingsByFile.of(folder, layers(overrides(options))).loaded(folder)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    rows = {name.replace("_", "-"): (value, loaded.origins[name]) for name, value in _values(loaded, path)}
    with report_stream(None) as stream:
        stream.write(_json(path, loaded, rows) if options["form"] == "json" else _text(path, loaded, rows))
    return 0


def _values(loaded: Loaded, path: Path) -> Iterator[tuple[str, object]]:
    settings = loaded.settings
    for name in CHECKS:
        value = getattr(settings, name)
        if name == "interpreter" and value is None:
            place = import_place((path / "any.py" if path.is_dir() else path).absolute())
            value = choose_interpreter(settings, str(place.project_root))
        yield name, _plain(value)
    yield "mechanisms", sorted(settings.mechanisms)


def _plain(value: object) -> object:
    if isinstance(value, tuple | frozenset):
        return sorted(value) if isinstance(value, frozenset) else list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _json(path: Path, loaded: Loaded, rows: Mapping[str, tuple[object, str]]) -> str:
    settings = {name: {"value": value, "origin": origin} for name, (value, origin) in rows.items()}
    document = {
        "version": 1,
        "path": shown(path),
        "pyproject": loaded.file,
        "settings": settings,
        "fence": list(_standing(path, loaded)),
    }
    return json.dumps(document, indent=2) + "\n"


def _text(path: Path, loaded: Loaded, rows: Mapping[str, tuple[object, str]]) -> str:
    head = f"Settings for {shown(path)}, by {loaded.file}" if loaded.file else f"Settings for {shown(path)}: no file"
    values = {name: _toml(value) for name, (value, _) in rows.items()}
    first, second = max(map(len, rows)), min(max(map(len, values.values())), 44)
    lines = [f"{name:{first}}  {values[name]:{second}}  {origin}".rstrip() for name, (_, origin) in rows.items()]
    return "\n".join([head, "", *lines, "", *_fence(loaded.settings.allow, _standing(path, loaded))]) + "\n"


def _standing(path: Path, loaded: Loaded) -> tuple[str, ...]:
    """The parts of the fence that hold code of this project on this machine."""
    file = (path / "any.py" if path.is_dir() else path).absolute()
    place = import_place(file)
    module = {"path": str(file), "import_root": str(place.import_root), "project_root": str(place.project_root)}
    return fence.try_out(loaded.settings.allow, named_places(module, loaded.settings.allow))


def _fence(allow: frozenset[str], standing: Sequence[str]) -> Iterator[str]:
    """What holds code that is run on this machine, in words."""
    yield "Around your code, when it is run, by the kernel:" if standing else "Around your code, when it is run:"
    for part, words in fence.PARTS.items():
        if part in standing:
            yield f"  {words}"
        elif not allow.isdisjoint(fence.OPENED_BY.get(part, ())):
            yield f"  not this, by `allow`: {words}"
        else:
            yield f"  by an audit hook alone, for this kernel or container does not: {words}"


def _toml(value: object) -> str:
    """The value as one would write it in the file; a dash for none."""
    if value is None:
        return "-"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def run_clean(path: Path, *, yes: bool) -> int:
    """Remove the cache of the project that the path is part of, and those of projects below it.

    For a path of no project it is the cache that all such files share. Then all that would go is named, and asked for.
    yes: whether that is answered already.

    Raises:
        click.ClickException: there is no such path, a cache cannot be removed, or nobody can be asked.
    """
    require_path(path)
    removed = False
    roots = [root for root in dict.fromkeys(_roots(path)) if (root / NAME).is_dir()]
    if roots and not yes and not is_in_project(_folder(path) / "any.py"):
        _ask(path, roots)
    for root in roots:
        why = refusal(root)
        if why is not None:
            say(f"{why}.")
            continue
        try:
            files, size = clean(root)
        except OSError as error:
            raise click.FileError(str(error.filename or root / NAME), error.strerror) from None
        if (root / NAME).exists():
            say(f"{shown(root / NAME)} holds what dplint has not made, and is kept.")
        else:
            removed = True
            say(f"Removed {shown(root / NAME)}: {numerals.count(files, 'file')}, {size / 1e6:.1f} MB.", err=False)
    if not removed:
        click.echo("There is no cache to remove.")
    return 0


def _ask(path: Path, roots: Sequence[Path]) -> None:
    """Whether caches may go that are those of many projects, or of none."""
    say(f"{shown(path)} is part of no project. These caches would be removed:")
    for root in roots:
        say(f"  {shown(root / NAME)}")
    if not sys.stdin.isatty():
        raise click.UsageError("clean outside of a project wants --yes, or a terminal to ask on.")
    click.confirm("Remove them?", abort=True, err=True)


def _folder(path: Path) -> Path:
    return (path if path.is_dir() else path.parent).absolute()


def _roots(path: Path) -> Iterator[Path]:
    folder = _folder(path)
    yield cache_root(folder / "any.py")
    if path.is_dir():
        for inner, folders, _ in os.walk(folder):
            if NAME in folders:
                yield Path(inner)
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS)
