"""The worker's way to a runner that need not import the module: one that a host has forked after its import.

A host is a runner that has imported a module and forks. The front end keeps them (`dplint.workers.runner_hosts`) and
tells its workers the address by the environment. A request names the module and all that a host depends on; the answer
is the failure of the import, or the scratch folder of the host; then the host itself, which takes the pipes and forks,
says that it is ready.

A runner's process, seen from the worker: started by it, or forked for it by a host that has imported the module.

Either has pipes for requests, replies and captured output, can be waited for, and can be ended.

What a runner could not do, and why. Part of the worker.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from dplint.claims import Mechanism
from dplint.jobs import READ_PATH
from dplint.outcomes import FailureKind, FailureScope
from dplint.runner import frames

CODE_BYTES = 16
ABORT = b"abort"
_FORKED_ENDS_SECONDS = 5.0


class Child(ABC):
    """The process. to, replies, captured: the worker's ends of the pipes."""

    pid: int
    to: int
    replies: int
    captured: int

    @abstractmethod
    def poll(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it goes on. Does not wait."""

    @abstractmethod
    def wait(self, seconds: float) -> int | None:
        """The same, after at most so many seconds."""

    @abstractmethod
    def abort(self) -> None:
        """Send SIGABRT, on which faulthandler writes where the process is."""

    @abstractmethod
    def end(self) -> None:
        """Kill it and what it started, as far as it is known, and close the pipes. Safe to call at any time."""


class Spawned(Child):
    """A process that this one has started, in a session of its own."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self._popen = popen
        self.pid = popen.pid
        self.to, self.replies, self.captured = popen.stdin.fileno(), popen.stdout.fileno(), popen.stderr.fileno()

    def poll(self) -> int | None:
        """See `Child`."""
        return self._popen.poll()

    def wait(self, seconds: float) -> int | None:
        """See `Child`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(seconds)
        return None

    def abort(self) -> None:
        """See `Child`."""
        with contextlib.suppress(OSError):
            self._popen.send_signal(signal.SIGABRT)

    def end(self) -> None:
        """See `Child`."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._popen.kill()
        self._popen.wait()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Forked(Child):
    """A process that a runner host has forked. It and the host hear at once if this one lets go of the connection.

    Over it the host tells how the process ended; the host is asked to signal it, since only its parent can be sure that
    the number still belongs to it.
    """

    def __init__(self, connection: socket.socket, pid: int, pipes: tuple[int, int, int]) -> None:
        self._connection, self.pid = connection, pid
        self.to, self.replies, self.captured = pipes
        self._code: int | None = None

    def poll(self) -> int | None:
        """See `Child`."""
        return self.wait(0.0)

    def wait(self, seconds: float) -> int | None:
        """See `Child`."""
        if self._code is None:
            try:
                # A timeout of 0 would be non-blocking mode, in which nothing is ready yet raises another error.
                self._connection.settimeout(max(seconds, 1e-3))
                text = self._connection.recv(CODE_BYTES)
                # Nothing: the host itself has ended, and took its children along.
                self._code = int(text) if text else -signal.SIGKILL
            except TimeoutError:
                return None
            except (OSError, ValueError):
                self._code = -signal.SIGKILL
        return self._code

    def abort(self) -> None:
        """See `Child`."""
        with contextlib.suppress(OSError):
            self._connection.sendall(ABORT)

    def end(self) -> None:
        """See `Child`."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
        if self._code is None:
            self.wait(_FORKED_ENDS_SECONDS)
        with contextlib.suppress(OSError):
            self._connection.close()
        for pipe in (self.to, self.replies, self.captured):
            with contextlib.suppress(OSError):
                os.close(pipe)
        self.to = self.replies = self.captured = -1


class RunnerError(Exception):
    """A request that was not answered: the kind of failure, why in a sentence, and a traceback or captured output.

    cure: how to mend it, empty where the kind says all there is. scope, line: as for `Failed`. data: the number of the
    data value of the request that was being run, None if it was none or is not known.
    """

    def __init__(
        self,
        kind: FailureKind,
        reason: str,
        detail: str = "",
        *,
        cure: str = "",
        scope: FailureScope = FailureScope.MECHANISM,
        line: int | None = None,
        data: int | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind, self.reason, self.detail, self.cure = kind, reason, detail, cure
        self.scope, self.line, self.data = scope, line, data

    def __reduce__(self) -> tuple[Any, ...]:
        return RunnerError.of_document, (self.document(),)

    def document(self) -> dict[str, Any]:
        """What `of_document` makes the same error of, as JSON has it."""
        return {
            "kind": self.kind.value,
            "reason": self.reason,
            "detail": self.detail,
            "cure": self.cure,
            "scope": self.scope.value,
            "line": self.line,
        }

    @staticmethod
    def of_document(document: dict[str, Any]) -> RunnerError:
        """The error that a runner or a runner host tells of; what it does not say is left at its default."""
        line = document.get("line")
        return RunnerError(
            FailureKind(document["kind"]),
            str(document["reason"]),
            str(document.get("detail", "")),
            cure=str(document.get("cure", "")),
            scope=FailureScope(document.get("scope", FailureScope.MECHANISM)),
            line=line if isinstance(line, int) else None,
        )

    def in_import_of(self, path: str) -> RunnerError:
        """The same, said of the module at this path, whose import it was, with the line that the detail knows."""
        if self.scope is not FailureScope.MECHANISM:
            return self
        lines = re.findall(rf'File "{re.escape(path)}", line (\d+)', self.detail)
        document = self.document() | {"scope": FailureScope.MODULE.value}
        # A traceback ends with the frame that raised; a dump of faulthandler begins with it.
        first = "most recent call first" in self.detail
        if self.line is None and lines:
            document["line"] = int(lines[0 if first else -1])
        return RunnerError.of_document(document)


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
