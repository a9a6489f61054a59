"""What calls mean to the rules: the traits of `dplint.program.calls`, draws, generators, noise of libraries.

Draws are those of `dplint.distributions`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dplint.distributions import GENERATOR, LEGACY, PYTHON, DrawSignature, distributions, draw_signatures
from dplint.distributions.generators import BIT_GENERATORS, MAKERS
from dplint.distributions.signatures import TORCH_CLASS
from dplint.program.calls import updates, words


def named(text: str) -> frozenset[str]:
    """The names in a text."""
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


_PYDP = named("quick_result add_entries add_entry result privacy_budget_left select")
_FIT = named("fit fit_transform fit_predict predict score transform partial_fit")
NOISE_CALLS: Mapping[str, NoiseCall] = {
    "diffprivlib.mechanisms.": NoiseCall(methods=named("randomise")),
    "diffprivlib.models.": NoiseCall(methods=_FIT),
    "diffprivlib.tools.": NoiseCall(),
    "opendp.measurements.": NoiseCall(()),
    "opendp.meas.": NoiseCall(()),
    "opendp.prelude.m.": NoiseCall(()),
    "opendp.prelude.": NoiseCall(()),
    "pydp.algorithms.": NoiseCall(methods=_PYDP),
    "pydp.": NoiseCall(methods=_PYDP),
    "pydp.distributions.": NoiseCall(methods=named("sample")),
    "pydp._pydp.": NoiseCall(methods=_PYDP | {"sample"}),
    "opacus.": NoiseCall(("target_epsilon",), named("make_private make_private_with_epsilon attach get_epsilon step")),
    "snsql.": NoiseCall(methods=named("execute execute_df execute_with_accuracy")),
    "snsynth.": NoiseCall(methods=named("fit sample fit_sample create")),
    "tensorflow_privacy.": NoiseCall((), named("minimize apply_gradients compute_gradients")),
    "tumult.": NoiseCall((), named("evaluate")),
}
"""By the beginning of the full name; the longest that fits counts."""

_PRIVACY = re.compile(
    r"differential\w*.priva|privacy|privat(?:e|i[sz])|add_(?:gaussian|laplac)|\bldp\b|\bdp\b|laplace|sensitivity|"
    r"1\.25 ?/|\bdelta\b",
    re.IGNORECASE,
)
_NOISY_NAME = re.compile(
    r"nois|laplace|gauss|gumbel|geometric|exponential_mech|privat|(?:^|_)dp(?:_|$)|randomi[sz]e|perturb|mechanism|"
    r"sanit|obfuscat|anonymi|privileg|release_|_release$|report_noisy|sparse_vector|(?:^|_)svt|rappor|snap",
    re.IGNORECASE,
)
_FILTER = re.compile(r"blur|filter|kernel|smooth|_?(?:pdf|cdf|ppf|nb|nll)$|mixture|denois", re.IGNORECASE)
"""Names of what has a law in it and draws nothing."""
_SAMPLER = re.compile(r"laplac|gauss|gumbel|nois", re.IGNORECASE)
_SAMPLES = re.compile(r"sampl|^rvs$|draw|rand", re.IGNORECASE)
_CHECKING_NAME = re.compile(r"_*(?:check|validate|assert|require|ensure|verify|warn)(?:_|$)", re.IGNORECASE)


def noise_call(name: str) -> NoiseCall | None:
    """What is known of a library's function or class, None if nothing is."""
    fitting = [prefix for prefix in NOISE_CALLS if name.startswith(prefix)]
    return NOISE_CALLS[max(fitting, key=len)] if fitting else None


def speaks_of_privacy(text: str) -> bool:
    """Whether the text of a module speaks of privacy, so that normal noise may be for that."""
    return _PRIVACY.search(text) is not None


def sounds_noisy(name: str) -> bool:
    """Whether a function that cannot be read may add noise, to judge by its name."""
    return _NOISY_NAME.search(name) is not None and _FILTER.search(name) is None


def is_sampler(name: str) -> bool:
    """Whether a function is named after a distribution of noise."""
    return _SAMPLER.search(name.rpartition(".")[2]) is not None


def samples(name: str) -> bool:
    """Whether a call that cannot be read may draw, to judge by its name."""
    return _SAMPLES.search(name.rpartition(".")[2]) is not None


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
DRAWING_WORDS = frozenset(METHOD_DRAWS) | {name.rpartition(".")[2] for name in (*FUNCTION_DRAWS, *DISTRIBUTIONS)}
"""Words, one of which stands in every function that draws by itself."""
UNMISTAKABLE = frozenset(draw.method for draw in _DRAWS if draw.distinctive)
"""Methods that draw, whatever they are called on."""
GENERATOR_NAME = re.compile(
    r"(?:^|[._])(?:p?rng|rand|random|random_state|generator|gen|state|randomness)s?$", re.IGNORECASE
)
GENERATORS: Mapping[str, str] = {
    **MAKERS,
    **dict.fromkeys(sorted(BIT_GENERATORS | {"numpy.random.SeedSequence"}), "bits"),
}
SEEDS = named("numpy.random.seed random.seed torch.manual_seed torch.random.manual_seed")

# other functions

SIZES = words("size")
KNOWS_NOTHING = words("public")
FRESH = words("fresh")
AGGREGATES = words("aggregate")
PASSING = words("passing")
SAME_LENGTH = words("same-length") | {"log_softmax"}
EXTREMES = words("extreme")
PICKS = words("part")
SELECTIONS = words("selection")
UPDATES = updates(in_programs=False) - {"clear"}
"""Methods that change what they are called on. What is cleared counts as what it was, which errs on the safe side."""
CLIPS = re.compile(
    r"(?:^|_)(?:clip|clamp|truncate|winsori[sz]e|bound|censor|saniti[sz]e|cap|nan_to_num|limit)(?:ped|ed|d|s)?(?:$|_)",
    re.IGNORECASE,
)
"""Names of functions that keep values within bounds."""
