"""Classes of packages: generic ones, protocols, dataclasses by keyword, settings as defaults."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

_T = TypeVar("_T")


class _Noise(Protocol):
    scale: float

    def draw(self, rng): ...


class _Laplace(_Noise):
    def __init__(self, scale):
        self.scale = scale

    def draw(self, rng):
        return rng.laplace(scale=self.scale)


class _Chooser(Generic[_T]):
    def __init__(self, candidates: list[_T]):
        self.candidates = tuple(candidates)

    def choose(self, rng) -> _T:
        return self.candidates[int(rng.integers(0, len(self.candidates)))]


@dataclass(kw_only=True)
class _Spec:
    lower: float
    upper: float = 2.0

    @property
    def width(self):
        return self.upper - self.lower


@dataclass
class _Settings:
    rounding: int = 1
    noise: str = "laplace"


def noise_of_a_protocol(rng, queries):
    noise = _Laplace(2.0)
    return [q + noise.draw(rng) for q in queries]


def chooser_of_a_type(rng, queries):
    chooser = _Chooser(["a", "b", "c"])
    return [chooser.choose(rng) for _ in queries]


def fields_by_keyword(rng, queries):
    spec = _Spec(upper=1.5, lower=queries[1])
    other = _Spec(lower=rng.random())
    return spec.width, other.width


def settings_by_default(rng, queries, settings=_Settings(rounding=2)):
    noise = rng.laplace() if settings.noise == "laplace" else rng.normal()
    return [round(q + noise, settings.rounding) for q in queries]
