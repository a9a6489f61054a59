"""Exceptions of the project that have a constructor of their own, which only says what their text is."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

import libcst as cst

from dplint.program.vocabulary import EXCEPTIONS
from dplint.source.bindings import statements
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.object_classes import CONSTRUCTOR, full, self_of, without_first
from dplint.source.lowering.scope import Scope
from dplint.source.walking import nodes_below

_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class OwnException:
    """names: its own, those of its bases, and that of the built-in one. text: from the arguments; None for these."""

    names: tuple[str, ...]
    facts: ModuleFacts
    text: cst.Lambda | None


def own_exception(scope: Scope, node: cst.BaseExpression) -> OwnException | None:
    """The exception of the project that a name stands for; None if it does more than to have a text."""
    plain = scope.exception(node)
    if plain is not None:
        return OwnException(plain, scope.facts, None)
    found = scope.class_of(node)
    names: list[str] = []
    known: list[str] = []
    made: tuple[ModuleFacts, cst.FunctionDef] | None = None
    pending = [] if found is None else [found]
    while pending:
        facts, definition = pending.pop(0)
        name = definition.name.value
        odd = name in names or hasattr(builtins, name) or len(names) > _DEEPEST or scope.elsewhere.may_change(name)
        if odd or not _is_plain(definition):
            return None
        names.append(name)
        made = made or next(
            ((facts, one) for one in statements(definition.body) if isinstance(one, cst.FunctionDef)), None
        )
        around = Scope(facts, frozenset(), frozenset(), frozenset(), {}, scope.elsewhere)
        bases = [(full(facts, base.value), around.class_of(base.value)) for base in definition.bases]
        known += [base for base, _ in bases if base in EXCEPTIONS]
        further = [own for base, own in bases if base not in EXCEPTIONS]
        if None in further:
            return None
        pending += [own for own in further if own is not None]
    kinds = [getattr(builtins, one) for one in known]
    last = [one for one, kind in zip(known, kinds, strict=True) if all(issubclass(kind, other) for other in kinds)]
    text = None if made is None or "KeyError" in known else _text(made[1])
    return OwnException((*names, last[0]), made[0], text) if made and text and last else None


def _is_plain(definition: cst.ClassDef) -> bool:
    """Whether a class has nothing but a constructor and what it is derived from."""
    for one in statements(definition.body):
        match one:
            case cst.FunctionDef(name=cst.Name(value=own), decorators=[]) if own == CONSTRUCTOR:
                pass
            case cst.Pass() | cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
                pass
            case _:
                return False
    return bool(definition.bases) and not definition.decorators and not definition.keywords


def _text(constructor: cst.FunctionDef) -> cst.Lambda | None:
    """What its text is made of; None where a constructor does anything else but to keep its arguments."""
    found: list[cst.BaseExpression] = []
    for one in statements(constructor.body):
        match one:
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Call(func=cst.Name(value="super"), args=[]), attr=cst.Name(value="__init__")), args=[cst.Arg(value=text, keyword=None, star="")])):  # fmt: skip  # noqa: E501
                found.append(text)
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=own)))], value=cst.Name()
            ):
                if own != self_of(constructor):
                    return None
            case cst.Pass() | cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
                pass
            case _:
                return None
    if len(found) != 1 or any(
        isinstance(one, cst.Name) and one.value == self_of(constructor) for one in nodes_below(found[0])
    ):
        return None
    # A lambda has no annotations; they are worked out where the constructor is defined, not where it is called.
    params = without_first(constructor).params
    kept = {
        kind: [one.with_changes(annotation=None) for one in getattr(params, kind)]
        for kind in ("posonly_params", "params", "kwonly_params")
    }
    gathered = {
        kind: one.with_changes(annotation=None)
        for kind in ("star_arg", "star_kwarg")
        if isinstance(one := getattr(params, kind), cst.Param)
    }
    return cst.Lambda(params=params.with_changes(**kept, **gathered), body=found[0])
