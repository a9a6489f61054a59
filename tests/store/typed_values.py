"""Values of the types of fields, what they are and how they change: by other code than the one that reads them."""

import json
import math
import types
import typing
from dataclasses import fields, is_dataclass
from enum import StrEnum
from itertools import islice

from hypothesis import strategies as st

NUMBERS = st.floats(allow_nan=False) | st.integers()
ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
PLAIN = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3)
    ),
    max_leaves=6,
)


def hints(made):
    found = typing.get_type_hints(made, localns={"Literal": typing.Any})
    return {field.name: found[field.name] for field in fields(made)}


def values(wanted):
    """Values of the type of a field."""
    inner = typing.get_args(wanted)
    if wanted is typing.Any:
        return PLAIN
    if typing.get_origin(wanted) is tuple:
        return st.lists(values(inner[0]), max_size=2).map(tuple) if ... in inner else st.tuples(*map(values, inner))
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        return st.one_of(*map(values, inner))
    if is_dataclass(wanted):
        return st.builds(wanted, **{name: values(kind) for name, kind in hints(wanted).items()})
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        return st.sampled_from(list(wanted))
    return {
        float: NUMBERS, int: st.integers(), str: st.text(max_size=8), bool: st.booleans(), types.NoneType: st.none(),
    }[wanted]  # fmt: skip


def well_typed(wanted, value):
    """Whether the value is what the type says: checked by other code than the one that reads."""
    inner = typing.get_args(wanted)
    if wanted is typing.Any:
        return plain(value)
    if typing.get_origin(wanted) is tuple:
        if type(value) is not tuple:
            return False
        kinds = [inner[0]] * len(value) if ... in inner else inner
        return len(value) == len(kinds) and all(map(well_typed, kinds, value))
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        return any(well_typed(kind, value) for kind in inner)
    if is_dataclass(wanted):
        return type(value) is wanted and all(well_typed(k, getattr(value, n)) for n, k in hints(wanted).items())
    if wanted is float:
        return type(value) is int or (type(value) is float and not math.isnan(value))
    return type(value) is wanted


def plain(value):
    if type(value) in (list, tuple):
        return all(map(plain, value))
    if type(value) is dict:
        return all(plain(key) and plain(item) for key, item in value.items())
    return value is None or type(value) in (bool, int, str) or (type(value) is float and not math.isnan(value))


def through_json(document):
    return json.loads(json.dumps(document, allow_nan=False))


def same(one, other):
    """Equal, with the same types everywhere: 1, 1.0 and True are three."""
    return repr(one) == repr(other) and one == other


def typed_places(wanted, document, path=()):
    """The path to each part of a document whose type is given, with that type: nothing inside a `Literal`."""
    if wanted is typing.Any:
        return
    yield path, wanted
    inner = [kind for kind in typing.get_args(wanted) if kind is not types.NoneType]
    if document is None:
        return
    if typing.get_origin(wanted) is tuple:
        kinds = [inner[0]] * len(document) if ... in inner else inner
        for number, (kind, item) in enumerate(zip(kinds, document, strict=True)):
            yield from typed_places(kind, item, (*path, number))
    elif len(inner) == 1:
        yield from islice(typed_places(inner[0], document, path), 1, None)
    elif inner and type(document) is list:
        name, rest = document
        kind = next(kind for kind in inner if (typing.get_origin(kind) or kind).__name__ == name)
        yield from typed_places(kind, rest, (*path, 1))
    elif is_dataclass(wanted):
        for name, kind in hints(wanted).items():
            yield from typed_places(kind, document[name], (*path, name))


def broken(wanted, document):
    """Each document in which one key was dropped, one was added, or one value is of a type that is not its field's.

    They are one and the same object, changed in turn.
    """
    whole = {"it": through_json(document)}
    for path, kind in list(typed_places(wanted, document, ("it",))):
        parent = whole
        for step in path[:-1]:
            parent = parent[step]
        part = parent[path[-1]]
        wrong = [{"wrapped": part}, *wrong_scalars(kind, part)]
        if part is not None and type(part) is not list:
            wrong.append([part])
        if type(part) is dict:
            wrong.append({**part, "extra": None})
            wrong += [{name: part[name] for name in part if name != dropped} for dropped in part]
        for one in wrong:
            parent[path[-1]] = one
            yield whole["it"]
        parent[path[-1]] = part


def wrong_scalars(kind, part):
    """Scalars of other types than the field may have, and a name that is none of its enumeration's."""
    allowed = {*(typing.get_args(kind) or (kind,))}
    if float in allowed:
        allowed.add(int)
    if not any(isinstance(one, type) and issubclass(one, str) for one in allowed):
        yield "text"
    yield from (one for one in (True, 3, 0.5, None) if type(one) not in allowed)
    if type(part) is str and str not in allowed:
        yield part + "x"
