"""What libraries promise of their functions, as contracts; and the accountant of diffprivlib.

The functions of `diffprivlib.tools` take epsilon (1.0 by default) and an accountant, which they ask before they look
at the data (`accountant.check`). Means, variances, sums and quantiles have a sensitivity that is worked out for a fixed
number of records, so their claim is about replacing one, and so is that of a count. Histograms have a sensitivity of 1,
which is that of adding or removing a record (Holohan, Braghin, Mac Aonghusa, Levacher: Diffprivlib, 2019).
"""

from __future__ import annotations

import ast

from dplint.claims import Claim
from dplint.contracts.views import Contract
from dplint.distributions.generators import BIT_GENERATORS

ACCOUNTANT = frozenset({"diffprivlib.BudgetAccountant", "diffprivlib.accountant.BudgetAccountant"})
ACCOUNTANT_PARAMETERS = ("epsilon", "delta", "slack", "spent_budget")
_TOOLS = "diffprivlib.tools."
_MOMENTS = ("mean", "var", "std", "sum", "nanmean", "nanvar", "nanstd", "nansum")
_QUANTILES = {"median": (), "quantile": ("quant",), "percentile": ("percent",)}
_REPLACE = Claim(epsilon="epsilon", relation="replace-one")
_COUNTS = Claim(epsilon="epsilon", relation="add-remove")


def tool(full: str) -> Contract | None:
    """The contract of a function of a library, None if none is known. Without bounds nothing is promised."""
    if not full.startswith("diffprivlib."):
        return None
    short = full.removeprefix(_TOOLS).rpartition(".")[2]
    if not full.startswith(_TOOLS):
        return None
    if short in _MOMENTS:
        return _contract(full, _REPLACE, ("array", "epsilon", "bounds"), frozenset({"bounds"}))
    if short in _QUANTILES:
        return _contract(full, _REPLACE, ("array", *_QUANTILES[short], "epsilon", "bounds"), frozenset({"bounds"}))
    if short == "count_nonzero":
        return _contract(full, _REPLACE, ("array", "epsilon"), frozenset())
    if short == "histogram":
        parameters = ("sample", "epsilon", "bins", "range", "weights", "density")
        return _contract(full, _COUNTS, parameters, frozenset({"range"}))
    return None


def _contract(full: str, claim: Claim, parameters: tuple[str, ...], required: frozenset[str]) -> Contract:
    further = ("axis", "dtype", "keepdims", "random_state", "accountant")
    return Contract(
        name=full.rpartition(".")[2],
        claim=claim,
        parameters=(*parameters, *further),
        data=parameters[0],
        defaults={one: ast.Constant(1.0 if one == "epsilon" else None) for one in (*parameters[1:], *further)},
        keyword_only=frozenset(further),
        required=required,
        accountant="accountant",
    )


def is_seedless(node: ast.expr) -> bool:
    """Whether what makes a generator is given no seed here: None, or a bit generator that has none."""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        return not node.args and not node.keywords and f"numpy.random.{name}" in BIT_GENERATORS
    return isinstance(node, ast.Constant) and node.value is None
