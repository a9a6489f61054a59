"""The nodes of a program: a mechanism, lowered to a small tree that every interpretation can walk.

Nodes are frozen and picklable, and each knows its place in the source. Names are resolved: a `Name` is a local variable
or a parameter, a `Call` bears the canonical dotted name. What no evaluator knows is `Opaque`, see `program.opaque`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from dplint.claims import Literal, Span
from dplint.program.refusals import Unsupported


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal value."""

    value: Literal
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A local variable or a parameter."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """`left operator right`; the operator is one of + - * / // % ** & | ^ @ << >>."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """`operator operand`; the operator is one of - + ~ not."""

    operator: str
    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Compare:
    """A chain such as `a < b <= c`; the operators are == != < <= > >= is "is not" in "not in"."""

    left: Expression
    operators: tuple[str, ...]
    comparators: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class BoolOp:
    """`a and b and ...` or `a or b or ...`: operands after the one that decides are not evaluated."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class IfExp:
    """`body if test else orelse`."""

    test: Expression
    body: Expression
    orelse: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class ListDisplay:
    """`[a, b]`."""

    elements: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TupleDisplay:
    """`(a, b)`."""

    elements: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DictDisplay:
    """`{"key": value}` with constant keys.

    comprehension: whether the source has one over constants here, so that each value is a turn of a loop.
    """

    keys: tuple[Literal, ...]
    values: tuple[Expression, ...]
    span: Span
    comprehension: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """`for target in iterable if condition if condition` of a comprehension."""

    target: Target
    iterable: Expression
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Comprehension:
    """A list comprehension, or `any(...)` or `all(...)` of a generator expression, which stop early: see `kind`.

    The names that the clauses bind are unique to this comprehension, so that it runs as a loop in the frame around it.
    """

    kind: str
    element: Expression
    clauses: tuple[Clause, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Slice:
    """`start:stop:step` as an index."""

    start: Expression | None
    stop: Expression | None
    step: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Subscript:
    """`value[index]`."""

    value: Expression
    index: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a known function, such as "len", "math.log" or "numpy.argmax", or one of `vocabulary.SPECIAL`."""

    function: str
    arguments: tuple[Expression, ...]
    keywords: tuple[tuple[str, Expression], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MethodCall:
    """A call of a method that leaves its receiver as it is, such as `list.index` or `ndarray.sum`."""

    receiver: Expression
    method: str
    arguments: tuple[Expression, ...]
    keywords: tuple[tuple[str, Expression], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class CallFunction:
    """A call of a helper of the project. arguments: (parameter, expression) as they are evaluated, with defaults."""

    function: str
    arguments: tuple[tuple[str, Expression], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw from a distribution.

    distribution: canonical name ("laplace", "integers", ...), see `dplint.distributions`. size: None for one number.
    parameters: (canonical name, expression) in the order of evaluation, defaults last. generator: of the source:
    "argument", "local", "numpy.random", "random", or a name under which a module keeps one. family: whose types it has,
    "generator" (of NumPy), "legacy" (`RandomState`, `numpy.random`), "python" or "scipy". turns: of loops that the
    program has written out, as of `DrawSite`.
    """

    distribution: str
    parameters: tuple[tuple[str, Expression], ...]
    size: Expression | None
    generator: str
    family: str
    span: Span
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Opaque:
    """An expression or a statement that no evaluator understands: a run that comes to it is refused.

    refusal: the construct, its place, and a way to write it that works. operands, bodies: what was lowered inside of
    it, in order; not all there is. follows: it is refused only because another is, whose value it calls. function: it
    is one of its operands, which are all there, in order, each evaluated once. attribute: which it reads of its
    operand. called: the library's function or `.method` that it calls with its operands; names: of the last. promised:
    a function of a library whose claim is known, then the parameters that all its operands are.
    """

    refusal: Unsupported
    operands: tuple[Expression, ...]
    bodies: tuple[tuple[Statement, ...], ...]
    follows: bool
    span: Span
    function: bool = False
    attribute: str = ""
    called: str = ""
    names: tuple[str, ...] = ()
    promised: tuple[str, ...] = ()


Expression: TypeAlias = (
    Constant
    | Name
    | Binary
    | Unary
    | Compare
    | BoolOp
    | IfExp
    | ListDisplay
    | TupleDisplay
    | DictDisplay
    | Comprehension
    | Slice
    | Subscript
    | Call
    | MethodCall
    | CallFunction
    | Draw
    | Opaque
)


@dataclass(frozen=True, slots=True)
class TupleTarget:
    """`a, (b, c)` on the left of an assignment or in a loop."""

    elements: tuple[Target, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ItemTarget:
    """`name[index]` on the left of an assignment."""

    name: Name
    index: Expression
    span: Span


Target: TypeAlias = Name | TupleTarget | ItemTarget


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = target = value`."""

    targets: tuple[Target, ...]
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class AugAssign:
    """`target operator= value`; the operator is written without its `=`."""

    target: Name | ItemTarget
    operator: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Update:
    """`name.method(arguments)` as a statement, where the method changes the list or dict: `out.append(x)`."""

    name: Name
    method: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """`if test: body else: orelse`."""

    test: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class For:
    """`for target in iterable: body else: orelse`."""

    target: Target
    iterable: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class While:
    """`while test: body else: orelse`."""

    test: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Break:
    """`break`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Continue:
    """`continue`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    """`return value`."""

    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise exception(arguments)`, built in or with the text of `Exception`."""

    exception: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ExpressionStatement:
    """An expression whose value is dropped."""

    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Pass:
    """`pass`."""

    span: Span


Statement: TypeAlias = (
    Assign
    | AugAssign
    | Update
    | If
    | For
    | While
    | Break
    | Continue
    | Return
    | Raise
    | ExpressionStatement
    | Pass
    | Opaque
)
Node: TypeAlias = Expression | Statement | Clause | TupleTarget | ItemTarget


@dataclass(frozen=True, slots=True)
class Function:
    """A helper function of the project, lowered. `shared`: as for `Program`."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]
    shared: frozenset[str]
    span: Span


@dataclass(frozen=True, slots=True)
class Program:
    """A mechanism, lowered.

    parameters: all but the generator, in order. data, rng: names as in the claim; rng is None without one. functions:
    helpers that are called, directly or not. shared: names of what others may also hold, and what must not be changed
    in place: see `program.sharing`. span: of the function's name. fields: of the class of the data or its records, if
    its objects certainly hold just what they are made of. observed: whether, behind a refusal, it gives a pair: what is
    returned, and what the claim observes besides. seeded: whether, behind a refusal, it draws as if without a seed
    where a generator is made of that of each run.
    """

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]
    data: str | None
    rng: str | None
    functions: tuple[Function, ...]
    shared: frozenset[str]
    span: Span
    fields: tuple[str, ...] = ()
    observed: bool = False
    seeded: bool = False

    def function(self, name: str) -> Function:
        """The helper function of that name; KeyError if there is none."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)
