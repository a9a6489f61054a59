"""Settings: what they are, where they come from, and which interpreter they lead to. Standard library only."""

from dplint.config.by_file import SettingsByFile
from dplint.config.document import ConfigError, find_pyproject, shown
from dplint.config.environment import ENVIRONMENT, environment_layer
from dplint.config.interpreter import choose_interpreter
from dplint.config.load import COMMAND_LINE, Layer, Loaded, load_settings
from dplint.config.nearest import hint, nearest
from dplint.config.selection import asked_for, for_file, is_reported, is_selected, level_of
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
)

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
]
