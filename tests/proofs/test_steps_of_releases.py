"""What the checker asks of calls of libraries, whatever is proposed: how many steps lie between what they are given."""

from fractions import Fraction

import pytest
import z3

from dplint.claims import Span
from dplint.program.library_claims import OPENDP_LAPLACE
from dplint.program.nodes import Draw
from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.checker import laws
from dplint.proofs.checker.bags import Bag, Moving, Source
from dplint.proofs.checker.groups import COUNT, Groups, written
from dplint.proofs.checker.releases import ReleasingWalk, steps
from dplint.proofs.checker.values import Items, Leaves, NotProved
from dplint.sites import DrawSite

X, Y, Z, GENERIC, EPSILON = (z3.Real(name) for name in ("d:x", "d:y", "d:z", "g:x", "a:epsilon"))
TEXT = "text"
BOUNDS = Items.of("tuple", (0, 10))
SPAN = Span(1, 0, 1, 1)


def numbers(*items, kind="list"):
    return Items.of(kind, items)


def some(*items):
    return Items("list", items, tuple(z3.Bool(f"d:there {k}") for k in range(len(items))))


def total(array, **more):
    return {"": "diffprivlib.tools.sum", "array": array, "epsilon": 1, "bounds": BOUNDS, **more}


def histogram(sample, **more):
    return {"": "diffprivlib.tools.histogram", "sample": sample, "epsilon": 1, "bins": 5, "range": BOUNDS, **more}


def laplace(value, **more):
    return {"": "diffprivlib.mechanisms.Laplace", "value": value, "epsilon": 1, "sensitivity": 2, **more}


def measured(value):
    return {"": OPENDP_LAPLACE, "value": value, "scale": 1}


def bag(own=True, moving=None, item=GENERIC, guard=True, **more):
    own = [(GENERIC, X)] if own else None
    return Bag(Source([], own, moving=moving), item, guard, **more)


VECTOR = Moving(GENERIC, z3.Real("g:y"), second=False, others=[], most=z3.RealVal(1), norm=None)
ALLOWED = {
    "one replaced": (total(numbers(X, Z)), total(numbers(Y, Z)), 1),
    "two replaced": (total(numbers(X, Y)), total(numbers(Y, X)), 2),
    "none replaced": (total(numbers(X, Z)), total(numbers(X, Z)), 0),
    "replaced counts twice": (histogram(numbers(X, Z)), histogram(numbers(Y, Z)), 2),
    "one added": (histogram(numbers(X, Z)), histogram(numbers(X, Y, Z)), 1),
    "one removed": (histogram(numbers(X, Y, Z)), histogram(numbers(Y, Z)), 1),
    "one let in": (histogram(some(X)), histogram(some(Y)), 2),
    "of any length, replaced": (total(bag()), total(bag()), 1),
    "of any length, added": (histogram(bag()), histogram(bag(own=False)), 1),
    "of any length, let in": (histogram(bag(guard=GENERIC > 1)), histogram(bag(guard=GENERIC > 1)), 2),
    "a number": (laplace(X), laplace(X + 2), 1),
    "a number that stays": (laplace(X), laplace(X), 0),
}
REFUSED = {
    "of an unknown kind": ({"": "other.sum"}, {"": "other.sum"}),
    "an unknown kind": (total(numbers(X)), histogram(numbers(X))),
    "of an unknown kind ": (total(numbers(X)), total(numbers(X), axis=0)),
    "epsilon that may differ": (total(numbers(X)), total(numbers(X), epsilon=2)),
    "epsilon of another form, or of the data": (total(numbers(X), epsilon=X), total(numbers(X), epsilon=X)),
    "bounds of another form": [total(numbers(X), bounds=numbers(0, 1, 2))] * 2,
    "bounds of another form, or": [total(numbers(X), bounds=numbers(0, TEXT))] * 2,
    "bins of another form": [histogram(numbers(X), bins=EPSILON)] * 2,
    "where a record is added": (total(numbers(X)), total(numbers(X, Y))),
    "where a record is left out": (total(some(X)), total(some(Y))),
    "different lengths": (measured(numbers(X)), measured(numbers(X, Y))),
    "lists of different": (measured(some(X)), measured(some(X))),
    "of what is no number": (measured(numbers(X)), measured(X)),
    "is no number": (laplace(TEXT), laplace(TEXT)),
    "more than its sensitivity": (laplace(X), laplace(X + Fraction(201, 100))),
    "no array": (total(X), total(Y)),
    "no array ": (total(bag()), total(numbers(X))),
    "two kinds of data": (total(numbers(X)), total(numbers(Y, kind="array"))),
    "no numbers": (total(numbers(TEXT)), total(numbers("other"))),
    "more than one record differs": (histogram(numbers(X)), histogram(numbers(X, Y, Z))),
    "more than one record": (histogram(numbers(X)), histogram(numbers(Y, Z))),
    "more than each record": (total(bag(item=GENERIC - X)), total(bag(item=GENERIC - X))),
    "more than each": (total(bag()), total(bag(item=2 * GENERIC))),
    "than each record": (total(bag(guard=GENERIC > 1)), total(bag(guard=GENERIC > 2))),
    "each record": (total(bag()), total(bag(kind="array"))),
    "of no numbers": (total(bag(item=TEXT)), total(bag(item=TEXT))),
    "a vector": (total(bag(moving=VECTOR)), total(bag(moving=VECTOR))),
    "no record differs": (total(bag(own=False)), total(bag(own=False))),
    "is added": (total(bag()), total(bag(own=False))),
    "is left out": (total(bag(guard=GENERIC > 1)), total(bag(guard=GENERIC > 1))),
}


def between(one, other):
    """The steps, where it is certain what z3 shows."""

    def certain(statement):
        solver = z3.Solver()
        solver.add(z3.Not(statement))
        return solver.check() == z3.unsat

    return steps(one, other, Leaves(), certain)


@pytest.mark.parametrize("name", ALLOWED)
def test_steps_are_those_of_the_relation_of_the_claim(name):
    one, other, number = ALLOWED[name]

    assert between(one, other) == number == between(other, one)


def test_numbers_that_move_by_any_distance():
    moves = between(measured(numbers(X, Y)), measured(numbers(X + 3, Y - 2)))

    assert z3.simplify(moves).eq(z3.IntVal(5)) or z3.simplify(moves).eq(z3.RealVal(5))


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_library_promises_nothing_of_is_refused(name):
    with pytest.raises(NotProved, match=name.strip()):
        between(*REFUSED[name])


def test_a_call_is_made_once_in_every_run_of_what_is_not_noisy():
    def walk():
        return ReleasingWalk(1, None, Leaves(), ())

    def released(walk, active=True, **given):
        node = Draw(laws.RELEASE, (), None, "diffprivlib.tools.sum", "library", SPAN)
        return walk.draw(node, {"array": numbers(X), "epsilon": 1, **given}, None, active, DrawSite(SPAN, (), ()))

    once = walk()
    released(once)

    for asked, why in (
        (lambda: released(once), "twice in the same place"),
        (lambda: released(walk(), z3.Bool("d:there")), "may leave out"),
        (lambda: released(walk(), array=numbers(X + z3.Real("n:1"))), "of what is noisy"),
        (lambda: released(walk(), epsilon=TEXT), "epsilon is no number"),
    ):
        with pytest.raises(UnsupportedConstruct, match=why):
            asked()


def test_groups_are_those_of_records_by_a_key_that_no_other_has():
    source = Source([], [(GENERIC, X)])
    groups = Groups.by(Bag(source, GENERIC), GENERIC, COUNT, True).source

    for asked in (
        lambda: Groups.by(Bag(Source([], moving=VECTOR), GENERIC), GENERIC, COUNT, True),
        lambda: Groups.by(Bag(groups, GENERIC), GENERIC, COUNT, True),
        lambda: groups.extreme(COUNT + 1, True),
        lambda: groups.extreme(COUNT, False),
        lambda: written(numbers(X)),
        lambda: written(Items("tuple", (X,), (z3.Bool("d:there"),))),
        lambda: written(TEXT),
    ):
        with pytest.raises(UnsupportedConstruct):
            asked()
    assert (
        len({written(Items.of("tuple", one)) for one in ((X,), (Y,), (X, Y), (Y, X), (Items.of("tuple", (X,)), Y))})
        == 5
    )
