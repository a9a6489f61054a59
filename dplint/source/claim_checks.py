"""From the arguments of a claim to a `Claim`, or to the problems that it has.

What a claim of stability says beside what every claim says: how far inputs and outputs are apart, and how.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from dplint.claims import (
    DEFAULT_RELATION,
    OBSERVABLE,
    ArgumentSpec,
    Claim,
    Domain,
    Fixed,
    Interval,
    Metric,
    Numerics,
    Span,
    Stability,
    Training,
    is_number,
)
from dplint.config import hint, nearest
from dplint.definitions import implied
from dplint.relations import CUSTOM, DataKind, Neighbourhood, Relation, relation_named, relation_names
from dplint.source.arguments import Arguments, Item, Problems, respelling
from dplint.source.domains import (
    DomainError,
    check_pairs_exist,
    domain_from_annotation,
    is_finite,
    read_domain,
    read_spec,
)
from dplint.source.parameters import (
    FUNCTION,
    Bearer,
    Bounds,
    columns_apart,
    default_data,
    default_generator,
    owner_column,
)
from dplint.source.text import Segment

CODE = "DP023"
CURRENCIES = ("epsilon", "rho", "mu", "renyi", "curve")
"""The arguments that say how much is promised, of which a claim has one."""


def check_stability(arguments: Arguments, bounds: Bounds, claim_span: Span, problems: Problems) -> Stability | None:
    """The promise that the arguments make; None, with `problems` filled, if something is wrong with it."""
    items = arguments.items
    if "d_out" not in arguments.given:
        problems.add(
            CODE, claim_span, 'the claim has no d_out. Add one: stable(d_out=1), or stable(d_out="high - low").'
        )
    d_out = bounds.distance(items["d_out"]) if "d_out" in items else None
    d_in = _d_in(items.get("d_in"), bounds, problems, by_user="user" in items)
    metric = _metric(items.get("metric"), problems)
    return None if d_out is None else Stability(d_in, d_out, metric)


def check_training(items: Mapping[str, Item], relation: Relation | None, problems: Problems) -> Training | None:
    """What the claim says of steps; None if it says nothing, or with `problems` filled if something is wrong there."""
    rate, steps, before = items.get("sample_rate"), items.get("steps"), len(problems.found)
    share = _number_of(rate, 1.0)
    if rate is not None and not (share is not None and 0 < share <= 1):
        problems.add("DP003", rate.span, f"sample_rate must be above 0 and at most 1, not {rate.value!r}.")
    elif rate is not None and share != 1 and relation and relation.definition not in (Neighbourhood.ONE_MORE, None):
        message = f"sample_rate is about records that may be missing, and neighbors={relation.name!r} is not."
        problems.add("DP005", rate.span, f'{message} Write neighbors="add-remove".')
    count = _number_of(steps, 1.0)
    if steps is not None and (count is None or count < 1 or count != int(count)):
        problems.add("DP003", steps.span, f"steps must be a whole number of at least 1, not {steps.value!r}.")
    given = _given(rate) or _given(steps)
    if not given or share is None or count is None or len(problems.found) > before:
        return None
    return Training(share, int(count))


def _number_of(item: Item | None, usual: float) -> float | None:
    """The finite number that is given, else the usual one; None where it is no number."""
    if item is None or item.value is None:
        return usual
    return float(item.value) if is_number(item.value) and is_finite(item.value) else None


def _d_in(item: Item | None, bounds: Bounds, problems: Problems, *, by_user: bool) -> float:
    """How far inputs are apart: a length for vectors, a number of records or users for all else."""
    if item is None:
        return 1.0
    value, relation = item.value, bounds.relation
    if not is_number(value) or not is_finite(value) or value <= 0:
        problems.add(CODE, item.span, f"d_in must be positive and finite, not {value!r}.")
        return 1.0
    counted = relation is not None and relation.data is not DataKind.VECTOR
    single = by_user or relation is None or relation.data is not DataKind.RECORDS
    if counted and (value != int(value) or (single and value != 1)):
        number = "1" if single else "a whole number"
        problems.add(CODE, item.span, f"d_in must be {number} with these neighbours, not {value!r}.")
    return float(value)


def _metric(item: Item | None, problems: Problems) -> Metric:
    if item is None:
        return Metric.ABSOLUTE
    for known in Metric:
        if item.value == known:
            return known
    known_names = [one.value for one in Metric]
    near = hint(item.value, known_names, noun="known metrics") if isinstance(item.value, str) else ""
    fix = None
    if isinstance(item.value, str) and item.quoted is not None:
        fix = respelling(item.value, nearest(item.value, known_names), item.quoted.whole())
    problems.add(CODE, item.span, f"metric={item.value!r} is no metric of outputs. {near}".strip(), fix)
    return Metric.ABSOLUTE


_ANY_RECORD = Interval(0, 1, integer=True)
"""Where it does not matter what a record is."""
_STABLE_RELATION = "add-remove"
"""The relation of a claim of stability that names none."""
_MADE = "make."
_ATTRIBUTE = re.compile(r"self\.[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim that holds together, and the parameters that take the data and the generator."""

    claim: Claim
    data: str
    rng: str | None


def check_claim(arguments: Arguments, bearer: Bearer, claim_span: Span, problems: Problems) -> ReadClaim | None:
    """The claim that the arguments make; None, with `problems` filled, if something is wrong with it.

    Arguments that could not be read have their problem in `problems` already. claim_span: where to say that
    something is missing.
    """
    items = arguments.items
    make = _make(items.get("make"), bearer, problems)
    rng = _parameter(items.get("rng"), "rng", bearer, problems)
    if rng is None:
        given = items["args"].value if "args" in items else None
        rng = default_generator(bearer.parameters, bearer.names, given if isinstance(given, dict) else ())
    data = _data(items.get("data"), rng, make, bearer, problems)
    usual = DEFAULT_RELATION if arguments.kind == "dp" else _STABLE_RELATION
    relation, pairs = _relation(items.get("neighbors"), problems, usual)
    domain = _domain(arguments, relation, data, bearer, claim_span, problems)
    user = owner_column(items.get("user"), relation, domain, problems)
    apart = columns_apart(items.get("data"), items.get("labels"), (data, rng), domain, bearer, problems)
    specs = _specs(items.get("args"), data, rng, bearer, problems, [name for name, _ in apart])
    of_object = [(name.removeprefix(_MADE), spec) for name, spec in specs if name.startswith(_MADE)]
    made = tuple((name, spec.value) for name, spec in of_object if isinstance(spec, Fixed))
    specs = tuple(one for one in specs if not one[0].startswith(_MADE))
    bounds = Bounds(bearer, relation, data, rng, dict(specs), problems)
    stable = None if arguments.kind == "dp" else check_stability(arguments, bounds, claim_span, problems)
    epsilon = bounds.epsilon(items["epsilon"]) if "epsilon" in items else None if stable is None else 0.0
    _one_definition(arguments, claim_span, problems)
    promise = bounds.promise(items)
    delta = bounds.delta(items["delta"]) if "delta" in items else 0.0
    if promise is not None:
        epsilon, delta = implied(promise)
    sensitivity = _sensitivity(items.get("sensitivity"), problems)
    if stable is not None and relation is not None and relation.data is DataKind.VECTOR:
        sensitivity = stable.d_in
    size = _size(items.get("size"), relation, problems)
    observe = _observe(items.get("observe"), bearer, problems)
    numerics = _numerics(items.get("numerics"), problems)
    training = check_training(items, relation, problems)
    if problems.found or epsilon is None or data is None or relation is None:
        return None
    claim = Claim(
        epsilon=epsilon,
        delta=delta,
        relation=relation.name,
        pairs=pairs,
        sensitivity=sensitivity,
        data=data if "data" in items else None,
        domain=domain,
        size=size,
        args=specs,
        rng=rng if "rng" in items else None,
        make=make,
        observe=observe,
        numerics=numerics,
        user=user,
        apart=apart,
        made=made,
        stable=stable,
        promise=promise,
        training=training,
    )
    return ReadClaim(claim, data, rng)


def _one_definition(arguments: Arguments, claim_span: Span, problems: Problems) -> None:
    """See that a claim of privacy says by exactly one definition how much."""
    given = [one for one in CURRENCIES if one in arguments.given]
    if arguments.kind == "dp" and not given:
        message = 'the claim has no epsilon. Add one: dp(epsilon=1.0), or dp(epsilon="epsilon") for a parameter.'
        problems.add("DP002", claim_span, message)
    items = arguments.items
    first, *more = [one for one in given if one in items] or [""]
    for extra in more:
        message = f"the claim has {first} and {extra}. Keep one: each says how much by itself."
        problems.add("DP001", items[extra].span, message)
    if first in ("mu", "renyi", "curve") and "delta" in items:
        message = f"delta stands beside epsilon or rho, not beside {first}. Remove it."
        problems.add("DP004", items["delta"].span, message)


def _given(item: Item | None) -> bool:
    return item is not None and item.value is not None


def _places(written: Segment | None) -> tuple[Span, ...]:
    return () if written is None else (written.whole(),)


def _parameter(
    item: Item | None, field: str, bearer: Bearer, problems: Problems, taken: Collection[str | None] = ()
) -> str | None:
    """The parameter that the argument names. taken: those that it cannot have meant."""
    if item is None or item.value is None:
        return None
    if not isinstance(item.value, str):
        problems.add("DP007", item.span, f"{field} must be a parameter's name as a string, not {item.value!r}.")
    elif item.value not in bearer.names_of(variadic=True):
        fix = respelling(item.value, bearer.meant(item.value, taken), *_places(item.quoted))
        problems.add("DP007", item.span, bearer.unknown(field, item.value), fix)
    else:
        return item.value
    return None


def _make(item: Item | None, bearer: Bearer, problems: Problems) -> str | None:
    if item is None or item.value is None:
        return None
    if not isinstance(item.value, str) or not FUNCTION.fullmatch(item.value):
        message = f'make={item.value!r} is no function. Write the name of one of the module, or "module:function".'
        problems.add("DP009", item.span, message)
    elif not bearer.needs_receiver:
        message = (
            f"make is for methods and for functions that no name leads to, and {bearer.name} is neither. Remove it."
        )
        problems.add("DP009", item.span, message)
    else:
        return item.value
    return None


def _data(item: Item | None, rng: str | None, make: str | None, bearer: Bearer, problems: Problems) -> str | None:
    if item is not None and isinstance(item.value, list | tuple) and item.value:
        item = replace(item, value=item.value[0])  # the others take columns apart
    if item is not None and isinstance(item.value, str) and item.value.startswith("self.") and bearer.is_method:
        if _ATTRIBUTE.fullmatch(item.value):
            return item.value
        problems.add("DP007", item.span, f'data={item.value!r} names no attribute: write "self.rows", with one dot.')
        return None
    if item is not None and _given(item):
        data = _parameter(item, "data", bearer, problems, taken=(rng,))
        if data is not None and data == rng:
            problems.add(
                "DP007", item.span, f"data names {data!r}, which is the generator. Name the parameter of the data."
            )
        return data
    taken = bearer.takes_data(make)
    if taken is not None:
        return f"make.{taken.name}"
    data = default_data(bearer.parameters, rng)
    if data is None:
        message = f"{bearer.name} has no parameter for the data"
        if rng is not None:
            message += f" besides the generator {rng!r}"
        cure = "Give it one, or remove the claim."
        if bearer.is_method:
            cure = 'Give it one, or say which attribute of its object holds the data, as in data="self.rows".'
        problems.add("DP018", bearer.span, f"{message}. {cure}")
    return data


def _relation(item: Item | None, problems: Problems, usual: str) -> tuple[Relation | None, str | None]:
    if item is None:
        return relation_named(usual), None
    value, known = item.value, relation_names()
    if isinstance(value, str) and value in known:
        return relation_named(value), None
    if isinstance(value, str) and FUNCTION.fullmatch(value):
        return CUSTOM, value
    near = hint(value, known, noun="known relations") if isinstance(value, str) else ""
    message = f'neighbors={value!r} is no neighbour relation, and no function written as "module:function". {near}'
    fix = respelling(value, nearest(value, known), *_places(item.quoted)) if isinstance(value, str) else None
    problems.add("DP005", item.span, message.strip(), fix)
    return None, None


def _domain(
    arguments: Arguments,
    relation: Relation | None,
    data: str | None,
    bearer: Bearer,
    claim_span: Span,
    problems: Problems,
) -> Domain | None:
    items = arguments.items
    item = items.get("domain")
    if item is None or item.value is None:
        annotation = bearer.annotation_of(data)
        domain = None if relation is None else domain_from_annotation(annotation, relation)
        if domain is None and relation is not None and relation.data in (DataKind.VALUE, DataKind.RECORDS):
            domain = bearer.schema(annotation)
        if domain is None and relation is not None and relation.data is DataKind.RECORDS and data is not None:
            domain = _ANY_RECORD if annotation is None and bearer.counts(data) else None
        unreadable = item is None and "domain" in arguments.given
        if domain is None and relation is not None and relation.domain_example is not None and not unreadable:
            place = items["neighbors"].span if "neighbors" in items else claim_span
            message = f"neighbors={relation.name!r} needs a domain to make data from. Add {relation.domain_example}."
            problems.add("DP006", place, message)
        return domain
    try:
        if isinstance(item.value, str) and bearer.sample is not None:
            domain = bearer.sample(item.value)
        else:
            domain = read_domain(item.value)
        if relation is not None:
            check_pairs_exist(domain, relation)
    except DomainError as error:
        problems.add("DP010", item.span, f"domain is wrong: {error}.")
        return None
    return domain


def _specs(
    item: Item | None,
    data: str | None,
    rng: str | None,
    bearer: Bearer,
    problems: Problems,
    apart: Sequence[str],
) -> tuple[tuple[str, ArgumentSpec], ...]:
    if item is None or item.value is None:
        return ()
    if not isinstance(item.value, dict):
        message = f'args must be a dict from parameters to values, such as {{"N": 1}}, not {item.value!r}.'
        problems.add("DP013", item.span, message)
        return ()
    found: list[tuple[str, ArgumentSpec]] = []
    roles: dict[str | None, str] = {
        data: "the data",
        rng: "the generator",
        **dict.fromkeys(apart, "a part of the data"),
    }
    for name, value in item.value.items():
        span = item.entries[name].span if name in item.entries else item.span
        if name in bearer.constructor and name not in bearer.names_of(variadic=True):
            found.append((f"{_MADE}{name}", Fixed(value[0] if isinstance(value, list) and len(value) == 1 else value)))
        elif name not in bearer.names_of(variadic=True):
            key = item.entries[name].key if name in item.entries else None
            fix = respelling(name, bearer.meant(name, (*item.value, *roles)), *_places(key))
            problems.add("DP007", span, bearer.unknown("args", name), fix)
        elif name in roles:
            problems.add("DP013", span, f"args names {name!r}, which is {roles[name]}. Remove it from args.")
        elif name not in bearer.names_of():
            problems.add(
                "DP013", span, f"args names {name!r}, which takes any number of arguments. Remove it from args."
            )
        else:
            try:
                found.append((name, read_spec(value)))
            except DomainError as error:
                problems.add("DP013", span, f"args is wrong for {name!r}: {error}.")
    return tuple(found)


def _sensitivity(item: Item | None, problems: Problems) -> float:
    if item is None:
        return 1.0
    value = item.value
    if not is_number(value) or not is_finite(value) or value <= 0:
        problems.add("DP012", item.span, f"sensitivity must be a positive, finite number, not {value!r}.")
        return 1.0
    return float(value)


def _size(item: Item | None, relation: Relation | None, problems: Problems) -> tuple[int, ...] | None:
    if item is None or item.value is None:
        return None
    sizes = item.value if isinstance(item.value, list | tuple) else [item.value]
    least = 0 if relation is not None and relation.size_is_private else 1
    good = tuple(size for size in sizes if isinstance(size, int) and not isinstance(size, bool) and size >= least)
    if not sizes or len(good) != len(sizes):
        message = f"size must be a positive integer, or a non-empty tuple of those, not {item.value!r}."
        problems.add("DP011", item.span, message)
        return None
    return good


def _numerics(item: Item | None, problems: Problems) -> Numerics | None:
    """Which numbers the claim names, None if it names none."""
    if item is None or item.value is None:
        return None
    for known in Numerics:
        if item.value == known:
            return known
    near = nearest(item.value, tuple(Numerics)) if isinstance(item.value, str) else None
    fix = respelling(item.value, near, *_places(item.quoted)) if isinstance(item.value, str) else None
    meant = f" Did you mean {near!r}?" if near else ""
    message = f'numerics must be "real" or "machine", not {item.value!r}.{meant}'
    problems.add("DP022", item.span, message, fix)
    return None


def _observe(item: Item | None, bearer: Bearer, problems: Problems) -> tuple[str, ...]:
    if item is None or item.value is None:
        return ()
    names = item.value if isinstance(item.value, list | tuple) else [item.value]
    held = [name for name in names if isinstance(name, str) and _ATTRIBUTE.fullmatch(name)]
    unknown = [name for name in names if name not in OBSERVABLE and name not in held]
    if held and not bearer.is_method:
        message = f"observe names {held[0]!r}, and {bearer.name} is no method of an object."
        problems.add("DP021", item.span, message)
    if unknown:
        known = ", ".join(map(repr, OBSERVABLE))
        of_object = ' and attributes, as in "self.mean"' if bearer.is_method else ""
        near = nearest(unknown[0], OBSERVABLE) if isinstance(unknown[0], str) else None
        fix = respelling(item.value, near, *_places(item.quoted)) if isinstance(item.value, str) else None
        meant = f" Did you mean {near!r}?" if near else ""
        message = f"observe names {unknown[0]!r}, which dplint cannot look at; it may hold {known}{of_object}.{meant}"
        problems.add("DP021", item.span, message, fix)
    return (*(name for name in OBSERVABLE if name in names), *dict.fromkeys(held))
