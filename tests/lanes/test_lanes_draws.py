"""Draws as programs make them: in the active lanes only, with the types of the user's generator, one by one if need be.

The laws themselves are tested with the sampler; here the fast way and the slow one are put against SciPy and against
the real generators, family by family.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats

from dplint.claims import Span
from dplint.distributions import GENERATOR, LEGACY, PYTHON, SCIPY, of, program_draws
from dplint.program.nodes import Draw
from dplint.readings.lanes.draws import CallbackDraws, KeptDraws, RealGenerators, SampledDraws, SciPyDraws
from dplint.readings.lanes.lane_values import Arrays, Lists, Mixed, Numbers, Tag, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.spaces import Mask
from dplint.runner.texts import TextNumbers
from dplint.sites import DrawSite
from tests.distributions.test_sampling import LAWS, LEVEL, assert_law
from tests.lanes.lane_tools import exact

FAMILIES = {family: program_draws(family) for family in (GENERATOR, LEGACY, PYTHON, SCIPY)}
REAL = {"generator": np.random.default_rng(1), "legacy": np.random.RandomState(1), "python": random.Random(1)}
REAL["scipy"] = SciPyDraws(REAL["generator"])
PLAIN = {
    "loc": 0.5, "scale": 2.0, "low": 1, "high": 6, "p": 0.3, "n": 5, "lam": 2.5, "a": 2.0, "b": 3.0, "df": 3.0,
    "shape": 2.0, "mean": 0.2, "sigma": 0.7, "x": 3, "pvals": [0.5, 0.5], "mu": 0.2, "kappa": 2.0, "left": -1.0,
    "mode": 0.5, "right": 2.0, "dfnum": 3.0, "dfden": 4.0, "nonc": 1.0, "ngood": 4, "nbad": 5, "nsample": 3,
}  # fmt: skip
"""A value for every canonical parameter of a draw; `choice` has its own."""


SITE = DrawSite(Span(1, 1, 1, 1))


def node(distribution, family="generator"):
    return Draw(distribution, (), None, "argument", family, Span(1, 1, 1, 1))


def sampled(seed=0):
    return SampledDraws(np.random.SeedSequence(seed))


def uniform(parameters):
    return {name: Uniform(value) for name, value in parameters.items()}


def drawn(source, lanes, distribution, parameters, *, family="generator", size=None, active=None):
    """The value, and the drawn objects of the active lanes."""
    active = lanes.everywhere() if active is None else active
    value = source.draw(lanes, node(distribution, family), parameters, size, active, SITE)
    return value, lanes.explode(value, active.space, active.rows())


def spellings():
    """Every scalar draw of the vocabulary: family, method, positional arguments, and its canonical parameters."""
    for family, table in FAMILIES.items():
        for method, signature in table.items():
            if signature.distribution == "choice" or method == "shuffle":
                continue  # shuffle gives nothing: what is drawn is the order
            names = of(signature.distribution).names
            given = {
                one.name: PLAIN[one.parameter]
                for one in signature.parameters
                if one.parameter in PLAIN and one.parameter in names
            }
            canonical, _ = signature.read((), given)
            canonical = {name: canonical[name] for name in names}
            yield pytest.param(family, method, given, signature.distribution, canonical, id=f"{family}.{method}")


@pytest.mark.filterwarnings("ignore:This function is deprecated")
@pytest.mark.parametrize(("family", "method", "given", "distribution", "canonical"), list(spellings()))
def test_a_draw_has_the_type_that_the_real_generator_gives(family, method, given, distribution, canonical):
    real = getattr(REAL[family], method)(**given)

    _, fast = drawn(sampled(), Lanes(400, TextNumbers()), distribution, uniform(canonical), family=family)
    slow = RealGenerators(*np.random.SeedSequence(0).spawn(2)).draw(0, node(distribution, family), canonical, None)

    assert {type(item) for item in [*fast, slow]} == {type(real)}
    if isinstance(real, np.ndarray):
        assert {(item.dtype, item.shape) for item in [*fast, slow]} == {(real.dtype, real.shape)}


def text_or_type(item):
    """Its type; a text is a text: NumPy's own type of them is not kept."""
    return str if isinstance(item, str) else type(item)


CHOICES = [5, [3, 1, 2], [0.5, 1.5], ["a", "b"], [True, False], np.array([1.0, 2.0]), [1, 2.5], [2**60, 1]]


@pytest.mark.parametrize("items", CHOICES, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("family", ["generator", "legacy"])
def test_a_choice_of_numpy_has_the_type_that_the_real_generator_gives(family, items, weighted):
    count = items if isinstance(items, int) else len(items)
    p = [1 / count] * count if weighted else None
    real = REAL[family].choice(items, p=p)

    _, found = drawn(
        sampled(), Lanes(400, TextNumbers()), "choice", uniform({"a": items, "replace": True, "p": p}), family=family
    )

    assert {text_or_type(item) for item in found} == {text_or_type(real)}
    assert set(found) == set(range(items) if isinstance(items, int) else items)


@pytest.mark.parametrize("items", [["a", None, 1, 2.5], (True, False), "xyz"], ids=str)
def test_a_choice_of_python_gives_the_items_themselves(items):
    parameters = uniform({"a": items, "replace": True, "p": None})

    _, found = drawn(sampled(), Lanes(4000, TextNumbers()), "choice", parameters, family="python")

    counts = [sum(exact(item) == exact(one) for item in found) for one in items]
    assert sum(counts) == 4000
    assert stats.chisquare(counts).pvalue > LEVEL


def lists_of(lanes, items, counts=None):
    return Lists(lanes.root, tuple(map(Uniform, items)), counts, tuples=False)


def refused(*_):
    raise AssertionError("drawn lane by lane")


@pytest.mark.parametrize("items", [[3, 1, 2], ["a", "b"], [0.5, 1.5]], ids=str)
@pytest.mark.parametrize("family", ["generator", "python"])
def test_a_choice_from_a_list_that_was_made_is_one_from_its_items(monkeypatch, items, family):
    """Of the same generator; a list that other lanes have not is no other list."""
    lanes, counts = Lanes(400, TextNumbers()), np.where(np.arange(400) % 4, len(items), 0).astype(np.int32)
    rest = uniform({"replace": True, "p": None})
    monkeypatch.setattr(RealGenerators, "draw", refused)
    active = Mask(lanes.root, counts > 0)

    _, made = drawn(
        sampled(), lanes, "choice", {"a": lists_of(lanes, items, counts), **rest}, family=family, active=active
    )
    _, given = drawn(sampled(), lanes, "choice", {"a": Uniform(items), **rest}, family=family, active=active)

    assert [exact(item) for item in made] == [exact(item) for item in given]
    real = {REAL[family].choice(items) for _ in range(200)}
    assert set(made) == real
    assert {text_or_type(item) for item in made} == {text_or_type(item) for item in real}


def test_a_choice_of_python_from_lists_of_several_lengths_is_even_in_each(monkeypatch):
    lanes = Lanes(60_000, TextNumbers())
    counts = np.tile(np.array([1, 2, 4], np.int32), 20_000)
    own = Numbers(lanes.root, np.arange(60_000.0), Tag.FLOAT)
    lists = Lists(lanes.root, (own, *map(Uniform, (-1.0, -2.0, -3.0))), counts, tuples=False)
    monkeypatch.setattr(RealGenerators, "draw", refused)

    _, found = drawn(
        sampled(5), lanes, "choice", {"a": lists, **uniform({"replace": True, "p": None})}, family="python"
    )

    assert found[::3] == list(range(0, 60_000, 3))
    for first, count in ((1, 2), (2, 4)):
        numbers = np.minimum(found[first::3], np.float64(1.0))
        places = np.where(numbers == 1, 0, -numbers).astype(int)
        assert stats.chisquare(np.bincount(places, minlength=count)).pvalue > LEVEL


def test_a_choice_from_nothing_fails_as_it_does_in_python():
    lanes = Lanes(60, TextNumbers())
    lists = lists_of(lanes, ["a", "b"], np.tile(np.array([0, 2], np.int32), 30))

    drawn(sampled(), lanes, "choice", {"a": lists, **uniform({"replace": True, "p": None})}, family="python")

    (ending,) = lanes.endings
    assert ending.exception == "IndexError"
    assert lanes.count(ending.lanes) == 30


def test_a_weighted_choice_has_its_weights():
    parameters = uniform({"a": ["x", "y", "z"], "replace": True, "p": [0.2, 0.7, 0.1]})

    _, found = drawn(sampled(3), Lanes(50_000, TextNumbers()), "choice", parameters)

    counts = [found.count(item) for item in "xyz"]
    assert stats.chisquare(counts, np.array([0.2, 0.7, 0.1]) * 50_000).pvalue > LEVEL


def test_weights_of_python_need_not_add_up_to_one():
    """P = weight / sum; also where each lane has its own, and where a type of `random` makes the draw."""
    lanes = Lanes(50_000, TextNumbers())
    one = {"a": Uniform(["x", "y", "z"]), "p": Uniform([1, 4, 5.0]), "replace": Uniform(True)}
    _, found = drawn(sampled(3), lanes, "choice", one, family="python")
    wide = Arrays(lanes.root, np.repeat([[1.0], [4.0], [5.0]], 50_000, axis=1))
    _, own = drawn(sampled(4), lanes, "choice", {**one, "p": wide}, family="python")
    slow = [
        RealGenerators(*np.random.SeedSequence(k).spawn(2)).draw(
            0, node("choice", "python"), {"a": ["x", "y", "z"], "p": [1, 4, 5.0], "replace": True}, None
        )
        for k in range(400)
    ]

    for items in (found, own, slow):
        for item, share in (("x", 0.1), ("y", 0.4), ("z", 0.5)):
            assert stats.binomtest(items.count(item), len(items), share).pvalue > LEVEL


def test_a_choice_has_the_weights_of_its_lane_or_is_refused_there():
    lanes = Lanes(40_000, TextNumbers())
    first = np.tile([0.7, 0.05], 20_000)
    weights = Arrays(lanes.root, np.stack([first, np.full(40_000, 0.2), 0.8 - first]))

    _, items = drawn(sampled(), lanes, "choice", {"a": Uniform(3), "p": weights, "replace": Uniform(True)})

    for side, expected in enumerate(([0.7, 0.2, 0.1], [0.05, 0.2, 0.75])):
        counts = np.bincount(items[side::2], minlength=3)
        assert stats.chisquare(counts, 20_000 * np.array(expected)).pvalue > LEVEL
    # The real generator refuses weights that are negative, or do not sum to 1, in the lanes that have them.
    bad = Arrays(lanes.root, weights.data + np.where(np.arange(40_000) % 2, 0.0, 0.1))
    drawn(sampled(), lanes, "choice", {"a": Uniform(3), "p": bad, "replace": Uniform(True)})
    (ending,) = lanes.endings
    assert ending.exception == "ValueError"
    assert lanes.count(ending.lanes) == 20_000


@pytest.mark.parametrize("locations", ["uniform", "by lane"])
def test_a_vector_of_locations_gives_a_vector(locations):
    lanes = Lanes(30_000, TextNumbers())
    loc = Uniform([0.0, 5.0]) if locations == "uniform" else Arrays(lanes.root, np.tile([[0.0], [5.0]], 30_000))

    value, _ = drawn(sampled(), lanes, "laplace", {"loc": loc, "scale": Uniform(2.0)})

    assert isinstance(value, Arrays)
    assert value.shape == (2,)
    for row, centre in zip(value.data, (0.0, 5.0), strict=True):
        assert stats.kstest(row, stats.laplace(centre, 2.0).cdf).pvalue > LEVEL
    assert abs(np.corrcoef(value.data)[0, 1]) < 6 / np.sqrt(30_000)


def scalar_draws():
    """Each family and distribution of numbers that it draws, with parameters that its first method can have."""
    for family, table in FAMILIES.items():
        for name, signature in {one.distribution: one for one in reversed(table.values())}.items():
            if name in LAWS:
                values = {**PLAIN, "endpoint": True, **dict(signature.fixed)}
                yield pytest.param(family, name, {one: values[one] for one in LAWS[name][1]}, id=f"{family}-{name}")


each_scalar_draw = pytest.mark.parametrize(("family", "distribution", "parameters"), list(scalar_draws()))


@pytest.mark.filterwarnings("ignore:This function is deprecated")
@each_scalar_draw
def test_draws_made_one_by_one_have_their_law(family, distribution, parameters):
    real = RealGenerators(*np.random.SeedSequence(11).spawn(2))

    found = np.array([real.draw(0, node(distribution, family), parameters, None) for _ in range(4000)], float)

    assert_law(LAWS[distribution][0](*parameters.values()), found)


@each_scalar_draw
def test_fast_draws_of_each_family_have_their_law(family, distribution, parameters):
    value, found = drawn(sampled(12), Lanes(30_000, TextNumbers()), distribution, uniform(parameters), family=family)

    assert isinstance(value, Numbers)
    assert_law(LAWS[distribution][0](*parameters.values()), np.array(found, float))


@pytest.mark.parametrize("share", [0.02, 0.3, 0.95])
def test_only_active_lanes_draw_and_each_with_its_own_parameters(share):
    """At 0.95 it is cheaper to draw for all lanes of the space; what the others get is of no account."""
    lanes = Lanes(60_000, TextNumbers())
    space = lanes.root.narrowed(np.arange(0, 60_000, 2))
    bits = np.random.default_rng(1).random(30_000) < share
    scale = np.where(np.arange(60_000) % 3 == 0, 5.0, 0.1)
    parameters = {"loc": Uniform(0.0), "scale": Numbers(lanes.root, scale, Tag.FLOAT)}

    value, found = drawn(sampled(2), lanes, "laplace", parameters, active=lanes.mask(space, bits))

    assert value.space is space
    assert len(set(found)) == bits.sum()
    own = scale[::2][bits]
    for one in (5.0, 0.1):
        assert_law(stats.laplace(0.0, one), np.array(found)[own == one])
    if share < 0.5:
        assert not value.data[~bits].any()


def test_parameters_of_lanes_that_are_not_active_cannot_fail():
    lanes = Lanes(1000, TextNumbers())
    bits = np.arange(1000) % 2 == 0
    scale = Numbers(lanes.root, np.where(bits, 1.0, -1.0), Tag.FLOAT)

    value, found = drawn(
        sampled(), lanes, "laplace", {"loc": Uniform(0.0), "scale": scale}, active=lanes.mask(lanes.root, bits)
    )

    assert isinstance(value, Numbers)
    assert np.isfinite(found).all()
    assert lanes.endings == []


def test_what_a_generator_refuses_ends_those_lanes_with_its_own_words():
    lanes = Lanes(10, TextNumbers())
    scale = Numbers(lanes.root, np.array([1.0, -1.0] * 5), Tag.FLOAT)

    drawn(sampled(), lanes, "laplace", {"loc": Uniform(0.0), "scale": scale})

    with pytest.raises(ValueError, match="scale") as refused:
        np.random.default_rng().laplace(0.0, -1.0)
    (ending,) = lanes.endings
    assert ending.exception == "ValueError"
    assert ending.value.value == str(refused.value)
    assert ending.lanes.within(lanes.root).tolist() == [False, True] * 5


@pytest.mark.parametrize("size", [3, (3,), (2, 3), np.int64(3)], ids=str)
@pytest.mark.parametrize("distribution", ["laplace", "integers", "random", "binomial", "gumbel"])
def test_a_size_gives_an_array_in_each_lane(distribution, size):
    law, ranges = LAWS[distribution]
    parameters = {name: False if name == "endpoint" else PLAIN[name] for name in ranges}
    lanes = Lanes(8_000, TextNumbers())

    value, found = drawn(sampled(4), lanes, distribution, uniform(parameters), size=Uniform(size))

    real = getattr(np.random.default_rng(0), distribution)(**parameters, size=size)
    assert isinstance(value, Arrays)
    assert {(item.dtype, item.shape) for item in found} == {(real.dtype, real.shape)}
    assert_law(law(*parameters.values()), np.array(found, float))


def test_sizes_that_differ_between_lanes_or_are_empty():
    lanes = Lanes(20, TextNumbers())
    sizes = Numbers(lanes.root, np.arange(20) % 4, Tag.INT, 3)

    _, found = drawn(sampled(), lanes, "normal", uniform({"loc": 0.0, "scale": 1.0}), size=sizes)
    _, empty = drawn(sampled(), lanes, "normal", uniform({"loc": 0.0, "scale": 1.0}), size=Uniform(0))

    assert [item.shape for item in found] == [(lane % 4,) for lane in range(20)]
    assert [item.shape for item in empty] == [(0,)] * 20
    assert len({number for item in found for number in item.tolist()}) == 30


@pytest.mark.parametrize("items", [4, [3.5, 1.5, 2.5, 0.5], ["a", "b", "c", "d"]], ids=str)
@pytest.mark.parametrize("family", ["generator", "legacy"])
def test_permutations_hold_every_item_once_in_any_order(family, items):
    _, found = drawn(sampled(5), Lanes(4_800, TextNumbers()), "permutation", {"x": Uniform(items)}, family=family)

    real = REAL[family].permutation(items)
    assert {(item.dtype, item.shape) for item in found} == {(real.dtype, real.shape)}
    orders = [tuple(item.tolist()) for item in found]
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(real.tolist()))}
    assert len(set(orders)) == 24
    assert stats.chisquare([orders.count(order) for order in set(orders)]).pvalue > LEVEL


@pytest.mark.parametrize("count", [7, 8, 10])
def test_in_longer_permutations_every_two_numbers_are_at_any_two_places_equally_often(count):
    runs = 400 * count * (count - 1)
    orders = of("permutation").sample(np.random.default_rng(6), {"x": count}, (runs,))

    assert orders.dtype == np.int64
    assert (np.sort(orders, axis=0) == np.arange(count)[:, np.newaxis]).all()
    places = np.argsort(orders, axis=0)
    for one, other in [(0, 1), (0, count - 1), (count - 2, count - 1), (3, 5)]:
        pairs = np.bincount(places[one] * count + places[other], minlength=count**2).reshape(count, count)
        assert (np.diag(pairs) == 0).all()
        assert stats.chisquare(pairs[~np.eye(count, dtype=bool)]).pvalue > LEVEL


@pytest.mark.parametrize("count", [0, 1])
def test_of_no_number_and_of_one_there_is_one_order(count):
    orders = of("permutation").sample(np.random.default_rng(6), {"x": count}, (5,))

    assert orders.tolist() == [[0] * 5] * count


def test_parameters_that_arrays_do_not_hold_go_one_by_one():
    """Lists of parameters, and numbers of several types in one variable."""
    lanes = Lanes(3000, TextNumbers())
    pairs = Lists(lanes.root, (Uniform(0.0), Uniform(100.0)), None, tuples=False)
    mixed = Mixed(lanes.root, np.array([Tag.INT, Tag.FLOAT] * 1500, np.uint8), np.full(3000, 2.0))

    _, several = drawn(sampled(6), lanes, "laplace", {"loc": pairs, "scale": Uniform(1.0)})
    _, scaled = drawn(sampled(7), lanes, "laplace", {"loc": Uniform(0.0), "scale": mixed})

    assert {item.shape for item in several} == {(2,)}
    assert_law(stats.laplace(0.0, 1.0), np.array(several)[:, 0])
    assert_law(stats.laplace(100.0, 1.0), np.array(several)[:, 1])
    assert_law(stats.laplace(0.0, 2.0), np.array(scaled))


def test_a_callback_is_called_once_for_each_active_lane():
    lanes = Lanes(8, TextNumbers())
    bits = np.arange(8) % 3 == 0
    seen = []

    def callback(lane, _, parameters, size, site):
        seen.append((lane, parameters["scale"], size, site))
        return float(lane)

    scale = Numbers(lanes.root, np.arange(8.0), Tag.FLOAT)
    _, found = drawn(
        CallbackDraws(callback),
        lanes,
        "laplace",
        {"scale": scale},
        size=Uniform(2),
        active=lanes.mask(lanes.root, bits),
    )

    assert seen == [(lane, float(lane), 2, SITE) for lane in (0, 3, 6)]
    assert found == [0.0, 3.0, 6.0]


def test_kept_draws_are_those_that_were_handed_out_in_lanes_that_go_on():
    lanes, kept = Lanes(6, TextNumbers()), KeptDraws(sampled(8))
    scale = Numbers(lanes.root, np.array([1.0, -1.0] * 3), Tag.FLOAT)

    value, _ = drawn(kept, lanes, "laplace", {"loc": Uniform(0.0), "scale": scale})
    other = DrawSite(SITE.span, turns=(1,))
    again = kept.draw(lanes, node("random"), {}, None, lanes.everywhere(), other)

    assert [made.value for made in kept.made] == [value, again]
    assert [made.node.distribution for made in kept.made] == ["laplace", "random"]
    assert [made.site for made in kept.made] == [SITE, other]
    # The generator refused the scale of every second lane, which has ended.
    assert [made.lanes.within(lanes.root).tolist() for made in kept.made] == [[True, False] * 3] * 2


def test_the_same_seed_gives_the_same_draws():
    def draws(seed):
        lanes, source = Lanes(50, TextNumbers()), sampled(seed)
        return [
            drawn(source, lanes, name, uniform({key: PLAIN[key] for key in LAWS[name][1]}))[1]
            for name in ("laplace", "poisson", "gumbel")
        ]

    assert draws(1) == draws(1)
    assert draws(1) != draws(2)
