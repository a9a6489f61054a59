"""Pages that show commands with their output: what stands there is run in an empty folder, and must come out again.

A block whose first line is a comment with a file name, `# release.py`, is that file. In a block of `console` a line
that begins with `$` is a command, and what follows is all that it prints, on either stream.

    python -m tests.docs.transcripts docs/tutorial.md    run the page, and write into it what came out
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.patience import patience

_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (?P<name>[\w./-]+\.\w+)\n")
_COMMAND = re.compile(r"^\$ (?P<command>.+)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
_CHANGING = (
    (re.compile(r"\b\d[\d.,]* ?s\b"), "_ s"),  # how long it took
    (re.compile(r"--runs \d+"), "--runs _"),  # as many as there was time for
    (re.compile(r"\s+"), " "),  # where a line with that number was wrapped
)


@dataclass(frozen=True)
class Step:
    """A file to write, or a command to run with what it should print. place: where its output stands in the page."""

    file: str | None
    text: str
    output: str = ""
    place: tuple[int, int] = (0, 0)


def steps(page: str) -> list[Step]:
    """What a page does, in its order."""
    found = []
    for block in _BLOCK.finditer(page):
        named = _FILE.match(block["text"])
        if block["language"] == "console":
            begin = block.start("text")
            for one in _COMMAND.finditer(block["text"]):
                place = (begin + one.start("output"), begin + one.end("output"))
                found.append(Step(None, one["command"], one["output"], place))
        elif named:
            found.append(Step(named["name"], block["text"]))
    return found


def run(step: Step, folder: Path) -> str:
    """Write the file, or run the command and return what it printed."""
    if step.file is not None:
        path = folder / step.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.text, encoding="utf-8")
        return ""
    others = ("DPLINT_", "COLUMNS", "PYTEST_", "CI", "BUILD_NUMBER")  # pytest says more where it is in a CI
    ours = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    found = Path(sys.executable).parent
    environment = {**ours, "PATH": f"{found}{os.pathsep}{os.environ['PATH']}", "PYTHONUTF8": "1"}
    environment["XDG_CACHE_HOME"] = f"{folder}-caches"  # what a page checks twice is known the second time
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # of this project's own plugins
    environment["PYTEST_PLUGINS"] = "dplint.testing.plugin"  # which users have by the package's entry point
    done = subprocess.run(
        step.text,
        shell=True,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=patience(300),
        check=False,
    )
    return done.stdout


def comparable(output: str) -> str:
    """The output without what is different each time: seconds, and where lines with them are wrapped."""
    for pattern, instead in _CHANGING:
        output = pattern.sub(instead, output)
    return output.strip()


def rewritten(page: str, folder: Path) -> str:
    """The page with what its commands print today."""
    changes = [(step.place, run(step, folder)) for step in steps(page)]
    for (begin, end), output in reversed(changes):
        if end:
            lines = "".join(f"{line.rstrip()}\n" for line in output.strip("\n").splitlines())
            page = page[:begin] + lines + page[end:]
    return page


if __name__ == "__main__":
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as scratch:
            Path(name).write_text(rewritten(Path(name).read_text(encoding="utf-8"), Path(scratch)), encoding="utf-8")
