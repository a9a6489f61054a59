"""What code of a module does to things that other names lead to: it gives attributes of libraries to something else.

Told by full names: `np.abs = f` gives "numpy.abs" to something else, `globals()["abs"] = f` "builtins.abs". Of what no
import leads to only the last part is known, as "?.abs": a parameter or the value of a call may be a class of a library,
whose methods are called by their names alone. Not so where the value is data, which nobody could call, and not of
`self` and `cls` and of what the module defines itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dplint.syntax import parse_text

ANY = "*"
"""Any name of the module, and any of the builtins in it."""
EXEC = "exec"
"""Any name of any module."""
UNKNOWN = "?"
_DEFINING = frozenset({"__bases__", "__class__", "__code__", "__defaults__", "__kwdefaults__"})
"""Attributes by which a class or function becomes another one."""
_READ_LIBRARIES = frozenset({"collections", "fractions", "numpy", "pandas", "polars", "random", "scipy"})
_MODULE_AND_NAME = 2
_SETTINGS = frozenset({"Config", "options"})
_TELLING = frozenset(
    f"__{name}__"
    for name in """
    all annotations author cause context dict doc file module name notes package path qualname signature
    suppress_context test traceback version wrapped
    """.split()  # noqa: SIM905
)
"""Special attributes that only tell of a thing."""
_SETTERS = frozenset({"__delattr__", "__setattr__", "curse", "delattr", "delitem", "patch", "setattr", "setitem"})
_NAMESPACES = frozenset({"globals", "vars", "locals"})
_OWN = frozenset({"globals", "locals"})
_ITEMS = frozenset({"delitem", "setitem"})
_MOCKING = frozenset({"mocker", "patch"})
_RECEIVERS = frozenset({"self", "cls"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_DISPLAYS = ast.Dict | ast.DictComp | ast.GeneratorExp | ast.List | ast.ListComp | ast.Set | ast.SetComp | ast.Tuple
_DATA = _DISPLAYS | ast.BinOp | ast.Compare | ast.Constant | ast.JoinedStr | ast.UnaryOp
_GIVING_DATA = frozenset("abs bool dict float int len list max min repr round set sorted str sum tuple".split())  # noqa: SIM905


def patched(nodes: Sequence[ast.AST], imported: Mapping[str, str]) -> frozenset[str]:
    """The full names. nodes: of a module. imported: what names stand for that are imported anywhere in it."""
    known = {**imported, "__builtins__": "builtins"}
    for one in nodes:
        if isinstance(one, ast.Assign) and (path := _path(one.value, known)):
            known |= {target.id: path for target in one.targets if isinstance(target, ast.Name)}
    reader = _Patches(known, _own(nodes, known), _data(nodes, known))
    return frozenset(name for node in nodes for name in reader.of(node))


def fields(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names of attributes that classes of a module give their own objects."""
    inside = [one for node in nodes if isinstance(node, ast.ClassDef) for one in node.body]
    assigned = [target for one in inside for target, _ in _targets(one)]
    assigned += [one.target for one in inside if isinstance(one, ast.AnnAssign)]
    of_self = (one.attr for one in nodes if isinstance(one, ast.Attribute) and _is_self(one))
    return frozenset({*(one.id for one in assigned if isinstance(one, ast.Name)), *of_self})


def _is_self(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _own(nodes: Sequence[ast.AST], known: Mapping[str, str]) -> frozenset[str]:
    """Names that only classes and functions of the module have, and those of the receivers of its methods."""
    defined = {one.name for one in nodes if isinstance(one, ast.ClassDef | _Function)}
    bound = {one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    methods = {one for node in nodes if isinstance(node, ast.ClassDef) for one in node.body}
    given = {
        one.arg
        for node in nodes
        if isinstance(node, _Function | ast.Lambda) and node not in methods
        for one in ast.walk(node.args)
        if isinstance(one, ast.arg)
    }
    return frozenset((defined | _RECEIVERS) - bound - given - known.keys())


def _data(nodes: Sequence[ast.AST], known: Mapping[str, str]) -> frozenset[str]:
    """Names that nothing but data is assigned to."""
    assigned = {
        id(one.targets[0]) for one in nodes if isinstance(one, ast.Assign) and _is_data(one.value, known, frozenset())
    }
    assigned |= {id(one.target) for one in nodes if isinstance(one, ast.AugAssign)}
    bound: dict[str, bool] = {}
    for one in nodes:
        match one:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound[name] = bound.get(name, True) and id(one) in assigned
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound[name] = False
    return frozenset(name for name, is_data in bound.items() if is_data and name not in known)


def _is_data(node: ast.expr | None, known: Mapping[str, str], data: frozenset[str]) -> bool:
    """Whether nobody could call it, nor would Python look at it as a property."""
    match node:
        case ast.Name(id=name):
            return name in data
        case ast.IfExp(body=one, orelse=other):
            return _is_data(one, known, data) and _is_data(other, known, data)
        case ast.BoolOp(values=values):
            return all(_is_data(one, known, data) for one in values)
        case ast.Call(func=ast.Name(id=name)):
            return name in _GIVING_DATA and name not in known
        case ast.Call(func=function):
            return (_path(function, known) or "").partition(".")[0] in ("math", "numpy")
        case _:
            return isinstance(node, _DATA)


@dataclass(frozen=True, slots=True)
class _Patches:
    """known: what names stand for that are imported. own: names of the module's own things. data: names of data."""

    known: Mapping[str, str]
    own: frozenset[str]
    data: frozenset[str]

    def of(self, node: ast.AST) -> Iterator[str]:
        """What a node gives to something else."""
        for target, value in _targets(node):
            yield from self._target(target, value)
        if isinstance(node, ast.Call):
            yield from _registered(node) or self._call(node)
        elif isinstance(node, ast.FunctionDef):
            is_method = any(_registers(word) for one in node.decorator_list for word in words(one))
            yield from [f"{UNKNOWN}.{node.name}"] if is_method else ()

    def _target(self, target: ast.expr, value: ast.expr | None) -> Iterator[str]:
        match target:
            case ast.Tuple(elts=items) | ast.List(elts=items):
                for one in items:
                    yield from self._target(one, None)
            case ast.Starred(value=inner):
                yield from self._target(inner, None)
            case ast.Attribute(ctx=ast.Del()) if _path(target, self.known) is None:
                pass
            case ast.Attribute(value=whole, attr=name):
                yield from self._named(whole, [name], value)
            case ast.Subscript(value=whole, slice=key) if is_namespace(whole):
                yield from self._in_namespace(whole, [*_strings(key)], value)

    def _call(self, node: ast.Call) -> Iterator[str]:
        called = words(node.func)
        if "patch" in called and not self._is_mock(node.func):
            called -= {"patch"}
        match node:
            case ast.Call(func=ast.Attribute(value=whole, attr="update" | "setdefault")) if is_namespace(whole):
                yield from self._in_namespace(whole, _keys(node), None)
            case ast.Call(func=ast.Name(id="exec")) | ast.Call(func=ast.Attribute(attr="exec", value=ast.Name())):
                yield from self._executed(node)
            case ast.Call(args=[ast.Constant(value=str() as full), *_]) if called & {"patch", "setattr"}:
                yield from (full, f"{UNKNOWN}.{full.rpartition('.')[2]}")
                yield from (name for one in _keys(node) for name in (one, f"{full}.{one}", f"{UNKNOWN}.{one}"))
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__setattr__")):
                pass
            case ast.Call(func=ast.Attribute(value=whole, attr="__setattr__"), args=[name_given, value]):
                yield from self._named(whole, [*_strings(name_given)] or [ANY], value)
            case ast.Call(args=[whole, *given]) if not _SETTERS.isdisjoint(called):
                names = [*_strings(given[0])] if given else _keys(node)
                if is_namespace(whole):
                    yield from self._in_namespace(whole, names, [*given, None, None][1])
                elif called.isdisjoint(_ITEMS):
                    yield from self._named(whole, names or [ANY], [*given, None, None][1])

    def _is_mock(self, function: ast.expr) -> bool:
        """Whether a call of `patch` is one of `unittest.mock`, or may be."""
        root = _root(function)
        if not isinstance(root, ast.Name) or root.id in _MOCKING:
            return True
        return self.known.get(root.id, "").partition(".")[0] in ("mock", "unittest")

    def _executed(self, node: ast.Call) -> Iterator[str]:
        """What the text gives to something else that is executed, where it can be read."""
        match node:
            case ast.Call(func=ast.Name(), args=[ast.Constant(value=str() as text)]):
                yield ANY
                try:
                    nodes = list(ast.walk(parse_text(text)))
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    return
                if any(isinstance(one, ast.Import | ast.ImportFrom) for one in nodes):
                    yield EXEC
                yield from (name for one in nodes for name in self.of(one))
            case ast.Call(func=ast.Name()):
                yield from (ANY, EXEC)

    def _named(self, whole: ast.expr, names: list[str], value: ast.expr | None) -> Iterator[str]:
        """Attributes of a thing. value: what they get; None where that is not known."""
        path, root = _path(whole, self.known), _root(whole)
        receiver = isinstance(whole, ast.Name) and whole.id in _RECEIVERS & self.own
        yield from (f"{UNKNOWN}.{name}" for name in names if name in _DEFINING and not receiver)
        is_data = value is not None and _is_data(value, self.known, self.data)
        if path is not None:
            yield from (f"{path}.{name}" for name in names)
        elif isinstance(root, ast.Name) and root.id in self.own:
            return
        if not is_data or not isinstance(root, ast.Name):
            yield from (f"{UNKNOWN}.{name}" for name in names if name != ANY or path is None)

    def _in_namespace(self, whole: ast.expr, names: list[str], value: ast.expr | None) -> Iterator[str]:
        match whole:
            case ast.Call(func=ast.Name(id=name), args=[]) if name in _OWN or name == "vars":
                yield from (f"builtins.{one}" for one in names) if names else (ANY,)
            case ast.Call(args=[inner]) | ast.Attribute(value=inner, attr="__dict__"):
                yield from self._named(inner, names or [ANY], value)
            case _:  # sys.modules
                yield from names or (EXEC,)


def _targets(node: ast.AST) -> list[tuple[ast.expr, ast.expr | None]]:
    """What a node assigns to or deletes, and the value where that is one."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return [(one, value) for one in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return [(target, value)]
        case ast.AugAssign(target=target, op=op):
            return [(target, ast.BinOp(target, op, target))]
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            return [(target, None)]
        case ast.withitem(optional_vars=ast.expr() as target):
            return [(target, None)]
        case ast.Delete(targets=targets):
            return [(one, None) for one in targets]
    return []


def _registered(node: ast.Call) -> list[str]:
    """The method or accessor that tables get by a call."""
    if not any(map(_registers, words(node.func))):
        return []
    return [f"{UNKNOWN}.{name}" for name in [*_strings(node.args[0])] or [ANY]] if node.args else []


def is_deep(patched: str) -> bool:
    """Whether it changes what other things of a library are made of, or what operators and items are."""
    parts = patched.split(".")
    if parts[0] == UNKNOWN:
        return parts[1] == ANY or parts[1] in _DEFINING or (parts[1].startswith("__") and parts[1] not in _TELLING)
    return parts[0] in _READ_LIBRARIES and len(parts) > _MODULE_AND_NAME and parts[1] not in _SETTINGS


def _registers(word: str) -> bool:
    """Whether it is the name of what gives tables a method or an accessor."""
    return word.startswith("register_") and word.endswith(("_accessor", "_method", "_namespace"))


def _keys(node: ast.Call) -> list[str]:
    """The keys that a call is given, by keywords or in a dict; none if they cannot be read."""
    given = [key for one in node.args if isinstance(one, ast.Dict) for key in one.keys]
    texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [*texts, *(one.arg for one in node.keywords if one.arg is not None)]


def _path(node: ast.expr, known: Mapping[str, str]) -> str | None:
    """The full name of what a chain of attributes leads to, from an import on."""
    match node:
        case ast.Name(id=name):
            return known.get(name)
        case ast.Attribute(value=whole, attr=name):
            before = _path(whole, known)
            return None if before is None else f"{before}.{name}"
        case _:
            return None


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def words(node: ast.expr) -> set[str]:
    """`a`, `b` and `c` of `a.b.c`."""
    return {
        one.id if isinstance(one, ast.Name) else one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Name | ast.Attribute)
    }


def _strings(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def is_namespace(node: ast.expr) -> bool:
    """`globals()`, `vars(x)`, `x.__dict__`, `sys.modules`."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _NAMESPACES
        case ast.Attribute(attr="__dict__" | "modules") | ast.Name(id="modules"):
            return True
        case _:
            return False
