"""Which variables are live: by hand, in comments behind the statements."""

from __future__ import annotations

from pathlib import Path

import pytest
from program_tools import lowered, module_text

from dplint.program.evaluator import evaluate
from dplint.program.interpretation import in_source
from dplint.program.liveness import Liveness, liveness_of
from dplint.program.nodes import CallFunction, For, Program, Statement, While
from dplint.program.walk import walk
from dplint.readings.concrete import ConcreteInterpretation

# Behind `#`: what is live after the statement, of an `if` or a loop after all of it. Behind `@`: at the head of a loop.
PROGRAMS = {
    "a line": """
        def made(rng, xs, k):
            a = xs[0]               # a k xs
            b = a + rng.laplace()   # b k xs
            a = xs[1]               # a b k
            c = b                   # a c k
            return a + c + k        #
        """,
    "an assignment of a part reads the whole": """
        def made(rng, xs, i):
            out = [0, 0]            # i out xs
            out[i] = xs[0]          # i out xs
            out[0] += xs[1]         # i out xs
            i += 1                  # i out xs
            out.append(xs[2])       # i out
            return out, i           #
        """,
    "what is put together and never read is live where it is put together": """
        def made(rng, xs):
            out = []                # out xs
            out.append(xs[0])       # out xs
            out.append(1)           # xs
            return xs               #
        """,
    "targets are bound from left to right": """
        def made(rng, xs):
            out = [0, 0]            # out xs
            i, out[i] = xs          # out
            j = out[0] = 1          # j out
            return out, j           #
        """,
    "both sides of an if": """
        def made(rng, xs):
            a, b, c = xs            # a b c xs
            if rng.random() > 0.5:  # c x xs
                x = a               # c x xs
            elif c > 0:             # c x xs
                x = b               # c x xs
            else:
                raise ValueError(a) #
            a = x                   # a c xs
            return a, c, xs         #
        """,
    "a loop carries what its next turn reads": """
        def made(rng, xs, t):
            total = 0               # t total xs
            last = None             # last t total xs
            for q in xs:            # last @ last t total
                x = q + rng.laplace()  # t total x
                if x > t:           # t total x
                    total += 1      # t total x
                y = x               # t total y
                last = total + y    # last t total
            return last             #
        """,
    "what every turn assigns first is not live at the head": """
        def made(rng, xs):
            x = 0                   # x xs
            for q in xs:            # x xs @ x xs
                x = q               # x xs
            y = 0                   # x xs
            for q in xs:            # x @ x
                y = q               # x y
                y = y + 1           # x
            return x                #
        """,
    "break, continue and else": """
        def made(rng, xs, a, b, c):
            for q in xs:            # b @ a b c
                if q > 0:           # a b c q
                    continue        #
                if q > 1:           # a b c q
                    break           #
                if q > 2:           # a b c
                    return c        #
                a += 1              # a b c
            else:
                b = a               # b
            return b                #
        """,
    "a break of a loop in an else belongs to the loop around it": """
        def made(rng, xs, a, b):
            for q in xs:            # a @ a b xs
                for r in xs:        # b xs @ a b q xs
                    r += q          # a b q xs
                else:
                    if q > b:       # a b xs
                        break       #
                    continue        #
                a = 1               # a b xs
            return a                #
        """,
    "a while reads its test at the head": """
        def made(rng, n):
            k = 0                   # k n
            x = 0                   # k n x
            while k < n:            # k x @ k n x
                k += 1              # k n
                x = rng.random()    # k n x
                if x > 0.5:         # k n x
                    continue        #
                y = x               # k n y
                x = y               # k n x
            return k, x             #
        """,
    "a while that only a break leaves": """
        def made(rng, n):
            x = n                   # n
            while True:             # x @ n
                x = rng.random()    # n x
                if x > n:           # n
                    break           #
            return x                #
        """,
    "two loops, one around the other": """
        def made(rng, xs):
            a, b, c = xs            # a b xs
            for q in xs:            # a @ a b xs
                c = 0               # a b c q xs
                for r in xs:        # a b xs @ a b c q xs
                    c += r + q      # b c q xs
                    a = b           # a c q xs
                    b = c           # a b c q xs
            return a                #
        """,
    "comprehensions keep their names to themselves": """
        def made(rng, xs, t):
            q = 1                   # q t xs
            ys = [q + t for q in xs if q > 0 for t in [q]]  # q t xs ys
            zs = [y + q for y in ys]  # t xs zs
            return zs, any(x > t for x in xs)  #
        """,
    "helpers have variables of their own": """
        def _noisy(rng, x, q):
            y = x + rng.laplace()   # y
            x = q = y               # q
            return q                #

        def made(rng, xs):
            x = xs[0]               # x xs
            y = _noisy(rng, x, q=xs[1])  # x y
            _noisy(rng, x, 1)       # y
            return y                #
        """,
    "code that nobody reaches": """
        def made(rng, xs):
            a = xs[0]               # a
            return a                #
            b = a                   # b
            return b                #
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_live_variables(name: str, tmp_path: Path) -> None:
    program = lowered(PROGRAMS[name], tmp_path)
    assert isinstance(program, Program), program
    lines, liveness = module_text(PROGRAMS[name]).splitlines(), liveness_of(program)

    for node in walk(program):
        if isinstance(node, Statement):
            line = lines[node.span.line - 1]
            after, _, head = line.partition("#")[2].partition("@")
            assert shown(liveness.after(node)) == after.split(), line
            if isinstance(node, For | While):
                assert shown(liveness.entering(node)) == head.split(), line


def shown(names: frozenset[str]) -> list[str]:
    return sorted(map(in_source, names))


CALLS = """
def _one(rng, x):
    return x + rng.laplace()

def _many(rng, x):
    return [_one(rng, x)]

def made(rng, xs, k, m):
    a = _one(rng, xs[0])
    b = 1 + _one(rng, a)
    out = [0, 0]
    out[k] = c = _one(rng, b)
    if _one(rng, a) > 1:
        k = 2
    if _one(rng, 0):
        k = m
    for q in _many(rng, 2):
        k += q
    while _one(rng, 1):
        _one(rng, xs)
        xs = m
    return _one(rng, k + out[0] + c)
"""
ACROSS = {
    "_one(rng, x)": None,
    "_one(rng, xs[0])": "k m xs",
    "_one(rng, a)": None,
    "_one(rng, b)": "a k m out xs",
    "_one(rng, 0)": "c k m out xs",
    "_many(rng, 2)": "c k m out xs",
    "_one(rng, 1)": "c k m out xs",
    "_one(rng, xs)": "c k m out",
    "_one(rng, k + out[0] + c)": "",
}


def test_across_a_call_is_live_what_the_caller_reads_afterwards(tmp_path: Path) -> None:
    program = lowered(CALLS, tmp_path)
    assert isinstance(program, Program), program
    lines, liveness = module_text(CALLS).splitlines(), liveness_of(program)
    calls = [node for node in walk(program) if isinstance(node, CallFunction)]
    found = {}
    for call in calls:
        names = liveness.across(call)
        text = lines[call.span.line - 1][call.span.column - 1 : call.span.end_column - 1]
        found[text] = None if names is None else " ".join(shown(names))

    assert found == ACROSS


def test_the_liveness_of_another_program_is_refused(tmp_path: Path) -> None:
    first, second = (lowered(f"def made(rng, xs):\n    return {k} + rng.laplace()", tmp_path) for k in range(2))
    assert isinstance(first, Program)
    assert isinstance(second, Program)

    with pytest.raises(ValueError, match="the liveness is that of another program than made"):
        evaluate(first, ConcreteInterpretation(lambda *_: 0.0, 5), {"xs": 1}, liveness=Liveness(second))
