"""`while` loops without jumps, so that a turn is a branch like others: runs that are through wait for the rest.

    while test:                    going, turns = True, test
        first                      while some_go_on(turns):
        if at_last:         ->         if turns:
            break                          first
        second                             if at_last: going = False
                                           else: second
                                           turns = going and test
                                       else: turns = False

`break`, `continue` and `return` become flags and sides of branches (the structured-program theorem, Bohm and Jacopini
1966). A loop in which that cannot be said stays as it is: its runs part at each turn.

Which statements and values stay where they stand, so that they may be walked twice or worked out later.

The names of a function: which a branch sets, and which of these need not be joined, as nobody reads them later.
"""

from __future__ import annotations

import ast
from collections import Counter
from copy import deepcopy
from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Set

_LEAVING = tuple(
    getattr(ast, name)
    for name in (
        *("Return", "Raise", "Yield", "YieldFrom", "Await", "Delete", "Try", "TryStar", "With", "Import", "ImportFrom"),
        *("Global", "Nonlocal", "FunctionDef", "AsyncFunctionDef", "ClassDef", "Match", "AsyncFor", "AsyncWith"),
    )
    if hasattr(ast, name)
)


def may_wait(*values: ast.expr) -> bool:
    """Whether values may be worked out by a function of their own."""
    kinds = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
    return not any(isinstance(node, kinds) for value in values for node in ast.walk(value))


def leaves(body: Sequence[ast.AST], in_loop: bool = False) -> bool:
    """Whether statements may leave the place where they stand, or change what cannot be taken back."""
    for node in body:
        if isinstance(node, _LEAVING) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
            return True
        if isinstance(node, ast.Lambda):
            continue
        if leaves(list(ast.iter_child_nodes(node)), in_loop or isinstance(node, (ast.For, ast.While))):
            return True
    return False


def count_in_place_of_filter(items: ast.expr) -> None:
    """`sum(x for x in items if test)` adds 0 where the test fails: a filter would split lanes at each item."""
    if not isinstance(items, (ast.GeneratorExp, ast.ListComp)) or len(items.generators) != 1:
        return
    source = items.generators[0]
    if source.ifs and not source.is_async and may_wait(*source.ifs, items.elt):
        test = (
            source.ifs[0]
            if len(source.ifs) == 1
            else ast.copy_location(ast.BoolOp(ast.And(), source.ifs), source.ifs[0])
        )
        items.elt = ast.copy_location(
            ast.IfExp(test, items.elt, ast.copy_location(ast.Constant(0), items.elt)), items.elt
        )
        source.ifs = []


_JUMPS = (ast.Break, ast.Continue, ast.Return)
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


class Turns(NamedTuple):
    """A loop without jumps. before: what sets its flags. turns: the name that says which runs have another turn.

    body: of a turn, which ends with setting `turns`. after: the `return` that was in the loop.
    """

    before: List[ast.stmt]
    turns: str
    body: List[ast.stmt]
    after: List[ast.stmt]


def turns_of(loop: ast.While, fresh: Callable[[str], str]) -> Optional[Turns]:
    """The loop without jumps; None where that cannot be said. fresh: makes names that nobody has."""
    returns = [node for node in _of_the_loop(loop.body) if isinstance(node, ast.Return)]
    breaks = any(isinstance(node, ast.Break) for node in _of_the_loop(loop.body))
    for_ever = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    if loop.orelse or not may_wait(loop.test) or (returns and (breaks or not for_ever)):
        return None
    flags = _Flags(fresh("g"), fresh("u"), fresh("r"))
    body = flags.without_jumps(loop.body)
    if body is None or leaves(body):
        return None
    test: ast.expr = deepcopy(loop.test)  # what is rewritten is so in place
    before: List[ast.stmt] = []
    if breaks or returns:
        before = [_set(flags.going, ast.Constant(True))]
        test = _load(flags.going) if for_ever else ast.BoolOp(ast.And(), [_load(flags.going), test])
    if flags.skips:
        body.insert(0, _set(flags.turn, ast.Constant(True)))
    turns = fresh("w")
    after: List[ast.stmt] = [ast.Return(_load(flags.result))] if returns else []
    return Turns([*before, _set(turns, loop.test)], turns, [*body, _set(turns, test)], after)


class _Flags:
    """The names of the flags. skips: whether there is something to skip in a turn that has been left."""

    def __init__(self, going: str, turn: str, result: str) -> None:
        self.going, self.turn, self.result = going, turn, result
        self.skips = False

    def without_jumps(self, body: Sequence[ast.stmt]) -> Optional[List[ast.stmt]]:
        """Statements that do the same; None where a jump is inside of anything but branches."""
        made: List[ast.stmt] = []
        for number, statement in enumerate(body):
            if isinstance(statement, _JUMPS):
                return [*made, *self._jump(statement)]
            if not _may_jump(statement):
                made.append(statement)
                continue
            branch = self._branch(statement, body[number + 1 :])
            return None if branch is None else [*made, *branch]
        return made

    def _jump(self, jump: ast.stmt) -> List[ast.stmt]:
        made: List[ast.stmt] = []
        if isinstance(jump, ast.Return):
            made.append(ast.copy_location(_set(self.result, jump.value or ast.Constant(None)), jump))
        if not isinstance(jump, ast.Continue):
            made.append(_set(self.going, ast.Constant(False)))
        return [*made, _set(self.turn, ast.Constant(False))] if self.skips else made

    def _branch(self, statement: ast.stmt, rest: Sequence[ast.stmt]) -> Optional[List[ast.stmt]]:
        """A branch that may jump, and what follows it."""
        if not isinstance(statement, ast.If):
            return None
        skipping = bool(rest) and not (_always_jumps(statement.body) or _always_jumps(statement.orelse))
        self.skips = self.skips or skipping
        sides = []
        for side, other in ((statement.body, statement.orelse), (statement.orelse, statement.body)):
            goes_on = not skipping and _always_jumps(other) and not _always_jumps(side)
            sides.append(self.without_jumps([*side, *rest] if goes_on else side))
        body, orelse = sides
        if body is None or orelse is None:
            return None
        branch: ast.stmt = ast.copy_location(ast.If(statement.test, body or [ast.Pass()], orelse), statement)
        if not skipping:
            return [branch]
        following = self.without_jumps(rest)
        if following is None:
            return None
        return [branch, ast.copy_location(ast.If(_load(self.turn), following, []), statement)]


def _of_the_loop(body: Sequence[ast.AST]) -> List[ast.AST]:
    """The jumps of these statements that are no inner loop's; `return` is everybody's."""
    found: List[ast.AST] = []
    for node in body:
        if isinstance(node, _JUMPS):
            found.append(node)
        elif isinstance(node, _LOOPS):
            found += [inner for inner in ast.walk(node) if isinstance(inner, ast.Return)]
        elif not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            found += _of_the_loop(list(ast.iter_child_nodes(node)))
    return found


def _may_jump(statement: ast.stmt) -> bool:
    return bool(_of_the_loop([statement]))


def _always_jumps(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], _JUMPS)


def _set(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


OF_THE_FRAME = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})
"""Builtins that look at the frame that calls them."""


def stored_in(body: Sequence[ast.stmt]) -> Set[str]:
    """The names that statements set."""
    return {
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def loads_of(function: ast.AST) -> Dict[str, int]:
    """How often each name is read in a function; none are told where it looks at its own frame."""
    loads: Counter[str] = Counter()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Load, ast.Del)):
            loads[node.id] += 1
    return {} if set(loads) & OF_THE_FRAME - {"super"} else loads


def temporary(names: Set[str], sides: Sequence[Sequence[ast.stmt]], loads: Mapping[str, int]) -> Set[str]:
    """Those that nobody reads but these sides of a branch, each after it has set them: they need not be joined.

    loads: how often a name is read in the whole function.
    """
    every = [node for side in sides for statement in side for node in ast.walk(statement)]
    if any(isinstance(node, (ast.Lambda, ast.GeneratorExp)) for node in every):
        return set()
    read = [node.id for node in every if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {
        name
        for name in names
        if read.count(name) == loads.get(name, -1) and all(_sets_first(name, one) for one in sides)
    }


def _sets_first(name: str, side: Sequence[ast.stmt]) -> bool:
    """Whether what first mentions a name is an assignment to it alone."""
    for statement in side:
        mentions = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name]
        if mentions:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            return len(targets) == 1 and mentions == [targets[0]]
    return True
