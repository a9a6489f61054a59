"""What of the user's own files code that is checked may not read: keys and credentials. Runs in the user's interpreter.

Landlock allows what is named and nothing else. Where data, packages and settings of a user's code lie, nobody knows, so
that all is named but these: the entries of the folders above them.
"""

from __future__ import annotations

import os
from typing import FrozenSet, Iterator, List, Set

_OF_NETWORKS = (
    "~/.ssh",
    "~/.gnupg",
    "~/.password-store",
    "~/.netrc",
    "~/.git-credentials",
    "~/.config/git/credentials",
    "~/.config/gh",
    "~/.config/gcloud",
    "~/.aws",
    "~/.azure",
    "~/.kube",
    "~/.docker",
    "~/.pypirc",
    "~/.npmrc",
    "~/.local/share/keyrings",
    "~/.mozilla",
    "~/.config/google-chrome",
    "~/.config/chromium",
)
"""Credentials that are of use over a network: who may use that may need them."""


def closed_places(allow: FrozenSet[str]) -> Set[str]:
    """Files and folders that nothing may be read of: dplint's own keys, and credentials."""
    state = os.environ.get("XDG_STATE_HOME", "").strip() or "~/.local/state"
    named = [os.path.join(state, "dplint"), os.environ.get("DPLINT_CACHE_KEY_FILE", "")]
    named += [] if "network" in allow else _OF_NETWORKS
    places = {os.path.realpath(os.path.expanduser(name)) for name in named if name}
    return {place for place in places if os.path.isdir(place) or os.path.isfile(place)}


def open_places(closed: Set[str]) -> List[str]:
    """Files and folders that cover all there is but what is closed; what links lead to is covered."""
    above = {os.path.dirname(place) for place in closed}
    while any(folder != "/" and os.path.dirname(folder) not in above for folder in above):
        above |= {os.path.dirname(folder) for folder in above}
    return list(_below("/", above, closed)) if closed else ["/"]


def _below(folder: str, above: Set[str], closed: Set[str]) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:  # what cannot be listed is not looked into
        yield folder
        return
    for entry in entries:
        if entry.path in above and entry.path not in closed:
            yield from _below(entry.path, above, closed)
        elif entry.path not in closed and not entry.is_symlink():
            yield entry.path
