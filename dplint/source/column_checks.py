"""What a claim says of columns of its domain: whose a record is, and which column the function gets apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

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


def columns_apart(
    data: Item | None,
    labels: Item | None,
    taken: Sequence[str | None],
    domain: Domain | None,
    bearer: Bearer,
    problems: Problems,
) -> tuple[tuple[str, str], ...]:
    """The parameters that take a column apart, with the column: those that `data` names after the first, and `labels`.

    taken: the parameters of the data and the generator, in this order.
    """
    columns = [name for name, _ in domain.columns] if isinstance(domain, Columns) else []
    apart: list[tuple[str, str]] = []
    several = data.value[1:] if data is not None and isinstance(data.value, list | tuple) else ()
    span = bearer.span if data is None else data.span
    for name in several:
        if not isinstance(name, str) or name not in bearer.names_of():
            problems.add("DP007", span, bearer.unknown("data", str(name)))
        elif name in (*taken, *dict(apart)):
            problems.add("DP007", span, f"data names {name!r}, which has another part already. Name it once.")
        elif name not in columns:
            message = f"several data parameters take columns of one record: give domain a column {name!r}"
            problems.add("DP010", span, f'{message}, as in domain={{"{name}": (0.0, 1.0), ...}}.')
        else:
            apart.append((name, name))
    label = _labels(labels, {*taken, *dict(apart)}, domain, bearer, problems)
    if label is not None:
        apart.append((label, label if label in columns else columns[-1]))
    if apart and not set(columns) - {column for _, column in apart}:
        problems.add("DP010", span, f"no column of the domain is left for {taken[0]!r}: give it one.")
    return tuple(apart)


def _labels(
    item: Item | None, taken: Collection[str | None], domain: Domain | None, bearer: Bearer, problems: Problems
) -> str | None:
    """The parameter that `labels` names."""
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
