"""How a check is dealt into shards: everything belongs to one, and all machines deal alike."""

import json
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
from click.exceptions import BadParameter
from click.testing import CliRunner

from dplint import check
from dplint.check import dealing
from dplint.check.dealing import Deal
from dplint.check.loading import load_files
from dplint.cli.options import costs as read_costs
from dplint.cli.options import shard as read_shard
from dplint.config import Settings, SettingsByFile
from dplint.main import app
from dplint.outcomes import CheckError, Finding, Plan, Shard, Silenced
from dplint.store import SharedCache, StoreProblem

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
        patch.setattr("dplint.check.reading_ahead.Pool", Mock)
        patch.setattr("dplint.check.checking.run_jobs", lambda *_: (one for one in ()))
        yield


def of(project, shard=None, costs=None, **settings):
    events = list(check.check_paths([project], Settings(cache=False, **settings), None, shard, None, costs))
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


@pytest.mark.parametrize("file", ["mechanisms.py", "helpers.py", "findings.py"])
def test_shards_of_different_commits_are_told(tmp_path, file):
    """What a mechanism imports and what is found in files without mechanisms belong to the check as well."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "mechanisms.py").write_text(
        "from dplint import dp\nfrom helpers import f\n" + CLAIMED.format(name="a").replace("inner()", "f()")
    )
    (tmp_path / "helpers.py").write_text("def f():\n    return 0.0\n")
    (tmp_path / "findings.py").write_text("x = 1  # dplint: ignore[DP101]\n")

    def digest(**settings):
        return of(tmp_path, Shard(1, 2), **settings)[0].dealt.digest

    before = digest()
    assert before == digest(jobs=7)
    with (tmp_path / file).open("a") as stream:
        stream.write("\n\nX = 2\n")
    assert digest() != before
    assert digest(select=("DP9",)) != digest(), "and findings are of settings"


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
    assert read_costs(None, None, None) is None
    for text in ("", "[]", '{"results": [{"file": "a.py"}]}', '{"results": 3}'):
        report.write_text(text)
        with pytest.raises(BadParameter, match="no JSON report"):
            read_costs(None, None, report)


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/2/3", ""])
def test_a_part_that_there_is_not(text):
    with pytest.raises(BadParameter, match="give K/N"):
        read_shard(None, None, text)


def shared(project, cache, shard, *, known=(), costs=None):
    """The part of a shard whose machine shares a cache that knows these mechanisms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dplint.check.checking._Check._known", lambda *_: known)
        elsewhere = check.Elsewhere(None, SharedCache(str(cache)))
        events = check.check_paths([project], Settings(cache=False), None, shard, elsewhere, costs)
        return next(one for one in events if isinstance(one, Plan))


def test_what_a_shared_cache_knows_costs_nothing_for_all_shards_alike(project, tmp_path):
    """Of nine, eight are known when the first shard begins, all when the second does, which deals as the first has."""
    names = [one.name for one in of(project)[0].mechanisms]
    first = shared(project, tmp_path, Shard(1, 2), known=names[:8])
    second = shared(project, tmp_path, Shard(2, 2), known=names)

    parts = [[one.name for one in part.mechanisms] for part in (first, second)]
    assert sorted(map(len, parts)) == [1, 8]
    assert [names[8]] in parts
    assert sorted(parts[0] + parts[1]) == sorted(names)
    assert first.dealt.digest == second.dealt.digest


def test_shards_that_begin_at_once_are_dealt_alike(project, tmp_path):
    """Each knows something else."""
    names = [one.name for one in of(project)[0].mechanisms]
    with ThreadPoolExecutor(4) as pool:
        asked = [(Shard(number, 4), names[: 2 * number]) for number in range(1, 5)]
        caches = [SharedCache(str(tmp_path)) for _ in asked]
        files = list(load_files([project], SettingsByFile.fixed(Settings(cache=False))))
        pending = [pending for one in files for pending in one.pending]
        deals = list(
            pool.map(
                lambda one: Deal(one[0][0], pending, files, {}, one[1], lambda: one[0][1]),
                zip(asked, caches, strict=True),
            )
        )
    assert len({deal.dealt.digest for deal in deals}) == 1
    assert sorted(one.mechanism.name for deal in deals for one in deal.own) == sorted(names)
    assert [path.parent.name for path in tmp_path.rglob("*") if path.is_file()] == ["deals"]


@pytest.mark.parametrize("content", [b"", b"nonsense", b"{}", b'{"a": 1}', b"[1, 2]"])
def test_a_deal_that_is_none_is_replaced(project, tmp_path, content):
    """Damaged, or written by a stranger, or, signed as it should be, no deal of these mechanisms."""
    whole = shared(project, tmp_path, Shard(1, 2))
    (path,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    damaged, right = content in (b"", b"nonsense"), path.read_bytes()
    if damaged:
        path.write_bytes(content)
    else:
        SharedCache(str(tmp_path)).write(f"deals/{path.name}", content)
    again = shared(project, tmp_path, Shard(2, 2))
    assert again.dealt.digest == whole.dealt.digest
    assert path.read_bytes() == right


def test_numbers_of_shards_that_there_are_not_are_no_deal(project, tmp_path):
    names = [one.name for one in of(project)[0].mechanisms]
    shared(project, tmp_path, Shard(1, 2))
    (path,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    for number in (0, 3, True, "1", None):
        SharedCache(str(tmp_path)).write(f"deals/{path.name}", json.dumps(dict.fromkeys(names, number)).encode())
        parts = [shared(project, tmp_path, Shard(one, 2)) for one in (1, 2)]
        assert sorted(one.name for part in parts for one in part.mechanisms) == sorted(names)


def test_where_the_shared_cache_does_not_answer_no_shard_begins(project, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreProblem, match="cannot be written"):
        shared(project, tmp_path / "file", Shard(1, 2))
    done = CliRunner().invoke(
        app, ["check", str(project), "--shard", "1/2", "--shared-cache", str(tmp_path / "file"), "--quiet"]
    )
    assert done.exit_code == 2
    assert "--shard: the shared cache deals the parts, and" in done.output
