"""The request to end a check early, with what is known so far."""

from __future__ import annotations

from collections.abc import Callable


class Stop:
    """A request to end, made at most once. Listeners hear of it in the thread that makes it.

    `request` may be called by a signal handler: it takes no lock, and a listener must not wait for one either that
    the interrupted thread may hold.
    """

    def __init__(self) -> None:
        self._requested = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def requested(self) -> bool:
        """Whether the request was made."""
        return self._requested

    def request(self) -> None:
        """Make the request; a second one changes nothing."""
        if self._requested:
            return
        self._requested = True
        for listener in tuple(self._listeners):
            listener()

    def tell(self, listener: Callable[[], None]) -> None:
        """Call the listener when the request is made, at once if it was made before."""
        self._listeners.append(listener)
        if self._requested:
            listener()
