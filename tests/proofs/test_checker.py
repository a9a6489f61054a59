"""The checker alone, with certificates written by hand, and with damaged ones."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest
import z3

from dplint.claims import Columns, Interval, NumbersOrMissing, Span
from dplint.outcomes import ArgumentScope, Range, Scope, Sizes
from dplint.program.nodes import Draw, For
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import walk
from dplint.proofs.alignment import Bound, BoundedCertificate, LoopCertificate, Move, Moves, Potential, Shape
from dplint.proofs.checker.arithmetic import unknown
from dplint.proofs.checker.inputs import record
from dplint.proofs.checker.known import Refuted
from dplint.proofs.checker.laws import scale_of
from dplint.proofs.checker.loops import check_loop
from dplint.proofs.checker.values import NotProved
from dplint.proofs.proving import values_in
from tests.examples import in_proportion
from tests.proofs.proof_tools import FIXTURES, check_bounded, of_text, targets, up_to

ANY_EPSILON = Range(low=0.0, above=True)
EPSILON = ArgumentScope("epsilon", ANY_EPSILON)
ONE = Fraction(1)
HALF = Fraction(1, 2)


def scope_of(mechanism, sizes, *arguments):
    claim = mechanism.claim
    return Scope(
        relation=claim.relation,
        neighbors=claim.neighbors,
        sensitivity=claim.sensitivity,
        sizes=sizes,
        arguments=(EPSILON, *arguments),
        epsilon=ANY_EPSILON,
    )


def histogram(size, factor=-ONE):
    """Each count's noise makes up for what the count has moved."""
    moves = tuple(Move(Fraction(0), ((k, factor),)) for k in range(size))
    return BoundedCertificate(((Shape(size), (), (Moves((), moves),)),))


def svt():
    """The textbook's proof: the threshold moves by 1, an answer above by 1 - d, no other noise at all."""
    program, mechanism = targets(FIXTURES / "statdp" / "sparse_vector.py")["svt"]
    loop = next(node.span for node in walk(program) if isinstance(node, For))
    noise = [node.span for node in walk(program) if isinstance(node, Draw)]
    above = Move(ONE, ((0, -ONE),))
    certificate = LoopCertificate(
        loop=loop,
        before=(Move(ONE),),
        differences=(("count", Fraction(0)),),
        bounds=(Bound(Fraction(0), (("count", ONE),)), Bound(-ONE, (("count", -ONE), ("N", ONE)))),
        potential=Potential(HALF, (("count", noise[1], Fraction(2)),)),
        turns=(Moves((0,), (Move(),)), Moves((1, 0), (above,)), Moves((1, 1), (above,))),
        after=(Moves((), ()),),
    )
    arguments = (ArgumentScope("T", Range()), ArgumentScope("N", Range(low=1.0, integer=True)))
    return program, mechanism, scope_of(mechanism, Sizes(0, None), *arguments), certificate


def test_the_histogram_by_its_textbook_proof():
    program, mechanism = targets(FIXTURES / "statdp" / "histogram.py")["histogram"]

    check_bounded(program, mechanism, scope_of(mechanism, Sizes(3, 3)), histogram(3))


@pytest.mark.parametrize("factor", [Fraction(0), ONE, Fraction(-9, 10), Fraction(-11, 10)])
def test_a_histogram_whose_noise_does_not_make_up_for_the_counts(factor):
    program, mechanism = targets(FIXTURES / "statdp" / "histogram.py")["histogram"]

    with pytest.raises(Refuted) as refuted:
        check_bounded(program, mechanism, scope_of(mechanism, Sizes(2, 2)), histogram(2, factor))

    found = values_in(refuted.value.model)
    assert abs(found["d:e0"]) + abs(found.get("d:e1", 0)) <= 1


def test_the_wrong_histogram_costs_more_than_it_claims():
    program, mechanism = targets(FIXTURES / "statdp" / "histogram.py")["histogram_eps"]

    with pytest.raises(Refuted, match="cost more"):
        check_bounded(program, mechanism, scope_of(mechanism, Sizes(1, 1)), histogram(1))


def test_the_sparse_vector_for_every_length_by_its_textbook_proof():
    check_loop(*svt())


@pytest.mark.parametrize(
    "damaged",
    [
        {"before": (Move(),)},
        {"before": (Move(Fraction(2)),)},
        {"before": (Move(ONE, ((1, ONE),)),)},
        {"before": ()},
        {"bounds": ()},
        {"bounds": (Bound(Fraction(-1), (("count", ONE),)),)},
        {"differences": ()},
        {"differences": (("count", ONE),)},
        {"differences": (("count", None),)},
        {"potential": Potential(HALF)},
        {"potential": Potential(Fraction(0))},
        {"potential": Potential(ONE)},
        {"turns": ()},
        {"after": ()},
    ],
)
def test_every_part_of_the_certificate_for_a_loop_is_needed(damaged):
    program, mechanism, scope, certificate = svt()

    with pytest.raises(NotProved):
        check_loop(program, mechanism, scope, replace(certificate, **damaged))


@pytest.mark.parametrize(
    "damaged",
    [
        {"sizes": Sizes(0, 5)},
        {"sizes": None},
        {"sensitivity": 2.0},
        {"relation": "l1"},
        {"arguments": (EPSILON,)},
        {"epsilon": Range(low=1.0, high=1.0)},
        {"delta": 0.1},
    ],
)
def test_a_scope_that_is_not_that_of_the_claim(damaged):
    program, mechanism, scope, certificate = svt()

    with pytest.raises(NotProved):
        check_loop(program, mechanism, replace(scope, **damaged), certificate)


def test_more_arguments_than_the_proof_is_good_for():
    """With N = 1/2 the noise is half of what one answer above needs."""
    program, mechanism, scope, certificate = svt()
    wider = replace(scope, arguments=(*scope.arguments[:2], ArgumentScope("N", Range(low=0.5))))

    with pytest.raises(NotProved):
        check_loop(program, mechanism, wider, certificate)


UNSOUND = {
    "the data is released by an exception": """
    if values[0] > 0:
        raise ValueError(values[0])
    return values[0] + rng.laplace(scale=1 / epsilon)
""",
    "an exception tells the data": """
    if values[0] > 0:
        raise ValueError
    return values[0] + rng.laplace(scale=1 / epsilon)
""",
    "the scale is the data's": """
    return values[0] + rng.laplace(scale=abs(values[0]) / epsilon + 1)
""",
    "the type tells the data": """
    return rng.laplace(scale=1 / epsilon) * 0 if values[0] > 0 else 0
""",
    "the noise is used twice": """
    noise = rng.laplace(scale=1 / epsilon)
    return [values[0] + noise, noise]
""",
    "the noise is thrown away": """
    noisy = values[0] + rng.laplace(scale=1 / epsilon)
    return noisy - (noisy - values[0])
""",
    "the data decides whether there is noise": """
    if values[0] > 10:
        return 1.0
    return values[0] + rng.laplace(scale=1 / epsilon)
""",
    "the length of a list tells the data": """
    return [rng.laplace(scale=1 / epsilon) for value in values if value > 0]
""",
    "noise of a negative scale": """
    return values[0] + rng.laplace(scale=-1 / epsilon)
""",
    "noise that one run alone looks at": """
    noise = rng.laplace(scale=1 / epsilon)
    if values[0] > 0 and noise > 0:
        return 1
    return 0
""",
    "rounding is taken for the identity": """
    return round(values[0])
""",
    "a division that only one neighbour survives": """
    return 1 / values[0] * 0 + rng.laplace(scale=1 / epsilon)
""",
    "of equal keys the last value counts": """
    return {"x": 0.0, "x": values[0]}["x"]
""",
    "True is the key 1": """
    return {1: 0.0, True: values[0]}[1]
""",
    "a tenth is the key of a tenth": """
    released = {0.1: 0.0}
    for tenth in [0.1]:
        released[tenth] = values[0]
    for key in released:
        return released[key]
""",
    "the type of a key tells the data": """
    if values[0] > 0:
        return {1: 0}
    return {True: 0}
""",
    "a number is not identical with True": """
    if (len(values) is True) or len(values) > 1:
        return 0.0
    return values[0]
""",
    "the truth of an array of one number": """
    import numpy as np
    if np.array([0.0]):
        return 0.0
    return values[0]
""",
    "a complement of NumPy's": """
    import numpy as np
    hidden = ~(np.array([0.0]) > 1.0)
    return values[0] if hidden[0] == 1 else 0.0
""",
    "infinity of NumPy's in place of an exception": """
    import numpy as np
    return np.array(values)[0] / 0.0 + rng.laplace(scale=1 / epsilon)
""",
}


@pytest.mark.parametrize("body", UNSOUND.values(), ids=UNSOUND)
def test_what_leaks_is_never_proved(tmp_path, body):
    text = (
        "from dplint import dp\n\n\n"
        + '@dp(epsilon="epsilon", neighbors="l1")\ndef leaks(rng, values, epsilon):'
        + body
    )
    program, mechanism = of_text(tmp_path, text, "leaks")

    found, _ = up_to(program, mechanism, 1)

    assert not isinstance(found, BoundedCertificate)


def test_lists_of_unknown_length_are_not_compared(tmp_path):
    """Both have ones alone in them, and each number is released as it is."""
    text = """from dplint import dp


@dp(epsilon="epsilon", neighbors="l1")
def leaks(rng, values, epsilon):
    one, two, noisy = [], [], []
    for value in values:
        if one != two:
            noisy.append(value + rng.laplace(scale=1 / epsilon))
        else:
            noisy.append(value + 0 * rng.laplace(scale=1 / epsilon))
        one.append(1)
        two.append(1)
    return noisy
"""
    program, mechanism = of_text(tmp_path, text, "leaks")
    loop = next(node.span for node in walk(program) if isinstance(node, For))
    certificate = LoopCertificate(
        loop=loop,
        before=(),
        differences=(),
        bounds=(),
        potential=Potential(used=ONE),
        turns=(Moves((), (Move(Fraction(0), ((0, -ONE),)),)),),
        after=(Moves((), ()),),
    )

    with pytest.raises(UnsupportedConstruct, match="comparison"):
        check_loop(program, mechanism, scope_of(mechanism, Sizes(0, None)), certificate)


def damaged_move(chance, move):
    """A move that is another one."""
    change = chance.choice([ONE, -ONE, HALF, Fraction(1, 10), Fraction(-1, 7), Fraction(3)])
    if move.offsets and chance.random() < 0.5:
        (number, factor), *rest = move.offsets
        return replace(move, offsets=((number, factor + change), *rest))
    return replace(move, constant=move.constant + change)


def damaged_groups(chance, groups):
    """Groups with one thing wrong: a move, a path that is missing, or a move too few or too many."""
    groups = list(groups)
    place = chance.randrange(len(groups))
    group = groups[place]
    kind = chance.choice(["move", "move", "move", "path", "fewer", "more", "offset"])
    moves = list(group.moves)
    which = chance.randrange(len(moves))
    if kind == "path":
        del groups[place]
        return tuple(groups)
    if kind == "move":
        moves[which] = damaged_move(chance, moves[which])
    elif kind == "fewer":
        del moves[which]
    elif kind == "more":
        moves.append(Move())
    else:
        moves[which] = replace(moves[which], offsets=((len(moves) + 3, ONE),))
    groups[place] = replace(group, moves=tuple(moves))
    return tuple(groups)


def test_randomly_damaged_certificates_are_refused():
    """Of sums and histograms: each move has to make up for exactly what the data moves, so that any other is wrong."""
    chance = random.Random(16)
    certificates = []
    for file, name, size in [
        ("statdp/histogram.py", "histogram", 2),
        ("checkdp/sums.py", "partial_sum", 2),
        ("dpsniper/laplace.py", "laplace_mechanism", 1),
        ("dpsniper/laplace.py", "laplace_parallel", 1),
        ("dpfinder/sums.py", "private_sum", 1),
    ]:
        program, mechanism = targets(FIXTURES / file)[name]
        found, scope = up_to(program, mechanism, size)
        assert isinstance(found, BoundedCertificate)
        certificates.append((program, mechanism, scope, found))
    for _ in range(in_proportion(100)):
        program, mechanism, scope, found = chance.choice(certificates)
        parts = list(found.groups)
        place = chance.randrange(len(parts))
        shape, case, groups = parts[place]
        parts[place] = (shape, case, damaged_groups(chance, groups))
        with pytest.raises(NotProved):
            check_bounded(program, mechanism, scope, BoundedCertificate(tuple(parts)))


def test_nothing_is_proved_of_values_that_may_be_missing():
    """Terms are real numbers, and None and NaN are none: a proof for the interval alone would say too much."""
    numbers = Interval(0, 9, integer=True)
    for domain in (NumbersOrMissing(numbers, none=True, nan=False), NumbersOrMissing(numbers, none=False, nan=True)):
        with pytest.raises(NotProved, match="may be missing"):
            record(domain, "d:q", [])
        with pytest.raises(NotProved, match="may be missing"):
            record(Columns((("age", domain),)), "d:q", [])


@pytest.mark.parametrize(
    ("move", "right"),
    [
        (Move(Fraction(0), ((0, -ONE),), ((0, ONE),)), True),
        (Move(HALF, ((0, -HALF),)), False),
        (Move(Fraction(0), ((0, -ONE),)), False),
        (Move(ONE), False),
    ],
)
def test_geometric_noise_moves_up_by_whole_numbers_alone(tmp_path, move, right):
    """Of two draws, one is added and moves by the rise of -d; the other is taken away, and moves by the rise of d."""
    text = """import math

from dplint import dp


@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values: list[int], epsilon):
    p = 1 - math.exp(-epsilon)
    return values[0] + rng.geometric(p) - rng.geometric(p)
"""
    program, mechanism = of_text(tmp_path, text, "release")
    other = Move(Fraction(0), (), ((1, ONE),)) if right else Move(move.constant, ((1, HALF if move.constant else ONE),))
    certificate = BoundedCertificate(((Shape(1), (), (Moves((), (move, other)),)),))

    if right:
        check_bounded(program, mechanism, scope_of(mechanism, Sizes(1, 1)), certificate)
    else:
        with pytest.raises(NotProved):
            check_bounded(program, mechanism, scope_of(mechanism, Sizes(1, 1)), certificate)


@pytest.mark.parametrize("text", ["1 - math.exp(-x)", "-math.expm1(-x)", "1 - 1 / math.exp(x)"])
def test_the_scale_of_geometric_noise_is_one_over_the_cost_of_a_shift(text):
    """At x = 3/7, as `dplint.distributions` has it, which sums of probabilities confirm."""
    x = z3.Real("a:x")
    p = {
        "1 - math.exp(-x)": 1 - unknown("exp", [-x]),
        "-math.expm1(-x)": -unknown("expm1", [-x]),
        "1 - 1 / math.exp(x)": 1 - 1 / unknown("exp", [x]),
    }[text]

    scale = z3.simplify(z3.substitute(scale_of("geometric", {"p": p}, Span(1, 1, 1, 1)), (x, z3.Q(3, 7))))

    cost = -math.log1p(-eval(text, {"math": math, "x": 3 / 7}))  # log f(k) - log f(k + 1)
    assert float(scale.as_fraction()) == pytest.approx(1 / cost, rel=1e-12)
