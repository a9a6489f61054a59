"""The commands and their options. Nothing but click is imported until a command runs."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Any

import click

from dplint import __version__
from dplint.cli import options as opt
from dplint.cli.groups import GroupedApp, codes
from dplint.cli.set_up import clean, config, mcp
from dplint.cli.training import train

_LIGHT = (
    "This looks like dplint without its dependencies, which checks the source alone: `dplint check --static-only "
    "--format concise`. For the rest, install it without --no-deps."
)
_TARGET = click.argument("target", metavar="FILE::FUNCTION")
_NOT_COMPARED = "Run nothing: what is read is not compared with the function, which is told."


class QuietGroup(GroupedApp):
    """A group whose commands end quietly on Ctrl-C and broken pipes, and never end with 1 after an internal error."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and return its exit code."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            ctx.exit(130)
        except BrokenPipeError:
            # what is left in the buffer would fail again when Python flushes at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(141)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("dplint"):
                click.echo(f"dplint: {error.name} is not installed beside {sys.executable}. {_LIGHT}", err=True)
                ctx.exit(2)
            traceback.print_exc()
            click.echo("dplint failed: this is a bug of dplint, please report it with the lines above.", err=True)
            ctx.exit(2)
        return code


@click.group(cls=QuietGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "--version", "-V", prog_name="dplint")
def app() -> None:
    """Find broken privacy promises in plain Python.

    A function says what it promises with @dp(epsilon=..., neighbors=...) or with a comment "# dplint: dp(...)".
    dplint looks for two neighbouring inputs and an event that break the promise.
    """


@app.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH|FILE::FUNCTION|FILE:LINE]...")
@opt.report_options
@opt.change_options
@opt.codes_option("--select", "Report only codes that begin so, e.g. DP1,DP901.")
@opt.codes_option("--ignore", "Do not report codes that begin so.")
@opt.codes_option("--extend-select", "Report these besides --select, or besides what is on by default.")
@opt.value(
    "--per-file-ignores",
    "PATTERN:CODES",
    "Do not report codes in files of a pattern, e.g. 'tests/*:DP2'; repeatable.",
    multiple=True,
    callback=opt.codes_by_pattern,
)
@opt.method_options
@opt.audit_options
@opt.flag(
    "--all-functions",
    (
        "Apply the rules also where there is no claim: to functions that `suggest` has one for, and to code outside "
        "of functions."
    ),
    setting=True,
)
@opt.flag("--require-claims", "Exit with 2 if nothing in the paths bears a claim.")
@opt.value(
    "--diff-base",
    "REV",
    "Check only what differs from a commit of git, and say how: exit code 1 if something is worse than there.",
)
@opt.flag("--static-only", "Check the claims and the source; run nothing.", setting=True)
@opt.value("--alpha", "LEVEL", "Level of the test, for one mechanism.  [default: 0.001]", type=float)
@opt.epsilons_option
@opt.value("--exclude", "PATTERN", "Files and folders to leave out; repeatable.", multiple=True)
@opt.value(
    "--shard",
    "K/N",
    "Check only part K of N, on this machine; `dplint merge` puts the JSON reports of all parts together.",
    callback=opt.shard,
)
@opt.value(
    "--costs",
    "REPORT",
    "Deal the parts by the seconds that mechanisms took in this JSON report; the same one for all parts.",
    callback=opt.costs,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@opt.value(
    "--cluster",
    "ADDRESS",
    "Audit on a cluster of Dask: the address of its scheduler, such as tls://host:8786, or local.",
    envvar="DPLINT_CLUSTER",
)
@opt.flag(
    "--cluster-without-tls",
    "Accept a cluster without TLS: whoever reaches its ports can run code there and on this machine.",
)
@opt.value(
    "--shared-cache",
    "FOLDER|URL",
    "Keep what audits find out there, for all machines; signed with the key in DPLINT_CACHE_KEY_FILE.",
    envvar="DPLINT_SHARED_CACHE",
)
@opt.flag("--resume", "Go on with a check that has not come to its end, from the cache.")
@opt.flag("--watch", "Check again whenever a file changes, until Ctrl-C.")
@opt.stdin_option
def check(paths: tuple[Path, ...], **options: Any) -> int:
    """Check the claims in files and folders (default: the working directory), or with "-" in a text on stdin.

    FILE::FUNCTION and FILE:LINE check one function alone: that of this name, or the one around the line.

    Exit code 0: nothing wrong. 1: a violation or an error-level finding. 2: something could not be checked;
    2 wins over 1. Untestable mechanisms are shown and counted, but do not change the exit code; those of which nothing
    at all could be tried in time make it 2.
    """
    if options["diff_base"] is not None:
        from dplint.cli.run_changes import run_changes  # noqa: PLC0415 - help answers fast

        return run_changes(paths or (Path(),), options)
    if options["watch"]:
        from dplint.cli.run_watch import run_watch  # noqa: PLC0415 - help answers fast

        return run_watch(paths or (Path(),), options)
    from dplint.cli.run_check import run_check  # noqa: PLC0415 - help answers fast

    return run_check(paths or (Path(),), options)


@app.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@opt.flag("--write", "Write the claims into the files.")
@opt.flag("--diff", "Show what --write would change, and change nothing.")
@opt.flag("--interactive", "Ask about each claim, and write those that are accepted.", "-i")
@opt.choice(
    "--confidence",
    ["high", "medium", "low", "unknown"],
    (
        "The least confidence of what is suggested; unknown: also where nothing says what epsilon is."
        "  [default: low; medium with --write and --diff]"
    ),
)
@opt.flag("--try", "Run the functions, and say what audits under these claims find.", "tried")
@opt.flag("--from-tests", "Run the project's tests with pytest first, to see what they pass.")
@opt.value("--budget", "TIME", "With --try: time to audit one function, e.g. 500ms, 5s or 2m.")
@opt.value("--interpreter", "PATH", "The python that runs functions and tests.", "--python")
@opt.output_options(("text", "json"), quiet=False)
@opt.value("--exclude", "PATTERN", "Files and folders to leave out; repeatable.", multiple=True)
@opt.stdin_option
def suggest(paths: tuple[Path, ...], **options: Any) -> int:
    """Suggest claims for functions that add noise to data and have none, the surest first.

    Nothing is run, unless --try or --from-tests asks for it. What the source does not tell is marked with a question
    mark. In folders tests, plots, simulations, experiments, attacks and benchmarks are left out. Exit code 0: done.
    1: with --diff, there is a difference. 2: a file cannot be read, or tests cannot be run.
    """
    from dplint.cli.run_suggest import run_suggest  # noqa: PLC0415 - help answers fast

    return run_suggest(paths or (Path(),), options)


@app.command()
@click.argument("folder", type=click.Path(path_type=Path), default=".")
@opt.flag("--yes", "Ask nothing, and take every default.", "-y")
@opt.flag("--accept", "Accept what a check reports now into the baseline, by default.")
def init(folder: Path, **options: Any) -> int:
    """Set a project up: settings, a hook for pre-commit, the first claims and a baseline, one question at a time.

    The last one checks, which runs your mechanisms, shows what is found, and writes it into the baseline that settings
    and hook heed. It is answered with no unless --accept is given. What is there is kept. Without a terminal, and
    without --yes, nothing is changed and it is told what would be.

    Exit code 0: done. 2: something could not be written.
    """
    from dplint.cli.run_init import run_init  # noqa: PLC0415 - help answers fast

    return run_init(folder, yes=options["yes"], accept=options["accept"])


@app.group(cls=GroupedApp)
def inspect() -> None:
    """Look into one function (exact, loss, worst, sweep, sensitivity, program).

    FILE::FUNCTION names it. `check` says whether its claim holds. These commands say what it loses on one pair, and
    where it loses most; what its smallest epsilon is, and which ones it can be tested for. They also say how far data
    move it, and how it is read.
    """


@inspect.command()
@_TARGET
@opt.value(
    "--range",
    "START:STOP:STEP",
    "Range of epsilons to test, both ends included, e.g. 0.1:2.0:0.1.",
    "epsilon_range",
    callback=opt.epsilon_range,
    required=True,
)
@opt.epsilons_option
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Write the curve as an SVG picture.")
@click.option(
    "--alpha",
    "level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="A point is rejected if its p-value is below this.",
)
@opt.output_options(("rich", "json"))
@opt.audit_options
def sweep(target: str, **options: Any) -> int:
    """Test it against a range of epsilons: p-values as a table, and as a picture. It takes `dplint-statdp`.

    Exit code 0: there is a curve. 2: there is none, or it could not be written.
    """
    from dplint.cli.run_inspect import run_sweep  # noqa: PLC0415 - help answers fast

    return run_sweep(target, options)


@inspect.command()
@_TARGET
@opt.value("--d1", "VALUE", "The data on one side, as a Python literal; with --d2.")
@opt.value("--d2", "VALUE", "The data on the other side.  [default: the worst pair of the claim]")
@opt.argument_option
@opt.flag("--static-only", _NOT_COMPARED, setting=True)
@opt.stdin_option
@opt.output_options(("rich", "json"))
def exact(target: str, **options: Any) -> int:
    """Compute its loss on one pair exactly, from the source: every output, both probabilities.

    What is read is compared with calls of the function before the table is told. Exit code 0: the pair keeps the claim,
    or the claim does not speak of it. 1: it loses more than is claimed. 2: it could not be computed, or the function
    does something else than is read, and the reason is told.
    """
    from dplint.cli.run_inspect import run_exact  # noqa: PLC0415 - help answers fast

    return run_exact(target, options)


@inspect.command()
@_TARGET
@opt.value(
    "--budget",
    "TIME",
    "CPU time for the search, e.g. 500ms, 5s or 2m; it ends earlier where the loss is infinite.",
    callback=opt.seconds,
    default="10s",
    show_default=True,
)
@opt.value("--epsilon", "VALUE", "Value of the claim to search at.  [default: the first of the settings]", type=float)
@opt.flag("--static-only", _NOT_COMPARED, setting=True)
@opt.stdin_option
@opt.output_options(("rich", "json"))
def worst(target: str, **options: Any) -> int:
    """Search for the input on which it loses most, from the source, and show how far the search came.

    What is read is compared with calls of the function before the input is told. Exit code 0: no input was found that
    loses more than is claimed. 1: one was. 2: none could be computed, or the function does something else than is read,
    and the reason is told.
    """
    from dplint.cli.run_inspect import run_worst  # noqa: PLC0415 - help answers fast

    return run_worst(target, options)


@inspect.command()
@click.argument("target", metavar="FILE[::FUNCTION]")
@opt.sensitivity_options
@opt.stdin_option
@opt.output_options(("rich", "json"))
def sensitivity(target: str, **options: Any) -> int:
    """Search for the neighbours whose outputs are furthest apart: its sensitivity, from below.

    The function needs no claim; of one with noise every draw is at its centre. A larger sensitivity is not ruled out.
    Of a FILE alone, all its functions that bear a claim.
    Exit code 0: there is such a pair, or no pair moves it. 2: no pair could be compared, and the reason is told.
    """
    from dplint.cli.run_inspect import run_sensitivity  # noqa: PLC0415 - help answers fast

    return run_sensitivity(target, options)


@inspect.command()
@_TARGET
@opt.value("--neighbors", "RELATION", "The neighbour relation, such as l1.", required=True)
@opt.value("--domain", "VALUE", "What a value or record may be, as a Python literal: '(0, 1)'.")
@opt.value("--sensitivity", "VALUE", "How far neighbouring vectors may be apart.", type=float)
@opt.value("--delta", "VALUE", "The delta that epsilon stands beside.", type=float)
@opt.stdin_option
@opt.argument_option
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw delta over epsilon, as an SVG picture."
)
@opt.output_options(("rich", "json"))
def loss(target: str, **options: Any) -> int:
    """Find the smallest epsilon of a function that claims nothing: from above by a proof, from below by losses.

    It is a multiple of the parameter that is called epsilon, else a number. The function is run, as by `check`. Exit
    code 0: an epsilon is proved for all data. 2: none is, and the report says what is known.
    """
    from dplint.cli.run_inspect import run_loss  # noqa: PLC0415 - help answers fast

    return run_loss(target, options)


@inspect.command()
@click.argument("target", metavar="FILE[::FUNCTION]")
@opt.output_options(("rich", "json"), quiet=False)
def program(target: str, **options: Any) -> int:
    """Show how it is read: its program line by line, or every construct that stands in the way.

    Nothing is run. Exit code 0: there is a program. 1: a construct is not supported. 2: there is nothing to show.
    """
    from dplint.cli.run_inspect import run_program  # noqa: PLC0415 - help answers fast

    return run_program(target, options)


@app.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@opt.output_options(("rich", "json"), quiet=False)
@opt.stdin_option
def budget(paths: tuple[Path, ...], **options: Any) -> int:
    """Show what each mechanism spends: a tree of the claimed functions that it calls, summed up by their claims.

    Nothing is run. Exit code 0: nothing is overspent. 1: a mechanism spends more than it claims, by the claims of its
    parts. 2: something could not be read.
    """
    from dplint.cli.run_budget import run_budget  # noqa: PLC0415 - help answers fast

    return run_budget(paths or (Path(),), options)


@app.command()
@click.argument("parts", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@opt.report_options
def merge(parts: tuple[Path, ...], **options: Any) -> int:
    """Put the parts of a check together, as `dplint check --shard K/N --format json=FILE` has written them.

    The report is that of the whole check, in any format, and so is the exit code. A part that is missing, there twice
    or of another check is an error.
    """
    from dplint.cli.run_merge import run_merge  # noqa: PLC0415 - help answers fast

    return run_merge(parts, options)


@app.command()
@click.argument("name", metavar="LIBRARY")
@opt.value("--budget", "TIME", "Time a claim; tenfold if of privacy.", default="1s", show_default=True)
@opt.value("--interpreter", "PATH", "The interpreter that has the library.", "--python", "interpreter")
@opt.output_options(("rich", "json"))
def library(name: str, **options: Any) -> int:
    """Test what a library says of itself: its constructors against their own maps of stability and privacy.

    LIBRARY is diffprivlib, opendp, opendp_polars, opendp_releases, or the path of an adapter of your own.

    Exit code 0: no claim is refuted. 1: one is. 2: a claim could not be tested, or the adapter fails.
    """
    from dplint.cli.run_library import run_library  # noqa: PLC0415 - help answers fast

    return run_library(name, options)


@app.command()
@click.argument("codes", nargs=-1, metavar="[CODE]...", shell_complete=codes)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@opt.flag("--for-assistants", "Say instead how to write a mechanism so that it can be proved.")
def explain(codes: tuple[str, ...], form: str, for_assistants: bool) -> int:
    """Explain codes: what each flags, why it matters, a bad and a good example, how to silence it.

    Without a code, list all of them with their severities; in JSON also with their pages.
    """
    if for_assistants:
        from dplint.codes import for_assistants as page  # noqa: PLC0415 - as below

        click.echo(page(), nl=False)
        return 0
    from dplint.cli.run_explain import run_explain  # noqa: PLC0415 - help answers fast

    return run_explain(codes, form)


for _command in (train, config, clean, mcp):
    app.add_command(_command)
