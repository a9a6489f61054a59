"""Static rules: what the source of a mechanism shows at once, before anything runs."""

from dplint.rules.checking import RULES, check_module, rule_of
from dplint.rules.rule import Rule

__all__ = ["RULES", "Rule", "check_module", "rule_of"]
