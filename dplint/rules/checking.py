"""All rules, found by themselves, and how they are applied to the mechanisms of a module.

Every module `dpNNN_name.py` of this package holds a rule, as `RULE`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from dplint.claims import Mechanism, Span
from dplint.contracts.judging import Contracts
from dplint.outcomes import Finding, Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.reading import deep_stack
from dplint.rules.flow.vocabulary import ModuleScope, scope_of
from dplint.rules.outside import context_outside
from dplint.rules.rule import Rule
from dplint.rules.suggesting.suggesting import suggested_mechanisms
from dplint.source.project import ProjectIndex

if TYPE_CHECKING:
    from dplint.source.module import ParsedModule
    from dplint.source.read import Found

_NAME = re.compile(r"(dp\d{3})_\w+")
_NEARLY = re.compile(r"dp_?\d")


class RuleError(Exception):
    """A file among the rules that holds none, or another than its name says."""


def find_rules(package: str, paths: Iterable[str]) -> tuple[Rule, ...]:
    """The rules of a package, in the order of their codes; its other modules are left alone.

    package: its full name; it is imported already. paths: its `__path__`, which may lie in a zip file.

    Raises:
        RuleError: the name of a file has a number and no words, there is no `RULE` in it, the rule has a code that the
            file's name has not, or two files have the same code.
    """
    rules: dict[str, Rule] = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(paths)):
        matched = _NAME.fullmatch(name)
        if matched is not None:
            rule = _rule_in(f"{package}.{name}", matched[1].upper())
            if rule.code in rules:
                raise RuleError(f"{package}.{name} is a second rule {rule.code}: give it a code that is free")
            rules[rule.code] = rule
        elif _NEARLY.match(name):
            raise RuleError(f"{package}.{name} is not named as a rule: dp, three digits, an underscore and some words")
    return tuple(rules.values())


def _rule_in(module: str, code: str) -> Rule:
    rule = getattr(importlib.import_module(module), "RULE", None)
    if not isinstance(rule, Rule):
        raise RuleError(f'{module} has no rule: it must have RULE = Rule("{code}", check)')
    if rule.code != code:
        raise RuleError(f"{module} has the rule {rule.code}, and {code} in its name: one of the two is wrong")
    return rule


RULES: tuple[Rule, ...] = find_rules(__package__, importlib.import_module(__package__).__path__)


def rule_of(code: str) -> Rule | None:
    """The rule of that code, None if there is none."""
    return next((rule for rule in RULES if rule.code == code), None)


_LOWER = {Severity.ERROR: Severity.WARNING, Severity.WARNING: Severity.INFO, Severity.INFO: Severity.INFO}


def check_module(
    module: ParsedModule,
    found: Sequence[Found],
    file: str,
    *,
    opt_in: Collection[str] = (),
    all_functions: bool = False,
    known_noise: Collection[str] = (),
    project: ProjectIndex | None = None,
    claimed: Sequence[Mechanism] = (),
) -> list[Finding]:
    """What the rules have to say about the mechanisms of a module and what they call, in the order of the source.

    opt_in: codes of rules that are off by default. all_functions: functions without a claim are checked too where
    one would be suggested, and lines outside of functions; what is found there counts one step less. known_noise: full
    names of further functions that add noise. project: where functions of other modules are looked for; by default
    where the module would be imported from. It knows afterwards which files the findings depend on. claimed: all
    mechanisms of the module that are known, where `found` has only some of them.
    """
    scope = scope_of(module, frozenset(known_noise), project or ProjectIndex(module.place))
    mechanisms = claimed or [one.mechanism for one in found]
    contracts = Contracts(module, file, mechanisms, scope.project)
    wanted = [rule for rule in RULES if not rule.opt_in or rule.code in opt_in]
    findings: dict[tuple[object, str, str], Finding] = {}
    with deep_stack():
        contexts = _contexts(scope, found, file, opt_in, contracts, all_functions=all_functions)
        for context in contexts:
            for finding in _check(context, wanted, file):
                key = finding.span, finding.code, finding.message
                known = findings.setdefault(key, finding)
                if known.related != finding.related:
                    # It has its effect in several places, of which one is told.
                    findings[key] = replace(known, related=tuple(replace(one, text="") for one in known.related))
    return sorted(findings.values(), key=lambda one: (one.span, one.code))


def _contexts(
    scope: ModuleScope,
    found: Sequence[Found],
    file: str,
    opt_in: Collection[str],
    contracts: Contracts,
    *,
    all_functions: bool,
) -> Iterator[Context]:
    for one in found:
        yield Context(scope, one.mechanism, one.node, opt_in, contracts=contracts)
    if all_functions:
        claimed = {id(one.node) for one in found}
        suggested = [one for one in suggested_mechanisms(scope, file) if id(one[1]) not in claimed]
        names = frozenset(node.name.value for _, node in suggested)
        for mechanism, node in suggested:
            yield Context(scope, mechanism, node, opt_in, guessed=True, others=names)
        if (outside := context_outside(scope, file, opt_in)) is not None:
            yield outside


def _check(context: Context, rules: Sequence[Rule], file: str) -> Iterator[Finding]:
    try:
        if context.guessed and not context.exposed.draws:
            return  # its epsilon is a tolerance, or it is no mechanism
        for rule in rules:
            if context.outside and not rule.outside:
                continue
            for report in rule.check(context):
                node = report.node
                if node is None:
                    continue
                if context.is_outside(node) if context.outside else not context.is_told_there(node):
                    yield _finding(context, rule, report, node, file)
    except RecursionError:  # nobody writes this, but a machine may
        return


def _finding(context: Context, rule: Rule, report: Report, node: cst.CSTNode | Span, file: str) -> Finding:
    severity = rule.severity
    if report.weak and severity is Severity.ERROR:
        severity = Severity.WARNING
    if context.guessed:
        severity = _LOWER[severity]
    span = context.span(node)
    return Finding(
        file=file,
        span=span,
        function=None if context.outside else context.mechanism.qualname,
        code=rule.code,
        severity=severity,
        message=report.message + context.elsewhere(node),
        fix=None if context.guessed else report.fix,
        related=tuple(one for one in report.related if not (context.guessed and one == context.the_claim)),
        foretells=rule.foretells,
        error_if_refuted=rule.error_if_refuted,
        disprovable=rule.foretells and rule.disprovable,
        effects=report.effects or rule.effects,
        same_as=rule.same_as,
        way=report.way,
        text=context.line(span),
    )
