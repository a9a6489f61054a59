"""Records of which each is worked on by itself, with noise of its own.

Lemma. Data of n records is walked by one loop. What a turn does hangs on its record, on the arguments and on noise that
it draws itself; it gives something to one list, and leaves nothing else behind. Then what turns give is independent. Of
data that differ in one record, all turns but one have the same law. So no outcome is more than e^epsilon times likelier
on one of them if none is for a single record; and what is made of the list is post-processing.

This is parallel composition (McSherry, Privacy Integrated Queries, SIGMOD 2009, theorem 4), of data of one length:
where a record is added, another turn shows. The whole proof: docs/proofs.md, lemma 37.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dplint.claims import Mechanism
from dplint.inputs.forms import data_form
from dplint.program import nodes as ir
from dplint.program.liveness import live_before
from dplint.program.walk import bound_names, children, draws, walk
from dplint.relations import Neighbourhood, relation_of

_FRESH = (ir.ListDisplay, ir.DictDisplay, ir.Comprehension)
_GIVING = ("append", "extend")


def for_one_record(program: ir.Program, mechanism: Mechanism) -> ir.Program | None:
    """What a program gives to its list of data of one record; None where its records are not known to be on their own.

    program: with comprehensions of its own block as loops.
    """
    replaced = relation_of(mechanism.claim).definition is Neighbourhood.ONE_REPLACED
    if not replaced or data_form(mechanism) not in ("list", "tuple") or mechanism.claim.pairs is not None:
        return None
    if program.observed or program.seeded or program.data is None or not _is_plain(program):
        return None
    place = next((number for number, node in enumerate(program.body) if _walks(node, program.data)), None)
    if place is None:
        return None
    before, loop, after = program.body[:place], program.body[place], program.body[place + 1 :]
    assert isinstance(loop, ir.For)
    given = _given(loop)
    if given is None or not _is_empty(before, given) or not _is_on_its_own(loop, given, program.shared):
        return None
    turn = bound_names([loop, *walk(loop.body)]) - {given}
    if any(draws(node) for node in walk(before)) or program.data in turn or _names(before) & {program.data}:
        return None
    if program.data in _names(loop.body) or turn & _names(after) or not _is_counted(after, program.data):
        return None
    return replace(program, body=(*before, loop, ir.Return(ir.Name(given, loop.span), loop.span)))


def _is_plain(program: ir.Program) -> bool:
    """Whether all of it is understood, and its helpers neither draw nor change what they are given."""
    inside = [node for function in program.functions for node in walk(function.body)]
    changed = any(draws(node) or isinstance(node, ir.Update | ir.ItemTarget | ir.AugAssign) for node in inside)
    return not changed and not any(isinstance(node, ir.Opaque) for node in walk(program))


def _walks(node: ir.Node, data: str) -> bool:
    return isinstance(node, ir.For) and isinstance(node.iterable, ir.Name) and node.iterable.id == data


def _given(loop: ir.For) -> str | None:
    """The list to which turns give."""
    names = {node.name.id for node in walk(loop.body) if isinstance(node, ir.Update) and node.method in _GIVING}
    names -= _made(loop.body)
    return names.pop() if len(names) == 1 and not loop.orelse else None


def _made(body: Sequence[ir.Statement]) -> set[str]:
    """The names that are assigned new lists and dicts, and nothing else; an item of theirs may be."""
    assigned: dict[str, bool] = {}
    for node in walk(body):
        if isinstance(node, ir.For | ir.Clause | ir.Assign | ir.AugAssign) and not _sets_item(node):
            fresh = isinstance(node, ir.Assign) and _is_fresh(node.value)
            assigned |= {name: assigned.get(name, True) and fresh for name in bound_names([node])}
    return {name for name, fresh in assigned.items() if fresh}


def _is_fresh(value: ir.Expression) -> bool:
    """Whether nobody else holds it: `[0] * k` of numbers, too."""
    if isinstance(value, ir.Binary) and value.operator == "*":
        value = value.left
    return isinstance(value, _FRESH)


def _sets_item(node: ir.Node) -> bool:
    return isinstance(node, ir.Assign) and all(isinstance(one, ir.ItemTarget) for one in node.targets)


def _is_empty(before: Sequence[ir.Statement], given: str) -> bool:
    """Whether the list is a new one without items as the loop begins, which no other name holds."""
    stated = [node for node in before if given in bound_names([node])]
    named = [node for node in walk(before) if isinstance(node, ir.Name) and node.id == given]
    made = stated[0] if len(stated) == len(named) == 1 else None
    return isinstance(made, ir.Assign) and made.value == ir.ListDisplay((), made.value.span)


def _is_on_its_own(loop: ir.For, given: str, shared: frozenset[str]) -> bool:
    """Whether a turn leaves nothing behind but what it gives, and nothing ends the loop before its last record.

    shared: names of what others may hold, too.
    """
    nodes = list(walk(loop.body))
    if any(isinstance(node, ir.Return | ir.Raise) for node in nodes) or _breaks(loop.body):
        return False
    target = bound_names([loop])
    changed = bound_names(nodes) | target
    held = {node.name.id for node in nodes if isinstance(node, ir.Update | ir.ItemTarget)} - {given}
    added = bound_names(node for node in nodes if isinstance(node, ir.AugAssign))
    if not held <= _made(loop.body) or (held | added) & shared or (live_before(loop.body) - target - {given}) & changed:
        return False
    giving = [node.method for node in nodes if isinstance(node, ir.Update) and node.name.id == given]
    named = sum(isinstance(node, ir.Name) and node.id == given for node in nodes)
    return named == len(giving) and {*giving} <= {*_GIVING} and given not in added | target


def _breaks(body: Sequence[ir.Node]) -> bool:
    """Whether one of these ends the loop around them."""
    loops = ir.For | ir.While
    return any(isinstance(one, ir.Break) or (not isinstance(one, loops) and _breaks([*children(one)])) for one in body)


def _names(nodes: Sequence[ir.Node]) -> set[str]:
    return {node.id for node in walk(nodes) if isinstance(node, ir.Name)}


def _is_counted(after: Sequence[ir.Statement], data: str) -> bool:
    """Whether nothing but the number of records is asked for: neighbours have as many."""
    counted = [node for node in walk(after) if isinstance(node, ir.Call) and node.function == "len"]
    inside = sum(isinstance(one, ir.Name) and one.id == data for node in counted for one in node.arguments)
    return inside == sum(isinstance(node, ir.Name) and node.id == data for node in walk(after))
