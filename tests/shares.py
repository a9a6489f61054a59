"""Tests with many cases of which `dev.py test` tries every so manieth, and `--nightly` all.

They are here, and not marked one by one with `one_in`, so that the time of the whole is shared out in one place: a case
costs what it costs on two processors, and all of them have ten minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

ONE_IN = {
    "tests/benchmarks/test_by_hand.py::test_a_twin_has_the_law_of_the_plain_function": 4,
    "tests/check/test_buffers.py::test_after_edits_it_reads_the_same_in_parts": 3,
    "tests/conformance/test_conformance.py::test_many_runs_report_the_branches_of_single_ones": 4,
    "tests/conformance/test_conformance.py::test_outcomes_vary_with_the_draws": 4,
    "tests/conformance/test_liveness.py::test_nobody_reads_what_is_dead": 3,
    "tests/conformance/test_merging.py::test_runs_that_cannot_be_told_apart_go_on_alike": 3,
    "tests/conformance/test_sites.py::test_draws_stand_where_cpython_makes_them": 3,
    "tests/distributions/test_laws_by_quadrature.py": 3,
    "tests/distributions/test_sampling.py::test_a_distribution_in_arrays_of_two_dimensions": 3,
    "tests/distributions/test_sampling.py::test_neighbouring_lanes_are_independent": 3,
    "tests/docs/test_transcripts.py::test_each_command_prints_what_the_page_shows": 2,
    "tests/end_to_end/test_statdp.py::test_the_same_seed_gives_the_same_report_whatever_the_number_of_processes": 2,
    "tests/events/test_counting.py::test_whatever_comes_and_however_it_is_gathered": 2,
    "tests/events/test_scores.py::test_sequences": 3,
    "tests/events/test_shapes.py::test_arrays_and_python_agree_on_every_shape": 3,
    "tests/exact/test_against_quadrature.py::test_the_index_of_the_largest_with_any_noise": 3,
    "tests/fixtures/test_inputs_truth.py::test_a_leak_leaks": 3,
    "tests/fixtures/test_statdp_truth.py::test_pattern_losses_are_those_of_the_table_and_never_exceed_the_true_epsilon": 4,  # noqa: E501
    "tests/lanes/test_lanes_audits.py::test_lanes_and_plain_runs_come_to_the_same_verdict": 2,
    "tests/proofs/test_mutants.py::test_no_mutant_is_proved_for_every_length": 2,
    "tests/proofs/test_proofs_of_fixtures.py::test_right_mechanisms_that_are_proved_for_two_values": 3,
    "tests/rules/test_never_raises.py::test_a_statement_with_more_values_than_are_kept": 3,
    "tests/rules/test_never_raises.py::test_the_standard_library_with_claims": 4,
    "tests/scripts/test_scripts_import_graph.py::test_whatever_python_loads_is_in_the_graph": 4,
    "tests/scripts/test_scripts_quick.py::test_after_its_time_no_test_is_begun_and_that_is_said": 2,
    "tests/server/test_server_dies.py::test_nothing_is_left_of_a_server": 2,
    "tests/source/test_ignore_edits.py::test_after_the_edit_the_finding_is_silenced": 3,
    "tests/source/test_positions.py::test_a_comment_is_around_its_line": 3,
    "tests/statistics/test_betting_soundness.py::test_money_is_a_supermartingale_over_two_blocks": 2,
}
"""By test, or by file for each of its tests."""


def left_for_the_night(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The cases that are tried at night only."""
    met: Counter[str] = Counter()
    left = []
    for item in items:
        test = item.nodeid.partition("[")[0]
        share = ONE_IN.get(test, ONE_IN.get(test.partition("::")[0], 1))
        if met[test] % share:
            left.append(item)
        met[test] += 1
    return left
