"""From options that were given to settings."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dplint.config import ConfigError, Settings, load_settings
from dplint.outcomes import CheckError

FIELDS = (
    *("alpha", "seed", "jobs", "epsilons", "profile", "select_runs", "test_runs", "time_limit", "deadline"),
    *("memory_mib", "interpreter", "exclude", "allow", "select", "ignore", "static_only", "solver"),
    *("method", "budget", "runs", "keep_going", "cache"),
)
REPEATED = (
    *("profile", "method", "budget", "runs", "keep_going", "alpha", "epsilons"),
    *("select_runs", "test_runs", "time_limit", "solver"),
)
"""What changes a verdict and therefore belongs in the command that makes it again."""


def overrides(options: Mapping[str, Any]) -> dict[str, object]:
    """The options that were given, under the names that Settings has for them."""
    given = {name: options.get(name) for name in FIELDS}
    return {name: value for name, value in given.items() if value is not None and value != ()}


def settings_for(start: Path, values: Mapping[str, object]) -> Settings | CheckError:
    """The settings, or what is wrong with the configuration file.

    Raises:
        click.UsageError: an option is wrong.
    """
    try:
        return load_settings(start if start.is_dir() else start.parent, values)
    except ConfigError as error:
        if not Path(error.file).is_file():
            raise click.UsageError(error.message) from None
        return CheckError(error.file, error.line, error.message)


def repeat_words(values: Mapping[str, object]) -> str:
    """The given options that a command must repeat to make the same report, as one would type them."""
    words = []
    for name in REPEATED:
        if name in values:
            value = values[name]
            words.append(f"--{'epsilon' if name == 'epsilons' else name.replace('_', '-')}")
            if value is not True:
                text = ",".join(map(repr, value)) if isinstance(value, tuple) else str(value)
                words.append(shlex.quote(text))
    return " ".join(words)
