"""Settings that are None by default, and made where they are."""

from dataclasses import dataclass


@dataclass
class _Settings:
    scale: float = 2.0
    rounding: int = 1


class _Noise:
    def __init__(self, rng, settings=None):
        self.rng = rng
        self.settings = settings or _Settings(scale=0.5)

    def draw(self):
        return round(self.rng.laplace(scale=self.settings.scale), self.settings.rounding)


def settings_or_new_ones(rng, queries, settings=None):
    settings = settings or _Settings(rounding=2)
    return [round(q + rng.laplace(scale=settings.scale), settings.rounding) for q in queries]


def settings_of_an_object(rng, queries):
    noise = _Noise(rng)
    other = _Noise(rng, _Settings())
    return [q + noise.draw() + other.draw() for q in queries]
