"""Which names may share a list or array with something else.

The evaluator treats values as immutable and turns `out.append(x)` into a new value of `out`. That is Python's meaning
as long as nobody else holds the same list. `shared_names` finds, without following control flow, every name whose value
may also be reached from another name, from inside a container, or from the caller. It errs on the side of
sharing: the price of a false alarm is plain runs, the price of a miss would be a wrong answer.

Each name has two nodes, the object it holds (O) and what that object contains (C). An edge says that what stands on
the right can be reached from the left. Aliases are edges both ways. (A flow-insensitive points-to analysis in the
manner of Steensgaard, POPL 1996, with the direction of containment kept.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from dplint.program import nodes as ir
from dplint.program.calls import functions, methods
from dplint.program.interpretation import in_source
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk

_VIEWS = functions("view")
_ITERATORS = functions("iterator")
_PICKS = functions("pick")
_COPIES = functions("copy")
_VIEW_METHODS = methods("view")
_OF_LISTS = frozenset({"append", "clear", "extend", "insert", "pop", "remove", "reverse"})
"""Changes of lists alone, of which a part is a copy; that of an array is not."""
_LOOKED_FOR = frozenset({"discard", "remove"})
"""Changes that keep nothing of what they are given."""

_Node = tuple[str, str]
_CALLER = "<caller>"


@dataclass(slots=True)
class _Graph:
    edges: dict[_Node, set[_Node]] = field(default_factory=dict)

    def link(self, left: _Node, right: _Node) -> None:
        self.edges.setdefault(left, set()).add(right)

    def same(self, left: _Node, right: _Node) -> None:
        self.link(left, right)
        self.link(right, left)

    def reachable(self, start: _Node) -> set[_Node]:
        seen, todo = {start}, [start]
        while todo:
            for node in self.edges.get(todo.pop(), ()):
                if node not in seen:
                    seen.add(node)
                    todo.append(node)
        return seen


def shared_names(parameters: Iterable[str], body: Sequence[ir.Statement]) -> frozenset[str]:
    """The names whose value something else may hold too; the parameters are among them, the caller has those.

    Not among them is one that is changed before anything else can hold it, by statements of the body itself or in them.
    """
    names = [*parameters]
    shared = _shared(names, body)
    before: dict[int, frozenset[str]] = {}
    alone = set()
    for name, last in _last_changes(body, shared).items():
        if last + 1 < len(body):
            if last not in before:
                before[last] = _shared(names, body[: last + 1])
            alone |= {name} - before[last]
    return shared - alone


def _last_changes(body: Sequence[ir.Statement], names: frozenset[str]) -> dict[str, int]:
    """The last statement of a body that changes each name in place, where one does."""
    found: dict[str, int] = {}
    for place, statement in enumerate(body) if names else ():
        for node in walk(statement):
            changed = _changed(node)
            if changed is not None and changed.id in names:
                found[changed.id] = place
    return found


def _shared(parameters: Iterable[str], body: Sequence[ir.Statement]) -> frozenset[str]:
    """See `shared_names`, wherever the changes stand."""
    graph = _Graph()
    names = set(parameters)
    for parameter in names:
        graph.same(("O", _CALLER), ("O", parameter))
    for node in walk(body):
        if isinstance(node, ir.Name):
            names.add(node.id)
        _flow(node, graph)
    for name in (*names, _CALLER):
        graph.link(("O", name), ("C", name))
    shared: set[str] = set()
    for name in (*names, _CALLER):
        for kind, reached in graph.reachable(("O", name)):
            if kind == "O" and reached != name:
                shared.add(reached)
    return frozenset(shared - {_CALLER})


def shared_change(name: ir.Name) -> Unsupported:
    """What an interpretation refuses when it comes to a change in place of a name of `shared_names`."""
    shown = in_source(name.id)
    construct = f"a change in place of {shown}, which something else may hold too"
    return Unsupported(construct, name.span, f"change a copy under a name of its own: own = {shown}.copy()")


def changes_of_shared(body: Sequence[ir.Statement], shared: frozenset[str]) -> Iterator[Unsupported]:
    """The changes in place that an interpretation will refuse if it comes to them, whatever values it has there.

    Not among them is `x += y`, which changes a list in place, but not a number.
    """
    for node in walk(body):
        changed = node.name if isinstance(node, ir.Update | ir.ItemTarget) else None
        if changed is not None and changed.id in shared:
            yield shared_change(changed)


def _flow(node: object, graph: _Graph) -> None:
    if isinstance(node, ir.Assign):
        for target in node.targets:
            _assign(target, node.value, graph)
        for first, other in combinations(node.targets, 2):
            _alias_targets(first, other, graph)
    elif isinstance(node, ir.AugAssign):
        _store(_root(node.target), _contents(node.value) | _objects(node.value), graph)
    elif isinstance(node, ir.Update):
        for argument in node.arguments if node.method not in _LOOKED_FOR else ():
            _put(node.name.id, argument, graph)
    elif isinstance(node, ir.For | ir.Clause):
        _take(node.target, _contents(node.iterable), graph)


def _root(target: ir.Name | ir.ItemTarget) -> str:
    return target.id if isinstance(target, ir.Name) else target.name.id


def _store(name: str, sources: Iterable[_Node], graph: _Graph) -> None:
    for source in sources:
        graph.link(("C", name), source)


def _put(name: str, value: ir.Expression, graph: _Graph) -> None:
    """Put a value into what the name holds. What is put into itself counts as within reach of the caller."""
    sources = _objects(value) | _contents(value)
    _store(name, sources, graph)
    if ("O", name) in sources:
        graph.link(("O", _CALLER), ("O", name))


def _take(target: ir.Target, sources: set[_Node], graph: _Graph) -> None:
    """Bind the target to something that is one of the sources, or lies inside it."""
    if isinstance(target, ir.Name):
        for source in sources:
            graph.same(("O", target.id), source)
    elif isinstance(target, ir.TupleTarget):
        for element in target.elements:
            _take(element, sources, graph)
    else:
        _store(target.name.id, sources, graph)


def _assign(target: ir.Target, value: ir.Expression, graph: _Graph) -> None:
    if isinstance(target, ir.TupleTarget):
        if isinstance(value, ir.TupleDisplay | ir.ListDisplay) and len(value.elements) == len(target.elements):
            for part, element in zip(target.elements, value.elements, strict=True):
                _assign(part, element, graph)
        else:
            _take(target, _contents(value) | _objects(value), graph)
    elif isinstance(target, ir.Name):
        for source in _objects(value):
            if source != ("O", target.id):
                graph.same(("O", target.id), source)
        _store(target.id, _contents(value) - {("C", target.id)}, graph)
    elif isinstance(target.index, ir.Slice):
        _store(target.name.id, _contents(value), graph)  # the items, and not what they come in
    else:
        _put(target.name.id, value, graph)


def _alias_targets(first: ir.Target, other: ir.Target, graph: _Graph) -> None:
    if isinstance(first, ir.Name) and isinstance(other, ir.Name):
        graph.same(("O", first.id), ("O", other.id))
    elif isinstance(first, ir.ItemTarget) and isinstance(other, ir.Name):
        _store(first.name.id, {("O", other.id)}, graph)
    elif isinstance(other, ir.ItemTarget) and isinstance(first, ir.Name):
        _store(other.name.id, {("O", first.id)}, graph)
    elif isinstance(first, ir.TupleTarget) and isinstance(other, ir.TupleTarget):
        for one, two in zip(first.elements, other.elements, strict=False):
            _alias_targets(one, two, graph)
    elif isinstance(first, ir.TupleTarget) and not isinstance(other, ir.TupleTarget):
        _take(first, {("C", _root(other))}, graph)
    elif isinstance(other, ir.TupleTarget) and not isinstance(first, ir.TupleTarget):
        _take(other, {("C", _root(first))}, graph)


def _objects(node: ir.Expression) -> set[_Node]:
    """The nodes whose object the value of the expression may be. The module holds its constants, as a caller does."""
    if isinstance(node, ir.Name):
        return {("O", node.id)}
    if isinstance(node, ir.Constant):
        return {("O", _CALLER)} if isinstance(node.value, list | dict | tuple) else set()
    if isinstance(node, ir.IfExp):
        return _objects(node.body) | _objects(node.orelse)
    if isinstance(node, ir.BoolOp):
        return set().union(*(_objects(operand) for operand in node.operands))
    if isinstance(node, ir.Subscript):
        whole = _objects(node.value) if isinstance(node.index, ir.Slice) else set()
        return whole | _contents(node.value)
    if isinstance(node, ir.Call):
        return _objects_of_call(node)
    if isinstance(node, ir.CallFunction):
        return set().union(*(_objects(argument) for _, argument in node.arguments))
    if isinstance(node, ir.MethodCall) and node.method in _VIEW_METHODS:
        defaults = set().union(*(_objects(argument) for argument in node.arguments))
        # What a dict gives for a key is never the dict itself.
        whole = set() if node.method == "get" else _objects(node.receiver)
        return _contents(node.receiver) | whole | defaults
    if isinstance(node, ir.Draw) and node.distribution == "choice":
        return _contents(node)
    return set()


def _objects_of_call(node: ir.Call) -> set[_Node]:
    if node.function not in _VIEWS | _PICKS | {"sum"}:
        return set()
    given = _arguments(node)[node.function == "sum" :]
    objects = set().union(*map(_objects, given[_picks_an_item(node) :]))
    return objects | set().union(*map(_contents, given)) if node.function in _PICKS else objects


def _contents(node: ir.Expression) -> set[_Node]:
    """The nodes that the value of the expression may contain."""
    if isinstance(node, ir.Name):
        return {("C", node.id)}
    if isinstance(node, ir.Constant):
        return {("C", _CALLER)} if isinstance(node.value, list | dict | tuple) else set()
    if isinstance(node, ir.ListDisplay | ir.TupleDisplay | ir.DictDisplay | ir.Comprehension | ir.CallFunction):
        return set().union(*(_objects(e) | _contents(e) for e in _held(node)))
    if isinstance(node, ir.Call):
        if node.function == "record":
            return _contents(node.arguments[2])
        if node.function == "with-item":
            return _contents(node.arguments[0]) | _contents(node.arguments[1]) | _objects(node.arguments[1])
        if node.function not in _COPIES | _VIEWS | _PICKS:
            return set()
        picked = _arguments(node)[_picks_an_item(node) :] if node.function in _PICKS else ()
        return set().union(*map(_contents, _arguments(node)), *map(_objects, picked))
    if isinstance(node, ir.Draw):
        return set().union(*(_contents(value) for _, value in node.parameters))
    parts: set[_Node] = set()
    for child in _parts(node):
        parts |= _contents(child)
    return parts


def _held(
    node: ir.ListDisplay | ir.TupleDisplay | ir.DictDisplay | ir.Comprehension | ir.CallFunction,
) -> tuple[ir.Expression, ...]:
    """What the value may hold as it is; a helper function may wrap its arguments."""
    if isinstance(node, ir.CallFunction):
        return tuple(argument for _, argument in node.arguments)
    if isinstance(node, ir.DictDisplay):
        return node.values
    return (node.element,) if isinstance(node, ir.Comprehension) else node.elements


def _picks_an_item(node: ir.Call) -> bool:
    """Whether it gives an item of its first argument, and never that itself: `max(rows)`, not `max(row, other)`."""
    return node.function in _PICKS and (len(node.arguments) == 1 or node.function.endswith("-by"))


def _arguments(node: ir.Call) -> tuple[ir.Expression, ...]:
    return (*node.arguments, *(value for _, value in node.keywords))


def _parts(node: ir.Expression) -> tuple[ir.Expression, ...]:
    if isinstance(node, ir.IfExp):
        return (node.body, node.orelse)
    if isinstance(node, ir.BoolOp):
        return node.operands
    if isinstance(node, ir.Subscript):
        return (node.value,)
    if isinstance(node, ir.MethodCall):
        return (node.receiver, *node.arguments)
    left, right = getattr(node, "left", None), getattr(node, "right", None)
    return tuple(part for part in (left, right) if part is not None)


def changes_while_iterating(body: Sequence[ir.Statement]) -> Iterator[Unsupported]:
    """Where a loop changes the list that it goes through, which no interpretation may follow.

    Python would show the change to the turns that follow; the evaluator goes through the list as it was. Assigning
    the present element of `for i, x in enumerate(xs)` shows nothing, and is allowed.
    """
    for node in walk(body):
        if isinstance(node, ir.For):
            sources = {name for kind, name in _objects(node.iterable) | _iterated(node.iterable) if kind == "O"}
            of_part = isinstance(node.iterable, ir.Subscript) and isinstance(node.iterable.index, ir.Slice)
            for inner in walk(node.body):
                changed = _changed(inner)
                if of_part and isinstance(inner, ir.Update) and inner.method in _OF_LISTS:
                    continue
                if changed is not None and changed.id in sources and not _present_element(node, inner):
                    construct = f"a change of {in_source(changed.id)} while looping over it"
                    yield Unsupported(construct, changed.span, "loop over a copy, or by index")


def _iterated(node: ir.Expression) -> set[_Node]:
    if isinstance(node, ir.Call) and node.function in _ITERATORS:
        return set().union(*(_objects(argument) | _iterated(argument) for argument in node.arguments))
    return set()


def _changed(node: object) -> ir.Name | None:
    if isinstance(node, ir.Update):
        return node.name
    if isinstance(node, ir.AugAssign):
        return node.target if isinstance(node.target, ir.Name) else node.target.name
    return node.name if isinstance(node, ir.ItemTarget) else None


def _present_element(loop: ir.For, node: object) -> bool:
    item = node.target if isinstance(node, ir.AugAssign) else node
    if not (
        isinstance(item, ir.ItemTarget) and isinstance(item.index, ir.Name) and isinstance(loop.target, ir.TupleTarget)
    ):
        return False
    first = loop.target.elements[0]
    if not (isinstance(loop.iterable, ir.Call) and loop.iterable.function == "enumerate"):
        return False
    if not (isinstance(first, ir.Name) and first.id == item.index.id and len(_arguments(loop.iterable)) == 1):
        return False
    return first.id not in _bound(loop.target.elements[1:], loop.body)


def _bound(targets: tuple[ir.Target, ...], body: Iterable[ir.Statement]) -> set[str]:
    """The names among the targets, and those that the body assigns."""
    for node in walk(body):
        if isinstance(node, ir.Assign):
            targets += node.targets
        elif isinstance(node, ir.For | ir.AugAssign):
            targets += (node.target,)
    return set().union(*(_names(target) for target in targets))


def _names(target: ir.Target) -> set[str]:
    if isinstance(target, ir.TupleTarget):
        return set().union(*(_names(element) for element in target.elements))
    return {target.id} if isinstance(target, ir.Name) else set()
