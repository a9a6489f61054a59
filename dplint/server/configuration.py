"""Settings of the editor over those of pyproject.toml, for each file; mistakes in either are said, not swallowed."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from dplint.config import ConfigError, Settings, find_pyproject, for_file, hint, load_settings
from dplint.config.load import COMMAND_LINE
from dplint.config.settings import usable_cpus
from dplint.config.validate import CHECKS, flag

Run: TypeAlias = Literal["onSave", "onType", "manual"]
_RUNS: tuple[Run, ...] = ("onSave", "onType", "manual")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PROFILE: Mapping[str, object] = {"profile": "editor"}
_UNTRUSTED_KEYS = ("interpreter", "allow")
"""Settings that decide what is executed: not taken from anybody whom the user has not trusted."""


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """What an editor sets for a folder.

    run: when audits begin by themselves. deepen: whether they go on while nobody types. code_lens, inlay_hints: shown
    or not. overrides: settings of dplint that win over pyproject.toml, by the name of their field.
    """

    run: Run = "onSave"
    deepen: bool = True
    code_lens: bool = True
    inlay_hints: bool = True
    overrides: Mapping[str, object] = field(default_factory=dict)


def read_editor_settings(values: object) -> tuple[EditorSettings, tuple[str, ...]]:
    """The settings, and what is wrong with them: a value that is wrong is left out, and the rest holds.

    values: the section `dplint` as the editor gives it, in camel case or with - or _; None for nothing set.
    """
    if not isinstance(values, Mapping):
        return EditorSettings(), () if values is None else (f"the settings of dplint are no object: {values!r}",)
    own: dict[str, Any] = {}
    overrides: dict[str, object] = {}
    problems = []
    for key, value in values.items():
        name = _HUMP.sub("_", str(key)).replace("-", "_").lower()
        if value is None:
            continue
        try:
            if name in _OWN:
                own[name] = _OWN[name](value)
            elif name in CHECKS:
                overrides[name] = CHECKS[name](value)
            else:
                known = [_camel(one) for one in (*_OWN, *CHECKS)]
                raise ValueError(f"is unknown. {hint(str(key), known, noun='known settings')}")
        except ValueError as error:
            problems.append(f"the setting dplint.{key} {error}")
    return EditorSettings(**own, overrides=overrides), tuple(problems)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _run(value: object) -> Run:
    for run in _RUNS:
        if value == run:
            return run
    raise ValueError(f"must be one of {', '.join(_RUNS)}, not {value!r}")


_OWN: Mapping[str, Callable[[object], object]] = {
    "run": _run,
    "deepen": flag,
    "code_lens": flag,
    "inlay_hints": flag,
}
"""What reads the settings that the server alone has, by their fields."""


@dataclass(frozen=True, slots=True)
class FileSettings:
    """The settings that hold for one file.

    error: what is wrong with the pyproject.toml, or with the editor's settings; `settings` are then without these.
    """

    editor: EditorSettings
    settings: Settings
    pyproject: Path | None
    error: ConfigError | None


class Configuration:
    """What editors have set, by folder, and the settings of files under it."""

    def __init__(self) -> None:
        self._folders: dict[Path, EditorSettings] = {}
        self._everywhere = EditorSettings()
        self._loaded: dict[tuple[Path | None, int, Path | None, bool], FileSettings] = {}

    def set_everywhere(self, settings: EditorSettings) -> None:
        """For files in no folder of the workspace, and for folders of which nothing was said."""
        self._everywhere = settings
        self._loaded.clear()

    def set_folder(self, folder: Path, settings: EditorSettings) -> None:
        """For the files of a folder."""
        self._folders[folder] = settings
        self._loaded.clear()

    def drop_folder(self, folder: Path) -> None:
        """The folder was removed from the workspace."""
        self._folders.pop(folder, None)
        self._loaded.clear()

    @property
    def jobs(self) -> int:
        """Worker processes: the largest number that is set, else all processors but one, but two of two."""
        cpus = usable_cpus()
        values = [item.overrides.get("jobs") for item in (self._everywhere, *self._folders.values())]
        return max((value for value in values if isinstance(value, int)), default=max(min(2, cpus), cpus - 1))

    def of_file(self, path: Path, *, trusted: bool) -> FileSettings:
        """The settings for a file; a changed pyproject.toml is noticed by its time."""
        pyproject = find_pyproject(path.parent)
        folder = next((home for home in _homes(path) if home in self._folders), None)
        key = (pyproject, _time(pyproject), folder, trusted)
        if key not in self._loaded:
            self._loaded = {old: found for old, found in self._loaded.items() if old[0] != pyproject}
            editor = self._everywhere if folder is None else self._folders[folder]
            self._loaded[key] = _load(path, editor, folder, pyproject, trusted=trusted)
        found = self._loaded[key]
        own = for_file(found.settings, path)
        return found if own is found.settings else replace(found, settings=own)


def _homes(path: Path) -> Iterator[Path]:
    yield from path.parents


def _time(path: Path | None) -> int:
    try:
        return 0 if path is None else path.stat().st_mtime_ns
    except OSError:
        return -1


def _load(
    path: Path, editor: EditorSettings, folder: Path | None, pyproject: Path | None, *, trusted: bool
) -> FileSettings:
    """A quick profile, unless the editor asks for another one: what pyproject.toml says of effort is for the CI."""
    overrides: dict[str, object] = {**_PROFILE, **editor.overrides}
    if folder is not None and isinstance(overrides.get("interpreter"), str):
        overrides["interpreter"] = _interpreter(str(overrides["interpreter"]), folder)
    if not trusted:
        overrides = {name: value for name, value in overrides.items() if name not in _UNTRUSTED_KEYS}
    try:
        return FileSettings(editor, load_settings(path.parent, overrides), pyproject, None)
    except ConfigError as error:
        found = error
    if found.file == COMMAND_LINE:
        found = ConfigError("the settings of the editor", None, found.message)
        with contextlib.suppress(ConfigError):
            return FileSettings(editor, load_settings(path.parent, _PROFILE), pyproject, found)
    return FileSettings(editor, Settings(profile="editor"), pyproject, found)


def _interpreter(value: str, folder: Path) -> str:
    """A path of the editor, which may name the folder and counts from it; a bare name is left to PATH."""
    text = value.replace("${workspaceFolder}", str(folder))
    return text if Path(text).name == text else str(folder / Path(text).expanduser())
