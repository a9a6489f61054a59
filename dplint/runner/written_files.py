"""Files that a run writes, kept in memory: nothing reaches a disk, and the run finds what it has written.

Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import builtins
import contextlib
import io
import os
import stat
import sys
from typing import Any, Callable, Dict, List, Optional

MOST_WRITTEN = 1 << 20
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
