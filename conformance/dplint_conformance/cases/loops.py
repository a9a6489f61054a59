"""Loops over all sorts of things, and the ways out of them."""

SIZES = (1, 2, 3)


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
