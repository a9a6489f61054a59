"""Outputs as columns: those of the same shape together, kinds and values as arrays. Runs in the user's interpreter.

Blocks of plain numbers, flat lists and tuples, and numeric arrays are taken in bulk; everything else goes through
`Flattener`, one output at a time. Bulk encoding sees an output only at the end of its block. So the first runs of a
mechanism are flattened at once (`Mode.careful`), and only where they are all bulk-safe and none returns an object that
an earlier run returned (a buffer that the next run overwrites) does the mechanism go on in bulk.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
from array import array
from itertools import chain
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .flatten import (
    BOOL,
    EXACT,
    FLOAT,
    INT,
    LEAF,
    MOST_LEAVES,
    NAN,
    NONE,
    OTHER,
    SCALARS,
    STRING,
    Flattener,
    Raised,
    Strings,
)

MOST_SIGNATURES = 1024
PROBES = 200
_identity = object.__hash__  # unlike id() it raises no audit event


class Mode:
    """What is known of a mechanism's outputs, for all its requests."""

    def __init__(self) -> None:
        self.careful = True
        self._left = PROBES
        self._seen: Dict[int, Any] = {}

    def probe(self, output: Any) -> None:
        """Look at one output of the first runs; may end careful mode, or settle on it."""
        if self._left < 0:
            return
        if not _bulk_safe(output) or _owner(output) in self._seen:
            self.settle()
            return
        if type(output) in (list, np.ndarray):
            self._seen[_owner(output)] = output
        self._left -= 1
        if self._left == 0:
            self._seen.clear()
            self.careful = False

    def settle(self) -> None:
        """Be careful from now on."""
        self._left = -1
        self._seen.clear()
        self.careful = True


class Columns:
    """The outputs of one data value, as they come in."""

    def __init__(self, mode: Mode, most: int = MOST_LEAVES) -> None:
        """most: leaves of an output that `take` keeps."""
        self._mode = mode
        self.strings = Strings()
        self._flattener = Flattener(self.strings, most)
        self._groups: Dict[Any, List[Tuple[Any, Any, Any]]] = {}
        self._pending: Dict[Any, Tuple[Any, bytearray, Any]] = {}
        self.runs = 0

    def take(self, output: Any) -> None:
        """One output, at once."""
        if self._mode.careful:
            self._mode.probe(output)
        self.put(self.runs, output)
        self.runs += 1

    def take_block(self, outputs: List[Any]) -> None:
        """The outputs of a block, in their order."""
        first = self.runs
        self.runs += len(outputs)
        kinds = set(map(type, outputs))
        if len(kinds) == 1:
            self._take_alike(kinds.pop(), outputs, np.arange(first, self.runs, dtype=np.int32))
            return
        by_type: Dict[type, List[int]] = {}
        for index, kind in enumerate(map(type, outputs)):
            by_type.setdefault(kind, []).append(index)
        for kind, indices in by_type.items():
            self._take_alike(kind, [outputs[i] for i in indices], np.array(indices, dtype=np.int32) + np.int32(first))

    def finish(self) -> Tuple[Dict[str, Any], List[Any]]:
        """The header of the batch, and for each group three buffers: rows, kinds, values."""
        self._flush()
        groups = []
        buffers = []
        for signature, parts in self._groups.items():
            rows = np.concatenate([part[0] for part in parts])
            kinds = np.concatenate([part[1] for part in parts])
            values = np.concatenate([part[2] for part in parts])
            if np.any(rows[1:] < rows[:-1]):
                order = np.argsort(rows)
                rows, kinds, values = rows[order], kinds[order], values[order]
            groups.append({"signature": signature, "rows": len(rows), "leaves": kinds.shape[1]})
            buffers += [
                rows.astype("<i4"),
                np.ascontiguousarray(kinds),
                np.ascontiguousarray(values.astype("<f8", copy=False)),
            ]
        return {"runs": self.runs, "groups": groups, "strings": self.strings.all()}, buffers

    def _take_alike(self, kind: type, outputs: List[Any], rows: Any) -> None:
        if kind in SCALARS:
            self.add(LEAF, rows, *self._leaves(outputs, 1))
        elif kind is list or kind is tuple:
            if kind is list and len(set(map(_identity, outputs))) < len(outputs):
                self._one_by_one(outputs, rows)
            else:
                self._by_key(outputs, rows, list(map(len, outputs)), self._take_sequences)
        elif kind is np.ndarray and len(set(map(_owner, outputs))) == len(outputs):
            self._by_key(outputs, rows, [(item.dtype.char, item.shape) for item in outputs], self._take_arrays)
        elif kind is Raised:
            for row, output in zip(rows.tolist(), outputs):
                self.put(row, output)
        else:
            self._one_by_one(outputs, rows)

    def _by_key(self, outputs: List[Any], rows: Any, keys: List[Any], take: Callable[[List[Any], Any], None]) -> None:
        if len(set(keys)) == 1:
            take(outputs, rows)
            return
        parts: Dict[Any, List[int]] = {}
        for index, key in enumerate(keys):
            parts.setdefault(key, []).append(index)
        for indices in parts.values():
            take([outputs[i] for i in indices], rows[indices])

    def _take_sequences(self, outputs: List[Any], rows: Any) -> None:
        name, length = type(outputs[0]).__name__, len(outputs[0])
        kept = outputs if length <= MOST_LEAVES else [output[:MOST_LEAVES] for output in outputs]
        width = min(length, MOST_LEAVES)
        flat = list(chain.from_iterable(kept))
        if set(map(type, flat)) <= SCALARS.keys():
            self.add(("s", name, (length,), width), rows, *self._leaves(flat, width))
        else:
            self._one_by_one(outputs, rows)

    def _take_arrays(self, outputs: List[Any], rows: Any) -> None:
        one = outputs[0]
        if one.ndim == 0 or one.dtype.kind not in "biuf":
            self._one_by_one(outputs, rows)
            return
        table = np.concatenate([item.ravel()[:MOST_LEAVES] for item in outputs]).reshape(len(outputs), -1)
        if one.size == 0:
            table = table.reshape(len(outputs), 0)
        if one.dtype.kind in "iu" and one.dtype.itemsize == 8 and table.size and _beyond(table):
            self._one_by_one(outputs, rows)
            return
        kind = {"b": BOOL, "f": FLOAT}.get(one.dtype.kind, INT)
        kinds = np.full(table.shape, kind, dtype=np.uint8)
        values = table.astype(np.float64)
        if kind == FLOAT:
            kinds[np.isnan(values)] = NAN
        self.add(("s", "array", one.shape, table.shape[1]), rows, kinds, values)

    def _leaves(self, flat: List[Any], width: int) -> Tuple[Any, Any]:
        """Kinds and values of scalars, in rows of `width`."""
        shape = (-1, width) if width else (0, 0)
        given = flat
        types = set(map(type, flat))
        if types <= {float, np.float64}:
            values = np.array(flat, dtype=np.float64)
            kinds = np.full(len(flat), FLOAT, dtype=np.uint8)
            kinds[np.isnan(values)] = NAN
            return kinds.reshape(shape), values.reshape(shape)
        if types == {bool}:
            bits = np.array(flat, dtype=np.bool_).astype(np.float64)
            return np.full(len(flat), BOOL, dtype=np.uint8).reshape(shape), bits.reshape(shape)
        kinds = np.fromiter(map(SCALARS.__getitem__, map(type, flat)), dtype=np.uint8, count=len(flat))
        if STRING in kinds:
            intern = self.strings.intern
            flat = [intern(str.__str__(value)) if isinstance(value, str) else value for value in flat]
        try:
            values = np.array(flat, dtype=np.float64)
        except OverflowError:
            return self._leaves_singly(given, shape)
        # 2**53 + 1 rounds to 2**53, so equality counts as beyond.
        if INT in kinds and np.any(np.abs(values[kinds == INT]) >= EXACT):
            return self._leaves_singly(given, shape)
        missing = np.isnan(values)
        kinds[missing & (kinds == FLOAT)] = NAN
        values[kinds == NONE] = 0.0
        return kinds.reshape(shape), values.reshape(shape)

    def _leaves_singly(self, flat: List[Any], shape: Tuple[int, int]) -> Tuple[Any, Any]:
        kinds = bytearray()
        values = array("d")
        for value in flat:
            self._flattener.take(value)
            kinds.extend(self._flattener.kinds)
            values.extend(self._flattener.values)
        return np.frombuffer(kinds, dtype=np.uint8).reshape(shape), np.frombuffer(values).reshape(shape)

    def _one_by_one(self, outputs: List[Any], rows: Any) -> None:
        self._mode.settle()
        for row, output in zip(rows.tolist(), outputs):
            self.put(row, output)

    def put(self, row: int, output: Any) -> None:
        """The output of a run, by its number; `runs` is left alone."""
        signature = self._flattener.take(output)
        pending = self._pending.get(signature)
        if pending is None:
            if signature not in self._groups and len(self._groups) + len(self._pending) >= MOST_SIGNATURES:
                self._overflow([row], signature)
                return
            pending = self._pending[signature] = (array("i"), bytearray(), array("d"))
        rows, kinds, values = pending
        rows.append(row)
        kinds.extend(self._flattener.kinds)
        values.extend(self._flattener.values)

    def add(self, signature: Any, rows: Any, kinds: Any, values: Any) -> None:
        """Outputs of one shape, by the numbers of their runs; `runs` is left alone."""
        if signature not in self._groups and len(self._groups) + len(self._pending) >= MOST_SIGNATURES:
            self._overflow(rows.tolist(), signature)
            return
        # An explicit width, for outputs without leaves: reshape cannot infer it from nothing.
        shape = (len(rows), kinds.size // len(rows))
        self._groups.setdefault(signature, []).append((rows, kinds.reshape(shape), values.reshape(shape)))

    def _overflow(self, rows: List[int], signature: Any) -> None:
        """Outputs of one shape too many keep only the name of their type and, if they have one, their length."""
        name = signature[1] if signature != LEAF and signature[0] != "m" else "dict"
        length = _length_of(signature)
        kept: Any = LEAF if length is None else ("v", name, None, ("length",), (LEAF,))
        kind = OTHER if length is None else INT
        value = float(self.strings.intern(f"{name} (one of too many shapes)") if length is None else length)
        shape = (len(rows), 1)
        parts = self._groups.setdefault(kept, [])
        parts.append((np.array(rows, dtype=np.int32), np.full(shape, kind, np.uint8), np.full(shape, value)))

    def _flush(self) -> None:
        for signature, (rows, kinds, values) in self._pending.items():
            shape = (len(rows), len(kinds) // len(rows))
            self._groups.setdefault(signature, []).append(
                (
                    np.frombuffer(rows, dtype=np.int32),
                    np.frombuffer(kinds, dtype=np.uint8).reshape(shape),
                    np.frombuffer(values, dtype=np.float64).reshape(shape),
                )
            )
        self._pending.clear()


def _bulk_safe(output: Any) -> bool:
    kind = type(output)
    if kind in SCALARS or kind is Raised:
        return True
    if kind is list or kind is tuple:
        return all(map(SCALARS.__contains__, map(type, output)))
    return kind is np.ndarray and output.dtype.kind in "biuf"


def _owner(output: Any) -> int:
    """What tells apart outputs that do not share memory."""
    base = output.base if type(output) is np.ndarray and output.base is not None else output
    return _identity(base)


def _length_of(signature: Any) -> Optional[int]:
    """The length of outputs of a shape; None for those that have none."""
    kind = "" if signature == LEAF else signature[0]
    if kind == "s":
        length: int = signature[2][0]
        return length
    if kind in ("m", "v"):
        counted: Optional[int] = signature[3 if kind == "m" else 2]
        return counted
    return None


def _beyond(table: Any) -> bool:
    return bool(table.max() > EXACT or table.min() < -EXACT)


def finished(columns: Sequence[Columns]) -> Tuple[List[Any], List[Any]]:
    """Batches for the header of an answer, and the buffers of its body."""
    batches: List[Any] = []
    buffers: List[Any] = []
    for column in columns:
        batch, parts = column.finish()
        batches.append(batch)
        buffers += parts
    return batches, buffers
