"""Random programs on tables of pandas: what the checker reads of them is what the functions give, on random tables."""

import random

from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.checker.values import NotProved
from tests.proofs.proof_tools import of_text
from tests.proofs.small_data import HEAD
from tests.proofs.test_rewritten_programs import of_checker, of_function, same, some

CLAIM = (
    '@dp(epsilon=1.0, neighbors="add-remove",\n'
    '    domain={"kind": ["a", "b"], "age": (-2, 3), "pay": (0.0, 9.5), "flag": [False, True]})\n'
    "def release(rng, data: pd.DataFrame):\n"
)
LABELS = ("[-2, -1, 0, 1, 2, 3]", "[0, 1]", "[2, 7]")
KINDS = '.reindex(["b", "a", "c"], fill_value=0)'


def mask(chance, table):
    """Truth values of the rows."""
    return chance.choice(
        [
            f'({table}["age"] {chance.choice([">", "<", "==", "!="])} {chance.choice([-1, 0, 2])})',
            f'({table}["pay"] {chance.choice([">", "<="])} {chance.choice([0.5, 4])})',
            f'{table}["flag"]',
            f'({table}["kind"] == "a")',
            f'{table}["pay"].between(1, {chance.choice([2, 2.5])})',
            f'{table}["age"].isin({chance.choice(["[0, 1]", "[-2, 3, 7]"])})',
        ]
    )


def column(chance, table, depth=0):
    """Numbers of the rows."""
    if depth > 2 or chance.random() < 0.3:
        return f'{table}["{chance.choice(["age", "pay", "flag"])}"]'
    one = column(chance, table, depth + 1)
    return chance.choice(
        [
            f"{one}.clip({chance.choice([-1, 1])}, {chance.choice([2, 2.5])})",
            f"({one} {chance.choice('+-*')} {chance.choice([2, 0.5])})",
            f"({one} {chance.choice('+-*')} {column(chance, table, depth + 1)})",
            f"{one}.astype(int)",
            f"({one} // 2)",
            mask(chance, table),
        ]
    )


def text_of(chance):
    """A program on some rows, or with another column."""
    begun = chance.choice(["", f"    data = data[{mask(chance, 'data')}]\n", ""])
    begun = begun or f"    data = data.assign(pay={column(chance, 'data')})\n" * chance.randrange(2)
    labels = f".reindex({chance.choice(LABELS)}, fill_value=0)"
    value = chance.choice(
        [
            f"{column(chance, 'data')}.sum()",
            "len(data)",
            f'data["age"].value_counts(){labels}',
            f'data.groupby("kind")["{chance.choice(["age", "pay", "flag"])}"].sum(){KINDS}',
            f'data.groupby("kind")["age"].count(){KINDS}',
            f'data.groupby("age")["pay"].agg(["sum", "size"]){labels}["{chance.choice(["sum", "size"])}"]',
            'data["flag"].value_counts().reindex([True, False], fill_value=0)',
            'data["kind"].value_counts().get("a", 0)',
            f"({column(chance, 'data')} // 1).astype(int).value_counts(){labels}",
            f"np.count_nonzero({mask(chance, 'data')})",
        ]
    )
    return HEAD + CLAIM + begun + f"    return {value} + rng.laplace(scale=1.0)\n"


def compared(folder, seed):
    """How many tables one program was compared on."""
    chance = random.Random(seed)
    text, count = text_of(chance), 0
    program, mechanism = of_text(folder, text, "release")
    objects = {"__name__": "tested"}
    exec(compile(text, "tested", "exec", dont_inherit=True), objects)
    for run in range(4):
        records = [some(chance, mechanism.claim.domain) for _ in range(run)]
        found, drawn = of_function(text, program, mechanism, records, run, objects)
        try:
            read = of_checker(program, mechanism, records, drawn) if not isinstance(found, str) else found
        except (UnsupportedConstruct, NotProved):
            continue
        assert same(read, found), (text, records)
        count += not isinstance(found, str)
    return count


def test_random_programs(tmp_path):
    """Some of them are refused, and some raise."""
    assert sum(compared(tmp_path, seed) for seed in range(20)) > 50
