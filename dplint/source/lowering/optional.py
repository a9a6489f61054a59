"""Parameters that are None unless somebody gives an object: `settings = settings or Settings()`."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from dplint.source.bindings import binding_counts, statements
from dplint.source.module_names import dotted_name


def is_made_if_none(body: cst.CSTNode | None, name: str, makes: Callable[[cst.BaseExpression], object | None]) -> bool:
    """Whether a parameter gets an object in the function's own block if it is None, as in `x = x or C()`.

    makes: the class that a call is of, None if there is none.
    """
    if not isinstance(body, cst.BaseSuite) or binding_counts(body)[name] != 1:
        return False
    for one in statements(body):
        made = _if_false(one, name) or _if_none(one, name)
        if isinstance(made, cst.Call) and makes(made.func) is not None:
            return True
    return False


def _if_false(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What `x = x or y` gives a name."""
    match _given(node, name):
        case cst.BooleanOperation(left=cst.Name(value=own), operator=cst.Or(), right=right) if own == name:
            return right
    return None


def _if_none(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What `if x is None: x = y` gives a name."""
    match node:
        case cst.If(
            test=cst.Comparison(
                left=cst.Name(value=own), comparisons=[cst.ComparisonTarget(operator=cst.Is(), comparator=none)]
            ),
            body=block,
            orelse=None,
        ) if own == name and dotted_name(none) == "None":
            return next((made for one in statements(block) if (made := _given(one, name)) is not None), None)
    return None


def _given(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))], value=value) if own == name:
            return value
    return None
