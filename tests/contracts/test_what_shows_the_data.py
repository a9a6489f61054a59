"""Ways past the claims of the parts: of none of these may it be said that it is within its budget."""

import pytest

from dplint.contracts.tree import Standing
from tests.contracts.budgets import budget

LEAKS = {
    "the last record of a loop": """
        for row in rows:
            pass
        return row, count(rng, rows, epsilon)
    """,
    "the data": "return rows, count(rng, rows, epsilon)",
    "its size": "return len(rows), count(rng, rows, epsilon)",
    "an item": "noisy = count(rng, rows, epsilon)\nreturn noisy + rows[0]",
    "appended": "out = []\nout.append(rows[0])\nout.append(count(rng, rows, epsilon))\nreturn out",
    "appended to another name": """
        out = []
        same = out
        same.append(rows[0])
        return out, count(rng, rows, epsilon)
    """,
    "appended inside of a pair": """
        out = []
        pair = (out, 1)
        pair[0].append(rows[0])
        return out, count(rng, rows, epsilon)
    """,
    "sorted into groups": """
        groups = {0: [], 1: []}
        for row in rows:
            groups[int(row > 2)].append(row)
        return {key: count(rng, group, epsilon) for key, group in groups.items()}
    """,
    "put into a group that the data names": """
        first = [0]
        groups = [first, first]
        groups[rows[0] > 2][0] = 1
        return first, count(rng, rows, epsilon)
    """,
    "by a helper": """
        out = []
        print(out, rows)
        fill(out, rows)
        return out, count(rng, rows, epsilon)
    """,
    "a branch": "return count(rng, rows, epsilon) if len(rows) > 3 else 0",
    "counted in a loop": """
        n = 0
        for row in rows:
            n += 1
        return n, count(rng, rows, epsilon)
    """,
    "a flag": """
        flag = False
        for row in rows:
            if row > 3:
                flag = True
        return flag, count(rng, rows, epsilon)
    """,
    "an exception": """
        if not rows:
            raise ValueError
        return count(rng, rows, epsilon)
    """,
    "an argument": "return count(rng, rows, epsilon / (1 + len(rows)))",
    "a filter that looks at others": "return count(rng, [r for r in rows if r > sum(rows)], epsilon)",
    "a walrus": "return count(rng, [x := r for r in rows], epsilon), x",
    "an item of a dict": "out = {}\nout['a'] = rows[0]\nreturn out, count(rng, rows, epsilon)",
    "a key of a dict": "out = {}\nout[rows[0]] = 1\nreturn out, count(rng, rows, epsilon)",
    "the time it stops": """
        noisy = count(rng, rows, epsilon)
        for row in rows:
            if row == 3:
                return noisy
        return 0
    """,
    "kept from the last turn": """
        last = 0
        for _ in range(k):
            shown = last
            last = rows[0]
        return shown, count(rng, rows, epsilon)
    """,
    "a closure": """
        out = []
        def show():
            return out
        out.append(rows[0])
        return show(), count(rng, rows, epsilon)
    """,
    "a lengthened list": """
        out = []
        same = out
        same += rows
        return out, count(rng, rows, epsilon)
    """,
    "half of the list": "return count(rng, rows[:10], epsilon)",
    "records made larger": "return count(rng, [row for row in rows for _ in range(5)], epsilon)",
    "doubled": "return count(rng, rows + rows, epsilon)",
    "changed in place": "rows.extend(rows)\nreturn count(rng, rows, epsilon)",
    "changed by assignment": "rows[0] = 5 * len(rows)\nreturn count(rng, rows, epsilon)",
    "its own noise": "return len(rows) + rng.laplace(scale=1 / epsilon), count(rng, rows, epsilon)",
    "handled": """
        try:
            x = 1 / rows[0]
        except ZeroDivisionError:
            x = 0
        return x, count(rng, rows, epsilon)
    """,
    "a match": """
        match rows:
            case [first, *_]:
                return first, count(rng, rows, epsilon)
        return 0
    """,
    "a global": """
        global kept
        kept = rows
        return count(rng, rows, epsilon)
    """,
    "yielded": "yield count(rng, rows, epsilon)\nyield rows",
    "unpacked": "first, *others = rows\nreturn first, count(rng, rows, epsilon)",
    "formatted": "return f'{rows}', count(rng, rows, epsilon)",
    "a default": "return (lambda x=rows: x)(), count(rng, rows, epsilon)",
    "stars": "return count(*[rng, rows, epsilon])",
    "a conditional part": """
        part = rows
        if k > 3:
            part = rows + rows
        return count(rng, part, epsilon)
    """,
}


@pytest.mark.parametrize("body", LEAKS.values(), ids=LEAKS)
def test_what_shows_the_data_is_not_within(tmp_path, body):
    found = budget(tmp_path, body, parameters="rng, rows, epsilon, k")

    assert found.standing is Standing.UNDECIDED
    assert found.unclear
