"""One output of any kind as a signature and its leaves. Runs in the user's interpreter.

A signature is a nested tuple of plain values, equal for outputs of the same shape, and goes over the wire as JSON:

    0                               a leaf
    ("s", type, shape, items)       sequence or array; items: how many plain leaves, or a tuple of signatures
    ("m", keys, children, length)   mapping; keys as JSON texts of literals
    ("r", name, fields, children)   dataclass, named tuple, attrs class, or any object with attributes
    ("v", name, length, views, children)   what is seen through views; length: what `len` says, or None
    ("e", name)                     exception; one leaf, its message
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import dataclasses
import enum
import hashlib
import json
import math
from collections import deque
from itertools import islice
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .by_statement import missing_from_import
from .failures import DEADLINE, MEMORY, REFUSALS, TOO_MUCH_MEMORY, Failure, user_traceback
from .literals import encode as encode_literal
from .views import Views, attributes_of, bytes_views, views_of

BOOL, INT, FLOAT, NAN, STRING, NONE, BIGINT, OTHER = range(8)
TEXTUAL = (STRING, BIGINT, OTHER)
MOST_LEAVES = 4096
MOST_NODES = 8192
MOST_DEPTH = 24
MOST_ITEMS = 10_000
MOST_TEXT = 1000
EXACT = 2**53
LEAF = 0

SCALARS: Dict[type, int] = {
    bool: BOOL,
    int: INT,
    float: FLOAT,
    str: STRING,
    type(None): NONE,
    np.bool_: BOOL,
    np.str_: STRING,
}
SCALARS.update({getattr(np, f"{sign}int{bits}"): INT for sign in ("", "u") for bits in (8, 16, 32, 64)})
SCALARS.update({np.float16: FLOAT, np.float32: FLOAT, np.float64: FLOAT, np.longdouble: FLOAT})
_IS_SCALAR = SCALARS.__contains__
_SEQUENCES: Any = (list, tuple, range, deque, type({}.keys()), type({}.values()), type({}.items()))


NO_VALUE = "a variable has no value"
"""What a run says that comes to one."""


class Raised:
    """An exception that a run raised, without its frames."""

    __slots__ = ("message", "name")

    def __init__(self, error: BaseException) -> None:
        if isinstance(error, Failure):
            raise error
        if isinstance(error, MemoryError):
            raise Failure(MEMORY, f"a run {TOO_MUCH_MEMORY}", user_traceback(error))
        refused = REFUSALS.of(error) or missing_from_import(error)
        if refused is not None:
            raise refused
        self.name = type(error).__name__
        try:
            self.message = str(error)
        except Exception:
            self.message = ""
        if isinstance(error, NameError) and ("local variable" in self.message or "free variable" in self.message):
            # Which of the two it is, and in which words, is up to the version of Python.
            self.name, self.message = "NameError", NO_VALUE

    def __repr__(self) -> str:
        return f"{self.name}({self.message!r})"


def cut(text: str) -> str:
    """Long texts are cut, with a digest that keeps different ones different."""
    if len(text) <= MOST_TEXT:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{text[: MOST_TEXT - 40]}…[{len(text)} characters, sha256 {digest}]"


class Strings:
    """Every distinct text once; leaves hold its index."""

    def __init__(self) -> None:
        self._index: Dict[str, int] = {}

    def intern(self, text: str) -> int:
        """The index of the text, of which a part is sent."""
        return self._index.setdefault(cut(text), len(self._index))

    def all(self) -> List[str]:
        """The texts in the order of their indices."""
        return list(self._index)


class Flattener:
    """Flattens one output at a time; after `take`, `kinds` and `values` hold its leaves."""

    def __init__(self, strings: Strings, most: int = MOST_LEAVES) -> None:
        """most: leaves that are kept."""
        self._intern = strings.intern
        self._most = most
        self.kinds: List[Any] = []
        self.values: List[Any] = []
        self._nodes = 0

    def take(self, output: Any) -> Any:
        """The signature. Runs user code where the output has methods of its own; what they raise becomes the output."""
        self.kinds.clear()
        self.values.clear()
        self._nodes = 0
        try:
            return self._node(output, 0)
        except Failure:
            raise
        except Exception as error:
            self.kinds.clear()
            self.values.clear()
            return self._node(Raised(error), 0)

    def _node(self, value: Any, depth: int) -> Any:
        kind = SCALARS.get(type(value))
        if kind is not None:
            self._leaf(kind, value)
            return LEAF
        self._nodes += 1
        if isinstance(value, Raised):
            self._leaf(STRING, value.message)
            return ("e", value.name)
        if depth > MOST_DEPTH:
            return self._text(type(value).__name__)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._record(value, value._fields, list(value), depth)
        if isinstance(value, _SEQUENCES):
            items = value if isinstance(value, (list, tuple)) else list(islice(value, self._most + 1))
            return self._sequence(type(value).__name__, (len(value),), items, depth)
        return self._container(value, depth)

    def _container(self, value: Any, depth: int) -> Any:
        if isinstance(value, dict):
            return self._mapping(value, depth)
        if isinstance(value, np.ndarray):
            return self._array("array", value, depth)
        if isinstance(value, (set, frozenset)):
            return self._sequence(type(value).__name__, (len(value),), in_order(value), depth)
        if not isinstance(value, type):
            if dataclasses.is_dataclass(value):
                names = [field.name for field in dataclasses.fields(value)]
                return self._record(value, names, [getattr(value, name, None) for name in names], depth)
            if hasattr(type(value), "__attrs_attrs__"):
                names = [field.name for field in type(value).__attrs_attrs__]
                return self._record(value, names, [getattr(value, name, None) for name in names], depth)
        return self._foreign(value, depth)

    def _foreign(self, value: Any, depth: int) -> Any:
        if isinstance(value, (complex, np.complexfloating)):
            return self._record(value, ("real", "imag"), [float(value.real), float(value.imag)], depth)
        if self._unusual_scalar(value):
            return LEAF
        if isinstance(value, (bytes, bytearray)):
            views = bytes_views(value)
            return (
                self._viewed(views, depth) if views else self._sequence(type(value).__name__, None, list(value), depth)
            )
        views = views_of(value)
        if views is not None:
            return self._viewed(views, depth)
        if hasattr(value, "to_numpy"):
            return self._array(type(value).__name__, np.asarray(value.to_numpy()), depth)
        if hasattr(value, "tolist"):
            return self._listed(value, depth)
        if hasattr(value, "__next__"):
            return self._sequence("generator", None, drain(value), depth)
        attributes = attributes_of(value)
        if attributes is not None:
            return self._record(value, list(attributes), list(attributes.values()), depth)
        return self._text(type(value).__name__)

    def _viewed(self, views: Views, depth: int) -> Any:
        names = []
        children = []
        for name, seen in views.seen:
            if len(self.kinds) >= self._most or self._nodes >= MOST_NODES:
                break
            names.append(name)
            children.append(self._node(seen, depth + 1))
        return ("v", views.type_name, views.length, tuple(names), tuple(children))

    def _unusual_scalar(self, value: Any) -> bool:
        """Take a value that is one leaf, if it is such a value."""
        for plain, kind in ((int, INT), (float, FLOAT), (str, STRING)):
            if isinstance(value, plain) and not isinstance(value, enum.Enum):
                self._leaf(kind, value)
                return True
        if isinstance(value, type):
            self._text(value.__name__)
            return True
        return False

    def _listed(self, value: Any, depth: int) -> Any:
        plain = value.tolist()
        if isinstance(plain, list):
            shape = getattr(value, "shape", None)
            if shape is None:
                return self._sequence(type(value).__name__, (len(plain),), plain, depth)
            return self._array(type(value).__name__, np.array(plain).reshape(tuple(int(n) for n in shape)), depth)
        return self._node(plain, depth + 1)

    def _sequence(self, name: str, shape: Optional[Tuple[int, ...]], items: Any, depth: int) -> Any:
        shape = (len(items),) if shape is None else shape
        room = self._most - len(self.kinds)
        kept = items if len(items) <= room else items[:room]
        if all(map(_IS_SCALAR, map(type, kept))):
            for item in kept:
                self._leaf(SCALARS[type(item)], item)
            return ("s", name, shape, len(kept))
        children = []
        for item in kept:
            if len(self.kinds) >= self._most or self._nodes >= MOST_NODES:
                break
            children.append(self._node(item, depth + 1))
        plain = all(child == LEAF for child in children)
        return ("s", name, shape, len(children) if plain else tuple(children))

    def _array(self, name: str, value: Any, depth: int) -> Any:
        if value.ndim == 0:
            return self._node(value.item(), depth + 1)
        items = value.ravel()[: self._most + 1].tolist()
        return self._sequence(name, tuple(value.shape), items, depth)

    def _mapping(self, value: Any, depth: int) -> Any:
        if not all(map(names_an_entry, value)):
            views = Views("dict", len(value), [("list", list(value)), ("values", list(value.values()))])
            return self._viewed(views, depth)
        keys = []
        children = []
        for key, item in value.items():
            if len(self.kinds) >= self._most or self._nodes >= MOST_NODES:
                break
            keys.append(_key(key))
            children.append(self._node(item, depth + 1))
        return ("m", tuple(keys), tuple(children), len(value))

    def _record(self, value: Any, names: Any, items: Any, depth: int) -> Any:
        kept = []
        children = []
        for name, item in zip(names, items):
            if len(self.kinds) >= self._most or self._nodes >= MOST_NODES:
                break
            kept.append(str(name))
            children.append(self._node(item, depth + 1))
        return ("r", type(value).__name__, tuple(kept), tuple(children))

    def _text(self, text: str) -> Any:
        self.kinds.append(OTHER)
        self.values.append(self._intern(text))
        return LEAF

    def _leaf(self, kind: int, value: Any) -> None:
        if kind == FLOAT:
            value = float(value)
            if math.isnan(value):
                kind = NAN
        elif kind == INT:
            if not -EXACT <= value <= EXACT:
                text = digits(int(value))
                kind = BIGINT if len(text) <= MOST_TEXT else OTHER  # of which only a part is sent
                value = self._intern(text)
        elif kind == STRING:
            value = self._intern(str.__str__(value))
        elif kind == NONE:
            value = 0.0
        self.kinds.append(kind)
        self.values.append(value)


def drain(iterator: Any) -> List[Any]:
    """The items of a generator that was returned. Raises Failure if they are more than MOST_ITEMS."""
    items = list(islice(iterator, MOST_ITEMS + 1))
    if len(items) > MOST_ITEMS:
        raise Failure(DEADLINE, f"a run yields without end: more than {MOST_ITEMS} items")
    return items


def in_order(values: Any) -> List[Any]:
    """The members of a set, as outputs have them."""
    try:
        # NaN makes sorted() depend on the order that it starts from.
        if not any(isinstance(value, float) and math.isnan(value) for value in values):
            return sorted(values)
    except Exception:
        pass
    return sorted(values, key=lambda value: (type(value).__name__, repr(value)))


def names_an_entry(key: Any) -> bool:
    """Whether an event may name a key: it has a literal, and is no float, which noise may have made."""
    if type(key) in (str, int, bool, type(None), np.str_, np.bool_) or isinstance(key, np.integer):
        return True
    return type(key) is tuple and all(map(names_an_entry, key))


def _key(key: Any) -> str:
    return json.dumps(encode_literal(_plain_key(key)))


def _plain_key(key: Any) -> Any:
    """The key as a plain value of Python: `numpy.int64(1)` as 1."""
    if type(key) is tuple:
        return tuple(map(_plain_key, key))
    return key.item() if isinstance(key, np.generic) else key


def digits(value: int) -> str:
    """A whole number as a text, which takes no longer than reading it."""
    return repr(value) if value.bit_length() < 2000 else hex(value)
