"""What a variable may hold while a function is read for what it spends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from dplint.amounts import UNSIGNED, ZERO, Amount, name
from dplint.claims import Domain, Span
from dplint.contracts.tree import Part, Unclear


@dataclass(slots=True)
class Box:
    """What happens to an object after it was made, seen by all who hold it. data: why it may show the data since."""

    data: Unclear | None = None
    changed: bool = False


@dataclass(slots=True)
class Sample:
    """Records that were let in by a coin each. rate: its probability. loops: how many loops it was made in.

    used: whether something was spent on them already. What is spent next knows more of who was let in.
    """

    rate: Amount
    loops: int
    used: bool = False


@dataclass(eq=False, slots=True)
class Public:
    """A value that does not depend on the data but through what claimed functions gave.

    key: equal for equal values. amount: its value if it is a number that is made of parameters. items: of a list or
    tuple that is written out. parts: what it was made of. distinct: no two of its items are equal.
    """

    key: str
    amount: Amount | None = None
    items: tuple[Value, ...] | None = None
    parts: tuple[Value, ...] = ()
    distinct: bool = False
    count: Amount | None = None
    constant: bool = False
    box: Box = field(default_factory=Box)

    @property
    def number(self) -> Amount:
        """As a number: a name without a sign if nothing is known of it."""
        return self.amount if self.amount is not None else name(UNSIGNED + self.key)


@dataclass(eq=False, slots=True)
class Data:
    """The data, or records of it.

    domain: where its values lie, None if that is not known. mapped: records were made of other records, one of each.
    cut: some were left out. sample: how a coin for each record has chosen them, None if none has.
    """

    part: Part
    domain: Domain | None = None
    mapped: bool = False
    cut: bool = False
    sample: Sample | None = None
    box: Box = field(default_factory=Box)


@dataclass(eq=False, slots=True)
class Hidden:
    """A value that may show the data in a way that no claim pays for."""

    why: Unclear


@dataclass(eq=False, slots=True)
class Loader(Hidden):
    """Batches of records: what is made of one shows the data, unless an engine pays for it.

    records: what they are of. batches: how many an epoch has, None where that is not known. engine: the label of the
    engine whose steps are on these batches, empty if there is none.
    """

    records: Value | None = None
    batches: int | None = None
    engine: str = ""


@dataclass(eq=False, slots=True)
class Engine:
    """A call that makes a training private. method: what is called; file, span: where.

    noise: its noise multiplier. target: the epsilon, the delta and the epochs that it is asked for in place of that.
    poisson: whether it draws batches by a coin for each record. optimizers: the one that it has made, and the one
    without noise that it has been given. turns: how many steps are made at most; epochs, if it has a target or does not
    draw. doubts: why it may not be understood.
    """

    method: str
    file: str
    span: Span
    loader: Loader
    noise: Amount | None
    target: tuple[Amount, ...]
    poisson: bool
    optimizers: tuple[Trained, Value | None]
    turns: Amount | None = ZERO
    doubts: dict[Unclear, None] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Trained(Public):
    """What makes engines, or the model or the optimizer that one has made. engine: its label, of the latter."""

    role: str = ""
    engine: str = ""


@dataclass(eq=False, slots=True)
class Accountant:
    """An object that is asked before something is spent, and refuses what is too much. label: in `Run.limits`.

    spends: its methods that lower the number, with whether they refuse negative numbers. library: it is diffprivlib's.
    """

    label: str
    spends: dict[str, bool]
    library: bool = False
    box: Box = field(default_factory=Box)


Value: TypeAlias = Public | Data | Hidden | Accountant


def shown(value: Value) -> Unclear | Data | None:
    """In what way a value shows the data: as the data itself, in a way with a reason, or not at all."""
    for one in inside(value):
        if isinstance(one, Data):
            return one
        if isinstance(one, Hidden):
            return one.why
        if one.box.data is not None:
            return one.box.data
    return None


def spoil(value: Value, why: Unclear) -> None:
    """From now on the value, and what it was made of, may show the data."""
    for one in inside(value):
        if not isinstance(one, Hidden):
            one.box.data = one.box.data or why


def touch(value: Value) -> None:
    """Something may have been changed in the value: what is written out no longer holds."""
    for one in inside(value):
        if not isinstance(one, Hidden):
            one.box.changed = True


def inside(value: Value) -> Iterator[Value]:
    """A value, and all that it was made of."""
    return _inside(value, set())


def _inside(value: Value, seen: set[int]) -> Iterator[Value]:
    if id(value) in seen:
        return
    seen.add(id(value))
    yield value
    if isinstance(value, Public):
        for one in (*value.parts, *(value.items or ())):
            yield from _inside(one, seen)
