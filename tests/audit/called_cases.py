"""Cases of the conformance suite that have no residual program, by the reason; a mechanism like them is called.

Most are functions that raise in all or most runs, or in which nearly every run goes a way of its own.
"""

_BY_REASON = {
    "its runs part more often than they go together": """
        changed_before_it_is_raised many_runs_leave_a_loop_in_a_try counter_made_of_what_is_drawn kept_and_seen
        sets_that_are_updated generators_used_up_at_once items_that_are_summed generators_in_a_loop heap_that_is_emptied
        largest_by_a_key helper_with_early_return helper_in_helper lists_in_dicts_of_some_keys
        dicts_in_dicts_of_some_keys extremes_by_two_keys some_of_which_are_drawn_twice
        keys_that_are_equal_and_not_the_same keys_of_noise keys_that_are_tuples_by_run nested_loops
        return_inside_nested_loops deep_nesting changes_in_conditions methods_that_return_early
        names_of_methods_of_lists objects_by_index objects_that_are_made_anew list_inserted_anywhere
        nested_loops_over_records order_of_a_set_of_a_dict set_of_a_dict_in_a_loop set_under_a_name set_behind_its_loop
        sets_by_a_key set_that_a_loop_fills set_of_noise set_of_texts_in_no_order set_of_what_is_in_both
        one_set_or_the_other next_in_a_loop counter_in_order changed_in_place new_items_in_every_turn
        overlap_in_a_helper sets_in_the_test_of_a_comprehension sets_that_may_be_empty sets_put_in_where_there_is_none
        sets_of_a_defaultdict sets_that_are_asked_while_they_grow rows_that_are_emptied taken_by_a_name chained_rows
        chained_rows_of_several_lengths first_of_an_iterator list_extended list_reversed_in_place dict_counts_categories
    """,
    "some runs cannot be made together with others": """
        array_of_lists_and_scalars sums_beyond_64_bits nan_in_sorting generator_choice_with_size types_that_are_matched
        negative_scale probability_out_of_range geometric_with_probability_zero integers_from_an_empty_range
        choice_with_wrong_weights orders_of_texts orders_of_texts_and_numbers orders_by_texts_of_the_data
        item_got_that_is_missing item_got_as_a_key counts_that_are_added_up whole_counts_that_are_added_up
        numbers_that_cannot_be_added places_that_are_a_mask match_on_texts_and_none guard_that_says_no_leaves_names
        no_sequences positions_in_sorted_arrays clipped_on_one_side accumulated array_slices_with_noisy_bounds
        other_shapes_that_may_be_wrong parts_assigned_of_another_length builtin_sorted_mixed_numbers
        math_logarithm_with_base math_sums items_with_the_extreme_key array_augmented_by_mask
        numbers_added_before_an_exception fields_by_place_that_have_keywords_alone array_of_the_module_is_changed
        row_of_the_modules_array_is_changed view_of_the_modules_array_is_changed array_is_written_to
        array_is_added_to_at shuffle_of_a_range shuffle_of_the_copy_of_a_dict key_whose_place_is_drawn_once
        array_from_a_generator seeded_around_noise seeded_order_of_noise columns_of_an_array
        array_changed_at_a_truth_value array_changed_at_a_truth_value_of_numpy sorted_by_nan_keys
        sorted_by_keys_that_do_not_compare sort_what_does_not_compare keywords_of_builtins
    """,
    "the function goes other ways than its residual program": """
        lists_cannot_be_kept tuples_of_lists_cannot_be_kept text_that_is_no_number object_as_a_context text_with_numbers
        text_that_nothing_else_says text_of_a_read_function queue_without_a_bound bound_that_is_none_or_no_number
        numpy_bools_subtracted numpy_bools_negated numpy_bool_as_an_index dict_changed_after_returns
        member_of_numbers_is_compared member_that_is_a_key addition_to_none comparison_with_none comparison_with_text
        addition_of_text_and_number addition_of_list_and_number length_of_a_number length_of_none sum_of_texts
        sort_of_mixed_kinds maximum_with_none unpacking_of_a_number iteration_over_a_number iteration_over_none
        range_of_a_float append_to_none repetition_by_a_float index_that_is_no_integer index_of_a_number
        raised_of_rarer_kinds raised_in_a_loop asserted longest_run_of_a_bit helper_that_gathers_keywords
        exception_with_a_constructor keys_of_several_lengths iterator_of_no_list keys_that_are_no_keys
        minus_a_number_or_none a_number_or_none_is_larger object_that_is_used_up bits_of_what_has_none
        some_of_the_largest_of_mixed_ones tuples_that_cannot_be_ordered nothing_that_has_a_score
        nothing_that_has_a_method record_without_a_field attribute_without_a_value attribute_that_nobody_has
        attribute_before_it_has_a_value attribute_that_has_a_value_at_times attribute_of_the_turn_before
        attribute_without_a_value_in_a_helper property_that_is_assigned records_without_a_key dataclass_that_is_unpacked
        field_that_is_missing shuffle_of_a_tuple shuffle_of_a_list_or_a_tuple
        shuffle_of_a_list_in_some_runs_and_a_text_in_others logging_that_raises_for_its_level set_of_lists
        reduced_without_a_start groups_with_a_key_that_is_no_key exact_type_is_checked
        arithmetic_of_several_types_that_may_fail end_of_few_starred_numbers starred_number shape_of_a_list
        format_of_a_list join_numbers
    """,
    "its outputs are objects of many kinds": """
        items_of_several_types int_arrays_wrap numpy_scalars_wrap numpy_scalars_with_python_integers
        generator_permutation
    """,
    "what it works with has no name in a recording": """
        array_of_strings lambda_that_makes_a_zero asked_for_other_keys_too sums_of_a_window
        queue_whose_last_item_is_popped window_that_is_full member_by_a_branch member_that_has_methods ordered_counts
        values_of_the_normal_law values_of_other_laws noise_by_the_inverse_of_a_law values_of_a_law_at_its_ends
        eigenvalues eigenvalues_as_they_are decompositions choosing shapes turned other_shapes triangles covariances
        special_ones list_that_is_kept_is_changed fraction_of_a_query record_of_a_list_is_printed
        records_in_a_tuple_that_is_returned special_functions special_functions_of_arrays groups_of_a_defaultdict
    """,
    "state is kept from run to run, or draws are none that are known": """
        dict_of_the_module_changed list_of_the_module_changed row_of_the_module_changed draws_that_are_kept
        default_that_counts default_that_is_assigned default_that_holds_a_list decorator_that_counts
        decorator_with_an_attribute list_of_the_module_grows list_in_a_dict_grows constant_that_changes
        shuffle_along_an_axis shuffle_of_the_list_of_the_module
    """,
}
CALLED = frozenset(name for names in _BY_REASON.values() for name in names.split())
TOO_LARGE = frozenset({"recursion_of_any_depth"})
"""What takes all memory that there is until it is refused, and sometimes the life of its runner."""
