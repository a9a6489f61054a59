"""From a mechanism to the graph of its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import libcst as cst

from dplint.claims import Columns, Mechanism
from dplint.relations import CUSTOM, DataKind, relation_of
from dplint.rules.flow.dicts import COLUMNS, NAMED_ANSWERS
from dplint.rules.flow.names import ModuleScope
from dplint.rules.flow.reading import TermReader
from dplint.rules.flow.state import State
from dplint.rules.flow.statements import Statements
from dplint.rules.flow.terms import Graph, Term, TermKind
from dplint.source.bindings import all_parameters


def build_graph(
    scope: ModuleScope,
    mechanism: Mechanism,
    node: cst.FunctionDef | cst.Lambda,
    is_epsilon: Callable[[Term], bool],
    *,
    scalar: bool,
    guessed: bool = False,
    given: Mapping[cst.Name, TermKind] = MappingProxyType({}),
) -> Graph:
    """The values that a mechanism computes.

    is_epsilon: whether a symbol or a constant may be an epsilon of the claim. scalar: its data is one value, not a
    sequence. guessed: there is no claim, and so nothing that says that the keys of the data are private. given: targets
    of assignments that stand for a parameter, of that kind: what is assigned to them is not followed.
    """
    reader = TermReader(scope, is_epsilon)
    reader.methods = scope.methods_beside(node)
    values: dict[str, Term] = {}
    for one in all_parameters(node, variadic=True):
        name = one.name.value
        if name == mechanism.data:
            shape = "scalar" if scalar else "sequence"
            named = guessed or relation_of(mechanism.claim).data is DataKind.VECTOR
            keys = [COLUMNS] * _has_columns(mechanism) + [NAMED_ANSWERS] * named
            values[name] = reader.make(TermKind.DATA, name, one.name, keys=keys, value=shape)
        elif name == mechanism.rng:
            values[name] = reader.make(TermKind.GENERATOR, "parameter", one.name, value="parameter")
        else:
            values[name] = reader.make(TermKind.SYMBOL, name, one.name)
    if mechanism.data is not None and mechanism.data.startswith("self."):
        shape = "scalar" if scalar else "sequence"
        values[mechanism.data] = reader.make(TermKind.DATA, mechanism.data, node, value=shape)
    for target, kind in given.items():
        keys = [COLUMNS, NAMED_ANSWERS] if kind is TermKind.DATA else []
        reader.given[target] = reader.make(kind, target.value, target, keys=keys, value="sequence" if keys else None)
    Statements(reader).run(node, mechanism.qualname.rpartition(".")[2], State(values))
    return reader.graph


def _has_columns(mechanism: Mechanism) -> bool:
    """Whether the data is a table or a record whose columns are known to all: what the claim or the annotation says.

    Where nothing is said of neighbours, they count as known, as those of most tables and of options to choose from are.
    """
    if mechanism.claim.relation == CUSTOM.name:
        return True
    parameter = mechanism.parameter(mechanism.data) if mechanism.data is not None else None
    annotation = (parameter.annotation or "") if parameter is not None else ""
    return isinstance(mechanism.claim.domain, Columns) or "DataFrame" in annotation
