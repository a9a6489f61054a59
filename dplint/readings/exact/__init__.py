"""Exact probabilities of a program's outputs on one input, and the privacy loss of a pair, without any run.

    losses_of_pair(program, {"queries": [1.0], "epsilon": 0.5}, {"queries": [2.0], "epsilon": 0.5})

Everything is computed in balls of Arb or in rationals, so that each result is an interval that certainly holds the
truth; values of the program are real numbers, and how floats are rounded is not modelled. What is not understood is
refused by UnsupportedConstruct, with its place.
"""

from dplint.readings.exact.computing import PairLosses, losses_of_pair
from dplint.readings.exact.delta_events import DeltaEvent, delta_event
from dplint.readings.exact.deltas import hockey_stick, least_epsilon
from dplint.readings.exact.events import NumberEvent, number_event
from dplint.readings.exact.interpretation import Limits, Raised
from dplint.readings.exact.losses import OutputLoss
from dplint.readings.exact.renyi import renyi_divergence

__all__ = [
    "DeltaEvent",
    "Limits",
    "NumberEvent",
    "OutputLoss",
    "PairLosses",
    "Raised",
    "delta_event",
    "hockey_stick",
    "least_epsilon",
    "losses_of_pair",
    "number_event",
    "renyi_divergence",
]
