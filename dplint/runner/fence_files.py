"""The half of the fence that looks at files and signals: Landlock. Runs in the user's interpreter.

Landlock lets a process give up rights for itself and for what it starts. It can only be tightened: what is given up
does not come back. It holds for the thread that asks, and for threads that this one starts.

Which files code that is checked may read, and which keys and credentials never. Runs in the user's interpreter.

Landlock allows what is named and nothing else: the system, the interpreter, its packages, and what the front end names,
such as the project. What is closed stays closed where it lies within one of these.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import struct
import sys
from typing import FrozenSet, Iterator, List, Optional, Sequence, Set
from urllib.parse import unquote, urlsplit

from . import system

READ = "read"
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/nix/store", "/gnu/store", "/etc", "/proc", "/sys"),
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"),
)
"""Programs, libraries, time zones, fonts, certificates; what the kernel tells of itself and of processes."""
_NAMES = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager")
"""Where names of a network are looked up."""
_OF_THE_SYSTEM = (
    *("/etc/shadow", "/etc/gshadow", "/etc/ssl/private", "/etc/pki/tls/private", "/etc/kubernetes", "/etc/docker"),
    *("/etc/sudoers", "/etc/krb5.keytab"),
)
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
    """Files and folders that nothing may be read of: dplint's own keys, and credentials.

    Without those that the system keeps from this user anyway: each costs a rule for all that lies beside it.
    """
    state = os.environ.get("XDG_STATE_HOME", "").strip() or "~/.local/state"
    named = [os.path.join(state, "dplint"), os.environ.get("DPLINT_CACHE_KEY_FILE", ""), *_OF_THE_SYSTEM]
    named += [] if "network" in allow else _OF_NETWORKS
    places = [place for place in map(os.path.expanduser, filter(None, named)) if os.access(place, os.R_OK)]
    return {_real(place) for place in places if os.path.isdir(place) or os.path.isfile(place)}


def readable_places(allow: FrozenSet[str], named: Sequence[str]) -> List[str]:
    """Files and folders that may be read, without those that lie in another of them; all of "/" if `allow` opens it.

    named: those of the project, and others that the settings name.
    """
    if READ in allow or "write" in allow:
        return ["/"]
    own = [_OWN, sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(os.path.isabs, sys.path), *_editable()]
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    network = _NAMES if "network" in allow else ()
    every = [*_SYSTEM, *network, *own, *filter(os.path.isabs, libraries), *named]
    places = sorted({_real(place) for place in every if os.path.exists(place)})
    outermost: List[str] = []
    for place in places:
        if not outermost or not is_within(place, outermost[-1:]):
            outermost.append(place)
    return outermost


def _real(path: str) -> str:
    """As `os.path.realpath`, for what is there, by the kernel where it tells: that looks at each part of a path."""
    with contextlib.suppress(OSError, AttributeError):
        there = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            return os.readlink(f"/proc/self/fd/{there}")
        finally:
            os.close(there)
    return os.path.realpath(path)


def is_within(path: str, places: Sequence[str]) -> bool:
    """Whether an absolute path is one of the places, or lies in one."""
    return any(path == place or path.startswith(place.rstrip(os.sep) + os.sep) for place in places)


def open_places(places: Sequence[str], closed: Set[str]) -> List[str]:
    """Files and folders that cover all of the places but what is closed; what links lead to is not covered by them."""
    above = {os.path.dirname(place) for place in closed}
    while any(folder != "/" and os.path.dirname(folder) not in above for folder in above):
        above |= {os.path.dirname(folder) for folder in above}
    return [
        found for place in places if not is_within(place, list(closed)) for found in _covering(place, above, closed)
    ]


def _covering(place: str, above: Set[str], closed: Set[str]) -> Iterator[str]:
    if place not in above:
        yield place
        return
    try:
        entries = list(os.scandir(place))
    except OSError:  # what cannot be listed is not looked into
        yield place
        return
    for entry in entries:
        if entry.path not in closed and not entry.is_symlink():
            yield from _covering(entry.path, above, closed)


def _editable() -> Iterator[str]:
    """Folders of packages that are installed where they are developed, of which their finders alone know."""
    for folder in sys.path:
        if os.path.basename(folder) in ("site-packages", "dist-packages"):
            with contextlib.suppress(OSError):
                for name in os.listdir(folder):
                    told = f"{folder}/{name}/direct_url.json"
                    if name.endswith(".dist-info") and os.access(told, os.R_OK):
                        yield from _developed(told)


def _developed(file: str) -> Iterator[str]:
    with contextlib.suppress(OSError, ValueError, AttributeError), open(file, encoding="utf-8") as stream:
        told = json.load(stream)
        address = urlsplit(told.get("url", ""))
        if address.scheme == "file" and told.get("dir_info", {}).get("editable"):
            yield unquote(address.path)


_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_REMOVE_AND_MAKE = 0x1FF << 4
_MAKE_DEVICES = 1 << 6 | 1 << 11
_TCP = 3
_ABSTRACT_SOCKETS, _SIGNALS = 1, 2
SCOPES_SIGNALS, HOLDS_TRUNCATION = 6, 3
"""Since which version signals can be held, and that files are emptied."""
_HARMLESS = ("/dev/null", "/dev/full")
_SHARED_MEMORY = "/dev/shm"
_NEEDS_SHARED_MEMORY = ("libiomp5.so", "libomp.so")
"""Runtimes of OpenMP that end the process if they cannot leave a note there."""


def version() -> int:
    """The version of Landlock that the kernel has; 0 for none, or if the container refuses it."""
    if not system.LINUX:
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)))


def restrict(allow: FrozenSet[str], folders: Sequence[str], places: Optional[Sequence[str]]) -> bool:
    """Give up writing outside the folders, reading outside of them and the places, signals and TCP, unless allowed.

    places: as `readable_places` gives them; None for all but keys, empty where an earlier call has said. Whether the
    kernel accepted it; no new privileges must be set.
    """
    having = version()
    # A domain about files is in the way of those who move some: who may write reads what it likes, too.
    places = ["/"] if places is None else places
    reading = open_places(places, closed_places(allow)) if places and "write" not in allow else []
    limited = reading not in ([], ["/"])
    listed = places if limited and list(places) != ["/"] else []
    files = 0 if "write" in allow else _changes(having)
    files |= (_READ_FILE if limited else 0) | (_READ_FOLDER if listed else 0)
    network = _TCP if having >= 4 and "network" not in allow else 0
    scope = 0
    if having >= SCOPES_SIGNALS:
        scope = (0 if "network" in allow else _ABSTRACT_SOCKETS) | (0 if "process" in allow else _SIGNALS)
    if not having or not (files or network or scope):
        return False
    system = ctypes.CDLL(None)
    size = 8 if having < 4 else 16 if having < SCOPES_SIGNALS else 24
    rules = system.syscall(_CREATE, struct.pack("QQQ", files, network, scope), ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    try:
        for place in reading if limited else ():
            _grant(system, rules, place, _READ_FILE)
        for place in filter(os.path.isdir, listed):
            _grant(system, rules, place, _READ_FOLDER)
        if files:
            for folder in folders:
                _grant(system, rules, folder, files & ~(_MAKE_DEVICES | _IOCTL_DEVICE))
            for name in _HARMLESS:
                _grant(system, rules, name, files & (_WRITE_FILE | _TRUNCATE | _IOCTL_DEVICE))
            if "process" in allow or needs_shared_memory():
                _grant(system, rules, _SHARED_MEMORY, files & ~(_MAKE_DEVICES | _IOCTL_DEVICE))
        return int(system.syscall(_RESTRICT, rules, 0)) == 0
    finally:
        os.close(rules)


def needs_shared_memory() -> bool:
    """Whether this interpreter has a library that does not work without writing to `/dev/shm`."""
    # Before `site` has run, the prefix is not that of the environment yet.
    prefixes = (sys.prefix, os.path.dirname(os.path.dirname(sys.executable)))
    return any(
        os.path.exists(os.path.join(prefix, "lib", name)) for prefix in prefixes for name in _NEEDS_SHARED_MEMORY
    )


def _changes(having: int) -> int:
    """The rights by which something is changed, of those that this version knows."""
    rights = _WRITE_FILE | _REMOVE_AND_MAKE
    if having >= 2:
        rights |= _REFER
    if having >= HOLDS_TRUNCATION:
        rights |= _TRUNCATE
    return rights | _IOCTL_DEVICE if having >= 5 else rights


def _grant(system: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    with contextlib.suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            system.syscall(_ADD, rules, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
        finally:
            os.close(place)
