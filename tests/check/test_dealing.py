"""How a check is dealt into shards: everything belongs to one, and all machines deal alike."""

from unittest.mock import Mock

import pytest
from click.exceptions import BadParameter

from dplint import check
from dplint.check import dealing
from dplint.cli.option_values import costs as read_costs
from dplint.cli.option_values import shard as read_shard
from dplint.config import Settings
from dplint.outcomes import CheckError, Finding, Plan, Shard, Silenced

CLAIMED = """
@dp(epsilon="epsilon", neighbors="linf")
def {name}(rng, values, epsilon):
    def inner():
        return rng.laplace(scale=epsilon)
    return values[0] + rng.laplace(scale=epsilon) + inner()
"""
NAMES = [["a", "b", "c", "d"], ["e", "f"], ["g"], [], ["h", "i"]]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    for number, names in enumerate(NAMES):
        text = "from dplint import dp\n" + "".join(CLAIMED.format(name=name) for name in names)
        (folder / f"module{number}.py").write_text(text + "x = 1  # dplint: ignore[DP101]\n", encoding="utf-8")
    (folder / "broken.py").write_text("from dplint import dp\n@dp(\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module", autouse=True)
def nothing_is_run():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dplint.check.checking.Pool", Mock)
        patch.setattr("dplint.check.checking.run_jobs", lambda *_: (one for one in ()))
        yield


def of(project, shard=None, costs=None):
    events = list(check.check_paths([project], Settings(cache=False), None, shard, None, costs))
    (plan,) = (one for one in events if isinstance(one, Plan))
    told = [one for one in events if isinstance(one, Finding | CheckError | Silenced)]
    return plan, told


def key(event):
    return (type(event).__name__, event.file, getattr(event, "span", None), getattr(event, "code", event))


@pytest.mark.parametrize("shards", [1, 2, 3, 7, 12])
def test_shards_have_together_what_the_whole_has(project, shards):
    plan, told = of(project)
    parts = [of(project, Shard(number, shards)) for number in range(1, shards + 1)]
    assert len(plan.mechanisms) == 9
    assert len(told) > 9
    assert {type(one) for one in told} == {Finding, CheckError}
    names = [one.name for part, _ in parts for one in part.mechanisms]
    assert sorted(names) == sorted(one.name for one in plan.mechanisms), "each once"
    assert sorted(map(repr, (key(one) for _, others in parts for one in others))) == sorted(
        map(repr, map(key, told))
    ), "each once"
    sizes = [len(part.mechanisms) for part, _ in parts]
    assert max(sizes) - min(sizes) <= 1, "all cost the same"
    assert len({part.dealt.digest for part, _ in parts}) == 1
    assert {part.dealt.mechanisms for part, _ in parts} == {9}


def test_what_is_found_in_a_mechanism_is_told_by_its_shard(project):
    for number in (1, 2, 3):
        plan, told = of(project, Shard(number, 3))
        own = {one.qualname for one in plan.mechanisms}
        assert own
        assert own == {one.function.partition(".")[0] for one in told if getattr(one, "function", None)}


def test_a_digest_is_of_sources_and_settings(project, tmp_path):
    def digest(settings, folder):
        (plan,) = (one for one in check.check_paths([folder], settings, None, Shard(1, 2)) if isinstance(one, Plan))
        return plan.dealt.digest

    first = digest(Settings(cache=False), project)
    assert first == digest(Settings(cache=False, interpreter="elsewhere"), project)
    assert first != digest(Settings(cache=False, alpha=0.01), project)
    assert first != digest(Settings(cache=False), project / "module0.py")


def test_the_expensive_ones_are_dealt_first():
    costs = {"a": 1.0, "b": 1.0, "c": 10.0, "d": 8.0, "e": 1.0}
    assert dealing._dealt(costs, 2) == {"c": 1, "d": 2, "a": 2, "b": 2, "e": 1}


def test_parts_are_dealt_by_what_mechanisms_took(project):
    """One takes as long as all others together, so it is alone in its part; who is not known costs its budget."""
    names = [one.name for one in of(project)[0].mechanisms]
    costs = dict.fromkeys(names, 1.0) | {names[3]: 8.0}

    parts = [of(project, Shard(number, 2), costs)[0] for number in (1, 2)]

    assert {len(part.mechanisms) for part in parts} == {1, 8}
    assert sorted(one.name for part in parts for one in part.mechanisms) == sorted(names)
    assert parts[0].dealt.digest == parts[1].dealt.digest
    assert of(project, Shard(1, 2))[0].dealt.digest != parts[0].dealt.digest, "dealt otherwise: not to be merged"
    del costs[names[5]]
    alone = [of(project, Shard(number, 2), costs)[0].mechanisms for number in (1, 2)]
    assert [names[5]] in [[one.name for one in part] for part in alone]


def test_the_costs_of_a_report(tmp_path):
    report = tmp_path / "report.json"
    report.write_text('{"results": [{"file": "a.py", "function": "f", "seconds": 2.5}]}')
    assert read_costs(None, None, report) == {"a.py::f": 2.5}
    assert read_costs(None, None, None) == {}
    for text in ("", "[]", '{"results": [{"file": "a.py"}]}', '{"results": 3}'):
        report.write_text(text)
        with pytest.raises(BadParameter, match="no JSON report"):
            read_costs(None, None, report)


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/2/3", ""])
def test_a_part_that_there_is_not(text):
    with pytest.raises(BadParameter, match="give K/N"):
        read_shard(None, None, text)
