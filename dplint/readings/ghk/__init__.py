"""The probability of one path, and its gradient by the data, from samples of the program's own noise."""

from dplint.readings.ghk.draws import drawn
from dplint.readings.ghk.functions import FUNCTIONS, has_noisy
from dplint.readings.ghk.noisy import Noisy
from dplint.readings.ghk.one_path import OnePath, Uniforms
from dplint.readings.ghk.reals import Array, Real

__all__ = ["FUNCTIONS", "Array", "Noisy", "OnePath", "Real", "Uniforms", "drawn", "has_noisy"]
