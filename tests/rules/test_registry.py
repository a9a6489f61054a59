"""Rules are found by themselves: what is among the files of a package, and what is wrong with one."""

from __future__ import annotations

import importlib
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dplint.rules import RULES, rule_of
from dplint.rules.checking import RuleError, find_rules
from dplint.rules.rule import Rule

RULE = """
from dplint.rules import rule_of

TEMPLATE = rule_of("DP101")
RULE = type(TEMPLATE)(**{{field: getattr(TEMPLATE, field) for field in TEMPLATE.__slots__}} | {{"code": "{code}"}})
"""
Find = Callable[[dict[str, str]], tuple[Rule, ...]]


@pytest.fixture
def find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Find:
    """The rules of a package that is written from the names and texts of its modules."""

    def find(modules: dict[str, str]) -> tuple[Rule, ...]:
        name = f"rules_of_{abs(hash(request.node.name))}"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").touch()
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        package = importlib.import_module(name)
        return find_rules(name, package.__path__)

    return find


def test_rules_are_found_in_the_order_of_their_codes_and_helpers_are_left_alone(find: Find) -> None:
    late, early = RULE.format(code="DP799"), RULE.format(code="DP701")

    found = find({"dp799_a": late, "dp701_z": early, "gains": "1 / 0", "dpsgd": "1 / 0", "depth": "1 / 0"})

    assert [rule.code for rule in found] == ["DP701", "DP799"]


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ({"dp701_a": ""}, r'dp701_a has no rule: it must have RULE = Rule\("DP701", check\)'),
        ({"dp701_a": "RULE = 'DP701'"}, "dp701_a has no rule"),
        ({"dp701_a": RULE.format(code="DP702")}, "dp701_a has the rule DP702, and DP701 in its name"),
        (
            {"dp701_a": RULE.format(code="DP701"), "dp701_b": RULE.format(code="DP701")},
            "dp701_b is a second rule DP701",
        ),
        ({"dp701": RULE.format(code="DP701")}, "dp701 is not named as a rule"),
        ({"dp71_a": RULE.format(code="DP701")}, "dp71_a is not named as a rule"),
        ({"dp_701_a": RULE.format(code="DP701")}, "dp_701_a is not named as a rule"),
    ],
)
def test_a_file_that_is_no_rule_is_told_clearly(find: Find, modules: dict[str, str], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        find(modules)


def test_the_own_rules_are_all_files_with_a_code() -> None:
    files = Path(importlib.import_module("dplint.rules").__path__[0]).glob("dp*.py")

    assert [rule.code for rule in RULES] == sorted(file.name[:5].upper() for file in files)
    assert all(rule_of(rule.code) is rule for rule in RULES)
    assert rule_of("DP001") is None


@pytest.mark.process
def test_rules_are_found_inside_of_a_zip_file(tmp_path: Path) -> None:
    package = Path(importlib.import_module("dplint").__path__[0])
    archive = tmp_path / "dplint.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for file in (*package.rglob("*.py"), *package.rglob("*.txt")):
            zipped.write(file, Path("dplint") / file.relative_to(package))
    code = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "import dplint.rules; print(dplint.rules.__file__, *(rule.code for rule in dplint.rules.RULES))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, cwd=tmp_path)

    file, *codes = done.stdout.split()
    assert file.startswith(str(archive))
    assert codes == [rule.code for rule in RULES]
