"""What statements, calls and comprehensions bind: names to values, and arguments to parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from dplint.source.module_names import bound_names as names_in_target
from dplint.source.walking import nodes_below

SCOPES = (cst.FunctionDef, cst.ClassDef, cst.Lambda)
"""What has names of its own."""
_TARGETS: Mapping[type[cst.CSTNode], str] = {
    **dict.fromkeys([cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr], "target"),
    cst.WithItem: "asname",
    cst.ExceptHandler: "name",
    cst.MatchAs: "name",
    cst.MatchStar: "name",
}
"""Where the target stands in what binds names."""
_NAMED = (cst.FunctionDef, cst.ClassDef)


def target_of(node: cst.CSTNode) -> cst.CSTNode | None:
    """What a node by itself assigns to, None if nothing."""
    place = _TARGETS.get(type(node))
    return None if place is None else getattr(node, place)


def bound_names(node: cst.CSTNode) -> set[str]:
    """The names that a statement binds, nested functions and classes left out, comprehensions too."""
    return set(binding_counts(node))


def binding_counts(node: cst.CSTNode) -> Counter[str]:
    """How often these statements bind each name, as `bound_names` sees it."""
    names: Counter[str] = Counter()
    for one in nodes_below(node, SCOPES):
        if type(one) in _NAMED:
            names[one.name.value] += 1  # type: ignore[attr-defined]
        elif type(one) in _TARGETS:
            names.update(names_in_target(target_of(one)))
    return names


def statements(block: cst.BaseSuite) -> Iterator[cst.CSTNode]:
    """The statements of a block, those that share a line one by one."""
    for one in block.body:
        yield from one.body if isinstance(one, cst.SimpleStatementLine) else (one,)


def all_parameters(node: cst.FunctionDef | cst.Lambda, *, variadic: bool = False) -> tuple[cst.Param, ...]:
    """The parameters of a function in their order. variadic: with `*args` and `**kwargs`, which come last."""
    params = node.params
    others = [one for one in (params.star_arg, params.star_kwarg) if isinstance(one, cst.Param)]
    return (*params.posonly_params, *params.params, *params.kwonly_params, *(others if variadic else ()))


def parameters_of(
    function: cst.FunctionDef | cst.Lambda, keywords: Sequence[str], *, bound: bool = False
) -> list[cst.Param | None]:
    """The parameter that each argument of a call is for: `*args` or `**kwargs` for what no other takes, None if none.

    keywords: of the arguments, "" for one that is given by its position. bound: the object gives the first parameter.
    """
    params = function.params
    ordered = [*params.posonly_params, *params.params]
    named = {
        one.name.value: one for one in (*params.params, *params.kwonly_params) if not (bound and one is ordered[0])
    }
    several = [one for one in (params.star_arg, params.star_kwarg) if isinstance(one, cst.Param)]
    rest = params.star_arg if isinstance(params.star_arg, cst.Param) else None
    positional = iter(ordered[bound:])
    found: list[cst.Param | None] = []
    for keyword in keywords:
        place = named.get(keyword, params.star_kwarg) if keyword else next(positional, rest)
        found.append(None if place in found and place not in several else place)
    return found


def keyword_of(argument: cst.Arg) -> str:
    """The keyword of an argument, "" if it has none."""
    return "" if argument.keyword is None else argument.keyword.value


def clauses_of(node: cst.BaseComp) -> Iterator[cst.CompFor]:
    """The loops of a comprehension, outer ones first."""
    part: cst.CompFor | None = node.for_in
    while part is not None:
        yield part
        part = part.inner_for_in
