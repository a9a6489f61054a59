"""Why a mechanism cannot be run from outside, if it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dplint.claims import Parameter, Receiver
from dplint.source.cell_names import is_notebook
from dplint.source.parameters import is_variadic
from dplint.source.places import ImportPlace
from dplint.source.targets import Scope, Target

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
    if "classmethod" not in target.decorators and (receiver is None or receiver.missing):
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
