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
"""

from __future__ import annotations

import ast
from copy import deepcopy
from typing import Callable, List, NamedTuple, Optional, Sequence

from .leaving import leaves, may_wait

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
