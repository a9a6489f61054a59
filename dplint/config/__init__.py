"""Settings: what they are, where they come from, and which interpreter they lead to. Standard library only."""

from dplint.config.document import ConfigError, find_pyproject, shown, with_known_noise
from dplint.config.load import COMMAND_LINE, ENVIRONMENT, Layer, Loaded, environment_layer, load_settings
from dplint.config.selection import SettingsByFile, asked_for, for_file, is_reported, is_selected, level_of
from dplint.config.settings import (
    DEFAULT_METHOD,
    PROFILES,
    ClaimTable,
    Level,
    Method,
    Profile,
    ProfileName,
    Settings,
    Solver,
    choose_interpreter,
)
from dplint.config.validate import hint, nearest

__all__ = [
    "COMMAND_LINE",
    "DEFAULT_METHOD",
    "ENVIRONMENT",
    "PROFILES",
    "ClaimTable",
    "ConfigError",
    "Layer",
    "Level",
    "Loaded",
    "Method",
    "Profile",
    "ProfileName",
    "Settings",
    "SettingsByFile",
    "Solver",
    "asked_for",
    "choose_interpreter",
    "environment_layer",
    "find_pyproject",
    "for_file",
    "hint",
    "is_reported",
    "is_selected",
    "level_of",
    "load_settings",
    "nearest",
    "shown",
    "with_known_noise",
]
