"""Functions that a function makes for itself and that call themselves, with what they see of what is around them.

No interpretation follows these.
"""


def functions_that_call_each_other(rng, queries, k=2):
    scale = len(queries) - k

    def even(n):
        if n == 0:
            return scale
        return odd(n - 1) + rng.random()

    def odd(n):
        if n <= 0 or rng.random() < 0.2:
            return -1
        return even(n - 1) * 2

    return even(4), odd(int(rng.integers(4))), [even(n) for n in range(2)]


def three_functions_in_a_ring(rng, queries):
    def first(xs):
        return second(xs[1:]) if xs else 0

    def second(xs, by=3):
        return third(xs) * by if len(xs) > 1 else rng.random()

    def third(xs):
        return first(xs[1:]) + xs[0]

    return first(queries), first([]), second([1, 2])


def evaluated_by_two_functions(rng, queries):
    tree = ("+", 1, ("*", 2, ("+", rng.random(), 3)))

    def value(node):
        return node if isinstance(node, (int, float)) else applied(node[0], node[1], node[2])

    def applied(op, left, right):
        if op == "+":
            return value(left) + value(right)
        return value(left) * value(right)

    return value(tree)


def _walked(rng, n):
    def down(x):
        return x if x <= 0 else up(x - 2) - 1

    def up(x):
        return down(x - 1) + rng.random()

    return down(n)


def ring_in_a_helper(rng, queries):
    return _walked(rng, 4), _walked(rng, int(rng.integers(3)))


def local_functions_that_call_one_another(rng, queries):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(3), rng.normal()
