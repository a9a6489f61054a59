"""Draws from generators with a seed, on lanes: one generator for all, as long as all make the same draws.

Lanes that have ended draw nothing more. Where some of the others do not come to a draw, or ask for something else, the
generators of single runs would part: so that is refused, and the function is called instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dplint.claims import Span
from dplint.program.refusals import unsupported
from dplint.program.seeded import SeededGenerators
from dplint.readings.lanes.lane_values import Uniform, Value
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.merging import gathered
from dplint.readings.lanes.spaces import Mask
from dplint.readings.lanes.ways import with_keywords


class SeededLanes:
    """The generators of a block of lanes, each of which begins without any."""

    def __init__(self) -> None:
        self._generators = SeededGenerators()

    def call(
        self,
        lanes: Lanes,
        function: str,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
        span: Span,
    ) -> Value:
        """A function of `vocabulary.SEEDED`."""
        active = lanes.alive(active)
        if lanes.never(active):
            return Uniform(None)
        operands = [gathered(one) for one in lanes.here([*arguments, *keywords.values()], active)]
        if not lanes.always(active):
            raise unsupported("a draw of a seeded generator in some of the runs", span, "draw in all runs")
        if not all(isinstance(one, Uniform) for one in operands):
            raise unsupported("a seeded generator that is given noise", span, "add the noise afterwards")
        called = self._generators.function(function, span)
        return lanes.each(with_keywords(called, len(arguments), tuple(keywords)), operands, active)
