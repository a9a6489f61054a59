"""The tools of `dplint mcp`: each is a command of dplint in a process of its own, and answers what that prints.

So words, codes, settings and what is silenced are those of the command, and a call that is cancelled ends with its
process. Nothing is run of a folder that the user has not named as trusted.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import anyio
from mcp.server.mcpserver import Context, MCPServer

from dplint import __version__
from dplint.codes import for_assistants
from dplint.source.files import import_place

Meaning: TypeAlias = Mapping[int, str]
_UNKNOWN = {2: "something could not be done, so that nobody knows"}
_CHECKED: Meaning = {0: "nothing wrong", 1: "something is wrong", **_UNKNOWN}
_MENDED: Meaning = {0: "no edit is known", 1: "edits are shown, and nothing was changed", **_UNKNOWN}
_SEARCHED: Meaning = {0: "no input was found that loses more than is claimed", 1: "one was", **_UNKNOWN}
_PROVED: Meaning = {0: "it is proved for all data", 2: "nothing is proved for all data"}
_BEAT_SECONDS = 1.0


def server_of(trusted: Sequence[Path]) -> MCPServer:
    """The server, before it has a client. trusted: folders whose code may be run."""
    tools = Tools(trusted)
    server = MCPServer("dplint", version=__version__, instructions=for_assistants(), log_level="WARNING")
    for tool in (
        *(tools.check, tools.prove, tools.repair, tools.loss, tools.changes),
        *(tools.suggest, tools.budget, tools.explain),
    ):
        server.tool(structured_output=False)(tool)
    return server


@dataclass(frozen=True, slots=True)
class _Source:
    """What a question is about: a path, or a text that stands for the file there; as arguments of a command."""

    file: Path
    function: str | None
    text: str | None

    @classmethod
    def of(cls, path: str, function: str | None, text: str | None) -> _Source:
        """A text without a path is one of its own, in the working directory of the server."""
        return cls(Path(os.path.abspath("text.py" if text is not None and path == "." else path)), function, text)  # noqa: PTH100

    @property
    def words(self) -> list[str]:
        target = str(self.file) if self.function is None else f"{self.file}::{self.function}"
        return [target, *([] if self.text is None else ["--stdin-filename", str(self.file)])]


class Tools:
    """What an assistant may ask. Paths are relative to the working directory of the server.

    With `text`, that stands for the content of the file `path`, which need not exist.
    """

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
        source, options = _Source.of(path, function, text), ["--no-progress", *(["--verbose"] if evidence else [])]
        return await self._run(ctx, source, ["check", *source.words, *options], _CHECKED)

    async def prove(
        self,
        ctx: Context,
        path: str = ".",
        function: str | None = None,
        text: str | None = None,
        evidence: bool = False,
    ) -> str:
        """Check, and say of each claim that is not proved for all that it is about what stands in the way.

        With `text`, that stands for the content of the file `path`. `evidence` gives the reasons of each proof.
        """
        source = _Source.of(path, function, text)
        options = ["--require-proof", "full", "--no-progress", *(["--verbose"] if evidence else [])]
        return await self._run(ctx, source, ["check", *source.words, *options], _CHECKED)

    async def repair(
        self,
        ctx: Context,
        path: str = ".",
        function: str | None = None,
        text: str | None = None,
        unproved: bool = False,
    ) -> str:
        """Show edits that mend what is wrong, as a diff, and change no file. A claim is never what is edited.

        Without `unproved` these are safe fixes, and repairs under which the claim is proved; with it, also others, of
        which runs alone say that they may help.
        """
        source = _Source.of(path, function, text)
        options = ["--diff", "--no-progress", *(["--unsafe-fixes"] if unproved else [])]
        return await self._run(ctx, source, ["check", *source.words, *options], _MENDED)

    async def loss(
        self,
        ctx: Context,
        path: str,
        function: str,
        text: str | None = None,
        neighbors: str | None = None,
        domain: str | None = None,
        sensitivity: float | None = None,
        delta: float | None = None,
        arguments: list[str] | None = None,
    ) -> str:
        """Say how much a function loses.

        Of one with a claim: the input that loses most, by a search. Of one that claims nothing, `neighbors` is needed,
        and the answer is the smallest epsilon that is proved or known; `domain` is a Python literal such as "(0, 1)",
        and `arguments` are values of parameters, such as "T=1.0".
        """
        source = _Source.of(path, function, text)
        if neighbors is None:
            return await self._run(ctx, source, ["inspect", "worst", *source.words, "--no-progress"], _SEARCHED)
        if not self._is_trusted(source.file):
            return f"{self._not_run(source.file)} What a function without a claim loses takes runs.\n"
        given = {"neighbors": neighbors, "domain": domain, "sensitivity": sensitivity, "delta": delta}
        options = [f"--{name}={value}" for name, value in given.items() if value is not None]
        options += [f"--arg={one}" for one in arguments or ()]
        words = ["inspect", "loss", *source.words, *options, "--no-progress"]
        return await self._run(ctx, source, words, _PROVED)

    async def changes(self, ctx: Context, base: str, path: str = ".") -> str:
        """Say what the working tree does to claims and verdicts, compared with a commit of git such as "main"."""
        source = _Source.of(path, None, None)
        words = ["check", *source.words, f"--diff-base={base}", "--format", "markdown", "--no-progress"]
        return await self._run(ctx, source, words, {**_CHECKED, 0: "nothing was made worse", 1: "something was"})

    async def suggest(self, ctx: Context, path: str = ".", text: str | None = None) -> str:
        """Suggest claims for functions that add noise to data and have none. Nothing is run."""
        return await _answer(ctx, ["suggest", *_Source.of(path, None, text).words], text, _CHECKED)

    async def budget(self, ctx: Context, path: str = ".", text: str | None = None) -> str:
        """Say what each mechanism spends, by the claims of those that it calls. Nothing is run."""
        return await _answer(ctx, ["budget", *_Source.of(path, None, text).words], text, _CHECKED)

    async def explain(self, ctx: Context, code: str) -> str:
        """Explain a code such as DP901: what it flags, a bad and a good example, how to silence it."""
        return await _answer(ctx, ["explain", "--", code], None, _CHECKED)

    async def _run(self, ctx: Context, source: _Source, words: Sequence[str], meaning: Meaning) -> str:
        """The answer of a command that runs what is checked; of what is not trusted, that of the source alone."""
        if self._is_trusted(source.file):
            return await _answer(ctx, words, source.text, meaning)
        said = await _answer(ctx, [*words, "--static-only"], source.text, meaning)
        return f"{said}{self._not_run(source.file)}\n"

    def _not_run(self, file: Path) -> str:
        return f"Nothing was run: {file} is in no folder that `dplint mcp --trust FOLDER` names."

    def _is_trusted(self, file: Path) -> bool:
        """Whether the file, and the project that its imports come from, are in a folder that the user has named."""
        project = import_place((file / "any.py") if file.is_dir() else file).project_root
        return any(
            file.resolve().is_relative_to(folder) and project.resolve().is_relative_to(folder)
            for folder in self._trusted
        )


async def _answer(ctx: Context, words: Sequence[str], text: str | None, meaning: Meaning) -> str:
    """What a command prints, and its exit code in words. Progress is told each second."""
    # Without -P, a file named like a module in the working directory would be imported for it.
    command = [sys.executable, "-P", "-m", "dplint", *words]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    async with anyio.create_task_group() as group:
        group.start_soon(_beat, ctx)
        done = await anyio.run_process(command, input=(text or "").encode(), check=False, env=environment)
        group.cancel_scope.cancel()
    said = "".join(part.decode("utf-8", "replace") for part in (done.stdout, done.stderr))
    ended = f"exit code {done.returncode}: {meaning.get(done.returncode, 'it did not come to its end')}"
    return f"{said.rstrip()}\n{ended}\n"


async def _beat(ctx: Context) -> None:
    started = time.monotonic()
    while True:
        await anyio.sleep(_BEAT_SECONDS)
        seconds = time.monotonic() - started
        await ctx.report_progress(seconds, message=f"working for {seconds:.0f} s")
