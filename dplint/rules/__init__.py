"""Static rules: what the source of a mechanism shows at once, before anything runs."""

from dplint.rules.rule import RULES, Rule, check_module, rule_of

__all__ = ["RULES", "Rule", "check_module", "rule_of"]
