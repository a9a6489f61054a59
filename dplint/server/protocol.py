"""The protocol of pygls, with the traps of 2.1 closed that a server in daily use would fall into."""

from __future__ import annotations

from typing import Any

from pygls.protocol import LanguageServerProtocol


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

    def _send_data(self, data: Any) -> None:
        """Once the editor has said goodbye, it hears the answers it waits for, and nothing when it has left."""
        stream = getattr(self.writer, "_stdout", None)
        if (stream is not None and stream.closed) or (self._shutdown and hasattr(data, "method")):
            return
        super()._send_data(data)


class _Futures(dict[Any, Any]):
    """Futures by their numbers. Shutting down, pygls cancels one after the other, and each one then leaves."""

    def items(self) -> Any:
        return list(super().items())
