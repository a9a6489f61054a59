"""What `dev.py test` does before the tests, side by side: types, the documentation, the extension, editors.

    python -m scripts.checks MODULE...

What each module prints comes in one piece, when it is done.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(checks: Sequence[str]) -> int:
    """Run these modules, as `python -m` does; the exit code is that of the first in the list that fails."""
    with ThreadPoolExecutor(len(checks)) as threads:
        return next((code for code in list(threads.map(check, checks)) if code), 0)


def check(module: str) -> int:
    """Run one, print what it has printed, and return its exit code."""
    command = (sys.executable, "-m", module)
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, errors="replace"
    )
    sys.stdout.write(f"$ {' '.join(command)}\n{done.stdout}")
    sys.stdout.flush()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else __doc__)
