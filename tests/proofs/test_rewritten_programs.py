"""What the checker makes of a program, against the function: on the same random data, with the same draws.

The program is read as for a proof, in the form that the checker knows and without missing values, and walked on data
that is known; noise is a variable, for which the numbers stand in the end that the function has drawn.
"""

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import z3

from dplint.claims import Categories, Columns, NumbersOrMissing
from dplint.inputs.forms import data_form
from dplint.program.evaluator import evaluate
from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.checker.data_forms import in_known_form
from dplint.proofs.checker.expressions import Made
from dplint.proofs.checker.gathering import GatheringWalk
from dplint.proofs.checker.growing import with_counters
from dplint.proofs.checker.inputs import _FORMS, gathered
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.missing import with_known_values
from dplint.proofs.checker.values import Choice, Entries, Items, Leaves, Mixed, NotProved, Series, exact, number_in
from dplint.runner.data_forms import DataForms
from dplint.runner.literals import encode
from tests.proofs import (
    test_gaps_of_tables,
    test_groups,
    test_proofs_of_data_forms,
    test_proofs_of_missing_values,
    test_tables_of_groups,
    test_tables_of_polars,
)
from tests.proofs.proof_tools import of_text
from tests.proofs.small_data import HEAD

RUNS = 12


class Rng:
    """Draws that floats hold exactly, and what was drawn."""

    def __init__(self, seed):
        self.chance, self.drawn = random.Random(seed), []

    def laplace(self, loc=0.0, scale=1.0, size=None):
        count = size if size is not None else (len(loc) if np.ndim(loc) else None)
        number = 1 if count is None else math.prod(count) if isinstance(count, tuple) else count
        made = [self.chance.randrange(-999, 999) / 64 for _ in range(number)]
        self.drawn += made
        return loc + (made[0] if count is None else np.array(made).reshape(count))


class Deciding(Known):
    """Decides by the numbers that were drawn."""

    def __init__(self, drawn):
        super().__init__([])
        self.drawn, self.walk = drawn, None

    def known(self, term):
        noise = [
            (one.number, z3.RealVal(str(Fraction(x)))) for one, x in zip(self.walk.draws, self.drawn, strict=False)
        ]
        return z3.simplify(z3.substitute(term, *noise)) if z3.is_expr(term) else term

    def noisy(self, options):
        return next(k for k, one in enumerate(options) if z3.is_true(self.known(one)))

    def argument(self, condition):
        return z3.is_true(self.known(condition))


def value(domain, record):
    """A record as the checker has it."""
    if isinstance(domain, Columns):
        return Entries.of(
            [name for name, _ in domain.columns], [value(one, record[name]) for name, one in domain.columns]
        )
    texts = isinstance(domain, Categories) and isinstance(domain.values[0], str)
    return Choice(domain.values, z3.IntVal(domain.values.index(record))) if texts else exact(record)


def some(chance, domain):
    """A record of the domain."""
    if isinstance(domain, Columns):
        return {name: some(chance, one) for name, one in domain.columns}
    if isinstance(domain, NumbersOrMissing):
        missing = [None] * domain.none + [math.nan] * domain.nan
        return chance.choice([*missing, some(chance, domain.numbers), some(chance, domain.numbers)])
    if isinstance(domain, Categories):
        return chance.choice(domain.values)
    return chance.randint(int(domain.low), int(domain.high)) if domain.integer else chance.randrange(80) / 8


def paired(before, after, record):
    """A record with missing values as one of pairs."""
    if before == after:
        return record
    columns = dict(before.columns) if isinstance(before, Columns) else {"value": before}
    found = dict(record) if isinstance(before, Columns) else {"value": record}
    for name, one in columns.items():
        if isinstance(one, NumbersOrMissing):
            there = found[name] is not None and not math.isnan(found[name])
            found |= {f"{name} is known": there, name: found[name] if there else one.numbers.low}
    return found


def of_checker(program, mechanism, records, drawn):
    """What the checker reads, as plain numbers."""
    read, claimed = with_known_values(*in_known_form(with_counters(program), mechanism))
    domain = claimed.claim.domain
    if data_form(claimed) not in _FORMS:
        raise NotProved("a form that the checker does not know")
    known = [value(domain, paired(mechanism.claim.domain, domain, one)) for one in records]
    data = known[0] if mechanism.claim.neighbors == "any" else gathered(domain, data_form(claimed), known)
    deciding = Deciding(drawn)
    walk = deciding.walk = GatheringWalk(1, deciding, Leaves(), read)
    evaluate(read, walk, {mechanism.data: data, **({"epsilon": 1} if "epsilon" in program.parameters else {})})
    (output,) = [one for one in walk.outputs if one.mask is True or z3.is_true(deciding.known(one.mask))]
    assert len(walk.draws) == len(drawn)
    return plain(output.value, deciding) if output.kind == "value" else output.kind


def plain(found, deciding=None):
    """What is given, of the checker's values or Python's, for comparison."""
    if isinstance(found, Series | pd.Series | np.ndarray):
        return plain(found.values if isinstance(found, Series) else found.tolist(), deciding)
    if isinstance(found, Made):
        return {name: plain(one, deciding) for name, one in found.columns}
    if isinstance(found, pl.DataFrame):
        return plain(found.to_dict(as_series=False))
    if isinstance(found, Items):
        there = [found.items[k] for k, one in enumerate(found.guards) if one is True or z3.is_true(deciding.known(one))]
        return [plain(one, deciding) for one in there]
    if isinstance(found, Choice):
        return found.values[deciding.known(found.index).as_long()]
    if isinstance(found, Entries | dict):
        pairs = zip(found.keys, found.values, strict=True) if isinstance(found, Entries) else found.items()
        return {key: plain(one, deciding) for key, one in pairs}
    if isinstance(found, list | tuple):
        return [plain(one, deciding) for one in found]
    if isinstance(found, Mixed):
        return plain(found.number, deciding)
    if z3.is_expr(found):
        known = deciding.known(found)
        return z3.is_true(known) if z3.is_bool(known) else float(number_in(known))
    return float(found) if isinstance(found, int | float | Fraction | np.number) else found


def same(one, other):
    """Whether two outputs are, but for the rounding of floats."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    numbers = isinstance(one, float) and isinstance(other, float)
    return math.isclose(one, other, abs_tol=1e-9) if numbers else one == other


def programs():
    """(text, whether it is right) of all programs of the tests of such data, the wrong ones among them."""
    for module in (test_groups, test_tables_of_groups, test_tables_of_polars, test_gaps_of_tables):
        for kind in ("RIGHT", "WRONG"):
            for name, text in getattr(module, kind).items():
                yield pytest.param(HEAD + text, kind == "RIGHT", id=f"{module.__name__.rpartition('_')[2]}: {name}")
    forms, gaps = test_proofs_of_data_forms, test_proofs_of_missing_values
    for module, head in ((forms, ""), (gaps, HEAD)):
        for kind in ("RIGHT", "WRONG"):
            for (form, relation), bodies in getattr(module, kind).items():
                for number, body in enumerate(bodies):
                    text = head + module.text_of(form, relation, body)
                    yield pytest.param(text, kind == "RIGHT", id=f"{kind} {form} {relation} {number}: {body[:30]}")


def of_function(text, program, mechanism, records, seed, objects):
    """What the function gives, and what it has drawn."""
    rng = Rng(seed)
    spaces = objects | {"rng": rng}
    forms = DataForms()
    function = spaces["release"]
    forms.load(function, mechanism.data, (), plain=False)
    sides = ([some(random.Random(seed), mechanism.claim.domain)], records)
    if mechanism.claim.neighbors == "any":
        sides = [one[0] for one in sides]
    _, data = forms.build([{"handle": None, "form": data_form(mechanism), "value": encode(one)} for one in sides], [])
    given = {"epsilon": 1} if "epsilon" in program.parameters else {}
    try:
        return plain(function(rng, data, **given)), rng.drawn
    except Exception as error:
        return type(error).__name__, rng.drawn


@pytest.mark.parametrize(("text", "right"), list(programs()))
def test_the_checker_reads_what_the_function_does(tmp_path, text, right):
    """Wrong ones are read, too, or refused."""
    program, mechanism = of_text(tmp_path, text, "release")
    objects = {"__name__": "tested", "Counter": Counter}
    exec(compile(text, "tested", "exec", dont_inherit=True), objects)
    chance, compared = random.Random(text), 0
    for seed in range(RUNS):
        size = 1 if mechanism.claim.neighbors == "any" else chance.randrange(6)
        records = [some(chance, mechanism.claim.domain) for _ in range(size)]
        records = list(dict.fromkeys(records)) if "set" in data_form(mechanism) else records
        found, drawn = of_function(text, program, mechanism, records, seed, objects)
        try:
            read = of_checker(program, mechanism, records, drawn)
        except (UnsupportedConstruct, NotProved):
            continue
        compared += 1
        assert same(read, found), (records, read, found)

    assert compared or not right or ".ravel()" in text
