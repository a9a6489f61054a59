"""What the functions and methods that mechanisms call mean to the rules. Easy to extend: a name in a table.

Draws are those of `dplint.distributions`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dplint.distributions import GENERATOR, LEGACY, PYTHON, DrawSignature, distributions, draw_signatures
from dplint.distributions.signatures import TORCH_CLASS


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# noise of libraries


@dataclass(frozen=True, slots=True)
class NoiseCall:
    """A function or class of a library that makes data private.

    epsilon: names of the argument that holds the budget it spends. methods: of a class, those that add the noise; a
    function has none.
    """

    epsilon: tuple[str, ...] = ("epsilon",)
    methods: frozenset[str] = frozenset()


_PYDP = words("quick_result add_entries add_entry result privacy_budget_left select")
_FIT = words("fit fit_transform fit_predict predict score transform partial_fit")
NOISE_CALLS: Mapping[str, NoiseCall] = {
    "diffprivlib.mechanisms.": NoiseCall(methods=words("randomise")),
    "diffprivlib.models.": NoiseCall(methods=_FIT),
    "diffprivlib.tools.": NoiseCall(),
    "opendp.measurements.": NoiseCall(()),
    "opendp.meas.": NoiseCall(()),
    "opendp.prelude.m.": NoiseCall(()),
    "opendp.prelude.": NoiseCall(()),
    "pydp.algorithms.": NoiseCall(methods=_PYDP),
    "pydp.": NoiseCall(methods=_PYDP),
    "opacus.": NoiseCall(("target_epsilon",), words("make_private make_private_with_epsilon attach get_epsilon step")),
    "snsql.": NoiseCall(methods=words("execute execute_df execute_with_accuracy")),
    "snsynth.": NoiseCall(methods=words("fit sample fit_sample create")),
    "tensorflow_privacy.": NoiseCall((), words("minimize apply_gradients compute_gradients")),
    "tumult.": NoiseCall((), words("evaluate")),
}
"""By the beginning of the full name; the longest that fits counts."""

_NOISY_NAME = re.compile(
    r"nois|laplace|gauss|gumbel|geometric|exponential_mech|privat|(?:^|_)dp(?:_|$)|randomi[sz]e|perturb|mechanism|"
    r"sanit|obfuscat|anonymi|privileg|release_|_release$|report_noisy|sparse_vector|(?:^|_)svt|rappor|snap",
    re.IGNORECASE,
)
_CHECKING_NAME = re.compile(r"_*(?:check|validate|assert|require|ensure|verify|warn)(?:_|$)", re.IGNORECASE)


def noise_call(name: str) -> NoiseCall | None:
    """What is known of a library's function or class, None if nothing is."""
    fitting = [prefix for prefix in NOISE_CALLS if name.startswith(prefix)]
    return NOISE_CALLS[max(fitting, key=len)] if fitting else None


def sounds_noisy(name: str) -> bool:
    """Whether a function that cannot be read may add noise, to judge by its name."""
    return _NOISY_NAME.search(name) is not None


def only_checks(name: str) -> bool:
    """Whether a function that cannot be read looks at its arguments and adds nothing, to judge by its name."""
    return _CHECKING_NAME.match(name.rpartition(".")[2]) is not None


# draws

_FAMILIES = (LEGACY, PYTHON, GENERATOR)
_DRAWS = tuple(draw for one in distributions().values() for draw in one.draws)
FUNCTION_DRAWS: Mapping[str, DrawSignature] = {
    name: draw for draw in _DRAWS if draw.family != TORCH_CLASS for name in draw.full_names
}
"""Functions that draw, by their full names."""
DISTRIBUTIONS: Mapping[str, DrawSignature] = {
    name: draw for draw in _DRAWS if draw.family == TORCH_CLASS for name in draw.full_names
}
"""Classes whose methods `sample` and `rsample` draw."""
METHOD_DRAWS: Mapping[str, DrawSignature] = {
    name: draw for family in _FAMILIES for name, draw in draw_signatures(family).items()
}
"""Methods of a generator whose kind is not known."""
UNMISTAKABLE = frozenset(draw.method for draw in _DRAWS if draw.distinctive)
"""Methods that draw, whatever they are called on."""
GENERATOR_NAME = re.compile(
    r"(?:^|_)(?:p?rng|rand|random|random_state|generator|gen|state|randomness)s?$", re.IGNORECASE
)
SYSTEM_GENERATORS = frozenset({"random.SystemRandom", "secrets.SystemRandom"})
GENERATORS: Mapping[str, str] = {
    "numpy.random.default_rng": "generator",
    "numpy.random.Generator": "generator",
    "numpy.random.RandomState": "legacy",
    "random.Random": "python",
    "random.SystemRandom": "python",
    "secrets.SystemRandom": "python",
    **{f"numpy.random.{name}": "bits" for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence")},
}
SEEDS = words("numpy.random.seed random.seed torch.manual_seed torch.random.manual_seed")

# other functions

SHORT: Mapping[str, str] = {
    "amax": "max",
    "amin": "min",
    "nanmax": "max",
    "nanmin": "min",
    "absolute": "abs",
    "fabs": "abs",
    "nansum": "sum",
    "fsum": "sum",
    "nanmean": "mean",
    "fmean": "mean",
    "average": "mean",
    "nanargmax": "argmax",
    "idxmax": "argmax",
    "idxmin": "argmin",
    "asarray": "array",
    "asanyarray": "array",
    "float64": "float",
    "int64": "int",
    "around": "round",
    "rint": "round",
    "clamp": "clip",
    "power": "pow",
    "float_power": "pow",
    "nanquantile": "quantile",
    "nanpercentile": "percentile",
}
"""Names that mean the same to the rules."""
MODULES = ("numpy.linalg.", "numpy.", "math.", "statistics.", "pandas.", "torch.", "builtins.", "scipy.special.")
"""Left out of short names."""
SIZES = words("len shape size")
KNOWS_NOTHING = words("isinstance issubclass type callable hasattr id dtype dtypes ndim columns domain schema range")
"""What these give says nothing about the values in the data."""
FRESH = words("zeros_like ones_like empty_like full_like zeros ones empty")
"""What these give has the length of the data at most."""
AGGREGATES = words(
    "sum mean median var std prod dot count count_nonzero bincount histogram cumsum cumprod norm value_counts any all"
)
PASSING = words(
    "float int round list tuple array item tolist copy astype abs flatten ravel reshape sorted reversed str repr dict "
    "bool to_numpy numpy detach cpu squeeze zip enumerate format f-string concatenate stack hstack vstack print max min"
)
"""What these give still shows the values they were given."""
SAME_LENGTH = words("list tuple array sorted reversed copy astype flatten ravel tolist abs clip enumerate to_numpy")
EXTREMES = words(
    "max min ptp quantile percentile median unique set keys value_counts nunique groupby drop_duplicates Counter"
)
"""What these take from the data is part of it: its ends, its middle, its categories."""
PICKS = words(
    "where nonzero flatnonzero argwhere compress extract filter dropna query intersect1d setdiff1d union1d findall loc"
)
"""How many values these give is up to the values that they are given."""
SELECTIONS = words(
    "argmax argmin argsort argpartition searchsorted nlargest nsmallest topk index max-by min-by sorted-by"
)
UPDATES = words("append add extend insert update setdefault pop sort reverse appendleft put remove discard popleft")
"""Methods that change what they are called on."""
CLIPS = re.compile(
    r"(?:^|_)(?:clip|clamp|truncate|winsori[sz]e|bound|censor|saniti[sz]e|cap|nan_to_num|limit)(?:ped|ed|d|s)?(?:$|_)",
    re.IGNORECASE,
)
"""Names of functions that keep values within bounds."""


def short_name(name: str) -> str:
    """`numpy.amax` -> `max`: what rules compare with."""
    for module in MODULES:
        if name.startswith(module):
            name = name[len(module) :]
            break
    return SHORT.get(name, name)
