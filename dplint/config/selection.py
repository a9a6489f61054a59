"""Which codes are reported, and how much each counts: `select`, `ignore` and `severity`.

The settings of each file: those of its own pyproject.toml, under what the command and the environment say.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dplint.config.document import ConfigError, find_pyproject, shown
from dplint.config.load import Layer, Loaded, load
from dplint.config.settings import Level, Settings


def is_selected(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    """Whether a code is reported: the longest matching prefix decides, and `ignore` wins a tie.

    An empty `select` selects everything.
    """
    chosen = max((len(prefix) for prefix in select if code.startswith(prefix)), default=-1 if select else 0)
    dropped = max((len(prefix) for prefix in ignore if code.startswith(prefix)), default=-1)
    return chosen >= 0 and chosen > dropped


def level_of(code: str, severity: Mapping[str, Level]) -> Level | None:
    """The level that the longest matching prefix gives a code, None if none does."""
    prefix = max((prefix for prefix in severity if code.startswith(prefix)), key=len, default=None)
    return None if prefix is None else severity[prefix]


def is_reported(code: str, settings: Settings) -> bool:
    """Whether a code is reported; the level "off" leaves it out, whatever `select` says."""
    select = (*settings.select, *settings.extend_select) if settings.select else ()
    return level_of(code, settings.severity) != "off" and is_selected(code, select, settings.ignore)


def asked_for(settings: Settings) -> tuple[str, ...]:
    """The codes, and beginnings of codes, by which rules that are off by default are turned on."""
    return (*settings.select, *settings.extend_select)


def for_file(settings: Settings, path: Path) -> Settings:
    """The settings of a folder as they are for one file of it: with what is left out in files of its name.

    A pattern is for the name of the file, or for its path from the folder of the pyproject.toml, or else from the
    working directory.
    """
    if not settings.per_file_ignores:
        return settings
    names = [path.name, shown(path)]
    if settings.root is not None and path.absolute().is_relative_to(settings.root):
        names.append(path.absolute().relative_to(settings.root).as_posix())
    more = [
        code
        for pattern, codes in settings.per_file_ignores.items()
        if any(fnmatch.fnmatch(name, pattern) for name in names)
        for code in codes
    ]
    return replace(settings, ignore=(*settings.ignore, *more)) if more else settings


class SettingsByFile:
    """Reads each pyproject.toml once.

    base: the settings of the first path of the command, for what concerns the whole check, such as the number of
    processes.
    """

    def __init__(self, base: Settings, layers: Sequence[Layer], fixed: Settings | None = None) -> None:
        self.base = base
        self._layers = layers
        self._fixed = fixed
        self._homes: dict[Path, Path | None] = {}
        self._known: dict[Path | None, Loaded | ConfigError] = {}

    @classmethod
    def of(cls, start: Path, layers: Sequence[Layer]) -> SettingsByFile:
        """Those of a check that begins with the path `start`.

        Raises:
            ConfigError: the settings for `start` are wrong.
        """
        made = cls(Settings(), layers)
        made.base = made.loaded(start if start.is_dir() else start.parent).settings
        return made

    @classmethod
    def fixed(cls, settings: Settings) -> SettingsByFile:
        """These settings for all files; only claims come from the pyproject.toml of each."""
        return cls(settings, (), settings)

    def of_file(self, path: Path) -> Settings:
        """The settings for a file.

        Raises:
            ConfigError: its pyproject.toml is wrong, or does not fit the options of the command.
        """
        return for_file(self.of_folder(path.parent), path)

    def of_folder(self, folder: Path) -> Settings:
        """The settings for the files of a folder. Raises ConfigError as `of_file`."""
        settings = self.loaded(folder).settings
        if self._fixed is None:
            return settings
        return replace(self._fixed, mechanisms={**self._fixed.mechanisms, **settings.mechanisms})

    def loaded(self, folder: Path) -> Loaded:
        """The settings for a folder with their origins. Raises ConfigError as `of_file`."""
        folder = folder.absolute()
        if folder not in self._homes:
            self._homes[folder] = find_pyproject(folder)
        home = self._homes[folder]
        if home not in self._known:
            try:
                self._known[home] = load(home, self._layers)
            except ConfigError as error:
                self._known[home] = error
        found = self._known[home]
        if isinstance(found, ConfigError):
            raise found
        return found
