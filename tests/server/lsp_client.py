"""An editor for tests and benchmarks. It is strict: one byte on the stream that belongs to no message is an error."""

import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.patience import patience
from tests.server.processes import MARK, all_gone, fresh_mark

SERVER = (sys.executable, "-m", "dplint", "server")
PATIENCE = 60.0
"""Seconds after which something is taken never to happen; nothing here takes long on a machine that is not busy."""
_LENGTH = re.compile(rb"Content-Length: (\d+)\r\n\Z")
_TYPE = re.compile(rb"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\Z")


class ProtocolError(Exception):
    """What the server sent is not LSP."""


class AnswerError(Exception):
    """The server answered with an error."""


@dataclass(frozen=True)
class Heard:
    """A notification or a request of the server, and when it came."""

    at: float
    method: str
    params: Any


@dataclass
class Asked:
    """A request to the server, and its answer once that is there."""

    method: str
    sent: float
    answered: float | None = None
    message: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """How long the answer took."""
        assert self.answered is not None
        return self.answered - self.sent


def capabilities(*, pulls: bool, encodings: tuple[str, ...] = ()) -> dict[str, Any]:
    """Those of an editor that can do everything. pulls: it asks for diagnostics."""
    can_refresh = {"refreshSupport": True}
    found: dict[str, Any] = {
        "window": {"workDoneProgress": True},
        "workspace": {
            "configuration": True,
            "codeLens": can_refresh,
            "inlayHint": can_refresh,
            "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
        },
        "textDocument": {"publishDiagnostics": {"versionSupport": True, "relatedInformation": True}},
    }
    if pulls:
        found["workspace"]["diagnostics"] = can_refresh
        found["textDocument"]["diagnostic"] = {"dynamicRegistration": False}
    if encodings:
        found["general"] = {"positionEncodings": list(encodings)}
    return found


class LspClient:
    """An editor and its server, which is a process of its own and always ended with this context.

    heard: all that the server told or asked, in its order. settings: what the editor has set for `dplint`.
    process_id: of the editor, as the server is told.
    """

    def __init__(
        self,
        folder: Path,
        *,
        command: tuple[str, ...] = SERVER,
        settings: dict[str, Any] | None = None,
        process_id: int | None = None,
        mark: str | None = None,
    ) -> None:
        self.folder = folder
        self.settings = {} if settings is None else settings
        self.heard: list[Heard] = []
        self.process_id = os.getpid() if process_id is None else process_id
        self.mark = mark or fresh_mark()
        self._asked: dict[int, Asked] = {}
        self._changed = threading.Condition()
        self._failure: ProtocolError | None = None
        self._ended = False
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=folder,
            env={**os.environ, MARK: self.mark},
        )
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._write, self._read)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "LspClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.close_input()
        for thread in self._threads:
            thread.join(patience(PATIENCE))
        # Nothing may be left even of a server that has failed its test.
        for one in all_gone(self.mark):
            os.kill(one.pid, signal.SIGKILL)

    # what is sent

    def initialize(
        self, *, pulls: bool = False, encodings: tuple[str, ...] = (), options: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Have the server ready."""
        params = {
            "processId": self.process_id,
            "rootUri": self.folder.as_uri(),
            "workspaceFolders": [{"uri": self.folder.as_uri(), "name": self.folder.name}],
            "capabilities": capabilities(pulls=pulls, encodings=encodings),
            "initializationOptions": options,
        }
        found: dict[str, Any] = self.request("initialize", params)
        self.notify("initialized", {})
        return found

    def notify(self, method: str, params: Any) -> None:
        """Tell the server something."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any) -> Asked:
        """Ask the server something, without waiting for the answer."""
        with self._changed:
            number = len(self._asked) + 1
            asked = self._asked[number] = Asked(method, time.monotonic())
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        self._send(message if params is None else {**message, "params": params})
        return asked

    def answer(self, asked: Asked) -> Any:
        """Wait for the answer. Raises AnswerError if it is an error."""
        self.wait(lambda: asked.answered is not None, asked.method)
        if "error" in asked.message:
            raise AnswerError(f"{asked.method}: {asked.message['error']}")
        return asked.message["result"]

    def request(self, method: str, params: Any) -> Any:
        """Ask, and wait for the answer."""
        return self.answer(self.ask(method, params))

    def leave(self) -> int:
        """Shut the server down as an editor does; its exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(patience(PATIENCE))

    def close_input(self) -> None:
        """Close the server's standard input, after all that was sent."""
        self._outgoing.put(None)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self._outgoing.put(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _write(self) -> None:
        """In a thread: whoever sends never waits for a server that does not read."""
        stream = self.process.stdin
        assert stream is not None
        try:
            while (data := self._outgoing.get()) is not None:
                stream.write(data)
                stream.flush()
            stream.close()
        except (OSError, ValueError):
            return

    # what is heard

    def wait(self, condition: Any, what: str = "something") -> None:
        """Wait until it is true."""
        with self._changed:
            found = self._changed.wait_for(lambda: self._failure or self._ended or condition(), patience(PATIENCE))
            if self._failure is not None:
                raise self._failure
            if not condition():
                why = "the server has ended" if found else f"nothing within {PATIENCE:g} s"
                raise AssertionError(f"waited in vain for {what}: {why}\n{self.errors()[-4000:]}")

    def notifications(self, method: str) -> list[Heard]:
        """What was told or asked under this name."""
        with self._changed:
            return [one for one in self.heard if one.method == method]

    def published(self, uri: str) -> list[Heard]:
        """The diagnostics that were pushed for a document."""
        return [one for one in self.notifications("textDocument/publishDiagnostics") if one.params["uri"] == uri]

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics that were pushed last."""
        found = self.published(uri)
        return list(found[-1].params["diagnostics"]) if found else []

    def errors(self) -> str:
        """What the server wrote to its standard error so far."""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def check(self) -> None:
        """Fail if the stream held anything that is no message."""
        if self._failure is not None:
            raise self._failure

    def _read(self) -> None:
        try:
            while (message := self._message()) is not None:
                self._take(message)
        except ProtocolError as error:
            self._failure = error
        except (OSError, ValueError) as error:
            self._failure = ProtocolError(f"{type(error).__name__}: {error}")
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _message(self) -> dict[str, Any] | None:
        """The next message; None at the end of the stream."""
        stream = self.process.stdout
        assert stream is not None
        length = None
        while (line := stream.readline()) != b"\r\n":
            if not line and length is None:
                return None
            found = _LENGTH.match(line)
            if found is not None and length is None:
                length = int(found[1])
            elif not _TYPE.match(line):
                raise ProtocolError(f"no header: {line[:200]!r}")
        body = stream.read(length or 0)
        if length is None or len(body) != length:
            # A server that is killed may have written half a message.
            if self.process.poll() is not None and length is not None:
                return None
            raise ProtocolError(f"a body of {len(body)} bytes where {length} were announced")
        message = json.loads(body.decode("utf-8"))
        if message.get("jsonrpc") != "2.0":
            raise ProtocolError(f"no message: {message!r}")
        return dict(message)

    def _take(self, message: dict[str, Any]) -> None:
        now = time.monotonic()
        with self._changed:
            if "method" in message:
                params = message.get("params")
                self.heard.append(Heard(now, message["method"], params))
                if "id" in message:
                    answer = {"jsonrpc": "2.0", "id": message["id"], "result": self._reply(message["method"], params)}
                    self._send(answer)
            else:
                asked = self._asked.get(message.get("id", -1))
                if asked is None or asked.answered is not None:
                    raise ProtocolError(f"an answer to nothing: {message!r}")
                asked.message, asked.answered = message, now
            self._changed.notify_all()

    def _reply(self, method: str, params: Any) -> Any:
        if method == "workspace/configuration":
            return [self.settings for _ in params["items"]]
        return {"success": True} if method == "window/showDocument" else None
