"""The protocol of pygls, with the traps of 2.1 closed that a server in daily use would fall into.

Frames of the editor: what is no frame of LSP is answered with an error, and what follows is read again.

pygls passes over whatever it does not know, and waits in silence.
"""

from __future__ import annotations

import logging
import typing
from asyncio import IncompleteReadError
from collections.abc import Awaitable, Callable
from typing import Any

import pygls.server
from pygls.exceptions import JsonRpcInvalidRequest
from pygls.io_ import run_async
from pygls.protocol import LanguageServerProtocol

MOST_BYTES = 1 << 28
"""A longer message is none that an editor sends."""
_LENGTH, _TYPE = b"content-length", b"content-type"
_SHOWN = 60


class _Stream(typing.Protocol):
    def readline(self) -> Awaitable[bytes]: ...

    def readexactly(self, n: int) -> Awaitable[bytes]: ...


class CheckedFrames:
    """A stream as pygls reads it, line by line and then a body. complain: called with what is wrong with a frame.

    Of lines that belong to no frame, one after the other, the first is told.
    """

    def __init__(self, stream: _Stream, complain: Callable[[str], None]) -> None:
        self._stream = stream
        self._complain = complain
        self._length: int | None = None
        self._told = self._begun = False

    async def readline(self) -> bytes:
        """A line of a header in the one way that pygls knows; an empty one where there is no frame."""
        try:
            line = await self._stream.readline()
        except ValueError:  # a stream of asyncio has a limit
            return self._wrong("a line has no end")
        at = line.lower().find(_LENGTH + b":")
        if at > 0:  # behind what was left of a message that was longer than it said
            self._wrong(f"{_shown(line[:at])} begins no message")
            line = line[at:]
        name, colon, value = line.strip().partition(b":")
        if name.lower() == _LENGTH and colon:
            return self._length_of(value.strip())
        if not line:
            return self._end()
        if not line.strip():
            return self._end_of_header()
        self._begun = True
        if name.lower() != _TYPE:
            self._wrong(f"{_shown(line)} begins no message")
        return b"\r\n" if self._length is None else line

    def _length_of(self, value: bytes) -> bytes:
        self._begun, self._told = True, False
        self._length = int(value) if value.isdigit() and len(value) < 20 else 0
        if not 0 < self._length <= MOST_BYTES:
            self._length = None
            return self._wrong(f"Content-Length is {_shown(value)}, and must be a number from 1 to {MOST_BYTES}")
        return b"Content-Length: %d\r\n" % self._length

    def _end_of_header(self) -> bytes:
        if self._length is None and self._begun:
            self._wrong("a message has no Content-Length")
        self._begun = False
        return b"\r\n"

    def _end(self) -> bytes:
        if self._begun:
            self._wrong("the input ended within the header of a message")
        return b""

    async def readexactly(self, n: int) -> bytes:
        """A body; an empty one, which is the end, if not all of it came."""
        try:
            body = await self._stream.readexactly(n)
        except IncompleteReadError as error:
            body = error.partial
        self._length, self._begun = None, False
        if len(body) < n:
            self._wrong(f"the input ended within a message of {n} bytes, of which {len(body)} came")
            return b""
        return body

    def _wrong(self, what: str) -> bytes:
        if not self._told:
            self._complain(f"{what}; a message is `Content-Length: N`, an empty line, and N bytes of JSON")
        self._told = True
        return b"\r\n"


async def run_checked(stop_event: Any, reader: Any, protocol: Any, *more: Any, **named: Any) -> None:
    """As `pygls.io_.run_async`, in whose place it stands, with checked frames."""
    await run_async(stop_event, CheckedFrames(reader, protocol.complain), protocol, *more, **named)


def _shown(content: bytes) -> str:
    text = content.strip()
    return repr(text[:_SHOWN])[1:] + ("..." if len(text) > _SHOWN else "")


_LOG = logging.getLogger(__name__)
_PARSE_ERROR = -32700
pygls.server.run_async = run_checked  # type: ignore[attr-defined]


class Protocol(LanguageServerProtocol):
    """pygls keeps the future of every notification for ever; here it goes when it is done.

    And it goes on writing, with an error each time, when the editor has left in the middle of something.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._request_futures = _Futures()

    def _execute_handler(self, msg_id: Any, *args: Any, **kwargs: Any) -> None:
        super()._execute_handler(msg_id, *args, **kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def handle_message(self, message: Any) -> None:
        """As in pygls, which passes over what is JSON and no message. Raises JsonRpcInvalidRequest for that."""
        if getattr(message, "jsonrpc", None) != self.VERSION:
            raise JsonRpcInvalidRequest
        super().handle_message(message)

    def _send_data(self, data: Any) -> None:
        """Once the editor has said goodbye, it hears the answers it waits for, and nothing when it has left."""
        stream = getattr(self.writer, "_stdout", None)
        if (stream is not None and stream.closed) or (self._shutdown and hasattr(data, "method")):
            return
        super()._send_data(data)

    def complain(self, what: str) -> None:
        """Tell the editor, and the log, that it has sent what is no message; JSON-RPC has no number for its answer."""
        _LOG.error("%s", what)
        # As a document: lsprotocol leaves out a number that is null.
        self._send_data({"jsonrpc": "2.0", "id": None, "error": {"code": _PARSE_ERROR, "message": what}})


class _Futures(dict[Any, Any]):
    """Futures by their numbers. Shutting down, pygls cancels one after the other, and each one then leaves."""

    def items(self) -> Any:
        return list(super().items())
