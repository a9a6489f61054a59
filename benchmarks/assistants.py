"""The tools of `dplint mcp` over all fixtures, by a client of the SDK: are the answers those of the command?

    python -m benchmarks.assistants [FOLDER...]

Each folder with Python files below `fixtures`, or the folders that are named, is asked about with every tool that takes
a path, and the command is run beside it. Effort is counted in runs and repairs are off, since both depend on the clock
otherwise. What is compared is the whole text, but for seconds, numbers of pairs, and the reason why an audit ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
EFFORT = {"DPLINT_RUNS": "2000", "DPLINT_REPAIRS": "false", "DPLINT_CACHE": "false", "DPLINT_DEADLINE": "2"}
TOOLS: Mapping[str, tuple[Mapping[str, object], Sequence[str]]] = {
    "check": ({}, ["check", "{}", "--no-progress"]),
    "prove": ({"evidence": True}, ["check", "{}", "--require-proof", "full", "--no-progress", "--verbose"]),
    "repair": ({}, ["check", "{}", "--diff", "--no-progress"]),
    "suggest": ({}, ["suggest", "{}"]),
    "budget": ({}, ["budget", "{}"]),
}
_PAIRS = re.compile(r"[\d,]+ pairs\b")
"""A search for pairs of a claim of stability ends by the clock, whatever else is counted in runs."""
_SECONDS = re.compile(r"(?:\d+ h )?(?:\d+ min )?\d[\d.]* m?s\b")


@contextlib.asynccontextmanager
async def client_of(environment: Mapping[str, str], *trusted: Path) -> AsyncIterator[Client]:
    """A client of a server of its own, which trusts these folders."""
    words = [word for folder in trusted for word in ("--trust", str(folder))]
    server = StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "dplint", "mcp", *words], env=dict(environment)
    )
    async with Client(stdio_client(server)) as client:
        yield client


async def compare(folders: Sequence[Path]) -> Counter[tuple[str, bool]]:
    """How often the answer of each tool is that of the command; every other one is printed."""
    environment = {**os.environ, **EFFORT, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    counts: Counter[tuple[str, bool]] = Counter()
    async with client_of(environment, FIXTURES.parent) as client:
        for folder in folders:
            before = counts.total()
            for tool, (arguments, words) in TOOLS.items():
                answer = await client.call_tool(tool, {"path": str(folder), **arguments})
                command = [sys.executable, "-P", "-m", "dplint", *(word.format(folder) for word in words)]
                done = await asyncio.to_thread(
                    subprocess.run, command, capture_output=True, text=True, check=False, env=environment
                )
                expected = f"{(done.stdout + done.stderr).rstrip()}\nexit code {done.returncode}: "
                same = _plain(_said(answer)).startswith(_plain(expected))
                counts[tool, same] += 1
                if not same:
                    print(f"{folder} {tool}:\n{_said(answer)}\n--- the command:\n{expected}", flush=True)
            told = f"{counts.total() - before} answers, {_wrong(counts)} unlike those of the command so far"
            print(f"{folder.name}: {told}", flush=True)
    return counts


def _wrong(counts: Counter[tuple[str, bool]]) -> int:
    return sum(number for (_, same), number in counts.items() if not same)


def _said(answer: CallToolResult) -> str:
    return "".join(part.text for part in answer.content if isinstance(part, TextContent))


def _plain(text: str) -> str:
    counted = _PAIRS.sub("pairs", _SECONDS.sub("", " ".join(text.split())))
    return re.sub(r"; ended because .*", "", counted)


def main() -> int:
    """Compare, and print a line for each tool; 1 if an answer differs."""
    named = [Path(one) for one in sys.argv[1:]]
    folders = named or sorted({file.parent for file in FIXTURES.rglob("*.py")})
    counts = asyncio.run(compare(folders))
    for tool in TOOLS:
        print(f"{tool}: {counts[tool, True]} of {counts[tool, True] + counts[tool, False]} answers as the command")
    return int(_wrong(counts) > 0)


if __name__ == "__main__":
    sys.exit(main())
