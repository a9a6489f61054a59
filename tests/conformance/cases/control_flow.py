"""Branches, loops, their exits, comprehensions, unpacking and helper functions."""

import math

import numpy as np

SIZES = (1, 2, 3)


def nested_if(rng, queries):
    a, b = rng.normal(), rng.normal()
    if a > 0:
        if b > 0:
            where = 1
        elif b > -1:
            where = 2
        else:
            where = 3
    elif a > -1:
        where = 4
    else:
        if b > 1:
            return "corner"
        where = 5
    return where


def if_without_else(rng, queries):
    total = 0
    for q in queries:
        if rng.random() < q / 3:
            total += 1
            if total == 2:
                total = 10
    return total


def if_assigns_several_names(rng, queries):
    a = b = c = 0
    if rng.random() < 0.5:
        a = 1
        if rng.random() < 0.5:
            b, c = a + 1, "c"
    else:
        c = 2.5
        b = a
    return a, b, c


def elif_chain(rng, n):
    u = rng.random()
    if u < 0.2:
        x = "low"
    elif u < 0.4:
        x = "lower"
    elif u < 0.6:
        return None
    elif u < 0.8:
        x = "higher"
    else:
        x = "high"
    return x + str(n)


def returns_in_both_branches(rng, answer):
    if rng.laplace() > 0:
        return answer
    else:
        return -answer


def return_without_value(rng, answer):
    if rng.random() < 0.5:
        return
    return answer


def falls_off_the_end(rng, answer):
    if rng.random() < 0.5:
        return answer


def code_after_return(rng, queries):
    for q in queries:
        if rng.random() < 0.3:
            return q
            queries = None
    return len(queries)


def returns_of_several_types(rng, queries):
    kind = rng.integers(7)
    if kind == 0:
        return 1
    if kind == 1:
        return 1.0
    if kind == 2:
        return True
    if kind == 3:
        return "1"
    if kind == 4:
        return [1]
    if kind == 5:
        return (1,)
    return None


def for_over_list(rng, queries):
    best = -100.0
    for q in queries:
        x = q + rng.laplace()
        if x > best:
            best = x
    return best, q, x


def for_over_tuple(rng, n):
    out = []
    for part in ("a", 2, None):
        if rng.random() < 0.6:
            out.append(part)
    return out


def for_over_range_of_noise(rng, queries):
    total = 0
    for i in range(int(rng.integers(0, 6))):
        total += i * i
    return total


def for_over_range_with_noisy_bounds(rng, queries):
    out = []
    for i in range(int(rng.integers(0, 4)), int(rng.integers(0, 8))):
        out.append(i)
    return out


def for_over_range_with_step(rng, queries):
    out = []
    for i in range(10, int(rng.integers(0, 8)), -3):
        out.append(i)
    return out


def for_over_range_with_noisy_step(rng, n):
    return [i for i in range(0, n, int(rng.integers(1, 4)))]


def for_over_enumerate(rng, queries):
    where = -1
    for i, q in enumerate(queries):
        if q + rng.laplace() > 2:
            where = i
            break
    return where


def for_over_enumerate_with_start(rng, queries):
    out = []
    for i, q in enumerate(queries, 1):
        out.append(q / i + rng.laplace())
    return out


def for_over_zip(rng, queries, values):
    total = 0.0
    for q, v in zip(queries, values):
        total += q * v if rng.random() < 0.5 else -q
    return total


def for_over_zip_of_unequal_lengths(rng, queries, counts, bits):
    out = []
    for q, c, b in zip(queries, counts, bits[: int(rng.integers(1, 4))]):
        out.append(q + c - b)
    return out


def for_over_zip_of_enumerate(rng, queries, counts):
    out = []
    for i, (q, c) in enumerate(zip(queries, counts)):
        if rng.random() < 0.7:
            out.append((i, q, c))
    return out


def for_over_reversed(rng, queries):
    out = []
    for q in reversed(queries):
        if rng.random() < 0.5:
            continue
        out.append(q)
    return out


def for_over_reversed_range(rng, n):
    for i in reversed(range(n)):
        if rng.random() < 0.3:
            return i
    return None


def for_over_sorted(rng, values):
    out = []
    for v in sorted([v + rng.laplace() for v in values]):
        out.append(round(v))
        if v > 0:
            break
    return out


def for_over_list_of_noisy_length(rng, queries):
    kept = [q for q in queries if rng.random() < 0.5]
    total = 0
    for i, q in enumerate(kept):
        total += i * q
    return total, len(kept)


def for_over_array(rng, queries):
    total = 0
    for x in rng.laplace(size=4):
        if x > 0:
            total += x
    return total


def for_over_points(rng, points):
    out = []
    for x, y in points:
        out.append(x + y * rng.laplace())
    return out


def for_over_dict_items(rng, epsilon):
    table = {"a": 1, "b": 2}
    out = []
    for name, value in table.items():
        if rng.random() < 0.5:
            out.append(name * value)
    return out


def for_over_string(rng, names):
    out = []
    for letter in "abc":
        if rng.random() < 0.5:
            out.append(letter)
    return out


def for_over_module_constant(rng, queries):
    out = 0
    for size in SIZES:
        if rng.random() < 0.5:
            out += size
    return out


def loop_variable_after_loop(rng, queries):
    for i in range(5):
        if rng.random() < 0.4:
            break
    return i


def loop_variable_of_empty_loop(rng, queries):
    i = "none"
    for i in range(int(rng.integers(0, 3))):
        pass
    return i


def loop_variable_changed_inside(rng, queries):
    out = []
    for i in range(4):
        if rng.random() < 0.5:
            i = i * 10
        out.append(i)
    return out


def list_rebound_while_looping(rng, queries):
    kept = queries
    for q in kept:
        kept = [q]
        if rng.random() < 0.2:
            break
    return kept


def for_else(rng, queries):
    for q in queries:
        if rng.random() < 0.2:
            found = q
            break
    else:
        found = "none"
    return found


def for_else_with_continue(rng, queries):
    seen = 0
    for q in queries:
        if q < 1:
            continue
        seen += 1
        if rng.random() < 0.3:
            break
    else:
        seen = -seen
    return seen


def nested_loops(rng, queries):
    seen = []
    for a in range(4):
        for b in (1, 2, 3):
            r = rng.integers(6)
            if r == 0:
                break
            if r == 1:
                continue
            if r == 2 and a > 2:
                return seen
            seen.append((a, b))
        else:
            seen.append(-a)
            continue
        seen.append("broken")
    return seen


def nested_loops_left_by_flag(rng, queries):
    stop = False
    pairs = 0
    for a in queries:
        for b in queries:
            pairs += 1
            if a + b + rng.laplace() > 6:
                stop = True
                break
        if stop:
            break
    return pairs, stop


def nested_loops_over_noisy_ranges(rng, queries):
    out = []
    for i in range(int(rng.integers(1, 4))):
        row = 0
        for j in range(int(rng.integers(0, 4))):
            row += i * 10 + j
        out.append(row)
    return out


def while_with_noisy_condition(rng, queries):
    n = 0
    while rng.random() < 0.7:
        n += 1
    return n


def while_with_noisy_value(rng, queries):
    x = rng.normal()
    while abs(x) > 0.8:
        x = rng.normal()
    return x


def while_true_with_break(rng, queries):
    total = 0
    while True:
        total += int(rng.integers(1, 5))
        if total > 7:
            break
    return total


def while_else(rng, queries):
    i = 0
    while i < 5:
        i += 1
        if rng.random() < 0.2:
            break
    else:
        i = 100
    return i


def while_with_continue(rng, queries):
    i, out = 0, []
    while i < 6:
        i += 1
        if rng.random() < 0.5:
            continue
        out.append(i)
        if len(out) == 3:
            break
    return out


def while_over_shrinking_number(rng, queries):
    x, steps = int(rng.integers(1, 60)), 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    return steps


def while_inside_for(rng, queries):
    out = []
    for q in queries:
        x = q
        while x < 2:
            x += rng.exponential()
        out.append(x)
    return out


def for_inside_while(rng, queries):
    rounds = 0
    while True:
        rounds += 1
        for q in queries:
            if rng.random() < 0.1:
                break
        else:
            continue
        return rounds, q


def while_on_a_list(rng, queries):
    left = [1, 2, 3]
    steps = 0
    while left:
        if rng.random() < 0.5:
            left = left[1:]
        steps += 1
    return steps


def while_on_a_number(rng, queries):
    left, out = int(rng.integers(0, 5)), 0
    while left:
        out += left
        left -= 1
    return out


def while_with_two_conditions(rng, queries):
    i = 0
    while i < len(queries) and queries[i] + rng.laplace() < 2:
        i += 1
    return i


def break_in_both_branches(rng, queries):
    for i in range(5):
        if rng.random() < 0.3:
            out = "a"
            break
        elif rng.random() < 0.3:
            out = "b"
            break
        out = i
    return out


def return_inside_nested_loops(rng, queries):
    for i in range(3):
        for j in range(3):
            while rng.random() < 0.2:
                if rng.random() < 0.4:
                    return i, j
    return "none"


def conditional_expression(rng, answer):
    return answer if rng.random() < 0.5 else "hidden"


def conditional_expressions_nested(rng, answer):
    x = rng.normal()
    return "low" if x < -0.5 else "high" if x > 0.5 else round(x, 3)


def conditional_expression_that_draws(rng, answer):
    return rng.laplace() if rng.random() < 0.5 else rng.integers(10)


def conditional_expression_as_argument(rng, queries):
    return sum([q if rng.random() < 0.5 else 0 for q in queries]) + max(1 if rng.random() < 0.5 else 2, 1)


def comprehension(rng, queries):
    return [q + rng.laplace() for q in queries]


def comprehension_with_filter(rng, queries):
    return [q for q in queries if rng.random() < 0.5]


def comprehension_with_two_filters(rng, n):
    return [i for i in range(n) if i % 2 == 0 if rng.random() < 0.5]


def comprehension_filters_by_element(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return [(i, x) for i, x in enumerate(noisy) if x > 1 and i != 2]


def comprehension_with_two_clauses(rng, queries):
    return [(a, b) for a in range(3) for b in range(a) if rng.random() < 0.6]


def comprehension_with_clause_over_noise(rng, queries):
    return [b for a in range(3) for b in range(int(rng.integers(0, 3)))]


def comprehension_in_comprehension(rng, rows):
    return [[x + rng.laplace() for x in row if x != 3] for row in rows]


def comprehension_shadows_name(rng, queries):
    q = "outside"
    kept = [q for q in queries if rng.random() < 0.5]
    return q, kept


def comprehension_of_conditionals(rng, queries):
    return [i if rng.random() < 0.5 else None for i, _ in enumerate(queries)]


def comprehension_over_zip(rng, queries, values):
    return [q * v for q, v in zip(queries, values) if q + rng.laplace() > 0.5]


def generator_in_sum(rng, queries):
    return sum(q + rng.laplace() for q in queries), max(rng.random() for _ in queries)


def any_of_generator(rng, queries):
    return any(q + rng.laplace() > 3 for q in queries)


def all_of_generator(rng, queries):
    return all(q + rng.laplace() > -1 for q in queries)


def any_stops_drawing(rng, queries):
    some = any(rng.random() < 0.3 for _ in queries)
    every = all(rng.random() < 0.8 for _ in queries)
    return some, every, rng.random()


def any_with_filter(rng, queries):
    return any(q > 1 for q in queries if rng.random() < 0.3), any(a == b for a in (1, 2) for b in (2, rng.integers(4)))


def any_of_a_list(rng, queries):
    flags = [rng.random() < 0.2 for _ in queries]
    return any(flags), all(flags), any([]), all([]), any([rng.integers(2), ""])


def short_circuits(rng, queries):
    some = any(q + rng.laplace() > 2 for q in queries)
    every = all(rng.random() < 0.8 and q >= 0 for q in queries)
    last = rng.random() if some or rng.random() < 0.5 else rng.integers(3)
    return some, every, last, 0 < last < 1, not some and queries


def and_gives_an_operand(rng, queries):
    x = int(rng.integers(0, 3))
    return x and "yes", x or "no", x and queries, (x - 1) and x or "both"


def and_draws_only_if_needed(rng, queries):
    first = rng.random() < 0.5 and rng.laplace()
    second = rng.random() < 0.5 or rng.normal()
    return first, second, rng.random()


def not_of_values(rng, queries):
    x = [1] if rng.random() < 0.5 else []
    y = rng.integers(2)
    return not x, not y, not x and not y, not (x or y)


def conditions_in_chains(rng, queries):
    a, b = rng.normal(), rng.normal()
    if not (a > 0 or b > 0):
        return "neither"
    if a > 0 and not b > 0 and (a > 1 or b < -1):
        return "far"
    return "near"


def chained_comparison(rng, queries):
    a, b = rng.normal(), rng.normal()
    return -1 < a < b, a < 0 <= b < 1, 0 < a != b


def chained_comparison_that_draws(rng, queries):
    ordered = rng.random() < rng.random() < rng.random()
    return ordered, rng.random()


def tuple_unpacking(rng, queries):
    a, b = rng.laplace(), rng.laplace()
    if a > b:
        a, b = b, a
    return a, b


def tuple_unpacking_nested(rng, points):
    (a, b), (c, d) = points[0], points[1] if rng.random() < 0.5 else (rng.laplace(), None)
    return a, b, c, d


def tuple_unpacking_of_list(rng, queries):
    [a, b, c] = [rng.laplace() for _ in range(3)]
    return a + b - c


def tuple_unpacking_of_array(rng, queries):
    a, b = rng.laplace(size=2)
    return a if a > b else -b


def tuple_unpacking_of_string(rng, names):
    a, b = "xy" if rng.random() < 0.5 else "zw"
    return b + a


def tuple_from_helper(rng, queries):
    best, where = _best(rng, queries)
    return where, best


def _best(rng, queries):
    best, where = queries[0] + rng.laplace(), 0
    for i in range(1, len(queries)):
        x = queries[i] + rng.laplace()
        if x > best:
            best, where = x, i
    return best, where


def several_targets(rng, queries):
    a = b = rng.integers(5)
    if a > 2:
        b = 0
    return a, b


def fibonacci_swap(rng, queries):
    a, b = 0, 1
    for _ in range(int(rng.integers(0, 12))):
        a, b = b, a + b
    return a


def augmented_operators(rng, n):
    x = int(rng.integers(1, 20))
    x += 3
    x *= 2
    x -= 1
    y = x
    y /= 4
    z = x
    z //= 3
    w = x
    w %= 7
    v = x
    v **= 2
    u = x
    u &= 12
    u |= 1
    u ^= 5
    return x, y, z, w, v, u


def augmented_list(rng, queries):
    out = []
    for q in queries:
        if rng.random() < 0.5:
            out += [q]
        else:
            out += (q, -q)
    return out


def augmented_item(rng, records):
    counts = [0, 0, 0, 0]
    for r in records:
        if rng.random() < 0.7:
            counts[r] += 1
    return counts


def augmented_item_at_noisy_index(rng, records):
    counts = [0.0] * 4
    for _ in records:
        counts[rng.integers(4)] += rng.random()
    return counts


def augmented_string(rng, names):
    text = ""
    for name in names:
        if rng.random() < 0.5:
            text += name
    return text


def augmented_with_conditional(rng, queries):
    total = 0
    for q in queries:
        total += 1 if rng.random() < 0.5 else -1
        total *= 2 if total > 1 else 1
    return total


def helper_with_early_return(rng, queries):
    return [_level(rng, q) for q in queries]


def _level(rng, q):
    x = q + rng.laplace()
    if x < 0:
        return "negative"
    if x > 2:
        return x
    for step in (0.5, 1, 1.5):
        if x < step:
            return step


def helper_without_draws(rng, queries):
    return [_clip(q + rng.laplace(), 0, high=2) for q in queries]


def _clip(x, low, high=1):
    if x < low:
        return low
    return high if x > high else x


def helper_in_helper(rng, queries):
    total = 0.0
    for q in queries:
        total += _twice(rng, q)
    return total


def _twice(rng, q):
    first = _coin(rng)
    if first:
        return q
    second = _coin(rng)
    return q * 2 if second else _clip(q + rng.laplace(), 0)


def _coin(rng):
    return rng.random() < 0.5


def helper_that_raises(rng, queries):
    return [_checked(rng.laplace() + q) for q in queries]


def _checked(x):
    if x < -1.5:
        raise ValueError("too small")
    return math.sqrt(x + 1.5)


def helper_with_while(rng, queries):
    return _tries(rng, 0.3), _tries(rng, p=0.8)


def _tries(rng, p):
    n = 0
    while True:
        n += 1
        if rng.random() < p or n > 20:
            return n


def helper_in_condition(rng, queries):
    out = 0
    while not _coin(rng):
        out += 1
    return out if _coin(rng) else -out


def helper_changes_its_own_list(rng, n):
    return sum(_grown(rng, 3)) + sum(_grown(rng, n))


def _grown(rng, length):
    out = []
    while len(out) < length:
        out.append(rng.random())
        if out[-1] < 0.2:
            break
    return out


def helper_result_unused(rng, queries):
    _coin(rng)
    return _coin(rng)


def generator_made_if_missing(rng, queries):
    if rng is None:
        rng = np.random.default_rng()
    return rng.laplace()


def pass_and_docstring(rng, queries):
    """Says something."""
    for q in queries:
        if rng.random() < 0.5:
            pass
        else:
            return q
    assert queries
    return None


def annotated_assignment(rng, queries):
    total: float = 0.0
    count: int
    count = 0
    for q in queries:
        total += q * rng.random()
        count += 1
    return total / count


def deep_nesting(rng, queries):
    out = []
    for a in range(2):
        while rng.random() < 0.5:
            for b in [1, 2]:
                if rng.random() < 0.5:
                    if rng.random() < 0.3:
                        break
                    elif rng.random() < 0.3:
                        continue
                    for c in range(b):
                        if rng.random() < 0.2:
                            return out
                        out.append((a, b, c))
                else:
                    out.append(None)
            else:
                out.append("else")
            if len(out) > 6:
                break
    return out


def state_machine(rng, queries):
    state, path = "start", []
    for _ in range(8):
        path.append(state)
        u = rng.random()
        if state == "start":
            state = "middle" if u < 0.6 else "start"
        elif state == "middle":
            state = "end" if u < 0.3 else "start" if u < 0.5 else "middle"
        else:
            break
    return path


def mixed_exits(rng, queries):
    for i, q in enumerate(queries):
        x = q + rng.laplace()
        if x < -2:
            raise RuntimeError("low")
        if x > 5:
            return x
        if x > 3:
            break
        if x < 0:
            continue
        last = i
    else:
        return "all"
    return last
