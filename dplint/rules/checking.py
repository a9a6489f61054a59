"""Applies the rules to the mechanisms of a module."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dplint.claims import Mechanism
from dplint.contracts.contracts import Contracts
from dplint.outcomes import Finding, Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.names import ModuleScope, scope_of
from dplint.rules.flow.stack import deep_stack
from dplint.rules.outside import context_outside
from dplint.rules.registry import RULES
from dplint.rules.rule import Rule
from dplint.rules.suggesting.suggesting import suggested_mechanisms
from dplint.source.project import ProjectIndex

if TYPE_CHECKING:
    from dplint.source.module import ParsedModule
    from dplint.source.read import Found

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
                if context.is_outside(report.node) if context.outside else not context.is_told_there(report.node):
                    yield _finding(context, rule, report, file)
    except RecursionError:  # nobody writes this, but a machine may
        return


def _finding(context: Context, rule: Rule, report: Report, file: str) -> Finding:
    severity = rule.severity
    if report.weak and severity is Severity.ERROR:
        severity = Severity.WARNING
    if context.guessed:
        severity = _LOWER[severity]
    span = context.span(report.node)
    return Finding(
        file=file,
        span=span,
        function=None if context.outside else context.mechanism.qualname,
        code=rule.code,
        severity=severity,
        message=report.message + context.elsewhere(report.node),
        fix=None if context.guessed else report.fix,
        related=tuple(one for one in report.related if not (context.guessed and one == context.the_claim)),
        foretells=rule.foretells,
        error_if_refuted=rule.error_if_refuted,
        disprovable=rule.foretells and rule.disprovable,
        effects=report.effects or rule.effects,
        same_as=rule.same_as,
        text=context.line(span),
    )
