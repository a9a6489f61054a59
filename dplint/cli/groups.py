"""Help in groups: options by what they decide, commands by what they are for.

Completion in shells: the scripts are click's own; here is what they can complete beyond commands and options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click
from click.shell_completion import CompletionItem

OPTION_GROUPS: Mapping[str, Sequence[str]] = {
    "What to check": (
        *("exclude", "stdin_filename", "all_functions", "require_claims", "require_proof", "numerics", "diff_base"),
        *("epsilon_range", "epsilons", "epsilon", "d1", "d2", "arguments"),
        *("neighbors", "domain", "user", "metric", "canaries", "records", "score", "normal"),
    ),
    "What to report": (
        *("formats", "form", "output_file", "plot", "verbose", "quiet", "no_progress"),
        *("select", "ignore", "extend_select", "per_file_ignores", "exit_zero", "baseline", "write_baseline"),
    ),
    "What to change": ("fix", "unsafe_fixes", "diff", "add_ignore", "write", "interactive"),
    "How much effort": (
        *("profile", "budget", "runs", "time_limit", "keep_going", "alpha", "level", "seed", "method"),
        *("select_runs", "test_runs", "solver", "static_only", "cache", "resume", "watch", "count"),
    ),
    "Where it runs": (
        *("interpreter", "allow", "deadline", "memory_mib", "jobs"),
        *("cluster", "cluster_without_tls", "shared_cache", "shard", "costs"),
    ),
}
"""By the names of the parameters; what is in none comes last."""
_OTHERS = "Other options"
_FEW = 8
"""So many options need no groups."""
_COMMAND_GROUPS: Mapping[str, Sequence[str]] = {
    "Check": ("check", "init", "suggest", "budget", "library"),
    "One function": ("inspect", "train"),
    "Reports and codes": ("explain", "merge"),
    "Set-up": ("config", "clean", "server", "mcp"),
}


def grouped(command: click.Command, context: click.Context) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The groups of a command's options, each with the lines of its help."""
    options = [one for one in command.get_params(context) if isinstance(one, click.Option) and not one.hidden]
    if len(options) <= _FEW:
        groups: dict[str, list[click.Option]] = {"Options": options}
    else:
        named = {one.name or "": one for one in options}
        groups = {title: [named.pop(name) for name in names if name in named] for title, names in OPTION_GROUPS.items()}
        groups[_OTHERS] = list(named.values())
    for title, members in groups.items():
        records = [record for one in members if (record := one.get_help_record(context)) is not None]
        if records:
            yield title, records


class GroupedCommand(click.Command):
    """A command whose help has its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group."""
        for title, records in grouped(self, ctx):
            with formatter.section(title):
                formatter.write_dl(records)


class GroupedApp(click.Group):
    """A group whose help has its commands in groups."""

    command_class = GroupedCommand

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group; what is in none comes last."""
        known = {name for names in _COMMAND_GROUPS.values() for name in names}
        left = [name for name in self.list_commands(ctx) if name not in known]
        rest = "Commands" if left == self.list_commands(ctx) else "Other commands"
        for title, names in {**_COMMAND_GROUPS, rest: left}.items():
            found = [(name, self.commands[name]) for name in names if name in self.commands]
            if found:
                width = formatter.width - 6 - max(len(name) for name, _ in found)
                with formatter.section(title):
                    formatter.write_dl([(name, _short(one.help or "", width)) for name, one in found])


def _short(said: str, width: int) -> str:
    """The first sentence, or as much of its beginning as there is room for."""
    sentence = " ".join(said.split("\n\n", maxsplit=1)[0].split()).partition(". ")[0].removesuffix(".")
    for mark in (" (", ": ", "; ", ", "):
        sentence = sentence.partition(mark)[0] if len(sentence) > width else sentence
    return sentence


def codes(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The codes that begin so, the last of several after commas."""
    from dplint.codes import CODES  # noqa: PLC0415 - help answers fast

    before, comma, begun = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{page.code}", help=page.title)
        for page in CODES.values()
        if page.code.startswith(begun.upper())
    ]
