"""What a function takes its data for, where no annotation says it: a table, if it asks for columns by their names."""

from __future__ import annotations

import libcst as cst

from dplint.source.bindings import SCOPES
from dplint.source.walking import nodes_below

_METHODS = frozenset(
    {"assign", "columns", "describe", "drop_duplicates", "dropna", "fillna", "groupby", "iloc", "iterrows"}
    | {"itertuples", "loc", "merge", "nunique", "pivot_table", "query", "reset_index", "set_index", "sort_values"}
    | {"apply", "value_counts", "group_by", "with_columns", "select", "to_pandas", "iter_rows"}
    | {"agg", "applymap", "corr", "dtypes", "duplicated", "explode", "head", "isna", "isnull", "melt", "notna"}
    | {"notnull", "pivot", "rename", "rolling", "select_dtypes", "stack", "tail", "to_csv", "to_dict", "transform"}
)
"""What DataFrames of pandas or polars have, and neither lists nor arrays."""


def table_annotation(function: cst.FunctionDef | cst.Lambda, data: str, imports: set[str]) -> str | None:
    """`pandas.DataFrame` or `polars.DataFrame` if a function treats a parameter as one; None otherwise.

    imports: the modules that its module imports; polars if that is among them, and pandas is not.
    """
    if not any(_is_of_table(node, data) for node in nodes_below(function.body, SCOPES)):
        return None
    return "polars.DataFrame" if "polars" in imports and "pandas" not in imports else "pandas.DataFrame"


def counts_only(function: cst.FunctionDef | cst.Lambda, data: str) -> bool:
    """Whether a function uses nothing of a parameter but how long it is, so that it does not matter what is in it."""
    nodes = list(nodes_below(function.body))
    uses = sum(isinstance(one, cst.Name) and one.value == data for one in nodes)
    return uses > 0 and uses == sum(_is_its_length(one, data) for one in nodes)


def _is_its_length(node: cst.CSTNode, data: str) -> bool:
    match node:
        case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Name(value=name), keyword=None, star="")]):
            return name == data
        case _:
            return False


def _is_of_table(node: cst.CSTNode, data: str) -> bool:
    match node:
        case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=attribute)):
            return name == data and attribute in _METHODS
        case cst.Subscript(value=cst.Name(value=name), slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return name == data and _names_columns(index)
        case _:
            return False


def _names_columns(index: cst.BaseExpression) -> bool:
    if isinstance(index, cst.List):
        return bool(index.elements) and all(_names_columns(one.value) for one in index.elements)
    return isinstance(index, cst.SimpleString)
