"""Length-prefixed messages over a pair of file descriptors: a JSON header and raw little-endian buffers.

Shared by both sides. There is no pickle in it: user code must not be able to make the worker run anything.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any, Dict, Optional, Sequence, Tuple

# As they are before any user code, which may replace what the modules hold.
_dumps, _loads, _read, _write = json.dumps, json.loads, os.read, os.write
HEAD = struct.Struct("<4sIQ")
MAGIC = b"dpl1"
MOST_HEADER = 1 << 29
MOST_BODY = 1 << 36


class BrokenFrame(Exception):
    """The bytes are not a frame."""


def pack(header: Dict[str, Any], buffers: Sequence[Any] = ()) -> bytes:
    """One frame as bytes. Every buffer must support the buffer protocol and be contiguous."""
    text = _dumps(header, separators=(",", ":")).encode("ascii")
    views = [memoryview(buffer).cast("B") for buffer in buffers if memoryview(buffer).nbytes]
    size = sum(view.nbytes for view in views)
    return b"".join([HEAD.pack(MAGIC, len(text), size), text, *views])


def sizes(head: bytes) -> Tuple[int, int]:
    """Length of header and body. Raises BrokenFrame for bytes that no frame begins with."""
    magic, header, body = HEAD.unpack(head)
    if magic != MAGIC or header > MOST_HEADER or body > MOST_BODY:
        raise BrokenFrame(f"a frame cannot begin with {head!r}")
    return header, body


def parse_header(text: bytes) -> Dict[str, Any]:
    """The header's object. Raises BrokenFrame for anything else."""
    try:
        header = _loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame(f"the header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise BrokenFrame(f"the header is not an object: {header!r}")
    return header


def read_frame(fd: int) -> Optional[Tuple[Dict[str, Any], bytes]]:
    """The next frame from a blocking descriptor; None at its end."""
    head = _read_exactly(fd, HEAD.size)
    if head is None:
        return None
    header_size, body_size = sizes(head)
    header = _read_exactly(fd, header_size)
    body = _read_exactly(fd, body_size)
    if header is None or body is None:
        return None
    return parse_header(header), body


def write_frame(fd: int, header: Dict[str, Any], buffers: Sequence[Any] = ()) -> None:
    """Write one frame to a blocking descriptor."""
    rest = memoryview(pack(header, buffers))
    while rest:
        rest = rest[_write(fd, rest) :]


def _read_exactly(fd: int, size: int) -> Optional[bytes]:
    parts = []
    while size:
        part = _read(fd, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
