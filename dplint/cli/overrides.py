"""From options that were given to settings."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dplint.config import COMMAND_LINE, ENVIRONMENT, ConfigError, Layer, Settings, SettingsByFile, environment_layer
from dplint.outcomes import CheckError

FIELDS = (
    *("alpha", "seed", "jobs", "epsilons", "profile", "select_runs", "test_runs", "time_limit", "deadline"),
    *("memory_mib", "interpreter", "exclude", "allow", "select", "ignore", "static_only", "solver", "numerics"),
    *("all_functions", "extend_select", "per_file_ignores", "require_proof"),
    *("method", "budget", "runs", "keep_going", "baseline", "cache"),
)
REPEATED = (
    *("profile", "method", "budget", "runs", "keep_going", "alpha", "epsilons"),
    *("select_runs", "test_runs", "time_limit", "solver", "numerics"),
)
"""What changes a verdict and therefore belongs in the command that makes it again."""


def overrides(options: Mapping[str, Any]) -> dict[str, object]:
    """The options that were given, under the names that Settings has for them."""
    given = {name: options.get(name) for name in FIELDS}
    return {name: value for name, value in given.items() if value is not None and value not in ((), {})}


def layers(values: Mapping[str, object]) -> list[Layer]:
    """What the environment sets, and above it the options that were given.

    Raises:
        click.UsageError: a variable of the environment is wrong.
    """
    try:
        return [environment_layer(), Layer(COMMAND_LINE, values, {name: option_name(name, values) for name in values})]
    except ConfigError as error:
        raise click.UsageError(error.message) from None


def option_name(name: str, values: Mapping[str, object]) -> str:
    """The option of the command that sets a field."""
    if name == "cache" and values[name] is False:
        return "--no-cache"
    return f"--{name.replace('_', '-')}"


def settings_for(start: Path, values: Mapping[str, object]) -> Settings | CheckError:
    """The settings for one file or folder, or what is wrong with the configuration file.

    Raises:
        click.UsageError: an option or a variable of the environment is wrong.
    """
    found = settings_by_file(start, values)
    return found if isinstance(found, CheckError) else found.base


def settings_by_file(start: Path, values: Mapping[str, object]) -> SettingsByFile | CheckError:
    """The settings of every file that a check which begins at `start` meets, or what is wrong with those for `start`.

    Raises:
        click.UsageError: an option or a variable of the environment is wrong.
    """
    try:
        return SettingsByFile.of(start, layers(values))
    except ConfigError as error:
        if error.file in (COMMAND_LINE, ENVIRONMENT):
            raise click.UsageError(error.message) from None
        return CheckError(error.file, error.line, error.message)


def repeat_words(values: Mapping[str, object]) -> str:
    """The given options that a command must repeat to make the same report, as one would type them."""
    words = []
    for name in REPEATED:
        if name in values:
            value = values[name]
            words.append(option_name(name, values))
            if value is not True:
                text = ",".join(map(repr, value)) if isinstance(value, tuple) else str(value)
                words.append(shlex.quote(text))
    return " ".join(words)
