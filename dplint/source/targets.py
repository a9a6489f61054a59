"""Everything in a module that can bear a claim, and the calls of `dp` in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TypeAlias

import libcst as cst

from dplint.claims import Span
from dplint.source.arguments import KINDS
from dplint.source.bindings import dotted_name
from dplint.source.identifiers import unmangled
from dplint.source.module import ParsedModule
from dplint.source.walking import Walker, comments_below

Function: TypeAlias = cst.FunctionDef | cst.Lambda
MARK = "dplint"
"""A text without it holds no claim, and no comment that silences."""
CLAIM_NAMES = {f"dplint.{module}{kind}": kind for kind in KINDS for module in ("", "decorator.")}
"""The kind of claim that each decorator makes, by its full name."""


class Scope(Enum):
    """What a function stands in."""

    CLASS = "class"
    FUNCTION = "function"


@dataclass(frozen=True)
class Target:
    """A function or lambda.

    line: the assignment that a lambda stands in. scopes: what it stands in, outermost first, each with its name.
    named: it can be reached by its qualname; False for a lambda that is not simply assigned to a name.
    block: identifies the list of statements that it is part of. guarded: it stands under
    `if __name__ == "__main__"` or `if TYPE_CHECKING`.
    """

    node: Function
    module: ParsedModule = field(repr=False)
    qualname: str
    scopes: tuple[tuple[Scope, str], ...]
    named: bool
    block: int
    guarded: str | None
    line: cst.SimpleStatementLine | None = None

    @cached_property
    def span(self) -> Span:
        """Its name, or the whole lambda."""
        return self.module.span(self.node.name if isinstance(self.node, cst.FunctionDef) else self.node)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Lines on which a decorator, the `def` or the assignment begins, above which a comment may claim."""
        if isinstance(self.node, cst.FunctionDef):
            whole = self.node.asynchronous if self.node.asynchronous is not None else self.node
            nodes = [*self.node.decorators, whole, self.node.name]
            return tuple(self.module.span(one).line for one in nodes)
        return (self.module.span(self.line if self.line is not None else self.node).line,)

    @cached_property
    def whole(self) -> tuple[int, int]:
        """The lines from its first decorator to its end."""
        return min(self.starts), self.module.span(self.line if self.line is not None else self.node).end_line

    @cached_property
    def is_stub(self) -> bool:
        """Whether its body is `...` or `raise NotImplementedError`, perhaps below a docstring."""
        if not isinstance(self.node, cst.FunctionDef):
            return False
        parts: list[cst.CSTNode] = []
        for line in self.node.body.body:
            parts += line.body if isinstance(line, cst.SimpleStatementLine) else [line]
        if parts and isinstance(parts[0], cst.Expr) and isinstance(parts[0].value, cst.BaseString):
            parts = parts[1:]
        if len(parts) != 1:
            return False
        if isinstance(parts[0], cst.Expr):
            return isinstance(parts[0].value, cst.Ellipsis)
        raised = parts[0].exc if isinstance(parts[0], cst.Raise) else None
        called = raised.func if isinstance(raised, cst.Call) else raised
        return isinstance(called, cst.Name) and called.value == "NotImplementedError"

    @property
    def decorators(self) -> frozenset[str]:
        """The dotted names of its decorators, as written."""
        if not isinstance(self.node, cst.FunctionDef):
            return frozenset()
        return frozenset(name for item in self.node.decorators if (name := dotted_name(item.decorator)) is not None)

    @property
    def is_method(self) -> bool:
        """Whether a class is the innermost thing that it stands in."""
        return bool(self.scopes) and self.scopes[-1][0] is Scope.CLASS

    @property
    def takes_bound_first(self) -> bool:
        """Whether its first parameter is `self` or `cls`, which a caller does not give."""
        return self.is_method and "staticmethod" not in self.decorators


@dataclass(frozen=True, slots=True)
class Site:
    """A use of `dp`: the range of the claim, its call (None for a bare `@dp`), and what it is applied to.

    applied: a target, the name of one, or None if it is applied to nothing that can be found. kind: of claim.
    """

    span: Span
    call: cst.Call | None
    applied: Target | str | None
    kind: str


@dataclass(slots=True)
class Inventory:
    """What was found, in the order of the source."""

    targets: list[Target] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    comments: list[tuple[str, Span]] = field(default_factory=list)


def take_inventory(module: ParsedModule) -> Inventory:
    """All functions, all lambdas that are assigned or claimed, all uses of `dp`, and the comments that name dplint."""
    collector = _Collector(module)
    collector.walk(module.tree)
    collector.inventory.comments += _comments(module)
    return collector.inventory


class _Collector(Walker):
    def __init__(self, module: ParsedModule) -> None:
        super().__init__()
        self.inventory = Inventory()
        self._module = module
        self._scopes: list[tuple[Scope, str]] = []
        self._blocks: list[int] = [0]
        self._block_count = 0
        self._guards: list[str] = []
        self._guarded: dict[cst.BaseSuite, str] = {}
        self._used: set[cst.CSTNode] = set()
        self._lambdas: dict[cst.Lambda, Target] = {}

    def _kind(self, node: cst.CSTNode) -> str | None:
        """The kind of claim that a decorator makes, None for others."""
        dotted = dotted_name(node.func if isinstance(node, cst.Call) else node)
        return None if dotted is None else CLAIM_NAMES.get(self._module.names.full_name(dotted))

    def _site(self, node: cst.CSTNode, claim: cst.CSTNode, applied: Target | str | None) -> None:
        """Note a use. claim: the decorator, called or bare."""
        kind = self._kind(claim)
        if kind is not None:
            call = claim if isinstance(claim, cst.Call) else None
            self.inventory.sites.append(Site(self._module.span(node), call, applied, kind))

    def _claim_call(self, node: cst.CSTNode) -> cst.Call | None:
        return node if isinstance(node, cst.Call) and self._kind(node.func) else None

    def _qualname(self, name: str) -> str:
        return (
            "".join(f"{outer}.<locals>." if kind is Scope.FUNCTION else f"{outer}." for kind, outer in self._scopes)
            + name
        )

    def _add(self, node: Function, name: str | None, line: cst.SimpleStatementLine | None = None) -> Target:
        target = Target(
            node=node,
            module=self._module,
            qualname=self._qualname(name or "<lambda>"),
            scopes=tuple(self._scopes),
            named=name is not None,
            block=self._blocks[-1],
            guarded=self._guards[-1] if self._guards else None,
            line=line,
        )
        self.inventory.targets.append(target)
        return target

    # functions and classes

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        target = self._add(node, unmangled(node.name.value))
        for item in node.decorators:
            if self._kind(item.decorator):
                self._used.add(item.decorator)
                self._site(item, item.decorator, target)
        self._scopes.append((Scope.FUNCTION, unmangled(node.name.value)))

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:  # noqa: ARG002, N802
        self._scopes.pop()

    def visit_ClassDef(self, node: cst.ClassDef) -> None:  # noqa: N802
        for item in node.decorators:
            if not isinstance(item.decorator, cst.Call):
                self._site(item, item.decorator, None)
        self._scopes.append((Scope.CLASS, unmangled(node.name.value)))

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:  # noqa: ARG002, N802
        self._scopes.pop()

    # lambdas

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> None:  # noqa: N802
        for statement in node.body:
            match statement:
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                    self._assigned(name, value, node)
                case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                    self._assigned(name, value, node)
                case _:
                    continue

    def _assigned(self, name: str, value: cst.BaseExpression, line: cst.SimpleStatementLine) -> None:
        applied = self._applied(value) if isinstance(value, cst.Call) else value
        if isinstance(applied, cst.Lambda):
            self._lambdas[applied] = self._add(applied, name, line)

    def _applied(self, node: cst.Call) -> cst.BaseExpression | None:
        """What `dp(...)(...)` is applied to; None for other calls."""
        if self._claim_call(node.func) is None or len(node.args) != 1:
            return None
        argument = node.args[0]
        return argument.value if argument.keyword is None and not argument.star else None

    def visit_Lambda(self, node: cst.Lambda) -> None:  # noqa: ARG002, N802
        self._scopes.append((Scope.FUNCTION, "<lambda>"))

    def leave_Lambda(self, original_node: cst.Lambda) -> None:  # noqa: ARG002, N802
        self._scopes.pop()

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        inner = self._claim_call(node.func)
        if inner is not None:
            self._used.add(inner)
            self._site(inner, inner, self._target_of(node))
        elif self._kind(node.func) and node not in self._used:
            self._site(node, node, None)
        for argument in node.args:
            if not isinstance(argument.value, cst.Call):  # partial(dp, ...), for one
                self._site(node, argument.value, None)

    def _target_of(self, node: cst.Call) -> Target | str | None:
        applied = self._applied(node)
        if isinstance(applied, cst.Lambda):
            return self._lambdas.get(applied) or self._add(applied, None)
        if isinstance(applied, cst.Name):
            return self._qualname(applied.value)
        return None

    # blocks, guards and comments

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:  # noqa: N802
        self._block_count += 1
        self._blocks.append(self._block_count)
        self._begin(node)

    def leave_IndentedBlock(self, node: cst.IndentedBlock) -> None:  # noqa: N802
        self._blocks.pop()
        self._end(node)

    def visit_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> None:  # noqa: N802
        self._begin(node)

    def leave_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> None:  # noqa: N802
        self._end(node)

    def visit_If(self, node: cst.If) -> None:  # noqa: N802
        guard = _guard(node.test)
        if guard is not None:
            self._guarded[node.body] = guard

    def _begin(self, body: cst.BaseSuite) -> None:
        if body in self._guarded:
            self._guards.append(self._guarded[body])

    def _end(self, body: cst.BaseSuite) -> None:
        if body in self._guarded:
            self._guards.pop()


def _comments(module: ParsedModule) -> list[tuple[str, Span]]:
    """The comments that name dplint; only the parts of the tree around lines that may hold one are searched."""
    lines = [number for number, line in enumerate(module.lines, 1) if MARK in line and "#" in line]
    found: list[tuple[str, Span]] = []
    for node in dict.fromkeys(node for line in lines for node in module.positions.around(line)):
        comments = [one for one in comments_below(node) if MARK in one.value]
        if comments:
            module.span(node)  # so that the comments in it have places too
        found += ((one.value, module.span(one)) for one in comments)
    return sorted(found, key=lambda one: one[1])


def _guard(test: cst.BaseExpression) -> str | None:
    """The condition under which an imported module does not run the block, None for others."""
    match test:
        case cst.Name(value="TYPE_CHECKING") | cst.Attribute(attr=cst.Name(value="TYPE_CHECKING")):
            return "TYPE_CHECKING"
        case cst.Comparison(
            left=cst.Name(value="__name__"),
            comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=cst.SimpleString() as name)],
        ) if name.evaluated_value == "__main__":
            return '__name__ == "__main__"'
        case _:
            return None


def find_target(targets: Iterable[Target], qualname: str) -> Target | None:
    """The last target of that name, which is the one that the name means after import."""
    return next((target for target in reversed(list(targets)) if target.named and target.qualname == qualname), None)
