"""The worker's way to a runner that need not import the module: one that a host has forked after its import.

A host is a runner that has imported a module and forks. The front end keeps them (`dplint.workers.runner_hosts`) and
tells its workers the address by the environment. A request names the module and all that a host depends on; the answer
is the failure of the import, or the scratch folder of the host; then the host itself, which takes the pipes and forks,
says that it is ready.
"""

from __future__ import annotations

import json
import os
import select
import socket
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from dplint.claims import Mechanism
from dplint.jobs import READ_PATH
from dplint.runner import frames
from dplint.runner.children import CODE_BYTES, Forked
from dplint.runner.errors import RunnerError

ADDRESS = "DPLINT_RUNNER_HOSTS"
"""The variable of the environment that names the socket."""
_POLL_SECONDS = 0.2
Waiting: TypeAlias = Callable[[float], None]
"""Called while an answer is awaited, with the seconds since the last sign of life."""
Settings: TypeAlias = Callable[[str], dict[str, Any]]
"""The settings of a new process, by the scratch folder of its host, in which its own has to lie."""


def described_module(mechanism: Mechanism) -> dict[str, str]:
    """What the runner must know to import the mechanism's module."""
    return {
        "path": mechanism.path,
        "import_root": mechanism.import_root,
        "project_root": mechanism.project_root,
        "module": mechanism.module,
    }


def named_places(module: dict[str, str], allow: frozenset[str]) -> list[str]:
    """What the code of a module may read besides Python, its packages and the system: its project, and what is allowed.

    module: as `described_module` has it. Paths of `allow` may be relative to the project.
    """
    root = module["project_root"]
    allowed = [effect.removeprefix(READ_PATH) for effect in sorted(allow) if effect.startswith(READ_PATH)]
    own = [module["path"], module["import_root"], root]
    return [*own, *(os.path.join(root, os.path.expanduser(path)) for path in allowed)]


def host_request(
    mechanism: Mechanism,
    text: str | None,
    *,
    interpreter: str,
    deadline: float,
    memory_mib: int,
    allow: frozenset[str],
) -> dict[str, Any]:
    """What a host for a mechanism's module is asked for with: all that it depends on. text: as `Runner.load` has it."""
    return {
        "mechanism": described_module(mechanism),
        "text": text,
        "deadline": deadline,
        "interpreter": interpreter,
        "memory_mib": memory_mib,
        "allow": sorted(allow),
    }


def forked_runner(address: str, request: dict[str, Any], settings: Settings, waiting: Waiting) -> Forked | None:
    """A runner that has the module of the request; None where there are no hosts, or this module cannot be forked.

    waiting: called while the import lasts; may raise. Raises RunnerError if it failed.
    """
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(address)
        frames.write_frame(connection.fileno(), request)
    except (OSError, frames.BrokenFrame):
        connection.close()
        return None
    return forked_over(connection, settings, waiting)


def forked_over(
    connection: socket.socket, settings: Settings, waiting: Waiting, control: int | None = None
) -> Forked | None:
    """The same over a connection of which a host will have the other end, and which is the process's from now on.

    control: a descriptor that the process takes orders from, if it is to be a host itself.
    """
    child = None
    try:
        answer = _answer(connection, waiting)
        if answer is not None and "failure" in answer:
            raise RunnerError.of_document(answer["failure"])
        if answer is not None and "alone" not in answer and _answer(connection, waiting) is not None:
            child = _fork(connection, settings(str(answer["scratch"])), control)
    except (OSError, frames.BrokenFrame):
        child = None
    finally:
        if child is None:
            connection.close()
    return child


def _answer(connection: socket.socket, waiting: Waiting) -> dict[str, Any] | None:
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    begun = time.monotonic()
    while not poll.poll(_POLL_SECONDS * 1000):
        waiting(time.monotonic() - begun)
    frame = frames.read_frame(connection.fileno())
    return None if frame is None else frame[0]


def _fork(connection: socket.socket, settings: dict[str, Any], control: int | None) -> Forked | None:
    requests, to = os.pipe()
    replies, answers = os.pipe()
    captured, written = os.pipe()
    try:
        given = [requests, answers, written, *([] if control is None else [control])]
        socket.send_fds(connection, [json.dumps(settings).encode()], given)
        pid = connection.recv(CODE_BYTES)
    except OSError:
        pid = b""
    finally:
        for theirs in (requests, answers, written):
            os.close(theirs)
    if not pid:
        for ours in (to, replies, captured):
            os.close(ours)
        return None
    return Forked(connection, int(pid), (to, replies, captured))
