"""What statements, calls and comprehensions bind: names to values, and arguments to parameters.

What the names of a module's top level mean: imports, constants, functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from dplint.claims import Literal
from dplint.source.files import ImportPlace
from dplint.source.identifiers import LongLiteral
from dplint.source.static_values import Names, NotStaticError, read_value
from dplint.source.top_level import StarNames
from dplint.source.walking import Walker, nodes_below
from dplint.syntax import parse_expression

_STARS: Mapping[str, tuple[str, ...]] = {
    "dplint": ("dp", "stable"),
    "math": ("log", "exp", "sqrt", "inf", "pi", "e"),
    "numpy.random": ("Generator",),
}
"""What a star import of these modules binds, as far as claims can use it."""

AMBIGUOUS = "<imported from several places>"

_TABLES = frozenset({"pandas.DataFrame", "polars.DataFrame", "pandas.read_csv", "polars.read_csv"})
_LITERALS = (
    cst.BaseNumber,
    cst.BaseString,
    cst.UnaryOperation,
    cst.BinaryOperation,
    cst.Tuple,
    cst.List,
    cst.ListComp,
    cst.Dict,
    cst.DictComp,
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    LongLiteral,
)


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """names: for reading claims; imports inside functions count too, and of two for one name the first.

    aliases: imports of the top level alone, `AMBIGUOUS` where a name is imported from two places.
    functions: those of the top level whose name is bound once. calls: what other such names are assigned, where that
    is a call.
    """

    names: Names
    aliases: Mapping[str, str]
    functions: Mapping[str, cst.FunctionDef]
    calls: Mapping[str, cst.Call]


def find_names(tree: cst.Module, place: ImportPlace, starred: StarNames = ()) -> ModuleNames:
    """What the names of the module mean. starred: what its star imports bind, unless it binds that itself."""
    collector = _Collector(place)
    collector.walk(tree)
    for name, full in starred:
        if name not in collector.bindings or name in collector.aliases:
            collector.bind_import(name, full)
    aliases = collector.inner_aliases | collector.aliases
    once = {name for name, count in collector.bindings.items() if count == 1}
    bound = frozenset(collector.bindings)
    constants: dict[str, Literal] = {}
    for target, node in _assignments(tree.body):
        wanted = [name for name in names_in_target(target) if name in once]
        if not wanted or not isinstance(node, _LITERALS):
            continue
        value = _read(tree, node, Names(aliases, constants, bound))
        dotted = dotted_name(node) or ""
        if value is not None:
            found = _unpacked(target, value)
            constants.update((name, found[name]) for name in wanted if found.get(name) is not None)
        elif isinstance(target, cst.Name) and dotted.partition(".")[0] in aliases:  # promise = dplint.dp
            aliases[target.value] = Names(aliases).full_name(dotted)
    functions = {name: node for name, node in collector.functions.items() if name in once}
    top = collector.aliases | dict.fromkeys(collector.ambiguous, AMBIGUOUS)
    calls = {
        target.value: node
        for target, node in _assignments(tree.body)
        if isinstance(target, cst.Name) and target.value in once and isinstance(node, cst.Call)
    }
    names = Names(aliases, constants, bound)
    return ModuleNames(replace(names, frames=_frames(tree, calls, names)), top, functions, calls)


def _frames(tree: cst.Module, calls: Mapping[str, cst.Call], names: Names) -> dict[str, Literal]:
    """What the tables are made of that are written out: the one argument of the call."""
    found: dict[str, Literal] = {}
    for name, call in calls.items():
        if names.full_name(dotted_name(call.func) or "") in _TABLES and len(call.args) == 1 and not call.args[0].star:
            value = _read(tree, call.args[0].value, names)
            if value is not None:
                found[name] = value
    return found


def dotted_name(node: cst.CSTNode | None) -> str | None:
    """`a.b.c` for a chain of attributes on a name, None for everything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        before = dotted_name(node.value)
        return None if before is None else f"{before}.{node.attr.value}"
    return None


def names_in_target(target: cst.CSTNode | None) -> Iterator[str]:
    """The names that an assignment to `target` binds."""
    match target:
        case cst.Name(value=name):
            yield name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from names_in_target(element.value)
        case cst.AsName(name=name):
            yield from names_in_target(name)
        case _:
            return


def imported(node: cst.Import | cst.ImportFrom, package: str) -> Iterator[tuple[str, str]]:
    """The names that an import binds, each with the full name of what it stands for; of stars those that are known.

    package: that of the module that it stands in, for relative imports.
    """
    module = "" if isinstance(node, cst.Import) else _absolute(dotted_name(node.module) or "", node.relative, package)
    if isinstance(node.names, cst.ImportStar):
        yield from ((name, f"{module}.{name}") for name in _STARS.get(module, ()))
        return
    for item in node.names:
        name = dotted_name(item.name)
        if name is None:
            continue
        full = f"{module}.{name}" if module else name
        if item.asname is not None:
            yield from ((bound, full) for bound in names_in_target(item.asname))
        elif isinstance(node, cst.Import):
            yield name.partition(".")[0], name.partition(".")[0]
        else:
            yield name, full


def _absolute(module: str, dots: Sequence[cst.Dot], package: str) -> str:
    """The full name of the module that is imported from."""
    if not dots:
        return module
    above = package.split(".") if package else []
    return ".".join([*above[: max(0, len(above) - len(dots) + 1)], *([module] if module else [])])


def _assignments(body: Sequence[cst.CSTNode]) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Targets and values of the assignments that are statements of the module itself, in no block."""
    for line in body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            match statement:
                case cst.Assign(targets=targets, value=value):
                    yield from ((one.target, value) for one in targets)
                case cst.AnnAssign(target=cst.Name() as target, value=cst.BaseExpression() as value):
                    yield target, value
                case _:
                    continue


def _unpacked(target: cst.BaseExpression, value: Literal) -> dict[str, Literal]:
    """What each name of a target is bound to: `LOW, HIGH = 0, 50` binds two. Nothing where the shapes differ."""
    match target:
        case cst.Name(value=name):
            return {name: value}
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            plain = not any(isinstance(element, cst.StarredElement) for element in elements)
            if plain and isinstance(value, list | tuple) and len(value) == len(elements):
                found: dict[str, Literal] = {}
                for element, item in zip(elements, value, strict=True):
                    found |= _unpacked(element.value, item)
                return found
    return {}


def _read(tree: cst.Module, node: cst.BaseExpression, names: Names) -> Literal:
    """The value of a constant; None where it has none that can be read (or is None, which nobody needs)."""
    try:
        return static_value(tree, node, names)
    except NotStaticError:
        return None


def static_value(tree: cst.Module, node: cst.BaseExpression, names: Names) -> Literal:
    """The value of an expression of the module.

    Raises:
        NotStaticError: it cannot be read without running the code.
    """
    try:
        return read_value(parse_expression(tree.code_for_node(node).strip()), names)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotStaticError(str(error)) from None


class _Collector(Walker):
    """Counts bindings at the top level, and gathers imports everywhere."""

    def __init__(self, place: ImportPlace) -> None:
        super().__init__()
        self.aliases: dict[str, str] = {}
        self.inner_aliases: dict[str, str] = {}
        self.ambiguous: set[str] = set()
        self.bindings: Counter[str] = Counter()
        self.functions: dict[str, cst.FunctionDef] = {}
        self._place = place
        self._depth = 0

    def _bind(self, target: cst.CSTNode | None) -> None:
        if self._depth == 0:
            self.bindings.update(names_in_target(target))

    def bind_import(self, name: str, full: str) -> None:
        """Note an import that binds a name, at the depth that the walk has come to."""
        if self._depth == 0:
            self.bindings[name] += 1
        aliases = self.aliases if self._depth == 0 else self.inner_aliases
        if aliases.setdefault(name, full) != full and self._depth == 0:
            self.ambiguous.add(name)

    def visit_Import(self, node: cst.Import) -> None:  # noqa: N802
        for name, full in imported(node, self._place.package):
            self.bind_import(name, full)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:  # noqa: N802
        for name, full in imported(node, self._place.package):
            self.bind_import(name, full)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self._bind(node.name)
        if self._depth == 0:
            self.functions[node.name.value] = node
        self._depth += 1

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:  # noqa: ARG002, N802
        self._depth -= 1

    def visit_ClassDef(self, node: cst.ClassDef) -> None:  # noqa: N802
        self._bind(node.name)
        self._depth += 1

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:  # noqa: ARG002, N802
        self._depth -= 1

    def visit_Global(self, node: cst.Global) -> None:  # noqa: N802
        self.bindings.update(item.name.value for item in node.names)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:  # noqa: N802
        self._bind(node.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:  # noqa: N802
        if node.value is not None:
            self._bind(node.target)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:  # noqa: N802
        self._bind(node.target)

    def visit_For(self, node: cst.For) -> None:  # noqa: N802
        self._bind(node.target)

    def visit_AsName(self, node: cst.AsName) -> None:  # noqa: N802
        self._bind(node.name)  # of `with`, `except` and, a second time and harmlessly, of `import`

    def visit_NamedExpr(self, node: cst.NamedExpr) -> None:  # noqa: N802
        self._bind(node.target)

    def visit_Del(self, node: cst.Del) -> None:  # noqa: N802
        self._bind(node.target)

    def visit_MatchAs(self, node: cst.MatchAs) -> None:  # noqa: N802
        self._bind(node.name)

    def visit_MatchStar(self, node: cst.MatchStar) -> None:  # noqa: N802
        self._bind(node.name)

    def visit_MatchMapping(self, node: cst.MatchMapping) -> None:  # noqa: N802
        self._bind(node.rest)


SCOPES = (cst.FunctionDef, cst.ClassDef, cst.Lambda)
"""What has names of its own."""
_TARGETS: Mapping[type[cst.CSTNode], str] = {
    **dict.fromkeys([cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr], "target"),
    cst.WithItem: "asname",
    cst.ExceptHandler: "name",
    cst.MatchAs: "name",
    cst.MatchStar: "name",
}
"""Where the target stands in what binds names."""
_NAMED = (cst.FunctionDef, cst.ClassDef)


def target_of(node: cst.CSTNode) -> cst.CSTNode | None:
    """What a node by itself assigns to, None if nothing."""
    place = _TARGETS.get(type(node))
    return None if place is None else getattr(node, place)


def bound_names(node: cst.CSTNode) -> set[str]:
    """The names that a statement binds, nested functions and classes left out, comprehensions too."""
    return set(binding_counts(node))


def binding_counts(node: cst.CSTNode) -> Counter[str]:
    """How often these statements bind each name, as `bound_names` sees it."""
    names: Counter[str] = Counter()
    for one in nodes_below(node, SCOPES):
        if type(one) in _NAMED:
            names[one.name.value] += 1  # type: ignore[attr-defined]
        elif type(one) in _TARGETS:
            names.update(names_in_target(target_of(one)))
    return names


def statements(block: cst.BaseSuite | cst.Module) -> Iterator[cst.CSTNode]:
    """The statements of a block or module, those that share a line one by one."""
    for one in block.body:
        yield from one.body if isinstance(one, cst.SimpleStatementLine) else (one,)


def all_parameters(node: cst.FunctionDef | cst.Lambda, *, variadic: bool = False) -> tuple[cst.Param, ...]:
    """The parameters of a function in their order. variadic: with `*args` and `**kwargs`, which come last."""
    params = node.params
    others = [one for one in (params.star_arg, params.star_kwarg) if isinstance(one, cst.Param)]
    return (*params.posonly_params, *params.params, *params.kwonly_params, *(others if variadic else ()))


def parameters_of(
    function: cst.FunctionDef | cst.Lambda, keywords: Sequence[str], *, bound: bool = False
) -> list[cst.Param | None]:
    """The parameter that each argument of a call is for: `*args` or `**kwargs` for what no other takes, None if none.

    keywords: of the arguments, "" for one that is given by its position. bound: the object gives the first parameter.
    """
    params = function.params
    ordered = [*params.posonly_params, *params.params]
    named = {
        one.name.value: one for one in (*params.params, *params.kwonly_params) if not (bound and one is ordered[0])
    }
    several = [one for one in (params.star_arg, params.star_kwarg) if isinstance(one, cst.Param)]
    rest = params.star_arg if isinstance(params.star_arg, cst.Param) else None
    positional = iter(ordered[bound:])
    found: list[cst.Param | None] = []
    for keyword in keywords:
        place = named.get(keyword, params.star_kwarg) if keyword else next(positional, rest)
        found.append(None if place in found and place not in several else place)
    return found


def keyword_of(argument: cst.Arg) -> str:
    """The keyword of an argument, "" if it has none."""
    return "" if argument.keyword is None else argument.keyword.value


def clauses_of(node: cst.BaseComp) -> Iterator[cst.CompFor]:
    """The loops of a comprehension, outer ones first."""
    part: cst.CompFor | None = node.for_in
    while part is not None:
        yield part
        part = part.inner_for_in
