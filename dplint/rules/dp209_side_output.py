"""DP209: data leaves by another way than the return value."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import exposed_sinks, places
from dplint.rules.rule import Rule

_WAYS = {
    "print": "is printed",
    "log": "is logged",
    "raise": "is part of this exception",
    "attribute": "is kept in an attribute",
    "write": "is written to a file or a plot",
}


def check(context: Context) -> Iterator[Report]:
    """Exact data in prints, logs, messages of exceptions, attributes and files."""
    for exposure in (Exposure.VALUE, Exposure.SELECTION):
        for sink, witness in exposed_sinks(context, tuple(_WAYS), exposure):
            if context.guessed and sink.kind == "raise":
                continue  # a check of arguments: who promises nothing may refuse what he likes
            message = (
                f"exact data {_WAYS[sink.kind]} here, and leaves the mechanism without noise: leave it out, or use the "
                "noisy value"
            )
            yield Report(sink.node, message, places(context, witness, "where it comes from"))


RULE = Rule(
    code="DP209",
    name="side output",
    severity=Severity.WARNING,
    what="Data without noise goes to a print, a log, the message of an exception, an attribute, a file or a plot.",
    why="The promise is about everything that an observer sees. Logs and fitted models are seen by many.",
    bug="diffprivlib's k-means keeps the exact labels_ and inertia_ on the model that is released.",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            exact = sum(values)
            print("exact:", exact)
            return exact + rng.laplace(scale=1 / epsilon)
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            logging.info("exact sum %s", sum(values))
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
        """
        logger = logging.getLogger(__name__)

        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            exact = sum(values)
            logger.debug(f"exact: {exact}")
            return exact + rng.laplace(scale=1 / epsilon)
        """,
        # k-means keeps the exact labels on the model
        """
        class Model:
            @dp(epsilon="epsilon", neighbors="l1")
            def fit(self, rng, values, epsilon):
                self.labels_ = [v > 3 for v in values]
                self.total_ = sum(values) + rng.laplace(scale=1 / epsilon)
                return self.total_
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def checked(rng, values, epsilon):
            noisy = sum(values) + rng.laplace(scale=1 / epsilon)
            if noisy > 1000:
                raise ValueError(f"too large: {values}")
            return noisy
        """,
        """
        import pickle

        @dp(epsilon="epsilon", neighbors="l1")
        def cached(rng, values, epsilon, file):
            pickle.dump(values, file)
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
        """
        def report(values):
            print("largest", max(values))

        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            report(values)
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            noisy = sum(values) + rng.laplace(scale=1 / epsilon)
            print("noisy:", noisy)
            return noisy
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            noisy = sum(values) + rng.laplace(scale=1 / epsilon)
            logging.info("noisy sum %s of %d values", noisy, len(values))
            return noisy
        """,
        """
        class Model:
            @dp(epsilon="epsilon", neighbors="l1")
            def fit(self, rng, values, epsilon):
                self.epsilon = epsilon
                self.total_ = sum(values) + rng.laplace(scale=1 / epsilon)
                return self.total_
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def checked(rng, values, epsilon):
            if epsilon <= 0:
                raise ValueError(f"epsilon is {epsilon}")
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def kept(rng, values, epsilon):
            state = {}
            state["exact"] = sum(values)
            return state["exact"] + rng.laplace(scale=1 / epsilon)
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def named(rng, values, epsilon):
            print("releasing a sum with epsilon", epsilon, type(values), isinstance(values, list))
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
        # the number of columns, the types of columns and what an unknown function keeps the length of
        """
        @dp(epsilon="epsilon", neighbors="replace-one", domain={"age": (0, 120)})
        def fit(rng, rows, epsilon, logger, encoder):
            encoded = encoder.apply(rows, "age")
            logger.info("%s columns of %s", rows.shape[1], rows.dtypes)
            logger.info("delta %s", 1 / len(encoded))
            return np.sum(np.clip(rows["age"], 0, 120)) + rng.laplace(scale=120 / epsilon)
        """,
    ),
    check=check,
    foretells=False,
)
