"""DP208: something is selected by exact scores."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.categories import shows_categories
from dplint.rules.context import Context, Report
from dplint.rules.fallbacks import after_permute_and_flip
from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import RELEASES, exposed_sinks, places
from dplint.rules.rule import ANY_EFFECT, Rule


def check(context: Context) -> Iterator[Report]:
    """Indices and orders of exact scores in what is released; draws whose weights have no epsilon in them."""
    for sink, witness in exposed_sinks(context, RELEASES, Exposure.SELECTION):
        if Exposure.VALUE not in context.exposed.of(sink.term) and not shows_categories(context, sink):
            node = witness.node or sink.node
            if after_permute_and_flip(context, node):
                continue
            message = (
                "the selection is made by exact scores, and which one wins shows the data: add Gumbel noise of scale "
                "2 * sensitivity / epsilon to the scores first"
            )
            yield Report(node, message, places(context, witness, "the selection"))
    for draw in context.exposed.draws:
        weights = draw.argument("p", "weights") if draw.name == "choice" else None
        if weights is None or weights.node is None or weights in context.mentions or context.guessed:
            continue
        if Exposure.VALUE in context.exposed.of(weights) and context.roles.epsilons:
            message = (
                "the probabilities of this choice are exact scores without epsilon, so that rare ones show the data: "
                "use exp(epsilon * score / (2 * sensitivity))"
            )
            yield Report(weights.node, message, (context.the_claim,))


RULE = Rule(
    code="DP208",
    name="selection by exact scores",
    severity=Severity.WARNING,
    what="An index, an order or a weighted choice that is released was made with scores that bear no noise.",
    why="The winner is a function of the data: where the scores are close, one record decides it.",
    bug="dpsynth's SWIFT pipeline selected queries by exact marginal errors (issue 35).",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def best(rng, scores, epsilon, exact: bool):
            if exact:
                return int(np.argmax(np.asarray(scores)))
            return int(np.argmax([score + rng.gumbel(scale=2 / epsilon) for score in scores]))
        """,
        # dpsynth 35: the query with the largest error
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def worst_marginal(rng, errors, epsilon):
            worst = int(np.argmax(errors))
            return worst, errors[worst] + rng.laplace(scale=1 / epsilon)
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def order(rng, scores, epsilon):
            ranking = np.argsort(scores)
            noisy = sum(scores) + rng.laplace(scale=len(scores) / epsilon)
            return ranking.tolist(), noisy
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def weighted(rng, scores, epsilon):
            total = sum(scores)
            return int(rng.choice(len(scores), p=[s / total for s in scores])) + 0 * epsilon
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def best(rng, scores, epsilon, exact: bool):
            noisy = [s + rng.gumbel(scale=2 / epsilon) for s in scores]
            if exact:
                return scores.index(max(scores))
            return noisy.index(max(noisy))
        """,
        # a coin of another distance may fall on no side
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def flip(rng, scores, epsilon):
            for i in rng.permutation(len(scores)):
                if rng.random() <= math.exp(epsilon * (scores[i] - 10) / 2):
                    return int(i)
            return int(np.argmax(scores))
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def best(rng, scores, epsilon):
            winner = max(range(len(scores)), key=lambda i: scores[i])
            noisy = rng.laplace(scale=1 / epsilon)
            return int(np.asarray(scores).argmax()), noisy
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def best(rng, scores, epsilon):
            return int(np.argmax([score + rng.gumbel(scale=2 / epsilon) for score in scores]))
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def best(rng, scores, epsilon):
            noisy = np.asarray(scores) + rng.gumbel(scale=2 / epsilon, size=len(scores))
            return int(np.argmax(noisy))
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def exponential(rng, scores, epsilon):
            weights = np.exp(epsilon * (np.asarray(scores) - max(scores)) / 2)
            return int(rng.choice(len(scores), p=weights / weights.sum()))
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def ranking(rng, counts, epsilon):
            noisy = [c + rng.laplace(scale=1 / epsilon) for c in counts]
            return sorted(range(len(noisy)), key=lambda i: noisy[i])
        """,
        # the last line is never reached: the coin of the best one always falls on its side
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def permute_and_flip(rng, scores, epsilon):
            best = max(scores)
            for i in rng.permutation(len(scores)):
                if rng.random() <= math.exp(epsilon * (scores[i] - best) / 2):
                    return int(i)
            return int(np.argmax(scores))
        """,
        # the order of the parameters is public
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def weighted(rng, scores, epsilon, weights):
            first = int(np.argmax(weights))
            return first, scores[first] + rng.laplace(scale=1 / epsilon)
        """,
        # a median that gets noise
        """
        @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
        def middle(rng, values, epsilon):
            return sorted(values)[len(values) // 2] + rng.laplace(scale=10 / epsilon)
        """,
    ),
    check=check,
    error_if_refuted=True,
    effects=ANY_EFFECT,
)
