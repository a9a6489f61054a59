"""What a rule is given: a mechanism, the graph of its values, and answers to the questions that rules ask.

Edits that mend what a rule has found.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

import libcst as cst

from dplint.claims import EPSILON_NAME, Mechanism, Span
from dplint.contracts.judging import Contracts
from dplint.contracts.tree import Budget, Standing
from dplint.outcomes import Edit, Effect, Fix, Related
from dplint.outcomes.findings import LONGEST_WAY
from dplint.relations import DataKind, Neighbourhood, Relation, relation_of
from dplint.rules.flow.build import build_graph
from dplint.rules.flow.draws import Noise, find_noises
from dplint.rules.flow.exposure import Exposed
from dplint.rules.flow.releases import Releases
from dplint.rules.flow.scales import EPSILON, Algebra, Monomial
from dplint.rules.flow.terms import Assigned, CallElsewhere, Graph, Term, TermKind
from dplint.rules.flow.vocabulary import ModuleScope
from dplint.rules.roles import Roles, is_scalar, least_size, roles_of
from dplint.source.bindings import all_parameters
from dplint.source.identifiers import written
from dplint.source.walking import nodes_below

_PUBLIC = re.compile(r"#\s*dplint\s*:\s*public\b")
OUTSIDE = "<module>"
"""The name of the lines of a module outside of its functions."""


def takes_nothing(function: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether a function takes nothing, as `main` does: what it does is the script's own."""
    return (
        isinstance(function, cst.FunctionDef)
        and not function.decorators
        and not all_parameters(function, variadic=True)
    )


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule has found: a place, what is wrong there and how to mend it.

    node: where; None for what was put together in reading and stands nowhere, which is not told.
    weak: less certain than the rule is as a whole, and never an error. effects: the kinds of events that this one can
    cause, None for those of its rule. way: how a value comes there, as `Context.way` tells it.
    """

    node: cst.CSTNode | Span | None
    message: str
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    weak: bool = False
    effects: tuple[Effect, ...] | None = None
    way: tuple[Related, ...] = ()


@dataclass
class Context:
    """One mechanism, as rules see it.

    guessed: there is no claim; the parameters' names stand for one. contracts: those of its module, None if guessed.
    given: as for `build_graph`. others: the names of the functions that are checked without a claim, too.
    """

    scope: ModuleScope
    mechanism: Mechanism
    node: cst.FunctionDef | cst.Lambda
    opt_in: Collection[str] = ()
    guessed: bool = False
    contracts: Contracts | None = None
    given: Mapping[cst.Name, TermKind] = field(default_factory=dict)
    others: Collection[str] = ()

    @cached_property
    def budget(self) -> Budget | None:
        """What the claimed functions that it calls spend, None if there are none."""
        found = self.contracts.budget(self.mechanism) if self.contracts is not None else None
        return None if found is None or found.standing is Standing.LEAF else found

    @cached_property
    def roles(self) -> Roles:
        """What the parameters mean."""
        return roles_of(self.mechanism)

    @cached_property
    def graph(self) -> Graph:
        """The values that the mechanism computes."""
        epsilons = self.roles.epsilons
        if self.guessed:  # an object keeps it under its name
            epsilons = epsilons | {f"self.{one}" for one in epsilons}

        def is_budget(term: Term) -> bool:
            if term.kind is TermKind.SYMBOL:
                return term.name in epsilons
            given = isinstance(term.value, float) and term.value == self.roles.value
            return given or self.roles.is_epsilon_constant(term.name, term.value)

        scalar = is_scalar(self.mechanism)
        return build_graph(
            self.scope, self.mechanism, self.node, is_budget, scalar=scalar, guessed=self.guessed, given=self.given
        )

    # the claim

    @property
    def relation(self) -> Relation:
        """The neighbour relation of the claim."""
        return relation_of(self.mechanism.claim)

    @property
    def has_delta(self) -> bool:
        """Whether the claim has a delta above zero; without a claim, whether a parameter is one."""
        return self.mechanism.claim.delta != 0 or (self.guessed and bool(self.roles.deltas))

    @property
    def on_vectors(self) -> bool:
        """Whether the data is a vector of real answers."""
        return self.relation.data is DataKind.VECTOR

    @property
    def on_records(self) -> bool:
        """Whether the data is a sequence of records."""
        return self.relation.data is DataKind.RECORDS

    @property
    def records_come_and_go(self) -> bool:
        """Whether neighbours differ in how many records they have."""
        return self.on_records and self.relation.size_is_private

    @property
    def all_move(self) -> bool:
        """Whether every element of the data may change at once."""
        return self.relation.all_move and not is_scalar(self.mechanism)

    @property
    def move_apart(self) -> bool:
        """Whether one number may go up where another one goes down: then what compares them pays twice."""
        return self.all_move and self.relation.definition is not Neighbourhood.ONE_DIRECTION

    @property
    def most(self) -> int:
        """How many elements the data has at most when it is tried."""
        return least_size(self.mechanism)

    # the analysis

    @cached_property
    def exposed(self) -> Exposed:
        """What each value shows of the data."""
        private_size = self.relation.size_is_private or self.outside  # there noise on a count is on a private one
        return Exposed(
            self.graph,
            private_size=private_size,
            with_delta=self.has_delta,
            guessed=self.guessed,
            own_pairs=self.mechanism.claim.pairs is not None,
            public=[one.term for one in self.graph.assigned if self._is_called_public(one)],
        )

    def _is_called_public(self, assigned: Assigned) -> bool:
        """Whether a comment in its line says so."""
        if assigned.target in self._calls_elsewhere:
            return False
        return _PUBLIC.search(self.line(self.span(assigned.target))) is not None

    @cached_property
    def releases(self) -> Releases:
        """The forms in which values are released."""
        return Releases(self.exposed, self.graph.sinks)

    @cached_property
    def users(self) -> Mapping[Term, list[Term]]:
        """For each term those that it is an input of."""
        return self.graph.users()

    def users_of(self, term: Term) -> Sequence[Term]:
        """Those that a term is an input of."""
        return self.users.get(term, ())

    @cached_property
    def algebra(self) -> Algebra:
        """The algebra of scales, with the names of this mechanism."""
        return Algebra(self._key, self.mentions.__contains__)

    @cached_property
    def mentions(self) -> frozenset[Term]:
        """The terms that epsilon is anywhere in."""
        found: set[Term] = set()
        for _ in range(5):
            before = len(found)
            for term in self.graph.terms:
                if term not in found and (self.is_epsilon(term) or any(one in found for one in term.args)):
                    found.add(term)
            if len(found) == before:
                break
        return frozenset(found)

    @cached_property
    def noises(self) -> list[Noise]:
        """The draws whose scale is known, with all factors, and where they meet data.

        Without a claim those alone in whose scale every call is read.
        """
        found = find_noises(self.exposed, self.algebra, self.users)
        return [one for one in found if not self.guessed or one.scale is None or self.exposed.is_known(one.scale)]

    @property
    def weights(self) -> list[Term]:
        """What choices are made by, in the order of the draws."""
        choices = (draw.argument("p", "weights") for draw in self.exposed.draws if draw.name == "choice")
        return [weights for weights in choices if weights is not None]

    def is_epsilon(self, term: Term) -> bool:
        """Whether a term is an epsilon of the claim."""
        if term.kind is TermKind.SYMBOL:
            first, _, last = term.name.rpartition(".")
            held = self.guessed or (bool(first) and self._is_elsewhere)
            return term.name in self.roles.epsilons or (held and EPSILON_NAME.match(last) is not None)
        if term.name == "[]" and len(term.args) == 2 and (self.guessed or self._is_elsewhere):
            key = term.args[1].value if term.args[1].kind is TermKind.CONSTANT else None
            holder = term.args[0].kind in (TermKind.SYMBOL, TermKind.CONSTANT)
            return holder and isinstance(key, str) and EPSILON_NAME.match(key) is not None
        return term.kind is TermKind.CONSTANT and self.roles.is_epsilon_constant(term.name, term.value)

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the claim's epsilon is a number that no parameter holds: it may come from a configuration."""
        return self.roles.value is not None and not self.roles.epsilons

    def _key(self, term: Term) -> str | float | None:
        if self.is_epsilon(term):
            return EPSILON
        if term.kind is TermKind.SYMBOL and not term.name.startswith("<"):
            return self.roles.fixed.get(term.name, term.name)
        if term.kind is TermKind.LENGTH:
            inner = term.args[0]
            if self.exposed.depends(inner) or inner.kind is TermKind.DATA:
                return "len" if self.exposed.lengths.exposure(inner) != "value" else None
        return None

    def ways(self, term: Term | None) -> tuple[Monomial, ...]:
        """What a scale may be; empty where that cannot be said."""
        return () if term is None else self.algebra.ways(term) or ()

    # places

    @cached_property
    def _calls_elsewhere(self) -> Mapping[cst.CSTNode, tuple[CallElsewhere, cst.CSTNode]]:
        """The nodes of functions of other modules: the call that led there, and the node that they are copies of."""
        found: dict[cst.CSTNode, tuple[CallElsewhere, cst.CSTNode]] = {}
        for one in self.graph.elsewhere:
            pairs = zip(nodes_below(one.copy), nodes_below(one.origin), strict=True)
            found.update((copy, (one, node)) for copy, node in pairs)
        return found

    def elsewhere(self, node: cst.CSTNode | Span) -> str:
        """Where a node of another module stands, in words; empty for one of this module."""
        if isinstance(node, Span) or node not in self._calls_elsewhere:
            return ""
        call, _ = self._calls_elsewhere[node]
        name = call.copy.name.value if isinstance(call.copy, cst.FunctionDef) else "a lambda"
        while node in self._calls_elsewhere:
            node = self._calls_elsewhere[node][1]
        return f" (in `{name}` of {call.module.place.module}, line {call.module.span(node).line})"

    def span(self, node: cst.CSTNode | Span) -> Span:
        """The range of a node; of one in another module, that of the call that leads there."""
        if isinstance(node, Span):
            return node
        while node in self._calls_elsewhere:
            node = self._calls_elsewhere[node][0].call
        return self.scope.module.span(node)

    def line(self, span: Span) -> str:
        """The text of the line on which a range begins, without the white space around it; empty for another file."""
        lines = self.scope.module.lines
        return lines[span.line - 1].strip() if not span.file and span.line <= len(lines) else ""

    def text(self, node: cst.CSTNode) -> str:
        """The source of a node."""
        return written(self.scope.module.tree, node).strip()

    def code(self, term: Term | None, otherwise: str = "") -> str:
        """A value as the source writes it, in backquotes; `otherwise` where it is long or stands nowhere."""
        text = "" if term is None or term.node is None else self.text(term.node)
        return f"`{text}`" if text and "\n" not in text and len(text) <= 60 else otherwise

    def related(self, places: Iterable[tuple[cst.CSTNode | None, str]]) -> tuple[Related, ...]:
        """Places with what is to be seen there."""
        return tuple(
            Related(self.span(node), message + self.elsewhere(node)) for node, message in places if node is not None
        )

    def claim_and(self, *places: tuple[cst.CSTNode | None, str]) -> tuple[Related, ...]:
        """The claim, and places with what is to be seen there."""
        return self.the_claim, *self.related(places)

    def effect(self, node: cst.CSTNode | None, message: str) -> Related:
        """The related place where what is reported has its effect: none, where no run comes to it."""
        assert node is not None
        span = self.span(node)
        return Related(span, message, self.line(span))

    def way(self, terms: Iterable[Term], sink: cst.CSTNode | None, end: str) -> tuple[Related, ...]:
        """How a value comes to a sink through these terms, line by line; nothing if it is all one line."""
        named = {one.term: one for one in self.graph.assigned}
        steps: dict[tuple[str, int], Related] = {}
        for term in terms:
            is_data, assigned = term.kind is TermKind.DATA, named.get(term)
            with suppress(KeyError):  # what was put together in reading stands nowhere
                role = "the data" if is_data else self.code(term, "it goes on here")
                self._step(steps, term.node, role, keep=not is_data, helper=self._helper(term))
                if assigned is not None:  # what a helper gives has its name elsewhere
                    self._step(steps, assigned.target, f"`{assigned.name}`", keep=False)
        self._step(steps, sink, end, keep=False)
        found = tuple(steps.values())
        if len(found) > LONGEST_WAY:
            left = len(found) - LONGEST_WAY
            middle = replace(found[-3], message=f"after {left} more: {found[-3].message}")
            found = (*found[:2], middle, *found[-2:])
        return found if len(found) > 1 else ()

    def _step(
        self,
        steps: dict[tuple[str, int], Related],
        node: cst.CSTNode | None,
        role: str,
        *,
        keep: bool,
        helper: str = "",
    ) -> None:
        """Of each line one step; keep: what is said of it already is worth more."""
        if node is None:
            return
        span = self.span(node)
        place = span.file, span.line
        if not (keep and place in steps):
            steps.pop(place, None)
            steps[place] = Related(span, role + self.elsewhere(node), self.line(span), helper)

    def _helper(self, term: Term) -> str:
        """The full name of the helper in which a value is made; empty in the mechanism itself."""
        if not term.function or term.node is None or self.in_function(term.node):
            return ""
        elsewhere = self._calls_elsewhere.get(term.node)
        module = self.scope.module if elsewhere is None else elsewhere[0].module
        return f"{module.place.module}.{term.function}"

    @property
    def the_claim(self) -> Related:
        """The claim as a related place."""
        claim = self.mechanism.claim
        return Related(self.mechanism.claim_span, f"the claim: epsilon={claim.epsilon}, neighbors={claim.neighbors}")

    @property
    def outside(self) -> bool:
        """Whether these are the lines of a module outside of its functions."""
        return self.mechanism.qualname == OUTSIDE

    def is_outside(self, node: cst.CSTNode | Span) -> bool:
        """Whether a node stands in none of the functions that these lines give something to."""
        place = self.span(node)
        others = (one for one in self.graph.functions[1:] if not (self.elsewhere(one) or takes_nothing(one)))
        return not self.elsewhere(node) and not any(_holds(self.scope.module.span(one), place) for one in others)

    def is_told_there(self, node: cst.CSTNode | Span) -> bool:
        """Whether a node is of a function of another module that is checked without a claim itself: one leak."""
        if not self.guessed or isinstance(node, Span) or node not in self._calls_elsewhere:
            return False
        function = self._calls_elsewhere[node][0].copy
        parameters = all_parameters(function) if isinstance(function, cst.FunctionDef) else ()
        return any(EPSILON_NAME.match(one.name.value) for one in parameters)

    def tells_itself(self, node: cst.CSTNode) -> bool:
        """Whether what leaves here is what another function gives that is checked without a claim, too: one leak."""
        match node:
            case cst.Call(func=cst.Name(name)) | cst.Call(func=cst.Attribute(attr=cst.Name(name))):
                return self.guessed and name in self.others
        return False

    def in_function(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in the mechanism itself, not in a helper."""
        if self.outside:
            return self.is_outside(node)
        return not self.elsewhere(node) and _holds(self.span(self.node), self.span(node))


def _holds(whole: Span, place: Span) -> bool:
    begins, ends = (whole.line, whole.column), (whole.end_line, whole.end_column)
    return begins <= (place.line, place.column) and (place.end_line, place.end_column) <= ends


def replace_node(context: Context, node: cst.CSTNode | None, text: str, title: str, *, safe: bool) -> Fix | None:
    """Other text for an expression; None in another file, and where it runs over several lines (comments)."""
    if node is None:
        return None
    span = context.span(node)
    if span.line != span.end_line or "\n" in text or context.elsewhere(node):
        return None
    return Fix(title, (Edit(span, text),), safe)


def delete_line(context: Context, node: cst.CSTNode, title: str, *, safe: bool) -> Fix | None:
    """The removal of a line that is nothing but this statement; None where more stands on it, and in another file."""
    if context.elsewhere(node):
        return None
    span = context.span(node)
    line = context.scope.module.lines[span.line - 1]
    if span.line != span.end_line or line.strip() != context.text(node) or span.line >= len(context.scope.module.lines):
        return None
    return Fix(title, (Edit(Span(span.line, 1, span.line + 1, 1), ""),), safe)


def factor(context: Context, node: cst.BaseExpression) -> str:
    """An expression as it must be written as an operand of `*` or `/`."""
    text = context.text(node)
    if node.lpar if hasattr(node, "lpar") else False:
        return text
    compound = (cst.BinaryOperation, cst.IfExp, cst.BooleanOperation, cst.Comparison, cst.UnaryOperation, cst.Lambda)
    return f"({text})" if isinstance(node, compound) else text


def rounded_up(number: float) -> str:
    """A positive number with three digits, none of which makes it less: a scale that is multiplied by it is enough."""
    step = 10.0 ** (math.floor(math.log10(number)) - 2)
    return f"{math.ceil(number / step - 1e-6) * step:.3g}"


def number_of_answers(context: Context) -> str:
    """How many answers the data has, as the mechanism would write it."""
    return f"len({context.mechanism.data or '...'})"
