"""What the names in a function stand for: the module's own functions and classes, imports, constants."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst

from dplint.source.module import ParsedModule
from dplint.source.module_names import AMBIGUOUS


@dataclass(frozen=True, slots=True)
class ModuleScope:
    """A module as the rules see it.

    classes: those at the top level, each with its methods by name. known_noise: full names of functions that add noise.
    """

    module: ParsedModule
    classes: Mapping[str, Mapping[str, cst.FunctionDef]] = field(default_factory=dict)
    known_noise: frozenset[str] = frozenset()

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

    def methods_beside(self, function: cst.FunctionDef | cst.Lambda) -> Mapping[str, cst.FunctionDef]:
        """The methods of the class that the function stands in, none if it stands in no class."""
        for methods in self.classes.values():
            if any(method is function for method in methods.values()):
                return methods
        return {}


def scope_of(module: ParsedModule, known_noise: frozenset[str] = frozenset()) -> ModuleScope:
    """The scope of a module."""
    return ModuleScope(module, dict(_classes(module.tree.body)), known_noise)


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
