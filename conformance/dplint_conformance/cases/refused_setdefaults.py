"""Rows made where they are asked for, which somebody else holds. No interpretation follows these."""


def row_by_default_that_a_name_holds(rng, records):
    groups = {}
    groups.setdefault(0, []).append(1)
    row = groups[0]
    groups.setdefault(0, []).append(rng.random())
    return row


def row_by_default_that_is_kept(rng, records):
    groups = {}
    row = groups.setdefault(0, [])
    row.append(rng.random())
    return groups


def row_by_default_that_somebody_gave(rng, records):
    mine, groups = [rng.random()], {}
    groups[0] = mine
    groups.setdefault(0, []).append(1)
    return mine


def row_by_default_that_is_a_list_of_mine(rng, records):
    mine, groups = [rng.random()], {}
    groups.setdefault(0, mine).append(1)
    return mine


def dict_by_default_that_two_names_hold(rng, records):
    groups = {}
    other = groups
    groups.setdefault(0, []).append(rng.random())
    return other


def state_that_is_given_a_list(rng, queries):
    mine, state = [rng.random()], {"n": 0, "seen": []}
    state["n"] = mine
    state["seen"].append(1)
    state["n"].append(2)
    return mine, state


def state_of_which_a_row_has_a_name(rng, queries):
    state = {"n": 0, "seen": []}
    row = state["seen"]
    state["seen"].append(rng.random())
    return row


def state_with_a_key_that_is_worked_out(rng, queries):
    mine, state = [rng.random()], {"n": 0, "seen": []}
    state["n"] = mine
    for key in state:
        state[key].append(2)
    return mine


def rows_that_somebody_gives_where_they_are_missing(rng, records):
    mine, groups = [rng.random()], {}
    for record in records:
        if record not in groups:
            groups[record] = mine
        groups[record].append(record)
    return mine


def parts_of_a_table_that_are_emptied(rng, records):
    groups = [[1], [2], []]
    groups[1:] = []
    groups[0].append(rng.random())
    return groups
