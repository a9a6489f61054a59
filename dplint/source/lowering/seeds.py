"""Generators that a mechanism makes of an argument: `rng = np.random.default_rng(seed)`.

Where the argument is None by default, a run with None draws afresh, and one with a seed is refused. Where it is the
seed that each run gets, the program draws as from a generator without one: so it does if nothing else is made of the
seed. That each run has another one, which nobody knows, is then taken for granted (`Program.seeded`). Where such a
program is compared with calls, the generator that is made of the seed is the one that answers from its draws.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from dplint.claims import Mechanism, Span
from dplint.distributions.signatures import MAKERS
from dplint.program.nodes import Compare, Constant, If, Name, Statement
from dplint.program.refusals import Unsupported
from dplint.program.walk import opaque
from dplint.source.bindings import bound_names, statements
from dplint.source.certain import CertainNames
from dplint.source.lowering.scope import NUMPY_MODULE, PYTHON_MODULE, Scope, Stream, parameter_stream, top_level_names
from dplint.source.module import ParsedModule
from dplint.source.walking import nodes_below

_LIBRARIES = {"numpy.random.seed": NUMPY_MODULE, "random.seed": PYTHON_MODULE}
_SEEDED = frozenset(["numpy.random.default_rng", "numpy.random.RandomState", "random.Random"])
WHAT = "a generator with a seed"
HINT = "a seeded generator repeats itself: leave the seed out"


@dataclass(slots=True)
class Seeds:
    """Calls that make a generator, and what they stand for. none: arguments that have to be None, with their places.

    own: where a generator is made of the seed that each run gets, None if that is nowhere.
    """

    made: dict[int, tuple[cst.CSTNode, Stream]] = field(default_factory=dict)
    none: dict[str, Span] = field(default_factory=dict)
    own: Span | None = None

    @property
    def refused(self) -> tuple[Unsupported, ...]:
        """What refuses every run, for its draws are those of its seed."""
        return () if self.own is None else (Unsupported(WHAT, self.own, HINT),)

    @property
    def guards(self) -> tuple[Statement, ...]:
        """What refuses a run with a seed for an argument that is None by default."""
        return tuple(
            If(
                Compare(Name(name, span), ("is not",), (Constant(None, span),), span),
                (opaque(Unsupported(WHAT, span, HINT)),),
                (),
                span,
            )
            for name, span in self.none.items()
        )


def seeds_of(function: cst.FunctionDef, module: ParsedModule, mechanism: Mechanism, elsewhere: CertainNames) -> Seeds:
    """The generators that a mechanism makes of its arguments."""
    found, bound = Seeds(), bound_names(function.body)
    parameters = {one.name: one.default for one in mechanism.parameters if one.name not in bound}
    names = frozenset({*bound, *(one.name for one in mechanism.parameters)})
    scope = Scope(module, top_level_names(module.tree), names, frozenset(), {}, elsewhere)
    once = _made_once(function, mechanism)
    for node in nodes_below(function.body):
        family = MAKERS.get(_maker(scope, node))
        if family is None or not isinstance(node, cst.Call):
            continue
        [given] = (one.value for one in node.args)
        assert isinstance(given, cst.Name)
        if node is once:
            found.own = module.span(node)
        elif parameters.get(given.value) == "None" and given.value != mechanism.rng:
            found.none.setdefault(given.value, module.span(node))
        else:
            continue
        found.made[id(node)] = (node, Stream("local", family))
    return found


def _maker(scope: Scope, node: cst.CSTNode) -> str:
    """The name of what makes a generator of one name; empty for all else."""
    match node:
        case cst.Call(func=func, args=[cst.Arg(value=cst.Name(), star="", keyword=None)]):
            name = scope.canonical(func)
            return name if name in _SEEDED else ""
    return ""


def _made_once(function: cst.FunctionDef, mechanism: Mechanism) -> cst.CSTNode | None:
    """What is made of the seed that each run gets, in a statement of the function's own, if nothing else is."""
    if mechanism.rng is None or parameter_stream(mechanism) is not None or mechanism.receiver is not None:
        return None
    mentioned = [one for one in nodes_below(function.body) if isinstance(one, cst.Name) and one.value == mechanism.rng]
    for one in statements(function.body):
        match one:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=cst.Call(args=[cst.Arg(value=seed)])):
                if len(mentioned) == 1 and seed is mentioned[0]:
                    return one.value
    return None


def seeding(function: cst.FunctionDef, module: ParsedModule, elsewhere: CertainNames) -> frozenset[str]:
    """The libraries whose own generator the mechanism itself gives a seed, wherever in its body that is."""
    scope = Scope(
        module, top_level_names(module.tree), frozenset(bound_names(function.body)), frozenset(), {}, elsewhere
    )
    calls = (one for one in nodes_below(function.body) if isinstance(one, cst.Call))
    found = (_LIBRARIES.get(scope.canonical(one.func) or "") for one in calls)
    return frozenset(stream.label for stream in found if stream is not None)
