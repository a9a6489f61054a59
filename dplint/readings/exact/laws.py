"""The law of a mechanism's outputs: for each form of output the probability, or the joint density of its numbers."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import arb, fmpq, fmpq_mat

from dplint.readings.exact.affine import Affine, Coefficients, NotFollowed
from dplint.readings.exact.functions import Function, phase_of, product_of, sum_density
from dplint.readings.exact.integrals import integral_between
from dplint.readings.exact.interpretation import Ending
from dplint.readings.exact.lattices import Lattice
from dplint.readings.exact.outputs import Form, form_of
from dplint.readings.exact.piecewise import Piecewise, exact_key
from dplint.readings.exact.terms import ONE, ZERO
from dplint.readings.exact.weights import Direction, Limits, Weight, direction

_MOST_CASES = 3_000


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A part of a joint density: number * the product of the functions of the coordinates, where the limits hold.

    number: a ball; negative in differences, else positive. limits: by sums of coordinates, which are numbered from 0.
    """

    number: arb
    functions: tuple[Function, ...]
    limits: Mapping[Direction, Limits]

    def at(self, coordinates: Sequence[fmpq]) -> arb:
        """The value at a place that is on no cut and no limit; exactly 0 where it is impossible."""
        for one, (low, high) in self.limits.items():
            total = sum((a * coordinates[i] for i, a in one), ZERO)
            if (low is not None and total < low) or (high is not None and total > high):
                return arb(0)
        value = self.number
        for function, place in zip(self.functions, coordinates, strict=True):
            value = value * function.at(place)
        return value


@dataclass(slots=True, eq=False)
class FormLaw:
    """The law of the outputs of one form.

    inverse: the free numbers of the form are these combinations of as many coordinates, whose density the terms are;
    the identity as a rule. Coordinates that are whole numbers, all moved by one rational, have probabilities.
    """

    form: Form
    inverse: tuple[tuple[fmpq, ...], ...]
    terms: list[Term] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many free numbers there are; 0 for a single output."""
        return len(self.inverse)

    @property
    def signed(self) -> bool:
        """Whether some terms are subtracted from others."""
        return any(not term.number > 0 for term in self.terms)

    def output(self, coordinates: Sequence[fmpq]) -> Any:
        """The output with these coordinates."""
        free = [sum((a * x for a, x in zip(row, coordinates, strict=True)), ZERO) for row in self.inverse]
        return self.form.output(free, discrete=None not in self.grid)

    def probability(self) -> arb:
        """Of all outputs of the form. For a form without limits on its numbers."""
        total = arb(0)
        for term in self.terms:
            value = term.number
            for function in term.functions:
                value = value * function.total()
            total += value
        return total

    def at(self, coordinates: Sequence[fmpq]) -> arb:
        """The density, of coordinates."""
        return sum((term.at(coordinates) for term in self.terms), arb(0))

    @property
    def grid(self) -> tuple[fmpq | None, ...]:
        """For each coordinate what whole numbers are moved by, None if it has a density."""
        return tuple(map(phase_of, self.terms[0].functions))

    @property
    def per_output(self) -> arb:
        """How many times the density of the coordinates that of the free numbers is."""
        size = self.size
        if any(phase is not None for phase in self.grid):
            return arb(1)
        return 1 / abs(arb(fmpq_mat(size, size, [a for row in self.inverse for a in row]).det()))


def density_of_number(law: FormLaw) -> Piecewise | None:
    """The density of the one number of a form, None where it has no closed form."""
    total: Piecewise | None = None
    for term in law.terms:
        (function,) = term.functions
        if not isinstance(function, Piecewise):
            return None
        weighted = function.times(term.number)
        total = weighted if total is None else total + weighted
    return total


def total_probability(law: Mapping[Hashable, FormLaw]) -> arb | None:
    """Of all forms: a ball around 1 if the law is complete; None where comparisons tie the numbers of an output."""
    if any(term.limits for form in law.values() for term in form.terms):
        return None
    return sum((form.probability() for form in law.values()), arb(0))


def law_of(endings: Sequence[Ending]) -> dict[Hashable, FormLaw]:
    """The law of the outputs, by form. Raises NotFollowed."""
    found: dict[Hashable, FormLaw] = {}
    for ending in endings:
        form, free = form_of(ending.output)
        for inverse, term in _terms(ending.weight.copy(), free):
            key = law_key(form, inverse, term.functions)
            if key not in found:
                found[key] = FormLaw(form, inverse)
            found[key].terms.append(term)
    return found


_Inverse = tuple[tuple[fmpq, ...], ...]


def law_key(form: Form, inverse: _Inverse, functions: Sequence[Function]) -> Hashable:
    """Equal for forms with these coordinates, on the same grids."""
    grid = tuple(exact_key(phase_of(one)) for one in functions)
    return (form.key, tuple(tuple(map(exact_key, row)) for row in inverse), grid)


def _terms(weight: Weight, free: list[Affine]) -> Iterator[tuple[_Inverse, Term]]:
    """What one ending gives: its weight with all draws eliminated but one for each coordinate."""
    identity = tuple(tuple(ONE if i == j else ZERO for j in range(len(free))) for i in range(len(free)))
    if not weight.settle(_draws_of(free)):
        return
    rows = _with_sums(weight, free)
    if rows is None or not weight.settle(_draws_of(rows)):
        return
    inverse = identity
    if any(len(row.coefficients) > 1 for row in rows):
        if len(_draws_of(rows)) != len(rows):
            raise NotFollowed("several outputs that share noise which is in none of them alone")
        rows, inverse = _inverted(rows)
    elif any(row.on_grid for row in rows):
        rows, inverse = _on_whole_numbers(rows)
    for case in _without_hidden(weight, _draws_of(rows)):
        yield inverse, _term(case, rows)


def _draws_of(rows: Sequence[Affine]) -> set[int]:
    return {draw for row in rows for draw in row.coefficients}


def _with_sums(weight: Weight, rows: list[Affine]) -> list[Affine] | None:
    """Draws that stand nowhere but in one and the same sum become one draw; None if the weight is 0."""
    while True:
        pair = _proportional(weight, rows)
        if pair is None:
            return rows
        kept, gone, ratio = pair
        density = sum_density(weight.function(kept), _moved(weight.function(gone), ratio))
        if density is None:
            return rows
        del weight.functions[gone]
        weight.functions[kept] = (density,)
        for one in weight.tied(gone):
            low, high = weight.limits.pop(one)
            weight.limits[direction((draw, a) for draw, a in one if draw != gone)] = (low, high)
        rows = [Affine({draw: a for draw, a in row.coefficients.items() if draw != gone}, row.constant) for row in rows]
        if not weight.absorb():
            return None


def _moved(function: Function, ratio: fmpq) -> Function:
    return function.as_density_of(ratio, ZERO) if isinstance(function, Piecewise) else function


def _proportional(weight: Weight, rows: Sequence[Affine]) -> tuple[int, int, fmpq] | None:
    """Two draws, and how many times the first the second is wherever they stand."""
    columns: dict[int, list[fmpq]] = {}
    sums: list[Coefficients] = [dict(one) for one in weight.limits]
    sums.extend(row.coefficients for row in rows)
    for draw in sorted(weight.functions):
        columns[draw] = [one.get(draw, ZERO) for one in sums]
    for one, other in itertools.combinations(columns, 2):
        first = next((i for i, a in enumerate(columns[one]) if a != 0), None)
        if first is None or columns[other][first] == 0:
            continue
        # A comparison is written so that its first draw has coefficient 1: the one that stays must be that draw.
        ratio = columns[other][first] / columns[one][first]
        if all(b == ratio * a for a, b in zip(columns[one], columns[other], strict=True)):
            if (one < 0) != (other < 0) or (one < 0 and abs(ratio) != 1):
                raise NotFollowed("sums of whole numbers and other noise, or of several multiples of whole numbers")
            closed = all(isinstance(weight.function(draw), Piecewise) for draw in (one, other))
            if closed:
                return one, other, ratio
    return None


def _inverted(rows: Sequence[Affine]) -> tuple[list[Affine], _Inverse]:
    """As many numbers as draws: the draws themselves, shifted, are coordinates that tell as much."""
    names = sorted(_draws_of(rows))
    size = len(rows)
    matrix = [
        [row.coefficients.get(name, ZERO) for name in names] + [ONE if i == j else ZERO for j in range(size)]
        for i, row in enumerate(rows)
    ]
    for i in range(size):
        pivot = next(k for k in range(i, size) if matrix[k][i] != 0)
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        factor = matrix[i][i]
        matrix[i] = [x / factor for x in matrix[i]]
        for j in range(size):
            if j != i and matrix[j][i] != 0:
                factor = matrix[j][i]
                matrix[j] = [x - factor * y for x, y in zip(matrix[j], matrix[i], strict=True)]
    back = [row[size:] for row in matrix]
    coordinates = [
        Affine({name: ONE}, sum((a * row.constant for a, row in zip(back[i], rows, strict=True)), ZERO))
        for i, name in enumerate(names)
    ]
    inverse = tuple(tuple(row.coefficients.get(name, ZERO) for name in names) for row in rows)
    return coordinates, inverse


def _on_whole_numbers(rows: Sequence[Affine]) -> tuple[list[Affine], _Inverse]:
    """Multiples of whole numbers by coordinates that are whole numbers, moved."""
    widths = [abs(next(iter(row.coefficients.values()))) if row.on_grid else ONE for row in rows]
    scaled = [
        Affine({draw: a / width for draw, a in row.coefficients.items()}, row.constant / width)
        for row, width in zip(rows, widths, strict=True)
    ]
    inverse = tuple(tuple(width if i == j else ZERO for j in range(len(rows))) for i, width in enumerate(widths))
    return scaled, inverse


def _without_hidden(weight: Weight, live: set[int]) -> Iterator[Weight]:
    """The weight as a sum of weights, some of them negative, without draws that are in no output."""
    todo, cases = [weight], 0
    while todo:
        one = todo.pop()
        if not one.settle(live):
            continue
        hidden = [draw for draw in one.functions if draw not in live]
        if not hidden:
            yield one
            continue
        cases += 1
        if cases > _MOST_CASES:
            raise NotFollowed(f"comparisons of draws with one another in more than {_MOST_CASES:,} cases")
        draw = min(hidden, key=lambda draw: (len(one.tied(draw)), draw))
        todo.extend(_split(one, draw))


def _split(weight: Weight, draw: int) -> Iterator[Weight]:
    """Integrate out a draw that is compared with several: by which bound is the tightest, the integral up to the upper
    bound minus that up to the lower one.
    """
    base = weight.copy()
    lowers, uppers = _bounds_of(base, draw)
    function = weight.function(draw)
    if isinstance(function, Lattice) and any(a.q != 1 for row in (*lowers, *uppers) for a in row.coefficients.values()):
        raise NotFollowed("multiples of whole numbers compared with one another")
    if not isinstance(function, Piecewise):
        raise NotFollowed("noise without a closed form that is compared with several draws")
    del base.functions[draw]
    for low_line in lowers or (None,):
        for high_line in uppers or (None,):
            case = _tightest(base, low_line, high_line, lowers, uppers)
            if case is None:
                continue
            if high_line is not None:
                yield _with_factor(case, function, high_line, up_to=True, sign=1)
            if low_line is not None:
                up_to = high_line is not None
                yield _with_factor(case, function, low_line, up_to=up_to, sign=-1 if up_to else 1)


def _bounds_of(weight: Weight, draw: int) -> tuple[list[Affine], list[Affine]]:
    """What a draw lies above and below, by other draws; these comparisons are taken out of the weight."""
    lowers: list[Affine] = []
    uppers: list[Affine] = []
    for one in weight.tied(draw):
        low, high = weight.limits.pop(one)
        coefficients = dict(one)
        a = coefficients.pop(draw)
        if len(coefficients) > 1:
            raise NotFollowed("comparisons of sums of three draws or more, with some of them compared elsewhere")
        for bound, is_low in ((low, a > 0), (high, a < 0)):
            if bound is not None:
                line = Affine({other: -b / a for other, b in coefficients.items()}, bound / a)
                (lowers if is_low else uppers).append(line)
    return lowers, uppers


def _tightest(
    base: Weight, low: Affine | None, high: Affine | None, lowers: Sequence[Affine], uppers: Sequence[Affine]
) -> Weight | None:
    """The part where these are the largest lower and the smallest upper bound, the first of equal ones, and the one is
    below the other.
    """
    order: list[tuple[Affine, Affine, bool]] = []
    if low is not None:
        order += [(low, other, before) for other, before in _others(lowers, low)]
    if high is not None:
        order += [(other, high, before) for other, before in _others(uppers, high)]
    if low is not None and high is not None:
        order.append((high, low, True))
    case: Weight | None = base.copy()
    for larger, smaller, strict in order:
        difference = larger - smaller
        if isinstance(difference, Affine):
            case = case and case.assume(difference.without_ties(strict=strict))
        elif difference <= 0:
            return None
    return case


def _others(lines: Sequence[Affine], line: Affine) -> Iterator[tuple[Affine, bool]]:
    """The other ones, and whether they stand before it."""
    before = True
    for other in lines:
        if other is line:
            before = False
        else:
            yield other, before


def _with_factor(case: Weight, function: Piecewise, bound: Affine, *, up_to: bool, sign: int) -> Weight:
    """Times the integral of the function up to the bound, or from it on."""
    ((other, slope),) = bound.coefficients.items()
    line = [(slope, bound.constant)]
    factor = integral_between(function, [] if up_to else line, line if up_to else [])
    found = case.copy()
    found.functions[other] = (*found.functions[other], factor)
    found.number = found.number * sign
    return found


def _term(weight: Weight, rows: Sequence[Affine]) -> Term:
    """In terms of the coordinates, each of which is slope * draw + constant."""
    functions: list[Function] = []
    place: dict[int, tuple[int, fmpq, fmpq]] = {}
    for i, row in enumerate(rows):
        ((draw, slope),) = row.coefficients.items()
        place[draw] = (i, slope, row.constant)
        function = product_of(weight.functions[draw])
        functions.append(function.as_density_of(slope, row.constant))
    limits: dict[Direction, Limits] = {}
    holder = Weight()
    for one, (low, high) in weight.limits.items():
        coefficients = {place[draw][0]: a / place[draw][1] for draw, a in one}
        constant = sum((-a * place[draw][2] / place[draw][1] for draw, a in one), ZERO)
        for bound, sign in ((low, 1), (high, -1)):
            if bound is not None:
                holder.limit({i: sign * a for i, a in coefficients.items()}, sign * (constant - bound))
    limits.update(holder.limits)
    return Term(weight.number, tuple(functions), limits)
