"""What calls mean to the rules: the traits of `dplint.program.calls`, draws, generators, noise of libraries.

Draws are those of `dplint.distributions`.

What the names in a function stand for: the module's own functions and classes, imports, constants.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import libcst as cst

from dplint.claims import EPSILON_NAME, Literal
from dplint.distributions import GENERATOR, LEGACY, PYTHON, DrawSignature, distributions, draw_signatures
from dplint.distributions.signatures import BIT_GENERATORS, MAKERS, TORCH_CLASS
from dplint.program.calls import sinks, updates, words
from dplint.source.bindings import AMBIGUOUS, dotted_name
from dplint.source.module import ParsedModule
from dplint.source.project import Holder, ProjectIndex
from dplint.source.record_classes import RecordClass, named_tuple, record_class
from dplint.source.walking import nodes_below


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
MODEL_PARTS = named("parameters named_parameters buffers named_buffers param_groups modules children state_dict")
"""What models and optimisers give of themselves: their parameters, what holds them, all their values."""
SEEDS = named("numpy.random.seed random.seed torch.manual_seed torch.random.manual_seed")
KEYS = named("jax.random.PRNGKey jax.random.key")
"""Calls that make a key, from which noise is drawn, of a seed."""

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


@dataclass(frozen=True, slots=True)
class ModuleScope:
    """A module as the rules see it.

    classes: those at the top level. known_noise: full names of functions that add noise.
    generators: names of the top level that are bound once, to a generator that is made there. loggers: those that are
    bound to a logger.
    project: of the module that is checked, None where other modules are not looked into. home: False for another
    module, a function of which is read where it is called.
    """

    module: ParsedModule
    classes: Mapping[str, cst.ClassDef] = field(default_factory=dict)
    known_noise: frozenset[str] = frozenset()
    generators: Mapping[str, cst.Call] = field(default_factory=dict)
    project: ProjectIndex | None = None
    home: bool = True
    loggers: frozenset[str] = frozenset()

    def adds_noise(self, dotted: str) -> bool:
        """Whether the user has named this function as one that adds noise."""
        own = f"{self.module.place.module}.{dotted}"
        return own in self.known_noise or (self.canonical(dotted) or dotted) in self.known_noise

    @property
    def imported(self) -> frozenset[str]:
        """The packages that names of the module stand for, or stand in."""
        return frozenset(one.partition(".")[0] for one in self.module.names.aliases.values())

    def canonical(self, dotted: str) -> str | None:
        """The full name of an import or a builtin, None for what the module itself binds."""
        first, _, rest = dotted.partition(".")
        alias = self.module.names.aliases.get(first)
        if alias is not None and alias != AMBIGUOUS:
            return f"{alias}.{rest}" if rest else alias
        if first in self.module.names.bound:
            return None
        return dotted if hasattr(builtins, first) else None

    def own(self, name: str) -> str:
        """The name of what a module binds itself; those of other modules are told apart from ours."""
        return name if self.home else f"{self.module.place.module}.{name}"

    def _holder(self, dotted: str) -> Holder | None:
        """The other module of the project that binds what a name stands for."""
        full = self.canonical(dotted)
        return self.project.holder(full) if self.project is not None and full is not None and "." in full else None

    def elsewhere(self, dotted: str) -> FunctionElsewhere | None:
        """The function of another module of the project that a name stands for."""
        found = self._holder(dotted)
        node = None if found is None else found.module.functions.get(found.name)
        if found is None or node is None:
            return None
        return FunctionElsewhere(self._beside(found.module), node, draws=not found.words.isdisjoint(DRAWING_WORDS))

    def _beside(self, module: ParsedModule) -> ModuleScope:
        classes = dict(_classes(module.tree.body))
        return ModuleScope(module, classes, self.known_noise, {}, self.project, home=False)

    def generator_elsewhere(self, dotted: str) -> str | None:
        """What makes the generator, without a seed, that a name of another module of the project stands for."""
        found = self._holder(dotted)
        call = None if found is None else found.module.calls.get(found.name)
        if found is None or call is None or call.args:
            return None
        maker = ModuleScope(found.module).canonical(dotted_name(call.func) or "")
        return maker if maker in GENERATORS else None

    def constant(self, dotted: str) -> tuple[Literal, str] | None:
        """The value that a name of this module, or of another one of the project, stands for, and its name."""
        if dotted in self.module.constants:
            return self.module.constants[dotted], self.own(dotted)
        found = self._holder(dotted)
        value = None if found is None else found.module.constants.get(found.name)
        return None if found is None or value is None else (value, f"{found.module.place.module}.{found.name}")

    def record(self, dotted: str) -> RecordClass | None:
        """The dataclass or named tuple that a name stands for, if nothing in it may add noise."""
        node, call = self.classes.get(dotted), self.module.calls.get(dotted)
        if node is None and call is None:
            found = self._holder(dotted)
            return None if found is None else self._beside(found.module).record(found.name)
        made = named_tuple(self.module, call) if node is None and call is not None else None
        inside = (one for method in self.methods(dotted).values() for one in nodes_below(method))
        if node is not None and not any(map(_may_be_of_noise, inside)):
            made = record_class(self.module, node)
        return made

    def methods(self, name: str) -> Mapping[str, cst.FunctionDef]:
        """The methods of a class of the top level, none if there is no such class."""
        inner = self.classes[name].body.body if name in self.classes else ()
        return {item.name.value: item for item in inner if isinstance(item, cst.FunctionDef)}

    def is_quiet_class(self, dotted: str) -> bool:
        """Whether a name stands for a class of the project in whose module nothing is called that draws.

        A class that is called Laplace may have a density, and no noise.
        """
        if "." not in dotted:
            return dotted in self.classes and not _draws(self.module)
        module, _, name = dotted.rpartition(".")
        found = self.project.parsed(module, name) if self.project is not None else None
        return found is not None and name in dict(_classes(found.tree.body)) and not _draws(found)

    def methods_beside(self, function: cst.FunctionDef | cst.Lambda) -> Mapping[str, cst.FunctionDef]:
        """The methods of the class that the function stands in, none if it stands in no class."""
        around = (name for name, node in self.classes.items() if any(one is function for one in node.body.body))
        return self.methods(next(around, ""))


@dataclass(frozen=True, slots=True)
class FunctionElsewhere:
    """A function of another module, with the scope of its names. draws: whether it mentions any draw."""

    scope: ModuleScope
    node: cst.FunctionDef
    draws: bool


def _may_be_of_noise(node: cst.CSTNode) -> bool:
    """Whether a word is one of noise, or an epsilon for some."""
    word = node.value if isinstance(node, cst.Name) else ""
    return word in DRAWING_WORDS or sounds_noisy(word) or EPSILON_NAME.match(word) is not None


def scope_of(
    module: ParsedModule, known_noise: frozenset[str] = frozenset(), project: ProjectIndex | None = None
) -> ModuleScope:
    """The scope of a module."""
    scope = ModuleScope(module, dict(_classes(module.tree.body)), known_noise, {}, project)
    made = {name: (call, scope.canonical(dotted_name(call.func) or "") or "") for name, call in module.calls.items()}
    generators = {name: call for name, (call, maker) in made.items() if maker in GENERATORS}
    loggers = frozenset(name for name, (_, maker) in made.items() if makes_logger(maker))
    return replace(scope, generators=generators, loggers=loggers)


def makes_logger(full: str) -> bool:
    """Whether a function or method makes loggers, whatever library it is of."""
    return f".{full.rpartition('.')[2]}" in sinks("logger")


_CALLED = re.compile(r"(?<!def )\b([A-Za-z_]\w*) *\(")


def _draws(module: ParsedModule) -> bool:
    """Whether something is called in a module that could draw, to judge by its name."""
    words = DRAWING_WORDS - module.functions.keys() - dict(_classes(module.tree.body)).keys()
    return any(not words.isdisjoint(_CALLED.findall(line)) for line in module.lines)


def _classes(body: Sequence[cst.CSTNode]) -> Iterator[tuple[str, cst.ClassDef]]:
    for one in body:
        if isinstance(one, cst.ClassDef):
            yield one.name.value, one
        if isinstance(one, cst.ClassDef | cst.If) and isinstance(one.body, cst.IndentedBlock):
            yield from _classes(one.body.body)
