"""All rules, in the order of their codes."""

from __future__ import annotations

from dplint.rules import (
    dp101_inverted_scale,
    dp102_scale_variance,
    dp103_releases,
    dp106_degenerate_scale,
    dp107_duplicated_operand,
    dp201_raw_release,
    dp202_unused_copy,
    dp203_data_derived_domain,
    dp204_private_size,
    dp205_raw_branch,
    dp206_selection_noise,
    dp207_maximum,
    dp208_exact_selection,
    dp209_side_output,
    dp302_fixed_seed,
    dp303_shared_noise,
    dp305_dead_noise,
    dp401_budget_overspent,
    dp402_unbounded_release,
    dp403_threshold_noise,
    dp406_log_base,
    dp501_neighbour_mismatch,
)
from dplint.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    dp101_inverted_scale.RULE,
    dp102_scale_variance.RULE,
    dp103_releases.RULE,
    dp106_degenerate_scale.RULE,
    dp107_duplicated_operand.RULE,
    dp201_raw_release.RULE,
    dp202_unused_copy.RULE,
    dp203_data_derived_domain.RULE,
    dp204_private_size.RULE,
    dp205_raw_branch.RULE,
    dp206_selection_noise.RULE,
    dp207_maximum.RULE,
    dp208_exact_selection.RULE,
    dp209_side_output.RULE,
    dp302_fixed_seed.RULE,
    dp303_shared_noise.RULE,
    dp305_dead_noise.RULE,
    dp401_budget_overspent.RULE,
    dp402_unbounded_release.RULE,
    dp403_threshold_noise.RULE,
    dp406_log_base.RULE,
    dp501_neighbour_mismatch.RULE,
)


def rule_of(code: str) -> Rule | None:
    """The rule of that code, None if there is none."""
    return next((rule for rule in RULES if rule.code == code), None)
