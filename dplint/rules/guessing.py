"""Functions without a claim that look like mechanisms: they have a parameter named as an epsilon."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dplint.claims import Claim, Mechanism, Relation
from dplint.rules.roles import DELTA_NAME, EPSILON_NAME
from dplint.source.module import ParsedModule
from dplint.source.parameters import default_generator, is_variadic, read_parameters
from dplint.source.targets import take_inventory

_SETTINGS = frozenset({"self", "cls", "epsilon", "seed", "accountant", "bounds", "sensitivity", "size", "n", "k"})


def guess_mechanisms(module: ParsedModule, file: str) -> Iterator[tuple[Mechanism, cst.FunctionDef]]:
    """A stand-in for each such function: it claims its epsilon, and nothing about neighbours."""
    for target in take_inventory(module).targets:
        if not isinstance(target.node, cst.FunctionDef):
            continue
        parameters = read_parameters(module.tree, target.node, bound=target.takes_bound_first)
        epsilon = next((one.name for one in parameters if EPSILON_NAME.match(one.name)), None)
        if epsilon is None:
            continue
        rng = default_generator(parameters, module.names)
        others = [
            one.name
            for one in parameters
            if one.name not in _SETTINGS
            and one.name != rng
            and not EPSILON_NAME.match(one.name)
            and not DELTA_NAME.match(one.name)
            and not is_variadic(one)
        ]
        yield (
            Mechanism(
                file=file,
                path=file,
                import_root="",
                project_root="",
                module=module.place.module,
                qualname=target.qualname,
                span=target.span,
                claim_span=target.span,
                claim=Claim(epsilon=epsilon, relation=Relation.CUSTOM),
                parameters=parameters,
                data=others[0] if others and others[0] == parameters[0].name else None,
                rng=rng,
                digest="",
            ),
            target.node,
        )
