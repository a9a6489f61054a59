"""Which parameter is the data: what the noise is added to, by flow.

What stands between data and noise, and what of it is data.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dplint.claims import DELTA_NAME, EPSILON_NAME, SENSITIVITY_NAME, Parameter
from dplint.rules.flow.terms import Graph, Term, TermKind, innermost, reached, users_among
from dplint.rules.flow.vocabulary import AGGREGATES, CLIPS, GENERATOR_NAME
from dplint.rules.suggesting.noise_uses import UNCHANGED, NoiseUse, Way, ancestors

BOUND_NAME = re.compile(
    r"(?:^|_)(?:lo|low|lower|hi|high|upper|min|max|minimum|maximum|bounds?|clip|clipping|norm|cap|range|limit)(?:_|$)|"
    r"^[abClLuU]$|^(?:lb|ub)$",
)
_NO_DATA = re.compile(
    r"(?:^|_)(?:n|num|size|k|(?-i:[dm])|dim|shape|seed|scale|sigma|std|noise|threshold|thresh|tau|bins?|steps?|iterations?|"
    r"epochs?|round|rate|alpha|beta|gamma|rho|lr|device|verbose|name|mode|prob|p|domain|candidates|options|categories|"
    r"multiplier|quant|quantiles?|percent|percentiles?|rounds|budget|proj|projection|config|cfg|opts?|attributes|columns?|cols?|fields?|schema|keys|model|network|"
    r"transformer|embeddings?|vocab\w*|metadata|workload|filters?|style|names?|dirs?|paths?|files?|filename|folder|conn|connection|cursor|session|engine|client|logger|callback|hyperparams?|mask|privacy|notion|mechanism|accountant)(?:_|$)",
    re.IGNORECASE,
)
HELD_DATA = re.compile(
    r"data(?:set)?|^db$|rows|records?$|values?$|counts?$|hist|df$|frame|table|answers|quer|samples|vals|items|users|ages|sales|events|"
    r"total|sum|^_?[xXyY]$|entries|numbers|scores|votes|bits?$|labels|points|visits|incomes|salar|people|history|log$",
    re.IGNORECASE,
)
"""Attributes that an object holds data in, and not how it works."""
_TEXT = re.compile(r"""["']?(?:str|Optional\[str\]|(?:str *\| *None|None *\| *str))["']?""")
"""Annotations of texts."""
_SETTING = re.compile(r"True|False|[-+]?[\d.][\w.+-]*|'[^']*'|\"[^\"]*\"")
"""Defaults that say how something is done: numbers, flags and texts."""
_READS = re.compile(r"^(?:read|load|open|fetch|parse|imread)(?:_|$|[a-z]+$)")
"""Calls that are given a name or a place of what they read."""
_NO_TYPES = frozenset({"Optional", "Union", "None", "Annotated", "Final", "typing", "t"})
_VALUES = re.compile(
    r"^(?:int|float|bool|str|complex|Any|object|T)$|number|Number|Integral|Real|list|List|tuple|Tuple|dict|Dict|"
    r"set|Set|Sequence|Iterable|Iterator|Collection|Mapping|Counter|array|Array|Vector|Matrix|Series|Frame|Table|"
    r"Tensor|Data|Record|Row|Answers|Counts|Histogram|Values|Literal|int\d+|float\d+|uint\d+|floating|integer"
)
"""Names of types that hold values."""
_SHAPES = frozenset({"zeros", "ones", "empty", "eye", "identity", "arange", "linspace", "zeros_like", "ones_like"})
"""Calls whose result says nothing of their arguments but a shape."""
_BY = frozenset(
    {"groupby", "reindex", "sort_values", "set_index", "drop", "pivot_table", "merge", "reset_index", "project"}
)
"""Methods whose arguments say what is done, by names of columns for instance."""
_LABELS = frozenset({"columns", "index", "by", "axis", "on", "how", "names", "usecols", "dtype", "bins", "range"})
"""Arguments that are no values."""
_ASKED = frozenset(
    {"utility", "quality", "query", "func", "function", "f", "score_fn", "score_function", "utility_fn"}
    | {"theta", "params", "policy", "beta", "w"}
)
"""Names of what is asked of the data or learnt from it, where there is any beside it."""
_COUNT = re.compile(r"n_|num_|_?size$")
_WEIGHTS = frozenset({"state_dict", "parameters", "named_parameters", "get_weights"})
"""What tells the weights of a model."""
STRONG, _WEAK = 4, 1
"""How directly noise meets a name: in its values, or in what is only chosen by it."""


def choose_data(
    uses: Sequence[NoiseUse], parameters: Sequence[Parameter], settled: Iterable[str], changed: Collection[str] = ()
) -> str | None:
    """The parameter, or the attribute of `self`, that noise is added to; None if it is added to none of them.

    settled: names that are something else: the generator, for instance. changed: what is changed in place.
    """
    given = {one.name for one in parameters} | {"self"}
    scores, measures = _scores(uses, given)
    flags = {one.name for one in parameters if one.default is not None and _SETTING.fullmatch(one.default)}
    texts = {one.name for one in parameters if _TEXT.fullmatch(one.annotation or "")}
    kept = {name for name in changed if name.startswith("self.") and scores.get(name, 0) >= STRONG}
    for name in list(scores):
        if name in settled or name in flags or _is_something_else(name, held=name in kept):
            del scores[name]
    modes = _modes(uses, {one.name for one in parameters})
    if scores.keys() - modes:
        scores = {name: score for name, score in scores.items() if name not in modes}
    added = {one.name for use in uses if use.way is Way.ADDED for one in use.operands if one.kind is TermKind.SYMBOL}
    weights = _models(uses)
    for name in list(scores):
        last = name.rpartition(".")[2]
        if (BOUND_NAME.search(last) or _NO_DATA.search(last)) and name not in weights:
            # A setting, unless noise is added to it as it is, and not as much of it as it says.
            scores[name] = min(scores[name], _WEAK) if name in added and name not in measures else 0
        elif name in measures:  # noise that grows with the data is a mistake, and the data all the same
            scores[name] = max(scores[name] // 2, _WEAK)
    if any(score >= STRONG for name, score in scores.items() if name not in _ASKED):
        scores |= dict.fromkeys(_ASKED & scores.keys(), _WEAK)
    if all(use.way is Way.ADDED for use in uses):  # nobody adds a number to a text: it is the name of something
        scores = {name: score for name, score in scores.items() if name not in texts}
    objects = weights | {one.name for one in parameters if _is_an_object(one.annotation or "")}
    ordered = [one.name for one in parameters]
    plain = {name: score for name, score in scores.items() if score and name not in objects}
    plain = {name: score for name, score in plain.items() if score >= STRONG or not name.startswith("self.")}
    candidates = {name for use in uses for name, _ in roots(_chosen(use), given)}
    if any(score >= STRONG for name, score in plain.items() if name not in candidates):
        plain = {name: score for name, score in plain.items() if name not in candidates}
    return _best(plain, ordered) or _best({name: scores[name] for name in weights if scores.get(name)}, ordered)


def _modes(uses: Iterable[NoiseUse], names: Collection[str]) -> set[str]:
    """Parameters that are only compared with texts that are written there: beside others they say how it is done."""
    compared, others = set[str](), set[str]()
    for term in ancestors(one for use in uses for one in (*use.operands, *use.measure, use.meets)):
        texts = term.kind is TermKind.COMPARISON and any(isinstance(one.value, str) for one in term.args)
        for one in term.inputs():
            if one.kind is TermKind.SYMBOL and one.name in names:
                (compared if texts else others).add(one.name)
    return compared - others


def _scores(uses: Iterable[NoiseUse], given: set[str]) -> tuple[dict[str, int], set[str]]:
    """How directly noise meets each name, and the names that say how much noise there is."""
    scores: dict[str, int] = {}
    measures: set[str] = set()
    for use in uses:
        for name, weight in roots(use.operands, given):
            scores[name] = scores.get(name, 0) + weight
        if use.way is not Way.WEIGHTS:
            measure = [one for one in use.measure if one not in use.operands]
            measures |= {name for name, _ in roots(measure, given, sizes=False)}
    return scores, measures


def _chosen(use: NoiseUse) -> list[Term]:
    """What a choice by weights is made among."""
    among = use.draw.argument("a") if use.way is Way.WEIGHTS else None
    return [] if among is None else [among]


def is_in_the_values(data: str, operands: Iterable[Term], given: set[str]) -> bool:
    """Whether what gets the noise is made of the values of a name, and not only chosen by them."""

    def values(term: Term) -> list[Term]:
        shaped = term.kind is TermKind.CALL and term.name.rpartition(".")[2] in _SHAPES
        return term.args[:1] if term.name in ("[]", "slice", "/") else [] if shaped else term.args

    return any(parameter_of(term, given) == data for term in reached(operands, values))


def _best(scores: Mapping[str, int], ordered: Sequence[str]) -> str | None:
    """The name of the largest score; of several one that sounds like data, else the first."""
    best = max(scores.values(), default=0)
    return min(
        (name for name, score in scores.items() if score == best),
        key=lambda name: (not HELD_DATA.search(name.rpartition(".")[2]), _position(name, ordered)),
        default=None,
    )


def _models(uses: Iterable[NoiseUse]) -> set[str]:
    """Parameters that noise is added to the weights of."""
    calls = (one for one in ancestors(operand for use in uses for operand in use.operands) if one.kind is TermKind.CALL)
    return {
        one.args[0].name for one in calls if one.name in _WEIGHTS and one.args and one.args[0].kind is TermKind.SYMBOL
    }


def _is_an_object(annotation: str) -> bool:
    """Whether an annotation names classes alone of which nothing is known: a configuration, a strategy, a measure."""
    words = set(re.findall(r"[A-Za-z_]\w*", annotation)) - _NO_TYPES
    return bool(words) and not any(_VALUES.search(word) for word in words)


def _is_something_else(name: str, *, held: bool) -> bool:
    last = name.rpartition(".")[2]
    if name.startswith("self.") and not held and not HELD_DATA.search(last):
        return True
    patterns = (EPSILON_NAME.match, DELTA_NAME.match, SENSITIVITY_NAME.search, _COUNT.match)
    generator = GENERATOR_NAME.search(last) is not None and not (last.endswith("state") and "rand" not in last)
    return generator or any(pattern(last) for pattern in patterns)


def is_setting(name: str) -> bool:
    """Whether a variable of this name says how something is done, and holds no data."""
    return bool(_is_something_else(name, held=False) or BOUND_NAME.search(name) or _NO_DATA.search(name))


def _position(name: str, ordered: Sequence[str]) -> int:
    return ordered.index(name) if name in ordered else len(ordered)


def roots(terms: Iterable[Term], given: set[str], *, sizes: bool = True) -> Iterator[tuple[str, int]]:
    """The parameters and attributes that values are made of, each with how directly. sizes: also by their length."""
    pending = [(term, STRONG) for term in terms]
    seen: set[Term] = set()
    while pending:
        term, weight = pending.pop(0)
        if term in seen:
            continue
        seen.add(term)
        name = parameter_of(term, given)
        if name is not None:
            yield name, weight
        if term.kind in (TermKind.ELEMENT, TermKind.LENGTH) and weight == STRONG:
            weight += 1  # it has several values, and a threshold has one
        if sizes or term.kind is not TermKind.LENGTH:
            pending += _inputs(term, weight)


def parameter_of(term: Term, given: set[str]) -> str | None:
    """The parameter that a term is or is an attribute of; of `self` the attribute."""
    if term.kind is not TermKind.SYMBOL:
        return None
    first, _, rest = term.name.partition(".")
    if first not in given:
        return None
    if first == "self":
        return f"self.{rest.partition('.')[0]}" if rest else None
    return first


def _inputs(term: Term, weight: int) -> Iterator[tuple[Term, int]]:
    if term.kind is TermKind.DRAW:
        yield from _inputs_of_draw(term, weight)
        return
    if term.kind is TermKind.CALL and term.name.rpartition(".")[2] in _SHAPES:
        return
    if (
        term.kind is TermKind.CALL
        and not str(term.value).startswith(".")
        and _READS.search(term.name.rpartition(".")[2])
    ):
        return
    strong = list(term.args)
    if term.name in ("[]", "/", "slice"):
        strong = term.args[:1]
    if term.kind is TermKind.COMPARISON or term.name == "range":
        strong = []
    elif term.kind is TermKind.CALL:
        keys = [*term.keys, *[""] * len(term.args)]
        strong = [one for one, key in zip(term.args, keys, strict=False) if key not in _LABELS]
        strong = strong[:1] if term.name in _BY or CLIPS.search(term.name.rpartition(".")[2]) else strong
    if term.kind is TermKind.CONTAINER and isinstance(term.value, tuple):
        strong = term.args[: term.value[1]]  # and not how many there are
    for one in term.args:
        yield one, weight if one in strong else _WEAK
    for one in term.conditions:
        yield one, _WEAK


def _inputs_of_draw(draw: Term, weight: int) -> Iterator[tuple[Term, int]]:
    """What a draw is around; of a function that cannot be read all that it is given."""
    centre = draw.argument("loc")
    if centre is not None:
        yield centre, weight
    if draw.name == "unknown":
        yield from ((one, _WEAK) for one in draw.args)


def touching(data: str, terms: Iterable[Term], given: set[str]) -> list[Term]:
    """The terms on the way from the data to these: those that have it among what they are made of."""
    whole = list(ancestors(terms))
    users = users_among(whole)
    beginnings = (term for term in whole if parameter_of(term, given) == data)
    known = set(reached(beginnings, lambda term: users.get(term, ())))
    return [term for term in whole if term in known]


_GROUPS = frozenset({"Counter", "histogram", "bincount", "value_counts", "groupby", "count", "unique", "crosstab"})
_STATISTICS = frozenset(
    {"percentile", "quantile", "nanpercentile", "nanquantile", "quantiles", "corr", "corrcoef", "cov", "correlation"}
)
_SUMS = frozenset({"sum", "mean", "dot", "norm", "var", "std", "prod", "cumsum", "fsum"})
_TABLE = re.compile(r"DataFrame|Dataset|\bTable\b|^(?:typing\.)?[lL]ist\[(?:typing\.)?[dD]ict\b")
TABLE_NAME = re.compile(r"(?:^|[_.])(?:df|data_?frame)$", re.IGNORECASE)
"""Names of tables."""
_ENDS = frozenset({"min", "max", "nanmin", "nanmax", "any", "all", "abs", "values", "to_numpy", "ravel", "flatten"})


@dataclass(frozen=True, slots=True)
class Seen:
    """The terms between data and noise, and what stands in them."""

    data: str
    parameter: Parameter | None
    uses: Sequence[NoiseUse]
    way: Sequence[Term]
    elements: frozenset[Term]
    given: set[str]
    graph: Graph

    @property
    def annotation(self) -> str:
        """What the parameter is annotated with, or nothing."""
        return (self.parameter.annotation or "").strip("\"'") if self.parameter is not None else ""

    @property
    def is_table(self) -> bool:
        """Whether the data is a table, by its annotation or its name."""
        return _TABLE.search(self.annotation) is not None or TABLE_NAME.search(self.data) is not None

    def calls(self, names: frozenset[str]) -> bool:
        """Whether a function of one of these names stands in between."""
        return any(one.is_call(names) for one in self.way)

    @property
    def counts(self) -> bool:
        """Whether values are counted."""
        return any(one.kind is TermKind.LENGTH for one in self.direct) or self.calls(_GROUPS)

    @property
    def direct(self) -> list[Term]:
        """The terms in between that values are made of, and not only chosen by."""
        way = set(self.way)

        def values(one: Term) -> list[Term]:
            made = one.args[:1] if one.name == "[]" else one.args if one.kind is not TermKind.DRAW else []
            return [two for two in made if two in way]

        operands = (one for use in self.uses for one in use.operands)
        return [one for one in reached(operands, values) if one in way]

    @property
    def sums(self) -> bool:
        """Whether values are added up, not only counted."""
        added = [one for one in self.way if one.is_call(_SUMS) and one.args]
        added = [one for one in added if not _counts_only(one.args[0])]
        return bool(added) or (not self.counts and not self.calls(_SUMS))

    @property
    def is_queried(self) -> bool:
        """Whether a query that the caller gives, a function or an object, is asked of the whole data."""
        calls = [one for one in self.way if one.kind is TermKind.CALL and one.args]
        given = [one for one in calls if one.value == one.name and (one.name in self.given or one.name == "element")]
        given += [one for one in calls if str(one.value)[:1] == "." and self._is_other(one.args[0])]
        return any(parameter_of(arg, self.given) == self.data for one in given for arg in one.args)

    def _is_other(self, term: Term) -> bool:
        return term.kind is TermKind.SYMBOL and parameter_of(term, self.given) not in (None, self.data)

    @property
    def aggregates(self) -> bool:
        """Whether many values become one before noise is added."""
        way = set(self.way)
        running = any(one.kind is TermKind.LOOP and one in way and not _collects(one) for one in self.graph.terms)
        return self.calls(AGGREGATES | _STATISTICS) or self.counts or (running and bool(self.elements))


def _collects(loop: Term) -> bool:
    """Whether each round only puts a value of its own into a list or dict, and adds nothing up."""
    backs = [way for back in loop.args[1:] for way in back.alternatives]
    for back in backs:
        if back is loop:
            continue
        stored = back.is_container(("store", "append")) and _holder(back.args[0]) is loop
        if not stored or any(one is loop for one in _but_for(back)):
            return False
    return len(loop.args) > 1


def _but_for(store: Term) -> Iterator[Term]:
    """What a value that is stored is made of, but for what stood at its own place: `row[key] + noise` in `row[key]`."""

    def follow(one: Term) -> Iterable[Term]:
        own = one.is_operation("[]") and store.name == "store" and _is_place(one, store)
        return () if own or one.kind is TermKind.DRAW else one.inputs()

    return reached(store.args[1:], follow)


def _is_place(item: Term, store: Term) -> bool:
    """Whether an item is what stood where a value is stored, also in a row: `rows[0][i]`, `rows[i, 0]`."""
    last, place = item.args[-1], store.args[-2]
    alike = last is place or (last.kind is place.kind is TermKind.CONSTANT and last.value == place.value)
    return alike and _holder(item) is _holder(store.args[0])


def _holder(term: Term) -> Term:
    """What an item, or an item of an item, is taken from."""
    return innermost(term, lambda one: one.is_operation("[]"))


def _counts_only(term: Term) -> bool:
    """Whether each element is a number that has nothing to do with the record, or a truth."""
    element = term.args[0] if term.is_container("comp") else term
    return element.kind in (TermKind.CONSTANT, TermKind.COMPARISON)


def counts_records(term: Term, seen: Seen) -> bool:
    """Whether a term is the number of records: the length of the data, or of what has one entry for each of them."""
    return term.kind is TermKind.LENGTH and is_value(term.args[0], seen)


def is_value(term: Term, seen: Seen) -> bool:
    """Whether a term is the data, one of its records, a column, or the largest or smallest of those."""

    def passes(one: Term) -> bool:
        clipped = one.kind is TermKind.CALL and CLIPS.search(one.name.rpartition(".")[2]) is not None
        kept = one.kind in (TermKind.ELEMENT, TermKind.EXIT) or one.name in ("[]", "neg")
        return clipped or kept or one.is_call(UNCHANGED | _ENDS)

    return parameter_of(innermost(term, passes), seen.given) == seen.data


def holds_values(term: Term, seen: Seen) -> bool:
    """Whether a term is made of values of the data, and not only of how many there are."""
    made = reached([term], lambda one: () if one.kind is TermKind.LENGTH else one.inputs())
    return any(parameter_of(one, seen.given) == seen.data for one in made)
