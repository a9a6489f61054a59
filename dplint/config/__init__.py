"""Settings: what they are, where they come from, and which interpreter they lead to. Standard library only."""

from dplint.config.interpreter import choose_interpreter
from dplint.config.load import ConfigError, find_pyproject, load_settings, shown
from dplint.config.nearest import hint, nearest
from dplint.config.settings import (
    DEFAULT_METHOD,
    PROFILES,
    ClaimTable,
    Method,
    Permission,
    Profile,
    ProfileName,
    Settings,
    Solver,
)

__all__ = [
    "DEFAULT_METHOD",
    "PROFILES",
    "ClaimTable",
    "ConfigError",
    "Method",
    "Permission",
    "Profile",
    "ProfileName",
    "Settings",
    "Solver",
    "choose_interpreter",
    "find_pyproject",
    "hint",
    "load_settings",
    "nearest",
    "shown",
]
