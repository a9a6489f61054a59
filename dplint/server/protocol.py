"""The protocol of pygls, with the traps of 2.1 closed that a server in daily use would fall into."""

from __future__ import annotations

import logging
from typing import Any

import pygls.server
from pygls.exceptions import JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol

from dplint.server.frames import run_checked

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
