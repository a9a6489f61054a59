"""What a claim says of columns of its domain: whose a record is, and which column the function gets apart."""

from __future__ import annotations

from collections.abc import Collection

from dplint.claims import Columns, Domain
from dplint.config import nearest
from dplint.relations import DataKind, Relation
from dplint.source.bounds import Bearer
from dplint.source.problems import Item, Problems, respelling


def owner_column(item: Item | None, relation: Relation | None, domain: Domain | None, problems: Problems) -> str | None:
    """The column that `user` names."""
    if item is None or item.value is None:
        return None
    if relation is not None and relation.data is not DataKind.RECORDS:
        message = f"user is for records that are added, removed or replaced, and {relation.name!r} has none. Remove it."
        problems.add("DP005", item.span, message)
        return None
    names = [name for name, _ in domain.columns] if isinstance(domain, Columns) else []
    if isinstance(item.value, str) and item.value in names:
        return item.value
    near = nearest(item.value, names) if isinstance(item.value, str) else None
    fix = None
    if isinstance(item.value, str) and item.quoted is not None:
        fix = respelling(item.value, near, item.quoted.whole())
    columns = f"its columns: {', '.join(names)}" if names else 'give it columns, as in domain={"user": (1, 9), ...}'
    problems.add("DP010", item.span, f"user={item.value!r} is no column of the domain; {columns}.", fix)
    return None


def labels_parameter(
    item: Item | None, taken: Collection[str | None], domain: Domain | None, bearer: Bearer, problems: Problems
) -> str | None:
    """The parameter that `labels` names. taken: those of the data and the generator."""
    if item is None or item.value is None:
        return None
    if not isinstance(item.value, str) or item.value not in bearer.names_of():
        problems.add("DP007", item.span, bearer.unknown("labels", str(item.value)))
    elif item.value in taken:
        message = f"labels names {item.value!r}, which is the data or the generator. Name the parameter of the labels."
        problems.add("DP007", item.span, message)
    elif not isinstance(domain, Columns) or len(domain.columns) < 2:
        message = "labels are the last column of the domain, which needs two columns at least."
        problems.add("DP010", item.span, message)
    else:
        return item.value
    return None
