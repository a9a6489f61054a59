"""The table of calls is what is installed, and those who execute programs know nothing that is not in it."""

from __future__ import annotations

import logging

import pytest

from dplint.program.calls import (
    FUNCTIONS,
    MEANINGS,
    SPECIAL,
    functions,
    rows,
    sinks,
    spellings,
    updates,
    word_of,
    words,
)
from dplint.program.meaning import function_of
from dplint.readings.symbolic.calls import _FUNCTIONS as SYMBOLIC

TRAITS = {"aggregate", "applies", "extreme", "fresh", "moves", "part", "passing", "public", "same-length", "selection"}
TRAITS |= {"size", "wraps"}
FACTS = {"copy", "eager", "iterator", "pick", "unary", "view"}


def test_rows_are_sorted_and_each_word_and_spelling_stands_once() -> None:
    all_spellings = [name for one in MEANINGS.values() for name in one.spellings]

    assert rows("calls") == sorted(rows("calls"), key=lambda row: row.partition(":")[0].lower())
    assert len(rows("calls")) == len(MEANINGS)
    assert len(all_spellings) == len(set(all_spellings))
    assert set().union(*(one.traits for one in MEANINGS.values())) == TRAITS
    assert set().union(*(facts for one in MEANINGS.values() for facts in one.spellings.values())) == FACTS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_is_installed_and_has_a_word(name: str) -> None:
    assert callable(function_of(name))
    assert name in MEANINGS[word_of(name)].spellings


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("numpy.amax", "max"),
        ("math.fsum", "sum"),
        ("nanargmax", "argmax"),
        ("pandas.unique", "unique"),
        ("numpy.linalg.norm", "norm"),
        ("somewhere.clip", "somewhere.clip"),
        ("frobnicate", "frobnicate"),
    ],
)
def test_names_that_mean_the_same_have_one_word(name: str, word: str) -> None:
    assert word_of(name) == word


def test_symbolic_knows_nothing_that_is_not_in_the_table() -> None:
    assert {*SYMBOLIC} <= {*MEANINGS} | SPECIAL


def test_what_only_the_rules_know_is_in_no_program() -> None:
    assert "~nanargmax" in MEANINGS["argmax"].spellings
    assert not {"nanargmax", "~nanargmax"} & spellings()
    assert updates() < updates(in_programs=False)
    assert "discard" not in updates()


def test_what_shows_nothing_shows_no_part_either() -> None:
    assert not words("public") & (words("passing") | words("extreme") | words("aggregate") | words("selection"))
    assert functions("view").isdisjoint(functions("pick"))


def test_sinks_are_what_python_has_by_these_names() -> None:
    assert all(hasattr(logging.Logger, name[1:]) for name in sinks("log") if name.startswith("."))
    assert not sinks("log") & sinks("write")
    assert {"print", "pickle.dump", "logging.getLogger"} <= sinks("print") | sinks("write") | sinks("logger")
