"""What the names in a function stand for: the module's own functions and classes, imports, constants."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import libcst as cst

from dplint.rules.flow.vocabulary import DRAWING_WORDS, GENERATORS
from dplint.source.module import ParsedModule
from dplint.source.module_names import AMBIGUOUS, dotted_name
from dplint.source.project import ProjectIndex


@dataclass(frozen=True, slots=True)
class ModuleScope:
    """A module as the rules see it.

    classes: those at the top level, each with its methods by name. known_noise: full names of functions that add noise.
    generators: names of the top level that are bound once, to a generator that is made there. loggers: those that are
    bound to a logger.
    project: of the module that is checked, None where other modules are not looked into. home: False for another
    module, a function of which is read where it is called.
    """

    module: ParsedModule
    classes: Mapping[str, Mapping[str, cst.FunctionDef]] = field(default_factory=dict)
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

    def elsewhere(self, dotted: str) -> FunctionElsewhere | None:
        """The function of another module of the project that a name stands for."""
        full = self.canonical(dotted)
        found = self.project.function(full) if self.project is not None and full is not None and "." in full else None
        if found is None:
            return None
        classes = dict(_classes(found.module.tree.body))
        scope = ModuleScope(found.module, classes, self.known_noise, {}, self.project, home=False)
        return FunctionElsewhere(scope, found.node, draws=not found.names.isdisjoint(DRAWING_WORDS))

    def generator_elsewhere(self, dotted: str) -> str | None:
        """What makes the generator, without a seed, that a name of another module of the project stands for."""
        full = self.canonical(dotted)
        found = self.project.call(full) if self.project is not None and full is not None and "." in full else None
        if found is None or found[1].args:
            return None
        maker = ModuleScope(found[0]).canonical(dotted_name(found[1].func) or "")
        return maker if maker in GENERATORS else None

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
        for methods in self.classes.values():
            if any(method is function for method in methods.values()):
                return methods
        return {}


@dataclass(frozen=True, slots=True)
class FunctionElsewhere:
    """A function of another module, with the scope of its names. draws: whether it mentions any draw."""

    scope: ModuleScope
    node: cst.FunctionDef
    draws: bool


def scope_of(
    module: ParsedModule, known_noise: frozenset[str] = frozenset(), project: ProjectIndex | None = None
) -> ModuleScope:
    """The scope of a module."""
    scope = ModuleScope(module, dict(_classes(module.tree.body)), known_noise, {}, project)
    made = {name: (call, scope.canonical(dotted_name(call.func) or "") or "") for name, call in module.calls.items()}
    generators = {name: call for name, (call, maker) in made.items() if maker in GENERATORS}
    loggers = frozenset(name for name, (_, maker) in made.items() if maker.rpartition(".")[2] in _LOGGER_MAKERS)
    return replace(scope, generators=generators, loggers=loggers)


_LOGGER_MAKERS = ("getLogger", "get_logger")


_CALLED = re.compile(r"(?<!def )\b([A-Za-z_]\w*) *\(")


def _draws(module: ParsedModule) -> bool:
    """Whether something is called in a module that could draw, to judge by its name."""
    words = DRAWING_WORDS - module.functions.keys() - dict(_classes(module.tree.body)).keys()
    return any(not words.isdisjoint(_CALLED.findall(line)) for line in module.lines)


def _classes(body: object) -> list[tuple[str, dict[str, cst.FunctionDef]]]:
    found: list[tuple[str, dict[str, cst.FunctionDef]]] = []
    for statement in body if isinstance(body, list | tuple) else ():
        if isinstance(statement, cst.ClassDef):
            inner = statement.body.body if isinstance(statement.body, cst.IndentedBlock) else ()
            methods = {item.name.value: item for item in inner if isinstance(item, cst.FunctionDef)}
            found.append((statement.name.value, methods))
            found += _classes(inner)
        elif isinstance(statement, cst.If) and isinstance(statement.body, cst.IndentedBlock):
            found += _classes(statement.body.body)
    return found
