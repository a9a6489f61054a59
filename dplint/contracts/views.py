"""A module as contracts see it: its functions, classes and constants, and the claims that its functions bear.

What libraries promise of their functions, as contracts.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

from dplint.claims import Claim, Mechanism, Span
from dplint.contracts.objects import Owner, owner_of
from dplint.distributions.signatures import BIT_GENERATORS
from dplint.program.library_claims import of_function
from dplint.source.bindings import AMBIGUOUS
from dplint.source.discover import discover
from dplint.source.module import ParsedModule
from dplint.source.project import ProjectIndex
from dplint.syntax import parse_text

Defined: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Contract:
    """What a function promises, and how it is called.

    defaults: of parameters that may be left out, as expressions of `view`. required: parameters without which nothing
    is promised. accountant: the parameter that takes an accountant, which is asked before.
    """

    name: str
    claim: Claim
    parameters: tuple[str, ...]
    data: str
    defaults: Mapping[str, ast.expr] = field(default_factory=dict)
    keyword_only: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    accountant: str | None = None
    view: View | None = None


@dataclass(frozen=True, slots=True)
class Follow:
    """A function without a claim, which is read where it is called."""

    view: View
    node: Defined


@dataclass(frozen=True, slots=True)
class Library:
    """Something that is imported and not of this project, or a builtin."""

    full: str


Resolved: TypeAlias = Contract | Follow | Library | ast.ClassDef | None


class View:
    """One module. file: as it is shown. mechanisms: the claims of its functions."""

    def __init__(
        self, module: ParsedModule, file: str, mechanisms: Iterable[Mechanism], project: ProjectIndex | None
    ) -> None:
        self.module = module
        self.file = file
        self._project = project
        self._claimed = {one.qualname: one for one in mechanisms}
        self._lines = module.lines
        self._others: dict[str, Resolved] = {}

    @cached_property
    def tree(self) -> ast.Module:
        """The text, parsed once more: with `ast`, whose nodes are plainer."""
        return _parsed("\n".join(self._lines))

    @cached_property
    def _top(self) -> Mapping[str, ast.stmt]:
        """The functions and classes of the top level, by names that are bound once."""
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        defined = [one for one in self.tree.body if isinstance(one, kinds)]
        bound = Counter(one.name for one in defined)
        return {one.name: one for one in defined if bound[one.name] == 1}

    def span(self, node: ast.AST) -> Span:
        """Where a node stands."""
        line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
        left, right = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        return Span(line, self._column(line, left), end_line, self._column(end_line, right))

    def _column(self, line: int, offset: int) -> int:
        return len(self._lines[line - 1].encode()[:offset].decode("utf-8", "replace")) + 1

    def function(self, mechanism: Mechanism) -> Defined | None:
        """The definition of a mechanism of this module, None if it is none."""
        name, line = mechanism.qualname.split(".")[-1], mechanism.span.line
        functions = (one for one in ast.walk(self.tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
        named = (one for one in functions if one.name == name)
        return next((one for one in named if one.lineno <= line <= one.body[0].lineno), None)

    def owner(self, mechanism: Mechanism) -> Owner | None:
        """The class of a method's object, if it is a class of the top level and is understood."""
        name, dot, method = mechanism.qualname.rpartition(".")
        node = self._top.get(name)
        found = owner_of(mechanism, node) if dot and isinstance(node, ast.ClassDef) else None
        return found if found is not None and found.method(method) is not None else None

    def method(self, owner: Owner, name: str) -> Contract | Follow | None:
        """A method of the same object: what it promises, or what is read where it is called."""
        node, mechanism = owner.method(name), self._claimed.get(f"{owner.node.name}.{name}")
        if node is None or (mechanism is None and node.decorator_list):
            return None
        if mechanism is None:
            return Follow(self, node)
        other = owner_of(mechanism, owner.node)
        shown = mechanism.data is not None and "." in mechanism.data
        if other is None or (shown and other.data != owner.data):
            return None
        return contract_of(replace(mechanism, receiver=None), node, self, bound=True)

    def is_tool(self, called: ast.expr) -> bool:
        """Whether a function is one of diffprivlib."""
        dotted = ast.unparse(called)
        found = self.resolve(dotted) if dotted.replace(".", "").isidentifier() else None
        return isinstance(found, Library) and found.full.startswith("diffprivlib.")

    def resolve(self, dotted: str) -> Resolved:
        """What a name stands for that no local variable has."""
        node = self._top.get(dotted)
        if node is not None:
            return self._own(dotted, node)
        first, _, rest = dotted.partition(".")
        alias = self.module.aliases.get(first)
        if alias == AMBIGUOUS:
            return None
        if alias is None:
            return None if first in self.module.names.bound else Library(dotted)
        full = f"{alias}.{rest}" if rest else alias
        if full not in self._others:
            self._others[full] = self._elsewhere(full)
        return self._others[full]

    def _own(self, name: str, node: ast.stmt) -> Resolved:
        if isinstance(node, ast.ClassDef):
            return node
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        mechanism = self._claimed.get(name)
        if mechanism is None:
            # What a decorator makes of a function is not read.
            return Follow(self, node) if not node.decorator_list else None
        return contract_of(mechanism, node, self)

    def _elsewhere(self, full: str) -> Resolved:
        found = self._project.function(full) if self._project is not None and "." in full else None
        if found is None:
            return Library(full)
        place = found.module.place
        path = place.import_root.joinpath(*place.module.split("."))
        path = path / "__init__.py" if place.is_package else path.with_suffix(".py")
        file = _shown(path, place.project_root)
        mechanisms, _ = discover(found.module, file, path, ())
        view = View(found.module, file, [one for one, _ in mechanisms], self._project)
        return view.resolve(found.node.name.value)


@lru_cache(maxsize=8)
def _parsed(text: str) -> ast.Module:
    try:
        return parse_text(text)
    except (SyntaxError, ValueError):  # LibCST reads a little more than Python compiles
        return ast.Module([], [])


def contract_of(mechanism: Mechanism, node: Defined, view: View, *, bound: bool = False) -> Contract | None:
    """What a function promises; None where its data is no parameter or it takes any number of arguments.

    bound: its first parameter is the object, which may hold the data.
    """
    given = node.args
    if mechanism.data is None or mechanism.receiver is not None or given.vararg or given.kwarg:
        return None
    names = [one.arg for one in (*given.posonlyargs, *given.args)][1 if bound else 0 :]
    held = bound and "." in mechanism.data
    if not held and mechanism.data not in [*names, *(one.arg for one in given.kwonlyargs)]:
        return None
    return signature_of(node, view, mechanism.claim, mechanism.data, bound=bound)


def signature_of(node: Defined, view: View, claim: Claim, data: str, *, bound: bool) -> Contract:
    """How a function is called that takes no number of arguments that is not known; with this claim."""
    given = node.args
    positional = [one.arg for one in (*given.posonlyargs, *given.args)]
    keyword_only = [one.arg for one in given.kwonlyargs]
    defaults = dict(zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True))
    defaults |= {name: value for name, value in zip(keyword_only, given.kw_defaults, strict=True) if value}
    parameters = (*positional[bound:], *keyword_only)
    return Contract(node.name, claim, parameters, data, defaults, frozenset(keyword_only), view=view)


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def tool(full: str) -> Contract | None:
    """The contract of a function of a library, None if none is known. Without bounds nothing is promised."""
    known = of_function(full)
    if known is None:
        return None
    further = ("axis", "dtype", "keepdims", "random_state", "accountant")
    data, *others = known.parameters
    return Contract(
        name=full.rpartition(".")[2],
        claim=Claim(epsilon="epsilon", relation=known.relation),
        parameters=(*known.parameters, *further),
        data=data,
        defaults={one: ast.Constant(1.0 if one == "epsilon" else None) for one in (*others, *further)},
        keyword_only=frozenset(further),
        required=known.required,
        accountant="accountant",
    )


def is_seedless(node: ast.expr) -> bool:
    """Whether what makes a generator is given no seed here: None, or a bit generator that has none."""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        return not node.args and not node.keywords and f"numpy.random.{name}" in BIT_GENERATORS
    return isinstance(node, ast.Constant) and node.value is None
