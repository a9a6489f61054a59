"""Many runs of the user's function at once (`dplint.tracing`), some of which are made again by the function itself.

Runs in the user's interpreter.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

import numpy as np

from ..tracing.lanes import NotTraced, tracer
from ..tracing.loading import RewrittenModules
from .calls import Loop
from .data_forms import DataForms
from .encode import Columns, Mode
from .failures import Failure
from .flatten import Raised
from .lane_draws import KeptLanes, LaneDraws, reorder
from .lane_outputs import leaves_of, take_path
from .loading import Loader
from .reaching import reach
from .replay import Replay
from .streams import EntropySource, UnseededGenerators

MOST_LANES = 1 << 16
"""Runs that are made at once."""
_LEAST_SHARE, _FREE_PATHS = 1 / 16, 256
"""Paths may be so many for each run, and as many more as are free."""
_REPLAYED_PATHS = 16
"""Of so many paths one more lane is replayed, so that rare ones are seen, too."""
TOLERANCE = 1e-9
"""By which floats may differ, relative to the larger one or to 1: NumPy rounds sums and exponentials in other ways."""
_BY_HAND = ("TypeError", "AttributeError")
"""What functions that do not know of lanes raise when they are given a value by lane."""


class Differs(Exception):
    """What was traced is not what the function gives on the same draws."""


class TracedRuns:
    """One mechanism, and its module once more for many runs at once. The constructor raises NotTraced."""

    def __init__(
        self, loader: Loader, module: Any, mechanism: Dict[str, Any], entropy: EntropySource, unseeded: UnseededGenerators
    ) -> None:
        self._draws = LaneDraws()
        self._patches = Replay(entropy, unseeded, self._draws, reorder)
        own = {id(one) for one in loader.own_modules()}
        self._modules = RewrittenModules(lambda one: id(one) in own)
        tracer.forget()
        try:
            made = self._modules.load(module)
            self.reached = reach(made, mechanism["qualname"], mechanism["receiver"])
        except (Exception, NotTraced) as error:
            raise NotTraced(f"its module cannot be loaded once more ({type(error).__name__}: {error})") from None
        self.forms = DataForms()
        takes = self.reached.takes
        code = self.reached.factory if takes else self.reached.code
        self.forms.load(code, takes or mechanism["data"], mechanism["labels"])

    def of_kind(self, kind: str) -> Any:
        """The generator to pass in."""
        return self._patches.of_kind(kind)

    def sample(
        self, loop: Loop, runs: int, sequence: np.random.SeedSequence, kept: KeptLanes, count: int
    ) -> Columns:
        """Outputs of so many runs. sequence: of all draws. kept: gets the first `count` lanes and some more.

        Raises NotTraced.
        """
        columns = Columns(Mode())
        columns.runs = runs
        self._draws.source = np.random.Generator(np.random.SFC64(sequence))
        self._patches.reseed(sequence.spawn(1)[0])

        def path() -> None:
            self._patches.begin_run()
            loop(1, self._sink(columns, kept, count))

        def allowed(paths: int, _: int) -> bool:
            return paths <= _FREE_PATHS + runs * _LEAST_SHARE

        try:
            with self._patches.applied(self._modules.loaded()):
                tracer.run(path, runs, allowed)
        except (Failure, NotTraced):
            raise
        except Exception as error:
            raise NotTraced(f"dplint could not follow it ({type(error).__name__}: {error})") from None
        return columns

    @staticmethod
    def _sink(columns: Columns, kept: KeptLanes, count: int) -> Callable[[Any], None]:
        def sink(output: Any) -> None:
            if isinstance(output, Raised) and output.name in _BY_HAND and tracer.began > 1:
                raise tracer.singly()
            if tracer.branches:
                raise NotTraced("a branch was left in a way that is not understood")
            take_path(columns, output)
            places = np.flatnonzero(tracer.lanes < count).tolist()
            if not places and tracer.paths <= _REPLAYED_PATHS:
                places = [0]
            kept.keep(places)

        return sink


def first_difference(header: Dict[str, Any], buffers: List[Any], kept: KeptLanes, again: Columns) -> Optional[str]:
    """Where the outputs of the lanes that were kept differ from those of the function; None if they do not."""
    mine = leaves_of(header, buffers, kept.lanes)
    theirs = leaves_of(*again.finish(), list(range(len(kept.lanes))))
    for number, lane in enumerate(kept.lanes):
        one, other = mine.get(lane), theirs.get(number)
        if one is None or other is None or one[0] != other[0] or one[1] != other[1] or not _alike(one[2], other[2]):
            return f"on the same draws the function gives {_shown(other)} and lanes {_shown(one)}"
    return None


def _alike(mine: List[Any], theirs: List[Any]) -> bool:
    for one, other in zip(mine, theirs):  # noqa: B905  (no `strict` in Python 3.9)
        if one == other or (one != one and other != other):  # noqa: PLR0124
            continue
        if isinstance(one, str) or isinstance(other, str):
            return False
        if not abs(one - other) <= TOLERANCE * max(1.0, abs(one), abs(other)):
            return False
    return True


def _shown(output: Any) -> str:
    text = repr(output[2] if output is not None else None)
    return text if len(text) <= 80 else text[:79] + "…"

