"""What the names in a function stand for: locals, generators, imports, constants, helper functions, builtins.

Laws of SciPy under a name.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from typing import TypeAlias

import libcst as cst

from dplint.claims import Literal, Mechanism, Span
from dplint.distributions import GENERATOR, LEGACY, PYTHON, DrawSignature, program_draws
from dplint.program.calls import EXCEPTIONS
from dplint.program.interpretation import numbered
from dplint.program.nodes import Constant, Expression, Name
from dplint.program.refusals import Unsupported
from dplint.runner.generators import GENERATOR as GENERATOR_KIND
from dplint.runner.generators import PYTHON_RANDOM, RANDOM_STATE, kind_of
from dplint.source.bindings import bound_names, dotted_name
from dplint.source.certain import CertainNames, ModuleFacts
from dplint.source.lowering.object_classes import ObjectClass


@dataclass(slots=True)
class Refusals:
    """What is not understood of one function, each once, in the order in which it was met.

    The lowering goes on after a refusal, with `Opaque` in its place. Where there is no place for that, as in a target,
    one is put in front of the statement. quiet: what is met now lies inside of what is refused, and says nothing new.
    """

    found: dict[Unsupported, None] = field(default_factory=dict)
    quiet: bool = False

    def add(self, refused: Unsupported) -> None:
        """Note a construct."""
        if not self.quiet:
            self.found[refused] = None

    @contextmanager
    def inside(self, *, told: bool = False) -> Iterator[None]:
        """While parts of a refused construct are lowered. told: what is refused of them is to be mended as well."""
        before, self.quiet = self.quiet, self.quiet or not told
        try:
            yield
        finally:
            self.quiet = before


@dataclass(frozen=True, slots=True)
class Stream:
    """A source of randomness: the values for `Draw.generator` and `Draw.family`; seeded ones have a label or ""."""

    label: str
    family: str
    seeded: bool = False

    @property
    def signatures(self) -> Mapping[str, DrawSignature]:
        """Its methods by which a program may draw."""
        return program_draws(self.family)


@dataclass(frozen=True, slots=True)
class LocalFunction:
    """A function that another one makes. captured: the variables around it that it reads. streams: its generators.

    called: the local functions that it calls, perhaps itself; what they capture is among what it captures itself.
    """

    name: str
    node: cst.FunctionDef | cst.Lambda
    captured: tuple[str, ...]
    streams: dict[str, Stream]
    called: Mapping[str, LocalFunction]


@dataclass(slots=True)
class Instance:
    """An object that is taken apart: what it holds are variables of its own.

    made: its class. number: tells its variables from those of others, 0 for that of the mechanism. streams, parts:
    attributes that hold generators and other such objects. moves: whether the name that it has is given further
    objects, which then are in its variables.
    """

    made: ObjectClass
    number: int
    label: str
    streams: dict[str, Stream] = field(default_factory=dict)
    parts: dict[str, Instance] = field(default_factory=dict)

    def variable(self, attribute: str) -> str:
        """The variable that an attribute is."""
        name = f"{self.label}.{attribute}"
        return numbered(name, self.number) if self.number else name


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A lambda or a local function as a value, with the scope that it stands in.

    renamed: the variables of the comprehensions around it.
    """

    scope: Scope
    node: cst.Lambda | cst.FunctionDef
    renamed: tuple[dict[str, str], ...] = ()


Fixed: TypeAlias = Expression | Stream | FunctionValue
_OBJECT = ("an object used as a value", "use its attributes and methods where it is")
_FUNCTION = ("a local function used as a value", "call it, or make it a function of the module")
_MECHANISM = ("a mechanism of a library used as a value", "call its method where it is")
_LOGGER = ("a logger used as a value", "call its methods where it is")
NUMPY_MODULE, PYTHON_MODULE = Stream("numpy.random", LEGACY), Stream("random", PYTHON)


def parameter_stream(mechanism: Mechanism) -> Stream | None:
    """The stream behind the generator parameter, of the kind that the runner will pass in; None behind a seed."""
    assert mechanism.rng is not None
    parameter = mechanism.parameter(mechanism.rng)
    annotation = None if parameter is None else parameter.annotation
    kind = kind_of(mechanism.rng, annotation, "\n".join(mechanism.source_lines))
    family = {GENERATOR_KIND: GENERATOR, RANDOM_STATE: LEGACY, PYTHON_RANDOM: PYTHON}.get(kind)
    return None if family is None else Stream("argument", family)


@lru_cache(maxsize=8)
def top_level_names(tree: cst.Module) -> frozenset[str]:
    """Names that statements of the module bind, imports left out. Kept for the last modules: all functions ask."""
    return frozenset(name for statement in tree.body for name in bound_names(statement))


@dataclass(slots=True)
class Scope:
    """The names of one function.

    elsewhere: what names of modules of the project stand for. bound: what the top level of the module binds other than
    by imports. names: what the function binds. renamed: the variables of the comprehensions around the present place.
    suspect: names whose value was refused where they were bound, so that a call of them says nothing new. renewed: the
    present variables of parameters that have been assigned anew. local_functions: those that it makes, from where they
    are made. unusable: names of functions that no program has, and what stands in the way where one is used. loggers:
    variables that hold a logger. mechanisms: those that hold one of a library, with its class and what that is given.
    unrolled: variables that stand for a constant, as where a comprehension is written out. instances, classes:
    names that stand for an object that is taken apart, and for its class. functions: those that stand for
    functions. kinds: variables that hold containers which are no plain dicts, with what they hold. calls: where the
    function is read into its caller, the calls that lead to it; place: of its class among those of the object;
    own_name: what it calls that; given: its parameters; constructing: whether its own block is executed wherever
    the object is made; listed: the list of its items, of a mechanism that is a generator; dicts: names that a dict
    is assigned to; fixed: nodes that no source has, and what they stand for. observing: whether the claim observes
    more than the result. observed: the list of what is shown, if anything may be. unassigned: attributes without a
    value.
    """

    facts: ModuleFacts
    bound: frozenset[str]
    names: frozenset[str]
    parameters: frozenset[str]
    streams: dict[str, Stream]
    elsewhere: CertainNames
    refusals: Refusals = field(default_factory=Refusals)
    aliases: dict[str, str] = field(default_factory=dict)
    renamed: list[dict[str, str]] = field(default_factory=list)
    suspect: set[str] = field(default_factory=set)
    renewed: dict[str, str] = field(default_factory=dict)
    unrolled: dict[str, Literal] = field(default_factory=dict)
    local_functions: dict[str, LocalFunction] = field(default_factory=dict)
    unusable: dict[str, Unsupported] = field(default_factory=dict)
    loggers: set[str] = field(default_factory=set)
    mechanisms: dict[str, tuple[str, tuple[tuple[str, Expression], ...]]] = field(default_factory=dict)
    instances: dict[str, Instance] = field(default_factory=dict)
    classes: dict[str, ObjectClass] = field(default_factory=dict)
    functions: dict[str, FunctionValue] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    listed: Name | None = None
    calls: tuple[tuple[int, int, int, int, str], ...] = ()
    place: int = 0
    own_name: str = ""
    given: frozenset[str] = frozenset()
    constructing: bool = False
    dicts: frozenset[str] = frozenset()
    fixed: dict[int, tuple[cst.CSTNode, Fixed]] = field(default_factory=dict)
    observing: bool = False
    observed: Name | None = None
    unassigned: dict[str, Unsupported] | None = None
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def local(self, name: str) -> str | None:
        """The variable of the program that the name stands for here, None if it is not a local."""
        for names in reversed(self.renamed):
            if name in names:
                return names[name]
        return self.renewed.get(name, name) if name in self.names else None

    def stream(self, name: str) -> Stream | None:
        """The generator of that name."""
        if any(name in names for names in self.renamed):
            return None
        return self.streams.get(name)

    def function(self, name: str) -> FunctionValue | None:
        """The function that a name stands for; None for everything else."""
        return None if any(name in names for names in self.renamed) else self.functions.get(name)

    def instance(self, node: cst.BaseExpression) -> Instance | None:
        """The object that a name or an attribute stands for; None for all others, also where one is made."""
        if isinstance(node, cst.Attribute):
            whole = self.instance(node.value)
            return None if whole is None else whole.parts.get(node.attr.value)
        if not isinstance(node, cst.Name) or any(node.value in names for names in self.renamed):
            return None
        return self.instances.get(node.value)

    def holds_logger(self, node: cst.BaseExpression) -> bool:
        """Whether it is an attribute of an object that holds a logger all the time."""
        whole = self.instance(node.value) if isinstance(node, cst.Attribute) else None
        return whole is not None and isinstance(node, cst.Attribute) and node.attr.value in whole.made.loggers

    def span(self, node: cst.CSTNode) -> Span:
        """The range of a node, with the calls that lead to it."""
        found = self.facts.span(node)
        return replace(found, calls=self.calls) if self.calls else found

    def no_value(self, name: str) -> tuple[str, str] | None:
        """What a name holds that no program has as a value, and what to do instead; None for all others."""
        if self.stream(name) is not None:
            return "a generator used as a value", "draw from it where it is"
        if name in self.instances and not any(name in names for names in self.renamed):
            return _OBJECT
        if self.function(name) is not None:
            return "a function used as a value", "call it where it is"
        if name in self.classes:
            return "a class used as a value", "call it, or a method of it, where it is"
        held = ((self.local_functions, _FUNCTION), (self.mechanisms, _MECHANISM), (self.loggers, _LOGGER))
        return next((words for names, words in held if self.local(name) in names), None)

    def canonical(self, node: cst.BaseExpression) -> str | None:
        """The canonical dotted name of an imported object or a builtin, None for everything else."""
        dotted = dotted_name(node)
        if dotted is None:
            return None
        first, dot, rest = dotted.partition(".")
        if self.local(first) is not None:
            return None
        alias = self.aliases.get(first)
        if alias is None and first not in self.bound:
            alias = self.facts.aliases.get(first)
            if alias is None and hasattr(builtins, first) and not dot:
                return None if self.elsewhere.patches(f"builtins.{first}") else first
        full = None if alias is None else f"{alias}{dot}{rest}"
        return None if full is None or self.elsewhere.patches(full) else full.removeprefix("builtins.")

    def helper(self, node: cst.BaseExpression) -> tuple[ModuleFacts, cst.FunctionDef] | None:
        """The function of the same module that the name stands for, or of another one of the project."""
        if isinstance(node, cst.Name) and self.local(node.value) is None and node.value not in self.aliases:
            own = self.facts.functions.get(node.value)
            if own is not None and not self.elsewhere.patches(f"{self.facts.place.module}.{node.value}"):
                return self.facts, own
        full = self._full_name(node)
        return None if full is None else self.elsewhere.function(full)

    def module_call(self, node: cst.Name | cst.Attribute) -> tuple[ModuleFacts, cst.Call] | None:
        """The call that gave a name of this module, or of another one of the project, its only value."""
        if isinstance(node, cst.Name) and self.local(node.value) is None and node.value not in self.aliases:
            own = self.facts.calls.get(node.value)
            if own is not None:
                return self.facts, own
        full = self._full_name(node)
        return None if full is None else self.elsewhere.call(full)

    def constant(self, node: cst.Name | cst.Attribute) -> Literal | None:
        """The constant of another module, or of a class, that a name stands for."""
        full = self._full_name(node)
        return None if full is None else self.elsewhere.constant(full)

    def exception(self, node: cst.BaseExpression) -> tuple[str, ...] | None:
        """The name of the exception that a name stands for: a built-in one, or one of the project with its bases."""
        canonical = self.canonical(node)
        if canonical in EXCEPTIONS:
            return (canonical or "",)
        full = self._full_name(node)
        return None if full is None else self.elsewhere.exception(full)

    def class_of(self, node: cst.BaseExpression) -> tuple[ModuleFacts, cst.ClassDef] | None:
        """The class of this module, or of another one of the project, that a name stands for."""
        full = self._full_name(node)
        return None if full is None else self.elsewhere.class_of(full)

    def _full_name(self, node: cst.BaseExpression) -> str | None:
        """What a name of the project certainly stands for, None for a local and for what is not certain."""
        first, dot, rest = (dotted_name(node) or "").partition(".")
        if not first or self.local(first) is not None:
            return None
        if first in self.aliases:
            return f"{self.aliases[first]}{dot}{rest}"
        return self.elsewhere.full_name(self.facts.place.module, f"{first}{dot}{rest}")

    def placed(self, node: cst.CSTNode, like: cst.CSTNode, value: Fixed | None = None) -> None:
        """A node that no source has stands where another one does. value: what it stands for."""
        self.facts.positions.also(node, like)
        if value is not None:
            self.fixed[id(node)] = (node, value)

    def all_listed(self, span: Span) -> Expression:
        """What a generator gives where it ends: the list of its items, if nobody reads it into a caller."""
        return Constant(None, span) if self.calls or self.listed is None else self.listed

    def renew(self, name: str) -> None:
        """From here on the name of a parameter stands for another variable.

        Only for an assignment that no run passes by and none comes to twice, a statement of the function's own block:
        after `queries = list(queries)` the name has nothing to do with what the caller holds.
        """
        if name in self.parameters:
            self.renewed[name] = numbered(name, next(self.numbers))

    def rename(self, names: set[str]) -> dict[str, str]:
        """Fresh variables for the names that a comprehension binds."""
        number = next(self.numbers)
        return {name: numbered(name, number) for name in sorted(names)}
