"""DP206: the noisy value that was tested is itself released."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.costs import data_loops
from dplint.rules.flow.releases import Form
from dplint.rules.rule import Rule


def check(context: Context) -> Iterator[Report]:
    """Noisy answers that are compared in a loop that stops early, and of which those above are reported."""
    if not context.move_apart:
        return
    for noise in context.noises:
        if not noise.ways or any("len" in way.powers for way in noise.ways):
            continue
        for met in noise.meets:
            released = context.releases.of(met)
            loops = data_loops(context, met)
            if Form.VALUE not in released or Form.TEST not in released or not any(loop.exits for loop in loops):
                continue
            test = released[Form.TEST].where
            if met.node is not None:
                message = (
                    "the noisy value that was compared with the threshold is itself released: release it with fresh "
                    "noise, or the gap to the noisy threshold"
                )
                places = context.related([(test.node, "the comparison")])
                yield Report(met.node, message, (context.the_claim, *places))


RULE = Rule(
    code="DP206",
    name="selection noise reused",
    severity=Severity.WARNING,
    what="A noisy answer is compared with a threshold, and the same noisy answer is reported if it lies above.",
    why=(
        "The price of the test is hidden in the noise of the threshold. A low answer that is reported as above the "
        "threshold tells that the threshold was lower still. So all answers before it were low."
    ),
    bug="Roth's lecture notes of 2011 (iSVT4); NVFlare's SVTPrivacy had to be reworked for it (pull request 4470).",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def first_above(rng, queries, epsilon, T):
            threshold = T + rng.laplace(scale=2 / epsilon)
            found = []
            for query in queries:
                noisy = query + rng.laplace(scale=4 / epsilon)
                if noisy >= threshold:
                    found.append(noisy)
                    break
                found.append(None)
            return found
        """,
        # Roth's lecture notes
        """
        @dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
        def sparse(rng, queries, epsilon, T, N):
            threshold = T + rng.laplace(scale=2 / epsilon)
            out, count = [], 0
            for query in queries:
                noisy = query + rng.laplace(scale=2 * N / epsilon)
                if noisy > threshold:
                    out.append(noisy)
                    count += 1
                    if count >= N:
                        break
                else:
                    out.append(False)
            return out
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="linf")
        def first_above(rng, queries, epsilon, T):
            threshold = T + rng.laplace(scale=3 / epsilon)
            found = []
            for query in queries:
                if query + rng.laplace(scale=6 / epsilon) >= threshold:
                    found.append(query + rng.laplace(scale=3 / epsilon))
                    break
                found.append(None)
            return found
        """,
        # fresh noise
        """
        @dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
        def numeric(rng, queries, epsilon, T, N):
            threshold = T + rng.laplace(scale=3 / epsilon)
            out, count = [], 0
            for query in queries:
                if query + rng.laplace(scale=6 * N / epsilon) >= threshold:
                    out.append(query + rng.laplace(scale=3 * N / epsilon))
                    count += 1
                    if count >= N:
                        break
                else:
                    out.append(0.0)
            return out
        """,
    ),
    check=check,
    error_if_refuted=True,
)
