"""From Python to Python: what may meet values by lane asks the runtime (`calls`), everything else stays as it is.

Rewritten are calls, branches without jumps, conditional expressions, `and`, `or`, `not`, chains of comparisons, `in`,
`is`, items, writes of items and attributes, augmented assignments, f-strings and what a loop goes through. Places are
kept, so that tracebacks show the user's lines.
"""

from __future__ import annotations

import ast
from typing import Any, Dict, List, Sequence, Set

from ..syntax import parse_text
from .loops import OF_THE_FRAME, count_in_place_of_filter, leaves, loads_of, may_wait, stored_in, temporary, turns_of

RUNTIME = "_dplint"
"""The global name by which rewritten code finds the runtime. It has one underscore: classes would mangle two."""
_OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.MatMult: "matmul",
}
_COMPARISONS = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.In: "in_",
    ast.NotIn: "not_in",
    ast.Is: "is_",
    ast.IsNot: "is_not",
}
_SCALARS = frozenset({"bool", "int", "float", "str", "complex", "bytes"})
_ASKED = frozenset({"in_", "not_in", "is_", "is_not"})
"""Comparisons that objects cannot answer by themselves."""


def rewritten(text: str, module: str) -> ast.Module:
    """The tree of a module's source, rewritten. Raises SyntaxError."""
    tree: ast.Module = _Rewriter(module).visit(parse_text(text))
    return ast.fix_missing_locations(tree)


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def _stored(text: str) -> ast.Name:
    return ast.Name(text, ast.Store())


def _asked(function: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(_name(RUNTIME), function, ast.Load()), list(args), [])


def _constant(value: Any) -> ast.Constant:
    """A constant of a kind that no source can write, a tuple of texts and numbers."""
    return ast.Constant(value)


def _later(value: ast.expr) -> ast.Lambda:
    """The value, worked out when it is asked for."""
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


class _Rewriter(ast.NodeTransformer):
    """See the module. depth: how many functions are around; the top level and bodies of classes are left alone."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._count = 0
        self._depth = 0
        self._outer: List[Set[str]] = [set()]
        self._global: List[Set[str]] = [set()]
        self._loads: List[Dict[str, int]] = [{}]

    def visit(self, node: ast.AST) -> Any:
        """The node in place of this one, at the same place in the source."""
        made = super().visit(node)
        for item in made if isinstance(made, list) else [made]:
            if (
                isinstance(item, ast.AST)
                and "lineno" in getattr(item, "_attributes", ())
                and not hasattr(item, "lineno")
            ):
                ast.copy_location(item, node)
        return made

    def _site(self) -> ast.Constant:
        self._count += 1
        return _constant((self._module, self._count))

    def _fresh(self, what: str) -> str:
        self._count += 1
        return f"{RUNTIME}_{what}{self._count}"

    # functions

    def visit_FunctionDef(self, node: Any) -> Any:
        """A function, be it one with `await`."""
        outer: Set[str] = set()
        as_globals: Set[str] = set()
        for inner in ast.walk(node):
            if isinstance(inner, (ast.Nonlocal, ast.Global)):
                outer.update(inner.names)
            if isinstance(inner, ast.Global):
                as_globals.update(inner.names)
        node.decorator_list = [_asked("decorator", self.visit(one)) for one in node.decorator_list]
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        node.args.kw_defaults = [one and self.visit(one) for one in node.args.kw_defaults]
        self._outer.append(outer)
        self._global.append(as_globals)
        self._loads.append(loads_of(node))
        self._depth += 1
        node.body = self._block(node.body)
        self._depth -= 1
        self._loads.pop()
        self._global.pop()
        self._outer.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - as `ast` calls it

    def _block(self, body: List[ast.stmt]) -> List[ast.stmt]:
        made: List[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            made.extend(new if isinstance(new, list) else [] if new is None else [new])
        return made

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """A body of a class, whose methods are rewritten."""
        depth, self._depth = self._depth, 0
        self.generic_visit(node)
        self._depth = depth
        return node

    # expressions

    def visit_Call(self, node: ast.Call) -> Any:
        """A call."""
        if isinstance(node.func, ast.Name):
            if node.func.id in OF_THE_FRAME:
                return self.generic_visit(node)
            if node.func.id == "sum" and len(node.args) == 1:
                count_in_place_of_filter(node.args[0])
        self.generic_visit(node)
        called = _asked("call")
        called.args, called.keywords = [node.func, *node.args], node.keywords
        return called

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """A conditional expression."""
        waits = self._depth and may_wait(node.body, node.orelse)
        self.generic_visit(node)
        if not waits:
            return node
        return _asked("if_expression", self._site(), node.test, _later(node.body), _later(node.orelse))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """`and` and `or`."""
        waits = self._depth and may_wait(*node.values)
        self.generic_visit(node)
        if not waits:
            return node
        conjunction = ast.Constant(isinstance(node.op, ast.And))
        return _asked("bool_operation", self._site(), conjunction, *map(_later, node.values))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """`not`."""
        self.generic_visit(node)
        return _asked("not_", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """`%`, which may format."""
        self.generic_visit(node)
        return _asked("modulo", node.left, node.right) if isinstance(node.op, ast.Mod) else node

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Comparisons; a chain is one after the other."""
        if len(node.ops) > 1:
            waits = self._depth and may_wait(*node.comparators)
            self.generic_visit(node)
            if not waits:
                return node
            names = tuple(_COMPARISONS[type(one)] for one in node.ops)
            return _asked("chain", self._site(), _constant(names), node.left, *map(_later, node.comparators))
        self.generic_visit(node)
        name = _COMPARISONS[type(node.ops[0])]
        return _asked(name, node.left, node.comparators[0]) if name in _ASKED else node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """An item that is read."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not self._depth:
            return node
        return _asked("get_item", node.value, _index(node.slice))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        """An f-string."""
        self.generic_visit(node)
        if not self._depth:
            return node
        parts: List[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                spec = value.format_spec or ast.Constant("")
                parts.append(ast.Tuple([value.value, ast.Constant(value.conversion), spec], ast.Load()))
            else:
                parts.append(value)
        return _asked("text", *parts)

    def visit_Dict(self, node: ast.Dict) -> Any:
        """A dict that is written out."""
        self.generic_visit(node)
        if self._depth:
            node.keys = [
                key if key is None or isinstance(key, ast.Constant) else _asked("key_of", key) for key in node.keys
            ]
        return node

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        """A comprehension of a dict."""
        self.generic_visit(node)
        node.key = _asked("key_of", node.key)
        return node

    def visit_Set(self, node: ast.Set) -> Any:
        """A set that is written out."""
        self.generic_visit(node)
        node.elts = [
            one if isinstance(one, (ast.Constant, ast.Starred)) else _asked("key_of", one) for one in node.elts
        ]
        return node

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        """A comprehension of a set."""
        self.generic_visit(node)
        node.elt = _asked("key_of", node.elt)
        return node

    # statements

    def visit_For(self, node: ast.For) -> Any:
        """A loop."""
        self.generic_visit(node)
        node.iter = _asked("loop_over", node.iter)
        return node

    def visit_Match(self, node: Any) -> Any:
        """`match`: patterns for types and for None, True and False look at an object as only Python does."""
        looks = any(
            type(inner).__name__ == "MatchSingleton"
            or (type(inner).__name__ == "MatchClass" and getattr(getattr(inner, "cls", None), "id", "") in _SCALARS)
            for inner in ast.walk(node)
        )
        self.generic_visit(node)
        if looks and self._depth:
            node.subject = _asked("matched", node.subject)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """A handler: one of everything must not take what gives up a path."""
        self.generic_visit(node)
        if node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "BaseException"):
            node.type = _name("Exception")
        return node

    def _store(self, target: ast.expr, value: ast.expr) -> List[ast.stmt]:
        """Statements that assign the value, which is read once, to the target."""
        if isinstance(target, ast.Subscript):
            return [ast.Expr(_asked("set_item", target.value, _index(target.slice), value))]
        if isinstance(target, ast.Attribute):
            return [ast.Expr(_asked("set_attribute", target.value, ast.Constant(target.attr), value))]
        stored = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
        assigned: ast.stmt = ast.Assign([target], value)
        if stored & self._global[-1]:
            return [ast.Expr(_asked("keeps_state")), assigned]
        return [ast.Expr(_asked("impure")), assigned] if stored & self._outer[-1] else [assigned]

    def _placed(self, statements: List[ast.stmt], node: ast.AST) -> List[ast.stmt]:
        for statement in statements:
            ast.copy_location(statement, node)
        return statements

    def visit_Assign(self, node: ast.Assign) -> Any:
        """An assignment."""
        self.generic_visit(node)
        if not self._depth:
            return node
        writes = any(
            isinstance(one, (ast.Subscript, ast.Attribute)) and isinstance(one.ctx, ast.Store)
            for target in node.targets
            for one in ast.walk(target)
        )
        if len(node.targets) == 1 and not writes:
            return self._placed(self._store(node.targets[0], node.value), node)
        held = self._fresh("v")
        made: List[ast.stmt] = [ast.Assign([_stored(held)], node.value)]
        for target in node.targets:
            made += self._unpacked(target, held)
        return self._placed(made, node)

    def _unpacked(self, target: ast.expr, held: str) -> List[ast.stmt]:
        if not isinstance(target, (ast.Tuple, ast.List)):
            return self._store(target, _name(held))
        names = [self._fresh("t") for _ in target.elts]
        parts: List[ast.expr] = [
            ast.Starred(_stored(name), ast.Store()) if isinstance(one, ast.Starred) else _stored(name)
            for name, one in zip(names, target.elts)
        ]
        made: List[ast.stmt] = [ast.Assign([ast.Tuple(parts, ast.Store())], _name(held))]
        for name, one in zip(names, target.elts):
            made += self._unpacked(one.value if isinstance(one, ast.Starred) else one, name)
        return made

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """An assignment with an annotation."""
        if not self._depth:
            if node.value is not None:
                node.value = self.visit(node.value)
            return node
        if node.value is None:
            return node
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`target op= value`."""
        self.generic_visit(node)
        if not self._depth:
            return node
        operator, target = ast.Constant(_OPERATORS[type(node.op)]), node.target
        if isinstance(target, ast.Name):
            new = _asked("in_place", operator, _name(target.id), node.value)
            return self._placed(self._store(_stored(target.id), new), node)
        owner, made = self._fresh("o"), self._fresh("v")
        statements: List[ast.stmt] = [ast.Assign([_stored(owner)], target.value)]
        if isinstance(target, ast.Attribute):
            read: ast.expr = ast.Attribute(_name(owner), target.attr, ast.Load())
            place: ast.expr = ast.Attribute(_name(owner), target.attr, ast.Store())
        else:
            index = self._fresh("i")
            statements.append(ast.Assign([_stored(index)], _index(target.slice)))
            read = _asked("get_item", _name(owner), _name(index))
            place = ast.Subscript(_name(owner), _name(index), ast.Store())
        statements.append(ast.Assign([_stored(made)], _asked("in_place", operator, read, node.value)))
        return self._placed(statements + self._store(place, _name(made)), node)

    def visit_Delete(self, node: ast.Delete) -> Any:
        """`del`, which cannot be taken back."""
        self.generic_visit(node)
        return self._placed([ast.Expr(_asked("impure")), node], node)

    def visit_Try(self, node: ast.Try) -> Any:
        """What catches exceptions says so."""
        self.generic_visit(node)
        jumps = (ast.Return, ast.Break, ast.Continue)
        if node.handlers or any(isinstance(one, jumps) for last in node.finalbody for one in ast.walk(last)):
            node.body.insert(0, ast.Expr(_asked("catches")))
        return node

    def visit_With(self, node: ast.With) -> Any:
        """So may a context manager."""
        self.generic_visit(node)
        for item in node.items:
            item.context_expr = _asked("entered", item.context_expr)
        return node

    def visit_If(self, node: ast.If) -> Any:
        """A branch: without jumps it may be walked on both sides, else a test that differs splits lanes."""
        both: List[ast.stmt] = node.body + node.orelse
        stored = stored_in(both)
        joined = self._depth and not leaves(both) and not stored & self._outer[-1]
        stored -= temporary(stored, (node.body, node.orelse), self._loads[-1])
        node.test = self.visit(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return self._walked(node, sorted(stored)) if joined else node

    def visit_While(self, node: ast.While) -> Any:
        """A loop that may turn as often as noise says."""
        made = turns_of(node, self._fresh) if self._depth else None
        if made is None:
            return self.generic_visit(node)
        ended: List[ast.stmt] = [ast.Assign([_stored(made.turns)], ast.Constant(False))]
        turn = ast.copy_location(ast.If(_name(made.turns), made.body, ended), node)
        loop = ast.While(_asked("some_go_on", _name(made.turns)), self._block([turn]), [])
        return self._placed([*self._block(made.before), loop, *self._block(made.after)], node)

    def _walked(self, node: ast.If, names: Sequence[str]) -> List[ast.stmt]:
        """The sides of a branch in a loop over those that are walked."""
        branch, side = self._fresh("k"), self._fresh("s")
        before = _asked("begin", self._site(), node.test, _constant(tuple(names)), _variables())
        walked = ast.If(_name(side), node.body, node.orelse or [ast.Pass()])
        targets: ast.expr = (
            ast.Tuple([_stored(name) for name in names], ast.Store()) if names else _stored(self._fresh("n"))
        )
        ended = ast.Call(ast.Attribute(_name(branch), "ended", ast.Load()), [_variables()], [])
        is_branch = _asked("is_branch", _name(branch))
        load = ast.If(is_branch, [ast.Assign([targets], ended)], [])
        failed = ast.ExceptHandler(
            _name("Exception"),
            None,
            [ast.If(is_branch, [ast.Raise(_asked("given_up"), ast.Constant(None))], []), ast.Raise(None, None)],
        )
        loop = ast.For(
            _stored(side),
            _asked("sides", _name(branch)),
            [ast.Try([walked, load], [failed], [], [])],
            [],
            None,
        )
        return self._placed([ast.Assign([_stored(branch)], before), loop], node)


def _variables() -> ast.Call:
    return ast.Call(_name("locals"), [], [])


def _index(index: ast.expr) -> ast.expr:
    """An index as a value."""
    if isinstance(index, ast.Slice):
        return ast.Call(
            _name("slice"), [one or ast.Constant(None) for one in (index.lower, index.upper, index.step)], []
        )
    if isinstance(index, ast.Tuple):
        return ast.Tuple([_index(one) for one in index.elts], ast.Load())
    return index
