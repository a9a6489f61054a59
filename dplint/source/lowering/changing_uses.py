"""Lists of objects that change: `accounts = [Account() for _ in q]`, `for account in accounts: account.charge(x)`.

Each such object is in one list alone, at a place that it keeps: the list is made once, of objects made there, and then
only gone through, or asked for the object at an index. Nobody has an object but the loop that is at its place, so what
it holds is what stands there. This looks whether that is so of a function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from dplint.source.bindings import SCOPES, binding_counts
from dplint.source.lowering.object_classes import PLAIN, PROPERTY, ObjectClass
from dplint.source.lowering.scope import Scope
from dplint.source.walking import nodes_below

_LEAVING = (cst.Try, cst.TryStar, cst.With, cst.Yield, cst.Match, cst.Global, cst.Nonlocal)
"""What may see an object after an exception, half changed, or binds names in ways that are not looked at."""


@dataclass(frozen=True, slots=True)
class ChangingList:
    """A list of such objects. makers: the calls in it that make them."""

    name: str
    made: ObjectClass
    makers: tuple[cst.Call, ...]


@dataclass(slots=True)
class ChangingUses:
    """What is known of a function. names: the lists. loops: those that a target goes through, by its identity.

    mentions: what stands for an object, by its identity, with the list, and the target of its loop or the index.
    """

    names: dict[str, ChangingList] = field(default_factory=dict)
    loops: dict[int, ChangingList] = field(default_factory=dict)
    mentions: dict[int, tuple[ChangingList, cst.BaseExpression]] = field(default_factory=dict)


def changing_uses(scope: Scope, body: cst.BaseSuite, made: Callable[[cst.Call], ObjectClass | None]) -> ChangingUses:
    """The lists of a function that hold such objects. made: the class of the object that a call makes."""
    found = ChangingUses()
    inside = [*nodes_below(body)]
    counts = binding_counts(body)
    lists = {one.name: one for node in inside if (one := _list_of(node, made)) is not None}
    taken = scope.parameters | scope.given
    lists = {name: one for name, one in lists.items() if counts[name] == 1 and name not in taken}
    if not lists or any(isinstance(one, _LEAVING) for one in inside):
        return found
    seen = _Uses(scope, lists, inside)
    return seen.found if seen.plain() else ChangingUses()


def _list_of(node: cst.CSTNode, made: Callable[[cst.Call], ObjectClass | None]) -> ChangingList | None:
    match node:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.ListComp(elt=cst.Call() as one)
        ):
            makers: tuple[cst.BaseExpression, ...] = (one,)
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.List(elements=[_, *_] as elements)
        ):
            makers = tuple(element.value for element in elements)
        case _:
            return None
    calls = tuple(one for one in makers if isinstance(one, cst.Call))
    classes = [made(one) for one in calls]
    first = classes[0] if classes else None
    if first is None or len(calls) < len(makers):
        return None
    same = all(one is not None and one.bodies[0][1] is first.bodies[0][1] for one in classes)
    return ChangingList(name, first, calls) if same else None


class _Uses:
    def __init__(self, scope: Scope, lists: Mapping[str, ChangingList], inside: Sequence[cst.CSTNode]) -> None:
        self._scope = scope
        self._inside = inside
        self.found = ChangingUses(dict(lists))
        self._known: Counter[str] = Counter([*lists])
        """How often a name stands where it may."""
        self._loop_names: dict[str, list[tuple[cst.CSTNode, ChangingList, cst.Name]]] = {}

    def plain(self) -> bool:
        """Whether all that is done with the lists and their objects is known."""
        for one in self._inside:
            if isinstance(one, cst.For | cst.CompFor):
                self._looped(one)
        if not all(map(self._mentioned_inside, self._loop_names)):
            return False
        for one in self._inside:
            match one:
                case cst.Subscript(
                    value=cst.Name(value=name), slice=[cst.SubscriptElement(slice=cst.Index(star=None | "") as at)]
                ):
                    if name in self.found.names:
                        self.found.mentions[id(one)] = self.found.names[name], at.value
                case cst.Call(func=cst.Name(value="len") as function, args=[cst.Arg(value=cst.Name(value=name))]):
                    self._known[name] += self._scope.canonical(function) == "len"
        if not all(map(self._asked, self._inside)):
            return False
        names = {*self.found.names, *self._loop_names}
        stands = Counter(one.value for one in self._inside if isinstance(one, cst.Name) and one.value in names)
        stands.subtract(one.attr.value for one in self._inside if isinstance(one, cst.Attribute))
        stands.subtract(
            one.keyword.value for one in self._inside if isinstance(one, cst.Arg) and one.keyword is not None
        )
        hidden = (part for one in self._inside if isinstance(one, SCOPES) for part in nodes_below(one))
        if any(isinstance(one, cst.Name) and one.value in names for one in hidden):
            return False
        return all(stands[name] == self._known[name] for name in names)

    def _looped(self, node: cst.For | cst.CompFor) -> None:
        """What goes through such lists."""
        for target, name in _pairs(self._scope, node.target, node.iter):
            held = self.found.names.get(name)
            if held is not None and isinstance(target, cst.Name):
                self._known[name] += 1
                self._known[target.value] += 1
                self.found.loops[id(target)] = held
                self._loop_names.setdefault(target.value, []).append((node, held, target))

    def _mentioned_inside(self, name: str) -> bool:
        """Whether a variable of loops stands for nothing else, and nowhere but inside of these."""
        if name in self._scope.parameters | self._scope.given or name in self.found.names:
            return False
        loops = self._loop_names[name]
        around = [reach(loop, self._inside) for loop, _, _ in loops]
        nodes = [{id(part): part for one in parts for part in nodes_below(one)} for parts in around]
        if sum(map(len, nodes)) != len({key for one in nodes for key in one}):
            return False
        for (_, held, target), inside in zip(loops, nodes, strict=True):
            for key, part in inside.items():
                if isinstance(part, cst.Name) and part.value == name and part is not target:
                    self.found.mentions[key] = held, target
        return True

    def _asked(self, node: cst.CSTNode) -> bool:
        """Whether it asks an object for nothing that is not known; counts where objects stand."""
        match node:
            case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(value=name)), args=args):
                held = self.found.mentions.get(id(base))
                if held is None:
                    return True
                method = held[0].made.methods.get(name)
                quiet = not any(self._calls(one) for arg in args for one in nodes_below(arg.value))
                return method is not None and method.kind == PLAIN and quiet
            case cst.Attribute(value=base, attr=cst.Name(value=name)) if id(base) in self.found.mentions:
                held = self.found.mentions[id(base)]
                first = base.value if isinstance(base, cst.Subscript) else base
                assert isinstance(first, cst.Name)
                self._known[first.value] += 1
                method = held[0].made.methods.get(name)
                return name in held[0].made.attributes or (method is not None and method.kind in (PLAIN, PROPERTY))
        return True

    def _calls(self, node: cst.CSTNode) -> bool:
        """Whether it may change an object: it calls something of one, or gives a name a value."""
        match node:
            case cst.Attribute(value=base, attr=cst.Name(value=name)) if id(base) in self.found.mentions:
                return name not in self.found.mentions[id(base)][0].made.attributes
        return isinstance(node, cst.NamedExpr)


def _pairs(
    scope: Scope, target: cst.BaseExpression, iterable: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, str]]:
    """Which target goes through which name: of a loop over one, or over `enumerate` or `zip` of some."""
    match iterable, target:
        case cst.Name(value=name), _:
            yield target, name
        case cst.Call(func=func, args=[cst.Arg(value=cst.Name(value=name), keyword=None, star="")]), cst.Tuple(
            elements=[_, second]
        ) if scope.canonical(func) == "enumerate":
            yield second.value, name
        case cst.Call(func=func, args=args), cst.Tuple(elements=elements) if (
            scope.canonical(func) == "zip" and len(args) == len(elements) and not any(a.keyword or a.star for a in args)
        ):
            for one, argument in zip(elements, args, strict=True):
                if isinstance(argument.value, cst.Name):
                    yield one.value, argument.value.value


def reach(loop: cst.CSTNode, inside: Sequence[cst.CSTNode]) -> Sequence[cst.CSTNode]:
    """Where the variable of a loop stands for what it is at: of a comprehension, all that it holds."""
    if isinstance(loop, cst.For):
        return [loop.target, loop.body]
    around = [one for one in inside if isinstance(one, cst.BaseComp) and any(part is loop for part in nodes_below(one))]
    return around[-1:]
