"""One run of a program as terms: masks are about data, decisions about noise, and draws are variables.

A condition on data alone does not split the run: both sides are walked, and what they assign is merged. A condition on
arguments alone splits the proof into cases. A condition that noise has a part in is a decision, which the run takes as
its `Decider` says, and which is written down in `conditions`.
"""

# ruff: noqa: ARG002 - a protocol is implemented, and not all of it is needed
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from operator import is_

import z3

from dplint.claims import Literal, Span
from dplint.distributions import GENERATOR, LEGACY, SCIPY
from dplint.program.interpretation import Frame
from dplint.program.nodes import Constant, Draw, Expression, For, Statement, While
from dplint.program.walk import bound_names, walk
from dplint.proofs.checker import arithmetic, containers, expressions, functions, laws, limits, tables
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.drawn import Drawn, Output
from dplint.proofs.checker.intervals import Intervals
from dplint.proofs.checker.paths import Decider
from dplint.proofs.checker.values import (
    NOISY,
    Cell,
    Choice,
    Entries,
    Grown,
    Items,
    Leaves,
    Live,
    Mask,
    Mixed,
    Series,
    Tally,
    Value,
    Values,
    any_of,
    boolean,
    both,
    either,
    exact,
    is_number,
    is_term,
    negate,
    real,
    refuse,
    refuse_if,
    select,
    sort,
    term,
    unmixed,
    variables_in,
    zero_of,
)
from dplint.sites import DrawSite

_ZERO = Constant(0, Span(1, 1, 1, 1))


class Walk:
    """Implements the protocol `Interpretation`. run: 1 or 2."""

    fuel = 12
    shifted = laws.SHIFTED
    shows = False
    """Whether what is shown before a run ends is observed, which no exception has in it."""

    def __init__(self, run: int, decider: Decider, leaves: Leaves) -> None:
        self.run, self.decider, self.leaves, self.intervals = run, decider, leaves, Intervals()
        self.conditions: list[z3.BoolRef] = []
        self.draws: list[Drawn] = []
        self.outputs: list[Output] = []
        self.numpy = False
        """Whether an array or a function of NumPy has been used: then numbers may be NumPy's, too."""
        self.labelled = False  # whether a column of a data frame has been read
        self._numbers: dict[int, Drawn] = {}
        self._dead: Mask = False

    # masks

    def everywhere(self) -> Mask:
        """All data."""
        return True

    def nowhere(self) -> Mask:
        """None."""
        return False

    both = staticmethod(both)
    either = join = staticmethod(either)
    negate = staticmethod(negate)

    def always(self, mask: Mask) -> bool:
        """Whether it is concretely true."""
        return mask is True

    def never(self, mask: Mask) -> bool:
        """Whether it is concretely false."""
        return mask is False

    def impossible(self, mask: Mask) -> bool:
        """Whether no data within the scope leads there, by z3."""
        return mask is False if isinstance(mask, bool) else self.decider.certain(z3.Not(mask))

    def alive(self, active: Mask) -> Mask:
        """Without what an exception has ended."""
        return active if self._dead is False else both(active, negate(self._dead))

    def checkpoint(self, active: Mask) -> Mask:
        """Nothing to let go of."""
        return active

    # decisions

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """Python's truth: decided where noise or arguments have the say, a mask where data has it."""
        if isinstance(value, Items):
            if not value.plain or value.kind == "array":
                raise refuse("the truth of an array, or of a list whose length depends on the data", span)
            return bool(value.items)
        if isinstance(value, Entries):
            return bool(value.keys)
        if isinstance(value, Choice):
            return self.decided(any_of([value.index == k for k, one in enumerate(value.values) if one]), active)
        if not is_term(value):
            if value is not None and not isinstance(value, int | float | Fraction | str):
                raise refuse("the truth of a list or a text of any length, or of what is not known", span)
            return bool(value)
        condition = value if isinstance(value, z3.BoolRef) else value != 0
        return self.decided(condition, active)

    def decided(self, condition: Mask, active: Mask) -> Mask:
        """How a condition comes out."""
        if not isinstance(condition, bool):
            condition = z3.simplify(condition)
            if z3.is_true(condition) or z3.is_false(condition):
                return bool(z3.is_true(condition))
        if isinstance(condition, bool):
            return condition
        found = self.leaves.of(condition)
        if found & NOISY:
            # Where the data does not let a run come here, it has decided against it: so paths do not overlap.
            holds = boolean(both(active, condition))
            return self.choose([z3.Not(holds), holds]) == 1
        if found & {"d", "g"}:
            return condition
        return self.decider.argument(condition)

    def choose(self, options: Sequence[z3.BoolRef]) -> int:
        """Decide among options of which exactly one holds."""
        chosen = self.decider.noisy(options)
        self.conditions.append(options[chosen])
        return chosen

    def branch(self, condition: Mask, active: Mask, node: Expression | For) -> None:
        """Nothing to note."""

    def after_statement(self, statement: Statement, active: Mask, live: Live) -> None:
        """Nothing to do; a hook of those runs that have hooks."""

    # values

    constant = staticmethod(exact)
    select = staticmethod(select)

    def from_mask(self, mask: Mask) -> Value:
        """The mask is the value."""
        return mask

    def mutable(self, value: Value) -> bool:
        """Whether it is a list, dict or array."""
        return isinstance(value, Entries | Grown | Cell | Series | Tally) or (
            isinstance(value, Items) and value.kind != "tuple"
        )

    def by_element(self, function: Callable[..., Value], values: Sequence[Value], span: Span) -> Value:
        """A function of numbers on arrays of one length and numbers: of each item. Lists count as arrays."""
        series = [value for value in values if isinstance(value, Series)]
        if series:
            return tables.by_label(self, function, values, series, span)
        listed = [value for value in values if isinstance(value, Items)]
        if not listed:
            return function(*values)
        size, guards = len(listed[0].items), listed[0].guards
        if any(not _side_by_side(one, listed[0]) for one in listed):
            raise refuse("arrays of different or unknown length", span)
        rows = zip(*(one.items if isinstance(one, Items) else (one,) * size for one in values), strict=True)
        return Items("array", tuple(function(*row) for row in rows), guards)

    def unary(self, operator: str, operand: Value, active: Mask, span: Span) -> Value:
        """Sign and complement."""
        if _arrays(operand):
            return self.by_element(lambda one: self.unary(operator, one, active, span), (operand,), span)
        return arithmetic.unary(self, operator, operand, active, span)

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """An operator on numbers, arrays and lists."""
        left, right = (one.number if isinstance(one, Cell) else one for one in (left, right))
        of_columns = expressions.added(self, operator, left, right, span)
        if of_columns is not None:
            return of_columns
        if isinstance(left, Mixed) or isinstance(right, Mixed):
            result = self.binary(operator, unmixed(left), unmixed(right), active, span)
            known = operator == "/" or any(is_number(one) and sort(one) == "float" for one in (left, right))
            return result if known else Mixed(real(term(result)))
        self._meets(left, right)
        if _arrays(left, right):
            return self.by_element(lambda a, b: self.binary(operator, a, b, active, span), (left, right), span)
        if isinstance(left, Items) or isinstance(right, Items):
            return containers.binary(operator, left, right, span)
        result = arithmetic.binary(self, operator, left, right, active, span)
        if operator in ("+", "-"):
            self._note_base(left, right)
            self._note_base(right, left)
        return result

    def augmented(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """As `binary`; a list takes over the items of any other."""
        refuse_if(isinstance(left, Cell), "an array of no dimensions that is changed in place", span)
        if isinstance(left, Items) and left.kind == "list" and operator == "+":
            return containers.update(self, left, "extend", (right,), active, span)
        return self.binary(operator, left, right, active, span)

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """A comparison, by element for arrays."""
        left, right = unmixed(left), unmixed(right)
        if operator in ("in", "not in"):
            tables.by_places(self, right, 0, span)
        elif _arrays(left, right) and operator not in ("is", "is not"):
            return self.by_element(lambda a, b: self.compare(operator, a, b, active, span), (left, right), span)
        return arithmetic.compare(operator, left, right, span)

    # containers

    def list_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:
        """A new list."""
        return Items.of("list", elements)

    def tuple_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:
        """A tuple."""
        return Items.of("tuple", elements)

    def dict_display(self, keys: Sequence[Literal], values: Sequence[Value], active: Mask, span: Span) -> Value:
        """A dict with constant keys."""
        return Entries.of(keys, values)

    def slice(self, start: Value | None, stop: Value | None, step: Value | None, span: Span) -> Value:
        """A slice of known ends."""
        refuse_if(any(is_term(part) for part in (start, stop, step)), "a slice whose ends are not known", span)
        return slice(start, stop, step)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """An item or a part."""
        self._meets(value)
        part = tables.part(self, value, index, active, span)
        return containers.subscript(self, value, index, active, span) if part is None else part

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """The container with one item replaced."""
        return containers.set_item(self, value, index, item, active, span)

    def update(self, value: Value, method: str, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
        """The list after one of its methods; of one whose beginning is not known, with an item more."""
        if isinstance(value, Grown):
            if active is not True or method != "append" or len(arguments) != 1:
                raise refuse(f"the method {method} of a list whose beginning is not known", span)
            return Grown(value.name, (*value.since, arguments[0]))
        return containers.update(self, value, method, arguments, active, span)

    def unpack(self, value: Value, count: int, active: Mask, span: Span) -> Sequence[Value]:
        """The items of a list of known length; as Python does, ValueError where there are more or fewer."""
        self._meets(value)
        if not isinstance(value, Items) or not value.plain:
            raise refuse("an assignment to several names of what has no known length", span)
        if len(value.items) != count:
            self.raised("ValueError", (f"{len(value.items)} values to unpack",), active, span)
            return (0,) * count
        return value.items

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """The items, all of which exist."""
        self._meets(value)
        value = value.values if isinstance(value, Series) else value
        return containers.iterate(value, span)

    def _meets(self, *values: Value) -> None:
        self.numpy = self.numpy or _arrays(*values)

    # calls

    def call(self, function: str, arguments: Sequence[Value], keywords: Values, active: Mask, span: Span) -> Value:
        """A function."""
        return self._read(Asked(function, tuple(arguments), keywords, active, span))

    def method(
        self, receiver: Value, method: str, arguments: Sequence[Value], keywords: Values, active: Mask, span: Span
    ) -> Value:
        """A method that leaves its receiver as it is."""
        return self._read(Asked(method, (receiver, *arguments), keywords, active, span, method=True))

    def _read(self, asked: Asked) -> Value:
        found = expressions.called(self, asked)
        return self.called(asked) if found is None else found

    def called(self, asked: Asked) -> Value:
        """What the checker knows of functions and methods."""
        self._meets(*asked.arguments)
        self.numpy |= asked.of_numpy
        return functions.called(self, asked)

    # draws

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """A variable for each number drawn. Where data leaves a draw out it is made and not used: that is no harm."""
        self.numpy |= node.family == SCIPY
        refuse_if(node.distribution not in self.shifted, f"a draw from {node.distribution}", node.span)
        name = repr((site.span, site.calls, site.turns))
        if size is None and self._dead is not False and self.decider.certain(negate(boolean(self.alive(active)))):
            # Exceptions have ended all runs that might come here.
            return zero_of(z3.Int("n")) if laws.is_whole(node.distribution) else z3.RealVal(0)
        if size is None and node.family in (GENERATOR, LEGACY):
            # NumPy draws one for each of several parameters; SciPy, too, but gives a number where that is one.
            size = next((len(one.items) for one in parameters.values() if isinstance(one, Items)), None)
        if size is None:
            return self._number(node, parameters, name)
        if isinstance(size, Items) and not size.items and node.family != SCIPY:
            refuse_if(any(isinstance(one, Items) for one in parameters.values()), "one draw of many", node.span)
            return Cell(self._number(node, parameters, name))
        if isinstance(size, Items) and len(size.items) == 1:
            size = size.items[0]
        refuse_if(not isinstance(size, int), "draws whose number is not known", node.span)
        rows = [
            {key: self._element(value, k, size, node.span) for key, value in parameters.items()} for k in range(size)
        ]
        return Items.of("array", [self._number(node, row, f"{name}[{k}]") for k, row in enumerate(rows)])

    def _element(self, value: Value, index: int, size: int, span: Span) -> Value:
        if not isinstance(value, Items):
            return value
        refuse_if(not value.plain or len(value.items) != size, "draws with parameters of another length", span)
        return value.items[index]

    def _number(self, node: Draw, parameters: Values, key: str) -> Value:
        scale, loc = laws.scale_of(node.distribution, parameters, node.span), parameters.get("loc", 0)
        refuse_if(not is_number(scale) or not is_number(loc), "noise whose parameters are no numbers", node.span)
        refuse_if(self.leaves.noisy(scale), "noise whose scale is noisy", node.span)
        limits.as_float(self, loc, True, node.span)
        refuse_if(any(drawn.key == key for drawn in self.draws), "one draw made twice in the same place", node.span)
        whole = laws.is_whole(node.distribution)
        number = (z3.Int if whole else z3.Real)(f"{'n' if self.run == 1 else 'm'}:{key}")
        drawn = Drawn(key, node.span, node.distribution, scale, number)
        self.draws.append(drawn)
        self._numbers[number.get_id()] = drawn
        self.decider.assume(*laws.at_least(node.distribution, number))
        if isinstance(dict(node.parameters).get("loc", _ZERO), Constant) and loc == 0:
            return number
        self._note_base(number, loc)
        return number + term(loc)

    def _note_base(self, number: Value, other: Value) -> None:
        """Write down what draws are added to, with all noise in it taken as 0: those that `number` is made of alone."""
        kinds = self.leaves.of(number)
        if not kinds or kinds - {"n", "m"} or not is_number(other):
            return
        others = self.leaves.of(other)
        if others and not others - {"n", "m"}:
            return
        for drawn in (self._numbers[one.get_id()] for one in _noise_in(number)):
            if drawn.base is None:
                noise = [(one, zero_of(one)) for one in _noise_in(term(other))]
                drawn.base = z3.substitute(term(other), *noise) if noise else term(other)

    # what happens

    def returned(self, value: Value, active: Mask, span: Span) -> None:
        """Where the mask holds, this is the output."""
        self.outputs.append(Output(self.alive(active), "value", value))

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None:
        """Where the mask holds, the run ends here."""
        refuse_if(self.leaves.noisy(active), "an exception that depends on noise", span)
        active = self.alive(active)
        refuse_if(self.shows and active is not False, "an exception, beside what is shown", span)
        self.outputs.append(Output(active, exception, Items.of("tuple", arguments)))
        self._dead = either(self._dead, active)

    def exhausted(self, active: Mask, span: Span) -> None:
        """A loop without a bound that is known."""
        raise refuse("a loop whose number of turns has no bound that is known", span)


def changed_by(node: For | While, frame: Frame[Value, Mask], names: Iterable[str]) -> dict[str, Value]:
    """What a loop changes of these variables, which are read again, as it is in front of the loop."""
    changed = sorted(bound_names(walk(node)).intersection(names))
    if any(name not in frame.variables or frame.variables[name].assigned is not True for name in changed):
        raise refuse("a variable that only the loop assigns, and that is read afterwards", node.span)
    return {name: frame.variables[name].value for name in changed}


def _side_by_side(one: Items, other: Items) -> bool:
    """Whether two containers have as many items, which are there for the same reasons."""
    same = len(one.items) == len(other.items) and all(map(is_, one.guards, other.guards))
    return same and (one.plain or one.kind == other.kind == "array")


def _arrays(*values: Value) -> bool:
    """Whether an array is among them, of known length or of any."""
    return any(getattr(value, "kind", None) in ("array", "series") for value in values)


def _noise_in(value: z3.ExprRef) -> list[z3.ArithRef]:
    """The variables of noise and of state in a term."""
    return variables_in(value, tuple(NOISY))
