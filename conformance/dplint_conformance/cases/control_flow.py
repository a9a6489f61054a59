"""Branches, conditional expressions, unpacking and augmented assignments."""


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


def conditional_expression(rng, answer):
    return answer if rng.random() < 0.5 else "hidden"


def conditional_expressions_nested(rng, answer):
    x = rng.normal()
    return "low" if x < -0.5 else "high" if x > 0.5 else round(x, 3)


def conditional_expression_that_draws(rng, answer):
    return rng.laplace() if rng.random() < 0.5 else rng.integers(10)


def conditional_expression_as_argument(rng, queries):
    return sum([q if rng.random() < 0.5 else 0 for q in queries]) + max(1 if rng.random() < 0.5 else 2, 1)


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
