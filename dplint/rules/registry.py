"""All rules, in the order of their codes."""

from __future__ import annotations

from dplint.rules import (
    dp101_inverted_scale,
    dp102_scale_variance,
    dp103_releases,
    dp104_gaussian_range,
    dp105_other_formula,
    dp106_degenerate_scale,
    dp107_duplicated_operand,
    dp108_wrong_unit,
    dp109_width,
    dp201_raw_release,
    dp202_unused_copy,
    dp203_data_derived_domain,
    dp204_private_size,
    dp205_raw_branch,
    dp206_selection_noise,
    dp207_maximum,
    dp208_exact_selection,
    dp209_side_output,
    dp210_overflow,
    dp301_insecure_generator,
    dp302_fixed_seed,
    dp303_shared_noise,
    dp304_porous_noise,
    dp305_dead_noise,
    dp401_budget_overspent,
    dp402_unbounded_release,
    dp403_threshold_noise,
    dp405_known_bad,
    dp406_log_base,
    dp501_neighbour_mismatch,
    dp502_score_difference,
)
from dplint.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    dp101_inverted_scale.RULE,
    dp102_scale_variance.RULE,
    dp103_releases.RULE,
    dp104_gaussian_range.RULE,
    dp105_other_formula.RULE,
    dp106_degenerate_scale.RULE,
    dp107_duplicated_operand.RULE,
    dp108_wrong_unit.RULE,
    dp109_width.RULE,
    dp201_raw_release.RULE,
    dp202_unused_copy.RULE,
    dp203_data_derived_domain.RULE,
    dp204_private_size.RULE,
    dp205_raw_branch.RULE,
    dp206_selection_noise.RULE,
    dp207_maximum.RULE,
    dp208_exact_selection.RULE,
    dp209_side_output.RULE,
    dp210_overflow.RULE,
    dp301_insecure_generator.RULE,
    dp302_fixed_seed.RULE,
    dp303_shared_noise.RULE,
    dp304_porous_noise.RULE,
    dp305_dead_noise.RULE,
    dp401_budget_overspent.RULE,
    dp402_unbounded_release.RULE,
    dp403_threshold_noise.RULE,
    dp405_known_bad.RULE,
    dp406_log_base.RULE,
    dp501_neighbour_mismatch.RULE,
    dp502_score_difference.RULE,
)


def rule_of(code: str) -> Rule | None:
    """The rule of that code, None if there is none."""
    return next((rule for rule in RULES if rule.code == code), None)
