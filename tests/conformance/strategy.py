"""Random small mechanisms, as source text: nesting of every statement that the evaluator knows. All of them end."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ["x", "y", "z"]


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.integers(0, 4 if depth == 0 else 9))
    if kind <= 1:
        return draw(st.sampled_from([*NAMES, "epsilon", "i"]))
    if kind == 2:
        return str(draw(st.integers(-2, 3)))
    if kind == 3:
        return "int(rng.integers(0, 4))"
    if kind == 4:
        return "len(out)"
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    if kind <= 6:
        return f"({left} {draw(st.sampled_from(['+', '-', '*']))} {right}) % 7"
    if kind == 7:
        return f"({left} if {draw(conditions(depth - 1))} else {right})"
    if kind == 8:
        return f"{draw(st.sampled_from(['max', 'min']))}({left}, {right})"
    return f"sum([{left} + k for k in range(3) if {draw(conditions(depth - 1))}])"


@st.composite
def conditions(draw: st.DrawFn, depth: int = 1) -> str:
    kind = draw(st.integers(0, 2 if depth == 0 else 5))
    if kind <= 2:
        operator = draw(st.sampled_from(["<", "<=", "==", "!=", ">"]))
        return f"{draw(expressions(0))} {operator} {draw(expressions(0))}"
    left, right = draw(conditions(depth - 1)), draw(conditions(depth - 1))
    if kind == 3:
        return f"not ({left})"
    return f"({left}) {'and' if kind == 4 else 'or'} ({right})"


@st.composite
def blocks(draw: st.DrawFn, depth: int, inside: bool) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statements(depth, inside))
    return lines


@st.composite
def statements(draw: st.DrawFn, depth: int, inside: bool) -> list[str]:
    kind = draw(st.integers(0, 6 if depth == 0 else 11))
    name = draw(st.sampled_from(NAMES))
    if kind <= 1:
        return [f"{name} = {draw(expressions())}"]
    if kind == 2:
        return [f"{name} {draw(st.sampled_from(['+=', '-=']))} {draw(expressions(1))}"]
    if kind == 3:
        return [f"out.append({draw(expressions())})"]
    if kind == 4:
        return [
            f"{name}, {draw(st.sampled_from(['y', 'out[0]', 'q']))} = {draw(expressions(1))}, {draw(expressions(1))}"
        ]
    if kind == 5:
        exits = ["return out", f"return {name}", "raise ValueError(x)", f"{name} = out[{draw(expressions(0))}]"]
        return [f"if {draw(conditions())}:", f"    {draw(st.sampled_from(exits))}"]
    if kind == 6:
        if not inside:
            return ["pass"]
        return [f"if {draw(conditions())}:", f"    {draw(st.sampled_from(['break', 'continue']))}"]
    if kind <= 8:
        lines = [f"if {draw(conditions())}:", *indent(draw(blocks(depth - 1, inside)))]
        return [*lines, "else:", *indent(draw(blocks(depth - 1, inside)))] if draw(st.booleans()) else lines
    body = indent(draw(blocks(depth - 1, True)))
    after = ["else:", *indent(draw(blocks(depth - 1, inside)))] if draw(st.booleans()) else []
    if kind <= 10:
        iterable = draw(st.sampled_from(["range(3)", "queries", "[x, y]", "range(x % 4)"]))
        return [f"for i in {iterable}:", *body, *after]
    counter = f"w{depth}"
    return [f"{counter} = 0", f"while {counter} < 3 and ({draw(conditions())}):", f"    {counter} += 1", *body, *after]


@st.composite
def programs(draw: st.DrawFn) -> str:
    body = draw(blocks(3, False))
    start = ["out = [0]", "x = 1", "y = int(rng.integers(0, 3))", "if y > 1:", "    z = i = 2"]
    return "\n".join(["def made(rng, queries, epsilon):", *indent([*start, *body, "return out, x, y"])])
