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
