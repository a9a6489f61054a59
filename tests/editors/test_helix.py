"""Helix in a terminal of tmux, with the block of docs/editors.md as its configuration: what stands on the screen."""

import os
import re
import subprocess
import time

import pytest

from tests.editors.editor_tools import FIXES, MECHANISMS, block, has
from tests.patience import end_of

NEEDED = ("hx", "tmux")
PATIENCE = 120.0
_STATUS = re.compile(r"^ (?:NOR|INS|SEL) .* mechanisms\.py .*$", re.MULTILINE)
_PROBLEMS = re.compile(r"● (\d+)")

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not all(map(has, NEEDED)), reason=f"one of {', '.join(NEEDED)} is not on the path"),
]


class Terminal:
    """A terminal with one program. Keys are those of `tmux send-keys`."""

    def __init__(self, project, socket, command):
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TMUX"))}
        path = f"{project.programs}{os.pathsep}{kept['PATH']}"
        self._environment = {**kept, "PATH": path, "HOME": str(project.home), "TERM": "xterm-256color"}
        self._folder = project.folder
        self._do("new-session", "-d", "-x", "200", "-y", "40", command)

    def _do(self, *arguments):
        done = subprocess.run(
            [*self._tmux, *arguments],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        return done.stdout

    def keys(self, *keys):
        """Press keys, each by its name or as it is typed, slowly enough for menus to open."""
        for key in keys:
            self._do("send-keys", key)
            time.sleep(0.1)

    def see(self, wanted):
        """Wait until the screen is as wanted, and return it."""
        end = end_of(PATIENCE)
        while not wanted(screen := self._do("capture-pane", "-p")):
            assert time.monotonic() < end, f"not what was waited for:\n{screen}"
            time.sleep(0.1)
        return screen

    def close(self):
        """End it, whatever it does."""
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True, timeout=PATIENCE)


def problems(screen):
    """How many errors the status line counts; None if there is none yet."""
    line = _STATUS.search(screen)
    found = None if line is None else _PROBLEMS.search(line[0])
    return None if line is None else int(found[1]) if found else 0


@pytest.fixture
def terminal(project, tmp_path_factory):
    settings = project.home / ".config" / "helix"
    settings.mkdir(parents=True)
    (settings / "languages.toml").write_text(block("Helix"))
    terminal = Terminal(project, tmp_path_factory.mktemp("tmux") / "socket", "hx mechanisms.py")
    yield terminal
    terminal.close()


def test_problems_come_and_go_with_the_fix_and_the_cure(terminal, project):
    terminal.see(lambda screen: problems(screen) == 2)
    terminal.keys("Space", "d")  # the list of them
    listed = terminal.see(lambda screen: "DP007" in screen and "DP901" in screen)
    assert re.search(r"ERROR +DP901 `wrong_histogram` is not ", listed)
    assert re.search(r"ERROR +DP007 epsilon names 'epsilom'", listed)
    terminal.keys("Escape", "g", "g", "]", "d", "]", "d")
    terminal.see(lambda screen: "epsilon names 'epsilom'" in screen and "10:" in screen)

    terminal.keys("Space", "a")
    menu = terminal.see(lambda screen: all(one in screen for one in FIXES))
    assert menu.index(FIXES[0]) < menu.index(FIXES[1])
    terminal.keys("Enter")
    terminal.see(lambda screen: problems(screen) == 1)
    terminal.keys(":", "w", "Enter")
    terminal.see(lambda _: project.file.read_text() == MECHANISMS.replace("epsilom", "epsilon"))

    terminal.keys(
        "7", "g", "g", "x", "s", "scale=epsilon", "Enter", "c", "scale=1 / epsilon", "Escape", ":", "w", "Enter"
    )
    terminal.see(lambda screen: problems(screen) == 0)
    assert project.file.read_text() == MECHANISMS.replace("epsilom", "epsilon").replace(
        "scale=epsilon", "scale=1 / epsilon"
    )
