"""What statements bind: the targets of assignments, loops, `with`, `except` and patterns, at any depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

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
        if isinstance(one, cst.FunctionDef | cst.ClassDef):
            names[one.name.value] += 1
        else:
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
