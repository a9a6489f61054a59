"""What a run shows besides what it returns: prints, logs, files, arguments it has changed, attributes it has set.

Runs in the user's interpreter. Nothing that is written reaches a disk, and of each channel only the beginning is kept.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import builtins
import collections
import contextlib
import io
import logging
import os
import stat
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .failures import INPUT, INTERNAL, Failure
from .flatten import Raised, drain

"""Bytes of a file that are kept of one run; of what follows only the length."""
_OPTIONS = ("buffering", "encoding", "errors", "newline", "closefd", "opener")


class _Written(io.BytesIO):
    """A file that is written, in memory."""

    def __init__(self, name: str, content: bytes, done: Callable[[Optional[str], bytes], None]) -> None:
        super().__init__(content)
        self.name: Optional[str] = name
        self._left_out = 0
        self._done = done

    def write(self, data: Any) -> int:
        given = memoryview(data).cast("B")
        room = max(0, MOST_WRITTEN - self.tell())
        super().write(given[:room])
        self._left_out += max(0, len(given) - room)
        return len(given)

    def content(self) -> bytes:
        return self.getvalue() + (f"…[{self._left_out} more]".encode() if self._left_out else b"")

    def flush(self) -> None:
        if not self.closed:
            self._done(self.name, self.content())

    def close(self) -> None:
        self.flush()
        super().close()


class WrittenFiles:
    """Stands in for `open`: what a run opens for writing is kept in memory, by its name as the run gives it."""

    def __init__(self) -> None:
        self._open: Any = builtins.open
        self._contents: Dict[str, bytes] = {}
        self._unfinished: List[Any] = []
        self._on = False
        self._before: Dict[str, Any] = {}

    def install(self) -> None:
        """From now on, `open` is ours, and so is what asks for files and moves them."""
        builtins.open = io.open = self.opened
        self._open_in_numpy(self.opened)
        self._before = {name: getattr(os, name) for name in ("stat", "remove", "unlink", "rename", "replace")}
        os.stat = self._stat
        os.remove = os.unlink = self._removing(os.remove)
        os.rename, os.replace = map(self._moving, (os.rename, os.replace))
        self._on = True

    def remove(self) -> None:
        """All is as it was."""
        builtins.open = io.open = self._open
        self._open_in_numpy(self._open)
        for name, function in self._before.items():
            setattr(os, name, function)
        self._on = False

    @staticmethod
    def _open_in_numpy(function: Any) -> None:
        """`numpy.savetxt` has taken hold of `open` at its import."""
        openers = getattr(sys.modules.get("numpy.lib._datasource"), "_file_openers", None)
        table = getattr(openers, "_file_openers", None)
        if isinstance(table, dict) and None in table:
            table[None] = function

    def opened(self, file: Any, mode: str = "r", *given: Any, **named: Any) -> Any:
        """Like `open`. Files that the run has not written are read as they are."""
        if not self._on or isinstance(file, int) or not isinstance(mode, str):
            return self._open(file, mode, *given, **named)
        name = self._known(file)
        writes = not set(mode).isdisjoint("wax+")
        if name == os.devnull or not (writes or name in self._contents):
            return self._open(file, mode, *given, **named)
        named.update(zip(_OPTIONS, given))
        return self._in_memory(name, mode, named)

    def _in_memory(self, name: str, mode: str, named: Dict[str, Any]) -> Any:
        if "x" in mode and name in self._contents:
            raise FileExistsError(17, "File exists", name)
        content = b""
        if "w" not in mode and "x" not in mode:
            content = self._contents[name] if name in self._contents else self._read(name, needed="a" not in mode)
        if "r" in mode and "+" not in mode:
            binary: Any = io.BytesIO(content)
        else:
            binary = _Written(name, content, self._done)
            self._contents.setdefault(name, b"")
            if "a" in mode:
                binary.seek(0, io.SEEK_END)
        if "b" in mode:
            opened = binary
        else:
            options = {key: named.get(key) for key in ("encoding", "errors", "newline")}
            opened = io.TextIOWrapper(binary, **{"encoding": "utf-8", **{k: v for k, v in options.items() if v}})
        self._unfinished.append(opened)
        return opened

    def _read(self, name: str, *, needed: bool) -> bytes:
        """What the file on disk holds; one that is not there is empty, unless it is needed."""
        try:
            with self._open(name, "rb") as file:
                content: bytes = file.read(MOST_WRITTEN)
                return content
        except FileNotFoundError:
            if needed:
                raise
            return b""

    def _known(self, path: Any) -> str:
        """The name of a file, with all that was written so far in its place: nobody may be left to close it."""
        for opened in self._unfinished:
            with contextlib.suppress(Exception):
                opened.flush()
        return _name(path)

    def _renamed(self, name: str, new: Optional[str]) -> None:
        """Whoever still has the file open writes to the new one, or to none."""
        for opened in self._unfinished:
            binary = getattr(opened, "buffer", opened)
            if getattr(binary, "name", None) == name:
                binary.name = new

    def _done(self, name: Optional[str], content: bytes) -> None:
        if name is not None:
            self._contents[name] = content

    def _stat(self, path: Any, *given: Any, **named: Any) -> Any:
        name = None if isinstance(path, int) else self._known(path)
        if name not in self._contents:
            return self._before["stat"](path, *given, **named)
        return os.stat_result((stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, len(self._contents[name]), 0, 0, 0))

    def _removing(self, remove: Any) -> Any:
        def removed(path: Any, *given: Any, **named: Any) -> None:
            if self._contents.pop(self._known(path), None) is None:
                remove(path, *given, **named)
            self._renamed(_name(path), None)

        return removed

    def _moving(self, move: Any) -> Any:
        def moved(source: Any, target: Any, *given: Any, **named: Any) -> None:
            content = self._contents.pop(self._known(source), None)
            if content is None:
                move(source, target, *given, **named)
            else:
                self._contents[_name(target)] = content
                self._renamed(_name(source), _name(target))

        return moved

    def take(self) -> Dict[str, Any]:
        """What the run has written, by file: a text, or bytes where it is none. Files are closed."""
        for opened in self._unfinished:
            with contextlib.suppress(Exception):
                opened.close()
        taken = {name: _text(content) for name, content in self._contents.items()}
        self._contents.clear()
        self._unfinished.clear()
        return taken


def _name(path: Any) -> str:
    return os.path.normpath(os.fsdecode(path))


def _text(content: bytes) -> Any:
    """As a text; bytes where it is none."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content


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
