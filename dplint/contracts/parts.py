"""Which parts of the data have records in common."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.contracts.tree import Condition, Part, Spend

_MOST = 12
_OPPOSITE = {"<": (">=", ">"), "<=": (">",), ">": ("<=", "<"), ">=": ("<",), "==": ("!=",), "!=": ("==",)}


def may_share(one: Part, other: Part) -> bool:
    """Whether a record may be in both, as far as the conditions tell."""
    return not any(_exclude(a, b) for a in one.conditions for b in other.conditions)


def within(one: Part, other: Part) -> bool:
    """Whether all records of the first are in the second for certain."""
    return other.exact and other.conditions <= one.conditions


def _exclude(one: Condition, other: Condition) -> bool:
    """Whether no record meets both: equal to two different constants, or on the two sides of the same comparison."""
    if one.left != other.left:
        return False
    if one.operator in ("==", "is") and other.operator == one.operator:
        return one.constant and other.constant and one.right != other.right and _comparable(one, other)
    return one.right == other.right and other.operator in _OPPOSITE.get(one.operator, ())


def _comparable(one: Condition, other: Condition) -> bool:
    """Whether different texts of constants are different values: not so for 1 and 1.0, or 1 and True."""
    kinds = {
        "text" if text[0] in "'\"" else "number" if text[0] in "0123456789-" else text
        for text in (one.right, other.right)
    }
    if kinds == {"number"}:
        return float(one.right) != float(other.right)
    return kinds <= {"text", "number"} or kinds == {"True", "False"}


def disjoint_groups(leaves: Sequence[Spend]) -> list[list[Spend]]:
    """All largest sets of calls that one record may be in each of; one set of all where there are too many calls."""
    if len(leaves) > _MOST:
        return [list(leaves)]
    groups: list[list[Spend]] = []
    for mask in sorted(range(1 << len(leaves)), key=lambda mask: -mask.bit_count()):
        chosen = [one for place, one in enumerate(leaves) if mask >> place & 1]
        pairs = ((a, b) for place, a in enumerate(chosen) for b in chosen[place + 1 :])
        if all(may_share(a.part, b.part) for a, b in pairs):
            inside = {id(one) for one in chosen}
            if not any(inside <= {id(other) for other in group} for group in groups):
                groups.append(chosen)
    return groups or [[]]
