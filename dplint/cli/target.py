"""Arguments that name a function: FILE::FUNCTION."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import click

from dplint.cli.buffer import SEPARATOR, read_buffer
from dplint.cli.run_check import require_path
from dplint.config import hint
from dplint.contents import content, given_for
from dplint.source.notebooks import is_notebook
from dplint.syntax import parse_text


def read_target(target: str, filename: Path | None) -> str:
    """The target, with the file that a text on the standard input stands for in place of "-".

    Raises:
        click.UsageError: a name is given where no text is read.
    """
    buffer = read_buffer([Path(target)], filename)
    return target if buffer is None else f"{buffer.path}{SEPARATOR}{buffer.function or ''}"


def split_target(target: str) -> tuple[Path, str | None]:
    """The file and the function, None for a target without one.

    Raises:
        click.UsageError: there is no such file, or nothing stands before or after the separator.
    """
    name, separator, function = target.rpartition(SEPARATOR)
    if separator and not (name and function):
        example = "src/counts.py::noisy_max"
        raise click.UsageError(f"{target!r} does not name a function; write FILE::FUNCTION, such as {example}")
    file = Path(name if separator else target)
    require_path(file)
    if is_notebook(file.name):
        raise click.UsageError(f"'{file}' is a notebook: put the function into a module, and name that.")
    if not file.is_file() and given_for(file) is None:
        wanted = f"the file that holds `{function}`" if separator else "one file"
        raise click.UsageError(f"'{file}' is a folder; name {wanted}.")
    return file, function if separator else None


def function_file(target: str) -> Path:
    """The file of a target that names a function which is there; a usage error if it does not."""
    file, function = split_target(target)
    if function is None:
        raise click.UsageError(f"{target!r} does not name a function; write FILE{SEPARATOR}FUNCTION")
    require_function(file, function)
    return file


def require_function(file: Path, function: str) -> None:
    """Raise a usage error if the file has no such function; whether it bears a claim is for others to see."""
    names = _names(file)
    if names is not None and function not in names:
        raise click.UsageError(
            f"'{file}' has no function {function!r}. {hint(function, names, noun='functions there')}"
        )


def _names(file: Path) -> list[str] | None:
    """Qualified names of the functions, also of lambdas with a name; None where the file cannot be parsed here."""
    try:
        tree = parse_text(content(file))
    except (OSError, SyntaxError, ValueError):
        return None
    return list(_qualified(tree, ""))


def _qualified(node: ast.AST, prefix: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield prefix + name
                yield from _qualified(child, f"{prefix}{name}.<locals>.")
            case ast.ClassDef(name=name):
                yield from _qualified(child, f"{prefix}{name}.")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
                yield prefix + name
            case _:
                yield from _qualified(child, prefix)
