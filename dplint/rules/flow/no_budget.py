"""Tests of whether there is any epsilon or noise to be at all: without it nothing is promised of what is returned."""

from __future__ import annotations

import re

import libcst as cst

from dplint.claims import EPSILON_NAME
from dplint.source.module_names import dotted_name

_SWITCH = re.compile(
    r"(?:(?:is|use|with|add|apply|enable)_?)?(?:private|privacy|l?dp|noise|noisy)(?:_?(?:on|enabled))?"
)
"""What says whether there is to be noise at all, as a parameter or an attribute."""
_UNLIMITED = ("isinf", "isposinf")
_AMOUNT = re.compile(r"_?(?:scale|sensitivity|sigma|std(?:_?dev)?|noise_multiplier)$")


def without_budget(test: cst.BaseExpression) -> bool | None:
    """Whether a test holds just where there is no epsilon (None, zero, infinite), False where it holds with one.

    None where it asks something else.
    """
    match test:
        case cst.Name() | cst.Attribute() if _is_epsilon(test) or _is_switch(test):
            return False
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            found = without_budget(inner)
            return None if found is None else not found
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            one, two = without_budget(left), without_budget(right)
            same = isinstance(operator, cst.Or)
            return same if one is same and two is same else None
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=other)]):
            if _is_epsilon(left):
                return _compared(operator, other)
            return _compared(operator, other) if _is_amount(left) and _is_zero(other) else None
        case cst.Call(func=func, args=[cst.Arg(value=value)]) if _is_epsilon(value):
            return True if (dotted_name(func) or "").rpartition(".")[2] in _UNLIMITED else None
        case _:
            return None


def _is_epsilon(node: cst.BaseExpression) -> bool:
    name = dotted_name(node)
    return name is not None and EPSILON_NAME.match(name.rpartition(".")[2]) is not None


def _is_switch(node: cst.BaseExpression) -> bool:
    return _SWITCH.fullmatch((dotted_name(node) or "").rpartition(".")[2].lower()) is not None


def _is_amount(node: cst.BaseExpression) -> bool:
    """Whether it says how much noise there is to be: a scale, a sensitivity, or one of these divided by an epsilon."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Divide(), right=right):
            return _is_amount(left) and _is_epsilon(right)
        case _:
            name = dotted_name(node)
            return name is not None and _AMOUNT.match(name.rpartition(".")[2]) is not None


def _is_zero(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer | cst.Float) and node.evaluated_value == 0


def _compared(operator: cst.BaseCompOp, other: cst.BaseExpression) -> bool | None:
    nothing = isinstance(other, cst.Name) and other.value == "None"
    zero = _is_zero(other)
    endless = (dotted_name(other) or "") in ("math.inf", "np.inf", "numpy.inf", "torch.inf")
    if isinstance(operator, cst.Is | cst.Equal) or (zero and isinstance(operator, cst.LessThanEqual)):
        return True if nothing or zero or endless else None
    if isinstance(operator, cst.IsNot | cst.NotEqual) or (zero and isinstance(operator, cst.GreaterThan)):
        return False if nothing or zero or endless else None
    return None
