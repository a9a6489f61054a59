"""Length-prefixed pickles over a pipe or a socket, between dplint's own processes only; user code never writes here."""

from __future__ import annotations

import pickle
import struct
from typing import BinaryIO

_LENGTH = struct.Struct("<Q")
_MOST = 1 << 36


def packed(message: object) -> bytes:
    """The frame of a message."""
    payload = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(payload)) + payload


def write_frame(stream: BinaryIO, message: object) -> None:
    """Write one message and flush. Raises OSError if the other side is gone."""
    stream.write(packed(message))
    stream.flush()


def read_frame(stream: BinaryIO) -> object:
    """The next message.

    Raises EOFError if the other side is gone or a frame is cut short, ValueError for what is no message.
    """
    (length,) = _LENGTH.unpack(_read_exactly(stream, _LENGTH.size))
    if length > _MOST:
        raise ValueError(f"a frame of {length} bytes")
    payload = _read_exactly(stream, length)
    try:
        return pickle.loads(payload)
    except Exception as error:
        raise ValueError(f"no message: {error!r}") from error


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    payload = stream.read(size)
    if payload is None or len(payload) < size:
        raise EOFError
    return payload
