"""Where the repository is public: one place, from which pages, templates, the extension and the package have it.

    python -m scripts.address                               list all places, and what is wrong with them
    python -m scripts.address https://example.com/me/dplint    the repository is there from now on

It is nowhere yet, so ADDRESS is one that leads nowhere on purpose. What installs dplint names it with the tag of this
version, and no index: the name is held on none.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from dplint import __version__

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = "https://example.org/dplint"
TAG = f"v{__version__}"
_FROM_INDEX = re.compile(
    r"""\b(?:pipx?|conda|mamba|uv(?: pip| tool)?) install(?: [^\s"'`]+)*? ["']?"""
    r"""dplint(?![\w./-])(?:\[\w+\])?+(?! @ )"""
    r"|\buvx (?:--\S+ )*dplint"
)
_PINNED = re.compile(r"(?:https://[\w./-]+?/dplint(?:\.git)?@|\b(?:rev|ref): )(?P<tag>v\d+\.[\w.-]*\w)")
_OWN = ("tests/scripts/test_scripts_address.py", "scripts/address.py")


def main(arguments: list[str]) -> int:
    """List, or move; 1 if something is wrong."""
    if arguments:
        move(ROOT, arguments[0])
        return 0
    for name, text in texts(ROOT):
        for number, line in enumerate(text.splitlines(), 1):
            if ADDRESS in line:
                print(f"{name}:{number}: {line.strip()}")
    wrong = list(problems(ROOT))
    print(*wrong, sep="\n", file=sys.stderr)
    return int(bool(wrong))


def problems(root: Path) -> Iterator[str]:
    """A line for each place that installs from an index, or from another tag than that of this version."""
    for name, text in texts(root):
        for number, line in enumerate(text.splitlines(), 1):
            if _FROM_INDEX.search(line):
                yield f"{name}:{number}: dplint is on no index: install '{requirement()}'"
            for pinned in _PINNED.finditer(line):
                if pinned["tag"] != TAG:
                    yield f"{name}:{number}: {pinned['tag']} is another tag than that of this version, {TAG}"


def requirement() -> str:
    """What pip installs."""
    return f"dplint @ git+{ADDRESS}.git@{TAG}"


def move(root: Path, address: str) -> None:
    """Write another address into all places, give the package its addresses, and the extension what it installs.

    Raises ValueError if it is none.
    """
    if not re.fullmatch(r"https://[\w.-]+(?:/[\w.-]+)+", address):
        raise ValueError(f"{address!r} is no address of a repository, such as https://example.com/me/dplint")
    for name, text in texts(root):
        (root / name).write_text(text.replace(ADDRESS, address), encoding="utf-8")
    own = root / "scripts" / "address.py"
    own.write_text(own.read_text(encoding="utf-8").replace(f'\nADDRESS = "{ADDRESS}"', f'\nADDRESS = "{address}"'))
    project = root / "pyproject.toml"
    urls = (
        f'[project.urls]\nRepository = "{address}"\nChangelog = "{address}/blob/main/CHANGELOG.md"\n\n[project.scripts]'
    )
    project.write_text(project.read_text(encoding="utf-8").replace("[project.scripts]", urls, 1), encoding="utf-8")
    package = root / "vscode-extension" / "package.json"
    setting = re.compile(r'("dplint\.package": \{[^}]*?"default": )""')
    text = setting.sub(rf'\1"dplint @ git+{address}.git@{TAG}"', package.read_text(encoding="utf-8"))
    package.write_text(text, encoding="utf-8")


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """The files that git tracks and that are text, but for these two."""
    listed = subprocess.run(("git", "ls-files", "-z"), cwd=root, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if name.endswith((".md", ".yml", ".yaml", ".json", ".ts", ".toml", ".py")) and name not in _OWN:
            path = root / name
            if path.is_file() and not name.startswith(("fixtures/", "benchmarks/judged/")):
                yield name, path.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
