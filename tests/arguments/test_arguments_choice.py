"""The choice of arguments: it finds what the fixtures hide, counts what it says it counts, and always says why."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import libcst as cst
import numpy as np
import pytest
import z3

from dplint.claims import Mechanism, Pair
from dplint.inputs import arguments_runs
from dplint.inputs.arguments import ArgumentChoice, ArgumentChoices, choose_arguments, simple_arguments
from dplint.inputs.pairs import choose_pairs
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint.source.lowering import lower
from dplint.source.read import read_source

ROOT = Path(__file__).resolve().parents[2] / "fixtures"
FIXED = {"epsilon": 0.7}
BLATANT: dict[str, tuple[str, Callable[..., bool]]] = {
    "histogram_verbose_leaks": ("flags.py", lambda verbose: verbose),
    "report_mode_leaks": ("flags.py", lambda mode: mode == "raw"),
    "choose_leaks": ("flags.py", lambda tie_break: tie_break == "first"),
    "capped_sum_leaks": ("cutoffs.py", lambda cap: cap > 1000),
    "far_threshold_leaks": ("cutoffs.py", lambda T: T < -50),
    "refined_sum_leaks": ("cutoffs.py", lambda rounds: rounds >= 6),
    "windowed_sum_leaks": ("relations.py", lambda window, step: window == 3 * step and step > 1),
    "block_sum_leaks": ("relations.py", lambda block: block % 11 == 7),
    "nested_leaks": ("relations.py", lambda low, high: high - low > 20 and low > 4),
    "paged_leaks": ("relations.py", lambda page, pages: page > 0 and page == pages - 1),
}
AUDITED = 8
"""So many choices the audit tries; a bug has to show in one of them."""


def read(path: Path) -> dict[str, tuple[Program | Unsupported, Mechanism]]:
    source = read_source(path, file=path.name, table={})
    assert source.module is not None, source.errors
    found = {}
    for mechanism in source.mechanisms:
        assert isinstance(mechanism.node, cst.FunctionDef)
        program = lower(mechanism.node, source.module, mechanism.mechanism)
        found[mechanism.mechanism.qualname] = (program, mechanism.mechanism)
    return found


@cache
def chosen(path: Path, name: str, pairs: tuple[Pair, ...] | None = None) -> ArgumentChoices:
    program, mechanism = read(path)[name]
    return choose_arguments(program, mechanism, pairs or choose_pairs(mechanism), FIXED)


def values(choice: ArgumentChoice) -> dict[str, Any]:
    return {argument.name: argument.value for argument in choice.arguments}


def written(folder: Path, body: str, parameters: str = "t", claim: str = "") -> Path:
    path = folder / "module.py"
    path.write_text(
        "import numpy as np\nfrom dplint import dp\n\n\n"
        f"@dp(epsilon='epsilon', neighbors='linf'{claim})\ndef made(rng, data, epsilon, {parameters}):\n    {body}\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("name", BLATANT)
def test_the_solver_reaches_every_hidden_bug(name: str) -> None:
    file, guilty = BLATANT[name]
    choices = chosen(ROOT / "arguments" / file, name)

    assert choices.solver_used
    assert any(guilty(**values(choice)) for choice in choices.choices[:AUDITED])


def test_simple_values_miss_most_hidden_bugs() -> None:
    missed = []
    for name, (file, guilty) in BLATANT.items():
        _, mechanism = read(ROOT / "arguments" / file)[name]
        if not any(guilty(**values(choice)) for choice in simple_arguments(mechanism, FIXED).choices):
            missed.append(name)

    assert set(BLATANT) - set(missed) <= {"histogram_verbose_leaks", "refined_sum_leaks", "paged_leaks"}


@pytest.mark.parametrize("name", [name for name, (file, _) in BLATANT.items()])
def test_every_wrong_mechanism_has_a_right_look_alike_with_the_same_parameters(name: str) -> None:
    found = read(ROOT / "arguments" / BLATANT[name][0])
    _, wrong = found[name]
    _, right = found[name.removesuffix("_leaks")]

    assert [p.name for p in wrong.parameters] == [p.name for p in right.parameters]
    assert wrong.claim == right.claim


class NoNoise:
    """A generator whose draws sit at their centre."""

    def laplace(self, loc: float = 0.0, scale: float = 1.0) -> float:
        return loc


def real(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location("fixture_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


@pytest.mark.parametrize("name", ["svt", "isvt1", "isvt2", "isvt3", "isvt4"])
def test_the_sparse_vector_family_gets_its_threshold_and_count(name: str) -> None:
    """The real function, without noise, gives other answers on the two sides of the pair that was solved for."""
    path = ROOT / "statdp" / "sparse_vector.py"
    program, mechanism = read(path)[name]
    pairs = choose_pairs(mechanism)
    started = time.process_time()  # what others have the processor for does not count
    choices = choose_arguments(program, mechanism, pairs, FIXED)
    elapsed = time.process_time() - started
    first = choices.choices[0]
    function = real(path, name)

    assert choices.solver_used
    assert values(first).get("N", 1) == 1
    assert elapsed < 5  # a second is the aim

    for choice in choices.choices[:2]:
        pair = max((p for p in pairs if p.pattern == choice.pattern), key=lambda p: p.size)
        one, two = (function(NoNoise(), data, epsilon=0.7, **values(choice)) for data in (pair.d1, pair.d2))

        assert [bool(answer) for answer in one] != [bool(answer) for answer in two]


def test_the_count_of_differing_comparisons_is_true() -> None:
    """iSVT1 compares all ten answers; the pair and threshold that it was solved for make all of them differ."""
    path = ROOT / "statdp" / "sparse_vector.py"
    program, mechanism = read(path)["isvt1"]
    pairs = choose_pairs(mechanism)
    first = choose_arguments(program, mechanism, pairs, FIXED).choices[0]
    (argument,) = first.arguments
    pair = max((p for p in pairs if p.pattern == first.pattern), key=lambda p: p.size)
    function = real(path, "isvt1")
    one, two = (function(NoNoise(), data, epsilon=0.7, T=argument.value) for data in (pair.d1, pair.d2))

    assert argument.why == "10 of 10 comparisons differ"
    assert sum(a != b for a, b in zip(one, two, strict=True)) == 10


def test_least_noise_follows_the_scale_through_assignments_and_helpers(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "from dplint import dp\n\n\ndef noisy(rng, x, spread):\n    return x + rng.laplace(scale=spread)\n\n\n"
        "@dp(epsilon='epsilon', neighbors='l1')\ndef made(rng, data, epsilon, k, high, t):\n"
        "    width = high - 1\n    share = epsilon / k\n    out = 0\n    for x in data:\n"
        "        if noisy(rng, x, width / share) > t:\n            out += 1\n    return out\n",
        encoding="utf-8",
    )
    first = chosen(path, "made").choices[0]

    assert {a.name: (a.value, a.why) for a in first.arguments if a.name != "t"} == {
        "k": (1, "least noise"),
        "high": (2, "least noise"),  # with 1 the scale would be 0
    }


def test_the_claims_own_values_bind_the_choice(tmp_path: Path) -> None:
    body = "return [x + rng.laplace(scale=k / epsilon) > t for x in data if mode == 'a' or flag]"
    claim = ", args={'k': [4, 8], 't': (3.0, 5.0), 'mode': ['a', 'b'], 'flag': True}"
    choices = chosen(written(tmp_path, body, "k, t, mode, flag", claim), "made").choices

    assert all(values(choice)["k"] in (4, 8) for choice in choices)
    assert all(3 <= values(choice)["t"] <= 5 for choice in choices)
    assert all(values(choice)["mode"] in ("a", "b") for choice in choices)
    assert values(choices[0])["k"] == 4
    assert {a.why for c in choices for a in c.arguments if a.name == "flag"} == {"fixed by the claim"}


def test_defaults_are_left_to_python_and_count_in_conditions(tmp_path: Path) -> None:
    path = written(tmp_path, "return [x > t + shift for x in data]", "t, shift=100.0")
    choices = chosen(path, "made").choices

    assert [argument.name for argument in choices[0].arguments] == ["t"]
    assert values(choices[0])["t"] <= -98  # data lies between 0 and 2


def test_a_default_without_a_literal_does_not_stand_in_the_way(tmp_path: Path) -> None:
    choices = chosen(written(tmp_path, "return [x > t for x in data]", "t, clock=print"), "made")

    assert choices.solver_used
    assert [argument.name for argument in choices.choices[0].arguments] == ["t"]


def test_without_arguments_there_is_one_empty_choice() -> None:
    choices = chosen(ROOT / "statdp" / "noisy_max.py", "noisy_max_v1a")

    assert choices.choices == (ArgumentChoice(()),)


def test_a_program_that_cannot_be_read_gets_simple_values_and_says_why(tmp_path: Path) -> None:
    path = written(tmp_path, "return [abs(d) for d in data][n] + s * t + len(bytes(1))", "n: int, s: str, t, f: bool")
    choices = chosen(path, "made")
    found = [values(choice) for choice in choices.choices]

    assert not choices.solver_used
    assert "a call of bytes at line 7" in choices.note
    assert 2 <= len(found) <= 8
    assert all(isinstance(v["n"], int) and isinstance(v["s"], str) and isinstance(v["f"], bool) for v in found)
    assert found[0] == {"n": 1, "s": "", "t": 1, "f": False}
    assert len({repr(value) for value in found}) == len(found)


def test_what_only_a_reading_refuses_gets_simple_values_too(tmp_path: Path) -> None:
    path = written(tmp_path, "data.append(t)\n    return data")
    choices = chosen(path, "made")

    assert not choices.solver_used
    assert "a change in place of data" in choices.note


def test_types_are_inferred_from_use(tmp_path: Path) -> None:
    body = (
        "seen = 0\n    for i in range(a):\n        seen += data[b]\n    if c:\n        seen += 1\n"
        "    if d == 'x' or e % 2 == 1:\n        return seen\n    count = 0\n    for x in data:\n        count += 1\n"
        "        if count == g:\n            break\n    return [x > h for x in data[:k]]"
    )
    choices = chosen(written(tmp_path, body, "a, b, c, d, e, g, h, k"), "made").choices

    for choice in choices:
        kinds = {name: type(value) for name, value in values(choice).items() if name != "h"}
        assert kinds == {"a": int, "b": int, "c": bool, "d": str, "e": int, "g": int, "k": int}


def test_the_same_input_gives_the_same_choices_whatever_came_before() -> None:
    path = ROOT / "arguments" / "relations.py"
    before = [chosen.__wrapped__(path, name) for name in ("windowed_sum_leaks", "nested_leaks")]
    x, y = z3.Ints("something else")
    z3.Solver().check(x > y)
    chosen.__wrapped__(ROOT / "statdp" / "sparse_vector.py", "svt")

    assert [chosen.__wrapped__(path, name) for name in ("windowed_sum_leaks", "nested_leaks")] == before


def test_pairs_of_objects_that_stay_in_the_runner_are_not_read(tmp_path: Path) -> None:
    pairs = (Pair("<frame 1>", "<frame 2>", "custom", 2, handle=(0, 1)),)
    choices = chosen(written(tmp_path, "return [x > t for x in data]"), "made", pairs)

    assert not choices.solver_used


def test_an_array_parameter_is_read_as_an_array(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import numpy as np\nfrom dplint import dp\n\n\n@dp(epsilon='epsilon', neighbors='linf')\n"
        "def made(rng, data: np.ndarray, epsilon, t):\n    return np.sum(data + rng.laplace(size=len(data)) > t)\n",
        encoding="utf-8",
    )
    (argument,) = chosen(path, "made").choices[0].arguments

    assert argument.why == "10 of 10 comparisons differ"


def replay_free(arguments: Mapping[str, Any]) -> np.random.Generator:
    return np.random.default_rng(len(arguments))


@pytest.mark.parametrize("name", BLATANT)
def test_fixtures_run_with_every_chosen_argument(name: str) -> None:
    """Wrong and right mechanisms return, without an exception, whatever arguments were chosen."""
    path = ROOT / "arguments" / BLATANT[name][0]
    for variant in (name, name.removesuffix("_leaks")):
        function = real(path, variant)
        for choice in chosen(path, variant).choices:
            arguments = values(choice)

            assert function(replay_free(arguments), [1.0, 0.0, 2.0, 1.0, 1.0], epsilon=0.7, **arguments) is not None


def test_runs_end_when_all_branches_that_are_sought_were_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "return 1 if data[0] + rng.laplace(scale=1 / epsilon) > t else 0"
    program, _ = read(written(tmp_path, body))["made"]
    assert isinstance(program, Program)
    made = []
    run_with = arguments_runs.run_with
    monkeypatch.setattr(arguments_runs, "run_with", lambda *given: made.append(given) or run_with(*given))

    def taken(sought: set[Any]) -> tuple[frozenset[Any], int]:
        made.clear()
        given = {"epsilon": 1.0, "t": 0.0, "rng": None}
        return arguments_runs.branches_taken(program, given, [[0.0], [1.0]], 50, 5, sought), len(made)

    everywhere, runs = taken({"a branch that there is not"})
    assert {outcome for _, outcome in everywhere} == {True, False}
    assert runs == 2 * 50
    found, runs = taken(set(everywhere))
    assert found == everywhere
    assert 2 <= runs < 20
    assert taken(set()) == (frozenset(), 0)
