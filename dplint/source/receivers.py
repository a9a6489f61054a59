"""What has to be made before a mechanism can be called: the object of a method, a function that another one returns.

Why a mechanism cannot be run from outside, if it cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from dplint.claims import (
    DELTA_NAME,
    EPSILON_NAME,
    SENSITIVITY_NAME,
    Claim,
    Fixed,
    Literal,
    Parameter,
    Preparation,
    Receiver,
)
from dplint.relations import DataKind, relation_of
from dplint.source.claim_checks import ReadClaim
from dplint.source.files import ImportPlace
from dplint.source.module import ParsedModule
from dplint.source.notebooks import is_notebook
from dplint.source.own_classes import OwnClass, Preparer, own_class, preparers_of, statements
from dplint.source.parameters import default_generator, is_variadic, read_parameters
from dplint.source.project import ProjectIndex
from dplint.source.targets import Scope, Target


def needs_receiver(target: Target) -> bool:
    """Whether no name leads to a callable: a method of an object, a nested function, a lambda without a name."""
    nested = any(kind is Scope.FUNCTION for kind, _ in target.scopes)
    return not target.named or nested or needs_object(target)


def needs_object(target: Target) -> bool:
    """Whether it is a method that needs an object."""
    return target.takes_bound_first and "classmethod" not in target.decorators


def receiver_of(target: Target, module: ParsedModule, index: ProjectIndex, claim: ReadClaim) -> Receiver | None:
    """What makes the object or the function; None if it needs none, or if nobody says what does.

    Without `make` in the claim it is the class, if its
    constructor is to be seen, or the outer function, if that takes no arguments and returns the inner one.
    """
    if not needs_receiver(target):
        return None
    method, make, data = target.is_method, claim.claim.make, claim.data
    attribute = data.removeprefix("self.") if method and data is not None and data.startswith("self.") else None
    if make is not None:
        takes = None if attribute is not None else factory_parameter(make, module, index)
        return Receiver(make, method, takes, attribute)
    scopes = [name for _, name in target.scopes]
    if method and all(kind is Scope.CLASS for kind, _ in target.scopes):
        owner = own_class(".".join(scopes), module, index)
        return None if owner is None else _made_by_class(owner, ".".join(scopes), target, attribute, claim)
    if [kind for kind, _ in target.scopes] == [Scope.FUNCTION] and target.named and not method:
        outer = module.functions.get(scopes[0])
        if outer is not None and not _required(outer, module) and _returns(outer, target.node):
            return Receiver(f":{scopes[0]}", method)
    return None


def _made_by_class(
    owner: OwnClass, name: str, target: Target, attribute: str | None, claim: ReadClaim
) -> Receiver | None:
    """How the class makes the object of one of its methods. attribute: the one that the data goes into."""
    taken = owner.constructor()
    if taken is None:
        return None
    stated = tuple(_stated(claim.claim, taken))
    needed = [one for one in taken if one.default is None]
    held = next((one for one in needed if one.name == attribute), None)
    generator = None
    if claim.rng is None:
        source = default_generator(needed, owner.module.names, dict(stated))
        generator = next((one for one in needed if one.name == source), None)
    needs = tuple(one.name for one in needed if one is not held and one is not generator)
    preparations = tuple(
        _preparation(one, claim)
        for one in preparers_of(
            owner, target.qualname.rpartition(".")[2], {attribute} if attribute is not None else set()
        )
    )
    attribute = None if held is not None else attribute
    return Receiver(f":{name}", True, held, attribute, needs, stated, generator, preparations)


def _preparation(preparer: Preparer, claim: ReadClaim) -> Preparation:
    data = next((one.name for one in preparer.taken if one.name == claim.data and not claim.claim.apart), None)
    taken = [one for one in preparer.taken if one.name != data]
    needs = tuple(one.name for one in taken if one.default is None)
    return Preparation(preparer.name, needs, _known(claim.claim, taken), preparer.seeds, data)


def _known(claim: Claim, taken: Sequence[Parameter]) -> tuple[tuple[str, Literal], ...]:
    """What a claim says of what a method takes that prepares the object: also as arguments of the mechanism itself."""
    names = {one.name for one in taken}
    known = {name: spec.value for name, spec in claim.args if isinstance(spec, Fixed) and name in names}
    return tuple({**known, **dict(_stated(claim, taken))}.items())


def constructor_parameters(target: Target, module: ParsedModule, index: ProjectIndex) -> tuple[str, ...]:
    """The names of what the class of a method takes, and what prepares its objects, as far as that is to be seen."""
    scopes = [name for kind, name in target.scopes if kind is Scope.CLASS]
    owner = own_class(".".join(scopes), module, index) if needs_object(target) else None
    if owner is None or len(scopes) < len(target.scopes):
        return ()
    taken = list(owner.constructor() or ())
    taken += [item for one in preparers_of(owner, target.qualname.rpartition(".")[2], set()) for item in one.taken]
    return tuple(dict.fromkeys(one.name for one in taken))


def factory_parameter(make: str, module: ParsedModule, index: ProjectIndex) -> Parameter | None:
    """The parameter of a function or class of this module that takes the data: its first one without a default."""
    name = make.removeprefix(":")
    if not make.startswith(":"):
        return None
    if name in module.functions:
        return next(iter(_required(module.functions[name], module)), None)
    owner = own_class(name, module, index)
    taken = None if owner is None else owner.constructor()
    return next((one for one in taken or () if one.default is None), None)


def _stated(claim: Claim, taken: Sequence[Parameter]) -> Iterator[tuple[str, Literal]]:
    """What a claim itself says of parameters of a constructor, by their names: epsilon, delta, sensitivity.

    Of several epsilons it says nothing, and nothing new of one with that very default.
    """
    yield from ((name, value) for name, value in claim.made if name in {one.name for one in taken})
    said, vector = dict(claim.made), relation_of(claim).data is DataKind.VECTOR
    for value, pattern in (
        (None if claim.promise else claim.epsilon, EPSILON_NAME),
        (None if claim.promise else claim.delta or None, DELTA_NAME),
        (claim.sensitivity if vector else None, SENSITIVITY_NAME),
    ):
        meant = [one for one in taken if pattern.search(one.name)]
        by_name = len(meant) == 1 and meant[0].name not in said
        if isinstance(value, float) and by_name and meant[0].default_value != Fixed(value):
            yield meant[0].name, value


def _named(node: cst.FunctionDef, module: ParsedModule, *, bound: bool) -> list[Parameter]:
    return [one for one in read_parameters(module.tree, node, module.names, bound=bound) if not is_variadic(one)]


def _required(node: cst.FunctionDef, module: ParsedModule) -> list[Parameter]:
    return [one for one in _named(node, module, bound=False) if one.default is None]


def _returns(outer: cst.FunctionDef, inner: cst.CSTNode) -> bool:
    """Whether a statement of the outer function's own block returns the inner one by its name."""
    name = inner.name.value if isinstance(inner, cst.FunctionDef) else None
    return name is not None and any(
        isinstance(one, cst.Return) and isinstance(one.value, cst.Name) and one.value.value == name
        for one in statements(outer.body.body)
    )


_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property"})


def why_untestable(
    target: Target,
    others: Iterable[Target],
    data: Parameter | None,
    place: ImportPlace,
    file: str,
    receiver: Receiver | None = None,
) -> str | None:
    """The reason in words, with what to do about it; None if the mechanism can be imported and called.

    Generator functions, async functions and recursive functions can be. others: all targets of the module. receiver:
    what makes its object, or the function itself, if that is known.
    """
    return (
        _why_unreachable(target, others, receiver)
        or _why_uncallable(target, receiver)
        or _why_without_data(data)
        or _why_not_imported(place, file)
        or _why_stub(target)
    )


def _why_stub(target: Target) -> str | None:
    if target.is_stub:
        return "it is a stub, without a body: put the claim on the function that is called in its place"
    return None


def _why_unreachable(target: Target, others: Iterable[Target], receiver: Receiver | None) -> str | None:
    if not target.named and receiver is None:
        return (
            "it is a lambda without a name, which cannot be imported: assign it to a name at the top of the module, or "
            "let make= of the claim name a function that returns it"
        )
    enclosing = [name for kind, name in target.scopes if kind is Scope.FUNCTION]
    if enclosing and receiver is None:
        return (
            f"it is defined inside {enclosing[0]}() and cannot be imported from there: move it to the top level of the "
            "module, and what it uses of the function around it into parameters, or let make= of the claim name a "
            "function that returns it"
        )
    if enclosing or not target.named:
        return None
    if target.guarded is not None:
        return f"it is defined only if {target.guarded}, which does not hold when the module is imported"
    later = _replacement(target, others)
    if later is not None:
        return f"it is replaced by another definition of {target.qualname} in line {later.span.line}"
    private = next((name for name in target.qualname.split(".")[1:] if _is_mangled(name)), None)
    if private is not None:
        return f"{private} is private to its class and cannot be reached from outside: use one underscore"
    return None


def _why_uncallable(target: Target, receiver: Receiver | None) -> str | None:
    if not target.takes_bound_first:
        return None
    if any(name in _PROPERTIES or name.endswith((".setter", ".deleter")) for name in target.decorators):
        return "it is a property, which needs an instance: move the mechanism into a function or a static method"
    if "classmethod" in target.decorators:
        return None
    seeding = [one.method for one in receiver.preparations if one.seeds] if receiver is not None else []
    if seeding:
        return (
            f"its object is prepared by {seeding[0]}(), which may seed its noise: let make= of the claim name a "
            "function that makes such an object, with another seed each time"
        )
    if receiver is not None and not receiver.missing and receiver.unprepared:
        return (
            f"its object is prepared by {' and '.join(receiver.unprepared)}, and neither args of the claim nor a call "
            "in the project tells what that gets: say it in args, or let make= of the claim name a function that makes "
            "such an object"
        )
    if receiver is None or receiver.missing:
        why = "is not to be seen here"
        if receiver is not None:
            why = (
                f"needs {', '.join(receiver.missing)}, and neither args of the claim nor a call in the project tells it"
            )
        return (
            f"it is a method that needs an instance of {target.qualname.rpartition('.')[0]}, whose constructor {why}: "
            "let make= of the claim name a function that makes one, or make it a static method"
        )
    return None


def _why_without_data(data: Parameter | None) -> str | None:
    if data is not None and is_variadic(data):
        star = "*" if data.kind.value.startswith("*a") else "**"
        return f"its data would have to be passed as {star}{data.name}: give the data a parameter of its own"
    return None


def _why_not_imported(place: ImportPlace, file: str) -> str | None:
    name = file.rpartition("/")[2]
    if is_notebook(name):
        return None
    if name.endswith(".pyi"):
        return f"{name} is a stub, whose functions have no bodies: put the claim on the function in {name[:-1]}"
    if not name.endswith(".py"):
        return f"{name} cannot be imported, because its name does not end in .py"
    if "." in name.removesuffix(".py") or not place.module:
        return f"{name} cannot be imported, because its name has a dot before .py"
    return None


def _replacement(target: Target, others: Iterable[Target]) -> Target | None:
    """A later definition of the same name among the same statements."""
    same: Sequence[Target] = [
        other for other in others if other.named and other.qualname == target.qualname and other.block == target.block
    ]
    return same[-1] if same and same[-1] is not target else None


def _is_mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")
