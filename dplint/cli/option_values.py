"""Callbacks that read values of options: lists of numbers, ranges, prefixes of codes."""

from __future__ import annotations

import ast
import json
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click

from dplint.claims import Literal
from dplint.outcomes.shards import Shard

MOST_VALUES = 1000


def epsilons(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    """Positive numbers, separated by commas; a usage error if one is not."""
    if value is None:
        return None
    try:
        return tuple(float(_positive(text)) for text in value.split(","))
    except ValueError as error:
        raise click.BadParameter(f"{error}; give positive numbers separated by commas, such as 0.2,0.7,1.5") from None


def epsilon_range(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[float, ...]:
    """START:STOP:STEP with both ends included, or numbers separated by commas; a usage error if it is neither."""
    try:
        return _range(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}; give START:STOP:STEP, such as 0.1:2.0:0.1") from None


def seconds(_ctx: click.Context, _param: click.Parameter, value: str) -> float:
    """A duration as the settings have it, such as 500ms, 5s or 2m; a usage error for anything else."""
    from dplint.config.validate import CHECKS  # noqa: PLC0415 - help answers fast

    try:
        return float(str(CHECKS["budget"](value)))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def shard(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Shard | None:
    """K/N with K from 1 to N; a usage error for anything else."""
    if value is None:
        return None
    number, _, of = value.partition("/")
    try:
        return Shard(int(number), int(of))
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is no part of a check; give K/N with K from 1 to N, such as 3/16"
        ) from None


def costs(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> dict[str, float]:
    """The seconds that each mechanism took by a JSON report, by its place; a usage error for any other file."""
    if value is None:
        return {}
    try:
        results = json.loads(value.read_text(encoding="utf-8"))["results"]
        return {f"{one['file']}::{one['function']}": max(0.0, float(one["seconds"])) for one in results}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise click.BadParameter(f"'{value}' is no JSON report of `dplint check`") from None


def prefixes(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Prefixes of codes in capitals, separated by commas; a usage error if one option holds none."""
    found: list[str] = []
    for value in values:
        parts = [part.strip().upper() for part in value.split(",") if part.strip()]
        if not parts:
            raise click.BadParameter(f"{value!r} holds no code; give codes or their beginnings, such as DP1,DP901")
        found += parts
    return tuple(found)


def codes_by_pattern(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """PATTERN:CODES, such as "tests/*:DP2,DP301", as a table."""
    found: dict[str, tuple[str, ...]] = {}
    for value in values:
        pattern, colon, codes = value.rpartition(":")
        parts = tuple(part.strip().upper() for part in codes.split(",") if part.strip())
        if not colon or not pattern or not parts:
            raise click.BadParameter(f"{value!r} is no PATTERN:CODES, such as 'tests/*:DP2,DP301'")
        found[pattern] = (*found.get(pattern, ()), *parts)
    return found


def _range(text: str) -> tuple[float, ...]:
    if ":" not in text:
        return tuple(sorted({float(_positive(part)) for part in text.split(",")}))
    parts = text.split(":")
    if len(parts) != 3:
        raise ValueError(f"{text!r} has {len(parts)} parts, not three")
    start, stop, step = (_positive(part) for part in parts)
    if start > stop:
        raise ValueError(f"{text!r} starts above its end")
    count = int((stop - start) / step) + 1
    if count > MOST_VALUES:
        raise ValueError(f"{text!r} holds {count:,} values, more than {MOST_VALUES:,}")
    # decimal, so that the third value of 0.1:0.3:0.1 is 0.3 and is there
    return tuple(float(start + step * i) for i in range(count))


def _positive(text: str) -> Decimal:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError(f"{text.strip()!r} is not a number") from None
    if not number.is_finite() or number <= 0:
        raise ValueError(f"{text.strip()!r} is not positive and finite")
    return number


def argument_value(text: str) -> tuple[str, Literal]:
    """NAME=VALUE, as --arg has it; a usage error for anything else."""
    name, separator, value = text.partition("=")
    if not separator or not name.strip().isidentifier():
        raise click.UsageError(f"--arg {text!r} gives no value: write NAME=VALUE, such as T=1.0")
    return name.strip(), literal_value(f"--arg {name}", value)


def literal_value(option: str, text: str) -> Literal:
    """The value of an option that is a literal of Python; a usage error for anything else."""
    try:
        value: Literal = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise click.UsageError(f"{option}: {text!r} is no Python literal, such as '[1.0, 2.0]'") from None
    return value
