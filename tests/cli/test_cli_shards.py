"""`--shard` and `merge` as commands: the parts of a check are merged into what the whole check prints."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def dplint(folder, *arguments):
    command = [sys.executable, "-m", "dplint", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def told(path):
    """All that a report says but how long it took."""
    document = json.loads(path.read_text(encoding="utf-8"))
    for result in document["results"]:
        del result["seconds"]
        (result["effort"] or {}).pop("seconds", None)
    del document["summary"]["seconds"]
    document["findings"].sort(key=json.dumps)
    return document


def parted(folder, what, shards):
    """The whole check of a folder of fixtures, its parts, and what they are merged into."""
    options = [FIXTURES / what, "--runs", 2000, "--no-cache", "--quiet"]
    whole = dplint(folder, "check", *options, "--format", "json=whole.json")
    assert whole.returncode in (1, 2), whole.stderr
    files = [f"part{number}.json" for number in range(1, shards + 1)]
    for number, file in enumerate(files, start=1):
        part = dplint(folder, "check", *options, "--shard", f"{number}/{shards}", "--format", f"json={file}")
        assert part.returncode in (0, 1, 2), part.stderr
    merged = dplint(folder, "merge", *files, "--quiet", "--format", "json=merged.json")
    assert merged.returncode == whole.returncode, merged.stderr
    return told(folder / "whole.json"), [told(folder / file) for file in files], told(folder / "merged.json")


def by_name(document):
    return {(result["file"], result["function"], result["line"]): result for result in document["results"]}


@pytest.mark.process
def test_the_parts_are_merged_into_the_whole(tmp_path):
    whole, _, merged = parted(tmp_path, "statdp/histogram.py", 2)
    assert merged == whole


@pytest.mark.process
@pytest.mark.nightly
def test_the_parts_of_all_fixtures_have_the_verdicts_of_the_whole(tmp_path):
    """And of each what its part says: how many runs a slow function gets in a turn, another check may say otherwise."""
    whole, parts, merged = parted(tmp_path, ".", 4)
    checked = [by_name(part) for part in parts]
    assert sum(map(len, checked)) == len(merged["results"]) == len(whole["results"])
    assert by_name(merged) == {name: result for part in checked for name, result in part.items()}
    verdicts = [{name: one["verdict"] for name, one in by_name(document).items()} for document in (merged, whole)]
    assert verdicts[0] == verdicts[1]
    assert merged["findings"] == whole["findings"]


@pytest.mark.process
def test_shards_that_share_a_cache_are_merged_though_it_has_changed_meanwhile(tmp_path):
    """When the second part begins, the first one's results are in the cache; afterwards all are."""
    functions = (MANY.format(number=number, scale=(0.1, 1.0)[number % 2]) for number in range(4))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "mechanisms.py").write_text("from dplint import dp\n" + "".join(functions))
    options = ["project", "--runs", 6000, "--quiet", "--shared-cache", tmp_path / "shared"]
    parts = []
    for turn in range(2):
        for number in (1, 2):
            parts.append(f"part{turn}{number}.json")
            dplint(tmp_path, "check", *options, "--shard", f"{number}/2", "--format", f"json={parts[-1]}")
        merged = dplint(tmp_path, "merge", *parts[-2:], "--quiet", "--format", "json=merged.json")
        assert merged.returncode == 1, merged.stderr
        results = json.loads((tmp_path / "merged.json").read_text())["results"]
        assert [one["function"] for one in results] == [f"mechanism_{number}" for number in range(4)]
        assert ["from the cache" in str(one) for one in results] == [turn == 1] * 4
    assert dplint(tmp_path, "merge", parts[0], "--quiet").returncode == 2, "one is missing"


MANY = """
@dp(epsilon=1.0, neighbors="linf")
def mechanism_{number}(data: float, rng):
    return data + {number} + rng.laplace(scale={scale})

"""


@pytest.mark.process
@pytest.mark.nightly
def test_four_shards_of_three_hundred_mechanisms_are_the_whole(tmp_path):
    for file in range(10):
        functions = (MANY.format(number=30 * file + one, scale=(0.1, 1.0, 2.0)[one % 3]) for one in range(30))
        (tmp_path / f"part_{file}.py").write_text("from dplint import dp\n" + "".join(functions))
    options = [".", "--runs", 6000, "--no-cache", "--quiet"]
    assert dplint(tmp_path, "check", *options, "--format", "json=whole.json").returncode == 1
    whole = told(tmp_path / "whole.json")
    for costs in ([], ["--costs", "whole.json"]):
        parts = [f"part{number}.json" for number in range(1, 5)]
        for number, part in enumerate(parts, start=1):
            dplint(tmp_path, "check", *options, *costs, "--shard", f"{number}/4", "--format", f"json={part}")
        sizes = [len(told(tmp_path / part)["results"]) for part in parts]
        assert sum(sizes) == 300
        assert costs or sizes == [75, 75, 75, 75]
        assert dplint(tmp_path, "merge", *parts, "--quiet", "--format", "json=merged.json").returncode == 1
        assert told(tmp_path / "merged.json") == whole
    assert len(whole["results"]) == 300
    assert sum(result["verdict"] == "violation" for result in whole["results"]) == 100
