"""The tools of `dplint mcp`: each is a command of dplint in a process of its own, and answers what that prints.

So words, codes, settings and what is silenced are those of the command, and a call that is cancelled ends with its
process. Nothing is run of a folder that the user has not named as trusted.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import anyio
from mcp.server.mcpserver import Context, MCPServer

from dplint import __version__
from dplint.codes import for_assistants
from dplint.source.files import import_place

_MEANING = {
    0: "nothing wrong",
    1: "something is wrong",
    2: "something could not be done, so that nobody knows",
}
_BEAT_SECONDS = 1.0


def server_of(trusted: Sequence[Path]) -> MCPServer:
    """The server, before it has a client. trusted: folders whose code may be run."""
    tools = Tools(trusted)
    server = MCPServer("dplint", version=__version__, instructions=for_assistants(), log_level="WARNING")
    for tool in (tools.check, tools.changes, tools.suggest, tools.budget, tools.explain):
        server.tool(structured_output=False)(tool)
    return server


class Tools:
    """What an assistant may ask. Paths are relative to the working directory of the server."""

    def __init__(self, trusted: Sequence[Path]) -> None:
        self._trusted = [folder.resolve() for folder in trusted]

    async def check(
        self,
        ctx: Context,
        path: str = ".",
        function: str | None = None,
        text: str | None = None,
        evidence: bool = False,
    ) -> str:
        """Check the privacy claims in a file or folder, of one function of a file, or in a text.

        With `text`, that stands for the content of the file `path`, which need not exist. `evidence` says how each
        verdict was won. "No violation found" does not mean that a function is private; "proved" does, within the scope
        that is told.
        """
        file = Path(os.path.abspath("text.py" if text is not None and path == "." else path))  # noqa: PTH100
        target = str(file) if function is None else f"{file}::{function}"
        options = ["--no-progress", *(["--verbose"] if evidence else [])]
        if text is not None:
            return await self._audit(ctx, file, ["check", "-", "--stdin-filename", str(file), *options], text)
        return await self._audit(ctx, file, ["check", target, *options])

    async def changes(self, ctx: Context, base: str, path: str = ".") -> str:
        """Say what the working tree does to claims and verdicts, compared with a commit of git such as "main"."""
        file = Path(os.path.abspath(path))  # noqa: PTH100
        words = ["check", str(file), f"--diff-base={base}", "--format", "markdown", "--no-progress"]
        return await self._audit(ctx, file, words)

    async def suggest(self, ctx: Context, path: str = ".") -> str:
        """Suggest claims for functions that add noise to data and have none. Nothing is run."""
        return await _answer(ctx, ["suggest", os.path.abspath(path)])  # noqa: PTH100

    async def budget(self, ctx: Context, path: str = ".") -> str:
        """Say what each mechanism spends, by the claims of those that it calls. Nothing is run."""
        return await _answer(ctx, ["budget", os.path.abspath(path)])  # noqa: PTH100

    async def explain(self, ctx: Context, code: str) -> str:
        """Explain a code such as DP901: what it flags, a bad and a good example, how to silence it."""
        return await _answer(ctx, ["explain", "--", code])

    async def _audit(self, ctx: Context, file: Path, words: list[str], text: str | None = None) -> str:
        if self._is_trusted(file):
            return await _answer(ctx, words, text)
        said = await _answer(ctx, [*words, "--static-only"], text)
        return f"{said}Nothing was run: {file} is in no folder that `dplint mcp --trust FOLDER` names.\n"

    def _is_trusted(self, file: Path) -> bool:
        """Whether the file, and the project that its imports come from, are in a folder that the user has named."""
        project = import_place((file / "any.py") if file.is_dir() else file).project_root
        return any(
            file.resolve().is_relative_to(folder) and project.resolve().is_relative_to(folder)
            for folder in self._trusted
        )


async def _answer(ctx: Context, words: Sequence[str], text: str | None = None) -> str:
    """What a command prints, and its exit code in words. Progress is told each second."""
    # Without -P, a file named like a module in the working directory would be imported for it.
    command = [sys.executable, "-P", "-m", "dplint", *words]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    async with anyio.create_task_group() as group:
        group.start_soon(_beat, ctx)
        done = await anyio.run_process(command, input=(text or "").encode(), check=False, env=environment)
        group.cancel_scope.cancel()
    said = "".join(part.decode("utf-8", "replace") for part in (done.stdout, done.stderr))
    ended = f"exit code {done.returncode}: {_MEANING.get(done.returncode, 'ended by a signal')}"
    return f"{said.rstrip()}\n{ended}\n"


async def _beat(ctx: Context) -> None:
    started = time.monotonic()
    while True:
        await anyio.sleep(_BEAT_SECONDS)
        seconds = time.monotonic() - started
        await ctx.report_progress(seconds, message=f"working for {seconds:.0f} s")
