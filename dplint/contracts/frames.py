"""What is known at a place of a function that is being read."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from dplint.amounts import Amount, number
from dplint.claims import Claim
from dplint.contracts.objects import Owner
from dplint.contracts.tree import Limit, Node, Series, Unclear
from dplint.contracts.values import Accountant, Data, Engine, Hidden, Loader, Public, Trained, Value, shown, spoil
from dplint.contracts.views import View


@dataclass(slots=True)
class Run:
    """What is gathered while one claimed function is read. claim, rng: of that function.

    The attribute of the object that holds the data is a variable `self.name` of each frame.
    """

    claim: Claim
    rng: str | None = None
    unclear: dict[Unclear, None] = field(default_factory=dict)
    limits: dict[str, Limit] = field(default_factory=dict)
    numbers: int = 0
    met: bool = False
    """Whether a claimed function is called anywhere."""
    calls: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    """Accountants that are not to be relied upon."""
    owner: Owner | None = None
    """Of a method, the class of its object."""
    held: dict[tuple[str, str], Accountant | None] = field(default_factory=dict)
    """What modules hold under a name, by file and name."""
    own: Public | None = None
    """The object itself. What holds it is not known to show no data, but for its known attributes."""
    engines: dict[str, Engine] = field(default_factory=dict)
    """What makes trainings private, by labels."""
    delta: Amount | None = None
    """For which delta an engine is asked what it has spent."""
    claimless: bool = False
    """Whether only engines are looked for: nothing is the data, and objects hold what their methods give them."""

    def fresh(self, text: str) -> str:
        """A key that no other value has."""
        self.numbers += 1
        return f"{text}#{self.numbers}"


@dataclass(frozen=True, slots=True)
class Credit:
    """What an accountant has allowed and nobody has spent yet."""

    accountant: str
    left: Amount


@dataclass(slots=True)
class Frame:
    """One call that is being read.

    env: local variables. items: what was spent so far. control: why it depends on the data whether this is reached.
    standard: the accountant that a library falls back on. returned: what it gave back. times: how often this is run,
    with what a loop counts for an engine; None if that is not known. batch: the loader of an engine whose batch is
    at hand, until a step is made on it; none where that may not happen.
    """

    run: Run
    view: View
    env: dict[str, Value] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    credits: tuple[Credit, ...] = ()
    control: Unclear | None = None
    standard: Accountant | None = None
    returned: list[Value] = field(default_factory=list)
    depth: int = 0
    loops: int = 0
    times: Amount | None = field(default_factory=lambda: number(1))
    batch: list[Loader] = field(default_factory=list)

    def unclear(self, node: ast.AST, reason: str) -> Unclear:
        """A reason with its place, which is told in the end."""
        found = Unclear(self.view.file, self.view.span(node), reason)
        self.run.unclear[found] = None
        return found

    def why(self, node: ast.AST, reason: str) -> Unclear:
        """A reason with its place, which is told if what it is said of is released or given on."""
        return Unclear(self.view.file, self.view.span(node), reason)

    def is_own(self, node: ast.expr) -> bool:
        """Whether it is the object of the method."""
        return isinstance(node, ast.Name) and self.run.own is not None and self.env.get(node.id) is self.run.own

    def holds(self, target: ast.expr) -> bool:
        """Whether it is an attribute of the object whose value is remembered: so where only engines are looked for."""
        return self.run.claimless and isinstance(target, ast.Attribute) and self.is_own(target.value)

    def branch(self) -> Frame:
        """A copy for one of several ways to go on."""
        return replace(self, env=dict(self.env), items=[], batch=[])

    def spent(self) -> Node:
        """What was spent in this frame."""
        return self.items[0] if len(self.items) == 1 else Series(tuple(self.items))

    def bind(self, name: str, value: Value) -> None:
        """Assign. What is assigned where data has decided shows the data."""
        self.env[name] = Hidden(self.control) if self.control is not None else value

    def merge(self, node: ast.AST, branches: list[Frame]) -> None:
        """Go on behind branches that meet again."""
        names = {name for branch in branches for name in branch.env}
        self.env = {name: self._either(node, name, [branch.env.get(name) for branch in branches]) for name in names}
        first, *rest = branches
        self.credits = tuple(one for one in first.credits if all(one in other.credits for other in rest))
        standard = {branch.standard.label if branch.standard else None for branch in branches}
        self.standard = first.standard if len(standard) == 1 else None

    def _either(self, node: ast.AST, name: str, values: list[Value | None]) -> Value:
        first = values[0]
        if first is not None and all(one is first for one in values):
            return first
        if isinstance(first, Public) and all(isinstance(one, Public) and one.key == first.key for one in values):
            return first
        known = tuple(one for one in values if one is not None)
        if self.run.claimless:  # what is said of an engine is said of runs that make it
            made = [one for one in known if isinstance(one, Trained) or getattr(one, "engine", None)]
            if len(made) == 1:
                return made[0]
        for one in known:
            found = shown(one)
            if found is not None:
                if isinstance(found, Unclear):
                    return Hidden(found)
                return Hidden(self.why(node, f"`{name}` is one of several parts of the data"))
            if isinstance(one, Accountant):
                self.run.broken.add(one.label)
        return Public(self.run.fresh(name), parts=known)


def leak(value: Value, frame: Frame, node: ast.AST, words: str) -> Unclear | None:
    """Why a value may show the data, None if it does not. words: for the data itself."""
    found = shown(value)
    return frame.why(node, words) if isinstance(found, Data) else found


def spoil_containers(frame: Frame, node: ast.AST, why: Unclear) -> None:
    """Something was put into what an expression names: into `groups` by `groups[key]`, also where the key is hidden."""
    for one in ast.walk(node):
        if isinstance(one, ast.Subscript | ast.Attribute):
            base: ast.expr = one
            while isinstance(base, ast.Subscript | ast.Attribute):
                base = base.value
            found = frame.env.get(base.id) if isinstance(base, ast.Name) else None
            if isinstance(found, Public):
                spoil(found, why)


class Reader(Protocol):
    """What the parts of the reading call one another through."""

    def value(self, frame: Frame, node: ast.expr) -> Value:
        """What an expression gives."""

    def turns(self, frame: Frame, node: ast.AST, head: Head, body: Callable[[Frame], bool]) -> None:
        """Read a loop. body: reads one turn, and says whether it may end the loop early."""

    def block(self, frame: Frame, body: Sequence[ast.stmt]) -> bool:
        """Read statements; whether none of what follows them is reached."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a loop. target: what is assigned in each turn, None for `while`. over: what is walked through."""

    target: ast.expr | None
    over: Value | None
    body: tuple[ast.AST, ...]
