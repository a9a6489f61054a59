"""What the names in a function stand for: the module's own functions and classes, imports, constants."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import libcst as cst

from dplint.claims import EPSILON_NAME, Literal
from dplint.program.calls import sinks
from dplint.rules.flow.vocabulary import DRAWING_WORDS, GENERATORS, sounds_noisy
from dplint.source.module import ParsedModule
from dplint.source.module_names import AMBIGUOUS, dotted_name
from dplint.source.project import Holder, ProjectIndex
from dplint.source.record_classes import RecordClass, named_tuple, record_class
from dplint.source.walking import nodes_below


@dataclass(frozen=True, slots=True)
class ModuleScope:
    """A module as the rules see it.

    classes: those at the top level. known_noise: full names of functions that add noise.
    generators: names of the top level that are bound once, to a generator that is made there. loggers: those that are
    bound to a logger.
    project: of the module that is checked, None where other modules are not looked into. home: False for another
    module, a function of which is read where it is called.
    """

    module: ParsedModule
    classes: Mapping[str, cst.ClassDef] = field(default_factory=dict)
    known_noise: frozenset[str] = frozenset()
    generators: Mapping[str, cst.Call] = field(default_factory=dict)
    project: ProjectIndex | None = None
    home: bool = True
    loggers: frozenset[str] = frozenset()

    def adds_noise(self, dotted: str) -> bool:
        """Whether the user has named this function as one that adds noise."""
        own = f"{self.module.place.module}.{dotted}"
        return own in self.known_noise or (self.canonical(dotted) or dotted) in self.known_noise

    def canonical(self, dotted: str) -> str | None:
        """The full name of an import or a builtin, None for what the module itself binds."""
        first, _, rest = dotted.partition(".")
        alias = self.module.names.aliases.get(first)
        if alias is not None and alias != AMBIGUOUS:
            return f"{alias}.{rest}" if rest else alias
        if first in self.module.names.bound:
            return None
        return dotted if hasattr(builtins, first) else None

    def own(self, name: str) -> str:
        """The name of what a module binds itself; those of other modules are told apart from ours."""
        return name if self.home else f"{self.module.place.module}.{name}"

    def _holder(self, dotted: str) -> Holder | None:
        """The other module of the project that binds what a name stands for."""
        full = self.canonical(dotted)
        return self.project.holder(full) if self.project is not None and full is not None and "." in full else None

    def elsewhere(self, dotted: str) -> FunctionElsewhere | None:
        """The function of another module of the project that a name stands for."""
        found = self._holder(dotted)
        node = None if found is None else found.module.functions.get(found.name)
        if found is None or node is None:
            return None
        return FunctionElsewhere(self._beside(found.module), node, draws=not found.words.isdisjoint(DRAWING_WORDS))

    def _beside(self, module: ParsedModule) -> ModuleScope:
        classes = dict(_classes(module.tree.body))
        return ModuleScope(module, classes, self.known_noise, {}, self.project, home=False)

    def generator_elsewhere(self, dotted: str) -> str | None:
        """What makes the generator, without a seed, that a name of another module of the project stands for."""
        found = self._holder(dotted)
        call = None if found is None else found.module.calls.get(found.name)
        if found is None or call is None or call.args:
            return None
        maker = ModuleScope(found.module).canonical(dotted_name(call.func) or "")
        return maker if maker in GENERATORS else None

    def constant(self, dotted: str) -> tuple[Literal, str] | None:
        """The value that a name of this module, or of another one of the project, stands for, and its name."""
        if dotted in self.module.constants:
            return self.module.constants[dotted], self.own(dotted)
        found = self._holder(dotted)
        value = None if found is None else found.module.constants.get(found.name)
        return None if found is None or value is None else (value, f"{found.module.place.module}.{found.name}")

    def record(self, dotted: str) -> RecordClass | None:
        """The dataclass or named tuple that a name stands for, if nothing in it may add noise."""
        node, call = self.classes.get(dotted), self.module.calls.get(dotted)
        if node is None and call is None:
            found = self._holder(dotted)
            return None if found is None else self._beside(found.module).record(found.name)
        made = named_tuple(self.module, call) if node is None and call is not None else None
        inside = (one for method in self.methods(dotted).values() for one in nodes_below(method))
        if node is not None and not any(map(_may_be_of_noise, inside)):
            made = record_class(self.module, node)
        return made

    def methods(self, name: str) -> Mapping[str, cst.FunctionDef]:
        """The methods of a class of the top level, none if there is no such class."""
        inner = self.classes[name].body.body if name in self.classes else ()
        return {item.name.value: item for item in inner if isinstance(item, cst.FunctionDef)}

    def is_quiet_class(self, dotted: str) -> bool:
        """Whether a name stands for a class of the project in whose module nothing is called that draws.

        A class that is called Laplace may have a density, and no noise.
        """
        if "." not in dotted:
            return dotted in self.classes and not _draws(self.module)
        module, _, name = dotted.rpartition(".")
        found = self.project.parsed(module, name) if self.project is not None else None
        return found is not None and name in dict(_classes(found.tree.body)) and not _draws(found)

    def methods_beside(self, function: cst.FunctionDef | cst.Lambda) -> Mapping[str, cst.FunctionDef]:
        """The methods of the class that the function stands in, none if it stands in no class."""
        around = (name for name, node in self.classes.items() if any(one is function for one in node.body.body))
        return self.methods(next(around, ""))


@dataclass(frozen=True, slots=True)
class FunctionElsewhere:
    """A function of another module, with the scope of its names. draws: whether it mentions any draw."""

    scope: ModuleScope
    node: cst.FunctionDef
    draws: bool


def _may_be_of_noise(node: cst.CSTNode) -> bool:
    """Whether a word is one of noise, or an epsilon for some."""
    word = node.value if isinstance(node, cst.Name) else ""
    return word in DRAWING_WORDS or sounds_noisy(word) or EPSILON_NAME.match(word) is not None


def scope_of(
    module: ParsedModule, known_noise: frozenset[str] = frozenset(), project: ProjectIndex | None = None
) -> ModuleScope:
    """The scope of a module."""
    scope = ModuleScope(module, dict(_classes(module.tree.body)), known_noise, {}, project)
    made = {name: (call, scope.canonical(dotted_name(call.func) or "") or "") for name, call in module.calls.items()}
    generators = {name: call for name, (call, maker) in made.items() if maker in GENERATORS}
    loggers = frozenset(name for name, (_, maker) in made.items() if makes_logger(maker))
    return replace(scope, generators=generators, loggers=loggers)


def makes_logger(full: str) -> bool:
    """Whether a function or method makes loggers, whatever library it is of."""
    return f".{full.rpartition('.')[2]}" in sinks("logger")


_CALLED = re.compile(r"(?<!def )\b([A-Za-z_]\w*) *\(")


def _draws(module: ParsedModule) -> bool:
    """Whether something is called in a module that could draw, to judge by its name."""
    words = DRAWING_WORDS - module.functions.keys() - dict(_classes(module.tree.body)).keys()
    return any(not words.isdisjoint(_CALLED.findall(line)) for line in module.lines)


def _classes(body: Sequence[cst.CSTNode]) -> Iterator[tuple[str, cst.ClassDef]]:
    for one in body:
        if isinstance(one, cst.ClassDef):
            yield one.name.value, one
        if isinstance(one, cst.ClassDef | cst.If) and isinstance(one.body, cst.IndentedBlock):
            yield from _classes(one.body.body)
