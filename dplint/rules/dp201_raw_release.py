"""DP201: data is released without noise on some path."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.categories import shows_categories
from dplint.rules.context import Context, Report
from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import RELEASES, exposed_sinks, places
from dplint.rules.rule import Rule


def check(context: Context) -> Iterator[Report]:
    """Values that are returned or yielded and that exact data went into."""
    name = context.mechanism.qualname.rpartition(".")[2]
    if context.guessed and name.startswith("_") and not name.endswith("__"):
        return  # a step on the way: its caller may add the noise, and nobody promises anything of it
    for sink, witness in exposed_sinks(context, RELEASES, Exposure.VALUE):
        if shows_categories(context, sink):
            continue  # DP203 speaks of those
        what = "returned" if sink.kind == "return" else "yielded"
        message = f"exact data is {what} here without any noise: add noise before it leaves the mechanism"
        yield Report(sink.node, message, places(context, witness, "where it comes from"))


RULE = Rule(
    code="DP201",
    name="raw release",
    severity=Severity.WARNING,
    what="A value that depends on exact data is returned or yielded on some path, without noise on the way.",
    why="One such path is enough: whoever reaches it reads the data.",
    bug=(
        "NVFlare kept the raw clipped weights at indices that were neither accepted nor candidates (issue 343); "
        "TF-privacy's optimiser was bypassed in one execution mode (issue 72)."
    ),
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def histogram(rng, counts, epsilon, verbose: bool):
            noisy = [count + rng.laplace(scale=1 / epsilon) for count in counts]
            if verbose:
                return list(counts)
            return noisy
        """,
        # NVFlare 343: what was neither accepted nor a candidate keeps its value
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def share(rng, weights, epsilon, accepted):
            out = list(weights)
            for i in accepted:
                out[i] = weights[i] + rng.laplace(scale=1 / epsilon)
            return out
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def histogram(rng, counts, epsilon, verbose: bool):
            noisy = [count + rng.laplace(scale=1 / epsilon) for count in counts]
            if verbose:
                noisy.append(len(counts))
            return noisy
        """,
        # randomised response
        """
        @dp(epsilon="epsilon", neighbors="any", domain=[False, True])
        def respond(rng, answer: bool, epsilon):
            keep = math.exp(epsilon) / (1 + math.exp(epsilon))
            return answer if rng.random() < keep else not answer
        """,
    ),
    check=check,
    error_if_refuted=True,
)
