"""What a mechanism is made of: its part of its file, the files of the project that it imports, and the packages beside.

What was learnt of one mechanism must not be taken for knowledge of another one with the same text. The imports are
read from the source, nothing is run: one that is made at run time, by name, and data that is read are not seen.

What the content of a file's summary depends on: its bytes, the claims and settings for it, and dplint itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import dplint
from dplint.claims import Mechanism
from dplint.config import Settings, asked_for
from dplint.contents import content
from dplint.source.files import content_of, followed, import_place, imported_names, is_unsaved
from dplint.source.slices import Slices, slice_module
from dplint.source.text import DecodeError, decode
from dplint.workers.installed import PACKAGES, environment_of

_OF_THE_SYSTEM = ("lib/python*/dist-packages", "local/lib/python*/dist-packages")


@dataclass(frozen=True, slots=True)
class Places:
    """text: a digest of the whole file. lines: of all nodes of which a mechanism is made, in an order that stays."""

    text: str
    lines: Callable[[], tuple[int, ...]]

    def document(self) -> dict[str, object]:
        """What a later check needs to know how lines have moved: the first node of each line."""
        lines = self.lines()
        return {"text": self.text, "lines": [[line, lines.index(line)] for line in dict.fromkeys(lines)]}

    def moved(self, before: Mapping[str, Any] | None) -> Mapping[int, int]:
        """By lines of an earlier check the lines now. before: a document of the same mechanism."""
        if before is None or before["text"] == self.text:
            return {}
        lines = self.lines()
        return {line: lines[at] for line, at in before["lines"] if at < len(lines)}


class MechanismKeys:
    """Digests of what mechanisms are made of. Every file is read once, so this is for one check only.

    environment: of what runs the mechanisms, where that is not an interpreter of this machine.
    """

    def __init__(self, environment: str | None = None) -> None:
        self._elsewhere = environment
        self._files: dict[Path, tuple[bytes, tuple[str, ...]]] = {}
        self._environments: dict[str, str] = {}
        self._reach: dict[tuple[tuple[str, ...], tuple[Path, ...]], frozenset[Path]] = {}
        self._texts: dict[tuple[bytes, str], tuple[tuple[str, ...], Slices | None]] = {}

    def digest(self, mechanism: Mechanism, interpreter: str, source_text: str | None) -> str:
        """Of all that the mechanism is made of, as far as it can be seen; `source_text` stands for its file.

        Functions of the file that it cannot reach are no part of it.

        Raises OSError if its file cannot be read.
        """
        text, others, slices = self._made_of(mechanism, source_text)
        number = self._number(mechanism, others, slices)
        own = hashlib.sha256(text).hexdigest() if number is None or slices is None else slices.fingerprint(number)
        return self._digest_of(own, others, self._environment(interpreter))

    def places(self, mechanism: Mechanism, source_text: str | None) -> Places:
        """Where all that the digest is made of stands in the file. Raises OSError as `digest` does."""
        text, others, slices = self._made_of(mechanism, source_text)
        number = self._number(mechanism, others, slices)
        lines = partial(slices.places, number) if slices is not None and number is not None else tuple[int, ...]
        return Places(hashlib.sha256(text).hexdigest(), lines)

    def _number(self, mechanism: Mechanism, others: frozenset[Path], slices: Slices | None) -> int | None:
        """The slice of a mechanism; None where its digest is of the whole text."""
        back = any(name.startswith(mechanism.module) for file in others for name in self._files[file][1])
        # What imports the file again may use any function of it.
        return None if back or slices is None else slices.at(mechanism.span.line)

    def files(self, mechanism: Mechanism, source_text: str | None) -> frozenset[Path]:
        """The mechanism's file and those of the project that its import may run. Raises OSError as `digest` does."""
        _, others, _ = self._made_of(mechanism, source_text)
        return others | {Path(mechanism.path)}

    def import_digest(self, mechanism: Mechanism, interpreter: str, source_text: str | None) -> str:
        """Of all that the import of its module may hang on: the whole text, what that imports, and what is installed.

        Raises OSError as `digest` does.
        """
        text, others, _ = self._made_of(mechanism, source_text)
        installed = [f"{folder}:{_changed_at(folder)}" for folder in package_folders(interpreter)]
        environment = "\0".join([f"{interpreter}:{_changed_at(Path(interpreter))}", *installed])
        return self._digest_of(hashlib.sha256(text).hexdigest(), others, environment)

    def unsaved(self, mechanism: Mechanism, source_text: str | None) -> tuple[Path, ...]:
        """The files besides its own that it is made of, and that are not on disk as they were read.

        Raises OSError as `digest` does.
        """
        return tuple(sorted(filter(is_unsaved, self._made_of(mechanism, source_text)[1])))

    def _made_of(self, mechanism: Mechanism, source_text: str | None) -> tuple[bytes, frozenset[Path], Slices | None]:
        """The text of the file, the files of the project that it imports, and its slices."""
        path = Path(mechanism.path)
        roots = list(dict.fromkeys([Path(mechanism.import_root), Path(mechanism.project_root)]))
        text = content(path) if source_text is None else source_text.encode()
        imported, slices = self._text(text, mechanism.module, is_package=path.name == "__init__.py")
        names = [mechanism.module, *imported]
        receiver = "" if mechanism.receiver is None else mechanism.receiver.factory
        curve = mechanism.claim.promise and mechanism.claim.promise.function
        names += [named.partition(":")[0] for named in (mechanism.claim.pairs, curve, receiver) if named]
        return text, self._reached(tuple(names), tuple(roots)) - {path}, slices

    def _digest_of(self, own: str, others: frozenset[Path], environment: str) -> str:
        whole = hashlib.sha256(own.encode())
        for file in sorted(others):
            whole.update(f"{file.name}\0".encode() + self._files[file][0])
        whole.update(environment.encode())
        return whole.hexdigest()

    def _text(self, text: bytes, module: str, *, is_package: bool) -> tuple[tuple[str, ...], Slices | None]:
        """What a text imports, and its slices: the same for all mechanisms of a file."""
        key = text, module
        if key not in self._texts:
            self._texts[key] = tuple(imported_names(text, module, is_package=is_package)), _sliced(text)
        return self._texts[key]

    def _reached(self, names: tuple[str, ...], roots: tuple[Path, ...]) -> frozenset[Path]:
        """The files of the modules of these names under the roots, of their packages, and of what they import."""
        key = names, roots
        if key not in self._reach:
            self._reach[key] = frozenset(followed(names, roots, self._read))
        return self._reach[key]

    def _read(self, file: Path, name: str) -> tuple[str, ...]:
        """The names that the file imports. What cannot be read is no part of the mechanism that could change."""
        if file not in self._files:
            text = content_of(file) or b""
            imported = tuple(imported_names(text, name, is_package=file.name == "__init__.py"))
            self._files[file] = hashlib.sha256(text).digest(), imported
        return self._files[file][1]

    def _environment(self, interpreter: str) -> str:
        if self._elsewhere is not None:
            return self._elsewhere
        if interpreter not in self._environments:
            self._environments[interpreter] = environment_of(interpreter)
        return self._environments[interpreter]


def package_folders(interpreter: str) -> list[Path]:
    """Where packages for this interpreter may be installed."""
    prefix = Path(interpreter).parent.parent
    own = [found for pattern in (*PACKAGES, *_OF_THE_SYSTEM) for found in prefix.glob(pattern)]
    return sorted([*own, *(Path.home() / ".local").glob(PACKAGES[0])])


def _changed_at(path: Path) -> int:
    """When something was last put into a folder or taken from it; 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _sliced(text: bytes) -> Slices | None:
    """The slices of a module; None where the text is none, and only the whole of it can be told from another one."""
    try:
        return slice_module(decode(text).removeprefix("\ufeff"))
    except (SyntaxError, DecodeError):
        return None


_READERS = ("source", "rules", "relations", "program", "codes", "config", "claims.py", "outcomes", "expressions.py")


def summary_key(path: Path, raw: bytes, settings: Settings) -> str:
    """A digest under which the summary of a file with this content is known."""
    place = import_place(path)
    tables = [table for table in settings.mechanisms.values() if table.module == place.module]
    told = (
        dplint.__version__,
        _reader(),
        place.module,
        place.is_package,
        tables,
        asked_for(settings),
        settings.known_noise,
        settings.all_functions,
    )
    return hashlib.sha256(repr(told).encode("utf-8", "replace") + b"\0" + raw).hexdigest()


@cache
def _reader() -> str:
    """A digest of dplint's own files that read and judge, which in a checkout change without a new version."""
    home = Path(dplint.__file__).parent
    files = (
        file for name in _READERS for file in ([home / name] if name.endswith(".py") else (home / name).rglob("*.py"))
    )
    seen = sorted((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    return hashlib.sha256(repr(seen).encode()).hexdigest()
