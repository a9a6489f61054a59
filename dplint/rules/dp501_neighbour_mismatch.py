"""DP501: noise for one answer that moves, where the claim lets all of them move."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.costs import data_loops, is_whole_vector, loss_each, scale_node
from dplint.rules.fixing import number_of_answers, scale_times
from dplint.rules.flow.releases import Form
from dplint.rules.rule import Rule


def check(context: Context) -> Iterator[Report]:
    """Vectors of noisy answers whose scale is exactly that of a single one."""
    if not context.all_move or context.most < 2:
        return
    for noise in context.noises:
        loss = loss_each(context, noise)
        if loss is None or abs(loss - 1) > 1e-9:
            continue
        for met in noise.meets:
            loops = data_loops(context, met)
            each = bool(loops) or any(is_whole_vector(context, one) for one in noise.raw)
            node = scale_node(noise, noise.ways[0])
            if Form.VALUE in context.releases.of(met) and each and not any(loop.exits for loop in loops) and node:
                message = (
                    "this scale is right if one answer moves, but neighbors='linf' lets all of them move: multiply "
                    "it by "
                    "their number, or claim neighbors='l1'"
                )
                fix = scale_times(context, noise, node, number_of_answers(context))
                yield Report(node, message, (context.the_claim,), fix)
                break


RULE = Rule(
    code="DP501",
    name="neighbour relation mismatch",
    severity=Severity.WARNING,
    what="Every element of a vector gets the noise of the l1 relation, but the claim says linf: all elements may move.",
    why="With n answers that all move the loss is n times epsilon.",
    bug="DP-Sniper's PrefixSum is right where one answer differs, and was measured where all of them do.",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def histogram(rng, counts, epsilon):
            return [count + rng.laplace(scale=1 / epsilon) for count in counts]
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf", size=10)
        def prefix_sums(rng, queries, epsilon):
            total, sums = 0.0, []
            for query in queries:
                total += query + rng.laplace(scale=1 / epsilon)
                sums.append(total)
            return sums
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf", sensitivity=5)
        def answers(rng, queries, epsilon):
            return [query + rng.laplace(scale=5 / epsilon) for query in queries]
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def answers(rng, queries, epsilon):
            return np.asarray(queries) + rng.laplace(0, 1 / epsilon, size=len(queries))
        """,
        """
        @dp(epsilon="2 * epsilon", neighbors="linf")
        def answers(rng, queries, epsilon):
            noisy = []
            for i in range(len(queries)):
                noisy.append(queries[i] + rng.laplace(scale=1 / (2 * epsilon)))
            return noisy
        """,
        """
        def noisy(rng, value, sensitivity, epsilon):
            return rng.laplace(value, sensitivity / epsilon)

        @dp(epsilon="epsilon", neighbors="linf")
        def answers(rng, queries, epsilon):
            return [round(noisy(rng, query, 1.0, epsilon)) for query in queries]
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def histogram(rng, counts, epsilon):
            return [count + rng.laplace(scale=1 / epsilon) for count in counts]
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def answers(rng, queries, epsilon):
            return [query + rng.laplace(scale=len(queries) / epsilon) for query in queries]
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def first(rng, queries, epsilon):
            return queries[0] + rng.laplace(scale=1 / epsilon)
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf", size=1)
        def only(rng, queries, epsilon):
            return [query + rng.laplace(scale=1 / epsilon) for query in queries]
        """,
        """
        @dp(epsilon="len(queries) * epsilon", neighbors="linf")
        def answers(rng, queries, epsilon):
            return [query + rng.laplace(scale=1 / epsilon) for query in queries]
        """,
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
        def counts(rng, values, epsilon):
            return [sum(1 for v in values if v == k) + rng.laplace(scale=1 / epsilon) for k in (0, 1)]
        """,
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def mean(rng, queries, epsilon):
            return sum(queries) / len(queries) + rng.laplace(scale=1 / epsilon)
        """,
    ),
    check=check,
    error_if_refuted=True,
)
