"""A type that the codec has never heard of needs nothing there: it comes back, and what is not of it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given

from dplint.claims import Literal, Mechanism
from dplint.outcomes import Curve, Distributions, Finding
from dplint.store.codec import codec
from tests.examples import examples
from tests.store.typed_values import broken, same, through_json, values


class Direction(StrEnum):
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Sizes:
    smallest: int
    largest: int | None


@dataclass(frozen=True, slots=True)
class EveryLength:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    sizes: Sizes | EveryLength
    direction: Direction | Sizes | None
    loss: float | Sizes | str
    bounds: tuple[float, float] | EveryLength
    either: Direction | bool
    data: tuple[Literal, ...] = ()
    nested: tuple[tuple[Sizes | None, ...], Direction] = ((), Direction.ADD)


KINDS = (Scope, Scope | Sizes | None, tuple[Scope, ...], Mechanism, Finding, Curve, Distributions)


@pytest.mark.parametrize("kind", KINDS)
def test_any_value_comes_back_as_it_was_and_no_broken_document_is_read(kind):
    @examples(60)
    @given(values(kind))
    def check(value):
        document = through_json(codec(kind).write(value))
        assert same(codec(kind).read(document), value)
        for wrong in broken(kind, document):
            with pytest.raises(ValueError, match=r"no document of this type|not a valid|longer|shorter"):
                codec(kind).read(wrong)

    check()


def test_what_a_document_looks_like():
    scope = Scope(
        sizes=Sizes(1, None),
        direction=Direction.ADD,
        loss=float("inf"),
        bounds=(0, 0.5),
        either=True,
        data=((1,), {2: [3]}),
    )
    assert codec(Scope).write(scope) == {
        "sizes": ["Sizes", {"smallest": 1, "largest": None}],
        "direction": ["Direction", "add"],
        "loss": {"f": "inf"},
        "bounds": ["tuple", [0, 0.5]],
        "either": True,
        "data": [{"t": [1]}, {"d": [[2, [3]]]}],
        "nested": [[], "add"],
    }


@dataclass(frozen=True)
class Other:
    smallest: int
    largest: int | None


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Sizes, Other(1, 2)), (Sizes, None), (Sizes, Sizes(True, 2)), (Sizes, Sizes(1.0, 2)),
        (Sizes | Scope, Other(1, 2)), (Sizes | float, "x"), (float | str, True), (float, float("nan")),
        (tuple[int, ...], [1]), (tuple[int, int], (1,)), (Direction, "add"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_not_written(kind, value):
    with pytest.raises(ValueError, match=r"no document of this type|longer|shorter"):
        codec(kind).write(value)


@pytest.mark.parametrize("kind", [dict, list[int], bytes, complex, Sizes | tuple[int, int] | tuple[str, str]])
def test_a_type_that_has_no_document_is_a_mistake_in_the_program(kind):
    with pytest.raises(TypeError, match=r"have no document|could not be told apart"):
        codec(kind)
