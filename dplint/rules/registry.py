"""All rules, found by themselves: every module `dpNNN_name.py` of this package holds one, as `RULE`."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable

from dplint.rules.rule import Rule

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
        raise RuleError(f'{module} has no rule: it must have RULE = Rule(code="{code}", ...)')
    if rule.code != code:
        raise RuleError(f"{module} has the rule {rule.code}, and {code} in its name: one of the two is wrong")
    return rule


RULES: tuple[Rule, ...] = find_rules(__package__, importlib.import_module(__package__).__path__)


def rule_of(code: str) -> Rule | None:
    """The rule of that code, None if there is none."""
    return next((rule for rule in RULES if rule.code == code), None)
