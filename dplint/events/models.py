"""scikit-learn's models, as weights that can be written down. Imported only to learn: it takes a second."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from dplint.events.grids import Cells

Truth = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@contextmanager
def quietly() -> Iterator[None]:
    """One thread and no warnings: a model that has not converged is only a worse proposal.

    Several audits share the cores, and threads that wait for each other lose more than they win.
    """
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def boosted(
    cells: Sequence[Cells], truth: Truth, seed: int, weights: Floats | None = None
) -> list[tuple[float, int, int]]:
    """Boosted stumps as jumps (size, feature, cell), the largest first: the logit is the sum of the jumps reached.

    cells: for each feature those of all outputs, shape (outputs,), at most 64 of them in order. weights: how often
    each output came, if they come in few ways.
    The model is additive. So what it says where one feature alone leaves its lowest cell tells all about that feature.
    """
    model = HistGradientBoostingClassifier(
        learning_rate=0.5,
        max_iter=40,
        max_leaf_nodes=2,
        max_bins=64,
        min_samples_leaf=50 if weights is None else 1,
        l2_regularization=20.0,
        early_stopping=False,
        random_state=seed,
    )
    model.fit(np.array(cells, np.float64).T, truth, weights)
    places = [(feature, cell) for feature, own in enumerate(cells) for cell in range(int(own.max()) + 1)]
    probes = np.zeros((len(places), len(cells)))
    for row, (feature, cell) in enumerate(places):
        probes[row, feature] = cell
    logits = model.decision_function(probes).tolist()
    jumps = [
        (logits[row] - logits[row - 1], feature, cell)
        for row, (feature, cell) in enumerate(places)
        if cell > 0 and logits[row] != logits[row - 1]
    ]
    return sorted(jumps, key=lambda jump: -abs(jump[0]))


def fitted(columns: Floats, truth: Truth) -> tuple[Floats, Floats]:
    """The weights of a logistic regression, and how many standard errors each is away from 0.

    columns: one for each weight, shape (outputs, weights).
    """
    centred = columns - columns.mean(axis=0)
    model = LogisticRegression(C=1.0, solver="newton-cholesky").fit(centred, truth)
    weights = np.asarray(model.coef_[0], np.float64)
    share = model.predict_proba(centred)[:, 1]
    # The penalty of C = 1 is one of the terms of the information, so that it can be inverted.
    information = centred.T @ (centred * (share * (1 - share))[:, None]) + np.eye(len(weights))
    return weights, np.abs(weights) / np.sqrt(np.diag(np.linalg.inv(information)))
