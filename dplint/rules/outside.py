"""Lines outside of any function, read as one: the main part of a script, the cells of a notebook.

With them go the functions that take nothing and that they call, such as `main()`.
Nobody says there what the data is. It is what noise is added to whose scale is made with something that is called an
epsilon: the first variable on the way that holds neither a setting nor noise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import libcst as cst

from dplint.claims import DELTA_NAME, EPSILON_NAME, SENSITIVITY_NAME, Claim, Mechanism, Parameter, Span
from dplint.relations import CUSTOM
from dplint.rules.context import OUTSIDE, Context, takes_nothing
from dplint.rules.flow.build import build_graph
from dplint.rules.flow.terms import Assigned, Graph, Term, TermKind
from dplint.rules.flow.vocabulary import ModuleScope, speaks_of_privacy
from dplint.rules.suggesting.data_choice import is_setting
from dplint.rules.suggesting.noise_uses import NoiseUse, ancestors, noise_uses
from dplint.source.bindings import SCOPES, target_of
from dplint.source.walking import nodes_below

_SMALLEST = 1e-4
"""Of an epsilon; a number below is there to keep a divisor from zero."""
_COMPUTED = (cst.BinaryOperation, cst.UnaryOperation, cst.Subscript, cst.Name, cst.IfExp)
"""Values of an epsilon that say how it follows from another one."""


def lines_outside(scope: ModuleScope) -> cst.FunctionDef | None:
    """The lines of a module outside of functions and classes, as the body of a function; None if there are none."""
    lines = [one for one in scope.module.tree.body if not isinstance(one, cst.FunctionDef | cst.ClassDef)]
    return cst.FunctionDef(cst.Name("module"), cst.Parameters(), cst.IndentedBlock(lines)) if lines else None


def stand_in(scope: ModuleScope, file: str = "", budgets: Collection[str] = ()) -> Mechanism:
    """A mechanism for lines outside of functions. budgets: the names of epsilons, deltas and sensitivities."""
    epsilons = sorted(name for name in budgets if EPSILON_NAME.match(name))
    parameters = tuple(map(Parameter, sorted(budgets)))
    return without_claim(scope, file, OUTSIDE, Span(1, 1, 1, 1), " + ".join(epsilons) or 1.0, parameters)


def without_claim(
    scope: ModuleScope,
    file: str,
    qualname: str,
    span: Span,
    epsilon: float | str,
    parameters: tuple[Parameter, ...],
    data: str | None = None,
    rng: str | None = None,
) -> Mechanism:
    """A mechanism for what bears no claim: with this epsilon, and nothing about neighbours."""
    return Mechanism(
        file=file,
        path=file,
        import_root="",
        project_root="",
        module=scope.module.place.module,
        qualname=qualname,
        span=span,
        claim_span=span,
        claim=Claim(epsilon=epsilon, relation=CUSTOM.name),
        parameters=parameters,
        data=data,
        rng=rng,
        digest="",
    )


def context_outside(scope: ModuleScope, file: str, opt_in: Collection[str] = ()) -> Context | None:
    """What a rule is given of the lines outside of functions; None where no noise is made with an epsilon."""
    node = lines_outside(scope)
    if node is None:
        return None
    parts = [node, *_parts(scope, node)]
    budgets = {name: TermKind.SYMBOL for one in parts for name in _set(one, _is_budget)}
    if not any(EPSILON_NAME.match(one.value) for one in budgets):
        return None
    mechanism = stand_in(scope, file, {one.value for one in budgets})
    numbers = {name: TermKind.SYMBOL for one in parts for name in _set(one, _is_number)}
    given = {**numbers, **budgets}
    try:
        graph = build_graph(scope, mechanism, node, lambda _: False, scalar=False, guessed=True, given=given)
    except RecursionError:  # nobody writes this, but a machine may
        return None
    uses = [use for use in noise_uses(graph) if any(map(_is_epsilon, ancestors((*use.measure, *use.draw.args))))]
    if not speaks_of_privacy("\n".join(scope.module.lines)):
        uses = [use for use in uses if not use.normal]
    data = _data(uses, graph, {OUTSIDE, *(one.name.value for one in parts[1:])})
    if not data:
        return None
    given = {**budgets, **dict.fromkeys(data, TermKind.DATA)}
    return Context(scope, mechanism, node, opt_in, guessed=True, given=given)


def _parts(scope: ModuleScope, node: cst.FunctionDef) -> Iterator[cst.FunctionDef]:
    """The functions of the module that take nothing and that these lines call, also from each other."""
    pending, seen = [node], {node}
    while pending:
        for one in nodes_below(pending.pop().body, SCOPES):
            match one:
                case cst.Call(func=cst.Name(name)) if name in scope.module.functions:
                    called = scope.module.functions[name]
                    if takes_nothing(called) and called not in seen:
                        seen.add(called)
                        pending.append(called)
                        yield called


def _set(node: cst.FunctionDef, is_wanted: Callable[[str, cst.BaseExpression | None], bool]) -> Iterator[cst.Name]:
    """Where such a name gets such a value, None if it goes through several."""
    for one in nodes_below(node.body, SCOPES):
        value = one.value if isinstance(one, cst.Assign | cst.AnnAssign) else None
        targets: Sequence[cst.CSTNode | None] = [target_of(one)]
        values: list[cst.BaseExpression | None] = [value]
        if isinstance(one, cst.Assign):
            targets = [target.target for target in one.targets]
            values *= len(targets)
            match targets, value:
                case [cst.Tuple(elements=names)], cst.Tuple(elements=parts) if len(names) == len(parts):
                    targets, values = [name.value for name in names], [part.value for part in parts]
        elif not isinstance(one, cst.For | cst.AnnAssign):
            continue
        for target, held in zip(targets, values, strict=True):
            if isinstance(target, cst.Name) and is_wanted(target.value, held):
                yield target


def _is_number(name: str, value: cst.BaseExpression | None) -> bool:
    """Whether it may be a true answer that is written down."""
    return isinstance(value, cst.Integer | cst.Float) and not is_setting(name)


def _is_budget(name: str, value: cst.BaseExpression | None) -> bool:
    """Whether it is an epsilon or a delta that does not follow from another one, or a sensitivity that is a number."""
    number = value.evaluated_value if isinstance(value, cst.Integer | cst.Float) else None
    if SENSITIVITY_NAME.search(name):
        return number is not None  # otherwise it may be the data's
    if EPSILON_NAME.match(name) or DELTA_NAME.match(name):
        return (
            number >= _SMALLEST or not EPSILON_NAME.match(name)
            if number is not None
            else not isinstance(value, _COMPUTED)
        )
    return False


def _data(uses: Sequence[NoiseUse], graph: Graph, functions: Collection[str]) -> list[cst.Name]:
    """Where what these uses are of is assigned, in these functions."""
    noise = {use.draw for use in uses}
    found: dict[cst.Name, None] = {}
    assigned = [one for one in graph.assigned if one.function in functions and _may_be_data(one)]
    for use in uses:
        found |= dict.fromkeys(_roots(assigned, use.operands, noise))
    return list(found)


def _is_epsilon(term: Term) -> bool:
    return term.kind is TermKind.SYMBOL and EPSILON_NAME.match(term.name) is not None


def _roots(assigned: Sequence[Assigned], operands: Sequence[Term], noise: Collection[Term]) -> list[cst.Name]:
    """The variables in which these values begin; numbers only where there is nothing else."""
    within = set(ancestors(operands))
    named = [one for one in assigned if one.term in within]
    made = {one.term: set(ancestors([one.term])) for one in named}
    exact = [one for one in named if made[one.term].isdisjoint(noise)]
    plain = [one for one in exact if not isinstance(one.value, cst.Integer | cst.Float)]
    terms = {one.term for one in plain}
    first = [one.target for one in plain if terms & made[one.term] == {one.term}]
    return first or [one.target for one in exact if one.term in operands]


def _may_be_data(one: Assigned) -> bool:
    """Whether it is neither text nor function, and not called as a setting is."""
    text = one.term.kind is TermKind.CONSTANT and not isinstance(one.term.value, int | float)
    other = one.term.kind in (TermKind.GENERATOR, TermKind.FUNCTION)
    return not (text or other or is_setting(one.name))
