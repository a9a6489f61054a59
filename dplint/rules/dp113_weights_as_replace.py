"""DP113: the probabilities of a choice stand where `replace` is expected."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.terms import DrawTerm, Term, TermKind, inside
from dplint.rules.rule import Rule

_NAME = re.compile(r"^(?:p|pvals|.*(?:prob(?:s|abilit(?:y|ies))?|weights?))$")


def check(context: Context) -> Iterator[Report]:
    """Choices by NumPy whose third argument is a list of weights."""
    for draw in context.exposed.draws:
        given = draw.argument("replace") if draw.name == "choice" else None
        if given is None or not isinstance(draw.value, DrawTerm) or not _are_weights(given):
            continue
        node = draw.value.nodes.get("replace")
        if node is not None:
            message = (
                f"the third argument of choice is `replace`, so that {context.code(given, 'these weights')} have no "
                "part in it: write p= before them"
            )
            yield Report(node, message, (context.the_claim,))


def _are_weights(given: Term) -> bool:
    if given.kind is TermKind.SYMBOL:
        return _NAME.match(given.name.rpartition(".")[2]) is not None
    return given.kind is not TermKind.CONSTANT and any(
        one.kind is TermKind.CALL and one.name in ("exp", "softmax") for one in inside(given)
    )


RULE = Rule(
    code="DP113",
    name="weights as replace",
    severity=Severity.ERROR,
    what="numpy.random.choice, or choice of a generator, gets its probabilities as the third argument, without `p=`.",
    why="A list that is not empty counts as true: the choice is even, and the scores have no part in it.",
    bug="Of fifteen real bugs that were found by reading public code, one was this, in an exponential mechanism.",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def pick(scores, epsilon):
            weights = [math.exp(epsilon * score / 2) for score in scores]
            total = sum(weights)
            return np.random.choice(len(scores), 1, [weight / total for weight in weights])[0]
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def pick(rng, scores, epsilon):
            weights = np.exp(epsilon * np.asarray(scores) / 2)
            return rng.choice(len(scores), None, list(weights / weights.sum()))
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def pick(scores, epsilon):
            scores = np.asarray(scores)
            weights = np.exp(epsilon * (scores - scores.max()) / 2)
            return np.random.choice(len(scores), 1, p=weights / weights.sum())[0]
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def pick(scores, epsilon):
            scores = np.asarray(scores)
            weights = np.exp(epsilon * (scores - scores.max()) / 2)
            return np.random.choice(len(scores), 1, True, weights / weights.sum())[0]
        """,
    ),
    check=check,
    outside=True,
)
