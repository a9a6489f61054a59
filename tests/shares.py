"""Tests with many cases of which `dev.py test` tries every so manieth, tests that it leaves out; `--nightly` has all.

They are here, and not marked one by one with `one_in`, so that the time of the whole is shared out in one place: a case
costs what it costs on two processors, and all of them have ten minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

ONE_IN = {
    "tests/benchmarks/test_by_hand.py::test_a_twin_has_the_law_of_the_plain_function": 12,
    "tests/check/test_buffers.py::test_after_edits_it_reads_the_same_in_parts": 6,
    "tests/conformance/test_conformance.py::test_an_interpretation_gives_what_the_function_gives": 8,
    "tests/conformance/test_conformance.py::test_lanes_with_the_same_operands_are_asked_together": 4,
    "tests/conformance/test_conformance.py::test_many_runs_report_the_branches_of_single_ones": 8,
    "tests/conformance/test_conformance.py::test_outcomes_vary_with_the_draws": 8,
    "tests/conformance/test_liveness.py::test_nobody_reads_what_is_dead": 8,
    "tests/conformance/test_merging.py::test_runs_that_cannot_be_told_apart_go_on_alike": 6,
    "tests/conformance/test_sites.py::test_draws_stand_where_cpython_makes_them": 6,
    "tests/distributions/test_laws_by_quadrature.py": 3,
    "tests/distributions/test_sampling.py::test_a_distribution_in_arrays_of_two_dimensions": 6,
    "tests/distributions/test_sampling.py::test_neighbouring_lanes_are_independent": 6,
    "tests/docs/test_transcripts.py::test_each_command_prints_what_the_page_shows": 99,
    "tests/end_to_end/test_processes.py::test_no_process_survives_the_command": 3,
    "tests/events/test_counting.py::test_whatever_comes_and_however_it_is_gathered": 2,
    "tests/events/test_scores.py::test_sequences": 6,
    "tests/events/test_shapes.py::test_arrays_and_python_agree_on_every_shape": 6,
    "tests/exact/test_against_quadrature.py::test_the_index_of_the_largest_with_any_noise": 3,
    "tests/fixtures/test_inputs_truth.py::test_a_leak_leaks": 3,
    "tests/fixtures/test_statdp_truth.py::test_pattern_losses_are_those_of_the_table_and_never_exceed_the_true_epsilon": 4,  # noqa: E501
    "tests/lanes/test_lanes_audits.py::test_lanes_and_plain_runs_come_to_the_same_verdict": 2,
    "tests/lanes/test_lanes_memory.py::test_a_block_is_gone_as_soon_as_nobody_holds_it": 3,
    "tests/proofs/test_mutants.py::test_no_mutant_is_proved_for_every_length": 8,
    "tests/proofs/test_one_direction.py::test_no_mutant_is_proved_for_every_length": 16,
    "tests/proofs/test_proofs_of_fixtures.py::test_right_mechanisms_that_are_proved_for_two_values": 3,
    "tests/rules/test_never_raises.py::test_a_statement_with_more_values_than_are_kept": 3,
    "tests/rules/test_never_raises.py::test_the_standard_library_with_claims": 4,
    "tests/scripts/test_scripts_quick.py::test_after_its_time_no_test_is_begun_and_that_is_said": 2,
    "tests/scripts/test_scripts_quick.py::test_whatever_fails_is_in_the_exit_code": 2,
    "tests/server/test_broken_texts.py": 8,
    "tests/server/test_diagnostics.py": 2,
    "tests/server/test_hostile.py::test_what_may_have_processes_does_no_harm": 4,
    "tests/server/test_server_dies.py::test_nothing_is_left_of_a_server": 8,
    "tests/source/test_ignore_edits.py::test_after_the_edit_the_finding_is_silenced": 9,
    "tests/source/test_positions.py::test_a_comment_is_around_its_line": 6,
    "tests/statistics/test_betting_soundness.py::test_money_is_a_supermartingale_over_two_blocks": 2,
    "tests/workers/test_fork_server.py::test_what_user_code_does_is_an_outcome": 2,
}
"""By test, or by file for each of its tests."""

AT_NIGHT = frozenset(
    {
        "tests/audit/test_betting_audit.py::test_data_frames",
        "tests/cli/test_cli_shards.py::test_the_parts_are_merged_into_the_whole",
        "tests/contributing/test_additions.py::test_a_distribution_is_its_file_and_the_list_that_is_made_of_all",
        "tests/contributing/test_additions.py::test_a_format_is_its_file_and_what_the_docs_say_of_it",
        "tests/contributing/test_additions.py::test_a_relation_is_its_file_and_its_row",
        "tests/contributing/test_additions.py::test_a_rule_is_its_file_and_the_page_that_is_made_of_it",
        "tests/contributing/test_additions.py::test_an_event_family_is_its_file",
        "tests/contributing/test_additions.py::test_an_interpretation_is_its_package_and_the_suite",
        "tests/docs/test_site.py::test_broken_links_and_a_page_outside_of_the_navigation_fail_the_build",
        "tests/editors/test_emacs.py::test_hover_and_commands_answer",
        "tests/editors/test_emacs.py::test_problems_come_and_go",
        "tests/editors/test_emacs.py::test_problems_stand_at_their_words",
        "tests/editors/test_emacs.py::test_the_menu_has_the_fix_first",
        "tests/editors/test_node.py::test_what_mechanisms_print_does_not_reach_the_editor",
        "tests/editors/test_vim.py::test_problems_come_and_go",
        "tests/editors/test_vim.py::test_the_hover_says_what_is_known",
        "tests/editors/test_vim.py::test_the_menu_has_the_fix_first",
        "tests/end_to_end/test_broken.py::test_every_file_has_an_outcome",
        "tests/end_to_end/test_broken.py::test_the_exit_code_says_that_something_could_not_be_checked",
        "tests/end_to_end/test_cache.py::test_a_cache_full_of_rubbish_is_a_note_and_no_more",
        "tests/end_to_end/test_cache.py::test_a_change_of_the_source_and_no_cache_begin_anew",
        "tests/end_to_end/test_cache.py::test_a_larger_budget_goes_on_and_finds_a_known_violation_at_once",
        "tests/end_to_end/test_realistic.py::test_every_claim_is_found",
        "tests/end_to_end/test_realistic.py::test_the_verdict_agrees_with_the_truth",
        "tests/end_to_end/test_statdp.py::test_the_same_seed_gives_the_same_report_whatever_the_number_of_processes",
        "tests/lanes/test_lanes_memory.py::test_four_million_runs_take_no_more_memory_than_one_million",
        "tests/proofs/test_own_pairs.py::test_as_a_user_sees_it",
        "tests/proofs/test_search_and_procedure.py::test_time_that_others_have_the_processor_for_does_not_count",
        "tests/report/test_report_pytest_test_runs.py::test_each_of_the_broken_functions_is_found_and_gets_a_test",
        "tests/report/test_report_pytest_test_runs.py::test_ruff_has_nothing_to_change",
        "tests/report/test_report_pytest_test_runs.py::test_they_fail_on_the_broken_functions",
        "tests/report/test_report_pytest_test_runs.py::test_they_pass_on_the_mended_ones",
        "tests/scripts/test_scripts_import_graph.py::test_whatever_python_loads_is_in_the_graph",
        "tests/server/test_actions.py::test_a_counterexample_becomes_a_test_that_fails_until_it_is_mended",
        "tests/server/test_actions.py::test_a_misspelt_parameter_is_mended",
        "tests/server/test_actions.py::test_the_fix_of_a_rule_mends_the_mechanism",
        "tests/server/test_diagnostics.py::test_an_ignore_comment_silences_a_verdict_and_a_useless_one_is_told",
        "tests/server/test_diagnostics.py::test_what_lacks_the_proof_that_is_asked_for_is_marked",
        "tests/server/test_evidence_in_editor.py::test_a_bounded_proof_bears_its_bound",
        "tests/server/test_evidence_in_editor.py::test_a_violation_and_a_proof_are_shown_as_both",
        "tests/server/test_evidence_in_editor.py::test_exact_losses_stand_beside_what_was_tried",
        "tests/server/test_forgotten.py::test_a_file_that_another_program_replaces_keeps_being_looked_at",
        "tests/server/test_fuzz.py::test_a_file_of_ten_thousand_lines",
        "tests/server/test_fuzz.py::test_random_edits_are_taken_in_to_the_letter",
        "tests/server/test_hostile.py::test_everybody_gets_a_verdict_whatever_the_others_do",
        "tests/server/test_imports.py::test_a_broken_module_is_one_problem_until_what_it_hangs_on_changes",
        "tests/server/test_imports.py::test_a_slow_import_happens_once_and_keeps_no_other_file_waiting",
        "tests/server/test_imports.py::test_an_interpreter_without_numpy_is_a_matter_of_setting_up",
        "tests/server/test_lenses.py::test_a_deeper_test_makes_more_runs",
        "tests/server/test_order.py::test_a_key_in_a_function_ends_its_test_at_once",
        "tests/server/test_order.py::test_what_is_too_slow_for_the_quick_pass_gets_a_longer_one",
        "tests/server/test_order.py::test_while_nobody_types_it_goes_deeper_and_makes_room_for_who_waits",
        "tests/server/test_other_modules.py::test_what_is_typed_in_a_helper_counts_and_is_run_once_it_is_saved",
        "tests/server/test_proof_in_editor.py::test_a_proof_that_is_found_is_told_with_its_scope",
        "tests/server/test_server_dies.py::test_the_editor_may_leave_while_much_is_under_way",
        "tests/server/test_server_dies.py::test_the_exit_code_tells_whether_the_editor_said_goodbye",
        "tests/server/test_server_dies.py::test_the_fork_server_may_die",
        "tests/server/test_server_dies.py::test_the_reader_may_die",
        "tests/server/test_server_dies.py::test_the_reader_may_die_while_it_reads",
        "tests/server/test_server_dies.py::test_what_an_audit_needs_may_die",
        "tests/server/test_settings.py::test_a_claim_in_pyproject_is_read_with_the_buffer",
        "tests/server/test_settings.py::test_a_claim_of_a_module_that_does_not_exist_is_shown_at_its_line",
        "tests/server/test_settings.py::test_a_second_server_answers_from_the_store",
        "tests/server/test_settings.py::test_an_interpreter_that_is_not_there_is_told_and_the_project_s_settings_hold",
        "tests/server/test_settings.py::test_each_folder_has_settings_of_its_own",
        "tests/server/test_settings.py::test_manual_tests_only_what_is_asked_for",
        "tests/server/test_settings.py::test_on_type_needs_no_save",
        "tests/server/test_settings.py::test_static_only_runs_nothing_and_severities_are_taken",
        "tests/server/test_settings.py::test_the_interpreter_of_a_folder_runs_its_code",
        "tests/server/test_settings.py::test_the_nearest_pyproject_wins",
        "tests/server/test_settings.py::test_what_is_turned_off_is_not_shown",
        "tests/server/test_settings.py::test_wrong_settings_are_told_and_the_rest_holds",
        "tests/server/test_source_alone.py::test_a_comment_silences_it",
        "tests/server/test_source_alone.py::test_a_helper_of_another_module_that_is_mended_mends_what_is_shown",
        "tests/server/test_source_alone.py::test_a_pause_in_typing_is_enough_and_an_edit_undone_needs_none",
        "tests/server/test_source_alone.py::test_the_audit_confirms_it_and_takes_its_place",
        "tests/server/test_source_alone.py::test_what_keeps_its_claim_has_its_largest_loss_and_no_problem",
        "tests/server/test_source_alone.py::test_what_would_have_to_be_run_or_takes_too_much_says_nothing",
        "tests/server/test_status.py::test_an_editor_that_did_not_ask_is_not_told_the_status",
        "tests/server/test_status.py::test_nothing_is_run_for_a_view_of_an_untrusted_workspace",
        "tests/server/test_storm.py::test_a_storm_loses_nothing",
        "tests/server/test_storm.py::test_who_never_stops_typing_is_answered_all_the_same",
        "tests/server/test_views.py::test_a_curve_is_about_the_text_as_it_stands",
        "tests/server/test_views.py::test_a_curve_rejects_the_claim_of_a_wrong_mechanism_and_is_told_in_words",
        "tests/server/test_views.py::test_the_outputs_of_both_sides_are_drawn_from_runs_of_their_own",
        "tests/server/test_views.py::test_without_a_counterexample_the_outputs_say_so",
        "tests/server/test_without_lenses.py::test_the_mechanism_under_the_cursor_is_tested_and_stopped",
        "tests/server/test_workspace.py::test_a_workspace_has_the_findings_of_files_that_nobody_has_opened",
        "tests/team/test_pre_commit.py::test_the_hook_of_ones_own_environment_runs_mechanisms",
        "tests/testing/test_plugin.py::test_functions_for_tests_and_no_claims_without_the_option",
        "tests/workers/test_background.py::test_a_job_can_be_asked_to_end_at_any_moment",
        "tests/workers/test_background.py::test_a_pause_ends_what_runs_and_begins_nothing",
        "tests/workers/test_background.py::test_an_audit_that_the_fork_server_took_along_is_begun_once_more",
        "tests/workers/test_fork_server.py::test_a_fork_server_whose_end_a_worker_has_seen_is_not_asked_again",
        "tests/workers/test_fork_server.py::test_a_seed_gives_the_same_in_a_forked_worker",
        "tests/workers/test_runner_hosts.py::test_a_runner_that_dies_takes_no_other_along",
        "tests/workers/test_runner_hosts.py::test_a_slow_import_keeps_no_other_file_waiting_even_with_one_worker",
        "tests/workers/test_runner_hosts.py::test_an_import_without_end_is_waited_for_once_and_says_where_it_was",
        "tests/workers/test_runner_hosts.py::test_what_is_found_for_a_seed_does_not_depend_on_who_imports",
        "tests/workers/test_stopping.py::test_the_anytime_test_tells_what_it_knows",
    }
)
"""Tests of 5 to 30 seconds each, beside others that go the same way."""


def left_for_the_night(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The cases that are tried at night only."""
    met: Counter[str] = Counter()
    left = []
    for item in items:
        test = item.nodeid.partition("[")[0]
        share = ONE_IN.get(test, ONE_IN.get(test.partition("::")[0], 1))
        if met[test] % share or test in AT_NIGHT:
            left.append(item)
        met[test] += 1
    return left
