"""Suggests a claim for every function of a module in which noise meets data, and for lines outside of any."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import libcst as cst

from dplint.claims import EPSILON_NAME, Literal, Mechanism, Parameter
from dplint.rules.flow.build import build_graph
from dplint.rules.flow.reading import deep_stack
from dplint.rules.flow.terms import TermKind
from dplint.rules.flow.vocabulary import DRAWING_WORDS, NOISE_CALLS, ModuleScope, speaks_of_privacy
from dplint.rules.outside import without_claim
from dplint.rules.seeds import attributes_of
from dplint.rules.suggesting.budget import DEFAULT_EPSILON, Budget, Surroundings, read_budget
from dplint.rules.suggesting.certainty import (
    TRIALS,
    data_together,
    is_no_release,
    is_study,
    sketches,
    suggest_for_sections,
    unsure_data,
)
from dplint.rules.suggesting.data_choice import choose_data, touching
from dplint.rules.suggesting.noise_uses import NoiseUse, Way, noise_uses
from dplint.rules.suggesting.outputs import NoisyOutputs, changed_names, noisy_outputs
from dplint.rules.suggesting.suggestion import Name, Suggestion
from dplint.rules.suggesting.usage import Usage, read_usage
from dplint.source.bindings import all_parameters, dotted_name
from dplint.source.callers import Callers
from dplint.source.parameters import default_data, default_generator, is_variadic, read_parameters
from dplint.source.targets import Scope, Target, take_inventory

_LEFT_OUT = re.compile(
    r"^(?:test|_test|setUp|setup|tearDown|main$|_main$|run_|audit|attack|plot|show_|draw_|visuali[sz]e|simulat|monte_carlo|bench|sweep|experiment|evaluat|compare|demo|example|"
    r"get_privacy_|gen_data|make_data|make_blobs|synth|mock|fake|toy|__init__$|__repr__$)|(?:_test|_tests|_demo|_example|"
    r"_benchmark|_plot|_simulation|_sweep|_experiment)$|(?:^|_)(?:mae|mse|rmse|mre)(?:_|$)"
)
_GENERATES = re.compile(r"^_?generate_(?!\w*nois)")
_LOADED = re.compile(r"^\s*self\.(\w+) *=[^=\n]*(?:\bexp\(|\beps(?:ilon)?\b)[^\n]*$", re.MULTILINE)
_PROBABILITY = re.compile(r"_?(?:[pq]\d?|prob\w*)$")
_TRAINS = re.compile(r"\.backward\(.*clip_grad.*(?:normal|randn)", re.DOTALL)
"""The body of a function that clips gradients and then draws noise."""
_CLIPS_TO = re.compile(r"clip_grad\w*\([^\n]*?, *(?:max_norm *= *)?([A-Za-z_][\w.]*)[,)]")
_HELD = re.compile(r"self\._?eps(?:ilon)?\b")
_ASSIGNED = re.compile(r"^\s*self\.(\w+) *=([^=\n][^\n]*)$", re.MULTILINE)


def suggest(
    scope: ModuleScope, text: str, claimed: Collection[int] = (), callers: Callers | None = None
) -> list[Suggestion]:
    """Claims for the functions of a module, the surest first.

    text: that of the module. claimed: `id`s of the nodes of functions that have a claim. callers: what calls in the
    project pass; by default those in this module alone.
    """
    if not _may_draw(text):
        return []
    with deep_stack():
        found = [one for target, one in _suggestions(scope, text, callers) if id(target.node) not in claimed]
        found += suggest_for_sections(scope)
    return sorted(found, key=lambda one: (len(one.doubts), one.span))


def suggested_mechanisms(scope: ModuleScope, file: str) -> Iterator[tuple[Mechanism, cst.FunctionDef]]:
    """A stand-in for each function that a claim would be suggested for: with that epsilon, and no neighbours.

    And one without data for each that makes noise by an epsilon and meets nothing, or trains with clipped gradients.
    """
    text = "\n".join(scope.module.lines)
    told: set[cst.CSTNode] = set()
    for target, one in _suggestions(scope, text):
        assert isinstance(target.node, cst.FunctionDef)
        if one.named and not one.data_known:
            continue  # what makes its noise can be looked at all the same
        told.add(target.node)
        if not one.named or "<locals>" in target.qualname:
            continue  # noise for something else, as far as anybody can see; or what it takes from around it is not read
        yield _stand_in(scope, target, target.node, one.data, one.claim["epsilon"], file), target.node
    if not _may_draw(text):
        return
    private = speaks_of_privacy(text)
    for target in take_inventory(scope.module).targets:
        node = target.node
        if not isinstance(node, cst.FunctionDef) or node in told or _is_left_out(target, node):
            continue
        names = (one.name.value for one in all_parameters(node))
        epsilon = next((name for name in names if EPSILON_NAME.match(name)), None)
        body = scope.module.tree.code_for_node(node.body) if epsilon or "clip_grad" in text else ""
        trains = _TRAINS.search(body) is not None and (private or _has_noise_of_its_clip(body))
        if trains or (private and epsilon is not None and _may_draw(body)):
            yield _stand_in(scope, target, node, None, epsilon or DEFAULT_EPSILON, file), node


def _suggestions(scope: ModuleScope, text: str, callers: Callers | None = None) -> Iterator[tuple[Target, Suggestion]]:
    if not _may_draw(text):
        return
    callers = callers or Callers(elsewhere=False)
    inventory = take_inventory(scope.module)
    classes: dict[int, _Class] = {}
    later = {target.qualname: target for target in inventory.targets if target.named}
    around: list[str] = []
    for target in inventory.targets:
        node = target.node
        if not isinstance(node, cst.FunctionDef) or later.get(target.qualname) is not target:
            continue
        if _is_left_out(target, node):
            continue
        if any(_is_named_dp(item.decorator) for item in node.decorators):
            continue  # a claim already, if without its import
        nested = any(kind is Scope.FUNCTION for kind, _ in target.scopes)
        if target.guarded is not None or (nested and any(target.qualname.startswith(name) for name in around)):
            continue  # of a nested function, what is around it has a claim
        try:
            one = _Reading(scope, target, node, text, classes, callers).suggestion()
        except RecursionError:
            continue
        if one is not None:
            around.append(f"{target.qualname}.<locals>.")
            yield target, one


def _is_left_out(target: Target, node: cst.FunctionDef) -> bool:
    params = (*node.params.params, *node.params.kwonly_params)
    if _GENERATES.search(node.name.value) and not any(EPSILON_NAME.match(one.name.value) for one in params):
        return True
    if any(TRIALS.search(one.name.value) for one in params):
        return True
    return any(_LEFT_OUT.search(name) for name in (node.name.value, *(name for _, name in target.scopes)))


def _is_named_dp(decorator: cst.BaseExpression) -> bool:
    name = dotted_name(decorator.func if isinstance(decorator, cst.Call) else decorator)
    return name is not None and name.rpartition(".")[2] == "dp"


def _may_draw(text: str) -> bool:
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    return not words.isdisjoint(DRAWING_WORDS) or any(name.partition(".")[0] in words for name in NOISE_CALLS)


def _stand_in(
    scope: ModuleScope,
    target: Target,
    node: cst.FunctionDef,
    data: str | None,
    epsilon: Literal | Name,
    file: str,
) -> Mechanism:
    """A mechanism that claims nothing about neighbours."""
    parameters = read_parameters(scope.module.tree, node, scope.module.names, bound=target.takes_bound_first)
    number = scope.module.constants.get(epsilon.name) if isinstance(epsilon, Name) else epsilon
    known = number if isinstance(number, int | float | str) else DEFAULT_EPSILON
    rng = default_generator(parameters, scope.module.names)
    return without_claim(scope, file, target.qualname, target.span, known, parameters, data, rng)


@dataclass(frozen=True, slots=True)
class _Class:
    """What a class tells of its objects.

    loaded: attributes that hold probabilities, as they are made of an exponential or an epsilon. held: the attribute
    that holds an epsilon, empty if there is none.
    """

    loaded: frozenset[str]
    held: str


@dataclass
class _Reading:
    """One function, on the way to its claim."""

    scope: ModuleScope
    target: Target
    node: cst.FunctionDef
    text: str
    classes: dict[int, _Class]
    callers: Callers

    def suggestion(self) -> Suggestion | None:
        """The claim that fits, None if no noise meets data or nothing says how much noise there is."""
        blank = _stand_in(self.scope, self.target, self.node, None, DEFAULT_EPSILON, "")
        graph = build_graph(self.scope, blank, self.node, lambda _: False, scalar=False)
        uses = noise_uses(graph, self._class.loaded)
        if not uses:
            return None
        rng = blank.rng or _generator(uses, [one.name for one in blank.parameters])
        ordinary = [one for one in blank.parameters if not is_variadic(one)]
        data = choose_data(uses, ordinary, () if rng is None else (rng,), changed_names(graph))
        if data is None:
            return None
        together = data_together(data, uses, [one.name for one in ordinary])
        data = together[0]
        outputs = self._noisy_outputs(data)
        if not (outputs.returned or outputs.observed):
            return None  # a claim would be vacuous
        passed, arguments = self._passed(replace(blank, data=data))
        ordinary = [_with_annotation(one, passed) if one.name == data else one for one in ordinary]
        given = {one.name for one in ordinary} | {"self"}
        uses = [use for use in uses if touching(data, use.operands, given)]
        around = Surroundings(
            ordinary,
            self.scope.module.constants,
            attributes_of(self.node, self.scope),
            self.node.name.value,
            self._class.held,
            self.node.get_docstring() or "",
            arguments,
        )
        private = self._speaks_of_privacy(uses)
        budget = read_budget(uses, graph, around, private=private)
        if (budget.epsilon is None and not private) or is_study(uses, graph):
            return None
        usage = read_usage(data, uses, graph, around, budget)
        if outputs.kept and not outputs.returned:
            silent = "most of what it makes is kept in attributes that this claim is not about"
            budget = replace(budget, doubts=(*budget.doubts, silent))
        unsure = unsure_data(data, uses, around, passed)
        missing = [*([unsure] if unsure else []), *sketches(data, uses, graph, around, budget, usage)]
        is_first = data == default_data(blank.parameters, rng)
        if not is_first and is_no_release(self.target.qualname, around.docstring):
            missing.append(
                f"nothing in its name or docstring is about protecting data, nor is `{data}` its first input"
            )
        if outputs.raw:
            missing.append("exact data leaves the function, too")
        made = self._made(together, rng, blank, budget, usage, () if outputs.returned else outputs.observed)
        return replace(made, doubts=(*missing, *made.doubts), sketch=bool(missing), data_known=unsure is None)

    def _passed(self, mechanism: Mechanism) -> tuple[frozenset[str], dict[str, Literal]]:
        """The forms in which calls pass the data, as annotations, and what they pass for the other parameters."""
        place = self.scope.module.place
        path = place.import_root.joinpath(*place.module.split(".")).with_suffix(".py")
        found = replace(mechanism, path=str(path), project_root=str(place.project_root))
        forms = frozenset(one.annotation for one in self.callers.values(found, self.text))
        return forms, {name: values[0] for name, values in self.callers.arguments(found, self.text).items()}

    @cached_property
    def _class(self) -> _Class:
        """What the methods beside this one tell."""
        methods = self.scope.methods_beside(self.node)
        key = id(next(iter(methods.values()), None))
        if key not in self.classes:
            text = "".join(self.scope.module.tree.code_for_node(one) for one in methods.values())
            held = _HELD.search(text) or (_HELD.search(self.text) if methods else None)
            self.classes[key] = _Class(_loaded(text), held[0] if held is not None else "")
        return self.classes[key]

    def _speaks_of_privacy(self, uses: list[NoiseUse]) -> bool:
        return any(use.way is Way.LIBRARY for use in uses) or speaks_of_privacy(self.text)

    def _noisy_outputs(self, data: str) -> NoisyOutputs:
        """The ways by which something leaves the function that depends on the data and on noise."""
        mechanism = _stand_in(self.scope, self.target, self.node, data, DEFAULT_EPSILON, "")
        graph = build_graph(self.scope, mechanism, self.node, lambda _: False, scalar=False)
        noisy = {use.draw for use in noise_uses(graph, self._class.loaded)}
        name = self.node.name.value
        return noisy_outputs(graph, noisy, private_name=name.startswith("_") and not name.endswith("__"))

    def _made(
        self,
        together: Sequence[str],
        rng: str | None,
        blank: Mechanism,
        budget: Budget,
        usage: Usage,
        observed: Sequence[str],
    ) -> Suggestion:
        data = together[0]
        doubts = [*budget.doubts, *usage.doubts]
        epsilon = budget.epsilon
        if epsilon is None:
            doubts.insert(0, f"nothing says what epsilon is: {DEFAULT_EPSILON:g} is a guess")
            epsilon = DEFAULT_EPSILON
        claim: dict[str, Literal | Name] = {"epsilon": epsilon}
        if budget.delta != 0.0:
            claim["delta"] = budget.delta
        claim["neighbors"] = usage.relation
        if usage.sensitivity is not None:
            claim["sensitivity"] = usage.sensitivity
        if usage.domain is not None:
            both = len(together) > 1 and not isinstance(usage.domain, dict)
            claim["domain"] = dict.fromkeys(together, usage.domain) if both else usage.domain
        if len(together) > 1:
            claim["data"] = tuple(together)
        elif data != default_data(blank.parameters, rng):
            claim["data"] = data
        if observed:
            claim["observe"] = list(observed)
        if rng != blank.rng and rng is not None:
            claim["rng"] = rng
        args = dict(budget.args) | dict(usage.args)
        if args:
            claim["args"] = args
        first, _ = self.target.whole
        body = self.scope.module.span(self.node.body).line
        head = max(self.target.span.line, body - 1)
        return Suggestion(
            self.target.qualname,
            self.target.span,
            first,
            head,
            data,
            claim,
            tuple(dict.fromkeys(doubts)),
            budget.epsilon is None,
            budget.named,
        )


def _has_noise_of_its_clip(body: str) -> bool:
    """Whether noise is drawn in proportion to what gradients are clipped to, which nothing but DP-SGD does."""
    bounds = (re.escape(bound) for bound in _CLIPS_TO.findall(body))
    draws = [line for line in body.splitlines() if re.search(r"normal|randn", line)]
    return any(re.search(rf"(?<![\w.]){bound}(?![\w.])", line) for bound in bounds for line in draws)


def _loaded(text: str) -> frozenset[str]:
    """The attributes that probabilities are made of: by an exponential or an epsilon, or by one that is."""
    found = set(_LOADED.findall(text))
    assigned = _ASSIGNED.findall(text)
    for _ in range(3):
        found |= {name for name, value in assigned if any(re.search(rf"self\.{one}\b", value) for one in found)}
    if found:
        found |= {name for name, _ in assigned if _PROBABILITY.match(name)}
    return frozenset(f"self.{name}" for name in found)


def _with_annotation(parameter: Parameter, passed: Collection[str]) -> Parameter:
    """A parameter with the annotation that all calls agree on, where it has none."""
    if parameter.annotation is not None or len(passed) != 1 or "str" in passed:
        return parameter
    return replace(parameter, annotation=next(iter(passed)) or "list[float]")


def _generator(uses: list[NoiseUse], parameters: list[str]) -> str | None:
    """The parameter that the noise is drawn from, whatever it is called."""
    for use in uses:
        generator = getattr(use.draw.value, "generator", None)
        if generator is not None and generator.kind is TermKind.SYMBOL and generator.name in parameters:
            return str(generator.name)
    return None
