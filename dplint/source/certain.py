"""What a name of another module of the project certainly stands for, so that a program may be read through it.

Certain is what `top_level` calls so, in the file that Python imports by that name, if no module that is imported along
gives the name to something else: by `helpers.f = g`, `setattr`, `globals()`. Packages that are installed, compiled
modules and what is imported at run time are not followed, nor stars of modules whose names are not all known.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import libcst as cst

from dplint.claims import Literal, Span
from dplint.config import shown
from dplint.distributions import PACKAGES, PYTHON, SCIPY, program_draws
from dplint.program.calls import EXCEPTIONS
from dplint.source.files import ImportPlace
from dplint.source.identifiers import Positions
from dplint.source.module import ImportedAlong, ParsedModule, imported_along
from dplint.source.patches import ANY, EXEC, UNKNOWN, is_deep
from dplint.source.project import ProjectIndex
from dplint.source.static_values import Names, NotStaticError, read_value
from dplint.source.top_level import TopLevel, text_of, top_level

_LONGEST = 8
"""Imports that only hand a name on."""
_PLAIN_EXCEPTIONS = EXCEPTIONS - {"KeyError"}
"""Whose text is that of what they were given; the text of a KeyError is how that is written."""
_COMPILED = (".so", ".pyd")
_STARS = {name: frozenset[str]() for name in ("collections", "dplint", "itertools", "math", "random", "typing")}
_STARS |= {"numpy.random": frozenset({"random"})}
"""What star imports of libraries bind that may be another name's."""
_LIBRARIES_OF_DRAWS = {PYTHON: "random", SCIPY: "scipy"}
_INSIDE_OF_DRAWS = ("gauss", "getrandbits", "normalvariate", "random", "uniform", "_randbelow")
"""Methods of Python's generators by which others draw."""
_RUNNERS = frozenset({"dplint", "numpy"})
"""Packages that the runner has imported before it looks into the project."""


@dataclass(frozen=True, slots=True)
class ModuleElsewhere:
    """Another module as the lowering sees it: what is certain of it, with places that name its file."""

    parsed: ParsedModule
    file: str
    constants: Mapping[str, Literal]
    functions: Mapping[str, cst.FunctionDef]
    calls: Mapping[str, cst.Call]

    @property
    def tree(self) -> cst.Module:
        """The module, with all that the function mentions for which it was read; the rest is left out."""
        return self.parsed.tree

    @property
    def place(self) -> ImportPlace:
        """How it is imported."""
        return self.parsed.place

    @property
    def positions(self) -> Positions:
        """Where its nodes stand."""
        return self.parsed.positions

    @property
    def aliases(self) -> Mapping[str, str]:
        """What its top level imports."""
        return self.parsed.aliases

    @property
    def names(self) -> Names:
        """What its names mean to expressions that can be read without running them."""
        return Names(self.aliases, self.constants, self.parsed.names.bound)

    @property
    def prefix(self) -> str:
        """What the names of its functions begin with in a program."""
        return f"{self.place.module}."

    def span(self, node: cst.CSTNode) -> Span:
        """The range of a node, in that file."""
        return replace(self.parsed.span(node), file=self.file)


ModuleFacts: TypeAlias = ParsedModule | ModuleElsewhere
"""What is read of a module: the own one, or another one of the project."""


class CertainNames:
    """What names of a project certainly stand for, as seen from one module of it.

    home: the module. index: of its project; it is told all files that the answers depend on. others: further modules
    that are imported along with the module. along: is filled for
    other mechanisms of the same text of the module.
    """

    def __init__(
        self,
        home: ParsedModule,
        index: ProjectIndex,
        others: Collection[str] = (),
        along: ImportedAlong | None = None,
    ) -> None:
        self._home = home
        self._index = index
        self._others = tuple(others)
        self._along: ImportedAlong = {} if along is None else along
        self._modules: dict[str, tuple[Path, TopLevel] | None] = {}

    def full_name(self, module: str, dotted: str) -> str | None:
        """The full name of what `dotted` stands for in a module, None if what binds its first part is not certain."""
        first, dot, rest = dotted.partition(".")
        known = self._module(module)
        if known is None:
            return None
        full = (known[1].imports or {}).get(first, f"{module}.{first}" if first in known[1].bound else None)
        return None if full is None else f"{full}{dot}{rest}"

    def function(self, full: str) -> tuple[ModuleElsewhere, cst.FunctionDef] | None:
        """The function of that full name ("pkg.noise.add_laplace"), None if that is not certain.

        Functions of the home module are not looked for.
        """
        found = self._resolved(full)
        if found is None:
            return None
        module, name = found
        known = self._module(module)
        if known is None or module == self._home.place.module or name not in known[1].functions:
            return None
        parsed = self._index.parsed(module, name)
        if parsed is None or name not in parsed.functions:
            return None
        facts = self._facts(parsed, *known)
        return facts, facts.functions[name]

    def call(self, full: str) -> tuple[ModuleElsewhere, cst.Call] | None:
        """The call whose value a name of a module certainly has, with that module: `rng = default_rng()`."""
        found = self._resolved(full)
        known = None if found is None else self._module(found[0])
        if found is None or known is None or found[0] == self._home.place.module:
            return None
        parsed = self._index.parsed(*found)
        if parsed is None:
            return None
        facts = self._facts(parsed, *known)
        return (facts, facts.calls[found[1]]) if found[1] in facts.calls else None

    def assigned(self, full: str) -> tuple[ModuleFacts, cst.BaseExpression] | None:
        """The expression that a name certainly stands for, whose value nobody changes in place or hands on."""
        found = self._resolved(full)
        known = None if found is None else self._module(found[0])
        if found is None or known is None or found[1] not in known[1].values:
            return None
        parsed = self._parsed(*found)
        if parsed is None or not self._is_left_alone(found[1]):
            return None
        for line in parsed.tree.body:
            for one in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                match one:
                    case (
                        cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value)
                        | cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value)
                    ) if name == found[1]:
                        return (parsed if parsed is self._home else self._facts(parsed, *known)), value
        return None

    def _is_left_alone(self, name: str) -> bool:
        """Whether no module changes in place what it calls so."""
        return not self._anything and not any(name in top.in_place for top in self._tops)

    def class_of(self, full: str) -> tuple[ParsedModule | ModuleElsewhere, cst.ClassDef] | None:
        """The class of that full name with its module, None if that is not certain."""
        found = self._resolved(full)
        known = None if found is None else self._module(found[0])
        if found is None or known is None:
            return None
        module, name = found
        parsed = self._parsed(module, name)
        nodes = () if parsed is None else parsed.tree.body
        classes = [one for one in nodes if isinstance(one, cst.ClassDef) and one.name.value == name]
        if parsed is None or len(classes) != 1:
            return None
        return (parsed if parsed is self._home else self._facts(parsed, *known)), classes[0]

    def constant(self, full: str) -> Literal | None:
        """The value of a constant of that full name ("pkg.limits.HIGH", "pkg.limits.Ages.HIGH"), None if not certain.

        Lists and dicts which somebody may change are none.
        """
        for outer, name in ((full, ""), (full.rpartition(".")[0], full.rpartition(".")[2])):
            found = self._resolved(outer) if "." in outer else None
            known = None if found is None else self._module(found[0])
            if found is None or known is None:
                continue
            parsed = self._parsed(found[0], found[1])
            if not name and found[1] in known[1].values and parsed is not None:
                value = parsed.constants.get(found[1])
                kept = isinstance(value, list | dict) and _is_flat(value) and self._is_left_alone(found[1])
                return value if kept else _immutable(value)
            attributes = (known[1].classes or {}).get(found[1], {})
            if name in attributes and name not in self._changed and parsed is not None:
                return _immutable(_value(attributes[name], parsed))
        return None

    def may_change(self, name: str) -> bool:
        """Whether some module may give a name, or an attribute of that name, to something else."""
        return self._anything or name in self._changed

    def keeps(self, name: str, value: Literal) -> bool:
        """Whether a constant of the home module keeps its value: nothing changes it in place, or by its name."""
        if self._anything or self.patches(f"{self._home.place.module}.{name}"):
            return False
        return _immutable(value) is not None or (name not in self._tops[0].in_place and _is_flat(value))

    def is_left_alone(self, facts: ModuleFacts, name: str) -> bool:
        """Whether it is a name of the home module, and nothing changes the object that it is given."""
        changed = self._anything or "columns" in self._changed or self.patches(f"{self._home.place.module}.{name}")
        return facts is self._home and not changed and name not in self._tops[0].in_place

    def has_module(self, name: str) -> bool:
        """Whether the project has a module of that name, which Python may import in place of an installed one."""
        return self._index.source(name) is not None

    def patches(self, full: str) -> bool:
        """Whether a module may give what a full name leads to ("numpy.abs", "builtins.abs") to something else.

        Or may be imported in place of the library, which a file of the project does that has its name.
        """
        if self._index.stands_in_for(full.partition(".")[0]):
            return True
        if not self._patched:
            return False
        within = any(f"{before}.{ANY}" in self._patched or before in self._patched for before in _beginnings(full))
        return full in self._patched or within or self.replaces(full.rpartition(".")[2])

    def replaces(self, attribute: str) -> bool:
        """Whether a module may give the attribute of that name of a thing that is not its own to something else.

        Names of attributes that objects of the project have are taken for these.
        """
        is_given = f"{UNKNOWN}.{attribute}" in self._patched
        return is_given and not any(attribute in top.fields for top in self._tops)

    def replaces_draws(self, family: str) -> bool:
        """Whether a module may change what the draws of a family of generators are made of."""
        libraries = {_LIBRARIES_OF_DRAWS.get(family, "numpy.random")}
        if family == PACKAGES:
            libraries = {full.partition(".")[0] for full in program_draws(PACKAGES)}
        inside = family == PYTHON and any(map(self.replaces, _INSIDE_OF_DRAWS))
        below = tuple(f"{library}." for library in libraries)
        return inside or any(one.startswith(below) for one in self._patched)

    @cached_property
    def overwritten(self) -> str | None:
        """What may bind any name of the home module, or change libraries in their inside; None if nothing does."""
        top = self._own
        if ANY in top.patched or EXEC in self._patched:
            return "exec, or an assignment to globals()"
        deep = next((one for one in sorted(self._patched) if is_deep(one)), None)
        if deep is not None:
            return f"what is assigned to {deep.replace(UNKNOWN, '...')}"
        stars = self._home.stars
        own = top_level("\n".join(self._home.lines), self._home.place.package).bound if top.stars else ()
        taken = {*dir(builtins), *own}
        for star in stars.through:
            bound = _STARS.get(star, frozenset(name for name, by in stars.sources if by == star))
            if star == stars.unknown or not (star in _STARS or self._module(star)) or not taken.isdisjoint(bound):
                return f"from {star} import *"
        return None

    def seeds(self, library: str) -> bool:
        """Whether a module seeds a library ("numpy.random") when it is imported: the home module, or one with it."""
        return any(f"{library}.seed" in top.seeds for top in self._tops)

    def exception(self, full: str) -> tuple[str, ...] | None:
        """The names of the exception class of that full name and of its bases, the last of which is a built-in one.

        None if it is none that shows itself as built-in ones do: it, and the classes that it is derived from, have
        nothing of their own, so that its text is that of a built-in.
        """
        names: list[str] = []
        for _ in range(_LONGEST):
            found = self._resolved(full)
            if found is None:
                return None
            module, own = found
            names.append(own)
            known = self._module(module)
            base = None if known is None else (known[1].bare or {}).get(own)
            if known is None or base is None or hasattr(builtins, own) or any(map(_is_special, self._changed)):
                return None
            if base in _PLAIN_EXCEPTIONS and base not in known[1].bound:
                return *names, base
            full = self.full_name(module, base) or ""
        return None

    def _resolved(self, full: str) -> tuple[str, str] | None:
        """The module that binds it, other than by handing it on, and its name there."""
        for _ in range(_LONGEST):
            module, _, name = full.rpartition(".")
            known = self._module(module) if module else None
            if known is None or name in self._changed or self._anything or not self._is_package_of(module):
                return None
            top = known[1]
            if name not in (top.imports or {}):
                certain = (top.functions, top.values, top.classes or {}, top.bare or {}, top.derived)
                return (module, name) if any(name in known for known in certain) else None
            full = (top.imports or {})[name]
        return None

    def _module(self, module: str) -> tuple[Path, TopLevel] | None:
        """The file of a module of the project and its top level, None if there is none or another one may be meant."""
        if module not in self._modules:
            self._modules[module] = self._read(module)
        return self._modules[module]

    def _read(self, module: str) -> tuple[Path, TopLevel] | None:
        home = self._home.place
        if module == home.module:
            return Path(), self._own
        if module.partition(".")[0] in _RUNNERS:
            return None
        found = self._index.source(module)
        if found is None:
            return None
        root, file, raw = found
        base = file.parent if file.name == "__init__.py" else file.with_suffix("")
        # Of a folder without `__init__.py`, another one of that name may be meant as well.
        bare = [one for one in _folders(module, root) if not (one / "__init__.py").is_file()]
        elsewhere = [other / one.relative_to(root) for one in bare for other in {*self._index.roots} - {root}]
        if any(map(Path.exists, elsewhere)) or any(_is_compiled(base)):
            return None
        text = text_of(raw)
        package = module if file.name == "__init__.py" else module.rpartition(".")[0]
        if text is None:
            return None
        return file, top_level(text, package, self._index.stars(text, package).certain)

    def _is_package_of(self, module: str) -> bool:
        """Whether the packages around a module bind its name to nothing else."""
        while "." in module:
            package, _, name = module.rpartition(".")
            known = self._module(package)
            if known is not None and name in known[1].bound and (known[1].imports or {}).get(name) != module:
                return False
            module = package
        return True

    def _parsed(self, module: str, name: str) -> ParsedModule | None:
        return self._home if module == self._home.place.module else self._index.parsed(module, name)

    def _facts(self, parsed: ParsedModule, file: Path, top: TopLevel) -> ModuleElsewhere:
        changed = self._changed
        constants = {
            name: value
            for name, value in parsed.constants.items()
            if name in top.values and name not in changed and _immutable(value) is not None
        }
        functions = {
            name: node for name, node in parsed.functions.items() if name in top.functions and name not in changed
        }
        calls = {name: node for name, node in parsed.calls.items() if name in top.values and name not in changed}
        return ModuleElsewhere(parsed, shown(file), constants, functions, calls)

    @cached_property
    def _tops(self) -> tuple[TopLevel, ...]:
        """The top levels of all modules of the project that are imported with the home module, and its own."""
        if self._others not in self._along:
            self._along[self._others] = imported_along(self._home, self._index.roots, self._others)
        tops, files = self._along[self._others]
        self._index.files |= files
        return tops

    @cached_property
    def _own(self) -> TopLevel:
        return top_level("\n".join(self._home.lines), self._home.place.package, self._home.stars.certain)

    @cached_property
    def _patched(self) -> frozenset[str]:
        return frozenset[str]().union(*(top.patched for top in self._tops))

    @cached_property
    def _changed(self) -> frozenset[str]:
        return frozenset[str]().union(*(top.changes for top in self._tops))

    @cached_property
    def _anything(self) -> bool:
        return any(top.anything for top in self._tops)


def _beginnings(full: str) -> Iterator[str]:
    """Of "a.b.c" these: "a" and "a.b"."""
    parts = full.split(".")
    yield from (".".join(parts[:number]) for number in range(1, len(parts)))


def _is_flat(value: Literal) -> bool:
    """Whether nothing in a list or dict may be changed in place."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(one is None or _immutable(one) is not None for one in items)


def _is_special(name: str) -> bool:
    return name.startswith("__")


def _folders(module: str, root: Path) -> Iterator[Path]:
    parts = module.split(".")[:-1]
    yield from (root.joinpath(*parts[: number + 1]) for number in range(len(parts)))


def _is_compiled(base: Path) -> Iterator[bool]:
    """For all files beside a module that Python may prefer to it."""
    found = base.parent.glob(f"{base.name}.*") if base.parent.is_dir() else ()
    yield from (one.suffix in _COMPILED for one in found)


def _value(node: ast.expr, module: ParsedModule) -> Literal | None:
    try:
        return read_value(node, module.names)
    except NotStaticError:
        return None


def _immutable(value: Literal | None) -> Literal | None:
    if isinstance(value, tuple):
        return value if all(one is None or _immutable(one) is not None for one in value) else None
    return None if isinstance(value, list | dict) else value
