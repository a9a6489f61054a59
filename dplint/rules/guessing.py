"""Functions without a claim that look like mechanisms: they have a parameter named as an epsilon.

So do the methods of a class whose `__init__` has one, if they take data: `self.epsilon` is what they spend.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from dplint.claims import Claim, Mechanism, Parameter
from dplint.relations import CUSTOM
from dplint.rules.roles import EPSILON_NAME
from dplint.source.module import ParsedModule
from dplint.source.parameters import default_generator, is_variadic, read_parameters
from dplint.source.targets import Target, take_inventory

_DATA = re.compile(
    r"^(?!(?:n|num|max|min)_)(?:x|y|a|xs|df|arr|array|col|column|columns|counts?|data|dataset|datasets|frame|grads?|gradients?|hist|histogram|"
    r"labels?|points?|quer(?:y|ies)|answers?|records?|rows?|samples?|scores?|sequence|series|table|total|values?|"
    r"vector|weights|\w+_(?:data|values|counts|array|samples|scores|df))$",
    re.IGNORECASE,
)
"""Names of parameters that take data. Without a claim there is nothing better to go by."""


def guess_mechanisms(module: ParsedModule, file: str) -> Iterator[tuple[Mechanism, cst.FunctionDef]]:
    """A stand-in for each such function: it claims its epsilon, and nothing about neighbours."""
    targets = take_inventory(module).targets
    given = dict(_given_to_classes(module, targets))
    for target in targets:
        if not isinstance(target.node, cst.FunctionDef) or target.node.name.value.startswith("_"):
            continue  # what is meant for others alone; it is read where it is called
        parameters = read_parameters(module.tree, target.node, module.names, bound=target.takes_bound_first)
        own = _epsilon_of(parameters)
        epsilon = own or (given.get(target.qualname.rpartition(".")[0]) if target.is_method else None)
        rng = default_generator(parameters, module.names)
        first = next((one for one in parameters if one.name != rng), None)
        named = first is not None and _DATA.match(first.name) is not None and not is_variadic(first)
        if epsilon is None or not (own or named):
            continue
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
                claim=Claim(epsilon=epsilon, relation=CUSTOM.name),
                parameters=parameters,
                data=first.name if first is not None and named else None,
                rng=rng,
                digest="",
            ),
            target.node,
        )


def _given_to_classes(module: ParsedModule, targets: Iterable[Target]) -> Iterator[tuple[str, str]]:
    """The classes that are made with an epsilon, with the name of that."""
    for target in targets:
        if target.is_method and isinstance(target.node, cst.FunctionDef) and target.node.name.value == "__init__":
            epsilon = _epsilon_of(read_parameters(module.tree, target.node, module.names, bound=True))
            if epsilon is not None:
                yield target.qualname.rpartition(".")[0], epsilon


def _epsilon_of(parameters: Iterable[Parameter]) -> str | None:
    return next((one.name for one in parameters if EPSILON_NAME.match(one.name)), None)
