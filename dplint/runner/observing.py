"""What a run shows besides what it returns: prints, logs, files, arguments it has changed, attributes it has set.

Runs in the user's interpreter. Nothing that is written reaches a disk, and of each channel only the beginning is kept.
"""

from __future__ import annotations

import collections
import io
import logging
import sys
from typing import Any, Dict, List, Sequence, Tuple

from .failures import INPUT, INTERNAL, Failure
from .flatten import Raised, drain
from .written_files import WrittenFiles

STDOUT, STDERR, LOGGING, FILES, ARGUMENTS = "stdout", "stderr", "logging", "files", "arguments"
OF_OBJECT = "self."
"""What begins the name of an attribute that a claim lists."""
RECORD = "Observed"
"""The class of outputs where more is observed than what is returned, which is its first field."""
_ATTRIBUTES = "attributes"
_ENOUGH_WITHOUT = 20
"""Runs that end well without an attribute, after which nobody takes it for one that is set now and then."""
MOST_WRITTEN = 1 << 20
"""Characters of a stream that are kept of one run; of what follows only the length."""
MOST_RECORDS = 1000
"""Log records that are kept of one run; of what follows only the number."""


class Tape(io.TextIOBase):
    """Stands for a standard stream; keeps what one run writes."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self) -> None:
        self._parts: List[str] = []
        self._kept = 0
        self._left_out = 0
        self.buffer = _Bytes(self)

    def write(self, text: str) -> int:
        """See `io.TextIOBase`."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        kept = text[: MOST_WRITTEN - self._kept]
        self._parts.append(kept)
        self._kept += len(kept)
        self._left_out += len(text) - len(kept)
        return len(text)

    def writable(self) -> bool:
        """See `io.TextIOBase`."""
        return True

    def close(self) -> None:
        """The next run writes, too."""

    def take(self) -> str:
        """What was written since the last call."""
        text = "".join(self._parts) + (f"…[{self._left_out} more]" if self._left_out else "")
        self._parts.clear()
        self._kept = self._left_out = 0
        return text


class _Bytes(io.RawIOBase):
    """The bytes below a tape."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._tape.write(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def close(self) -> None:
        pass


class _Records:
    """Log records of all loggers, by the level that each is set to; of loggers that nobody has set, from INFO on."""

    def __init__(self) -> None:
        self._taken: List[str] = []
        self._left_out = 0
        self._handling: Any = None
        self._level = logging.NOTSET

    def install(self) -> None:
        self._handling, self._level = logging.Logger.callHandlers, logging.root.level
        handling, note = self._handling, self._note

        def noted(logger: logging.Logger, record: logging.LogRecord) -> None:
            note(record)
            handling(logger, record)

        logging.Logger.callHandlers = noted  # type: ignore[method-assign, assignment]
        logging.root.setLevel(min(self._level, logging.INFO))

    def remove(self) -> None:
        logging.Logger.callHandlers = self._handling  # type: ignore[method-assign]
        logging.root.setLevel(self._level)

    def _note(self, record: logging.LogRecord) -> None:
        if len(self._taken) >= MOST_RECORDS:
            self._left_out += 1
            return
        try:
            text = record.getMessage()
        except Exception:
            text = str(record.msg)
        if record.exc_info and record.exc_info[0] is not None:
            text += f": {record.exc_info[0].__name__}: {record.exc_info[1]}"
        self._taken.append(f"{record.levelname} {record.name}: {text}"[:MOST_WRITTEN])

    def take(self) -> List[str]:
        taken = self._taken + ([f"…[{self._left_out} more]"] if self._left_out else [])
        self._taken, self._left_out = [], 0
        return taken


class Observer:
    """Makes of each run an output that has all that the claim names: a context manager around the runs.

    channels: their names, each once. Raises Failure for one that does not exist.
    """

    def __init__(self, channels: Sequence[str]) -> None:
        self._missed = 0
        self._attributes = [name[len(OF_OBJECT) :] for name in channels if name.startswith(OF_OBJECT)]
        self._never_seen = set(self._attributes)
        channels = [name for name in channels if not name.startswith(OF_OBJECT)]
        unknown = set(channels).difference((STDOUT, STDERR, LOGGING, FILES, ARGUMENTS))
        if unknown:
            raise Failure(INTERNAL, f"nothing is known of how to observe {sorted(unknown)}")
        self._channels = (*channels, *([_ATTRIBUTES] if self._attributes else []))
        make: Any = collections.namedtuple
        self._make = make(RECORD, ("returned", *self._channels))
        self._streams: List[Tuple[str, Tape, Any]] = [
            (name, Tape(), None) for name in (STDOUT, STDERR) if name in channels
        ]
        self._installed: Dict[str, Any] = {}
        if LOGGING in channels:
            self._installed[LOGGING] = _Records()
        if FILES in channels:
            self._installed[FILES] = WrittenFiles()
        self._taking: Dict[str, Any] = {name: tape for name, tape, _ in self._streams}
        self._taking.update(self._installed)

    @property
    def arguments(self) -> bool:
        """Whether arguments are looked at after the call."""
        return ARGUMENTS in self._channels

    @property
    def attributes(self) -> bool:
        """Whether the object of the method is looked at after the call."""
        return bool(self._attributes)

    def __enter__(self) -> Observer:
        self._streams = [(name, tape, getattr(sys, name)) for name, tape, _ in self._streams]
        for one in self._installed.values():
            one.install()
        return self

    def __exit__(self, *error: object) -> None:
        for one in self._installed.values():
            one.remove()
        for name, _, before in self._streams:
            setattr(sys, name, before)

    def begin(self) -> None:
        """A run begins: nothing of what came before is part of it."""
        for name, tape, _ in self._streams:
            setattr(sys, name, tape)
        for one in self._taking.values():
            one.take()

    def observed(self, output: Any, arguments: Dict[str, Any], receiver: Any = None) -> Any:
        """What a run has shown. arguments: those that it may have changed, as they are now. receiver: its object.

        Attributes that the object does not have are left out. Raises Failure if it never has any of one name.
        """
        if hasattr(output, "__next__"):
            try:
                output = drain(output)
            except Exception as error:
                output = Raised(error)
        taken = {name: one.take() for name, one in self._taking.items()}
        taken[ARGUMENTS] = arguments
        if self._attributes:
            taken[_ATTRIBUTES] = self._held(receiver, isinstance(output, Raised))
        return self._make(output, *(taken[name] for name in self._channels))

    def _held(self, receiver: Any, failed: bool) -> Dict[str, Any]:
        found = {}
        for name in self._attributes:
            within = next((one for one in _spellings(receiver, name) if hasattr(receiver, one)), None)
            if within is not None:
                found[name] = getattr(receiver, within)
        self._never_seen.difference_update(found)
        if self._never_seen and not failed:
            self._missed += 1
            if self._missed >= _ENOUGH_WITHOUT:
                name = min(self._never_seen)
                raise Failure(INPUT, f"observe of the claim names self.{name}, and the object has no such attribute")
        return found


def _spellings(receiver: Any, name: str) -> List[str]:
    """How Python spells an attribute: of a name with two underscores in front also with that of a class."""
    if not name.startswith("__") or name.endswith("__"):
        return [name]
    return [f"_{kind.__name__.lstrip('_')}{name}" for kind in type(receiver).__mro__]
