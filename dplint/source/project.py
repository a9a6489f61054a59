"""One index of a project: where the functions are that its modules import from one another.

Of such a module the function is read with what it mentions, and nothing else. Followed are functions of the top level,
`from . import f` through as many modules as it takes, star imports of modules of the project too, and not: classes,
modules beside the folders that Python finds the own module by, and what is imported at run time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import libcst as cst

from dplint.source.bindings import AMBIGUOUS
from dplint.source.files import MISSING, ImportPlace, content_of, digest_of, module_files
from dplint.source.module import ParsedModule, ParseError, Stars, parse_module, stars_in
from dplint.source.slices import slice_module
from dplint.source.text import DecodeError, decode
from dplint.source.top_level import text_of

_LONGEST = 8
"""Imports that only hand a function on."""
_INSTALLED = ("site-packages", "dist-packages")
_KEPT = 256


@dataclass(frozen=True, slots=True)
class OtherFunction:
    """A function of another module.

    module: with all that the function mentions; the rest is left out. names: the words that it holds, and those of the
    functions beside it that it reaches.
    """

    module: ParsedModule
    node: cst.FunctionDef
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Holder:
    """Another module, the name that something has there, and the words that it holds, as `OtherFunction` has them."""

    module: ParsedModule
    name: str
    words: frozenset[str]


class ProjectIndex:
    """The functions that one module may reach in the others of its project.

    files: what was looked at so far, by path with a digest, as `file_digests` has them, of what is there and of what is
    missing: what was found is so as long as these are the same. roots: the folders that modules are looked for in.
    """

    def __init__(self, place: ImportPlace, *, alone: bool = False) -> None:
        """alone: no other module is looked for."""
        self.files: dict[str, str] = {}
        self.roots = () if alone else tuple(dict.fromkeys([place.import_root, place.project_root]))
        self._place = place
        self._known: dict[str, Holder | None] = {}
        self._stand_ins: dict[str, bool] = {}

    def function(self, full: str) -> OtherFunction | None:
        """The function of that full name ("pkg.noise.add_laplace"), None if no module of the project has it."""
        found = self.holder(full)
        node = None if found is None else found.module.functions.get(found.name)
        return None if found is None or node is None else OtherFunction(found.module, node, found.words)

    def source(self, module: str) -> tuple[Path, Path, bytes] | None:
        """Where a module of the project is found: the folder that Python imports it from, its file, and what it holds.

        None if it is no module of the project.
        """
        if not self._may_have(module):
            return None
        for root, file in self._candidates(module):
            raw = content_of(file)
            self.files[str(file)] = digest_of(raw)
            if raw is not None:
                return root, file, raw
        return None

    def stars(self, text: str, package: str) -> Stars:
        """What the star imports bind of a text whose relative imports start from the package."""
        return stars_in(text, package, self.source)

    def stands_in_for(self, library: str) -> bool:
        """Whether a file of the project has the name of a module of the standard library, `random.py` for one."""
        if library not in self._stand_ins:
            is_library = library in sys.stdlib_module_names and library not in sys.builtin_module_names
            places = self.roots if is_library and self._place.import_root.name not in _INSTALLED else ()
            files = [root / f"{library}{end}" for root in places for end in (".py", "/__init__.py")]
            digests = {str(one): digest_of(content_of(one)) for one in files}
            self.files |= digests
            self._stand_ins[library] = any(one != MISSING for one in digests.values())
        return self._stand_ins[library]

    def parsed(self, module: str, name: str) -> ParsedModule | None:
        """As much of a module of the project as the function or constant of that name needs, None if it has none."""
        found = self._read(module, name)
        return None if found is None else found[0]

    def holder(self, full: str) -> Holder | None:
        """The module that binds a name other than by handing it on: to a function, a class, a call or a constant."""
        if full not in self._known:
            self._known[full] = self._find(full)
        return self._known[full]

    def _find(self, full: str) -> Holder | None:
        for _ in range(_LONGEST):
            module, _, name = full.rpartition(".")
            found = self._read(module, name)
            if found is None:
                return None
            parsed, names = found
            if name in parsed.functions or name in parsed.calls or name in parsed.constants or _has_class(parsed, name):
                return Holder(parsed, name, names)
            full = parsed.aliases.get(name, AMBIGUOUS)
        return None

    def _may_have(self, module: str) -> bool:
        first = module.partition(".")[0]
        if not first or module == self._place.module or first in sys.stdlib_module_names:
            return False
        # Beside an installed package there are others, which are none of its project.
        return self._place.import_root.name not in _INSTALLED or first == self._place.module.partition(".")[0]

    def _read(self, module: str, name: str) -> tuple[ParsedModule, frozenset[str]] | None:
        """As much of a module as that name needs, and the words in that."""
        found = self.source(module)
        if found is None:
            return None
        root, file, raw = found
        place = ImportPlace(root, self._place.project_root, module, file.name == "__init__.py")
        return _parsed(raw, place, name, self.stars(text_of(raw) or "", place.package))

    def _candidates(self, module: str) -> Iterator[tuple[Path, Path]]:
        """Where the module may be, as far as its package exists."""
        for root in self.roots:
            first = root / module.partition(".")[0]
            if "." in module and not first.is_dir():
                self.files[str(first)] = MISSING
                continue
            yield from ((root, file) for file in module_files(module, root))


def _has_class(module: ParsedModule, name: str) -> bool:
    return any(isinstance(one, cst.ClassDef) and one.name.value == name for one in module.tree.body)


@lru_cache(maxsize=_KEPT)
def _parsed(raw: bytes, place: ImportPlace, name: str, stars: Stars) -> tuple[ParsedModule, frozenset[str]] | None:
    """What a text has under the name; None where it does not parse, which the check of that file tells."""
    try:
        text = decode(raw).removeprefix("\ufeff")
        slices = slice_module(text)
        wanted = [number for number, part in enumerate(slices.parts) if part.function == name]
        reached = slices.reach(wanted)
        words = (slices.parts[number] for number in reached if slices.parts[number].function is not None)
        return parse_module(slices.only(reached), place, stars), frozenset[str]().union(*(part.names for part in words))
    except (DecodeError, SyntaxError, ParseError):
        return None
