"""DP302: a generator of noise whose seed is written in the source, or made from the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from dplint.distributions.signatures import SYSTEM_GENERATORS
from dplint.outcomes import Fix
from dplint.rules.flow.draws import SCALED
from dplint.rules.flow.terms import DrawTerm, Term, TermKind, innermost
from dplint.rules.flow.vocabulary import GENERATORS, KEYS, SEEDS
from dplint.rules.rule import Context, Report, Reports, Rule, delete_line, replace_node
from dplint.rules.seeds import default_of, is_script, kept_generator, seeds_of_module
from dplint.rules.training import full_name
from dplint.source.bindings import dotted_name, statements
from dplint.source.notebooks import is_notebook

_SPAWNS = ("spawn", "generate_state")
_MADE_OF_KEYS = ("split", "fold_in", "jax.random.split", "jax.random.fold_in", "[]")


def check(context: Context) -> Reports:
    """Seeds of generators that the mechanism draws from."""
    simulates = context.guessed and context.mechanism.data is None  # unless it is noise that is added elsewhere
    terms = [one for one in context.exposed.draws if not simulates or one.name in SCALED]
    draws = [term.value for term in terms if isinstance(term.value, DrawTerm)]
    used = {draw.generator for draw in draws if draw.generator is not None}
    for term in context.graph.terms:
        if term.kind is TermKind.GENERATOR and term in used and term.value not in SYSTEM_GENERATORS:
            yield from _seed(context, term, _seeds(term))
        elif term.kind is TermKind.CALL and term.value in SEEDS and any(draw.source == "module" for draw in draws):
            yield from _seed(context, term, term.args[:1])
    for key in _keys(context):
        yield from _seed(context, key, key.args[:1])
    for name in {one.name for one in used if one.kind is TermKind.SYMBOL}:
        node = _seeded_global(context, name)
        if node is not None:
            message = (
                f"{name} is made once with a fixed seed, so that everybody can compute the noise: leave the seed out"
            )
            yield Report(node, message, fix=_without_arguments(context, node), weak=True)
        kept = kept_generator(context, name)
        if kept is not None:
            message = (
                f"`{name}`, which makes the noise, has the fixed seed {kept[1]}, so that everybody can compute the "
                "noise: leave the seed out, or let it be None by default"
            )
            yield Report(kept[0], message, weak=True)
    yield from _at_import(context, draws)


def _at_import(context: Context, draws: Sequence[DrawTerm]) -> Reports:
    """Seeds that the module sets for a library that noise is drawn from."""
    if context.guessed and (is_notebook(context.mechanism.file.rpartition("/")[2]) or is_script(context)):
        return  # what is shown there is not released
    libraries = {draw.spelling.partition(".")[0] for draw in draws if draw.source == "module"}
    for library in sorted(libraries):
        for call in seeds_of_module(context, library):
            message = (
                f"the module seeds {library} with a fixed number when it is imported, so that the noise is the same in "
                "every run and can be subtracted: leave the seed out"
            )
            yield Report(call, message, weak=True)


def _keys(context: Context) -> Iterator[Term]:
    """The calls that make the keys of noise, each once, also where they are split."""
    keys = (one for one in (term.argument("key") for term in context.exposed.draws) if one is not None)
    for key in dict.fromkeys(innermost(one, lambda part: part.name in _MADE_OF_KEYS) for one in keys):
        if full_name(key) in KEYS:
            yield key


def _seeds(generator: Term) -> list[Term]:
    """The seed of a generator, also of the bit generator that it is made of."""
    found: list[Term] = []
    for one in generator.args:
        found += _seeds(one) if one.kind is TermKind.GENERATOR else [one]
    return found


def _seed(context: Context, term: Term, seeds: list[Term]) -> Reports:
    for seed in seeds:
        if context.exposed.of(_root(seed)):
            message = (
                "the seed of the noise is made from the data, so that the noise is a function of the data: leave it out"
            )
            yield Report(term.node, message, fix=_fix(context, term))
        elif _is_fixed(seed):
            message = (
                f"the noise is made with the fixed seed {context.code(seed, 'here')}, so that it is the same in every "
                "run and can be subtracted: leave the seed out, or take the generator as a parameter"
            )
            yield Report(term.node, message, fix=_fix(context, term))
        elif (known := default_of(context, seed)) is not None:
            message = (
                f"unless a caller gives another one, the noise is made with the seed {known[1]}, so that everybody can "
                f"compute it: let `{known[0]}` be None by default"
            )
            yield Report(term.node, message, weak=True)


def _root(seed: Term) -> Term:
    """What a seed is spawned or taken from; how many are, and which it is, tells nothing of the noise."""
    return innermost(seed, lambda one: one.name in ("[]", *_SPAWNS) or one.kind is TermKind.ELEMENT)


def _is_fixed(seed: Term) -> bool:
    if seed.kind is TermKind.CONSTANT:
        return seed.value is not None
    return seed.kind is TermKind.CONTAINER and bool(seed.args) and all(_is_fixed(one) for one in seed.args)


def _fix(context: Context, term: Term) -> Fix | None:
    if term.kind is TermKind.CALL and term.node is not None:
        return delete_line(context, term.node, "Remove the seed", safe=True)
    return _without_arguments(context, term.node)


def _without_arguments(context: Context, node: cst.CSTNode | None) -> Fix | None:
    if not isinstance(node, cst.Call) or len(node.args) != 1 or isinstance(node.args[0].value, cst.Call):
        return None
    return replace_node(context, node, f"{context.text(node.func)}()", "Leave the seed out", safe=True)


def _seeded_global(context: Context, name: str) -> cst.Call | None:
    """The call that makes a generator of the module with a fixed seed."""
    for line in statements(context.scope.module.tree):
        match line:
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Name(value=assigned))],
                value=cst.Call(func=func, args=[cst.Arg(value=cst.Integer())]) as call,
            ) if assigned == name and context.scope.canonical(dotted_name(func) or "") in GENERATORS:
                return call
    return None


RULE = Rule("DP302", check, disprovable=False)
