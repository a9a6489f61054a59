"""The mistakes that a claim can have: one code a kind of mistake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClaimCode:
    """A code DP0xx. All of them are errors: a wrong claim is not checked."""

    code: str
    title: str
    text: str


_ALL = (
    ClaimCode(
        "DP001",
        "unknown argument of dp",
        "dp takes epsilon, delta, neighbors, sensitivity, data, domain, size, args and rng, each at most once.",
    ),
    ClaimCode(
        "DP002",
        "no epsilon",
        'A claim needs epsilon: a positive number, or an expression over the parameters such as "epsilon".',
    ),
    ClaimCode(
        "DP003",
        "epsilon is not positive and finite",
        "epsilon bounds the loss. At zero or below nothing can be released, and an infinite one promises nothing.",
    ),
    ClaimCode(
        "DP004",
        "delta is outside [0, 1)",
        "delta is the probability by which the bound may be missed: 0 for pure privacy, otherwise far below 1 / n.",
    ),
    ClaimCode(
        "DP005",
        "unknown neighbour relation",
        'neighbors is "linf", "l1", "l2", "add-remove", "replace-one" or "any", a function that yields pairs, or '
        '"module:function".',
    ),
    ClaimCode(
        "DP006",
        "the neighbour relation needs a domain",
        "Records and local values are made from a domain; without one there is no data to try. A bool annotation on "
        "the data says it as well.",
    ),
    ClaimCode(
        "DP007",
        "unknown parameter",
        "data, rng, the keys of args, and the names in an epsilon or delta expression are parameters of the function.",
    ),
    ClaimCode(
        "DP008",
        "wrong expression",
        "Expressions may hold parameters, numbers, + - * / **, parentheses, min max abs sqrt log exp, and sum or len "
        "of a parameter. The data may enter through its length alone, where neighbours have the same length.",
    ),
    ClaimCode(
        "DP009",
        "value cannot be read without running the code",
        "A claim is read from the source. Write literals, arithmetic on them, math.log, math.exp and math.sqrt, or "
        "names that the module assigns once, to such a value.",
    ),
    ClaimCode(
        "DP010",
        "wrong domain",
        "A domain is an interval (low, high) of finite numbers with low <= high, a non-empty list of categories, or a "
        "dict of those by column.",
    ),
    ClaimCode(
        "DP011",
        "wrong size",
        "size is a length of the data, a positive integer, or a non-empty tuple or list of those.",
    ),
    ClaimCode(
        "DP012",
        "wrong sensitivity",
        "sensitivity is a positive, finite number: how far neighbouring vectors may be apart.",
    ),
    ClaimCode(
        "DP013",
        "wrong args",
        "args maps other parameters to a value, a non-empty list of candidates, or an interval (low, high). The data "
        "and the generator are not among them.",
    ),
    ClaimCode(
        "DP014",
        "two claims on one function",
        "A function bears one claim, as a decorator, as a comment or in pyproject.toml.",
    ),
    ClaimCode(
        "DP015",
        "claim comment that cannot be used",
        "A claim comment reads `# dplint: dp(...)`, on one line, directly above a function or its decorators.",
    ),
    ClaimCode(
        "DP016",
        "claim in pyproject.toml for a function that does not exist",
        'The table [tool.dplint.mechanisms."package.module:function"] names a function of the module, or Class.method.',
    ),
    ClaimCode(
        "DP017",
        "positional argument to dp",
        "The arguments of dp have names: dp(epsilon=1.0).",
    ),
    ClaimCode(
        "DP018",
        "no data parameter",
        "Privacy is a promise about data, so a mechanism needs a parameter that takes it.",
    ),
    ClaimCode(
        "DP019",
        "claim that is attached to no function",
        "Write dp(...) as a decorator directly above a function, or apply it to a lambda or to a function of the "
        "same module: dp(...)(function).",
    ),
)

CLAIM_CODES: Mapping[str, ClaimCode] = {entry.code: entry for entry in _ALL}
"""All codes, in order."""
