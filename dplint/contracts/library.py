"""What libraries promise of their functions, as contracts; and the accountant of diffprivlib."""

from __future__ import annotations

import ast

from dplint.claims import Claim
from dplint.contracts.views import Contract
from dplint.distributions.generators import BIT_GENERATORS
from dplint.program.library_claims import of_function

ACCOUNTANT = frozenset({"diffprivlib.BudgetAccountant", "diffprivlib.accountant.BudgetAccountant"})
ACCOUNTANT_PARAMETERS = ("epsilon", "delta", "slack", "spent_budget")


def tool(full: str) -> Contract | None:
    """The contract of a function of a library, None if none is known. Without bounds nothing is promised."""
    known = of_function(full)
    if known is None:
        return None
    further = ("axis", "dtype", "keepdims", "random_state", "accountant")
    data, *others = known.parameters
    return Contract(
        name=full.rpartition(".")[2],
        claim=Claim(epsilon="epsilon", relation=known.relation),
        parameters=(*known.parameters, *further),
        data=data,
        defaults={one: ast.Constant(1.0 if one == "epsilon" else None) for one in (*others, *further)},
        keyword_only=frozenset(further),
        required=known.required,
        accountant="accountant",
    )


def is_seedless(node: ast.expr) -> bool:
    """Whether what makes a generator is given no seed here: None, or a bit generator that has none."""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        return not node.args and not node.keywords and f"numpy.random.{name}" in BIT_GENERATORS
    return isinstance(node, ast.Constant) and node.value is None
