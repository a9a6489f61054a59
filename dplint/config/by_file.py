"""The settings of each file: those of its own pyproject.toml, under what the command and the environment say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dplint.config.document import ConfigError, find_pyproject
from dplint.config.load import Layer, Loaded, load
from dplint.config.selection import for_file
from dplint.config.settings import Settings


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
